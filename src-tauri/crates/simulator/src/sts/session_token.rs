//! `GetSessionToken`: temporary credentials for the user who asks.

use super::mfa::{self, CODE, SERIAL};
use super::{Request, denied, issue};
use crate::identity::{Holder, Who};
use crate::query;
use crate::service::{Service, ServiceError};
use crate::wire::Integer;

/// How long a session lasts that no duration is given for, in seconds (STS API reference, GetSessionToken).
const USUAL_S: i64 = 43_200;

crate::wire::input! {
    struct TokenInput {
        duration_s: Option<i64> = optional("DurationSeconds", Integer::between(900, 129_600)),
        serial: Option<String> = optional("SerialNumber", SERIAL),
        code: Option<String> = optional("TokenCode", CODE),
    }
}

/// Gives out a session.
pub(super) fn result(request: &Request<'_>) -> Result<String, ServiceError> {
    let (signer, input) = (request.signer, query::input::<TokenInput>(request.body, &["DurationSeconds"])?);
    let key = match (&signer.who, signer.temporary) {
        (Who::User { key, .. }, None) => key,
        _ => return Err(denied("Cannot call GetSessionToken with session credentials")),
    };
    signer.authorize(request.credentials, Service::Sts, "sts:GetSessionToken", "*")?;
    let mfa = mfa::verify(request, input.serial.as_deref(), input.code.as_deref())?;
    Ok(issue(request, Holder::Key(key.clone()), input.duration_s.unwrap_or(USUAL_S), mfa))
}

//! `AssumeRole`: temporary credentials for a role, where the role trusts the caller.

use super::mfa::{self, CODE, SERIAL};
use super::{Request, denied, issue};
use crate::identity::{Decision, Holder, Role, Signer, Who, glob, unique_id};
use crate::query::{self, element};
use crate::service::ServiceError;
use crate::wire::{Integer, Text};

/// How long a session lasts that no duration is given for, in seconds (STS API reference, AssumeRole). A role that is
/// assumed by another one lasts no longer.
const HOUR_S: i64 = 3_600;

static NAME: Text = Text::matching(2, 64, r"^[\w+=,.@-]*$");

crate::wire::input! {
    struct RoleInput {
        role_arn: String = required("RoleArn", Text::length(20, 2_048)),
        session: String = required("RoleSessionName", NAME),
        duration_s: Option<i64> = optional("DurationSeconds", Integer::between(900, 43_200)),
        external_id: Option<String> = optional("ExternalId", Text::matching(2, 1_224, r"^[\w+=,.@:/-]*$")),
        serial: Option<String> = optional("SerialNumber", SERIAL),
        code: Option<String> = optional("TokenCode", CODE),
        policy: Option<String> = optional("Policy", Text::length(1, usize::MAX)),
        source: Option<String> = optional("SourceIdentity", NAME),
    }
}

/// Gives out a session.
pub(super) fn result(request: &Request<'_>) -> Result<String, ServiceError> {
    let input: RoleInput = query::input(request.body, &["DurationSeconds"])?;
    let (arn, signer, credentials) = (&input.role_arn, request.signer, request.credentials);
    if !arn.starts_with("arn:") {
        return Err(ServiceError::new("ValidationError", format!("{arn} is invalid")));
    }
    let refused = || {
        let user = signer.arn();
        denied(format!("User: {user} is not authorized to perform: sts:AssumeRole on resource: {arn}"))
    };
    let mut roles = credentials.roles.iter();
    // Whether a role exists is not told to those who may not assume it.
    let found = roles.find(|(name, role)| role.arn(request.account, name) == *arn);
    let (name, role) = found.ok_or_else(refused)?;
    let mfa = mfa::verify(request, input.serial.as_deref(), input.code.as_deref())?;
    let allowed = Decision::about("sts:AssumeRole", credentials.denied_to(&signer.who)) == Decision::Allowed
        && trusts(role, request)
        && role.external_id.as_ref().is_none_or(|wanted| input.external_id.as_ref() == Some(wanted))
        && (mfa || !role.mfa);
    if !allowed {
        return Err(refused());
    }
    let seconds = input.duration_s.unwrap_or(HOUR_S);
    let invalid = |message: &str| Err(ServiceError::new("ValidationError", message));
    if seconds > i64::from(role.max_session_s) {
        return invalid("The requested DurationSeconds exceeds the MaxSessionDuration set for this role.");
    }
    if seconds > HOUR_S && matches!(signer.who, Who::Role { .. }) {
        let message = "The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining.";
        return invalid(message);
    }
    let session = input.session;
    let id = format!("{}:{session}", unique_id("AROA", name));
    let assumed = format!("arn:aws:sts::{}:assumed-role/{name}/{session}", request.account);
    let user = [element("AssumedRoleId", &id), element("Arn", &assumed)].concat();
    let credentials = issue(request, Holder::Role { name: name.clone(), session }, seconds, mfa);
    // How much of the space for policies and tags is used up, in percent.
    let packed = input.policy.map(|_| element("PackedPolicySize", "1")).unwrap_or_default();
    let source = input.source.map(|source| element("SourceIdentity", &source)).unwrap_or_default();
    Ok(format!("{credentials}<AssumedRoleUser>{user}</AssumedRoleUser>{packed}{source}"))
}

/// Whether the trust policy of a role names the caller.
fn trusts(role: &Role, request: &Request<'_>) -> bool {
    let signer = request.signer;
    if role.trusted.is_empty() {
        return signer.account == request.account;
    }
    let names = names(signer, request);
    role.trusted.iter().any(|trusted| names.iter().any(|name| glob(trusted, name)))
}

/// What a trust policy can name a caller by.
fn names(signer: &Signer, request: &Request<'_>) -> Vec<String> {
    match &signer.who {
        Who::User { key, name } => vec![key.clone(), name.clone(), signer.arn()],
        Who::Role { name, .. } => {
            let role = request.credentials.roles.get(name);
            let arn = role.map(|role| role.arn(&signer.account, name));
            [name.clone(), signer.arn()].into_iter().chain(arn).collect()
        }
    }
}

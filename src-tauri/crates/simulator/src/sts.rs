//! STS: who the caller is, and temporary credentials for roles and users, in the Query protocol.
//!
//! Session policies, session tags and provided contexts are accepted and change nothing.

mod assume_role;
mod mfa;
mod session_token;

use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use crate::identity::{Credentials, Holder, NewSession, Sessions, Signer};
use crate::query::{Form, answer, element};
use crate::service::{Service, ServiceError};

const OPERATIONS: [&str; 3] = ["AssumeRole", "GetCallerIdentity", "GetSessionToken"];

/// The members of inputs that CloudTrail records. The code of an MFA device is none of them.
const RECORDED: [&str; 6] =
    ["RoleArn", "RoleSessionName", "DurationSeconds", "ExternalId", "SerialNumber", "SourceIdentity"];

/// The names of the operations.
pub(crate) fn operations() -> impl Iterator<Item = &'static str> {
    OPERATIONS.into_iter()
}

/// Finds the operation with this name.
pub(crate) fn operation(name: &str) -> Option<&'static str> {
    OPERATIONS.into_iter().find(|known| *known == name)
}

/// One request to STS.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request<'a> {
    /// The operation.
    pub(crate) operation: &'static str,
    /// The form body.
    pub(crate) body: &'a [u8],
    /// The id of the request.
    pub(crate) request_id: &'a str,
    /// Who asks.
    pub(crate) signer: &'a Signer,
    /// The credentials, roles and MFA devices.
    pub(crate) credentials: &'a Credentials,
    /// The sessions given out so far.
    pub(crate) sessions: &'a Sessions,
    /// The account that owns the roles.
    pub(crate) account: &'a str,
    /// The current time.
    pub(crate) now: Now,
}

/// The current time, by each of the clocks that temporary credentials need.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Now {
    /// By the clock of this computer, in seconds since the epoch: clients compare expirations with theirs.
    pub(crate) real_s: i64,
    /// By the pace at which sessions end.
    pub(crate) pace: Instant,
    /// In the world, in milliseconds since the epoch: the time of records.
    pub(crate) virtual_ms: i64,
}

/// Answers a request with XML.
pub(crate) fn respond(request: &Request<'_>) -> Result<Vec<u8>, ServiceError> {
    let result = match request.operation {
        "AssumeRole" => assume_role::result(request)?,
        "GetSessionToken" => session_token::result(request)?,
        _ => caller_identity(request.signer),
    };
    Ok(answer(Service::Sts, request.operation, Some(&result), request.request_id))
}

/// The caller. Asking for it needs no permission, so that a connection can always determine its identity.
fn caller_identity(signer: &Signer) -> String {
    [element("Arn", &signer.arn()), element("UserId", &signer.id()), element("Account", &signer.account)]
        .concat()
}

/// Gives out a session and writes its credentials.
fn issue(request: &Request<'_>, holder: Holder, seconds: i64, mfa: bool) -> String {
    let lasts = Duration::from_secs(seconds.unsigned_abs());
    let given = NewSession { holder, lasts, since_ms: request.now.virtual_ms, mfa };
    let issued = request.sessions.issue(given, request.now.pace);
    let ends = jiff::Timestamp::from_second(request.now.real_s + seconds).unwrap_or_default();
    let members = [
        element("AccessKeyId", &issued.access_key_id),
        element("SecretAccessKey", &issued.secret),
        element("SessionToken", &issued.token),
        element("Expiration", &ends.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()),
    ];
    format!("<Credentials>{}</Credentials>", members.concat())
}

/// The members of an input as CloudTrail records them: those that are no secret, names with their first letter
/// lower-cased.
pub(crate) fn recorded(body: &[u8]) -> Value {
    let form = Form::read(body);
    let shown = RECORDED.into_iter().filter_map(|name| {
        let value = form.get(name)?;
        let (first, rest) = name.split_at(1);
        let number = value.parse::<i64>().ok().filter(|_| name == "DurationSeconds");
        let value = number.map_or_else(|| Value::from(value), Value::from);
        Some((format!("{}{rest}", first.to_ascii_lowercase()), value))
    });
    let members: Map<String, Value> = shown.collect();
    if members.is_empty() { Value::Null } else { Value::Object(members) }
}

fn denied(message: impl std::fmt::Display) -> ServiceError {
    ServiceError::new("AccessDenied", message).with_status(403)
}

#[cfg(test)]
mod tests;

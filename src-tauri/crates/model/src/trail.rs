//! Who called the API: one call as CloudTrail recorded it, from the event history or through EventBridge.
//!
//! Owns what is read of a record. CloudTrail publishes the outer members (user guide: record contents, `userIdentity`
//! element); the members of GameLift's own parameters follow the API with a lower first letter, which is documented by
//! two examples only. So every member but four may be absent, and the record itself is kept beside what was read.

mod cause;
mod look;
mod parser;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use specta::Type;

use crate::arn;
use crate::id::{AccountId, Region};
use crate::time::Timestamp;

pub use self::cause::{CAUSING_CALLS, Footprint, causing_calls};
pub use self::look::{LOOKS_AFTER_MS, TrailLook, TrailMark};
pub use self::parser::{LARGEST_RECORD_BYTES, TrailMisfit};

/// How long CloudTrail's event history keeps a call, in milliseconds: 90 days.
pub const HISTORY_MS: i64 = 90 * 86_400_000;

/// A record with its text.
#[derive(Clone, Debug, PartialEq)]
pub struct TrailRecord {
    /// Id of the event, unique in an account.
    pub event_id: String,
    /// Name of the call, such as `UpdateAlias`.
    pub event_name: String,
    /// When the call was made, to the second.
    pub at: Timestamp,
    /// The record, JSON as it came.
    pub raw: String,
    /// What was read of it; `None` if it could not be understood.
    pub call: Option<TrailCall>,
}

/// One call of the API.
#[derive(Clone, Debug, PartialEq)]
pub struct TrailCall {
    /// Id of the event, unique in an account.
    pub event_id: String,
    /// Name of the call, such as `UpdateAlias`.
    pub event_name: String,
    /// The service that was called, such as `gamelift.amazonaws.com`.
    pub source: String,
    /// When the call was made, to the second.
    pub at: Timestamp,
    /// Region that was called.
    pub region: Region,
    /// Account that the record belongs to.
    pub account: Option<AccountId>,
    /// Who called.
    pub caller: Caller,
    /// AWS request id.
    pub request_id: Option<String>,
    /// Whether it only read.
    pub read_only: bool,
    /// Error code of a call that AWS refused; such a call changed nothing.
    pub error_code: Option<String>,
    /// The parameters; null when there are none or they were left out.
    pub request: Value,
    /// The answer; null for reads and refused calls.
    pub response: Value,
}

/// Who made a call, and by which way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Caller {
    /// Whom AWS took the caller for.
    pub principal: Principal,
    /// By which way the call came.
    pub via: Via,
    /// The last four characters of the access key id.
    pub access_key_end: Option<String>,
    /// Address the call came from, or the name of an AWS service.
    pub source_ip: Option<String>,
    /// User agent.
    pub user_agent: Option<String>,
}

/// Whom AWS takes a caller for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Principal {
    /// An IAM user.
    User {
        /// Name of the user.
        name: String,
    },
    /// A session of an IAM role. For a role of IAM Identity Center the session is named after the person.
    Role {
        /// Name of the role.
        role: String,
        /// Name of the session.
        session: Option<String>,
        /// ARN of the role that issued the session.
        issuer: Option<String>,
    },
    /// A user of IAM Identity Center who acts without a role.
    IdentityCenter {
        /// Id in the identity store.
        user_id: String,
    },
    /// The root user of the account.
    Root,
    /// An AWS service.
    Service {
        /// Its name, such as `autoscaling.amazonaws.com`.
        name: String,
    },
    /// Another form of identity, as CloudTrail spells it.
    Other {
        /// The type, such as `FederatedUser`.
        of: String,
        /// A name or ARN, if there is one.
        name: Option<String>,
    },
}

/// By which way a call came.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(tag = "kind", content = "name", rename_all = "camelCase")]
pub enum Via {
    /// The AWS Management Console.
    Console,
    /// The AWS command line.
    CommandLine,
    /// Another AWS service on behalf of the caller, such as `cloudformation.amazonaws.com`.
    Service(String),
    /// A program, by its user agent's first word, such as `aws-sdk-go-v2/1.39.6`.
    Program(String),
    /// Nothing says how.
    Unknown,
}

impl Principal {
    /// The shortest text that still says who it is: a user's name, a person's session of IAM Identity Center, or a
    /// role.
    pub fn label(&self) -> &str {
        match self {
            Self::User { name } | Self::Service { name } => name,
            Self::Role { role, session: Some(session), .. } if role.starts_with("AWSReservedSSO_") => session,
            Self::Role { role, .. } => role,
            Self::IdentityCenter { user_id } => user_id,
            Self::Root => "root",
            Self::Other { of, name } => name.as_deref().unwrap_or(of),
        }
    }
}

impl TrailRecord {
    /// Reads a record that carries all it needs, as EventBridge delivers it.
    ///
    /// # Errors
    /// When it cannot be understood.
    pub fn read(raw: String) -> Result<Self, TrailMisfit> {
        let call = TrailCall::read(&raw)?;
        Ok(Self {
            event_id: call.event_id.clone(),
            event_name: call.event_name.clone(),
            at: call.at,
            raw,
            call: Some(call),
        })
    }

    /// Reads a record of which the essential members are known besides, as `LookupEvents` returns it. A text that
    /// cannot be understood is kept.
    pub fn listed(event_id: String, event_name: String, at: Timestamp, raw: String) -> Self {
        let call = TrailCall::read(&raw).ok().filter(|call| call.event_id == event_id);
        Self { event_id, event_name, at, raw, call }
    }
}

impl TrailCall {
    /// Whether it changed something: it was no read, and AWS did not refuse it.
    pub const fn took_effect(&self) -> bool {
        !self.read_only && self.error_code.is_none()
    }

    /// A text or number of the parameters, as text.
    pub fn parameter(&self, name: &str) -> Option<String> {
        plain(self.request.get(name)?)
    }

    /// Whether the parameters or the answer name this resource under one of `members`: by id, by name or by ARN. The
    /// answer names it in itself or one level below.
    pub fn names(&self, members: &[&str], id: &str) -> bool {
        let is_it = |value: &Value| value.as_str().is_some_and(|text| text == id || arn::id_of(text) == id);
        let in_object = |object: &Value| members.iter().any(|member| object.get(member).is_some_and(is_it));
        let nested =
            |object: &Value| object.as_object().is_some_and(|members| members.values().any(in_object));
        in_object(&self.request) || in_object(&self.response) || nested(&self.response)
    }
}

/// A text, number or flag as text.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests;

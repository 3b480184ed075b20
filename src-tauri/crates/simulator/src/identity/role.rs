//! Roles and MFA devices, as the options name them.

use serde::{Deserialize, Deserializer};

/// The shortest and the longest maximum duration of a role's sessions, in seconds (IAM API reference, CreateRole).
const SESSION_S: (u32, u32) = (3_600, 43_200);

/// A role of the world's account, which `AssumeRole` gives temporary credentials for.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Role {
    /// The path in the role's ARN, which begins and ends with a slash.
    pub path: String,
    /// Who may assume it: access key ids, names of users or roles, or ARNs of those; `*` stands for any text. If it
    /// is empty, everybody of the account may.
    pub trusted: Vec<String>,
    /// The `ExternalId` a caller has to give, if the role requires one.
    pub external_id: Option<String>,
    /// Whether a caller has to be authenticated with MFA.
    pub mfa: bool,
    /// The longest session, in seconds: 3600 to 43200.
    #[serde(deserialize_with = "session_s")]
    pub max_session_s: u32,
    /// Actions refused to the role's sessions, written as in [`Credentials::denied`](super::Credentials::denied).
    pub denied: Vec<String>,
}

impl Default for Role {
    fn default() -> Role {
        Role {
            path: "/".to_owned(),
            trusted: Vec::new(),
            external_id: None,
            mfa: false,
            max_session_s: SESSION_S.0,
            denied: Vec::new(),
        }
    }
}

fn session_s<'a, D: Deserializer<'a>>(deserializer: D) -> Result<u32, D::Error> {
    let given = u32::deserialize(deserializer)?;
    let (least, most) = SESSION_S;
    if (least..=most).contains(&given) {
        return Ok(given);
    }
    Err(serde::de::Error::custom(format!("max_session_s {given} is not in {least} to {most}")))
}

/// An MFA device of a user.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MfaDevice {
    /// The serial number: for a virtual device its ARN, such as `arn:aws:iam::111122223333:mfa/ada`.
    pub serial: String,
    /// The code of six digits that it shows. It is always the same and can be used again, unlike a real one.
    pub code: String,
}

impl Role {
    /// The ARN of the role with that name in an account.
    pub(crate) fn arn(&self, account: &str, name: &str) -> String {
        format!("arn:aws:iam::{account}:role{}{name}", self.path)
    }
}

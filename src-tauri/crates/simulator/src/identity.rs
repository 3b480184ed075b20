//! Who calls: the credential scope of a request, the user or the role behind its access key, and the credentials that
//! are expired, unknown, restricted or of another account.
//!
//! Signatures are not verified; the access key id is trusted, and for temporary credentials the session token.

mod decision;
mod role;
mod scope;
mod sessions;
mod signer;

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

pub(crate) use decision::Decision;
pub use role::{MfaDevice, Role};
pub(crate) use scope::Scope;
pub(crate) use sessions::{Holder, NewSession, Sessions};
pub(crate) use signer::{Signer, Temporary, Who, unique_id};

/// What is wrong with credentials, by access key id, and the roles of the account. Keys that are not named are valid
/// and may do everything.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Credentials {
    /// Keys whose session token has expired.
    pub expired: BTreeSet<String>,
    /// Keys that AWS does not know.
    pub unknown: BTreeSet<String>,
    /// Actions refused to a key, for example `gamelift:DescribeFleet*`; `*` stands for any text. No policy allows
    /// such an action (`implicitDeny`). With a `!` in front, a policy denies it (`explicitDeny`).
    pub denied: BTreeMap<String, Vec<String>>,
    /// Keys of another account than the world's. STS names that account, but the world answers these keys all the
    /// same, so a client that does not ask STS reads and changes another account's resources.
    pub accounts: BTreeMap<String, String>,
    /// The user names behind keys; for a key that is not named, the key itself is the user name.
    pub users: BTreeMap<String, String>,
    /// The roles of the world's account, by name. The sessions of a role that is removed are no longer valid.
    pub roles: BTreeMap<String, Role>,
    /// The MFA device of the user behind a key.
    pub mfa: BTreeMap<String, MfaDevice>,
}

impl Credentials {
    /// The actions refused to a user or role.
    pub(crate) fn denied_to(&self, who: &Who) -> &[String] {
        let denied = match who {
            Who::User { key, .. } => self.denied.get(key),
            Who::Role { name, .. } => self.roles.get(name).map(|role| &role.denied),
        };
        denied.map(Vec::as_slice).unwrap_or_default()
    }
}

/// Whether text matches a pattern in which `*` stands for any text.
pub(crate) fn glob(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((head, rest)) => text.strip_prefix(head).is_some_and(|tail| {
            tail.char_indices()
                .map(|(at, _)| at)
                .chain([tail.len()])
                .any(|at| tail.get(at..).is_some_and(|tail| glob(rest, tail)))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_text() {
        assert!(glob("gamelift:*", "gamelift:ListFleets"));
        assert!(glob("*Fleet*s", "gamelift:ListFleets"));
        assert!(!glob("gamelift:List", "gamelift:ListFleets"));
    }
}

//! Who signed a request: a user, by a long-term key or by temporary credentials, or a session of a role.

use std::time::Instant;

use super::{Credentials, Decision, Holder, Scope, Sessions};
use crate::notification::identifier;
use crate::service::{Service, ServiceError};

/// A user or a role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Who {
    /// A user.
    User {
        /// The user's long-term access key id.
        key: String,
        /// The user's name.
        name: String,
    },
    /// A session of a role.
    Role {
        /// The role's name.
        name: String,
        /// The role's path.
        path: String,
        /// The name of the session.
        session: String,
    },
}

/// What is known of temporary credentials.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Temporary {
    /// When they were given out, in milliseconds of virtual time since the epoch.
    pub(crate) since_ms: i64,
    /// Whether their holder was authenticated with MFA.
    pub(crate) mfa: bool,
}

/// The one who signed a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Signer {
    /// The access key id.
    pub(crate) access_key_id: String,
    /// The account.
    pub(crate) account: String,
    /// The user or role.
    pub(crate) who: Who,
    /// Set if the credentials are temporary.
    pub(crate) temporary: Option<Temporary>,
}

impl Signer {
    /// Finds who signed a request to a world of the account `world`. Refuses a key that is unknown, whose token is
    /// not its own, or whose token has expired, with the service's own error.
    pub(crate) fn find(
        scope: &Scope,
        token: Option<&str>,
        credentials: &Credentials,
        (sessions, now): (&Sessions, Instant),
        service: Service,
        world: &str,
    ) -> Result<Signer, ServiceError> {
        let access_key_id = scope.access_key_id.as_str();
        let query = service.is_query();
        let unknown = || {
            let code = if query { "InvalidClientTokenId" } else { "UnrecognizedClientException" };
            let message = "The security token included in the request is invalid.";
            ServiceError::new(code, message).with_status(403)
        };
        let session = sessions.find(access_key_id);
        // A key of this form is of temporary credentials, which only STS gives out.
        let lost = access_key_id.starts_with("ASIA") && session.is_none();
        if lost || credentials.unknown.contains(access_key_id) {
            return Err(unknown());
        }
        if session.as_ref().is_some_and(|session| token != Some(session.token.as_str())) {
            return Err(unknown());
        }
        let over = session.as_ref().is_some_and(|session| now >= session.until);
        if over || credentials.expired.contains(access_key_id) {
            let code = if query { "ExpiredToken" } else { "ExpiredTokenException" };
            let message = "The security token included in the request is expired";
            return Err(ServiceError::new(code, message).with_status(403));
        }
        let holder = match &session {
            Some(session) => session.given.holder.clone(),
            None => Holder::Key(access_key_id.to_owned()),
        };
        let (who, account) = match holder {
            Holder::Key(key) => {
                let name = credentials.users.get(&key).unwrap_or(&key).clone();
                let account = credentials.accounts.get(&key).map_or(world, String::as_str);
                (Who::User { key, name }, account)
            }
            Holder::Role { name, session } => {
                let path = credentials.roles.get(&name).ok_or_else(unknown)?.path.clone();
                (Who::Role { name, path, session }, world)
            }
        };
        Ok(Signer {
            access_key_id: access_key_id.to_owned(),
            account: account.to_owned(),
            who,
            temporary: session
                .map(|session| Temporary { since_ms: session.given.since_ms, mfa: session.given.mfa }),
        })
    }

    /// The ARN of the user or of the role's session.
    pub(crate) fn arn(&self) -> String {
        let account = &self.account;
        match &self.who {
            Who::User { name, .. } => format!("arn:aws:iam::{account}:user/{name}"),
            Who::Role { name, session, .. } => {
                format!("arn:aws:sts::{account}:assumed-role/{name}/{session}")
            }
        }
    }

    /// The unique id of the user, or that of the role with the name of the session.
    pub(crate) fn id(&self) -> String {
        match &self.who {
            // A user id has the form of an access key id, with a prefix of its own.
            Who::User { key, .. } => format!("AIDA{}", key.strip_prefix("AKIA").unwrap_or(key)),
            Who::Role { name, session, .. } => format!("{}:{session}", unique_id("AROA", name)),
        }
    }

    /// The name of the user or of the role's session.
    pub(crate) fn name(&self) -> &str {
        match &self.who {
            Who::User { name, .. } => name,
            Who::Role { session, .. } => session,
        }
    }

    /// Refuses an action that is denied to the user or role.
    pub(crate) fn authorize(
        &self,
        credentials: &Credentials,
        service: Service,
        action: &str,
        resource: &str,
    ) -> Result<(), ServiceError> {
        match Decision::about(action, credentials.denied_to(&self.who)) {
            Decision::Allowed => Ok(()),
            refused => Err(ServiceError::access_denied(service, &self.arn(), action, resource, refused)),
        }
    }
}

/// A unique id of IAM: a prefix that tells what it is of, and 17 letters and digits that depend only on the name.
pub(crate) fn unique_id(prefix: &str, name: &str) -> String {
    let letters = identifier(name, "unique id").replace('-', "").to_ascii_uppercase();
    format!("{prefix}{}", letters.get(..17).unwrap_or_default())
}

#[cfg(test)]
mod tests;

//! The one error every command rejects with.

use serde::{Deserialize, Serialize};
use specta::Type;

/// What the window may branch on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum ErrorKind {
    InvalidInput,
    NotFound,
    Unreachable,
    Credentials,
    Denied,
    Throttled,
    Service,
    Store,
    StoreFull,
    StoreReadOnly,
    StoreNewer,
    StoreBusy,
    Refused,
    Internal,
}

/// What failed, on which resource, AWS's code and request id, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type, thiserror::Error)]
#[serde(rename_all = "camelCase")]
#[error("{message}")]
pub(crate) struct AppError {
    pub(crate) kind: ErrorKind,
    pub(crate) message: String,
    pub(crate) resource: Option<String>,
    pub(crate) aws_code: Option<String>,
    pub(crate) request_id: Option<String>,
    pub(crate) retryable: bool,
    pub(crate) remedy: Option<String>,
}

impl AppError {
    /// An error without a resource or a remedy.
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            resource: None,
            aws_code: None,
            request_id: None,
            retryable: false,
            remedy: None,
        }
    }

    /// The same error about `resource`.
    #[must_use]
    pub(crate) fn about(mut self, resource: impl Into<String>) -> Self {
        self.resource = Some(resource.into());
        self
    }

    /// The same error with what to do about it.
    #[must_use]
    pub(crate) fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }

    /// A resource that is not in the database.
    pub(crate) fn not_found(what: &str, id: &str) -> Self {
        Self::new(ErrorKind::NotFound, format!("There is no {what} {id} in what was collected."))
            .about(id)
            .remedy("Check the id and the connection. What GameLift has deleted or never listed is not here.")
    }

    /// Nothing is open.
    pub(crate) fn no_connection() -> Self {
        Self::new(ErrorKind::Refused, "No connection is open.")
            .remedy("Open a connection or the built-in demo.")
    }
}

//! Why the world refuses a request. The wire layer maps each kind to an error of the service.

use std::fmt;

/// A request that was not carried out, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The kind of error.
    pub kind: RefusalKind,
    /// What is wrong, for people.
    pub message: String,
}

/// The kinds of refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// Something that the request names does not exist.
    NotFound,
    /// The request breaks a rule of the service.
    Invalid,
    /// The fleet or its location is not ACTIVE.
    FleetStatus,
    /// The status of the game session forbids it.
    SessionStatus,
    /// The compute has not been validated yet.
    NotReady,
    /// No server process is free.
    NoCapacity,
    /// No player slot is free.
    Full,
    /// A quota or a policy allows no more.
    Limit,
    /// The same token was used with other parameters.
    TokenMismatch,
}

impl Refusal {
    pub(crate) fn new(kind: RefusalKind, message: impl fmt::Display) -> Refusal {
        Refusal { kind, message: message.to_string() }
    }

    pub(crate) fn invalid(message: impl fmt::Display) -> Refusal {
        Refusal::new(RefusalKind::Invalid, message)
    }

    pub(crate) fn not_found(what: &str, name: &str) -> Refusal {
        Refusal::new(RefusalKind::NotFound, format_args!("{what} {name} was not found."))
    }
}

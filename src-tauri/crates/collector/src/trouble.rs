//! A failed poll, reduced to what determines the next step and the message to a person.

use liftdeck_gateway::{ErrorKind, GatewayError};
use liftdeck_model::Region;
use liftdeck_model::observation::PollKind;
use liftdeck_model::watch::in_words;
use liftdeck_store::StoreError;
use tokio::task::JoinError;

/// Where a failure lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// Between us and AWS.
    Aws(ErrorKind),
    /// In the local database.
    Store,
    /// In the program itself: a poll panicked.
    Program,
}

/// Why a poll failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub(crate) struct Trouble {
    /// Where it lies.
    pub(crate) cause: Cause,
    /// A sentence with operation, resource, code and request id.
    pub(crate) message: String,
    /// What to do about it, when there is something to do.
    pub(crate) remedy: Option<String>,
    /// Whether no call was made because the account is not proven. Such a failure is no finding about the account,
    /// and nothing is recorded.
    pub(crate) unproven: bool,
}

impl Trouble {
    /// Describes a poll that panicked: its kind is not read, but the others are.
    pub(crate) fn of_panic(region: &Region, kind: PollKind, error: JoinError) -> Self {
        let why = error.try_into_panic().map_or_else(|error| error.to_string(), in_words);
        Self {
            cause: Cause::Program,
            message: format!(
                "Reading {kind:?} in {region} failed in Liftdeck itself: {why}. It will be tried again."
            ),
            remedy: Some("Please report this and attach today's log.".to_owned()),
            unproven: false,
        }
    }

    /// Whether the resource asked for does not exist.
    pub(crate) fn is_not_found(&self) -> bool {
        self.cause == Cause::Aws(ErrorKind::NotFound)
    }
}

impl From<GatewayError> for Trouble {
    fn from(error: GatewayError) -> Self {
        Self {
            cause: Cause::Aws(error.kind),
            message: error.to_string(),
            remedy: error.remedy(),
            unproven: error.is_unproven(),
        }
    }
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        // The message of a store error already says what to do.
        Self { cause: Cause::Store, message: error.to_string(), remedy: None, unproven: false }
    }
}

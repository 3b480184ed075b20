//! Why the guard did not do what was asked, in words for the person who has to act.
//!
//! Owns the error type of this crate. Deliberately does not repeat what the gateway and the store say of theirs.

use liftdeck_gateway::GatewayError;
use liftdeck_model::action::FieldError;
use liftdeck_model::activity::FactChange;
use liftdeck_store::StoreError;

use crate::fact::Preview;
use crate::words;

/// A refusal or a failure. Nothing was sent, unless an activity says otherwise.
#[derive(Debug, thiserror::Error)]
pub enum OperationError {
    /// No operator has unlocked the connection, or the time is over.
    #[error("The connection is read-only. Unlock it for a while to make changes.")]
    ReadOnly,
    /// AWS would refuse the form alone: the item's index and its field.
    #[error("{}", invalid(.0))]
    Invalid(Vec<(usize, FieldError)>),
    /// The confirmation lacks the text that must be typed, or it is another one.
    #[error("Type `{must_type}` to confirm.")]
    NotTyped {
        /// The text, exactly.
        must_type: String,
    },
    /// The world is not as previewed any more. Confirm the new preview, if it is still what you want.
    #[error("{}", moved(.what))]
    Moved {
        /// What moved: as previewed, as it is now.
        what: Vec<FactChange>,
        /// The preview of now.
        preview: Box<Preview>,
    },
    /// The preview is too old or was used already.
    #[error(
        "This preview is no longer valid: it is too old, or was confirmed already. Preview the change again."
    )]
    Expired,
    /// There is nothing of this id.
    #[error("There is no {what} {id} in this connection's records.")]
    Unknown {
        /// Kind of thing, in lower case.
        what: &'static str,
        /// Its id.
        id: String,
    },
    /// The guard's own no: a sentence with what to do instead.
    #[error("{0}")]
    Refused(String),
    /// AWS could not be asked, or refused.
    #[error("{}", of_gateway(.0))]
    Gateway(#[from] GatewayError),
    /// The database could not be read or written; nothing is sent that cannot be recorded.
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn invalid(errors: &[(usize, FieldError)]) -> String {
    let one = |(item, error): &(usize, FieldError)| match item {
        0 => format!("{}: {}", error.field, error.message),
        _ => format!("item {}, {}: {}", item + 1, error.field, error.message),
    };
    format!("Nothing was sent. {}", errors.iter().map(one).collect::<Vec<_>>().join(" "))
}

fn moved(what: &[FactChange]) -> String {
    let what: Vec<String> = what.iter().map(words::moved).collect();
    format!("Nothing was sent: it has changed since the preview. {}", what.join(" "))
}

fn of_gateway(error: &GatewayError) -> String {
    match error.remedy() {
        Some(remedy) => format!("{error}. {remedy}"),
        None => format!("{error}."),
    }
}

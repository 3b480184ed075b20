//! Why the guard did not do what was asked, in words for the person who has to act.
//!
//! Owns the error type of this crate. Deliberately does not reword the errors of the gateway and the store.

use liftdeck_gateway::GatewayError;
use liftdeck_model::action::FieldError;
use liftdeck_model::activity::FactChange;
use liftdeck_store::StoreError;

use crate::fact::Preview;
use crate::words;

/// A refusal or a failure. Nothing was sent, unless an activity says otherwise.
#[derive(Debug, thiserror::Error)]
pub enum OperationError {
    /// Nobody has unlocked the connection, or the unlocked time is over.
    #[error("The connection is read-only. Unlock it for a while to make changes.")]
    ReadOnly,
    /// AWS would refuse the form of the input: each item's index with its field error.
    #[error("{}", invalid(.0))]
    Invalid(Vec<(usize, FieldError)>),
    /// The text to type for the confirmation is missing or wrong.
    #[error("Type `{must_type}` to confirm.")]
    NotTyped {
        /// The text, exactly.
        must_type: String,
    },
    /// The state on AWS has changed since the preview. Confirm the new preview if it is still what you want.
    #[error("{}", moved(.what))]
    Moved {
        /// What changed: the previewed value and the current one.
        what: Vec<FactChange>,
        /// The new preview.
        preview: Box<Preview>,
    },
    /// The preview is too old or was already used.
    #[error(
        "This preview is no longer valid: it is too old, or was confirmed already. Preview the change again."
    )]
    Expired,
    /// Nothing has this id.
    #[error("There is no {what} {id} in this connection's records.")]
    Unknown {
        /// Kind of thing, in lower case.
        what: &'static str,
        /// Its id.
        id: String,
    },
    /// The guard refused. The sentence says what to do instead.
    #[error("{0}")]
    Refused(String),
    /// A call to AWS failed or was refused.
    #[error("{}", of_gateway(.0))]
    Gateway(#[from] GatewayError),
    /// The database could not be read or written. Nothing is sent that cannot be recorded.
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
    format!("Nothing was sent: the state on AWS has changed since the preview. {}", what.join(" "))
}

fn of_gateway(error: &GatewayError) -> String {
    match error.remedy() {
        Some(remedy) => format!("{error}. {remedy}"),
        None => format!("{error}."),
    }
}

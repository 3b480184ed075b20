//! Confirming a change, and checking that one has the form AWS requires.

use liftdeck_model::action::FieldError;
use liftdeck_model::activity::{ActivityId, FactChange, RunId};
use liftdeck_operations::{self as operations, LeftOut, Preview};
use serde::Serialize;
use specta::Type;

/// What a confirmation started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    pub run_id: Option<RunId>,
    pub activity_ids: Vec<ActivityId>,
    /// The single change, if it was not sent because its resource had already ended; null otherwise.
    pub left_out: Option<LeftOut>,
}

/// The answer to a confirmation.
#[derive(Clone, Debug, PartialEq, Serialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Confirmed {
    /// It was recorded and sent.
    Sent { receipt: Receipt },
    /// Nothing was sent, because something changed since the preview. Contains a new preview.
    Moved { what: Vec<FactChange>, preview: Box<Preview> },
}

/// Whether a change has the form the service requires, and the equivalent AWS CLI command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub struct ActionCheck {
    pub errors: Vec<FieldError>,
    pub command: String,
}

impl From<operations::Receipt> for Receipt {
    fn from(receipt: operations::Receipt) -> Self {
        Self {
            run_id: receipt.run,
            activity_ids: receipt.activities.into_iter().map(|activity| activity.id).collect(),
            left_out: receipt.left_out,
        }
    }
}

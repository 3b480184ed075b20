//! Confirming a change, and whether one has the form AWS asks for.

use liftdeck_model::action::FieldError;
use liftdeck_model::activity::{ActivityId, FactChange, RunId};
use liftdeck_operations::{self as operations, LeftOut, Preview};
use serde::Serialize;
use specta::Type;

/// What confirming set off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    pub run_id: Option<RunId>,
    pub activity_ids: Vec<ActivityId>,
    /// The one change, when it was not sent because what it was about had ended by itself; null otherwise.
    pub left_out: Option<LeftOut>,
}

/// The answer to a confirmation.
#[derive(Clone, Debug, PartialEq, Serialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Confirmed {
    /// It was recorded and sent.
    Sent { receipt: Receipt },
    /// Nothing was sent: the world moved since the preview. This is the new one.
    Moved { what: Vec<FactChange>, preview: Box<Preview> },
}

/// Whether a change has the form the service asks for, and the same as a command of the AWS CLI.
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

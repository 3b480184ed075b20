//! What an operator wants, before anything has been looked at.
//!
//! Owns the four kinds of intent. Deliberately knows neither the current state nor the consequences: the preview
//! does.

use liftdeck_model::action::Action;
use liftdeck_model::activity::{ActivityId, RunId};
use liftdeck_model::{FleetId, Region};
use serde::{Deserialize, Serialize};
use specta::Type;

/// What is to be previewed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", content = "of", rename_all = "camelCase")]
pub enum Intent {
    /// These changes. More than one becomes a run.
    Actions(Vec<Action>),
    /// Back to the state before an earlier change.
    Undo(ActivityId),
    /// The orderly end of everything on a fleet.
    Drain(DrainPlan),
    /// The rest of a paused run.
    Resume(RunId),
}

impl Intent {
    /// Whether carrying it out has no foreseeable end: it goes on until it is paused, or until a fleet is empty.
    pub const fn is_open_ended(&self) -> bool {
        matches!(self, Self::Drain(_) | Self::Resume(_))
    }
}

/// How a fleet is drained: the steps, in the order of the fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DrainPlan {
    /// Home Region of the fleet.
    pub region: Region,
    /// Fleet.
    pub fleet_id: FleetId,
    /// The UpdateAlias and UpdateGameSessionQueue changes that send new sessions elsewhere.
    pub routes: Vec<Action>,
    /// Whether new and live sessions are protected from scale-in until they end by themselves.
    pub protect: bool,
    /// Whether scaling is suspended, so that no policy works against the drain.
    pub suspend_scaling: bool,
    /// Whether every location is set to no instances once it is empty.
    pub scale_to_zero: bool,
}

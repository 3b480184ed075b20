//! What a run is to do, as it is kept: written before the first change is sent, and read again after a restart.

use liftdeck_model::action::Action;
use liftdeck_model::{FleetId, Region};
use serde::{Deserialize, Serialize};

use super::drain::step::DrainState;
use super::item::Item;
use super::progress::Progress;
use crate::intent::DrainPlan;

/// All changes of a run. A drain adds some of them on its way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Plan {
    pub(crate) items: Vec<Item>,
    pub(crate) drain: Option<SavedDrain>,
}

/// A drain as it is kept, under these field names even if the screens rename them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct SavedDrain(#[serde(with = "Form")] pub(crate) DrainPlan);

#[derive(Serialize, Deserialize)]
#[serde(remote = "DrainPlan")]
struct Form {
    region: Region,
    fleet_id: FleetId,
    routes: Vec<Action>,
    protect: bool,
    suspend_scaling: bool,
    scale_to_zero: bool,
}

/// The progress of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) progress: Progress,
    pub(crate) drain: Option<DrainState>,
}

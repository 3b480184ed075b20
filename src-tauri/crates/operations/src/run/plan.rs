//! What a run is to do, as it is kept: written before the first change is sent, read again after a restart.

use liftdeck_model::FleetId;
use liftdeck_model::action::Action;
use liftdeck_model::activity::{ActivityId, FactChange, RunId};
use serde::{Deserialize, Serialize};

use crate::drain::DrainState;
use crate::intent::DrainPlan;
use crate::run::progress::Progress;
use crate::send::Planned;

/// One change of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Item {
    pub(crate) action: Action,
    pub(crate) name: Option<String>,
    pub(crate) fleet_id: Option<FleetId>,
    pub(crate) facts: Vec<FactChange>,
    pub(crate) undo: Vec<Action>,
    pub(crate) undo_of: Option<ActivityId>,
}

/// All changes of a run; a drain learns some of them on its way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Plan {
    pub(crate) items: Vec<Item>,
    pub(crate) drain: Option<DrainPlan>,
}

/// How far a run is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) progress: Progress,
    pub(crate) drain: Option<DrainState>,
}

impl Item {
    /// As it is sent, in its place of the run.
    pub(crate) fn planned(&self, run: &RunId, item: u32) -> Planned {
        let it = self.clone();
        Planned {
            action: it.action,
            name: it.name,
            fleet_id: it.fleet_id,
            facts: it.facts,
            undo: it.undo,
            undo_of: it.undo_of,
            run: Some((run.clone(), item)),
        }
    }
}

impl From<Planned> for Item {
    fn from(it: Planned) -> Self {
        Self {
            action: it.action,
            name: it.name,
            fleet_id: it.fleet_id,
            facts: it.facts,
            undo: it.undo,
            undo_of: it.undo_of,
        }
    }
}

//! One change of a run, as it is kept and as it is sent.

use liftdeck_model::action::Action;
use liftdeck_model::activity::{ActivityId, FactChange, RunId};
use liftdeck_model::{FleetId, Timestamp};
use serde::{Deserialize, Serialize};

use crate::preview::draft::Draft;
use crate::send::attempt::Planned;

/// One change of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Item {
    pub(crate) action: Action,
    pub(crate) name: Option<String>,
    pub(crate) fleet_id: Option<FleetId>,
    pub(crate) facts: Vec<FactChange>,
    pub(crate) undo: Vec<Action>,
    pub(crate) undo_of: Option<ActivityId>,
    /// What it depends on, who it affects, and when that was looked at. Absent if an earlier version wrote it.
    #[serde(default)]
    pub(crate) seen: Option<Seen>,
}

/// What was last seen for a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Seen {
    pub(crate) at: Timestamp,
    /// As label and value.
    pub(crate) ground: Vec<(String, Option<String>)>,
    pub(crate) game_sessions: u64,
    pub(crate) player_sessions: u64,
}

impl Item {
    /// A change that affects nobody and undoes nothing, for tests.
    #[cfg(test)]
    pub(crate) const fn bare(action: Action) -> Self {
        Self {
            action,
            name: None,
            fleet_id: None,
            facts: Vec::new(),
            undo: Vec::new(),
            undo_of: None,
            seen: None,
        }
    }

    /// Returns the change to send, with its place in the run.
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

    /// Makes a change from its draft.
    pub(crate) fn of(draft: Draft, at: Timestamp, undo_of: Option<ActivityId>) -> Self {
        let seen = Seen {
            at,
            ground: draft.ground,
            game_sessions: draft.hit.game_sessions,
            player_sessions: draft.hit.player_sessions,
        };
        Self {
            action: draft.action,
            name: draft.name,
            fleet_id: draft.fleet_id,
            facts: draft.facts,
            undo: draft.undo,
            undo_of,
            seen: Some(seen),
        }
    }
}

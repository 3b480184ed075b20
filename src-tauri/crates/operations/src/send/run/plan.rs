//! What a run is to do, as it is kept: written before the first change is sent, and read again after a restart.

use std::collections::BTreeSet;

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

impl Plan {
    /// The Regions of all its changes, those not sent yet included.
    pub(crate) fn regions(&self) -> Vec<Region> {
        let drain = self.drain.iter().flat_map(|SavedDrain(plan)| {
            std::iter::once(&plan.region).chain(plan.routes.iter().map(|route| &route.region))
        });
        let all: BTreeSet<&Region> = self.items.iter().map(|item| &item.action.region).chain(drain).collect();
        all.into_iter().cloned().collect()
    }
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

#[cfg(test)]
mod tests {
    use liftdeck_model::action::{DeleteAlias, Request};

    use super::*;

    #[test]
    fn a_plan_names_the_regions_of_what_is_not_sent_yet_and_of_a_drain() {
        let delete = |region: &str| Action {
            region: Region::from(region),
            request: Request::DeleteAlias(DeleteAlias { alias_id: "alias-1".into() }),
        };
        let item = |region: &str| Item::bare(delete(region));
        let drain = SavedDrain(DrainPlan {
            region: Region::from("eu-west-1"),
            fleet_id: FleetId::from("fleet-1"),
            routes: vec![delete("ap-south-1")],
            protect: false,
            suspend_scaling: false,
            scale_to_zero: false,
        });
        let bulk = Plan { items: vec![item("us-east-1"), item("eu-west-1"), item("us-east-1")], drain: None };
        assert_eq!(bulk.regions(), ["eu-west-1", "us-east-1"].map(Region::from));
        let drained = Plan { items: Vec::new(), drain: Some(drain) };
        assert_eq!(drained.regions(), ["ap-south-1", "eu-west-1"].map(Region::from));
    }
}

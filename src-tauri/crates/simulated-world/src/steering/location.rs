//! Adding locations to a fleet and removing them.

use super::super::World;
use super::super::engine::Transition;
use super::super::fleet::Site;
use super::super::records::{EventCode, FleetStatus};
use super::{FleetKey, Step};

/// The states of a new location: seconds after the previous one, state, event.
const STATES: [(i64, FleetStatus, EventCode); 3] = [
    (0, FleetStatus::New, EventCode::LocationStatePending),
    (70, FleetStatus::Activating, EventCode::LocationStateActivating),
    (165, FleetStatus::Active, EventCode::LocationStateActive),
];

/// How long the removal of a location takes.
const REMOVAL_MS: i64 = 90_000;

impl World {
    /// Adds locations to a fleet, each with the capacity of a new one: 0, 1 and 1 (H5). They start as NEW.
    pub fn add_locations(&mut self, fleet: FleetKey, locations: &[String]) {
        let FleetKey(fleet) = fleet;
        for location in locations {
            let owner = &mut self.fleets[fleet];
            let site = owner.sites.len();
            owner.sites.push(Site {
                state: Some(FleetStatus::New),
                ..Site::new(location, 0, 1, 1, owner.policies.len())
            });
            self.location_step(fleet, site, 0);
        }
    }

    pub(super) fn location_step(&mut self, fleet: usize, site: usize, place: usize) {
        let left = self.fleets[fleet].sites[site].state == Some(FleetStatus::Deleting);
        let Some((_, state, code)) = STATES.get(place).filter(|_| !left) else { return };
        self.fleets[fleet].sites[site].state = Some(*state);
        self.location_event(fleet, site, *code, state.as_str());
        match STATES.get(place + 1) {
            Some((after_s, ..)) => self.note_step(after_s * 1_000, Step::Location(fleet, site, place + 1)),
            None => self.agenda.note(self.now_ms, Transition::CapacityShows(fleet, site)),
        }
    }

    /// Begins to remove locations from a fleet. Their instances end at once, with every session on them, protected or
    /// not.
    pub fn remove_locations(&mut self, fleet: FleetKey, locations: &[String]) {
        let FleetKey(fleet) = fleet;
        for location in locations {
            let Some((site, _)) = self.fleets[fleet].site(location) else { continue };
            let place = &mut self.fleets[fleet].sites[site];
            place.state = Some(FleetStatus::Deleting);
            let machines: Vec<u32> = place.machines.iter().map(|machine| machine.number).collect();
            self.location_event(
                fleet,
                site,
                EventCode::LocationStateDeleting,
                FleetStatus::Deleting.as_str(),
            );
            self.remove_machines(fleet, site, &machines);
            self.note_step(REMOVAL_MS, Step::LocationGone(fleet, site));
        }
    }

    pub(super) fn location_gone(&mut self, fleet: usize, site: usize) {
        self.location_event(fleet, site, EventCode::LocationStateDeleted, "DELETED");
        let place = &mut self.fleets[fleet].sites[site];
        place.gone = true;
        place.state = Some(FleetStatus::Terminated);
        place.machines.clear();
    }
}

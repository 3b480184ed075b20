//! The deletion of a fleet: DELETING, then TERMINATED, then gone with all its sessions.

use super::super::World;
use super::super::records::{EventCode, FleetStatus};
use super::{FleetKey, Step};

/// How long a fleet is DELETING.
const DELETION_MS: i64 = 75_000;

/// How long a TERMINATED fleet is still shown (the service documents no period).
const SHOWN_MS: i64 = 10 * 60_000;

impl World {
    /// Begins to delete a fleet.
    pub fn delete_fleet(&mut self, fleet: FleetKey) {
        let FleetKey(fleet) = fleet;
        for site in 0..self.fleets[fleet].sites.len() {
            let place = &mut self.fleets[fleet].sites[site];
            place.state = Some(FleetStatus::Deleting);
            let machines: Vec<u32> = place.machines.iter().map(|machine| machine.number).collect();
            self.remove_machines(fleet, site, &machines);
        }
        self.note_step(DELETION_MS, Step::FleetTerminated(fleet));
    }

    pub(super) fn fleet_terminated(&mut self, fleet: usize) {
        let now_ms = self.now_ms;
        let owner = &mut self.fleets[fleet];
        (owner.terminated_ms, owner.gone_ms) = (now_ms, now_ms + SHOWN_MS);
        for site in &mut owner.sites {
            site.state = Some(FleetStatus::Terminated);
            site.machines.clear();
        }
        owner.live.clear();
        for number in std::mem::take(&mut owner.sessions) {
            if let Some(session) = self.sessions.get_mut(number as usize) {
                *session = None;
            }
        }
        let (region, arn, id) = (owner.region, owner.arn.clone(), owner.id.clone());
        self.regions[region].tags.remove(&arn);
        self.fleet_event(fleet, EventCode::FleetDeleted, format!("Fleet {id} was deleted."));
    }
}

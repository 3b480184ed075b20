//! Capacity and utilization: the home location of all fleets in one call, each remote location in a call of its own
//! (AWS: the fleet-wide calls answer for the home Region only).
//!
//! An empty fleet id stands for all fleets of the Region.

use std::collections::BTreeSet;

use liftdeck_gateway::Reader as Gateway;
use liftdeck_model::observation::{Observation, PollKind, PollSubject};
use liftdeck_model::{FleetId, Timestamp};

use super::{Poller, Seen};

impl Poller {
    pub(super) async fn capacity(&self, aws: &Gateway, fleet: &FleetId) -> Seen {
        let mut seen = Seen::default();
        let begun = self.now();
        if fleet.as_str().is_empty() {
            let reading = aws.fleet_capacities().await;
            let confirmed = reading.items.iter().map(|item| item.fleet_id.clone()).collect();
            seen.note(reading.failure);
            seen.observations.extend(reading.items.into_iter().map(Observation::FleetCapacity));
            self.confirm_home_only(PollKind::FleetCapacity, &confirmed, begun, &mut seen);
            return seen;
        }
        let locations = self.remote_locations(aws, fleet, &mut seen).await;
        if locations.is_empty() && seen.failure.is_none() && seen.observations.is_empty() {
            return Seen::idle();
        }
        for location in &locations {
            seen.add(aws.fleet_location_capacity(fleet, location).await, Observation::FleetCapacity);
        }
        seen
    }

    pub(super) async fn utilization(&self, aws: &Gateway, fleet: &FleetId) -> Seen {
        let mut seen = Seen::default();
        let begun = self.now();
        if fleet.as_str().is_empty() {
            let reading = aws.fleet_utilizations().await;
            let confirmed = reading.items.iter().map(|item| item.fleet_id.clone()).collect();
            seen.note(reading.failure);
            seen.observations.extend(reading.items.into_iter().map(Observation::FleetUtilization));
            self.confirm_home_only(PollKind::FleetUtilization, &confirmed, begun, &mut seen);
            return seen;
        }
        let locations = self.remote_locations(aws, fleet, &mut seen).await;
        if locations.is_empty() && seen.failure.is_none() && seen.observations.is_empty() {
            return Seen::idle();
        }
        for location in &locations {
            seen.add(aws.fleet_location_utilization(fleet, location).await, Observation::FleetUtilization);
        }
        seen
    }

    /// Records fleets without remote locations in the ledger, because the fleet-wide call confirmed everything about
    /// them. Other fleets are confirmed by their own poll, after their last location.
    fn confirm_home_only(
        &self,
        kind: PollKind,
        confirmed: &BTreeSet<FleetId>,
        begun: Timestamp,
        seen: &mut Seen,
    ) {
        let lines: Vec<Observation> = self
            .fleets
            .lock()
            .iter()
            .filter(|(id, _)| confirmed.contains(*id))
            .filter(|(_, known)| known.locations.as_ref().is_some_and(|locations| locations.len() <= 1))
            .map(|(id, _)| PollSubject { kind, resource: id.as_str().to_owned() })
            .map(|subject| self.ledger_line(&subject, begun, None))
            .collect();
        seen.observations.extend(lines);
    }
}

//! Fleets, their locations, computes, events, policies and configuration.

use std::collections::BTreeSet;

use liftdeck_gateway::{GatewayError, Reader as Gateway};
use liftdeck_model::fleet::{ComputeKind, Fleet};
use liftdeck_model::observation::{Observation, PollKind, PollSubject};
use liftdeck_model::{FleetId, Location};

use super::{KnownFleet, Poller, Seen};
use crate::trouble::Trouble;

/// Events can arrive late, so this much before the newest one is read again.
const EVENT_OVERLAP_MS: i64 = 300_000;

impl Poller {
    pub(super) async fn list_fleets(&self, aws: &Gateway) -> Seen {
        let mut seen = Seen::default();
        seen.list(aws.fleets().await, Observation::Fleets);
        seen
    }

    /// Remembers the Region's fleets, so that polls of a fleet know its kind and locations.
    pub(crate) fn know(&self, fleets: &[Fleet]) {
        let present: BTreeSet<&FleetId> = fleets.iter().map(|fleet| &fleet.fleet_id).collect();
        let mut known = self.fleets.lock();
        known.retain(|id, _| present.contains(id));
        for fleet in fleets {
            known
                .entry(fleet.fleet_id.clone())
                .and_modify(|known| known.kind = fleet.kind)
                .or_insert(KnownFleet { kind: fleet.kind, locations: None });
        }
    }

    pub(super) async fn fleet_locations(&self, aws: &Gateway, fleet: &FleetId) -> Seen {
        let mut seen = Seen::default();
        let reading = aws.fleet_locations(fleet).await;
        if reading.complete
            && let Some(known) = self.fleets.lock().get_mut(fleet)
        {
            known.locations = Some(reading.items.iter().map(|item| item.location.clone()).collect());
        }
        seen.list(reading, |listing| Observation::FleetLocations(fleet.clone(), listing));
        seen
    }

    /// Returns the locations of a fleet. If they have not been listed yet, lists them and adds the result to `seen`.
    pub(super) async fn locations_of(
        &self,
        aws: &Gateway,
        fleet: &FleetId,
        seen: &mut Seen,
    ) -> Vec<Location> {
        if let Some(locations) = self.known(fleet).and_then(|known| known.locations) {
            return locations;
        }
        let listed = self.fleet_locations(aws, fleet).await;
        seen.note(listed.failure);
        let mut locations = Vec::new();
        for observation in &listed.observations {
            if let Observation::FleetLocations(_, listing) = observation {
                locations.extend(listing.items.iter().map(|item| item.location.clone()));
            }
        }
        seen.observations.extend(listed.observations);
        locations
    }

    /// Returns the locations other than the home Region.
    pub(super) async fn remote_locations(
        &self,
        aws: &Gateway,
        fleet: &FleetId,
        seen: &mut Seen,
    ) -> Vec<Location> {
        let mut locations = self.locations_of(aws, fleet, seen).await;
        locations.retain(|location| location.as_str() != self.region.as_str());
        locations
    }

    pub(super) async fn computes(&self, aws: &Gateway, fleet: &FleetId) -> Seen {
        let Some(known) = self.known(fleet) else { return Seen::idle() };
        let mut seen = Seen::default();
        let locations = self.locations_of(aws, fleet, &mut seen).await;
        let mut reading = aws.computes(fleet, known.kind, &locations).await;
        // If a location were missing, its computes would seem to be gone.
        reading.complete &= seen.failure.is_none();
        seen.list(reading, |listing| Observation::Computes(fleet.clone(), listing));
        seen
    }

    pub(super) async fn fleet_events(&self, aws: &Gateway, fleet: &FleetId) -> Result<Seen, Trouble> {
        // Reads from the newest event on, but from no later than the last complete read. Events that an interrupted
        // read left out would otherwise stay missing.
        let subject = PollSubject { kind: PollKind::FleetEvents, resource: fleet.as_str().to_owned() };
        let confirmed = self.store.poll(&self.region, &subject).and_then(|line| line.confirmed_at);
        let newest = self.store.newest_fleet_event(fleet).await?;
        let since =
            newest.zip(confirmed).map(|((at, _), confirmed)| at.min(confirmed).plus_ms(-EVENT_OVERLAP_MS));
        let mut seen = Seen::default();
        seen.list(aws.fleet_events(fleet, since).await, |listing| {
            Observation::FleetEvents(fleet.clone(), listing.items)
        });
        Ok(seen)
    }

    pub(super) async fn scaling_policies(&self, aws: &Gateway, fleet: &FleetId) -> Seen {
        let mut seen = Seen::default();
        seen.list(aws.scaling_policies(fleet).await, |listing| {
            Observation::ScalingPolicies(fleet.clone(), listing)
        });
        seen
    }

    /// Reads runtime configuration and ports of managed EC2 fleets (AWS: only they have them), or deployments of
    /// container fleets.
    pub(super) async fn fleet_configuration(&self, aws: &Gateway, fleet: &FleetId) -> Seen {
        let Some(known) = self.known(fleet) else { return Seen::idle() };
        let mut seen = Seen::default();
        match known.kind {
            ComputeKind::Container => {
                seen.list(aws.fleet_deployments(fleet).await, |listing| {
                    Observation::FleetDeployments(fleet.clone(), listing.items)
                });
            }
            ComputeKind::Ec2OnDemand | ComputeKind::Ec2Spot => {
                let runtime = tolerate_absence(aws.runtime_configuration(fleet).await);
                if let Some(answer) = runtime {
                    seen.add(answer, |found| Observation::RuntimeConfiguration(fleet.clone(), found));
                }
                if let Some(answer) = tolerate_absence(aws.port_settings(fleet, None).await) {
                    seen.add(answer, |found| Observation::PortSettings(fleet.clone(), None, found));
                }
            }
            ComputeKind::Anywhere => return Seen::idle(),
        }
        seen
    }
}

/// Returns `None` if AWS says that the fleet has no such part: Realtime and new fleets may lack one.
fn tolerate_absence<T>(answer: Result<T, GatewayError>) -> Option<Result<T, GatewayError>> {
    match answer {
        Err(failure) if failure.kind == liftdeck_gateway::ErrorKind::NotFound => None,
        answer => Some(answer),
    }
}

//! Changes that operators make to fleets, and the steps in which the slow ones take effect.
//!
//! Owns the effects. Whether a request is allowed is decided before it gets here. What a fleet then does by itself
//! (scaling, starting instances) is in `capacity`.

mod capacity;
mod creation;
mod deletion;
mod deployment;
mod location;
mod policy;
mod script;
mod secret;
mod setting;

pub use capacity::CapacityChange;
pub use creation::{NewContent, NewFleet, NewHosting};
pub use deployment::ContainerChange;
pub use script::ScriptSource;
pub use setting::AttributeChange;

pub use super::scaling::{Law, Policy};

use super::records::{EventCode, GameSessionStatus, ProtectionPolicy};
use super::session::Ending;
use super::{FleetRef, World};

/// Identifies a fleet of the world that is to be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FleetKey(pub(crate) usize);

/// A later step of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A new fleet reaches its next state: fleet, index of the state.
    Creation(usize, usize),
    /// A new location reaches its next state: fleet, site, index of the state.
    Location(usize, usize, usize),
    /// A location has been emptied: fleet, site.
    LocationGone(usize, usize),
    /// A deleted fleet has been emptied.
    FleetTerminated(usize),
    /// The instances of a fleet have read its new runtime configuration.
    Runtime(usize),
    /// A deployment replaces more instances: fleet, number of the deployment.
    Deploy(usize, u16),
}

impl World {
    pub(super) fn step(&mut self, step: Step) {
        match step {
            Step::Creation(fleet, place) => self.creation_step(fleet, place),
            Step::Location(fleet, site, place) => self.location_step(fleet, site, place),
            Step::LocationGone(fleet, site) => self.location_gone(fleet, site),
            Step::FleetTerminated(fleet) => self.fleet_terminated(fleet),
            Step::Runtime(fleet) => self.runtime_read(fleet),
            Step::Deploy(fleet, number) => self.deploy(fleet, number),
        }
    }

    /// Adds the event for a new state of a fleet.
    fn state_event(&mut self, fleet: usize, code: EventCode, state: &str) {
        let message = format!("Fleet {} changed state to {state}", self.fleets[fleet].id);
        self.fleet_event(fleet, code, message);
    }

    /// Adds the event for a new state of a location.
    fn location_event(&mut self, fleet: usize, site: usize, code: EventCode, state: &str) {
        let owner = &self.fleets[fleet];
        let (id, location) = (&owner.id, &owner.sites[site].name);
        let message = format!("Location {location} of fleet {id} changed state to {state}");
        self.fleet_event(fleet, code, message);
    }

    /// Removes instances from a location at once, and ends the sessions on them.
    pub(super) fn remove_machines(&mut self, fleet: usize, site: usize, numbers: &[u32]) {
        let now_ms = self.now_ms;
        let mut ended = Vec::new();
        for machine in &mut self.fleets[fleet].sites[site].machines {
            if numbers.contains(&machine.number) && now_ms < machine.leaving_ms {
                machine.leaving_ms = now_ms;
                machine.gone_ms = now_ms + 60_000 + i64::from(machine.number % 50) * 1_000;
                ended.extend(machine.slots.iter().filter_map(|slot| slot.session));
            }
        }
        for session in ended {
            self.end_early(session, Ending::Removed);
        }
    }

    /// Whether scale-in must not end a session, because it is protected and ACTIVE (H5).
    pub(super) fn is_protected(&self, session: u32) -> bool {
        self.session(session).is_some_and(|session| {
            session.protection == ProtectionPolicy::FullProtection
                && session.status(self.now_ms) == GameSessionStatus::Active
        })
    }
}

impl FleetRef<'_> {
    /// The fleet's key, with which it can be changed.
    pub fn key(&self) -> FleetKey {
        let place = self.world.fleets.iter().position(|fleet| std::ptr::eq(fleet, self.fleet));
        // A `FleetRef` always refers to a fleet of its world.
        FleetKey(place.unwrap_or_default())
    }
}

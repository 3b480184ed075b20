//! Settings of fleets and of what they run: attributes, ports, server processes, builds and computes.

use super::super::World;
use super::super::fleet::{Hosting, Slot};
use super::super::names::mix;
use super::super::records::{
    Build, EventCode, IpPermission, ProtectionPolicy, ResourceCreationLimitPolicy, RuntimeConfiguration,
};
use super::super::session::Ending;
use super::{FleetKey, Step};

/// Approximate interval at which instances ask for a new runtime configuration.
const RUNTIME_MS: i64 = 60_000;

/// How long a change of ports takes to reach every location.
const PORTS_MS: i64 = 45_000;

/// Changes to a fleet's attributes. An absent value stays as it is.
#[derive(Clone, Debug, Default)]
pub struct AttributeChange {
    /// Not necessarily unique.
    pub name: Option<String>,
    /// For people.
    pub description: Option<String>,
    /// For sessions created from now on.
    pub protection: Option<ProtectionPolicy>,
    /// Limit on the game sessions that one creator may create.
    pub creation_limit: Option<ResourceCreationLimitPolicy>,
    /// `Some(None)` removes it from its group.
    pub metric_group: Option<Option<String>>,
    /// Anywhere fleets only.
    pub cost: Option<String>,
}

impl World {
    /// Changes attributes of a fleet.
    pub fn change_attributes(&mut self, fleet: FleetKey, change: AttributeChange) {
        let FleetKey(fleet) = fleet;
        let owner = &mut self.fleets[fleet];
        let before = owner.protection;
        owner.protection = change.protection.unwrap_or(before);
        owner.name = change.name.unwrap_or_else(|| owner.name.clone());
        owner.description = change.description.unwrap_or_else(|| owner.description.clone());
        owner.creation_limit = change.creation_limit.or(owner.creation_limit);
        if let Some(group) = change.metric_group {
            owner.metric_group = group;
        }
        if let (Hosting::Anywhere { cost }, Some(new)) = (&mut owner.hosting, change.cost) {
            *cost = new;
        }
        let after = owner.protection;
        if after != before {
            self.fleet_event(
                fleet,
                EventCode::FleetNewGameSessionProtectionPolicyUpdated,
                format!("New game session protection policy changed from {before} to {after}."),
            );
        }
    }

    /// Replaces the inbound rules of a fleet; remote locations follow a little later.
    pub fn change_ports(&mut self, fleet: FleetKey, ports: Vec<IpPermission>) {
        let settles_ms = self.now_ms + PORTS_MS;
        let owner = &mut self.fleets[fleet.0];
        (owner.ports, owner.ports_settle_ms) = (ports, settles_ms);
    }

    /// Replaces the runtime configuration of a fleet. Its instances read it within a minute. They start missing
    /// processes, and do not replace surplus ones when those end.
    pub fn change_runtime(&mut self, fleet: FleetKey, runtime: RuntimeConfiguration) {
        let FleetKey(fleet) = fleet;
        self.fleets[fleet].runtime = runtime;
        let delay_ms = RUNTIME_MS / 2 + (mix(self.seed, self.now_ms as u64) % (RUNTIME_MS as u64 / 2)) as i64;
        self.note_step(delay_ms, Step::Runtime(fleet));
    }

    pub(super) fn runtime_read(&mut self, fleet: usize) {
        let now_ms = self.now_ms;
        let owner = &mut self.fleets[fleet];
        let processes: u32 =
            owner.runtime.server_processes.iter().map(|process| process.concurrent_executions).sum();
        let wanted = processes as usize;
        owner.slots_per_instance = wanted;
        for site in &mut owner.sites {
            for machine in site.machines.iter_mut().filter(|machine| now_ms < machine.leaving_ms) {
                let ready_ms = machine.ready_ms.max(now_ms + 8_000);
                let kept = machine.slots.iter().filter(|slot| slot.is_kept()).count();
                let missing = wanted.saturating_sub(kept);
                site.counters.process_starts += missing as u16;
                let mut given_up = machine.slots.iter_mut().filter(|slot| !slot.is_kept());
                let mut revived = 0;
                for slot in given_up.by_ref().take(missing) {
                    slot.ready_ms = ready_ms;
                    revived += 1;
                }
                machine.slots.extend((revived..missing).map(|_| Slot { session: None, ready_ms }));
            }
        }
    }

    /// Schedules a step after some time.
    pub(super) fn note_step(&mut self, after_ms: i64, step: Step) {
        self.agenda.note(self.now_ms + after_ms, super::super::engine::Transition::Step(step));
    }

    /// Changes the name or version of a build. Returns the build, if it exists.
    pub fn change_build(
        &mut self,
        region: &str,
        build_id: &str,
        name: Option<String>,
        version: Option<String>,
    ) -> Option<&Build> {
        let region = self.regions.iter_mut().find(|known| known.name == region)?;
        let build = region.builds.iter_mut().find(|build| build.build_id == build_id)?;
        build.name = name.unwrap_or_else(|| build.name.clone());
        build.version = version.unwrap_or_else(|| build.version.clone());
        Some(build)
    }

    /// Removes a compute from an Anywhere fleet and ends the sessions on it. Returns whether there was one with that
    /// name.
    pub fn deregister_compute(&mut self, fleet: FleetKey, name: &str) -> bool {
        let (FleetKey(fleet), now_ms) = (fleet, self.now_ms);
        let owner = &self.fleets[fleet];
        let found = owner.sites.iter().enumerate().find_map(|(site, place)| {
            let mut there = place.machines.iter().filter(|machine| now_ms < machine.gone_ms);
            let named = |number| self.machine_connection(owner, &place.name, number, 0).compute_name == name;
            there.find(|machine| named(machine.number)).map(|machine| (site, machine.number))
        });
        let Some((site, number)) = found else { return false };
        let place = &mut self.fleets[fleet].sites[site];
        let mut ended = Vec::new();
        for machine in place.machines.iter_mut().filter(|machine| machine.number == number) {
            (machine.leaving_ms, machine.gone_ms) = (now_ms, now_ms);
            ended.extend(machine.slots.iter().filter_map(|slot| slot.session));
        }
        place.requested = place.requested.saturating_sub(1);
        place.desired = place.requested;
        for session in ended {
            self.end_early(session, Ending::Removed);
        }
        true
    }
}

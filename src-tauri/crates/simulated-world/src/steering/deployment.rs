//! Changes to container fleets, and the deployments that replace their instances with new ones.
//!
//! An instance is replaced once it hosts nothing that must be spared. Only as many are replaced at a time as the
//! deployment may take out of a location.

use std::sync::Arc;

use super::super::fleet::{Fleet, Hosting, Machine};
use super::super::names::Kind;
use super::super::records::{
    ConnectionPortRange, DeploymentImpairmentStrategy, DeploymentProtectionStrategy, DeploymentStatus,
    EventCode, FleetDeployment, FleetStatus, IpPermission, LogConfiguration,
};
use super::super::session::Ending;
use super::super::{NEVER_MS, World, catalogue};
use super::{FleetKey, Step};

/// Time to prepare a deployment, and the interval between its steps.
const PREPARATION_MS: i64 = 25_000;
const STEP_MS: i64 = 15_000;

/// How long a new instance may lack a ready server process before the deployment has failed.
const PATIENCE_MS: i64 = 60_000;

/// Changes to a container fleet that need a deployment. An absent value stays as it is.
#[derive(Clone, Debug, Default)]
pub struct ContainerChange {
    /// Name and version of the game server container group definition.
    pub definition: Option<(String, u32)>,
    /// Game server container groups on each instance.
    pub groups_per_instance: Option<u32>,
    /// Ports that players connect to.
    pub port_range: Option<ConnectionPortRange>,
    /// All inbound rules, replacing the present ones.
    pub ports: Option<Vec<IpPermission>>,
    /// Where the containers' logs go.
    pub logs: Option<LogConfiguration>,
    /// Whether to remove the per-instance container group. The fleet has none, so this starts a deployment that
    /// deploys nothing new.
    pub remove_per_instance: bool,
    /// What the deployment does with protected game sessions.
    pub protection: Option<DeploymentProtectionStrategy>,
    /// Percent, 30..=75.
    pub minimum_healthy: Option<u32>,
    /// What the deployment does when it fails.
    pub impairment: Option<DeploymentImpairmentStrategy>,
}

impl ContainerChange {
    /// Whether any of the changes needs a deployment.
    fn deploys(&self) -> bool {
        self.definition.is_some()
            || self.groups_per_instance.is_some()
            || self.port_range.is_some()
            || self.ports.is_some()
            || self.logs.is_some()
            || self.remove_per_instance
    }
}

impl World {
    /// ARN of the container group definition that new instances of a fleet run.
    pub(crate) fn binary(&self, fleet: usize) -> Option<Arc<str>> {
        let owner = &self.fleets[fleet];
        match &owner.hosting {
            Hosting::Container { definition, version, .. } => {
                Some(catalogue::definition_arn(&owner.home, &self.account, definition, *version).into())
            }
            _ => None,
        }
    }

    /// Whether the server processes on new instances of a fleet never become ready.
    pub(crate) fn is_faulty(&self, fleet: usize) -> bool {
        let hosting = &self.fleets[fleet].hosting;
        matches!(hosting, Hosting::Container { definition, .. } if definition == catalogue::FAULTY_DEFINITION)
    }

    /// Whether a deployment to a fleet, or its rollback, is under way.
    pub(crate) fn is_deploying(&self, fleet: &Fleet) -> bool {
        let mut deployments = self.regions[fleet.region].deployments.iter();
        deployments.any(|made| made.fleet_id == fleet.id && is_open(made.deployment_status))
    }

    /// Changes a container fleet. If this needs a deployment, starts it and cancels one that is under way.
    pub fn change_container_fleet(&mut self, fleet: FleetKey, change: &ContainerChange) {
        let FleetKey(fleet) = fleet;
        if !change.deploys() {
            return;
        }
        let before = self.binary(fleet);
        let owner = &self.fleets[fleet];
        let (region, id) = (owner.region, owner.id.clone());
        let of_fleet = self.regions[region].deployments.iter().filter(|made| made.fleet_id == id);
        let number = of_fleet.count() as u16;
        let deployment_id = self.names.uuid(Kind::Deployment, fleet as u32, number);
        self.apply(fleet, change, &deployment_id);
        for made in self.regions[region].deployments.iter_mut().filter(|made| made.fleet_id == id) {
            if is_open(made.deployment_status) {
                turn(made, DeploymentStatus::Cancelled);
            }
        }
        let places = self.fleets[fleet].places();
        let locations = places.map(|site| (site.name.clone(), DeploymentStatus::InProgress)).collect();
        let deployment = FleetDeployment {
            deployment_id,
            fleet_id: id,
            game_server_binary_arn: self.binary(fleet).as_deref().unwrap_or_default().to_owned(),
            rollback_game_server_binary_arn: before.as_deref().map(str::to_owned),
            deployment_status: DeploymentStatus::InProgress,
            protection_strategy: change.protection.unwrap_or(DeploymentProtectionStrategy::WithProtection),
            minimum_healthy_percentage: change.minimum_healthy.unwrap_or(75),
            impairment_strategy: change.impairment.unwrap_or(DeploymentImpairmentStrategy::Maintain),
            creation_time_ms: self.now_ms,
            locational_deployments: locations,
        };
        // The deployments of a fleet are kept newest first.
        self.regions[region].deployments.insert(0, deployment);
        self.state_event(fleet, EventCode::FleetStateUpdating, "UPDATING");
        self.note_step(PREPARATION_MS, Step::Deploy(fleet, number));
    }

    fn apply(&mut self, fleet: usize, change: &ContainerChange, deployment_id: &str) {
        let owner = &mut self.fleets[fleet];
        if let Hosting::Container { definition, version, deployment, logs, .. } = &mut owner.hosting {
            deployment_id.clone_into(deployment);
            if let Some((name, number)) = &change.definition {
                (*definition, *version) = (name.clone(), *number);
            }
            if let Some(new) = &change.logs {
                *logs = new.clone();
            }
        }
        owner.slots_per_instance =
            change.groups_per_instance.map_or(owner.slots_per_instance, |n| n as usize);
        if let Some(range) = change.port_range {
            (owner.base_port, owner.last_port) = (range.from_port, range.to_port);
        }
        if let Some(ports) = &change.ports {
            owner.ports.clone_from(ports);
        }
    }

    pub(super) fn deploy(&mut self, fleet: usize, number: u16) {
        let region = self.fleets[fleet].region;
        let id = self.names.uuid(Kind::Deployment, fleet as u32, number);
        let mut deployments = self.regions[region].deployments.iter();
        let Some(at) = deployments.position(|made| made.deployment_id == id) else { return };
        let deployment = self.regions[region].deployments[at].clone();
        let ends_as = match deployment.deployment_status {
            DeploymentStatus::InProgress => DeploymentStatus::Complete,
            DeploymentStatus::RollbackInProgress => DeploymentStatus::RollbackComplete,
            _ => return,
        };
        let mut open = self.is_faulty(fleet);
        for site in 0..self.fleets[fleet].sites.len() {
            if self.fleets[fleet].sites[site].gone {
                continue;
            }
            let done = self.deploy_to(fleet, site, &deployment) && !self.is_faulty(fleet);
            open |= !done;
            let location = &self.fleets[fleet].sites[site].name;
            let known = self.regions[region].deployments[at].locational_deployments.iter_mut();
            for (_, status) in known.filter(|(name, _)| done && name == location) {
                *status = ends_as;
            }
        }
        if self.has_failed(fleet, deployment.creation_time_ms) {
            self.fail(fleet, region, at);
        } else if !open {
            self.regions[region].deployments[at].deployment_status = ends_as;
        }
        if is_open(self.regions[region].deployments[at].deployment_status) {
            self.note_step(STEP_MS, Step::Deploy(fleet, number));
        } else {
            self.state_event(fleet, EventCode::FleetStateActive, FleetStatus::Active.as_str());
        }
    }

    /// Whether an instance that a deployment started has had enough time and hosts nothing.
    fn has_failed(&self, fleet: usize, since_ms: i64) -> bool {
        let tried = |machine: &Machine| {
            machine.created_ms >= since_ms
                && machine.is_useless()
                && machine.ready_ms.saturating_add(PATIENCE_MS) <= self.now_ms
        };
        self.is_faulty(fleet) && self.fleets[fleet].places().any(|site| site.machines.iter().any(tried))
    }

    /// Ends a failed deployment as it is, or rolls it back to the previous definition, depending on its strategy.
    fn fail(&mut self, fleet: usize, region: usize, at: usize) {
        let (now_ms, owner) = (self.now_ms, &mut self.fleets[fleet]);
        if !owner.is_spot() {
            // Instances that were to be replaced and still host a session stay, and may host again.
            let machines = owner.sites.iter_mut().flat_map(|site| &mut site.machines);
            for machine in machines.filter(|m| m.draining_ms <= now_ms && now_ms < m.leaving_ms) {
                machine.draining_ms = NEVER_MS;
            }
        }
        let deployment = &mut self.regions[region].deployments[at];
        let goes_back = deployment.impairment_strategy == DeploymentImpairmentStrategy::Rollback;
        let before = deployment.rollback_game_server_binary_arn.as_deref().filter(|_| goes_back);
        let before = before.and_then(|arn| arn.rsplit('/').next()?.split_once(':'));
        let before = before.and_then(|(name, version)| Some((name.to_owned(), version.parse().ok()?)));
        let Some((name, number)) = before else {
            turn(deployment, DeploymentStatus::Impaired);
            return;
        };
        for (_, status) in &mut deployment.locational_deployments {
            *status = DeploymentStatus::RollbackInProgress;
        }
        deployment.deployment_status = DeploymentStatus::RollbackInProgress;
        if let Hosting::Container { definition, version, .. } = &mut self.fleets[fleet].hosting {
            (*definition, *version) = (name, number);
        }
    }

    /// Replaces instances of a location. Returns whether no instance from before the deployment is left.
    fn deploy_to(&mut self, fleet: usize, site: usize, deployment: &FleetDeployment) -> bool {
        let now_ms = self.now_ms;
        let spares = deployment.protection_strategy == DeploymentProtectionStrategy::WithProtection;
        let (back, binary) =
            (deployment.deployment_status == DeploymentStatus::RollbackInProgress, self.binary(fleet));
        // During a rollback, an instance is judged by what it runs, so that those never replaced stay.
        let old = |machine: &Machine| {
            if back { machine.binary != binary } else { machine.created_ms < deployment.creation_time_ms }
        };
        let place = &self.fleets[fleet].sites[site];
        let stays: Vec<_> = place.machines.iter().filter(|machine| now_ms < machine.leaving_ms).collect();
        let may_miss =
            (stays.len() as u32 * (100 - deployment.minimum_healthy_percentage.min(100))).div_ceil(100);
        let missing =
            stays.iter().filter(|m| m.draining_ms <= now_ms || now_ms < m.ready_ms || m.is_useless()).count();
        let (useless, others): (Vec<&Machine>, Vec<&Machine>) = stays
            .iter()
            .copied()
            .filter(|machine| old(machine) && now_ms < machine.draining_ms)
            .partition(|machine| machine.is_useless());
        let budget = (may_miss.max(1) as usize).saturating_sub(missing);
        let next = useless.into_iter().chain(others.into_iter().take(budget));
        let next: Vec<u32> = next.map(|machine| machine.number).collect();
        let place = &mut self.fleets[fleet].sites[site];
        for machine in place.machines.iter_mut().filter(|machine| next.contains(&machine.number)) {
            machine.draining_ms = now_ms;
        }
        let drained = place.machines.iter().filter(|m| m.draining_ms <= now_ms && now_ms < m.leaving_ms);
        let drained = drained.filter(|machine| old(machine));
        let sessions: Vec<u32> =
            drained.flat_map(|machine| machine.slots.iter().filter_map(|slot| slot.session)).collect();
        for session in sessions {
            if !(spares && self.is_protected(session)) {
                self.end_early(session, Ending::Removed);
            }
        }
        let place = &mut self.fleets[fleet].sites[site];
        let mut left = false;
        for machine in place.machines.iter_mut().filter(|m| now_ms < m.leaving_ms && old(m)) {
            if machine.draining_ms <= now_ms && machine.sessions() == 0 {
                (machine.leaving_ms, machine.gone_ms) = (now_ms, now_ms + 60_000);
            } else {
                left = true;
            }
        }
        self.reconcile(fleet, site);
        let place = &self.fleets[fleet].sites[site];
        !left
            && place.machines.iter().all(|machine| machine.ready_ms <= now_ms || machine.leaving_ms <= now_ms)
    }
}

fn is_open(status: DeploymentStatus) -> bool {
    matches!(status, DeploymentStatus::InProgress | DeploymentStatus::RollbackInProgress)
}

/// Ends a deployment and its open parts in the locations.
fn turn(deployment: &mut FleetDeployment, to: DeploymentStatus) {
    deployment.deployment_status = to;
    for (_, status) in deployment.locational_deployments.iter_mut().filter(|(_, status)| is_open(*status)) {
        *status = to;
    }
}

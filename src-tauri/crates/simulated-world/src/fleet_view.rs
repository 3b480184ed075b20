//! Shows a fleet: builds its records on demand from its state and the time.
//!
//! Its instances and computes are in `fleet_view::hosts`.

mod hosts;

pub(crate) use hosts::Host;

use super::fleet::{Content, Fleet, Hosting, Site};
use super::records::{
    CertificateType, ComputeType, ConnectionPortRange, ContainerFleet, ContainerFleetLocationAttributes,
    ContainerFleetStatus, Ec2InstanceCounts, FleetAction, FleetAttributes, FleetCapacity, FleetEvent,
    FleetStatus, FleetUtilization, GameServerContainerGroupCounts, GameSessionStatus, IpPermission,
    LocationAttributes, LocationUpdateStatus, OperatingSystem, RuntimeConfiguration, ScalingPolicy,
    ZeroCapacityStrategy,
};
use super::{World, catalogue};

/// A fleet as it is now. Cheap to copy; its records are built on request.
#[derive(Clone, Copy, Debug)]
pub struct FleetRef<'a> {
    pub(super) world: &'a World,
    pub(super) fleet: &'a Fleet,
}

impl<'a> FleetRef<'a> {
    /// `fleet-…` or `containerfleet-…`.
    pub fn id(&self) -> &'a str {
        &self.fleet.id
    }

    /// ARN.
    pub fn arn(&self) -> &'a str {
        &self.fleet.arn
    }

    /// Home region.
    pub fn home(&self) -> &'a str {
        &self.fleet.home
    }

    /// Whether it is a container fleet, which has [`FleetRef::container`] instead of attributes.
    pub fn is_container(&self) -> bool {
        self.fleet.is_container()
    }

    /// Whether it runs on the customer's own computes.
    pub fn is_anywhere(&self) -> bool {
        self.fleet.is_anywhere()
    }

    /// Build id, if it runs a build.
    pub fn build_id(&self) -> Option<&'a str> {
        match &self.fleet.hosting {
            Hosting::Ec2 { content: Content::Build(id, _), .. } => Some(id),
            _ => None,
        }
    }

    /// Script id, if it runs a Realtime script.
    pub fn script_id(&self) -> Option<&'a str> {
        match &self.fleet.hosting {
            Hosting::Ec2 { content: Content::Script(id, _), .. } => Some(id),
            _ => None,
        }
    }

    /// Major version of the server SDK that its processes use, if known: the build's, 4 for Realtime servers, 5 for
    /// containers.
    pub fn server_sdk(&self) -> Option<u32> {
        match &self.fleet.hosting {
            Hosting::Ec2 { content: Content::Build(id, _), .. } => {
                let builds = &self.world.regions[self.fleet.region].builds;
                let build = builds.iter().find(|build| build.build_id == *id)?;
                build.server_sdk_version.split('.').next()?.parse().ok()
            }
            Hosting::Ec2 { content: Content::Script(..), .. } => Some(4),
            Hosting::Container { .. } => Some(5),
            Hosting::Anywhere { .. } => None,
        }
    }

    /// Status of the home location.
    pub fn status(&self) -> FleetStatus {
        let home = self.fleet.sites.first();
        home.map_or(FleetStatus::NotFound, |home| self.fleet.status(home, self.world.now_ms))
    }

    /// Attributes; absent for container fleets.
    pub fn attributes(&self) -> Option<FleetAttributes> {
        let fleet = self.fleet;
        let (fleet_type, operating_system, cost) = match &fleet.hosting {
            Hosting::Ec2 { fleet_type, operating_system, .. } => {
                (Some(*fleet_type), Some(*operating_system), None)
            }
            Hosting::Anywhere { cost } => (None, None, Some(cost.clone())),
            Hosting::Container { .. } => return None,
        };
        let content = match &fleet.hosting {
            Hosting::Ec2 { content, .. } => Some(content),
            _ => None,
        };
        let build =
            content.and_then(|c| if let Content::Build(id, arn) = c { Some((id, arn)) } else { None });
        let script =
            content.and_then(|c| if let Content::Script(id, arn) = c { Some((id, arn)) } else { None });
        let managed = !fleet.is_anywhere();
        Some(FleetAttributes {
            fleet_id: fleet.id.clone(),
            fleet_arn: fleet.arn.clone(),
            fleet_type,
            instance_type: managed.then(|| fleet.instance_type.clone()),
            description: (!fleet.description.is_empty()).then(|| fleet.description.clone()),
            name: fleet.name.clone(),
            creation_time_ms: fleet.created_ms,
            termination_time_ms: (fleet.terminated_ms <= self.world.now_ms).then_some(fleet.terminated_ms),
            status: self.status(),
            build_id: build.map(|(id, _)| id.clone()),
            build_arn: build.map(|(_, arn)| arn.clone()),
            script_id: script.map(|(id, _)| id.clone()),
            script_arn: script.map(|(_, arn)| arn.clone()),
            new_game_session_protection_policy: Some(fleet.protection),
            operating_system,
            resource_creation_limit_policy: fleet.creation_limit,
            metric_groups: fleet.metric_group.iter().cloned().collect(),
            stopped_actions: fleet.sites.first().map(Site::stopped_actions).unwrap_or_default(),
            instance_role_arn: fleet.role.clone(),
            certificate_type: managed.then_some(if fleet.certificate {
                CertificateType::Generated
            } else {
                CertificateType::Disabled
            }),
            compute_type: if managed { ComputeType::Ec2 } else { ComputeType::Anywhere },
            anywhere_cost: cost,
        })
    }

    /// The container fleet's record; absent for other fleets.
    pub fn container(&self) -> Option<ContainerFleet> {
        let fleet = self.fleet;
        let Hosting::Container { billing, definition, version, deployment, most_groups, logs } =
            &fleet.hosting
        else {
            return None;
        };
        let status =
            fleet.sites.first().map_or(ContainerFleetStatus::Expired, |home| self.container_status(home));
        let account = &self.world.account;
        let slots = fleet.slots_per_instance as u32;
        Some(ContainerFleet {
            fleet_id: fleet.id.clone(),
            fleet_arn: fleet.arn.clone(),
            fleet_role_arn: format!("arn:aws:iam::{account}:role/{}-fleet", fleet.stem),
            game_server_container_group_definition_name: definition.clone(),
            game_server_container_group_definition_arn: catalogue::definition_arn(
                &fleet.home,
                account,
                definition,
                *version,
            ),
            instance_connection_port_range: ConnectionPortRange {
                from_port: fleet.base_port,
                to_port: fleet.last_port,
            },
            instance_inbound_permissions: fleet.ports.clone(),
            game_server_container_groups_per_instance: slots,
            maximum_game_server_container_groups_per_instance: *most_groups,
            instance_type: fleet.instance_type.clone(),
            billing_type: *billing,
            description: Some(fleet.description.clone()),
            creation_time_ms: fleet.created_ms,
            metric_groups: fleet.metric_group.iter().cloned().collect(),
            new_game_session_protection_policy: fleet.protection,
            game_session_creation_limit_policy: fleet.creation_limit,
            status,
            latest_deployment_id: deployment.clone(),
            log_configuration: logs.clone(),
            location_attributes: fleet
                .places()
                .map(|site| ContainerFleetLocationAttributes {
                    location: site.name.clone(),
                    status: self.container_status(site),
                })
                .collect(),
        })
    }

    fn container_status(&self, site: &Site) -> ContainerFleetStatus {
        match self.fleet.status(site, self.world.now_ms) {
            FleetStatus::Active if self.world.is_deploying(self.fleet) => ContainerFleetStatus::Updating,
            FleetStatus::Active => ContainerFleetStatus::Active,
            FleetStatus::New => ContainerFleetStatus::Pending,
            FleetStatus::Deleting | FleetStatus::Terminated => ContainerFleetStatus::Deleting,
            _ => ContainerFleetStatus::Activating,
        }
    }

    /// Its locations, the home first.
    pub fn locations(&self) -> Vec<LocationAttributes> {
        let now_ms = self.world.now_ms;
        self.fleet
            .places()
            .map(|site| LocationAttributes {
                location: site.name.clone(),
                status: self.fleet.status(site, now_ms),
                stopped_actions: site.stopped_actions(),
                update_status: site.update_status(now_ms),
            })
            .collect()
    }

    /// Capacity in one location; absent if the fleet is not there, or has no managed capacity (Anywhere).
    pub fn capacity(&self, location: &str) -> Option<FleetCapacity> {
        let (fleet, now_ms) = (self.fleet, self.world.now_ms);
        let (_, site) = fleet.site(location).filter(|_| !fleet.is_anywhere())?;
        let count = site.count(now_ms);
        let groups = fleet.is_container().then(|| {
            let per_instance = fleet.slots_per_instance as u32;
            GameServerContainerGroupCounts {
                pending: count.pending * per_instance + count.starting,
                active: count.processes,
                idle: count.available,
                terminating: count.terminating * per_instance,
            }
        });
        Some(FleetCapacity {
            fleet_id: fleet.id.clone(),
            fleet_arn: fleet.arn.clone(),
            instance_type: fleet.instance_type.clone(),
            instance_counts: Ec2InstanceCounts {
                desired: site.desired,
                minimum: site.minimum,
                maximum: site.maximum,
                pending: count.pending,
                active: count.active,
                idle: count.idle,
                terminating: count.terminating,
            },
            location: site.name.clone(),
            game_server_container_group_counts: groups,
            zero_capacity_strategy: match site.zero {
                Some(_) => Some(ZeroCapacityStrategy::ScaleToAndFromZero),
                None => fleet.is_container().then_some(ZeroCapacityStrategy::Manual),
            },
            scale_in_after_inactivity_minutes: site.zero.map(|zero| zero.after_min),
        })
    }

    /// Utilization in one location; absent if the fleet is not there.
    pub fn utilization(&self, location: &str) -> Option<FleetUtilization> {
        let (fleet, now_ms) = (self.fleet, self.world.now_ms);
        let (index, site) = fleet.site(location)?;
        let active = fleet
            .live
            .iter()
            .filter_map(|number| self.world.session(*number))
            .filter(|session| usize::from(session.site) == index)
            .filter(|session| session.status(now_ms) == GameSessionStatus::Active);
        let (mut sessions, mut players, mut slots) = (0, 0, 0);
        for session in active {
            sessions += 1;
            players += session.players(now_ms);
            slots += u32::from(session.max_players);
        }
        Some(FleetUtilization {
            fleet_id: fleet.id.clone(),
            fleet_arn: fleet.arn.clone(),
            active_server_process_count: site.count(now_ms).processes,
            active_game_session_count: sessions,
            current_player_session_count: players,
            maximum_player_session_count: slots,
            location: site.name.clone(),
        })
    }

    /// Runtime configuration; absent for container fleets.
    pub fn runtime_configuration(&self) -> Option<&'a RuntimeConfiguration> {
        (!self.fleet.is_container()).then_some(&self.fleet.runtime)
    }

    /// Status of a location; absent if the fleet is not there.
    pub fn location_status(&self, location: &str) -> Option<FleetStatus> {
        let (_, site) = self.fleet.site(location)?;
        Some(self.fleet.status(site, self.world.now_ms))
    }

    /// The desired count last requested in a location, which may not have taken effect yet.
    pub fn requested_instances(&self, location: &str) -> Option<u32> {
        Some(self.fleet.site(location)?.1.requested)
    }

    /// Update status of the inbound rules in a location; absent unless a change is still being applied.
    pub fn ports_update_status(&self, location: &str) -> Option<LocationUpdateStatus> {
        let pending = self.world.now_ms < self.fleet.ports_settle_ms && location != self.fleet.home;
        pending.then_some(LocationUpdateStatus::PendingUpdate)
    }

    /// Inbound rules; the same in every location.
    pub fn inbound_permissions(&self) -> &'a [IpPermission] {
        &self.fleet.ports
    }

    /// Scaling policies, one record for each policy and location, home location first.
    pub fn scaling_policies(&self) -> Vec<ScalingPolicy> {
        let (fleet, now_ms) = (self.fleet, self.world.now_ms);
        let of_site =
            move |site: &'a Site| fleet.policies.iter().map(move |policy| policy.record(fleet, site, now_ms));
        fleet.places().flat_map(of_site).collect()
    }

    /// Events from `from_ms` up to `to_ms`, both included, newest first.
    pub fn events(&self, from_ms: i64, to_ms: i64) -> impl Iterator<Item = &'a FleetEvent> + use<'a> {
        let within = move |event: &&FleetEvent| (from_ms..=to_ms).contains(&event.event_time_ms);
        self.fleet.events.iter().rev().filter(within)
    }
}

impl Fleet {
    fn operating_system(&self) -> OperatingSystem {
        match &self.hosting {
            Hosting::Ec2 { operating_system, .. } => *operating_system,
            Hosting::Container { .. } | Hosting::Anywhere { .. } => OperatingSystem::AmazonLinux2023,
        }
    }
}

impl Site {
    pub(super) fn update_status(&self, now_ms: i64) -> Option<LocationUpdateStatus> {
        (now_ms < self.settles_ms).then_some(LocationUpdateStatus::PendingUpdate)
    }

    fn stopped_actions(&self) -> Vec<FleetAction> {
        if self.stopped { vec![FleetAction::AutoScaling] } else { Vec::new() }
    }
}

//! Fleets put together from the store's rows, with summed figures.

use liftdeck_model::action::ScalingRule;
use liftdeck_model::container::ContainerDetails;
use liftdeck_model::game_session::session_in;
use liftdeck_model::{Location, Timestamp, fleet as model};
use liftdeck_store::reader::change as store_change;
use liftdeck_store::reader::compute::ComputeRow;
use liftdeck_store::reader::fleet as store;
use liftdeck_store::reader::freshness::Freshness;

use super::{
    FleetCounts, FleetDetail, FleetEventRow, FleetLocationRow, FleetRow, InstanceRow, PortRange,
    ScalingPolicyKind, ScalingPolicyRow, ServerProcess,
};
use crate::figures::{Figures, FleetFigures};
use crate::state::fleet_state;
use crate::words;

impl FleetRow {
    /// A fleet with its figures, and its utilization (0 to 1) over the last hours, `None` for gaps.
    pub(super) fn new(summary: &store::FleetSummary, figures: &Figures, spark: Vec<Option<f64>>) -> Self {
        let fleet = &summary.fleet;
        let (build_or_script, id) = match &summary.content {
            Some(store::Content::Build(build)) => {
                (label(build.name.as_ref(), build.version.as_ref()), Some(build.build_id.to_string()))
            }
            Some(store::Content::Script(script)) => {
                (label(script.name.as_ref(), script.version.as_ref()), Some(script.script_id.to_string()))
            }
            None => (
                fleet.container.as_ref().and_then(|container| container.game_server_definition_name.clone()),
                None,
            ),
        };
        let named = || fleet.build_id.as_ref().map(ToString::to_string);
        let scripted = || fleet.script_id.as_ref().map(ToString::to_string);
        Self {
            fleet_id: fleet.fleet_id.clone(),
            arn: fleet.fleet_arn.clone().unwrap_or_default(),
            name: fleet.display_name().to_owned(),
            region: fleet.region.clone(),
            status: fleet.status.to_string(),
            state: fleet_state(summary),
            kind: fleet.kind,
            instance_type: fleet.instance_type.clone(),
            build_or_script,
            build_or_script_id: id.or_else(named).or_else(scripted),
            is_realtime: fleet.script_id.is_some(),
            locations: summary.locations.iter().map(|here| here.location.clone()).collect(),
            desired: figures.desired,
            active: figures.active,
            max: figures.maximum,
            game_sessions: figures.game_sessions,
            player_sessions: figures.player_sessions,
            free_percent: figures.free_percent,
            spark,
            aliases: summary.aliases.clone(),
            queues: summary.queues.clone(),
            freshness: summary.freshness,
        }
    }
}

/// `arena-server 1.8.2`, or whichever of the two there is.
fn label(name: Option<&String>, version: Option<&String>) -> Option<String> {
    match (name, version) {
        (Some(name), Some(version)) => Some(format!("{name} {version}")),
        (Some(one), None) | (None, Some(one)) => Some(one.clone()),
        (None, None) => None,
    }
}

impl FleetDetail {
    /// A fleet with its figures, its utilization over the last hours and the time since which it has been at its limit.
    pub(super) fn new(
        detail: store::FleetDetail,
        figures: &FleetFigures,
        spark: Vec<Option<f64>>,
        capped_since: Option<Timestamp>,
    ) -> Self {
        let summary = &detail.summary;
        let fleet = &summary.fleet;
        let script_version = match &summary.content {
            Some(store::Content::Script(script)) => script.version.clone(),
            _ => None,
        };
        let runtime = detail.runtime_configuration;
        let (activations, timeout) = runtime.as_ref().map_or((None, None), |runtime| {
            (runtime.max_concurrent_game_session_activations, runtime.game_session_activation_timeout_seconds)
        });
        let processes = runtime.map(|runtime| runtime.server_processes).unwrap_or_default();
        let freshness = summary.freshness;
        Self {
            row: FleetRow::new(summary, &figures.all, spark),
            description: fleet.description.clone(),
            creation_time: fleet.creation_time,
            termination_time: fleet.termination_time.or(summary.gone_at),
            operating_system: fleet.operating_system.clone(),
            protection: fleet.new_game_session_protection_policy.as_ref().map(ToString::to_string),
            certificate: fleet.certificate_type.clone(),
            certificate_term: None,
            certificate_note: None,
            instance_role_arn: fleet.instance_role_arn.clone(),
            metric_groups: fleet.metric_groups.clone(),
            creator_limit: fleet.creator_limit.as_ref().and_then(words::creator_limit),
            capped_since,
            locations: summary
                .locations
                .iter()
                .zip(&figures.locations)
                .map(|(here, (_, figures))| FleetLocationRow::new(here, figures, freshness))
                .collect(),
            policies: detail.policies.iter().map(ScalingPolicyRow::from).collect(),
            configuration_freshness: detail.configuration_freshness,
            runtime: processes.into_iter().map(ServerProcess::from).collect(),
            max_concurrent_activations: activations,
            activation_timeout_seconds: timeout,
            ports: open_ports(&fleet.container, detail.port_settings),
            script_version,
            counts: FleetCounts { game_sessions: detail.active_game_sessions, instances: detail.computes },
        }
    }
}

/// The open ports of a fleet, each range once: GameLift repeats them for every location.
fn open_ports(
    container: &Option<ContainerDetails>,
    settings: Vec<(Option<Location>, Vec<model::IpPermission>)>,
) -> Vec<PortRange> {
    let mut permissions: Vec<model::IpPermission> =
        settings.into_iter().flat_map(|(_, permissions)| permissions).collect();
    permissions.extend(container.iter().flat_map(|container| container.inbound_permissions.clone()));
    let mut ports: Vec<PortRange> = permissions.into_iter().map(PortRange::from).collect();
    ports.sort();
    ports.dedup();
    ports
}

impl From<store_change::FleetEventRow> for FleetEventRow {
    fn from(row: store_change::FleetEventRow) -> Self {
        let event = row.event;
        Self {
            event_id: event.event_id,
            at: event.event_time,
            severity: event.event_code.severity(),
            code: event.event_code,
            game_session_id: event.message.as_deref().and_then(session_in),
            message: event.message.unwrap_or_default(),
            count: event.count,
            has_log: event.has_log,
        }
    }
}

impl FleetLocationRow {
    /// A location with its figures, which are as fresh as those of the fleet.
    fn new(here: &store::LocationFigures, figures: &Figures, freshness: Freshness) -> Self {
        let of = |figure: fn(&model::FleetCapacity) -> i32| {
            here.capacity.as_ref().map(|capacity| i64::from(figure(capacity)))
        };
        Self {
            location: here.location.clone(),
            status: here.attributes.as_ref().map_or_else(String::new, |known| known.status.to_string()),
            desired: figures.desired,
            min: of(|capacity| capacity.minimum),
            max: figures.maximum,
            pending: of(|capacity| capacity.pending),
            active: figures.active,
            idle: of(|capacity| capacity.idle),
            terminating: of(|capacity| capacity.terminating),
            game_sessions: figures.game_sessions,
            player_sessions: figures.player_sessions,
            processes: figures.processes,
            scaling_suspended: here.attributes.as_ref().map(|known| known.scaling_suspended),
            update_pending: here.attributes.as_ref().is_some_and(|known| known.update_pending),
            freshness,
        }
    }
}

impl From<&model::ScalingPolicy> for ScalingPolicyRow {
    fn from(policy: &model::ScalingPolicy) -> Self {
        let target_based = policy.policy_type == model::PolicyType::TargetBased;
        let definition = ScalingRule::of(policy);
        Self {
            name: policy.name.clone(),
            kind: if target_based { ScalingPolicyKind::TargetBased } else { ScalingPolicyKind::RuleBased },
            status: policy.status.clone().unwrap_or_default(),
            location: policy.location.clone(),
            metric: policy.metric_name.clone(),
            target_value: policy.target_value,
            rule: definition.as_ref().map(ToString::to_string),
            definition,
        }
    }
}

impl From<model::ServerProcess> for ServerProcess {
    fn from(process: model::ServerProcess) -> Self {
        Self {
            launch_path: process.launch_path,
            parameters: process.parameters,
            concurrent: process.concurrent_executions,
        }
    }
}

impl From<model::IpPermission> for PortRange {
    fn from(permission: model::IpPermission) -> Self {
        Self {
            from_port: permission.from_port,
            to_port: permission.to_port,
            ip_range: permission.ip_range,
            protocol: permission.protocol,
        }
    }
}

impl From<ComputeRow> for InstanceRow {
    fn from(row: ComputeRow) -> Self {
        let compute = row.compute;
        Self {
            instance_id: compute.instance_id.unwrap_or_else(|| compute.compute_name.clone()),
            compute_name: compute.compute_name,
            status: compute.status.to_string(),
            location: compute.location,
            instance_type: compute.instance_type,
            ip_address: compute.ip_address,
            dns_name: compute.dns_name,
            creation_time: compute.creation_time,
            game_sessions: row.game_sessions,
            player_sessions: row.player_sessions,
            processes: None,
        }
    }
}

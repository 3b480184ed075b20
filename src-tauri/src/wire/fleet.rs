//! Fleets: the list, one fleet's detail, its instances and events.

mod mapping;

use liftdeck_model::action::ScalingRule;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::wire::change::Severity;
use crate::wire::number::{Ms, Real};
use crate::wire::window::Freshness;

/// A fleet's state at a glance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum FleetState {
    Good,
    Warning,
    Bad,
    Pending,
    Off,
}

/// What a fleet's computes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum ComputeKind {
    Ec2OnDemand,
    Ec2Spot,
    Container,
    Anywhere,
}

/// A fleet in the list.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FleetRow {
    pub(crate) fleet_id: String,
    pub(crate) arn: String,
    pub(crate) name: String,
    pub(crate) region: String,
    pub(crate) status: String,
    pub(crate) state: FleetState,
    pub(crate) kind: ComputeKind,
    pub(crate) instance_type: Option<String>,
    pub(crate) build_or_script: Option<String>,
    pub(crate) build_or_script_id: Option<String>,
    pub(crate) is_realtime: bool,
    pub(crate) locations: Vec<String>,
    pub(crate) desired: u32,
    pub(crate) active: u32,
    pub(crate) max: u32,
    pub(crate) sessions: u32,
    pub(crate) players: u32,
    /// Percent of available game sessions, 0..100.
    pub(crate) free_percent: Option<Real>,
    pub(crate) spark: Vec<Option<Real>>,
    pub(crate) aliases: Vec<String>,
    pub(crate) queues: Vec<String>,
    pub(crate) freshness: Freshness,
}

/// All fleets.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FleetList {
    pub(crate) rows: Vec<FleetRow>,
    pub(crate) freshness: Freshness,
}

/// A fleet in one of its locations.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FleetLocationRow {
    pub(crate) location: String,
    pub(crate) status: String,
    pub(crate) desired: u32,
    pub(crate) min: u32,
    pub(crate) max: u32,
    pub(crate) pending: u32,
    pub(crate) active: u32,
    pub(crate) idle: u32,
    pub(crate) terminating: u32,
    pub(crate) sessions: u32,
    pub(crate) players: u32,
    pub(crate) processes: u32,
    pub(crate) scaling_suspended: bool,
    pub(crate) update_pending: bool,
    pub(crate) freshness: Freshness,
}

/// How a policy scales.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum ScalingPolicyKind {
    TargetBased,
    RuleBased,
}

/// A scaling policy.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ScalingPolicyRow {
    pub(crate) name: String,
    pub(crate) kind: ScalingPolicyKind,
    pub(crate) status: String,
    pub(crate) location: Option<String>,
    pub(crate) metric: String,
    pub(crate) target_value: Option<Real>,
    pub(crate) rule: Option<String>,
    /// What it would be put as; null when AWS does not show all of it.
    pub(crate) definition: Option<ScalingRule>,
}

/// Since when a fleet sits at its limit.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Capped {
    pub(crate) since_ms: Ms,
}

/// A server process of the runtime configuration.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ServerProcess {
    pub(crate) launch_path: String,
    pub(crate) parameters: Option<String>,
    pub(crate) concurrent: u32,
}

/// A range of open ports.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PortRange {
    pub(crate) from_port: u32,
    pub(crate) to_port: u32,
    pub(crate) ip_range: String,
    pub(crate) protocol: String,
}

/// Numbers for the tabs.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FleetCounts {
    pub(crate) sessions: u32,
    pub(crate) instances: u32,
}

/// One fleet.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FleetDetail {
    pub(crate) row: FleetRow,
    pub(crate) description: Option<String>,
    pub(crate) created_ms: Option<Ms>,
    pub(crate) terminated_ms: Option<Ms>,
    pub(crate) operating_system: Option<String>,
    pub(crate) protection: Option<String>,
    pub(crate) certificate: Option<String>,
    pub(crate) instance_role_arn: Option<String>,
    pub(crate) metric_groups: Vec<String>,
    pub(crate) creator_limit: Option<String>,
    pub(crate) capped: Option<Capped>,
    pub(crate) locations: Vec<FleetLocationRow>,
    pub(crate) policies: Vec<ScalingPolicyRow>,
    pub(crate) configuration_freshness: Freshness,
    pub(crate) runtime: Vec<ServerProcess>,
    pub(crate) max_concurrent_activations: Option<u32>,
    pub(crate) activation_timeout_seconds: Option<u32>,
    pub(crate) ports: Vec<PortRange>,
    pub(crate) script_version: Option<String>,
    pub(crate) counts: FleetCounts,
}

/// A compute of a fleet.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InstanceRow {
    pub(crate) instance_id: String,
    pub(crate) compute_name: String,
    pub(crate) status: String,
    pub(crate) location: String,
    #[serde(rename = "type")]
    pub(crate) instance_type: Option<String>,
    pub(crate) ip_address: Option<String>,
    pub(crate) dns_name: Option<String>,
    pub(crate) created_ms: Option<Ms>,
    pub(crate) sessions: u32,
    pub(crate) players: u32,
}

/// The computes of a fleet.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InstanceList {
    pub(crate) rows: Vec<InstanceRow>,
    pub(crate) freshness: Freshness,
}

/// An event of a fleet.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FleetEventRow {
    pub(crate) event_id: String,
    pub(crate) at_ms: Ms,
    pub(crate) code: String,
    pub(crate) message: String,
    pub(crate) severity: Severity,
    pub(crate) count: u32,
    pub(crate) has_log: bool,
}

/// A window onto the events of a fleet.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FleetEventPage {
    pub(crate) rows: Vec<FleetEventRow>,
    pub(crate) total: u32,
    pub(crate) freshness: Freshness,
}

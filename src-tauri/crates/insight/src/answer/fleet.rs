//! Fleets: the list, one fleet's detail, its instances and events.

mod instances;
mod mapping;
mod read;

use liftdeck_model::action::ScalingRule;
use liftdeck_model::certificate::CertificateTerm;
use liftdeck_model::fleet::ComputeKind;
use liftdeck_model::{FleetEventCode, FleetId, GameSessionId, Location, Region, Severity, Timestamp};
use liftdeck_store::reader::freshness::Freshness;
use serde::{Deserialize, Serialize};
use specta::Type;

pub use self::instances::{LocationProcesses, ProcessBasis, instances};
pub use self::read::{fleet_detail, fleet_events, fleet_list};
use crate::state::FleetState;

/// A fleet in the list.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FleetRow {
    pub fleet_id: FleetId,
    pub arn: String,
    pub name: String,
    pub region: Region,
    pub status: String,
    pub state: FleetState,
    pub kind: ComputeKind,
    pub instance_type: Option<String>,
    pub build_or_script: Option<String>,
    pub build_or_script_id: Option<String>,
    pub is_realtime: bool,
    pub locations: Vec<Location>,
    /// Like each figure of the fleet, `None` while it is unknown, wholly or of one location, and if there is no such
    /// figure: fleets of one's own hardware have no instances.
    pub desired: Option<i64>,
    pub active: Option<i64>,
    pub max: Option<i64>,
    pub game_sessions: Option<i64>,
    pub player_sessions: Option<i64>,
    /// Percentage of available game sessions, 0 to 100.
    pub free_percent: Option<f64>,
    pub spark: Vec<Option<f64>>,
    pub aliases: Vec<String>,
    pub queues: Vec<String>,
    pub freshness: Freshness,
}

/// All fleets.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FleetList {
    pub rows: Vec<FleetRow>,
    /// The moment whose figures the rows have, if they are not those of now. Names, settings and status are of now.
    pub figures_at: Option<Timestamp>,
    pub freshness: Freshness,
}

/// A fleet in one of its locations.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FleetLocationRow {
    pub location: Location,
    /// Empty until the location was listed.
    pub status: String,
    /// Like each figure of the location, `None` while it is unknown, and if there is no such figure.
    pub desired: Option<i64>,
    pub min: Option<i64>,
    pub max: Option<i64>,
    pub pending: Option<i64>,
    pub active: Option<i64>,
    pub idle: Option<i64>,
    pub terminating: Option<i64>,
    pub game_sessions: Option<i64>,
    pub player_sessions: Option<i64>,
    pub processes: Option<i64>,
    /// `None` until the location was listed.
    pub scaling_suspended: Option<bool>,
    pub update_pending: bool,
    pub freshness: Freshness,
}

/// How a policy scales.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ScalingPolicyKind {
    TargetBased,
    RuleBased,
}

/// A scaling policy.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ScalingPolicyRow {
    pub name: String,
    pub kind: ScalingPolicyKind,
    pub status: String,
    pub location: Option<Location>,
    pub metric: String,
    pub target_value: Option<f64>,
    /// What it does, in plain words; null if AWS does not report all of it.
    pub rule: Option<String>,
    /// The definition with which to put it again; null if AWS does not report all of it.
    pub definition: Option<ScalingRule>,
}

/// A server process of the runtime configuration.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ServerProcess {
    pub launch_path: String,
    pub parameters: Option<String>,
    pub concurrent: i32,
}

/// A range of open ports.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PortRange {
    pub from_port: i32,
    pub to_port: i32,
    pub ip_range: String,
    pub protocol: String,
}

/// Counts for the tabs.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FleetCounts {
    pub game_sessions: i64,
    pub instances: i64,
}

/// One fleet.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FleetDetail {
    pub row: FleetRow,
    pub description: Option<String>,
    pub creation_time: Option<Timestamp>,
    pub termination_time: Option<Timestamp>,
    pub operating_system: Option<String>,
    pub protection: Option<String>,
    pub certificate: Option<String>,
    /// When its certificate ends; `None` without one, or if that is not known.
    pub certificate_term: Option<CertificateTerm>,
    /// What its end means and what to do, once it is near; `None` before.
    pub certificate_note: Option<String>,
    pub instance_role_arn: Option<String>,
    pub metric_groups: Vec<String>,
    pub creator_limit: Option<String>,
    /// The time since which a location has been at its limit with no free process.
    pub capped_since: Option<Timestamp>,
    pub locations: Vec<FleetLocationRow>,
    pub policies: Vec<ScalingPolicyRow>,
    pub configuration_freshness: Freshness,
    pub runtime: Vec<ServerProcess>,
    pub max_concurrent_activations: Option<i32>,
    pub activation_timeout_seconds: Option<i32>,
    pub ports: Vec<PortRange>,
    pub script_version: Option<String>,
    pub counts: FleetCounts,
}

/// A compute of a fleet.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct InstanceRow {
    pub instance_id: String,
    pub compute_name: String,
    pub status: String,
    pub location: Location,
    #[serde(rename = "type")]
    pub instance_type: Option<String>,
    pub ip_address: Option<String>,
    pub dns_name: Option<String>,
    pub creation_time: Option<Timestamp>,
    pub game_sessions: i64,
    pub player_sessions: i64,
    /// Server processes that the runtime configuration starts on it; `None` while it starts or ends, and where nothing
    /// says so.
    pub processes: Option<i64>,
}

/// The computes of a fleet.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct InstanceList {
    pub rows: Vec<InstanceRow>,
    /// The server processes of each location.
    pub locations: Vec<LocationProcesses>,
    /// Where the number of server processes comes from.
    pub basis: ProcessBasis,
    /// The same in words, with what GameLift does not tell.
    pub note: String,
    pub freshness: Freshness,
}

/// An event of a fleet.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FleetEventRow {
    pub event_id: String,
    pub at: Timestamp,
    pub code: FleetEventCode,
    pub message: String,
    /// The game session the message names.
    pub game_session_id: Option<GameSessionId>,
    pub severity: Severity,
    pub count: i64,
    pub has_log: bool,
}

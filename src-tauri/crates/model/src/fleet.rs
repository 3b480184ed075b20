//! Fleets, their locations, capacity, utilization, events, policies, configuration and computes.
//!
//! One record serves managed EC2, Anywhere and container fleets, because an operator looks at them side by side.

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use crate::container::ContainerDetails;
use crate::event_code::FleetEventCode;
use crate::id::{BuildId, FleetId, Location, Region, ScriptId};
use crate::open_enum;
use crate::time::Timestamp;

open_enum! {
    /// Status of a fleet or of one of its locations, EC2, Anywhere and container fleets together.
    FleetStatus {
        New = "NEW", Downloading = "DOWNLOADING", Validating = "VALIDATING", Building = "BUILDING",
        Activating = "ACTIVATING", Active = "ACTIVE", Deleting = "DELETING", Error = "ERROR",
        Terminated = "TERMINATED", NotFound = "NOT_FOUND", Expired = "EXPIRED",
        Pending = "PENDING", Creating = "CREATING", Created = "CREATED", Updating = "UPDATING",
    }
}
open_enum! {
    /// Whether game sessions survive scale-in.
    ProtectionPolicy { NoProtection = "NoProtection", FullProtection = "FullProtection" }
}
open_enum! {
    /// How a scaling policy works.
    PolicyType { RuleBased = "RuleBased", TargetBased = "TargetBased" }
}
open_enum! {
    /// Status of a compute or instance.
    ComputeStatus { Pending = "PENDING", Active = "ACTIVE", Terminating = "TERMINATING", Impaired = "IMPAIRED" }
}

/// The kind of a fleet's computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, IntoStaticStr, specta::Type)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "lowercase")]
pub enum ComputeKind {
    /// Managed EC2, billed on demand.
    #[strum(serialize = "on-demand")]
    Ec2OnDemand,
    /// Managed EC2 Spot: AWS may reclaim an instance with two minutes' notice.
    #[strum(serialize = "spot")]
    Ec2Spot,
    /// A container fleet, read with calls of its own.
    Container,
    /// The operator's own hardware.
    Anywhere,
}

impl ComputeKind {
    /// Whether DescribeFleetCapacity and scaling apply (AWS: EC2 and container fleets only).
    pub const fn has_capacity(self) -> bool {
        !matches!(self, Self::Anywhere)
    }

    /// Whether DescribeFleetUtilization applies (AWS: managed EC2 only).
    pub const fn has_utilization(self) -> bool {
        matches!(self, Self::Ec2OnDemand | Self::Ec2Spot)
    }
}

/// A limit on new game sessions per creator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CreatorLimit {
    /// At most this many new game sessions for each creator in the period.
    pub new_game_sessions_per_creator: Option<i32>,
    /// The period in minutes.
    pub policy_period_minutes: Option<i32>,
}

/// A fleet's attributes, from DescribeFleetAttributes or ListContainerFleets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fleet {
    /// The fleet's id.
    pub fleet_id: FleetId,
    /// The fleet's ARN, as given.
    pub fleet_arn: Option<String>,
    /// Home Region.
    pub region: Region,
    /// EC2 on-demand, Spot, container or Anywhere.
    pub kind: ComputeKind,
    /// Name; container fleets have none and are known by their description or id.
    pub name: Option<String>,
    /// Description.
    pub description: Option<String>,
    /// Status.
    pub status: FleetStatus,
    /// EC2 instance type; an open string, AWS adds types all the time.
    pub instance_type: Option<String>,
    /// When the fleet was created.
    pub creation_time: Option<Timestamp>,
    /// When the fleet was deleted.
    pub termination_time: Option<Timestamp>,
    /// Build it runs.
    pub build_id: Option<BuildId>,
    /// Realtime script it runs.
    pub script_id: Option<ScriptId>,
    /// Operating system.
    pub operating_system: Option<String>,
    /// Protection of new game sessions.
    pub new_game_session_protection_policy: Option<ProtectionPolicy>,
    /// Limit on sessions per creator.
    pub creator_limit: Option<CreatorLimit>,
    /// Metric groups (AWS: none or one).
    pub metric_groups: Vec<String>,
    /// `AUTO_SCALING` when scaling is suspended in the home Region.
    pub stopped_actions: Vec<String>,
    /// Role of the instances.
    pub instance_role_arn: Option<String>,
    /// `GENERATED` or `DISABLED`.
    pub certificate_type: Option<String>,
    /// Cost of an Anywhere fleet, as given.
    pub anywhere_cost: Option<String>,
    /// Player gateway mode.
    pub player_gateway_mode: Option<String>,
    /// What only container fleets have.
    pub container: Option<ContainerDetails>,
}

impl Fleet {
    /// What to call the fleet: its name, else its description, else its id.
    pub fn display_name(&self) -> &str {
        self.name.as_deref().or(self.description.as_deref()).unwrap_or(self.fleet_id.as_str())
    }

    /// Whether its status lets it host game sessions: ACTIVE, or UPDATING for a container fleet.
    pub const fn can_host(&self) -> bool {
        matches!(self.status, FleetStatus::Active | FleetStatus::Updating)
    }

    /// Whether automatic scaling is suspended in its home Region. Other locations tell it of themselves.
    pub fn is_scaling_suspended(&self) -> bool {
        self.stopped_actions.iter().any(|action| action == "AUTO_SCALING")
    }
}

/// A fleet's location, from DescribeFleetLocationAttributes; the home location included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FleetLocation {
    /// Location.
    pub location: Location,
    /// Status.
    pub status: FleetStatus,
    /// Whether scaling is suspended here.
    pub scaling_suspended: bool,
    /// Whether a Stop/StartFleetActions is still under way.
    pub update_pending: bool,
    /// Player gateway status.
    pub player_gateway_status: Option<String>,
}

/// Instance counts of one fleet location, from DescribeFleetCapacity or DescribeFleetLocationCapacity.
/// AWS: a change can take one minute to show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FleetCapacity {
    /// Fleet.
    pub fleet_id: FleetId,
    /// Location; the home Region for the fleet-wide call.
    pub location: Location,
    /// Desired instances.
    pub desired: i32,
    /// Lower limit of scaling.
    pub minimum: i32,
    /// Upper limit of scaling.
    pub maximum: i32,
    /// Instances starting.
    pub pending: i32,
    /// Instances that can host game sessions.
    pub active: i32,
    /// Active instances without a game session.
    pub idle: i32,
    /// Instances terminating.
    pub terminating: i32,
    /// `MANUAL` or `SCALE_TO_AND_FROM_ZERO`.
    pub zero_capacity_strategy: Option<String>,
    /// Container fleets: game server container groups.
    pub container_groups: Option<ContainerGroupCounts>,
}

/// How many instances of a type an account has in a location, and may have, from DescribeEC2InstanceLimits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstanceLimit {
    /// EC2 instance type; an open string.
    pub instance_type: String,
    /// Location; the home Region if the answer names none.
    pub location: Location,
    /// Instances that the account's fleets have (AWS: `CurrentInstances`).
    pub current: i32,
    /// Instances that the account may have (AWS: `InstanceLimit`).
    pub limit: i32,
}

/// Game server container groups of one location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContainerGroupCounts {
    /// Starting.
    pub pending: i32,
    /// Ready to host or hosting.
    pub active: i32,
    /// Without a game session.
    pub idle: i32,
    /// Terminating.
    pub terminating: i32,
}

/// Load of one fleet location, from DescribeFleetUtilization or DescribeFleetLocationUtilization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FleetUtilization {
    /// Fleet.
    pub fleet_id: FleetId,
    /// Location.
    pub location: Location,
    /// Server processes running.
    pub active_server_process_count: i32,
    /// Game sessions running.
    pub active_game_session_count: i32,
    /// Player sessions ACTIVE or RESERVED.
    pub current_player_session_count: i32,
    /// Player slots over all game sessions.
    pub maximum_player_session_count: i32,
}

/// An entry of DescribeFleetEvents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FleetEvent {
    /// Unique per event.
    pub event_id: String,
    /// Fleet.
    pub fleet_id: FleetId,
    /// What it is about.
    pub event_code: FleetEventCode,
    /// Free text.
    pub message: Option<String>,
    /// When.
    pub event_time: Timestamp,
    /// How often it occurred (AWS: 1 to 101).
    pub count: i64,
    /// Whether a log could be downloaded when we saw it (AWS: the link is valid for 15 minutes).
    pub has_log: bool,
}

/// A scaling policy of a fleet in one location.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScalingPolicy {
    /// Fleet.
    pub fleet_id: FleetId,
    /// Name; identifies the policy together with the fleet.
    pub name: String,
    /// AWS sends one record per location.
    pub location: Option<Location>,
    /// Status; stays ACTIVE while scaling is suspended.
    pub status: Option<String>,
    /// Target or rule based.
    pub policy_type: PolicyType,
    /// Scaling metric's name (not the CloudWatch name).
    pub metric_name: String,
    /// Target based: percent of available game sessions to keep.
    pub target_value: Option<f64>,
    /// Rule based: comparison.
    pub comparison_operator: Option<String>,
    /// Rule based: threshold.
    pub threshold: Option<f64>,
    /// Rule based: minutes the comparison must hold.
    pub evaluation_periods: Option<i32>,
    /// Rule based: `ChangeInCapacity`, `ExactCapacity` or `PercentChangeInCapacity`.
    pub scaling_adjustment_type: Option<String>,
    /// Rule based: by how much.
    pub scaling_adjustment: Option<i32>,
    /// `PENDING_UPDATE` until the location has the policy.
    pub update_status: Option<String>,
}

impl ScalingPolicy {
    /// Whether it is being deleted or already gone: AWS lists such a policy for a while.
    pub fn is_leaving(&self) -> bool {
        self.status.as_deref().is_some_and(|status| status.starts_with("DELET"))
    }
}

/// One server process of a runtime configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerProcess {
    /// Executable or script.
    pub launch_path: String,
    /// Its parameters.
    pub parameters: Option<String>,
    /// Processes per instance.
    pub concurrent_executions: i32,
}

/// How server processes are run on each instance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuntimeConfiguration {
    /// Processes.
    pub server_processes: Vec<ServerProcess>,
    /// Sessions activating at once, per instance.
    pub max_concurrent_game_session_activations: Option<i32>,
    /// A session not ACTIVE in this many seconds becomes TERMINATED.
    pub game_session_activation_timeout_seconds: Option<i32>,
}

impl RuntimeConfiguration {
    /// Server processes that run on each instance.
    pub fn processes_per_instance(&self) -> i64 {
        self.server_processes.iter().map(|process| i64::from(process.concurrent_executions)).sum()
    }
}

/// An inbound permission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpPermission {
    /// First port.
    pub from_port: i32,
    /// Last port.
    pub to_port: i32,
    /// CIDR.
    pub ip_range: String,
    /// `TCP` or `UDP`.
    pub protocol: String,
}

/// A compute, from DescribeInstances (EC2) or ListCompute (Anywhere, container).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compute {
    /// Fleet.
    pub fleet_id: FleetId,
    /// EC2 instance id, container group compute name or Anywhere name; GameSession.ComputeName refers to it.
    pub compute_name: String,
    /// EC2 instance id, where there is one.
    pub instance_id: Option<String>,
    /// Status.
    pub status: ComputeStatus,
    /// Location.
    pub location: Location,
    /// Instance type.
    pub instance_type: Option<String>,
    /// Address.
    pub ip_address: Option<String>,
    /// DNS name.
    pub dns_name: Option<String>,
    /// Operating system.
    pub operating_system: Option<String>,
    /// When it was created.
    pub creation_time: Option<Timestamp>,
}

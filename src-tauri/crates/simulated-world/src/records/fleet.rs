//! Fleets: attributes, runtime configuration, ports, scaling policies and events.

use super::{LocationUpdateStatus, wire_enum};

wire_enum!(/// Whether instances are on-demand or Spot.
FleetType { OnDemand = "ON_DEMAND", Spot = "SPOT" });
wire_enum!(/// What hosts the game servers of a fleet.
ComputeType { Ec2 = "EC2", Anywhere = "ANYWHERE" });
wire_enum!(/// Life cycle of a fleet and of each of its locations.
FleetStatus {
    New = "NEW", Downloading = "DOWNLOADING", Validating = "VALIDATING", Building = "BUILDING",
    Activating = "ACTIVATING", Active = "ACTIVE", Deleting = "DELETING", Error = "ERROR",
    Terminated = "TERMINATED", NotFound = "NOT_FOUND", Expired = "EXPIRED",
});
wire_enum!(/// Whether scale-down may end a running game session.
ProtectionPolicy { NoProtection = "NoProtection", FullProtection = "FullProtection" });
wire_enum!(/// TLS certificates of a fleet.
CertificateType { Disabled = "DISABLED", Generated = "GENERATED" });
wire_enum!(/// Operating systems of builds, fleets and computes.
OperatingSystem {
    AmazonLinux2 = "AMAZON_LINUX_2", AmazonLinux2023 = "AMAZON_LINUX_2023", Windows2016 = "WINDOWS_2016",
    Windows2022 = "WINDOWS_2022",
});
wire_enum!(/// Transport protocols.
IpProtocol { Tcp = "TCP", Udp = "UDP" });
wire_enum!(/// Activities that can be stopped in a location.
FleetAction { AutoScaling = "AUTO_SCALING" });
wire_enum!(/// Kinds of scaling policy.
PolicyType { RuleBased = "RuleBased", TargetBased = "TargetBased" });
wire_enum!(/// State of a scaling policy.
ScalingStatusType {
    Active = "ACTIVE", UpdateRequested = "UPDATE_REQUESTED", Updating = "UPDATING",
    DeleteRequested = "DELETE_REQUESTED", Deleting = "DELETING", Deleted = "DELETED", Error = "ERROR",
});
wire_enum!(/// How a rule-based policy changes capacity.
ScalingAdjustmentType {
    ChangeInCapacity = "ChangeInCapacity", ExactCapacity = "ExactCapacity",
    PercentChangeInCapacity = "PercentChangeInCapacity",
});
wire_enum!(/// How a rule-based policy compares its metric.
ComparisonOperatorType {
    GreaterThanOrEqualToThreshold = "GreaterThanOrEqualToThreshold",
    GreaterThanThreshold = "GreaterThanThreshold", LessThanThreshold = "LessThanThreshold",
    LessThanOrEqualToThreshold = "LessThanOrEqualToThreshold",
});
wire_enum!(/// Metrics a scaling policy can watch.
MetricName {
    ActivatingGameSessions = "ActivatingGameSessions", ActiveGameSessions = "ActiveGameSessions",
    ActiveInstances = "ActiveInstances", AvailableGameSessions = "AvailableGameSessions",
    AvailablePlayerSessions = "AvailablePlayerSessions", CurrentPlayerSessions = "CurrentPlayerSessions",
    IdleInstances = "IdleInstances", PercentAvailableGameSessions = "PercentAvailableGameSessions",
    PercentIdleInstances = "PercentIdleInstances", QueueDepth = "QueueDepth", WaitTime = "WaitTime",
    ConcurrentActivatableGameSessions = "ConcurrentActivatableGameSessions",
});
wire_enum!(/// Fleet event codes this world emits.
EventCode {
    FleetCreated = "FLEET_CREATED", FleetScalingEvent = "FLEET_SCALING_EVENT",
    FleetStateDownloading = "FLEET_STATE_DOWNLOADING", FleetStateValidating = "FLEET_STATE_VALIDATING",
    FleetStateBuilding = "FLEET_STATE_BUILDING", FleetStateActivating = "FLEET_STATE_ACTIVATING",
    FleetStateActive = "FLEET_STATE_ACTIVE", FleetStatePending = "FLEET_STATE_PENDING",
    FleetStateCreating = "FLEET_STATE_CREATING", FleetStateCreated = "FLEET_STATE_CREATED",
    ServerProcessCrashed = "SERVER_PROCESS_CRASHED",
    ServerProcessTerminatedUnhealthy = "SERVER_PROCESS_TERMINATED_UNHEALTHY",
    ServerProcessForceTerminated = "SERVER_PROCESS_FORCE_TERMINATED",
    GameSessionActivationTimeout = "GAME_SESSION_ACTIVATION_TIMEOUT",
    FleetCreationExtractingBuild = "FLEET_CREATION_EXTRACTING_BUILD",
    FleetCreationRunningInstaller = "FLEET_CREATION_RUNNING_INSTALLER",
    FleetCreationValidatingRuntimeConfig = "FLEET_CREATION_VALIDATING_RUNTIME_CONFIG",
    FleetCreationCompletedInstaller = "FLEET_CREATION_COMPLETED_INSTALLER",
    InstanceInterrupted = "INSTANCE_INTERRUPTED", InstanceRecycled = "INSTANCE_RECYCLED",
    GameServerContainerGroupCrashed = "GAME_SERVER_CONTAINER_GROUP_CRASHED",
    LocationStateActivating = "LOCATION_STATE_ACTIVATING", LocationStateActive = "LOCATION_STATE_ACTIVE",
    LocationStatePending = "LOCATION_STATE_PENDING", LocationStateDeleting = "LOCATION_STATE_DELETING",
    LocationStateDeleted = "LOCATION_STATE_DELETED", FleetDeleted = "FLEET_DELETED",
    FleetStateError = "FLEET_STATE_ERROR", FleetStateUpdating = "FLEET_STATE_UPDATING",
    FleetValidationLaunchPathNotFound = "FLEET_VALIDATION_LAUNCH_PATH_NOT_FOUND",
    FleetNewGameSessionProtectionPolicyUpdated = "FLEET_NEW_GAME_SESSION_PROTECTION_POLICY_UPDATED",
});

/// `FleetAttributes` of an EC2 or Anywhere fleet.
#[derive(Clone, Debug, PartialEq)]
pub struct FleetAttributes {
    /// `fleet-…`.
    pub fleet_id: String,
    /// `arn:aws:gamelift:<region>::fleet/fleet-…`.
    pub fleet_arn: String,
    /// EC2 fleets only.
    pub fleet_type: Option<FleetType>,
    /// EC2 fleets only.
    pub instance_type: Option<String>,
    /// Free text.
    pub description: Option<String>,
    /// Not unique.
    pub name: String,
    /// Epoch milliseconds.
    pub creation_time_ms: i64,
    /// Epoch milliseconds; only once terminated.
    pub termination_time_ms: Option<i64>,
    /// State of the home location.
    pub status: FleetStatus,
    /// The build it runs, if it runs one.
    pub build_id: Option<String>,
    /// ARN of that build.
    pub build_arn: Option<String>,
    /// The Realtime script it runs, if it runs one.
    pub script_id: Option<String>,
    /// ARN of that script.
    pub script_arn: Option<String>,
    /// For new sessions only.
    pub new_game_session_protection_policy: Option<ProtectionPolicy>,
    /// Absent for Anywhere fleets.
    pub operating_system: Option<OperatingSystem>,
    /// Limit on the sessions that one creator may create.
    pub resource_creation_limit_policy: Option<ResourceCreationLimitPolicy>,
    /// At most one.
    pub metric_groups: Vec<String>,
    /// Actions that are stopped in the home location.
    pub stopped_actions: Vec<FleetAction>,
    /// Role of the instances.
    pub instance_role_arn: Option<String>,
    /// TLS certificates.
    pub certificate_type: Option<CertificateType>,
    /// EC2 or Anywhere.
    pub compute_type: ComputeType,
    /// `AnywhereConfiguration.Cost`, digits with up to five decimals; Anywhere fleets only.
    pub anywhere_cost: Option<String>,
}

/// Limit on the sessions that one creator may create in a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResourceCreationLimitPolicy {
    /// Sessions that one creator may create within the period.
    pub new_game_sessions_per_creator: u32,
    /// Length of the period in minutes.
    pub policy_period_in_minutes: u32,
}

/// `RuntimeConfiguration` of a fleet.
#[derive(Clone, Debug, PartialEq)]
pub struct RuntimeConfiguration {
    /// The processes that each instance starts.
    pub server_processes: Vec<ServerProcess>,
    /// Per instance.
    pub max_concurrent_game_session_activations: Option<u32>,
    /// 1..=600.
    pub game_session_activation_timeout_seconds: Option<u32>,
}

/// One line of a runtime configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct ServerProcess {
    /// Path of the executable or the script's main file.
    pub launch_path: String,
    /// Its arguments.
    pub parameters: Option<String>,
    /// How many of these processes each instance runs.
    pub concurrent_executions: u32,
}

/// `IpPermission`: one inbound rule.
#[derive(Clone, Debug, PartialEq)]
pub struct IpPermission {
    /// First port.
    pub from_port: u16,
    /// Last port.
    pub to_port: u16,
    /// CIDR.
    pub ip_range: String,
    /// Transport.
    pub protocol: IpProtocol,
}

/// `ScalingPolicy` in one location.
#[derive(Clone, Debug, PartialEq)]
pub struct ScalingPolicy {
    /// The fleet.
    pub fleet_id: String,
    /// Its ARN.
    pub fleet_arn: String,
    /// Unique within the fleet.
    pub name: String,
    /// Stays ACTIVE while actions are stopped.
    pub status: ScalingStatusType,
    /// Rule-based only.
    pub scaling_adjustment: Option<i32>,
    /// Rule-based only.
    pub scaling_adjustment_type: Option<ScalingAdjustmentType>,
    /// Rule-based only.
    pub comparison_operator: Option<ComparisonOperatorType>,
    /// Rule-based only.
    pub threshold: Option<f64>,
    /// Minutes; rule-based only.
    pub evaluation_periods: Option<u32>,
    /// The metric watched.
    pub metric_name: MetricName,
    /// Rule or target.
    pub policy_type: PolicyType,
    /// `TargetConfiguration.TargetValue`; target-based only.
    pub target_value: Option<f64>,
    /// Present while a new policy is still being applied in the location.
    pub update_status: Option<LocationUpdateStatus>,
    /// The location of this record.
    pub location: String,
}

/// `Event` of a fleet.
#[derive(Clone, Debug, PartialEq)]
pub struct FleetEvent {
    /// Unique.
    pub event_id: String,
    /// The fleet's id.
    pub resource_id: String,
    /// What happened.
    pub event_code: EventCode,
    /// Free text.
    pub message: String,
    /// Epoch milliseconds.
    pub event_time_ms: i64,
    /// Only on the creation steps.
    pub pre_signed_log_url: Option<String>,
    /// 1..=101.
    pub count: u32,
}

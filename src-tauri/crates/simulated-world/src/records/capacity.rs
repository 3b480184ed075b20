//! Capacity of fleet locations: counts, utilization, instances and computes.

use super::{FleetAction, FleetStatus, OperatingSystem, wire_enum};

wire_enum!(/// State of an instance.
InstanceStatus { Pending = "PENDING", Active = "ACTIVE", Terminating = "TERMINATING" });
wire_enum!(/// State of a compute. EC2 and Anywhere fleets show `Active`, which the enum of the API model lacks.
ComputeStatus {
    Pending = "PENDING", Active = "Active", ActiveContainer = "ACTIVE", Terminating = "TERMINATING",
    Impaired = "IMPAIRED",
});
wire_enum!(/// Present while StopFleetActions or StartFleetActions is not finished in a location.
LocationUpdateStatus { PendingUpdate = "PENDING_UPDATE" });
wire_enum!(/// What happens at zero capacity.
ZeroCapacityStrategy { Manual = "MANUAL", ScaleToAndFromZero = "SCALE_TO_AND_FROM_ZERO" });

/// `FleetCapacity` of one location.
#[derive(Clone, Debug, PartialEq)]
pub struct FleetCapacity {
    /// The fleet.
    pub fleet_id: String,
    /// Its ARN.
    pub fleet_arn: String,
    /// EC2 type.
    pub instance_type: String,
    /// Instances by state.
    pub instance_counts: Ec2InstanceCounts,
    /// The location.
    pub location: String,
    /// Container fleets only.
    pub game_server_container_group_counts: Option<GameServerContainerGroupCounts>,
    /// Container fleets and locations that scale to zero.
    pub zero_capacity_strategy: Option<ZeroCapacityStrategy>,
    /// Minutes without use before it scales to zero; only with a strategy that does so.
    pub scale_in_after_inactivity_minutes: Option<u32>,
}

/// `EC2InstanceCounts`; the wire keys are in upper case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ec2InstanceCounts {
    /// Requested; a change takes up to a minute to show.
    pub desired: u32,
    /// Lower limit.
    pub minimum: u32,
    /// Upper limit.
    pub maximum: u32,
    /// Starting.
    pub pending: u32,
    /// Ready to host.
    pub active: u32,
    /// Active without a game session.
    pub idle: u32,
    /// Shutting down.
    pub terminating: u32,
}

/// `GameServerContainerGroupCounts`; the wire keys are in upper case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameServerContainerGroupCounts {
    /// Starting.
    pub pending: u32,
    /// Running.
    pub active: u32,
    /// Running without a game session.
    pub idle: u32,
    /// Shutting down.
    pub terminating: u32,
}

/// `FleetUtilization` of one location.
#[derive(Clone, Debug, PartialEq)]
pub struct FleetUtilization {
    /// The fleet.
    pub fleet_id: String,
    /// Its ARN.
    pub fleet_arn: String,
    /// Running processes, with or without a session.
    pub active_server_process_count: u32,
    /// Sessions that are ACTIVE.
    pub active_game_session_count: u32,
    /// Players ACTIVE or RESERVED.
    pub current_player_session_count: u32,
    /// Player slots of those sessions.
    pub maximum_player_session_count: u32,
    /// The location.
    pub location: String,
}

/// `LocationAttributes` of a fleet's location.
#[derive(Clone, Debug, PartialEq)]
pub struct LocationAttributes {
    /// The location.
    pub location: String,
    /// Its state.
    pub status: FleetStatus,
    /// Actions that are stopped here.
    pub stopped_actions: Vec<FleetAction>,
    /// Present while a stop or start is under way.
    pub update_status: Option<LocationUpdateStatus>,
}

/// `Instance` of an EC2 fleet.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// The fleet.
    pub fleet_id: String,
    /// Its ARN.
    pub fleet_arn: String,
    /// `i-…`.
    pub instance_id: String,
    /// Public address; absent while PENDING.
    pub ip_address: Option<String>,
    /// Public name; absent while PENDING.
    pub dns_name: Option<String>,
    /// Operating system.
    pub operating_system: OperatingSystem,
    /// EC2 type (`Type` on the wire).
    pub instance_type: String,
    /// State.
    pub status: InstanceStatus,
    /// Epoch milliseconds.
    pub creation_time_ms: i64,
    /// The location.
    pub location: String,
}

/// `Compute` of any fleet.
#[derive(Clone, Debug, PartialEq)]
pub struct Compute {
    /// The fleet.
    pub fleet_id: String,
    /// Its ARN.
    pub fleet_arn: String,
    /// EC2: the instance id.
    pub compute_name: String,
    /// Absent for EC2 instances.
    pub compute_arn: Option<String>,
    /// Address; absent while PENDING.
    pub ip_address: Option<String>,
    /// Name; absent while PENDING and for Anywhere.
    pub dns_name: Option<String>,
    /// State.
    pub compute_status: ComputeStatus,
    /// The location.
    pub location: String,
    /// Epoch milliseconds.
    pub creation_time_ms: i64,
    /// Absent for Anywhere.
    pub operating_system: Option<OperatingSystem>,
    /// EC2 type (`Type` on the wire); absent for Anywhere.
    pub instance_type: Option<String>,
    /// Where server processes register.
    pub game_lift_service_sdk_endpoint: Option<String>,
    /// EC2 instance behind a container group.
    pub instance_id: Option<String>,
    /// Container groups only.
    pub container_attributes: Vec<ContainerAttribute>,
    /// Container groups only.
    pub game_server_container_group_definition_arn: Option<String>,
}

/// One container of a container group compute.
#[derive(Clone, Debug, PartialEq)]
pub struct ContainerAttribute {
    /// Name in the definition.
    pub container_name: String,
    /// Id of the running container.
    pub container_runtime_id: String,
}

//! Container fleets, their group definitions and deployments.

use super::{IpPermission, IpProtocol, ProtectionPolicy, ResourceCreationLimitPolicy, wire_enum};

wire_enum!(/// Whether instances are on-demand or Spot.
ContainerFleetBillingType { OnDemand = "ON_DEMAND", Spot = "SPOT" });
wire_enum!(/// State of a container fleet and of its locations.
ContainerFleetStatus {
    Pending = "PENDING", Creating = "CREATING", Created = "CREATED", Activating = "ACTIVATING",
    Active = "ACTIVE", Updating = "UPDATING", Deleting = "DELETING", Expired = "EXPIRED",
});
wire_enum!(/// Kind of container group.
ContainerGroupType { GameServer = "GAME_SERVER", PerInstance = "PER_INSTANCE" });
wire_enum!(/// State of a container group definition.
ContainerGroupDefinitionStatus { Ready = "READY", Copying = "COPYING", Failed = "FAILED" });
wire_enum!(/// Operating system of containers.
ContainerOperatingSystem { AmazonLinux2023 = "AMAZON_LINUX_2023" });
wire_enum!(/// State of a deployment.
DeploymentStatus {
    InProgress = "IN_PROGRESS", Impaired = "IMPAIRED", Complete = "COMPLETE",
    RollbackInProgress = "ROLLBACK_IN_PROGRESS", RollbackComplete = "ROLLBACK_COMPLETE",
    Cancelled = "CANCELLED", Pending = "PENDING",
});
wire_enum!(/// What a deployment does with protected sessions.
DeploymentProtectionStrategy { WithProtection = "WITH_PROTECTION", IgnoreProtection = "IGNORE_PROTECTION" });
wire_enum!(/// What a deployment does when it fails.
DeploymentImpairmentStrategy { Maintain = "MAINTAIN", Rollback = "ROLLBACK" });
wire_enum!(/// Where container logs go.
LogDestination { None = "NONE", CloudWatch = "CLOUDWATCH", S3 = "S3" });

/// `ContainerFleet`.
#[derive(Clone, Debug, PartialEq)]
pub struct ContainerFleet {
    /// `containerfleet-…`.
    pub fleet_id: String,
    /// `arn:aws:gamelift:<region>:<account>:containerfleet/containerfleet-…`.
    pub fleet_arn: String,
    /// Role of the fleet.
    pub fleet_role_arn: String,
    /// Name of the game server group definition.
    pub game_server_container_group_definition_name: String,
    /// ARN with version.
    pub game_server_container_group_definition_arn: String,
    /// Ports the fleet opens to players.
    pub instance_connection_port_range: ConnectionPortRange,
    /// Inbound rules.
    pub instance_inbound_permissions: Vec<IpPermission>,
    /// 1..=5000.
    pub game_server_container_groups_per_instance: u32,
    /// Calculated by the service.
    pub maximum_game_server_container_groups_per_instance: u32,
    /// EC2 type.
    pub instance_type: String,
    /// On-demand or Spot.
    pub billing_type: ContainerFleetBillingType,
    /// Free text.
    pub description: Option<String>,
    /// Epoch milliseconds.
    pub creation_time_ms: i64,
    /// At most one.
    pub metric_groups: Vec<String>,
    /// For new sessions only.
    pub new_game_session_protection_policy: ProtectionPolicy,
    /// Limit on the sessions that one creator may create.
    pub game_session_creation_limit_policy: Option<ResourceCreationLimitPolicy>,
    /// State.
    pub status: ContainerFleetStatus,
    /// `DeploymentDetails.LatestDeploymentId`.
    pub latest_deployment_id: String,
    /// Where logs go.
    pub log_configuration: LogConfiguration,
    /// One per location.
    pub location_attributes: Vec<ContainerFleetLocationAttributes>,
}

/// A range of ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionPortRange {
    /// First port.
    pub from_port: u16,
    /// Last port.
    pub to_port: u16,
}

/// Where the logs of a container fleet go.
#[derive(Clone, Debug, PartialEq)]
pub struct LogConfiguration {
    /// Kind of destination.
    pub log_destination: LogDestination,
    /// Log group, when it is CloudWatch.
    pub log_group_arn: Option<String>,
    /// Bucket, when it is S3.
    pub s3_bucket_name: Option<String>,
}

/// State of one location of a container fleet.
#[derive(Clone, Debug, PartialEq)]
pub struct ContainerFleetLocationAttributes {
    /// The location.
    pub location: String,
    /// State.
    pub status: ContainerFleetStatus,
}

/// `FleetDeployment` with its per-location states.
#[derive(Clone, Debug, PartialEq)]
pub struct FleetDeployment {
    /// Id.
    pub deployment_id: String,
    /// The fleet.
    pub fleet_id: String,
    /// Definition that is deployed, with its version.
    pub game_server_binary_arn: String,
    /// Definition to fall back to; absent for the first deployment.
    pub rollback_game_server_binary_arn: Option<String>,
    /// State.
    pub deployment_status: DeploymentStatus,
    /// Part of `DeploymentConfiguration`.
    pub protection_strategy: DeploymentProtectionStrategy,
    /// Part of `DeploymentConfiguration`; 30..=75.
    pub minimum_healthy_percentage: u32,
    /// Part of `DeploymentConfiguration`.
    pub impairment_strategy: DeploymentImpairmentStrategy,
    /// Epoch milliseconds.
    pub creation_time_ms: i64,
    /// `LocationalDeployments` of DescribeFleetDeployment: location and state.
    pub locational_deployments: Vec<(String, DeploymentStatus)>,
}

/// `ContainerGroupDefinition`, one version.
#[derive(Clone, Debug, PartialEq)]
pub struct ContainerGroupDefinition {
    /// ARN with version.
    pub container_group_definition_arn: String,
    /// Epoch milliseconds.
    pub creation_time_ms: i64,
    /// Operating system of the containers.
    pub operating_system: ContainerOperatingSystem,
    /// Name, shared by all versions.
    pub name: String,
    /// Kind of group.
    pub container_group_type: ContainerGroupType,
    /// MiB for the whole group.
    pub total_memory_limit_mebibytes: u32,
    /// vCPUs for the whole group.
    pub total_vcpu_limit: f64,
    /// The game server container; GAME_SERVER groups only.
    pub game_server_container_definition: Option<GameServerContainerDefinition>,
    /// Support containers.
    pub support_container_definitions: Vec<SupportContainerDefinition>,
    /// 1 and up.
    pub version_number: u32,
    /// Free text.
    pub version_description: Option<String>,
    /// State.
    pub status: ContainerGroupDefinitionStatus,
}

/// The game server container of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct GameServerContainerDefinition {
    /// Name.
    pub container_name: String,
    /// Image by tag.
    pub image_uri: String,
    /// Ports.
    pub port_configuration: Vec<ContainerPortRange>,
    /// `sha256:…`.
    pub resolved_image_digest: String,
    /// x.y.z.
    pub server_sdk_version: String,
}

/// A support container of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct SupportContainerDefinition {
    /// Name.
    pub container_name: String,
    /// Whether the group ends if this container does.
    pub essential: bool,
    /// Image by tag.
    pub image_uri: String,
    /// MiB.
    pub memory_hard_limit_mebibytes: u32,
    /// `sha256:…`.
    pub resolved_image_digest: String,
    /// vCPUs.
    pub vcpu: f64,
}

/// Ports a container opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContainerPortRange {
    /// First port.
    pub from_port: u16,
    /// Last port.
    pub to_port: u16,
    /// Transport.
    pub protocol: IpProtocol,
}

/// `ContainerPortMapping`: where a port of a container is reached on its instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortMapping {
    /// Port of the container.
    pub container_port: u16,
    /// Port of the instance.
    pub connection_port: u16,
    /// Transport.
    pub protocol: IpProtocol,
}

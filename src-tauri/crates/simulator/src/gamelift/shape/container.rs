//! Container fleets, their group definitions and deployments.

use super::NO_GATEWAY;
use crate::wire::{At, Filled, enumerations, in_place, structure};
use liftdeck_simulated_world::records::{
    ConnectionPortRange, ContainerFleet, ContainerFleetBillingType, ContainerFleetLocationAttributes,
    ContainerFleetStatus, ContainerGroupDefinition, ContainerGroupDefinitionStatus, ContainerGroupType,
    ContainerOperatingSystem, ContainerPortRange, DeploymentImpairmentStrategy, DeploymentProtectionStrategy,
    DeploymentStatus, FleetDeployment, GameServerContainerDefinition, LogConfiguration, LogDestination,
    SupportContainerDefinition,
};

enumerations!(
    ContainerFleetBillingType,
    ContainerFleetStatus,
    ContainerGroupDefinitionStatus,
    ContainerGroupType,
    ContainerOperatingSystem,
    DeploymentImpairmentStrategy,
    DeploymentProtectionStrategy,
    DeploymentStatus,
    LogDestination,
);

structure!(ContainerFleet, fleet, {
    "FleetId" => fleet.fleet_id,
    "FleetArn" => fleet.fleet_arn,
    "FleetRoleArn" => fleet.fleet_role_arn,
    "GameServerContainerGroupDefinitionName" => fleet.game_server_container_group_definition_name,
    "GameServerContainerGroupDefinitionArn" => fleet.game_server_container_group_definition_arn,
    "InstanceConnectionPortRange" => fleet.instance_connection_port_range,
    "InstanceInboundPermissions" => fleet.instance_inbound_permissions,
    "GameServerContainerGroupsPerInstance" => fleet.game_server_container_groups_per_instance,
    "MaximumGameServerContainerGroupsPerInstance" => fleet.maximum_game_server_container_groups_per_instance,
    "InstanceType" => fleet.instance_type,
    "BillingType" => fleet.billing_type,
    "Description" => fleet.description,
    "CreationTime" => At(fleet.creation_time_ms),
    "MetricGroups" => fleet.metric_groups,
    "NewGameSessionProtectionPolicy" => fleet.new_game_session_protection_policy,
    "GameSessionCreationLimitPolicy" => fleet.game_session_creation_limit_policy,
    "Status" => fleet.status,
    "DeploymentDetails" => in_place!({ "LatestDeploymentId" => fleet.latest_deployment_id }),
    "LogConfiguration" => fleet.log_configuration,
    "LocationAttributes" => fleet.location_attributes,
    "PlayerGatewayMode" => NO_GATEWAY,
});

structure!(ConnectionPortRange, range, {
    "FromPort" => range.from_port,
    "ToPort" => range.to_port,
});

structure!(LogConfiguration, configuration, {
    "LogDestination" => configuration.log_destination,
    "S3BucketName" => configuration.s3_bucket_name,
    "LogGroupArn" => configuration.log_group_arn,
});

structure!(ContainerFleetLocationAttributes, attributes, {
    "Location" => attributes.location,
    "Status" => attributes.status,
    "PlayerGatewayStatus" => NO_GATEWAY,
});

structure!(FleetDeployment, deployment, {
    "DeploymentId" => deployment.deployment_id,
    "FleetId" => deployment.fleet_id,
    "GameServerBinaryArn" => deployment.game_server_binary_arn,
    "RollbackGameServerBinaryArn" => deployment.rollback_game_server_binary_arn,
    "DeploymentStatus" => deployment.deployment_status,
    "DeploymentConfiguration" => in_place!({
        "ProtectionStrategy" => deployment.protection_strategy,
        "MinimumHealthyPercentage" => deployment.minimum_healthy_percentage,
        "ImpairmentStrategy" => deployment.impairment_strategy,
    }),
    "CreationTime" => At(deployment.creation_time_ms),
});

structure!(ContainerGroupDefinition, definition, {
    "ContainerGroupDefinitionArn" => definition.container_group_definition_arn,
    "CreationTime" => At(definition.creation_time_ms),
    "OperatingSystem" => definition.operating_system,
    "Name" => definition.name,
    "ContainerGroupType" => definition.container_group_type,
    "TotalMemoryLimitMebibytes" => definition.total_memory_limit_mebibytes,
    "TotalVcpuLimit" => definition.total_vcpu_limit,
    "GameServerContainerDefinition" => definition.game_server_container_definition,
    "SupportContainerDefinitions" => Filled(&definition.support_container_definitions),
    "VersionNumber" => definition.version_number,
    "VersionDescription" => definition.version_description,
    "Status" => definition.status,
});

structure!(GameServerContainerDefinition, container, {
    "ContainerName" => container.container_name,
    "ImageUri" => container.image_uri,
    "PortConfiguration" => in_place!({ "ContainerPortRanges" => container.port_configuration }),
    "ResolvedImageDigest" => container.resolved_image_digest,
    "ServerSdkVersion" => container.server_sdk_version,
});

structure!(SupportContainerDefinition, container, {
    "ContainerName" => container.container_name,
    "Essential" => container.essential,
    "ImageUri" => container.image_uri,
    "MemoryHardLimitMebibytes" => container.memory_hard_limit_mebibytes,
    "ResolvedImageDigest" => container.resolved_image_digest,
    "Vcpu" => container.vcpu,
});

structure!(ContainerPortRange, range, {
    "FromPort" => range.from_port,
    "ToPort" => range.to_port,
    "Protocol" => range.protocol,
});

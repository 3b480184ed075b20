//! Capacity and utilization of locations, instances and computes.

use super::NO_GATEWAY;
use crate::wire::{At, Filled, enumerations, in_place, structure};
use liftdeck_simulated_world::records::{
    Compute, ComputeStatus, ContainerAttribute, Ec2InstanceCounts, FleetCapacity, FleetUtilization,
    GameServerContainerGroupCounts, Instance, InstanceStatus, LocationAttributes, LocationUpdateStatus,
    ZeroCapacityStrategy,
};

enumerations!(ComputeStatus, InstanceStatus, LocationUpdateStatus, ZeroCapacityStrategy);

structure!(FleetCapacity, capacity, {
    "FleetId" => capacity.fleet_id,
    "FleetArn" => capacity.fleet_arn,
    "InstanceType" => capacity.instance_type,
    "InstanceCounts" => capacity.instance_counts,
    "Location" => capacity.location,
    "GameServerContainerGroupCounts" => capacity.game_server_container_group_counts,
    "ManagedCapacityConfiguration" => capacity.zero_capacity_strategy.map(|strategy| in_place!(move {
        "ZeroCapacityStrategy" => strategy,
        "ScaleInAfterInactivityMinutes" => capacity.scale_in_after_inactivity_minutes,
    })),
});

structure!(Ec2InstanceCounts, counts, {
    "DESIRED" => counts.desired,
    "MINIMUM" => counts.minimum,
    "MAXIMUM" => counts.maximum,
    "PENDING" => counts.pending,
    "ACTIVE" => counts.active,
    "IDLE" => counts.idle,
    "TERMINATING" => counts.terminating,
});

structure!(GameServerContainerGroupCounts, counts, {
    "PENDING" => counts.pending,
    "ACTIVE" => counts.active,
    "IDLE" => counts.idle,
    "TERMINATING" => counts.terminating,
});

structure!(FleetUtilization, utilization, {
    "FleetId" => utilization.fleet_id,
    "FleetArn" => utilization.fleet_arn,
    "ActiveServerProcessCount" => utilization.active_server_process_count,
    "ActiveGameSessionCount" => utilization.active_game_session_count,
    "CurrentPlayerSessionCount" => utilization.current_player_session_count,
    "MaximumPlayerSessionCount" => utilization.maximum_player_session_count,
    "Location" => utilization.location,
});

structure!(LocationAttributes, attributes, {
    "LocationState" => in_place!({ "Location" => attributes.location, "Status" => attributes.status, "PlayerGatewayStatus" => NO_GATEWAY }),
    "StoppedActions" => Filled(&attributes.stopped_actions),
    "UpdateStatus" => attributes.update_status,
});

structure!(Instance, instance, {
    "FleetId" => instance.fleet_id,
    "FleetArn" => instance.fleet_arn,
    "InstanceId" => instance.instance_id,
    "IpAddress" => instance.ip_address,
    "DnsName" => instance.dns_name,
    "OperatingSystem" => instance.operating_system,
    "Type" => instance.instance_type,
    "Status" => instance.status,
    "CreationTime" => At(instance.creation_time_ms),
    "Location" => instance.location,
});

structure!(Compute, compute, {
    "FleetId" => compute.fleet_id,
    "FleetArn" => compute.fleet_arn,
    "ComputeName" => compute.compute_name,
    "ComputeArn" => compute.compute_arn,
    "IpAddress" => compute.ip_address,
    "DnsName" => compute.dns_name,
    "ComputeStatus" => compute.compute_status,
    "Location" => compute.location,
    "CreationTime" => At(compute.creation_time_ms),
    "OperatingSystem" => compute.operating_system,
    "Type" => compute.instance_type,
    "GameLiftServiceSdkEndpoint" => compute.game_lift_service_sdk_endpoint,
    "InstanceId" => compute.instance_id,
    "ContainerAttributes" => Filled(&compute.container_attributes),
    "GameServerContainerGroupDefinitionArn" => compute.game_server_container_group_definition_arn,
});

structure!(ContainerAttribute, attribute, {
    "ContainerName" => attribute.container_name,
    "ContainerRuntimeId" => attribute.container_runtime_id,
});

//! Fleets, their runtime configuration, ports, policies, events, builds, scripts and locations.

use super::NO_GATEWAY;
use crate::wire::{At, Filled, enumerations, in_place, structure};
use liftdeck_simulated_world::records::{
    Build, BuildStatus, CertificateType, ComparisonOperatorType, ComputeType, Ec2InstanceLimit, EventCode,
    FleetAction, FleetAttributes, FleetEvent, FleetStatus, FleetType, IpPermission, IpProtocol,
    LocationModel, MetricName, OperatingSystem, PolicyType, ProtectionPolicy, ResourceCreationLimitPolicy,
    RuntimeConfiguration, S3Location, ScalingAdjustmentType, ScalingPolicy, ScalingStatusType, Script,
    ServerProcess, UdpEndpoint,
};

enumerations!(
    BuildStatus,
    CertificateType,
    ComparisonOperatorType,
    ComputeType,
    EventCode,
    FleetAction,
    FleetStatus,
    FleetType,
    IpProtocol,
    MetricName,
    OperatingSystem,
    PolicyType,
    ProtectionPolicy,
    ScalingAdjustmentType,
    ScalingStatusType,
);

structure!(FleetAttributes, fleet, {
    "FleetId" => fleet.fleet_id,
    "FleetArn" => fleet.fleet_arn,
    "FleetType" => fleet.fleet_type,
    "InstanceType" => fleet.instance_type,
    "Description" => fleet.description,
    "Name" => fleet.name,
    "CreationTime" => At(fleet.creation_time_ms),
    "TerminationTime" => fleet.termination_time_ms.map(At),
    "Status" => fleet.status,
    "BuildId" => fleet.build_id,
    "BuildArn" => fleet.build_arn,
    "ScriptId" => fleet.script_id,
    "ScriptArn" => fleet.script_arn,
    "NewGameSessionProtectionPolicy" => fleet.new_game_session_protection_policy,
    "OperatingSystem" => fleet.operating_system,
    "ResourceCreationLimitPolicy" => fleet.resource_creation_limit_policy,
    "MetricGroups" => fleet.metric_groups,
    "StoppedActions" => Filled(&fleet.stopped_actions),
    "InstanceRoleArn" => fleet.instance_role_arn,
    "CertificateConfiguration" => fleet.certificate_type.map(|kind| in_place!(move { "CertificateType" => kind })),
    "ComputeType" => fleet.compute_type,
    "PlayerGatewayMode" => NO_GATEWAY,
    "AnywhereConfiguration" => fleet.anywhere_cost.as_ref().map(|cost| in_place!(move { "Cost" => cost })),
});

structure!(ResourceCreationLimitPolicy, policy, {
    "NewGameSessionsPerCreator" => policy.new_game_sessions_per_creator,
    "PolicyPeriodInMinutes" => policy.policy_period_in_minutes,
});

structure!(RuntimeConfiguration, configuration, {
    "ServerProcesses" => configuration.server_processes,
    "MaxConcurrentGameSessionActivations" => configuration.max_concurrent_game_session_activations,
    "GameSessionActivationTimeoutSeconds" => configuration.game_session_activation_timeout_seconds,
});

structure!(ServerProcess, process, {
    "LaunchPath" => process.launch_path,
    "Parameters" => process.parameters,
    "ConcurrentExecutions" => process.concurrent_executions,
});

structure!(IpPermission, permission, {
    "FromPort" => permission.from_port,
    "ToPort" => permission.to_port,
    "IpRange" => permission.ip_range,
    "Protocol" => permission.protocol,
});

structure!(ScalingPolicy, policy, {
    "FleetId" => policy.fleet_id,
    "FleetArn" => policy.fleet_arn,
    "Name" => policy.name,
    "Status" => policy.status,
    "ScalingAdjustment" => policy.scaling_adjustment,
    "ScalingAdjustmentType" => policy.scaling_adjustment_type,
    "ComparisonOperator" => policy.comparison_operator,
    "Threshold" => policy.threshold,
    "EvaluationPeriods" => policy.evaluation_periods,
    "MetricName" => policy.metric_name,
    "PolicyType" => policy.policy_type,
    "TargetConfiguration" => policy.target_value.map(|target| in_place!(move { "TargetValue" => target })),
    "UpdateStatus" => policy.update_status,
    "Location" => policy.location,
});

structure!(FleetEvent, event, {
    "EventId" => event.event_id,
    "ResourceId" => event.resource_id,
    "EventCode" => event.event_code,
    "Message" => event.message,
    "EventTime" => At(event.event_time_ms),
    "PreSignedLogUrl" => event.pre_signed_log_url,
    "Count" => event.count,
});

structure!(Build, build, {
    "BuildId" => build.build_id,
    "BuildArn" => build.build_arn,
    "Name" => build.name,
    "Version" => build.version,
    "Status" => build.status,
    "SizeOnDisk" => build.size_on_disk_bytes,
    "OperatingSystem" => build.operating_system,
    "CreationTime" => At(build.creation_time_ms),
    "ServerSdkVersion" => build.server_sdk_version,
});

structure!(Script, script, {
    "ScriptId" => script.script_id,
    "ScriptArn" => script.script_arn,
    "Name" => script.name,
    "Version" => script.version,
    "SizeOnDisk" => script.size_on_disk_bytes,
    "CreationTime" => At(script.creation_time_ms),
    "StorageLocation" => script.storage_location,
    "NodeJsVersion" => script.node_js_version,
});

structure!(S3Location, location, {
    "Bucket" => location.bucket,
    "Key" => location.key,
    "RoleArn" => location.role_arn,
    "ObjectVersion" => location.object_version,
});

structure!(LocationModel, location, {
    "LocationName" => location.location_name,
    "LocationArn" => location.location_arn,
    "PingBeacon" => location.ping_beacon.as_ref().map(|beacon| in_place!(move { "UDPEndpoint" => beacon })),
});

structure!(UdpEndpoint, endpoint, {
    "Domain" => endpoint.domain,
    "Port" => endpoint.port,
});

structure!(Ec2InstanceLimit, limit, {
    "EC2InstanceType" => limit.ec2_instance_type,
    "CurrentInstances" => limit.current_instances,
    "InstanceLimit" => limit.instance_limit,
    "Location" => limit.location,
});

//! Scaling policies, runtime configuration, inbound permissions.

use aws_sdk_gamelift::types;
use liftdeck_model::fleet::{IpPermission, PolicyType, RuntimeConfiguration, ScalingPolicy, ServerProcess};
use liftdeck_model::{FleetId, Location};

use super::{Lacks, need, text};

pub(crate) fn scaling_policy(from: types::ScalingPolicy, fleet: &FleetId) -> Result<ScalingPolicy, Lacks> {
    const RECORD: &str = "a scaling policy";
    Ok(ScalingPolicy {
        fleet_id: from.fleet_id.map_or_else(|| fleet.clone(), FleetId::new),
        name: need(from.name, RECORD, "Name")?,
        location: from.location.map(Location::new),
        status: text(from.status),
        // AWS: a policy created without a type is rule-based.
        policy_type: from.policy_type.map_or(PolicyType::RuleBased, |found| PolicyType::from(found.as_str())),
        metric_name: need(text(from.metric_name), RECORD, "MetricName")?,
        target_value: from.target_configuration.and_then(|target| target.target_value),
        comparison_operator: text(from.comparison_operator),
        threshold: from.threshold,
        evaluation_periods: from.evaluation_periods,
        scaling_adjustment_type: text(from.scaling_adjustment_type),
        scaling_adjustment: from.scaling_adjustment,
        update_status: text(from.update_status),
    })
}

pub(crate) fn runtime_configuration(
    from: types::RuntimeConfiguration,
) -> Result<RuntimeConfiguration, Lacks> {
    const RECORD: &str = "a server process";
    let processes = from.server_processes.unwrap_or_default().into_iter().map(|process| {
        Ok(ServerProcess {
            launch_path: need(process.launch_path, RECORD, "LaunchPath")?,
            parameters: process.parameters,
            concurrent_executions: need(process.concurrent_executions, RECORD, "ConcurrentExecutions")?,
        })
    });
    Ok(RuntimeConfiguration {
        server_processes: processes.collect::<Result<_, Lacks>>()?,
        max_concurrent_game_session_activations: from.max_concurrent_game_session_activations,
        game_session_activation_timeout_seconds: from.game_session_activation_timeout_seconds,
    })
}

pub(crate) fn ip_permission(from: types::IpPermission) -> Result<IpPermission, Lacks> {
    const RECORD: &str = "an inbound permission";
    Ok(IpPermission {
        from_port: need(from.from_port, RECORD, "FromPort")?,
        to_port: need(from.to_port, RECORD, "ToPort")?,
        ip_range: need(from.ip_range, RECORD, "IpRange")?,
        protocol: need(text(from.protocol), RECORD, "Protocol")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_policy_carries_its_target() {
        let built = types::ScalingPolicy::builder()
            .name("keep-20-free")
            .policy_type(types::PolicyType::TargetBased)
            .metric_name(types::MetricName::PercentAvailableGameSessions)
            .target_configuration(types::TargetConfiguration::builder().target_value(20.0).build())
            .build();
        let policy = scaling_policy(built, &FleetId::from("fleet-1")).unwrap();
        assert_eq!((policy.policy_type, policy.target_value), (PolicyType::TargetBased, Some(20.0)));
        assert_eq!(policy.metric_name, "PercentAvailableGameSessions");
    }
}

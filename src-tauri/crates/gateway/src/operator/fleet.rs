//! Capacity, scaling and protection of fleets.

use aws_sdk_gamelift::types;
use liftdeck_model::action::{
    DeleteScalingPolicy, PutScalingPolicy, ScalingRule, SetFleetActions, UpdateFleetAttributes,
    UpdateFleetCapacity,
};
use liftdeck_model::id::Location;

use super::{Change, Made, Sent};
use crate::error::GatewayError;

fn place(location: Option<&Location>) -> Option<String> {
    location.map(|location| location.as_str().to_owned())
}

pub(super) async fn capacity(change: &Change<'_>, it: &UpdateFleetCapacity) -> Result<Sent, GatewayError> {
    let request = change
        .client()
        .update_fleet_capacity()
        .fleet_id(it.fleet_id.as_str())
        .set_location(place(it.location.as_ref()))
        .set_desired_instances(it.desired_instances)
        .set_min_size(it.min_size)
        .set_max_size(it.max_size);
    change.send(|| request.clone().send(), |_| Ok(Made::Nothing)).await
}

pub(super) async fn put_policy(change: &Change<'_>, it: &PutScalingPolicy) -> Result<Sent, GatewayError> {
    let request = change.client().put_scaling_policy().fleet_id(it.fleet_id.as_str()).name(&it.name);
    let request = match &it.rule {
        // AWS: a target-based policy is sent with its one metric and target, nothing else.
        ScalingRule::TargetBased { target_value } => request
            .policy_type(types::PolicyType::TargetBased)
            .metric_name(types::MetricName::PercentAvailableGameSessions)
            .target_configuration(types::TargetConfiguration::builder().target_value(*target_value).build()),
        ScalingRule::RuleBased(rule) => request
            .policy_type(types::PolicyType::RuleBased)
            .metric_name(rule.metric_name.as_str().into())
            .comparison_operator(rule.comparison_operator.as_str().into())
            .threshold(rule.threshold)
            .evaluation_periods(rule.evaluation_periods)
            .scaling_adjustment_type(rule.scaling_adjustment_type.as_str().into())
            .scaling_adjustment(rule.scaling_adjustment),
    };
    change.send(|| request.clone().send(), |_| Ok(Made::Nothing)).await
}

pub(super) async fn delete_policy(
    change: &Change<'_>,
    it: &DeleteScalingPolicy,
) -> Result<Sent, GatewayError> {
    let request = change.client().delete_scaling_policy().fleet_id(it.fleet_id.as_str()).name(&it.name);
    change.send(|| request.clone().send(), |_| Ok(Made::Nothing)).await
}

pub(super) async fn stop_actions(change: &Change<'_>, it: &SetFleetActions) -> Result<Sent, GatewayError> {
    let request = change
        .client()
        .stop_fleet_actions()
        .fleet_id(it.fleet_id.as_str())
        .actions(types::FleetAction::AutoScaling)
        .set_location(place(it.location.as_ref()));
    change.send(|| request.clone().send(), |_| Ok(Made::Nothing)).await
}

pub(super) async fn start_actions(change: &Change<'_>, it: &SetFleetActions) -> Result<Sent, GatewayError> {
    let request = change
        .client()
        .start_fleet_actions()
        .fleet_id(it.fleet_id.as_str())
        .actions(types::FleetAction::AutoScaling)
        .set_location(place(it.location.as_ref()));
    change.send(|| request.clone().send(), |_| Ok(Made::Nothing)).await
}

pub(super) async fn attributes(
    change: &Change<'_>,
    it: &UpdateFleetAttributes,
) -> Result<Sent, GatewayError> {
    let request = change
        .client()
        .update_fleet_attributes()
        .fleet_id(it.fleet_id.as_str())
        .new_game_session_protection_policy(it.new_game_session_protection_policy.as_str().into());
    change.send(|| request.clone().send(), |_| Ok(Made::Nothing)).await
}

//! Queues.

use aws_sdk_gamelift::types;
use liftdeck_model::action::{CreateGameSessionQueue, LatencyPolicy, UpdateGameSessionQueue};

use super::{Change, Made, Sent};
use crate::error::GatewayError;
use crate::mapping::{need, routing};

fn destinations(arns: &[String]) -> Vec<types::GameSessionQueueDestination> {
    let destination = |arn| types::GameSessionQueueDestination::builder().destination_arn(arn).build();
    arns.iter().map(destination).collect()
}

fn policies(policies: &[LatencyPolicy]) -> Vec<types::PlayerLatencyPolicy> {
    let policy = |policy: &LatencyPolicy| {
        types::PlayerLatencyPolicy::builder()
            .set_maximum_individual_player_latency_milliseconds(policy.maximum_individual_player_latency_ms)
            .set_policy_duration_seconds(policy.policy_duration_seconds)
            .build()
    };
    policies.iter().map(policy).collect()
}

/// A list as AWS takes it: none instead of an empty one.
fn given<T>(list: Vec<T>) -> Option<Vec<T>> {
    (!list.is_empty()).then_some(list)
}

pub(super) async fn create(change: &Change<'_>, it: &CreateGameSessionQueue) -> Result<Sent, GatewayError> {
    let filter = given(it.allowed_locations.clone()).map(|locations| {
        types::FilterConfiguration::builder().set_allowed_locations(Some(locations)).build()
    });
    let order = it.priority_order.iter().map(|priority| types::PriorityType::from(priority.as_str()));
    let order = given(order.collect());
    let locations = given(it.location_order.clone());
    let priorities = (order.is_some() || locations.is_some()).then(|| {
        types::PriorityConfiguration::builder()
            .set_priority_order(order)
            .set_location_order(locations)
            .build()
    });
    let request = change
        .client()
        .create_game_session_queue()
        .name(it.name.as_str())
        .set_timeout_in_seconds(it.timeout_seconds)
        .set_destinations(given(destinations(&it.destinations)))
        .set_player_latency_policies(given(policies(&it.player_latency_policies)))
        .set_filter_configuration(filter)
        .set_priority_configuration(priorities)
        .set_custom_event_data(it.custom_event_data.clone())
        .set_notification_target(it.notification_target.clone());
    change
        .send(
            || request.clone().send(),
            |answer| {
                let found = need(answer.game_session_queue, "an answer", "GameSessionQueue")?;
                Ok(Made::Queue(Box::new(routing::queue(found, change.region())?)))
            },
        )
        .await
}

pub(super) async fn update(change: &Change<'_>, it: &UpdateGameSessionQueue) -> Result<Sent, GatewayError> {
    let request = change
        .client()
        .update_game_session_queue()
        .name(it.name.as_str())
        .set_timeout_in_seconds(it.timeout_seconds)
        .set_destinations(it.destinations.as_deref().map(destinations))
        .set_player_latency_policies(it.player_latency_policies.as_deref().map(policies))
        .set_notification_target(it.notification_target.clone());
    change
        .send(
            || request.clone().send(),
            |answer| {
                let found = need(answer.game_session_queue, "an answer", "GameSessionQueue")?;
                Ok(Made::Queue(Box::new(routing::queue(found, change.region())?)))
            },
        )
        .await
}

//! Queues.

use aws_sdk_gamelift::types;
use liftdeck_model::action::UpdateGameSessionQueue;

use super::{Change, Made, Sent};
use crate::error::GatewayError;
use crate::mapping::{need, routing};

pub(super) async fn update(change: &Change<'_>, it: &UpdateGameSessionQueue) -> Result<Sent, GatewayError> {
    let destinations = it.destinations.as_ref().map(|arns| {
        let destination = |arn| types::GameSessionQueueDestination::builder().destination_arn(arn).build();
        arns.iter().map(destination).collect::<Vec<_>>()
    });
    let policies = it.player_latency_policies.as_ref().map(|policies| {
        let policy = policies.iter().map(|policy| {
            types::PlayerLatencyPolicy::builder()
                .set_maximum_individual_player_latency_milliseconds(
                    policy.maximum_individual_player_latency_ms,
                )
                .set_policy_duration_seconds(policy.policy_duration_seconds)
                .build()
        });
        policy.collect::<Vec<_>>()
    });
    let request = change
        .client()
        .update_game_session_queue()
        .name(it.name.as_str())
        .set_timeout_in_seconds(it.timeout_seconds)
        .set_destinations(destinations)
        .set_player_latency_policies(policies);
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

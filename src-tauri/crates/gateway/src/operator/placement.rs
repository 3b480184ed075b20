//! Placements.

use aws_sdk_gamelift::types;
use liftdeck_model::action::{StartGameSessionPlacement, StopGameSessionPlacement};

use super::game_session::properties;
use super::{Change, Made, Sent};
use crate::error::GatewayError;
use crate::mapping::{Lacks, need, placement};

fn made(found: Option<types::GameSessionPlacement>, change: &Change<'_>) -> Result<Made, Lacks> {
    let found = need(found, "an answer", "GameSessionPlacement")?;
    Ok(Made::Placement(Box::new(placement::placement(found, change.region())?)))
}

pub(super) async fn start(change: &Change<'_>, it: &StartGameSessionPlacement) -> Result<Sent, GatewayError> {
    let players: Vec<_> = it
        .players
        .iter()
        .map(|player| {
            types::DesiredPlayerSession::builder()
                .player_id(player.player_id.as_str())
                .set_player_data(player.player_data.clone())
                .build()
        })
        .collect();
    let latencies: Vec<_> = it
        .players
        .iter()
        .flat_map(|player| player.latencies.iter().map(move |latency| (player, latency)))
        .map(|(player, latency)| {
            types::PlayerLatency::builder()
                .player_id(player.player_id.as_str())
                .region_identifier(&latency.region)
                // At most a few thousand, which a float holds exactly.
                .latency_in_milliseconds(latency.latency_ms as f32)
                .build()
        })
        .collect();
    let order = it.priority_override.as_ref().map(|order| {
        let strategy = if order.fall_back {
            types::PlacementFallbackStrategy::DefaultAfterSinglePass
        } else {
            types::PlacementFallbackStrategy::None
        };
        types::PriorityConfigurationOverride::builder()
            .placement_fallback_strategy(strategy)
            .set_location_order(Some(order.location_order.clone()))
            .build()
    });
    let request = change
        .client()
        .start_game_session_placement()
        .placement_id(it.placement_id.as_str())
        .game_session_queue_name(it.game_session_queue_name.as_str())
        .maximum_player_session_count(it.maximum_player_session_count)
        .set_game_session_name(it.game_session_name.clone())
        .set_game_properties(properties(&it.game_properties))
        .set_game_session_data(it.game_session_data.clone())
        .set_desired_player_sessions((!players.is_empty()).then_some(players))
        .set_player_latencies((!latencies.is_empty()).then_some(latencies))
        .set_priority_configuration_override(order);
    change.send(|| request.clone().send(), |answer| made(answer.game_session_placement, change)).await
}

pub(super) async fn stop(change: &Change<'_>, it: &StopGameSessionPlacement) -> Result<Sent, GatewayError> {
    let request = change.client().stop_game_session_placement().placement_id(it.placement_id.as_str());
    change.send(|| request.clone().send(), |answer| made(answer.game_session_placement, change)).await
}

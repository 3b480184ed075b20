//! Operations that start and stop placements.

use super::choice::Choice;
use super::constraint::{
    GAME_PROPERTIES, ID, LARGE_DATA, LOCATION, PLAYER, PLAYER_DATA, QUEUE, SHORT_TEXT, SLOTS,
};
use super::lookup::{self, invalid, not_found};
use super::queue_change::{named, repeated};
use super::session_change::{properties, slots};
use crate::operation::Change;
use crate::service::ServiceError;
use crate::wire::{Double, Items, Nested, Text, Wire, Writer, in_place, input};
use liftdeck_simulated_world::NewPlacement;
use liftdeck_simulated_world::records::{
    GameProperty, PlacementFallbackStrategy, PlayerLatency, PriorityConfigurationOverride,
};

static STRATEGY: Choice<PlacementFallbackStrategy> =
    Choice::new(PlacementFallbackStrategy::ALL, PlacementFallbackStrategy::as_str);
static LIST: Items<'_, Text> = Items { each: &LOCATION, min: 1, max: 10 };
static LATENCY: Nested<Latency> = Nested::new();
static DESIRED: Nested<Desired> = Nested::new();

input! {
    struct Latency {
        player: Option<String> = optional("PlayerId", PLAYER),
        region: Option<String> = optional("RegionIdentifier", SHORT_TEXT),
        latency_ms: Option<f64> = optional("LatencyInMilliseconds", Double),
    }

    struct Desired {
        player: Option<String> = optional("PlayerId", PLAYER),
        player_data: Option<String> = optional("PlayerData", PLAYER_DATA),
    }

    struct Override {
        strategy: Option<PlacementFallbackStrategy> = optional("PlacementFallbackStrategy", STRATEGY),
        locations: Vec<String> = required("LocationOrder", LIST),
    }

    struct StartInput {
        placement: String = required("PlacementId", ID),
        queue: String = required("GameSessionQueueName", QUEUE),
        most: i64 = required("MaximumPlayerSessionCount", SLOTS),
        properties: Option<Vec<GameProperty>> = optional("GameProperties", GAME_PROPERTIES),
        name: Option<String> = optional("GameSessionName", SHORT_TEXT),
        latencies: Option<Vec<Latency>> = optional(
            "PlayerLatencies",
            Items { each: &LATENCY, min: 0, max: usize::MAX }
        ),
        desired: Option<Vec<Desired>> = optional(
            "DesiredPlayerSessions",
            Items { each: &DESIRED, min: 0, max: usize::MAX }
        ),
        game_data: Option<String> = optional("GameSessionData", LARGE_DATA),
        priorities: Option<Override> = optional("PriorityConfigurationOverride", Nested::<Override>::new()),
    }

    struct StopInput {
        placement: String = required("PlacementId", ID),
    }
}

fn write(change: &Change<'_>, id: &str, writer: &mut Writer) -> Result<(), ServiceError> {
    let placement = change.world.placement(change.region, id);
    let placement = placement.ok_or_else(|| not_found("Placement", id))?;
    in_place!({ "GameSessionPlacement" => placement }).write(writer);
    Ok(())
}

fn latency(latency: Latency) -> Result<PlayerLatency, ServiceError> {
    let parts = latency.player.zip(latency.region).zip(latency.latency_ms);
    let ((player_id, region_identifier), latency_ms) = parts.ok_or_else(|| {
        invalid("Every player latency needs PlayerId, RegionIdentifier and LatencyInMilliseconds.")
    })?;
    if !latency_ms.is_finite() || latency_ms < 0.0 {
        return Err(invalid("LatencyInMilliseconds must be a number that is not negative."));
    }
    Ok(PlayerLatency { player_id, region_identifier, latency_in_milliseconds: latency_ms as f32 })
}

fn replacement(list: Override) -> Result<PriorityConfigurationOverride, ServiceError> {
    let locations = list.locations;
    if let Some(twice) = repeated(&locations) {
        return Err(invalid(format!("LocationOrder lists {twice} more than once.")));
    }
    Ok(PriorityConfigurationOverride {
        placement_fallback_strategy: list
            .strategy
            .unwrap_or(PlacementFallbackStrategy::DefaultAfterSinglePass),
        location_order: locations,
    })
}

/// `StartGameSessionPlacement`.
pub(super) fn start(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: StartInput = lookup::read(&change.call())?;
    let queue = named(&change.call(), &input.queue)?;
    let latencies = input.latencies.unwrap_or_default();
    if !latencies.is_empty() && input.priorities.is_some() {
        return Err(invalid("PlayerLatencies and PriorityConfigurationOverride cannot be combined."));
    }
    let most = slots(input.most)?;
    let desired = input.desired.unwrap_or_default();
    if desired.len() > usize::from(most) {
        return Err(invalid("DesiredPlayerSessions has more players than MaximumPlayerSessionCount allows."));
    }
    let players = desired.into_iter().map(|desired| match desired.player {
        Some(player) => Ok((player, desired.player_data)),
        None => Err(invalid("Every desired player session needs a PlayerId.")),
    });
    let new = NewPlacement {
        placement_id: input.placement.clone(),
        maximum_player_session_count: most,
        game_session_name: input.name,
        game_properties: properties(input.properties)?,
        game_session_data: input.game_data,
        player_latencies: latencies.into_iter().map(latency).collect::<Result<_, _>>()?,
        desired_player_sessions: players.collect::<Result<_, _>>()?,
        priority_configuration_override: input.priorities.map(replacement).transpose()?,
    };
    change.world.start_game_session_placement(change.region, &queue, new)?;
    write(change, &input.placement, writer)
}

/// `StopGameSessionPlacement`.
pub(super) fn stop(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: StopInput = lookup::read(&change.call())?;
    change.world.stop_game_session_placement(change.region, &input.placement)?;
    write(change, &input.placement, writer)
}

//! Placements.

use aws_sdk_gamelift::types;
use liftdeck_model::game_session::GameProperty;
use liftdeck_model::placement::{PlacedPlayerSession, Placement, PlacementStatus, PlayerLatency};
use liftdeck_model::{GameSessionId, PlacementId, PlayerId, PlayerSessionId, QueueName, Region};

use super::{Lacks, moment, need};

pub(crate) fn placement(from: types::GameSessionPlacement, region: &Region) -> Result<Placement, Lacks> {
    const RECORD: &str = "a placement";
    let session = from.game_session_arn.or(from.game_session_id).filter(|arn| !arn.is_empty());
    let properties = from.game_properties.unwrap_or_default().into_iter().map(|property| GameProperty {
        key: property.key.unwrap_or_default(),
        value: property.value.unwrap_or_default(),
    });
    let latencies = from.player_latencies.unwrap_or_default().into_iter().map(|latency| {
        Ok(PlayerLatency {
            player_id: PlayerId::new(need(latency.player_id, "a latency", "PlayerId")?),
            region: need(latency.region_identifier, "a latency", "RegionIdentifier")?,
            latency_ms: latency.latency_in_milliseconds.unwrap_or_default().into(),
        })
    });
    let placed = from
        .placed_player_sessions
        .unwrap_or_default()
        .into_iter()
        .map(|found| placed_player_session(found.player_id, found.player_session_id));
    Ok(Placement {
        placement_id: PlacementId::new(need(from.placement_id, RECORD, "PlacementId")?),
        region: region.clone(),
        queue: from.game_session_queue_name.map(QueueName::new),
        status: PlacementStatus::from(need(from.status, RECORD, "Status")?.as_str()),
        start_time: from.start_time.map(moment),
        end_time: from.end_time.map(moment),
        maximum_player_session_count: from.maximum_player_session_count,
        game_session_name: from.game_session_name,
        game_properties: properties.collect(),
        game_session_data: from.game_session_data,
        game_session_id: session.map(GameSessionId::new),
        game_session_region: from.game_session_region.filter(|region| !region.is_empty()).map(Region::new),
        ip_address: from.ip_address,
        dns_name: from.dns_name,
        port: from.port,
        player_latencies: latencies.collect::<Result<_, Lacks>>()?,
        placed_player_sessions: placed.collect::<Result<_, Lacks>>()?,
        location_order: from
            .priority_configuration_override
            .and_then(|order| order.location_order)
            .unwrap_or_default(),
    })
}

/// Maps a player and the slot the player was given.
pub(super) fn placed_player_session(
    player_id: Option<String>,
    player_session_id: Option<String>,
) -> Result<PlacedPlayerSession, Lacks> {
    const RECORD: &str = "a placed player session";
    Ok(PlacedPlayerSession {
        player_id: PlayerId::new(need(player_id, RECORD, "PlayerId")?),
        player_session_id: PlayerSessionId::new(need(player_session_id, RECORD, "PlayerSessionId")?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pending_placement_has_no_session_yet() {
        let built = types::GameSessionPlacement::builder()
            .placement_id("plc-1")
            .status(types::GameSessionPlacementState::Pending)
            .game_session_arn("")
            .player_latencies(
                types::PlayerLatency::builder()
                    .player_id("p-1")
                    .region_identifier("eu-west-1")
                    .latency_in_milliseconds(31.5)
                    .build(),
            )
            .build();
        let placement = placement(built, &Region::from("eu-west-1")).unwrap();
        assert_eq!((placement.status.is_final(), placement.game_session_id), (false, None));
        assert!((placement.player_latencies[0].latency_ms - 31.5).abs() < 1e-6);
    }

    #[test]
    fn a_placement_without_a_status_is_refused_not_guessed() {
        let built = types::GameSessionPlacement::builder().placement_id("plc-1").build();
        let lacks = placement(built, &Region::from("eu-west-1")).unwrap_err();
        assert_eq!(lacks.to_string(), "a placement came without Status");
    }
}

//! Placement events: four outcomes, all final.

use liftdeck_model::placement::{PlacedPlayerSession, PlacementEvent, PlacementEventType};
use liftdeck_model::{GameSessionId, Location, PlacementId, PlayerId, PlayerSessionId, QueueName, Region};

use super::Misfit;
use super::envelope::Event;
use super::field;

/// Reads the detail of a placement event. `home` is the Region of the SQS queue, for events that name none.
pub(super) fn read(event: &Event, home: &Region) -> Result<PlacementEvent, Misfit> {
    let detail = event.detail()?;
    let kind = field::text(detail, "type").ok_or_else(|| Misfit::incomplete("`detail.type` is missing"))?;
    let event_type = match PlacementEventType::from(kind.as_str()) {
        PlacementEventType::Other(kind) => {
            return Err(Misfit::unknown(format!("the placement event type `{kind}` is not known")));
        }
        known => known,
    };
    let placement_id = field::text(detail, "placementId")
        .ok_or_else(|| Misfit::incomplete("`detail.placementId` is missing"))?;
    let (queue, queue_region) = event
        .resource("gamesessionqueue/")
        .ok_or_else(|| Misfit::incomplete("`resources` names no game session queue"))?;
    let end_time = field::moment(detail, "endTime");
    let event_time = event
        .time
        .or(end_time)
        .ok_or_else(|| Misfit::incomplete("neither `time` nor `detail.endTime` is a valid time"))?;
    Ok(PlacementEvent {
        placement_id: PlacementId::new(placement_id),
        event_type,
        event_id: event.id.clone(),
        queue: QueueName::from(queue),
        region: event.region.clone().or(queue_region).unwrap_or_else(|| home.clone()),
        event_time,
        start_time: field::moment(detail, "startTime"),
        end_time,
        game_session_id: field::text(detail, "gameSessionArn").map(GameSessionId::new),
        game_session_location: field::text(detail, "gameSessionLocation").map(Location::new),
        game_session_region: field::text(detail, "gameSessionRegion").map(Region::new),
        ip_address: field::text(detail, "ipAddress"),
        dns_name: field::text(detail, "dnsName"),
        port: field::port(detail, "port"),
        compute_name: field::text(detail, "computeName"),
        custom_event_data: field::text(detail, "customEventData"),
        placed_player_sessions: field::objects(detail, "placedPlayerSessions")
            .filter_map(|player| {
                Some(PlacedPlayerSession {
                    player_id: PlayerId::new(field::text(player, "playerId")?),
                    player_session_id: PlayerSessionId::new(field::text(player, "playerSessionId")?),
                })
            })
            .collect(),
    })
}

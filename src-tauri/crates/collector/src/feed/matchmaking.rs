//! FlexMatch events: eight types, not all of them final.

use liftdeck_model::matchmaking::{EventTicket, MatchmakingEvent, TicketPlayer};
use liftdeck_model::{GameSessionId, PlayerId, Region, TicketId};
use serde_json::Value;

use super::Misfit;
use super::envelope::Event;
use super::field::{self, Object};

/// All event types (AWS: FlexMatch matchmaking events).
const KNOWN: [&str; 8] = [
    "MatchmakingSearching",
    "PotentialMatchCreated",
    "AcceptMatch",
    "AcceptMatchCompleted",
    "MatchmakingSucceeded",
    "MatchmakingTimedOut",
    "MatchmakingCancelled",
    "MatchmakingFailed",
];

/// Reads the detail of a FlexMatch event. `home` is the Region of the SQS queue, for events that name none.
pub(super) fn read(event: &Event, home: &Region) -> Result<MatchmakingEvent, Misfit> {
    let detail = event.detail()?;
    let kind = field::text(detail, "type").ok_or_else(|| Misfit::incomplete("`detail.type` is missing"))?;
    if !KNOWN.contains(&kind.as_str()) {
        return Err(Misfit::unknown(format!("the FlexMatch event type `{kind}` is not known")));
    }
    let event_id = event.id.clone().ok_or_else(|| Misfit::incomplete("`id` is missing"))?;
    let (configuration, configuration_region) = event
        .resource("matchmakingconfiguration/")
        .ok_or_else(|| Misfit::incomplete("`resources` names no matchmaking configuration"))?;
    let event_time = event.time.ok_or_else(|| Misfit::incomplete("`time` is not a valid time"))?;
    Ok(MatchmakingEvent {
        event_id,
        event_type: kind,
        configuration: configuration.to_owned(),
        region: event.region.clone().or(configuration_region).unwrap_or_else(|| home.clone()),
        event_time,
        match_id: field::text(detail, "matchId"),
        reason: field::text(detail, "reason"),
        message: field::text(detail, "message"),
        // Seconds despite the name. The text NOT_AVAILABLE is not a number and becomes `None`.
        estimated_wait_seconds: field::whole(detail, "estimatedWaitMillis"),
        game_session_id: field::object(detail, "gameSessionInfo")
            .and_then(|info| field::text(info, "gameSessionArn"))
            .map(GameSessionId::new),
        tickets: field::objects(detail, "tickets").filter_map(ticket).collect(),
    })
}

fn ticket(ticket: &Object) -> Option<EventTicket> {
    Some(EventTicket {
        ticket_id: TicketId::new(field::text(ticket, "ticketId")?),
        start_time: field::moment(ticket, "startTime"),
        players: field::objects(ticket, "players").filter_map(player).collect(),
    })
}

fn player(player: &Object) -> Option<TicketPlayer> {
    Some(TicketPlayer {
        player_id: PlayerId::new(field::text(player, "playerId")?),
        team: field::text(player, "team"),
        accepted: player.get("accepted").and_then(Value::as_bool),
    })
}

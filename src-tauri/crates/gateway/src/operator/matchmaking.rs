//! FlexMatch tickets and backfills.

use aws_sdk_gamelift::types;
use liftdeck_model::action::{
    AcceptMatch, AttributeValue, MatchPlayer, StartMatchBackfill, StartMatchmaking, StopMatchmaking,
};

use super::{Change, Made, Sent};
use crate::error::GatewayError;
use crate::mapping::{Lacks, matchmaking, need};

fn attribute(value: &AttributeValue) -> types::AttributeValue {
    let to = types::AttributeValue::builder();
    match value {
        AttributeValue::Text(text) => to.s(text),
        AttributeValue::Number(number) => to.n(*number),
        AttributeValue::TextList(texts) => to.set_sl(Some(texts.clone())),
        AttributeValue::NumberMap(numbers) => {
            to.set_sdm(Some(numbers.iter().map(|(key, number)| (key.clone(), *number)).collect()))
        }
    }
    .build()
}

fn players(players: &[MatchPlayer]) -> Option<Vec<types::Player>> {
    let player = |from: &MatchPlayer| {
        let attributes =
            from.attributes.iter().map(|found| (found.name.clone(), attribute(&found.value))).collect();
        let latencies =
            from.latencies.iter().map(|latency| (latency.region.clone(), latency.latency_ms)).collect();
        types::Player::builder()
            .player_id(from.player_id.as_str())
            .set_team(from.team.clone())
            .set_player_attributes((!from.attributes.is_empty()).then_some(attributes))
            .set_latency_in_ms((!from.latencies.is_empty()).then_some(latencies))
            .build()
    };
    Some(players.iter().map(player).collect())
}

fn made(found: Option<types::MatchmakingTicket>, change: &Change<'_>) -> Result<Made, Lacks> {
    let found = need(found, "an answer", "MatchmakingTicket")?;
    Ok(Made::Ticket(Box::new(matchmaking::ticket(found, change.region())?)))
}

pub(super) async fn start(change: &Change<'_>, it: &StartMatchmaking) -> Result<Sent, GatewayError> {
    let request = change
        .client()
        .start_matchmaking()
        .configuration_name(&it.configuration_name)
        .ticket_id(it.ticket_id.as_str())
        .set_players(players(&it.players));
    change.send(|| request.clone().send(), |answer| made(answer.matchmaking_ticket, change)).await
}

pub(super) async fn answer(change: &Change<'_>, it: &AcceptMatch) -> Result<Sent, GatewayError> {
    let ids = it.player_ids.iter().map(|id| id.as_str().to_owned()).collect();
    let acceptance = if it.accept { types::AcceptanceType::Accept } else { types::AcceptanceType::Reject };
    let request = change
        .client()
        .accept_match()
        .ticket_id(it.ticket_id.as_str())
        .set_player_ids(Some(ids))
        .acceptance_type(acceptance);
    change.send(|| request.clone().send(), |_| Ok(Made::Nothing)).await
}

pub(super) async fn stop(change: &Change<'_>, it: &StopMatchmaking) -> Result<Sent, GatewayError> {
    let request = change.client().stop_matchmaking().ticket_id(it.ticket_id.as_str());
    change.send(|| request.clone().send(), |_| Ok(Made::Nothing)).await
}

pub(super) async fn backfill(change: &Change<'_>, it: &StartMatchBackfill) -> Result<Sent, GatewayError> {
    let request = change
        .client()
        .start_match_backfill()
        .configuration_name(&it.configuration_name)
        .ticket_id(it.ticket_id.as_str())
        .game_session_arn(it.game_session_id.as_str())
        .set_players(players(&it.players));
    change.send(|| request.clone().send(), |answer| made(answer.matchmaking_ticket, change)).await
}

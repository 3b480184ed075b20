//! Matchmaking tickets and rule sets.

use aws_sdk_gamelift::types;
use liftdeck_model::action::{AttributeValue, MatchPlayer, PlayerAttribute, RegionLatency};
use liftdeck_model::matchmaking::{MatchmakingRuleSet, Ticket, TicketConnection, TicketStatus};
use liftdeck_model::{GameSessionId, PlayerId, Region, TicketId};

use super::placement::placed_player_session;
use super::{Lacks, moment, need};

pub(crate) fn ticket(from: types::MatchmakingTicket, region: &Region) -> Result<Ticket, Lacks> {
    const RECORD: &str = "a ticket";
    Ok(Ticket {
        ticket_id: TicketId::new(need(from.ticket_id, RECORD, "TicketId")?),
        region: region.clone(),
        configuration_name: from.configuration_name,
        status: TicketStatus::from(need(from.status, RECORD, "Status")?.as_str()),
        status_reason: from.status_reason,
        status_message: from.status_message,
        start_time: from.start_time.map(moment),
        end_time: from.end_time.map(moment),
        estimated_wait_seconds: from.estimated_wait_time,
        players: from.players.unwrap_or_default().into_iter().map(player).collect::<Result<_, Lacks>>()?,
        connection: from.game_session_connection_info.map(connection).transpose()?,
    })
}

fn connection(from: types::GameSessionConnectionInfo) -> Result<TicketConnection, Lacks> {
    let slots = from
        .matched_player_sessions
        .unwrap_or_default()
        .into_iter()
        .map(|found| placed_player_session(found.player_id, found.player_session_id));
    Ok(TicketConnection {
        game_session_id: from.game_session_arn.map(GameSessionId::new),
        ip_address: from.ip_address,
        dns_name: from.dns_name,
        port: from.port,
        player_sessions: slots.collect::<Result<_, Lacks>>()?,
    })
}

fn player(from: types::Player) -> Result<MatchPlayer, Lacks> {
    let attributes = from.player_attributes.unwrap_or_default().into_iter();
    let mut attributes: Vec<_> = attributes
        .filter_map(|(name, value)| Some(PlayerAttribute { name, value: attribute(value)? }))
        .collect();
    attributes.sort_by(|one, other| one.name.cmp(&other.name));
    let latencies = from.latency_in_ms.unwrap_or_default().into_iter();
    let mut latencies: Vec<_> =
        latencies.map(|(region, latency_ms)| RegionLatency { region, latency_ms }).collect();
    latencies.sort_by(|one, other| one.region.cmp(&other.region));
    Ok(MatchPlayer {
        player_id: PlayerId::new(need(from.player_id, "a player", "PlayerId")?),
        team: from.team,
        attributes,
        latencies,
    })
}

/// `None` for a kind of value this program does not know.
fn attribute(from: types::AttributeValue) -> Option<AttributeValue> {
    from.s
        .map(AttributeValue::Text)
        .or_else(|| from.n.map(AttributeValue::Number))
        .or_else(|| from.sl.map(AttributeValue::TextList))
        .or_else(|| from.sdm.map(|numbers| AttributeValue::NumberMap(numbers.into_iter().collect())))
}

pub(crate) fn rule_set(
    from: types::MatchmakingRuleSet,
    region: &Region,
) -> Result<MatchmakingRuleSet, Lacks> {
    const RECORD: &str = "a rule set";
    Ok(MatchmakingRuleSet {
        name: need(from.rule_set_name, RECORD, "RuleSetName")?,
        region: region.clone(),
        arn: from.rule_set_arn,
        body: need(from.rule_set_body, RECORD, "RuleSetBody")?,
        creation_time: from.creation_time.map(moment),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_completed_ticket_says_how_to_join() {
        let built = types::MatchmakingTicket::builder()
            .ticket_id("t-1")
            .status(types::MatchmakingConfigurationStatus::Completed)
            .players(
                types::Player::builder()
                    .player_id("p-1")
                    .player_attributes("skill", types::AttributeValue::builder().n(23.0).build())
                    .latency_in_ms("eu-west-1", 20)
                    .build(),
            )
            .game_session_connection_info(
                types::GameSessionConnectionInfo::builder()
                    .port(4_000)
                    .matched_player_sessions(
                        types::MatchedPlayerSession::builder()
                            .player_id("p-1")
                            .player_session_id("psess-1")
                            .build(),
                    )
                    .build(),
            )
            .build();
        let ticket = ticket(built, &Region::from("eu-west-1")).unwrap();
        assert!(ticket.status.is_final());
        assert_eq!(ticket.players[0].attributes[0].value, AttributeValue::Number(23.0));
        let connection = ticket.connection.unwrap();
        assert_eq!((connection.port, connection.player_sessions.len()), (Some(4_000), 1));
    }
}

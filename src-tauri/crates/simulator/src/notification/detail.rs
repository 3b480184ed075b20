//! The details of events, as the developer guides show them.

use serde_json::{Map, Value, json};

use super::{precise, put};
use liftdeck_simulated_world::records::{
    MatchmakingKind, MatchmakingNotice, NoticeConnection, NoticePlayer, NoticeTicket, PlacementNotice,
    PlacementOutcome, RuleEvaluation,
};

/// What an event says of a placement.
pub(super) fn placement(placement: &PlacementNotice) -> Map<String, Value> {
    let mut detail = Map::new();
    put(&mut detail, "type", Some(placement.outcome.event_type()));
    put(&mut detail, "placementId", Some(placement.placement_id.as_str()));
    put(&mut detail, "startTime", Some(precise(placement.start_time_ms)));
    put(&mut detail, "endTime", Some(precise(placement.end_time_ms)));
    if let PlacementOutcome::Fulfilled(fulfilled) = &placement.outcome {
        // The service writes a string here, but a number in matchmaking events.
        put(&mut detail, "port", Some(fulfilled.port.to_string()));
        put(&mut detail, "gameSessionArn", Some(fulfilled.game_session_arn.as_str()));
        put(&mut detail, "ipAddress", Some(fulfilled.ip_address.as_str()));
        put(&mut detail, "dnsName", fulfilled.dns_name.as_deref());
        put(&mut detail, "gameSessionRegion", Some(fulfilled.game_session_region.as_str()));
        put(&mut detail, "gameSessionLocation", Some(fulfilled.game_session_location.as_str()));
        put(&mut detail, "playerGatewayStatus", Some("DISABLED"));
        put(&mut detail, "computeName", Some(fulfilled.compute_name.as_str()));
        let placed = fulfilled.placed_player_sessions.iter();
        let placed: Vec<Value> = placed
            .map(
                |placed| json!({ "playerId": placed.player_id, "playerSessionId": placed.player_session_id }),
            )
            .collect();
        put(&mut detail, "placedPlayerSessions", Some(placed));
    }
    detail
}

/// What an event says of a matchmaking ticket or match.
pub(super) fn matchmaking(notice: &MatchmakingNotice) -> Map<String, Value> {
    let mut detail = Map::new();
    put(&mut detail, "type", Some(notice.kind.event_type()));
    put(&mut detail, "reason", notice.kind.reason());
    put(&mut detail, "tickets", Some(notice.tickets.iter().map(ticket).collect::<Vec<_>>()));
    put(&mut detail, "matchId", notice.match_id.as_deref());
    match &notice.kind {
        MatchmakingKind::Searching { estimated_wait_s } => {
            let wait = estimated_wait_s.map_or(Value::from("NOT_AVAILABLE"), Value::from);
            put(&mut detail, "estimatedWaitMillis", Some(wait));
        }
        MatchmakingKind::PotentialMatchCreated {
            acceptance_required,
            acceptance_timeout_s,
            rule_evaluation_metrics,
        } => {
            put(&mut detail, "acceptanceRequired", Some(*acceptance_required));
            put(&mut detail, "acceptanceTimeout", *acceptance_timeout_s);
            put(&mut detail, "ruleEvaluationMetrics", Some(evaluations(rule_evaluation_metrics)));
        }
        MatchmakingKind::AcceptMatchCompleted { acceptance } => {
            put(&mut detail, "acceptance", Some(*acceptance));
        }
        MatchmakingKind::TimedOut { rule_evaluation_metrics, message }
        | MatchmakingKind::Cancelled { rule_evaluation_metrics, message }
        | MatchmakingKind::Failed { rule_evaluation_metrics, message, .. } => {
            put(&mut detail, "message", Some(message.as_str()));
            put(&mut detail, "ruleEvaluationMetrics", Some(evaluations(rule_evaluation_metrics)));
        }
        MatchmakingKind::AcceptMatch | MatchmakingKind::Succeeded => {}
    }
    put(&mut detail, "gameSessionInfo", Some(game_session_info(notice)));
    detail
}

fn game_session_info(notice: &MatchmakingNotice) -> Value {
    let mut info = notice.connection.as_ref().map(connection).unwrap_or_default();
    let players = notice.tickets.iter().flat_map(|ticket| &ticket.players).map(player);
    put(&mut info, "players", Some(players.collect::<Vec<_>>()));
    Value::Object(info)
}

fn connection(connection: &NoticeConnection) -> Map<String, Value> {
    let mut info = Map::new();
    put(&mut info, "gameSessionArn", Some(connection.game_session_arn.as_str()));
    put(&mut info, "ipAddress", Some(connection.ip_address.as_str()));
    put(&mut info, "dnsName", connection.dns_name.as_deref());
    put(&mut info, "port", Some(connection.port));
    put(&mut info, "playerGatewayStatus", Some("DISABLED"));
    put(&mut info, "computeName", Some(connection.compute_name.as_str()));
    put(&mut info, "gameSessionLocation", Some(connection.game_session_location.as_str()));
    info
}

fn ticket(ticket: &NoticeTicket) -> Value {
    let players: Vec<Value> = ticket.players.iter().map(player).collect();
    json!({ "ticketId": ticket.ticket_id, "startTime": precise(ticket.start_time_ms), "players": players })
}

fn player(player: &NoticePlayer) -> Value {
    let mut members = Map::new();
    put(&mut members, "playerId", Some(player.player_id.as_str()));
    put(&mut members, "team", player.team.as_deref());
    put(&mut members, "accepted", player.accepted);
    put(&mut members, "playerSessionId", player.player_session_id.as_deref());
    Value::Object(members)
}

fn evaluations(metrics: &[RuleEvaluation]) -> Vec<Value> {
    let all = metrics.iter();
    all.map(|rule| {
        json!({ "ruleName": rule.rule_name, "passedCount": rule.passed_count, "failedCount": rule.failed_count })
    })
    .collect()
}

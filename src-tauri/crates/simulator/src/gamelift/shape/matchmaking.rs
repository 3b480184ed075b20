//! Matchmaking configurations, rule sets and tickets.

use super::NO_GATEWAY;
use crate::wire::{At, Pairs, Wire, Writer, enumerations, in_place, structure};
use liftdeck_simulated_world::records::{
    AttributeValue, BackfillMode, FlexMatchMode, GameSessionConnectionInfo, MatchmakingConfiguration,
    MatchmakingConfigurationStatus, MatchmakingRuleSet, MatchmakingTicket, Player,
};

enumerations!(BackfillMode, FlexMatchMode, MatchmakingConfigurationStatus);

structure!(MatchmakingConfiguration, configuration, {
    "Name" => configuration.name,
    "ConfigurationArn" => configuration.configuration_arn,
    "Description" => configuration.description,
    "GameSessionQueueArns" => configuration.game_session_queue_arns,
    "RequestTimeoutSeconds" => configuration.request_timeout_seconds,
    "AcceptanceTimeoutSeconds" => configuration.acceptance_timeout_seconds,
    "AcceptanceRequired" => configuration.acceptance_required,
    "RuleSetName" => configuration.rule_set_name,
    "RuleSetArn" => configuration.rule_set_arn,
    "NotificationTarget" => configuration.notification_target,
    "AdditionalPlayerCount" => configuration.additional_player_count,
    "CustomEventData" => configuration.custom_event_data,
    "CreationTime" => At(configuration.creation_time_ms),
    "GameProperties" => configuration.game_properties,
    "GameSessionData" => configuration.game_session_data,
    "BackfillMode" => configuration.backfill_mode,
    "FlexMatchMode" => configuration.flex_match_mode,
});

structure!(MatchmakingRuleSet, rule_set, {
    "RuleSetName" => rule_set.rule_set_name,
    "RuleSetArn" => rule_set.rule_set_arn,
    "RuleSetBody" => rule_set.rule_set_body,
    "CreationTime" => At(rule_set.creation_time_ms),
});

structure!(MatchmakingTicket, ticket, {
    "TicketId" => ticket.ticket_id,
    "ConfigurationName" => ticket.configuration_name,
    "ConfigurationArn" => ticket.configuration_arn,
    "Status" => ticket.status,
    "StatusReason" => ticket.status_reason,
    "StatusMessage" => ticket.status_message,
    "StartTime" => At(ticket.start_time_ms),
    "EndTime" => ticket.end_time_ms.map(At),
    "Players" => ticket.players,
    "GameSessionConnectionInfo" => ticket.game_session_connection_info,
    "EstimatedWaitTime" => ticket.estimated_wait_time_s,
});

structure!(Player, player, {
    "PlayerId" => player.player_id,
    "PlayerAttributes" => Pairs(&player.player_attributes),
    "Team" => player.team,
    "LatencyInMs" => Pairs(&player.latency_in_ms),
});

impl Wire for AttributeValue {
    fn write(&self, writer: &mut Writer) {
        match self {
            AttributeValue::Text(text) => in_place!({ "S" => text }).write(writer),
            AttributeValue::Number(number) => in_place!({ "N" => number }).write(writer),
            AttributeValue::Texts(texts) => in_place!({ "SL" => texts }).write(writer),
            AttributeValue::Numbers(numbers) => in_place!({ "SDM" => Pairs(numbers) }).write(writer),
        }
    }
}

structure!(GameSessionConnectionInfo, connection, {
    "GameSessionArn" => connection.game_session_arn,
    "IpAddress" => connection.ip_address,
    "DnsName" => connection.dns_name,
    "Port" => connection.port,
    "MatchedPlayerSessions" => connection.matched_player_sessions,
    "PlayerGatewayStatus" => NO_GATEWAY,
});

//! Game sessions, player sessions and placements.

use crate::wire::{At, Filled, enumerations, structure};
use crate::world::records::{
    GameProperty, GameSession, GameSessionDetail, GameSessionPlacement, GameSessionPlacementState,
    GameSessionStatus, GameSessionStatusReason, PlacedPlayerSession, PlacementFallbackStrategy,
    PlayerLatency, PlayerSession, PlayerSessionCreationPolicy, PlayerSessionStatus,
    PriorityConfigurationOverride,
};

enumerations!(
    GameSessionPlacementState,
    GameSessionStatus,
    GameSessionStatusReason,
    PlayerSessionCreationPolicy,
    PlayerSessionStatus,
    PlacementFallbackStrategy,
);

structure!(GameSession, session, {
    "GameSessionId" => session.game_session_id,
    "Name" => session.name,
    "FleetId" => session.fleet_id,
    "FleetArn" => session.fleet_arn,
    "CreationTime" => At(session.creation_time_ms),
    "TerminationTime" => session.termination_time_ms.map(At),
    "CurrentPlayerSessionCount" => session.current_player_session_count,
    "MaximumPlayerSessionCount" => session.maximum_player_session_count,
    "Status" => session.status,
    "StatusReason" => session.status_reason,
    "GameProperties" => session.game_properties,
    "IpAddress" => session.ip_address,
    "DnsName" => session.dns_name,
    "Port" => session.port,
    "PlayerSessionCreationPolicy" => session.player_session_creation_policy,
    "CreatorId" => session.creator_id,
    "GameSessionData" => session.game_session_data,
    "MatchmakerData" => session.matchmaker_data,
    "Location" => session.location,
    "ComputeName" => session.compute_name,
});

structure!(GameSessionDetail, detail, {
    "GameSession" => detail.game_session,
    "ProtectionPolicy" => detail.protection_policy,
});

structure!(GameProperty, property, {
    "Key" => property.key,
    "Value" => property.value,
});

structure!(PlayerSession, session, {
    "PlayerSessionId" => session.player_session_id,
    "PlayerId" => session.player_id,
    "GameSessionId" => session.game_session_id,
    "FleetId" => session.fleet_id,
    "FleetArn" => session.fleet_arn,
    "CreationTime" => At(session.creation_time_ms),
    "TerminationTime" => session.termination_time_ms.map(At),
    "Status" => session.status,
    "IpAddress" => session.ip_address,
    "DnsName" => session.dns_name,
    "Port" => session.port,
    "PlayerData" => session.player_data,
});

structure!(GameSessionPlacement, placement, {
    "PlacementId" => placement.placement_id,
    "GameSessionQueueName" => placement.game_session_queue_name,
    "Status" => placement.status,
    "GameProperties" => placement.game_properties,
    "MaximumPlayerSessionCount" => placement.maximum_player_session_count,
    "GameSessionName" => placement.game_session_name,
    "GameSessionId" => placement.game_session_arn,
    "GameSessionArn" => placement.game_session_arn,
    "GameSessionRegion" => placement.game_session_region,
    "PlayerLatencies" => placement.player_latencies,
    "StartTime" => At(placement.start_time_ms),
    "EndTime" => placement.end_time_ms.map(At),
    "IpAddress" => placement.ip_address,
    "DnsName" => placement.dns_name,
    "Port" => placement.port,
    "PlacedPlayerSessions" => Filled(&placement.placed_player_sessions),
    "GameSessionData" => placement.game_session_data,
    "MatchmakerData" => placement.matchmaker_data,
    "PriorityConfigurationOverride" => placement.priority_configuration_override,
});

structure!(PriorityConfigurationOverride, list, {
    "PlacementFallbackStrategy" => list.placement_fallback_strategy,
    "LocationOrder" => list.location_order,
});

structure!(PlayerLatency, latency, {
    "PlayerId" => latency.player_id,
    "RegionIdentifier" => latency.region_identifier,
    "LatencyInMilliseconds" => latency.latency_in_milliseconds,
});

structure!(PlacedPlayerSession, placed, {
    "PlayerId" => placed.player_id,
    "PlayerSessionId" => placed.player_session_id,
});

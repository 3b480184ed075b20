//! Game sessions, player sessions and placements.

use super::NO_GATEWAY;
use crate::wire::{At, Filled, Wire, Writer, enumerations, structure};
use liftdeck_simulated_world::records::{
    GameProperty, GameSessionPlacement, GameSessionPlacementState, GameSessionStatus,
    GameSessionStatusReason, PlacedPlayerSession, PlacementFallbackStrategy, PlayerLatency, PlayerSession,
    PlayerSessionCreationPolicy, PlayerSessionStatus, PriorityConfigurationOverride,
};
use liftdeck_simulated_world::{Properties, SessionRef};

enumerations!(
    GameSessionPlacementState,
    GameSessionStatus,
    GameSessionStatusReason,
    PlayerSessionCreationPolicy,
    PlayerSessionStatus,
    PlacementFallbackStrategy,
);

/// Written from the world's own state rather than from a record, because most requests are for pages of sessions.
impl Wire for SessionRef<'_> {
    fn write(&self, writer: &mut Writer) {
        let mut text = String::with_capacity(256);
        let text = &mut text;
        let known = self.is_reachable();
        let host = self.host();
        writer.open_map();
        made(writer, text, "GameSessionId", |text| self.push_arn(text));
        possible(writer, text, "Name", |text| self.push_name(text));
        writer.member("FleetId", self.fleet_id());
        writer.member("FleetArn", self.fleet_arn());
        writer.member("CreationTime", &At(self.creation_time_ms()));
        writer.member("TerminationTime", &self.termination_time_ms().map(At));
        writer.member("CurrentPlayerSessionCount", &self.current_player_session_count());
        writer.member("MaximumPlayerSessionCount", &self.maximum_player_session_count());
        writer.member("Status", &self.status());
        writer.member("StatusReason", &self.status_reason());
        writer.member("GameProperties", &self.shown_properties());
        if known {
            made(writer, text, "IpAddress", |text| host.push_ip_address(text));
            possible(writer, text, "DnsName", |text| host.push_dns_name(text));
            writer.member("Port", &self.port());
        }
        writer.member("PlayerSessionCreationPolicy", &self.player_session_creation_policy());
        possible(writer, text, "CreatorId", |text| self.push_creator_id(text));
        possible(writer, text, "GameSessionData", |text| self.push_game_session_data(text));
        writer.member("MatchmakerData", &self.matchmaker_data());
        writer.member("Location", self.location());
        made(writer, text, "ComputeName", |text| host.push_compute_name(text));
        writer.member("PlayerGatewayStatus", NO_GATEWAY);
        writer.close_map();
    }
}

/// Writes a member whose text is assembled in a reused buffer.
fn made(writer: &mut Writer, text: &mut String, name: &str, push: impl FnOnce(&mut String)) {
    possible(writer, text, name, |text| {
        push(text);
        true
    });
}

/// Does the same for a member that may be absent.
fn possible(writer: &mut Writer, text: &mut String, name: &str, push: impl FnOnce(&mut String) -> bool) {
    text.clear();
    if push(text) {
        writer.member(name, text.as_str());
    }
}

impl Wire for Properties<'_> {
    fn write(&self, writer: &mut Writer) {
        writer.open_list(self.count());
        self.each(|key, value| {
            writer.item();
            writer.open_map();
            writer.member("Key", key);
            writer.member("Value", value);
            writer.close_map();
        });
        writer.close_list();
    }
}

/// `GameSessionDetail`: a session with the protection in force.
pub(in crate::gamelift) struct Detail<'a>(pub(in crate::gamelift) SessionRef<'a>);

structure!(Detail<'_>, detail, {
    "GameSession" => detail.0,
    "ProtectionPolicy" => detail.0.protection_policy(),
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
    "PlayerGatewayStatus" => placement.game_session_arn.as_ref().map(|_| NO_GATEWAY),
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

#[cfg(test)]
mod tests {
    use crate::wire::{Value, Writer, read_cbor, read_json};
    use liftdeck_simulated_world::Scenario;
    use liftdeck_simulated_world::{SessionFilter, SessionRef, World, WorldOptions};

    use super::Wire;

    const START_MS: i64 = 1_795_203_000_000;

    fn written(session: &SessionRef<'_>) -> Value {
        let (mut cbor, mut json) = (Writer::cbor(), Writer::json());
        session.write(&mut cbor);
        session.write(&mut json);
        let (cbor, json) = (read_cbor(&cbor.finish()).unwrap(), read_json(&json.finish()).unwrap());
        assert_eq!(cbor.fingerprint(&[]), json.fingerprint(&[]), "both encodings say the same");
        cbor
    }

    #[test]
    fn a_session_is_written_as_its_record_says() {
        let options = WorldOptions {
            seed: 5,
            scenario: Scenario::LaunchDay,
            start_ms: START_MS,
            ..WorldOptions::default()
        };
        let world = World::new(&options);
        let mut seen = 0;
        for region in world.regions() {
            for fleet in world.fleets(region) {
                let listed = world.game_sessions(region, fleet.id(), SessionFilter::default(), None);
                for session in listed.step_by(37) {
                    let (record, written) = (session.record(), written(&session));
                    let text = |name: &str| match written.member(name) {
                        Some(Value::Text(text)) => Some(text.clone()),
                        _ => None,
                    };
                    assert_eq!(text("GameSessionId"), Some(record.game_session_id));
                    assert_eq!(text("Name"), record.name);
                    assert_eq!(text("IpAddress"), record.ip_address);
                    assert_eq!(text("DnsName"), record.dns_name);
                    assert_eq!(text("CreatorId"), record.creator_id);
                    assert_eq!(text("GameSessionData"), record.game_session_data);
                    assert_eq!(text("MatchmakerData"), record.matchmaker_data);
                    assert_eq!(text("ComputeName"), record.compute_name);
                    assert_eq!(text("Status").as_deref(), Some(record.status.as_str()));
                    let port = record.port.map(|port| Value::Int(port.into()));
                    assert_eq!(written.member("Port"), port.as_ref());
                    let Some(Value::List(properties)) = written.member("GameProperties") else {
                        panic!("a list")
                    };
                    assert_eq!(properties.len(), record.game_properties.len());
                    for (property, known) in properties.iter().zip(&record.game_properties) {
                        assert_eq!(property.member("Key"), Some(&Value::Text(known.key.clone())));
                        assert_eq!(property.member("Value"), Some(&Value::Text(known.value.clone())));
                    }
                    seen += 1;
                }
            }
        }
        assert!(seen > 100, "{seen} sessions");
    }
}

//! Requests for every kind of change.

use std::io::Write as _;
use std::path::Path;

use liftdeck_model::action::*;
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::game_session::GameProperty;
use liftdeck_model::{AliasId, FleetId, GameSessionId, ScriptId};
use sha2::{Digest as _, Sha256};

/// A zip with one empty file, `server.js`.
const ZIP: &[u8] = include_bytes!("script.zip");

pub(crate) fn create(target: GameSessionTarget, token: &str) -> Request {
    Request::CreateGameSession(CreateGameSession {
        target,
        location: None,
        maximum_player_session_count: 4,
        name: Some("by hand".to_owned()),
        game_properties: vec![GameProperty { key: "mode".to_owned(), value: "ranked".to_owned() }],
        game_session_data: None,
        idempotency_token: token.to_owned(),
        creator_id: None,
    })
}

pub(crate) fn on(fleet: &FleetId, token: &str) -> Request {
    create(GameSessionTarget::Fleet(fleet.clone()), token)
}

pub(crate) fn rename(id: &GameSessionId, name: &str) -> Request {
    Request::UpdateGameSession(UpdateGameSession { name: Some(name.to_owned()), ..no_update(id) })
}

pub(crate) fn no_update(id: &GameSessionId) -> UpdateGameSession {
    UpdateGameSession {
        game_session_id: id.clone(),
        name: None,
        maximum_player_session_count: None,
        player_session_creation_policy: None,
        protection_policy: None,
        game_properties: Vec::new(),
    }
}

pub(crate) fn terminate(id: &GameSessionId) -> Request {
    Request::TerminateGameSession(TerminateGameSession {
        game_session_id: id.clone(),
        termination_mode: TerminationMode::ForceTerminate,
    })
}

pub(crate) fn reserve(id: &GameSessionId, players: &[&str]) -> Request {
    let one = |id: &&str| NewPlayerSession { player_id: (*id).into(), player_data: None };
    Request::CreatePlayerSessions(CreatePlayerSessions {
        game_session_id: id.clone(),
        players: players.iter().map(one).collect(),
    })
}

pub(crate) fn place(id: &str, queue: &str) -> Request {
    place_at(id, queue, 20)
}

/// A placement for a player with this latency.
pub(crate) fn place_at(id: &str, queue: &str, latency_ms: i32) -> Request {
    Request::StartGameSessionPlacement(StartGameSessionPlacement {
        placement_id: id.into(),
        game_session_queue_name: queue.into(),
        maximum_player_session_count: 4,
        game_session_name: Some("by hand".to_owned()),
        game_properties: Vec::new(),
        game_session_data: None,
        players: vec![PlacementPlayer {
            player_id: "ada".into(),
            player_data: None,
            latencies: vec![RegionLatency { region: "eu-west-1".to_owned(), latency_ms }],
        }],
        priority_override: None,
    })
}

pub(crate) fn stop_placement(id: &str) -> Request {
    Request::StopGameSessionPlacement(StopGameSessionPlacement { placement_id: id.into() })
}

pub(crate) fn create_alias(name: &str, fleet: &FleetId) -> Request {
    Request::CreateAlias(CreateAlias {
        name: name.to_owned(),
        description: None,
        routing: RoutingStrategy::Simple { fleet_id: fleet.clone() },
    })
}

pub(crate) fn repoint(alias: &AliasId, routing: RoutingStrategy) -> Request {
    Request::UpdateAlias(UpdateAlias {
        alias_id: alias.clone(),
        name: None,
        description: None,
        routing: Some(routing),
    })
}

pub(crate) fn to(fleet: &FleetId) -> RoutingStrategy {
    RoutingStrategy::Simple { fleet_id: fleet.clone() }
}

pub(crate) fn delete_alias(alias: &AliasId) -> Request {
    Request::DeleteAlias(DeleteAlias { alias_id: alias.clone() })
}

pub(crate) fn capacity(fleet: &FleetId, sizes: [Option<i32>; 3]) -> Request {
    let [desired_instances, min_size, max_size] = sizes;
    Request::UpdateFleetCapacity(UpdateFleetCapacity {
        fleet_id: fleet.clone(),
        location: None,
        desired_instances,
        min_size,
        max_size,
    })
}

pub(crate) fn rule_policy(fleet: &FleetId, name: &str, threshold: f64) -> Request {
    Request::PutScalingPolicy(PutScalingPolicy {
        fleet_id: fleet.clone(),
        name: name.to_owned(),
        rule: ScalingRule::RuleBased(RuleBasedScaling {
            metric_name: "IdleInstances".to_owned(),
            comparison_operator: "GreaterThanThreshold".to_owned(),
            threshold,
            evaluation_periods: 5,
            scaling_adjustment_type: "ChangeInCapacity".to_owned(),
            scaling_adjustment: -1,
        }),
    })
}

pub(crate) fn delete_policy(fleet: &FleetId, name: &str) -> Request {
    Request::DeleteScalingPolicy(DeleteScalingPolicy { fleet_id: fleet.clone(), name: name.to_owned() })
}

pub(crate) fn suspend(fleet: &FleetId) -> Request {
    Request::StopFleetActions(SetFleetActions { fleet_id: fleet.clone(), location: None })
}

pub(crate) fn resume(fleet: &FleetId) -> Request {
    Request::StartFleetActions(SetFleetActions { fleet_id: fleet.clone(), location: None })
}

pub(crate) fn protect(fleet: &FleetId, policy: Protection) -> Request {
    Request::UpdateFleetAttributes(UpdateFleetAttributes {
        fleet_id: fleet.clone(),
        new_game_session_protection_policy: policy,
    })
}

pub(crate) fn queue_timeout(name: &str, seconds: i32) -> Request {
    Request::UpdateGameSessionQueue(UpdateGameSessionQueue {
        name: name.into(),
        timeout_seconds: Some(seconds),
        destinations: None,
        player_latency_policies: None,
        notification_target: None,
    })
}

/// A new queue with these destinations and this topic.
pub(crate) fn new_queue(name: &str, destinations: Vec<String>, topic: Option<&str>) -> Request {
    Request::CreateGameSessionQueue(CreateGameSessionQueue {
        name: name.into(),
        timeout_seconds: Some(60),
        destinations,
        player_latency_policies: Vec::new(),
        allowed_locations: Vec::new(),
        priority_order: vec!["COST".to_owned()],
        location_order: Vec::new(),
        custom_event_data: Some("made by hand".to_owned()),
        notification_target: topic.map(str::to_owned),
    })
}

fn player(id: &str, team: Option<&str>) -> MatchPlayer {
    MatchPlayer {
        player_id: id.into(),
        team: team.map(str::to_owned),
        attributes: vec![PlayerAttribute {
            name: "skill".to_owned(),
            value: AttributeValue::Number(1_000.0),
        }],
        latencies: vec![RegionLatency { region: "eu-west-1".to_owned(), latency_ms: 20 }],
    }
}

pub(crate) fn ticket(configuration: &str, ticket: &str, id: &str) -> Request {
    Request::StartMatchmaking(StartMatchmaking {
        configuration_name: configuration.to_owned(),
        ticket_id: ticket.into(),
        players: vec![player(id, None)],
    })
}

pub(crate) fn accept(ticket: &str, id: &str) -> Request {
    Request::AcceptMatch(AcceptMatch { ticket_id: ticket.into(), player_ids: vec![id.into()], accept: true })
}

pub(crate) fn stop_ticket(ticket: &str) -> Request {
    Request::StopMatchmaking(StopMatchmaking { ticket_id: ticket.into() })
}

pub(crate) fn backfill(configuration: &str, ticket: &str, session: &GameSessionId, id: &str) -> Request {
    Request::StartMatchBackfill(StartMatchBackfill {
        configuration_name: configuration.to_owned(),
        ticket_id: ticket.into(),
        game_session_id: session.clone(),
        players: vec![player(id, Some("red"))],
    })
}

/// New files for a script, written into `folder` first.
pub(crate) fn upload(script: &ScriptId, version: Option<&str>, folder: &Path) -> Request {
    let path = folder.join("script.zip");
    std::fs::File::create(&path).unwrap().write_all(ZIP).unwrap();
    Request::UpdateScript(UpdateScript {
        script_id: script.clone(),
        name: None,
        version: version.map(str::to_owned),
        zip_file: Some(ZipFile {
            path: path.to_str().unwrap().to_owned(),
            size_bytes: u32::try_from(ZIP.len()).unwrap(),
            sha256: Sha256::digest(ZIP).iter().map(|byte| format!("{byte:02x}")).collect(),
        }),
    })
}

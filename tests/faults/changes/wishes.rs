//! A wish for each change that the product can make, each about its own resource, and how the world shows its effect.

use std::io::Write as _;

use liftdeck_model::GameSessionId;
use liftdeck_model::action::*;
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::fleet::{ComputeKind, FleetStatus};
use liftdeck_model::game_session::{GameSession, GameSessionStatus};
use liftdeck_model::matchmaking::TicketStatus;
use liftdeck_operations::Guard;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::Bench;

/// A zip with one empty file, `server.js`.
const ZIP: &[u8] = include_bytes!("../../../src-tauri/crates/operations/tests/guarding/script.zip");

/// A change, and what the world's own records show of it: a list of what was made, or the value that changes.
pub(crate) struct Wish {
    pub(crate) request: Request,
    pub(crate) shows: Box<dyn Fn(&Value) -> Value>,
}

/// Selects all records of a kind with this value.
fn made(kind: &'static str, key: &'static str, value: &str) -> Box<dyn Fn(&Value) -> Value> {
    let value = value.to_owned();
    Box::new(move |truth| {
        let records = truth[kind].as_array().unwrap_or_else(|| panic!("the truth has no {kind}"));
        records.iter().filter(|record| record[key] == *value).cloned().collect()
    })
}

/// Selects a member of the record with this id; null if there is no such record.
fn member(
    kind: &'static str,
    key: &'static str,
    id: &str,
    member: &'static str,
) -> Box<dyn Fn(&Value) -> Value> {
    let found = made(kind, key, id);
    Box::new(move |truth| json!({ "is": found(truth)[0][member] }))
}

/// Tickets that are read one by one, because GameLift cannot list them.
pub(crate) const TICKETS: [&str; 4] = ["more", "begun", "stopped", LAST_TICKET];
/// The ticket that is read later, when its players' answers show.
pub(crate) const LAST_TICKET: &str = "answered";

/// Reduces a ticket's status to whether it meets a condition, because the status also changes by itself.
fn ticket(id: &'static str, stands: impl Fn(Option<&str>) -> bool + 'static) -> Box<dyn Fn(&Value) -> Value> {
    Box::new(move |truth| json!({ "is": stands(truth[TICKETS_TOLD][id].as_str()) }))
}

/// Key under which a look at the world keeps the tickets' status.
pub(crate) const TICKETS_TOLD: &str = "TicketsTold";

/// Prepares a wish for each change. A guard without faults first creates what they need in the world.
pub(crate) async fn prepare(bench: &Bench, sure: &Guard) -> Vec<Wish> {
    let reader = bench.healthy.reader(&bench.world.region).expect("the Region is known");
    let mut wishes = Vec::new();
    let mut wish = |request, shows| wishes.push(Wish { request, shows });

    // First, because time passes meanwhile.
    tickets(bench, sure, &mut wish).await;
    let mut fleets = reader.fleets().await.items;
    fleets.retain(|fleet| fleet.kind != ComputeKind::Anywhere && fleet.status == FleetStatus::Active);
    fleets.retain(|fleet| fleet.fleet_id.as_str().starts_with("fleet-"));
    let [one, two, three] = [0, 1, 2].map(|at| fleets[at].fleet_id.clone());
    let mut sessions: Vec<GameSession> = Vec::new();
    for fleet in [&one, &two] {
        let filter =
            liftdeck_gateway::GameSessionFilter { location: None, status: Some(GameSessionStatus::Active) };
        sessions.extend(reader.game_sessions(fleet, &filter).await.items);
    }
    let id = |at: usize| sessions[at].game_session_id.clone();
    let update = |game_session_id: GameSessionId| UpdateGameSession {
        game_session_id,
        name: None,
        maximum_player_session_count: None,
        player_session_creation_policy: None,
        protection_policy: None,
        game_properties: Vec::new(),
    };

    wish(
        Request::CreateGameSession(CreateGameSession {
            target: GameSessionTarget::Fleet(one.clone()),
            location: None,
            maximum_player_session_count: 4,
            name: Some("made".to_owned()),
            game_properties: Vec::new(),
            game_session_data: None,
            idempotency_token: "faults".to_owned(),
            creator_id: None,
        }),
        made("GameSessions", "Name", "made"),
    );
    wish(
        Request::UpdateGameSession(UpdateGameSession { name: Some("renamed".to_owned()), ..update(id(0)) }),
        made("GameSessions", "Name", "renamed"),
    );
    wish(
        Request::TerminateGameSession(TerminateGameSession {
            game_session_id: id(1),
            termination_mode: TerminationMode::ForceTerminate,
        }),
        member("GameSessions", "GameSessionId", id(1).as_str(), "Status"),
    );
    let roomy = id(2);
    let more = UpdateGameSession {
        maximum_player_session_count: Some(199),
        player_session_creation_policy: Some(PlayerSessionCreationPolicy::AcceptAll),
        ..update(roomy.clone())
    };
    bench.done(sure, Request::UpdateGameSession(more)).await;
    wish(
        Request::CreatePlayerSessions(CreatePlayerSessions {
            game_session_id: roomy,
            players: vec![NewPlayerSession { player_id: "newcomer".into(), player_data: None }],
        }),
        made("PlayerSessions", "PlayerId", "newcomer"),
    );

    let place = |id: &str, latency_ms| {
        Request::StartGameSessionPlacement(StartGameSessionPlacement {
            placement_id: id.into(),
            game_session_queue_name: "arena-eu".into(),
            maximum_player_session_count: 4,
            game_session_name: None,
            game_properties: Vec::new(),
            game_session_data: None,
            players: vec![PlacementPlayer {
                player_id: "ada".into(),
                player_data: None,
                latencies: vec![RegionLatency { region: "eu-west-1".to_owned(), latency_ms }],
            }],
            priority_override: None,
        })
    };
    // Exceeds the latency that the queue allows, so it stays PENDING.
    bench.done(sure, place("far", 900)).await;
    wish(place("near", 20), made("GameSessionPlacements", "PlacementId", "near"));
    wish(
        Request::StopGameSessionPlacement(StopGameSessionPlacement { placement_id: "far".into() }),
        member("GameSessionPlacements", "PlacementId", "far", "Status"),
    );

    let alias = |name: &str| {
        Request::CreateAlias(CreateAlias {
            name: name.to_owned(),
            description: None,
            routing: RoutingStrategy::Simple { fleet_id: one.clone() },
        })
    };
    let [moved, gone] = ["moved", "gone"].map(|name| async { bench.done(sure, alias(name)).await.made });
    let (moved, gone) = (moved.await.expect("an alias"), gone.await.expect("an alias"));
    wish(alias("new"), made("Aliases", "Name", "new"));
    wish(
        Request::UpdateAlias(UpdateAlias {
            alias_id: moved.as_str().into(),
            name: None,
            description: None,
            routing: Some(RoutingStrategy::Simple { fleet_id: two.clone() }),
        }),
        member("Aliases", "AliasId", &moved, "RoutingStrategy"),
    );
    wish(
        Request::DeleteAlias(DeleteAlias { alias_id: gone.as_str().into() }),
        member("Aliases", "AliasId", &gone, "Name"),
    );

    let now = reader.capacity(&one, None).await.expect("an answer").expect("a capacity");
    let (fleet, home) = (one.as_str().to_owned(), bench.world.region.as_str().to_owned());
    wish(
        Request::UpdateFleetCapacity(UpdateFleetCapacity {
            fleet_id: one.clone(),
            location: None,
            desired_instances: None,
            min_size: None,
            max_size: Some(now.maximum + 3),
        }),
        Box::new(move |truth| {
            let capacities = truth["FleetCapacity"].as_array().expect("capacities");
            let here = |one: &&Value| one["FleetId"] == *fleet && one["Location"] == *home;
            json!({ "is": capacities.iter().find(here).expect("a capacity")["InstanceCounts"]["MAXIMUM"] })
        }),
    );
    let policy = |name: &str| {
        Request::PutScalingPolicy(PutScalingPolicy {
            fleet_id: two.clone(),
            name: name.to_owned(),
            rule: ScalingRule::RuleBased(RuleBasedScaling {
                metric_name: "IdleInstances".to_owned(),
                comparison_operator: "GreaterThanThreshold".to_owned(),
                threshold: 2.0,
                evaluation_periods: 5,
                scaling_adjustment_type: "ChangeInCapacity".to_owned(),
                scaling_adjustment: -1,
            }),
        })
    };
    bench.done(sure, policy("dropped")).await;
    wish(policy("shrink"), made("ScalingPolicies", "Name", "shrink"));
    wish(
        Request::DeleteScalingPolicy(DeleteScalingPolicy {
            fleet_id: two.clone(),
            name: "dropped".to_owned(),
        }),
        member("ScalingPolicies", "Name", "dropped", "Status"),
    );
    let actions =
        |fleet: &liftdeck_model::FleetId| SetFleetActions { fleet_id: fleet.clone(), location: None };
    let stopped = |fleet: &liftdeck_model::FleetId| -> Box<dyn Fn(&Value) -> Value> {
        let fleet = fleet.as_str().to_owned();
        Box::new(move |truth| json!({ "is": truth["LocationAttributes"][&fleet] }))
    };
    bench.done(sure, Request::StopFleetActions(actions(&three))).await;
    wish(Request::StartFleetActions(actions(&three)), stopped(&three));
    wish(Request::StopFleetActions(actions(&two)), stopped(&two));
    let protected =
        fleets[0].new_game_session_protection_policy.as_ref().map(|policy| policy.as_str().to_owned());
    let other = match protected.as_deref() {
        Some("FullProtection") => Protection::NoProtection,
        _ => Protection::FullProtection,
    };
    wish(
        Request::UpdateFleetAttributes(UpdateFleetAttributes {
            fleet_id: one.clone(),
            new_game_session_protection_policy: other,
        }),
        member("Fleets", "FleetId", one.as_str(), "NewGameSessionProtectionPolicy"),
    );
    wish(
        Request::UpdateGameSessionQueue(UpdateGameSessionQueue {
            name: "arena-eu".into(),
            timeout_seconds: Some(123),
            destinations: None,
            player_latency_policies: None,
            notification_target: None,
        }),
        member("GameSessionQueues", "Name", "arena-eu", "TimeoutInSeconds"),
    );
    wish(
        Request::CreateGameSessionQueue(CreateGameSessionQueue {
            name: "made-here".into(),
            timeout_seconds: Some(60),
            destinations: Vec::new(),
            player_latency_policies: Vec::new(),
            allowed_locations: Vec::new(),
            priority_order: Vec::new(),
            location_order: Vec::new(),
            custom_event_data: None,
            notification_target: None,
        }),
        made("GameSessionQueues", "Name", "made-here"),
    );
    let script = reader.scripts().await.items.remove(0).script_id;
    let path = bench.folder.path().join("script.zip");
    std::fs::File::create(&path).and_then(|mut file| file.write_all(ZIP)).expect("a zip");
    wish(
        Request::UpdateScript(UpdateScript {
            script_id: script.clone(),
            name: None,
            version: Some("faults".to_owned()),
            zip_file: Some(ZipFile {
                path: path.to_string_lossy().into_owned(),
                size_bytes: u32::try_from(ZIP.len()).expect("a small zip"),
                sha256: Sha256::digest(ZIP).iter().map(|byte| format!("{byte:02x}")).collect(),
            }),
        }),
        member("Scripts", "ScriptId", script.as_str(), "Version"),
    );
    wishes
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

/// Prepares tickets: one to start, one to accept, one to stop, and a match that can be backfilled.
async fn tickets(bench: &Bench, sure: &Guard, wish: &mut impl FnMut(Request, Box<dyn Fn(&Value) -> Value>)) {
    let reader = bench.healthy.reader(&bench.world.region).expect("the Region is known");
    let configurations = reader.matchmaking_configurations().await.items;
    let asks = |found: &&liftdeck_model::matchmaking::MatchmakingConfiguration| found.acceptance_required;
    let name = &configurations.iter().find(asks).expect("a configuration that asks players").name;
    let start = |ticket: &str, player_id: &str| {
        Request::StartMatchmaking(StartMatchmaking {
            configuration_name: name.clone(),
            ticket_id: ticket.into(),
            players: vec![player(player_id, None)],
        })
    };
    let answer = |ticket: &str, player_id: &str| {
        Request::AcceptMatch(AcceptMatch {
            ticket_id: ticket.into(),
            player_ids: vec![player_id.into()],
            accept: true,
        })
    };
    let until = async |ticket: &str, status: TicketStatus| {
        for _ in 0..120 {
            let found = reader.tickets(&[ticket.into()]).await.items.remove(0);
            if found.status == status {
                return found;
            }
            bench.world.simulator.advance(std::time::Duration::from_secs(1)).await.expect("time passes");
        }
        panic!("{ticket} never becomes {status:?}")
    };
    bench.done(sure, start("played", "bo")).await;
    until("played", TicketStatus::RequiresAcceptance).await;
    bench.done(sure, answer("played", "bo")).await;
    let played = until("played", TicketStatus::Completed).await;
    let session = played.connection.and_then(|found| found.game_session_id).expect("a game session");
    wish(
        Request::StartMatchBackfill(StartMatchBackfill {
            configuration_name: name.clone(),
            ticket_id: "more".into(),
            game_session_id: session,
            players: vec![player("bo", Some("red"))],
        }),
        ticket("more", |status| status.is_some()),
    );
    bench.done(sure, start("answered", "cy")).await;
    until("answered", TicketStatus::RequiresAcceptance).await;
    wish(
        answer("answered", "cy"),
        ticket("answered", |status| matches!(status, Some("Placing" | "Completed"))),
    );
    bench.done(sure, start("stopped", "di")).await;
    wish(
        Request::StopMatchmaking(StopMatchmaking { ticket_id: "stopped".into() }),
        ticket("stopped", |status| status == Some("Cancelled")),
    );
    wish(start("begun", "ed"), ticket("begun", |status| status.is_some()));
}

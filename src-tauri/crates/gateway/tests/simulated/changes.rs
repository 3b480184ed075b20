//! Every change against the simulator: what a success makes, and what a refusal says.

#![allow(clippy::disallowed_methods, reason = "the subject of these tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use bytes::Bytes;
use liftdeck_gateway::{ErrorKind, GatewayError, Grant, Made, OPERATOR_ACTIONS, Operator, Reader};
use liftdeck_model::action::*;
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::fleet::{ComputeKind, Fleet, FleetStatus, ProtectionPolicy};
use liftdeck_model::game_session::{GameProperty, GameSession, GameSessionStatus};
use liftdeck_model::matchmaking::TicketStatus;
use liftdeck_model::placement::PlacementStatus;
use liftdeck_model::{FleetId, GameSessionId};
use liftdeck_simulator::{Credentials, FaultKind, FaultPlan, FaultRule};

use crate::world::World;

const NO_FLEET: &str = "fleet-00000000-0000-0000-0000-000000000000";
const HOUR: Duration = Duration::from_secs(3_600);

/// A frozen world with somebody who may change it.
struct Desk {
    world: World,
    operator: Operator,
    reader: Reader,
}

impl Desk {
    async fn open() -> Self {
        Self::of(World::frozen(1.0).await)
    }

    fn of(world: World) -> Self {
        let operator = world.gateway.operator(&world.region, &Grant::issue(HOUR)).unwrap();
        let reader = world.gateway.reader(&world.region).unwrap();
        Self { world, operator, reader }
    }

    async fn made(&self, request: Request) -> Made {
        assert_eq!(request.check(), [], "{request:?}");
        let sent = self.operator.send(&request, None).await.unwrap();
        assert!(sent.request_id.is_some(), "{request:?}");
        sent.made
    }

    /// The refusal, which must carry this code and a request id and say that nothing happened.
    async fn refused(&self, request: Request, code: &str) -> GatewayError {
        let error = self.operator.send(&request, None).await.unwrap_err();
        assert_eq!(error.code.as_deref(), Some(code), "{error}");
        assert!(error.request_id.is_some() && !error.may_have_happened(), "{error}");
        error
    }

    /// An ACTIVE managed EC2 fleet with a free process.
    async fn fleet(&self) -> Fleet {
        for fleet in self.reader.fleets().await.items {
            let on_ec2 = fleet.kind == ComputeKind::Ec2OnDemand && fleet.script_id.is_none();
            if on_ec2 && fleet.status == FleetStatus::Active {
                let home = self.world.region.as_str().into();
                let load = self.reader.fleet_location_utilization(&fleet.fleet_id, &home).await.unwrap();
                if load.active_game_session_count < load.active_server_process_count {
                    return fleet;
                }
            }
        }
        panic!("the world has an ACTIVE fleet with room");
    }

    async fn pass(&self, seconds: u64) {
        self.world.simulator.advance(Duration::from_secs(seconds)).await.unwrap();
    }

    /// How often an action reached the service.
    fn calls(&self, action: &str) -> u64 {
        let calls = self.world.simulator.calls();
        calls
            .get(self.world.region.as_str())
            .and_then(|actions| actions.get(action))
            .map_or(0, |count| count.calls)
    }
}

fn create(target: GameSessionTarget, token: &str) -> Request {
    Request::CreateGameSession(CreateGameSession {
        target,
        location: None,
        maximum_player_session_count: 4,
        name: Some("by hand".to_owned()),
        game_properties: vec![GameProperty { key: "mode".to_owned(), value: "ranked".to_owned() }],
        game_session_data: Some("{}".to_owned()),
        idempotency_token: token.to_owned(),
        creator_id: None,
    })
}

fn terminate(id: &GameSessionId, termination_mode: TerminationMode) -> Request {
    Request::TerminateGameSession(TerminateGameSession { game_session_id: id.clone(), termination_mode })
}

fn reserve(id: &GameSessionId, players: &[&str]) -> Request {
    let players = players
        .iter()
        .map(|id| NewPlayerSession { player_id: (*id).into(), player_data: Some("level=3".to_owned()) });
    Request::CreatePlayerSessions(CreatePlayerSessions {
        game_session_id: id.clone(),
        players: players.collect(),
    })
}

fn session(made: Made) -> GameSession {
    match made {
        Made::GameSession(session) => *session,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_session_is_made_once_joined_changed_and_ended() {
    let desk = Desk::open().await;
    let fleet = desk.fleet().await.fleet_id;
    let request = create(GameSessionTarget::Fleet(fleet.clone()), "token-1");
    let first = session(desk.made(request.clone()).await);
    assert_eq!((first.game_session_id.short(), first.fleet_id.clone()), ("token-1", fleet));
    let again = session(desk.made(request).await);
    assert_eq!(again.game_session_id, first.game_session_id, "the token makes it once");
    let id = first.game_session_id;
    desk.pass(60).await;

    let update = Request::UpdateGameSession(UpdateGameSession {
        game_session_id: id.clone(),
        name: Some("renamed".to_owned()),
        maximum_player_session_count: Some(2),
        player_session_creation_policy: Some(PlayerSessionCreationPolicy::AcceptAll),
        protection_policy: Some(Protection::FullProtection),
        game_properties: vec![GameProperty { key: "round".to_owned(), value: "2".to_owned() }],
    });
    let updated = session(desk.made(update).await);
    assert_eq!((updated.name.as_deref(), updated.maximum_player_session_count), (Some("renamed"), 2));
    assert_eq!(updated.game_properties.len(), 2, "properties are added");
    let seen = desk.reader.game_session(&id).await.unwrap().unwrap();
    assert_eq!(seen.protection_policy, Some(ProtectionPolicy::FullProtection));
    assert_eq!(seen.status, GameSessionStatus::Active);

    let Made::PlayerSessions(slots) = desk.made(reserve(&id, &["ada", "bo"])).await else {
        panic!("player sessions")
    };
    assert_eq!(slots.len(), 2);
    assert!(slots.iter().all(|slot| slot.player_session_id.as_str().starts_with("psess-")));
    assert!(slots.iter().all(|slot| slot.ip_address.is_some() && slot.port.is_some()));
    let full = desk.refused(reserve(&id, &["cy"]), "GameSessionFullException").await;
    assert_eq!(full.kind, ErrorKind::Invalid);

    let ending = session(desk.made(terminate(&id, TerminationMode::ForceTerminate)).await);
    assert_eq!(ending.status, GameSessionStatus::Terminating);
    desk.pass(60).await;
    let gone = desk.reader.game_session(&id).await.unwrap().unwrap();
    assert_eq!(gone.status, GameSessionStatus::Terminated);
    assert!(desk.reader.game_session_log_url(&id).await.unwrap().is_some());
    let never = GameSessionId::from(id.as_str().replace("token-1", "never-was"));
    let error = desk
        .refused(terminate(&never, TerminationMode::TriggerOnProcessTerminate), "NotFoundException")
        .await;
    assert!(error.to_string().contains(never.as_str()), "{error}");
}

#[tokio::test]
async fn an_alias_is_made_followed_repointed_and_deleted() {
    let desk = Desk::open().await;
    let fleet = desk.fleet().await.fleet_id;
    let make = CreateAlias {
        name: "by hand".to_owned(),
        description: Some("for a test".to_owned()),
        routing: RoutingStrategy::Simple { fleet_id: fleet.clone() },
    };
    let Made::Alias(alias) = desk.made(Request::CreateAlias(make.clone())).await else { panic!("an alias") };
    let id = alias.alias_id.clone();
    assert_eq!(desk.reader.alias(&id).await.unwrap(), Some(*alias));
    let made = session(desk.made(create(GameSessionTarget::Alias(id.clone()), "token-2")).await);
    assert_eq!(made.fleet_id, fleet);

    let closed = RoutingStrategy::Terminal { message: "Back at nine".to_owned() };
    let close =
        UpdateAlias { alias_id: id.clone(), name: None, description: None, routing: Some(closed.clone()) };
    let Made::Alias(alias) = desk.made(Request::UpdateAlias(close)).await else { panic!("an alias") };
    assert_eq!((alias.routing, alias.name.as_str()), (closed, "by hand"));
    desk.pass(180).await;
    let refused = desk
        .refused(create(GameSessionTarget::Alias(id.clone()), "token-3"), "TerminalRoutingStrategyException")
        .await;
    assert!(refused.to_string().contains("Back at nine"), "{refused}");

    let nowhere = RoutingStrategy::Simple { fleet_id: NO_FLEET.into() };
    let error =
        desk.operator.send(&Request::CreateAlias(CreateAlias { routing: nowhere, ..make }), None).await;
    assert!(error.unwrap_err().request_id.is_some());
    let delete = || Request::DeleteAlias(DeleteAlias { alias_id: id.clone() });
    assert_eq!(desk.made(delete()).await, Made::Nothing);
    assert_eq!(desk.reader.alias(&id).await, Ok(None));
    desk.refused(delete(), "NotFoundException").await;
}

#[tokio::test]
async fn a_placement_is_started_followed_and_stopped_and_its_queue_changed() {
    let desk = Desk::open().await;
    let queue = desk.reader.queues().await.items.remove(0);
    let latency = RegionLatency { region: desk.world.region.to_string(), latency_ms: 20 };
    let start = |id: &str| {
        Request::StartGameSessionPlacement(StartGameSessionPlacement {
            placement_id: id.into(),
            game_session_queue_name: queue.name.clone(),
            maximum_player_session_count: 4,
            game_session_name: Some("by hand".to_owned()),
            game_properties: Vec::new(),
            game_session_data: None,
            players: vec![PlacementPlayer {
                player_id: "ada".into(),
                player_data: None,
                latencies: vec![latency.clone()],
            }],
            priority_override: None,
        })
    };
    let Made::Placement(placement) = desk.made(start("plc-1")).await else { panic!("a placement") };
    assert_eq!((placement.status, placement.queue), (PlacementStatus::Pending, Some(queue.name.clone())));
    assert!((placement.player_latencies[0].latency_ms - 20.0).abs() < 1e-6);
    desk.pass(90).await;
    let placed = desk.reader.placement(&"plc-1".into()).await.unwrap().unwrap();
    assert_eq!(placed.status, PlacementStatus::Fulfilled);
    assert_eq!(placed.placed_player_sessions.len(), 1);
    assert!(placed.game_session_id.is_some_and(|id| id.fleet_id().is_some()));
    desk.refused(start("plc-1"), "InvalidRequestException").await;
    let stop =
        |id: &str| Request::StopGameSessionPlacement(StopGameSessionPlacement { placement_id: id.into() });
    desk.refused(stop("plc-1"), "InvalidRequestException").await;
    assert_eq!(desk.reader.placement(&"never-was".into()).await, Ok(None));

    let policy =
        LatencyPolicy { maximum_individual_player_latency_ms: Some(80), policy_duration_seconds: Some(30) };
    let update = UpdateGameSessionQueue {
        name: queue.name.clone(),
        timeout_seconds: Some(120),
        destinations: Some(queue.destinations.iter().rev().cloned().collect()),
        player_latency_policies: Some(vec![policy]),
    };
    let Made::Queue(changed) = desk.made(Request::UpdateGameSessionQueue(update.clone())).await else {
        panic!("a queue")
    };
    assert_eq!(changed.timeout_seconds, Some(120));
    assert!(changed.destinations.iter().eq(queue.destinations.iter().rev()));
    assert_eq!(desk.reader.queue(&queue.name).await.unwrap(), Some(*changed));
    // A queue that leads nowhere keeps its placements waiting.
    let nowhere = CreateAlias {
        name: "nowhere".to_owned(),
        description: None,
        routing: RoutingStrategy::Terminal { message: "closed".to_owned() },
    };
    let Made::Alias(nowhere) = desk.made(Request::CreateAlias(nowhere)).await else { panic!("an alias") };
    let lead =
        UpdateGameSessionQueue { destinations: nowhere.alias_arn.map(|arn| vec![arn]), ..update.clone() };
    desk.made(Request::UpdateGameSessionQueue(lead)).await;
    desk.made(start("plc-2")).await;
    let Made::Placement(stopped) = desk.made(stop("plc-2")).await else { panic!("a placement") };
    assert_eq!(stopped.status, PlacementStatus::Cancelled);
    let nowhere = UpdateGameSessionQueue { name: "never-was".into(), ..update };
    desk.refused(Request::UpdateGameSessionQueue(nowhere), "NotFoundException").await;
    assert_eq!(desk.reader.queue(&"never-was".into()).await, Ok(None));
}

#[tokio::test]
async fn a_fleet_is_resized_rescaled_suspended_and_protected() {
    let desk = Desk::open().await;
    let fleet = desk.fleet().await.fleet_id;
    let before = desk.reader.capacity(&fleet, None).await.unwrap().unwrap();
    let capacity = |fleet: &FleetId, most| {
        Request::UpdateFleetCapacity(UpdateFleetCapacity {
            fleet_id: fleet.clone(),
            location: Some(desk.world.region.as_str().into()),
            desired_instances: None,
            min_size: None,
            max_size: Some(most),
        })
    };
    assert_eq!(desk.made(capacity(&fleet, before.maximum + 1)).await, Made::Nothing);
    desk.pass(120).await;
    let after = desk.reader.capacity(&fleet, None).await.unwrap().unwrap();
    assert_eq!(after.maximum, before.maximum + 1);
    desk.refused(capacity(&NO_FLEET.into(), 1), "NotFoundException").await;
    assert_eq!(desk.reader.capacity(&NO_FLEET.into(), None).await, Ok(None));
    desk.refused(capacity(&fleet, -1), "InvalidRequestException").await;

    let rule = RuleBasedScaling {
        metric_name: "IdleInstances".to_owned(),
        comparison_operator: "GreaterThanThreshold".to_owned(),
        threshold: 2.5,
        evaluation_periods: 5,
        scaling_adjustment_type: "ChangeInCapacity".to_owned(),
        scaling_adjustment: -1,
    };
    for (name, rule) in [
        ("keep free", ScalingRule::TargetBased { target_value: 25.0 }),
        ("shrink", ScalingRule::RuleBased(rule)),
    ] {
        let put = PutScalingPolicy { fleet_id: fleet.clone(), name: name.to_owned(), rule };
        // A fleet has one target-based policy at most, so its own ones make room; each is listed once a location.
        let old = desk.reader.scaling_policies(&fleet).await.items.into_iter().map(|policy| policy.name);
        for name in old.collect::<BTreeSet<_>>() {
            let delete = DeleteScalingPolicy { fleet_id: fleet.clone(), name };
            assert_eq!(desk.made(Request::DeleteScalingPolicy(delete)).await, Made::Nothing);
        }
        desk.pass(120).await;
        desk.made(Request::PutScalingPolicy(put)).await;
        let found = desk.reader.scaling_policies(&fleet).await.items;
        assert!(found.iter().any(|policy| policy.name == name), "{name}: {found:?}");
    }
    let gone = DeleteScalingPolicy { fleet_id: fleet.clone(), name: "never-was".to_owned() };
    desk.refused(Request::DeleteScalingPolicy(gone), "NotFoundException").await;

    let actions = |fleet: &FleetId| SetFleetActions { fleet_id: fleet.clone(), location: None };
    let suspended = async || {
        let found = desk.reader.fleet(&fleet).await.unwrap().unwrap();
        !found.stopped_actions.is_empty()
    };
    desk.made(Request::StopFleetActions(actions(&fleet))).await;
    desk.pass(120).await;
    assert!(suspended().await);
    desk.made(Request::StartFleetActions(actions(&fleet))).await;
    desk.pass(120).await;
    assert!(!suspended().await);
    desk.refused(Request::StopFleetActions(actions(&NO_FLEET.into())), "NotFoundException").await;

    let protect = |fleet: FleetId| {
        Request::UpdateFleetAttributes(UpdateFleetAttributes {
            fleet_id: fleet,
            new_game_session_protection_policy: Protection::FullProtection,
        })
    };
    desk.made(protect(fleet.clone())).await;
    let found = desk.reader.fleet(&fleet).await.unwrap().unwrap();
    assert_eq!(found.new_game_session_protection_policy, Some(ProtectionPolicy::FullProtection));
    desk.refused(protect(NO_FLEET.into()), "NotFoundException").await;
    assert_eq!(desk.reader.fleet(&NO_FLEET.into()).await, Ok(None));
}

#[tokio::test]
async fn a_ticket_is_matched_accepted_and_backfilled_and_another_one_stopped() {
    let desk = Desk::open().await;
    let configurations = desk.reader.matchmaking_configurations().await.items;
    let duel = configurations.iter().find(|found| found.acceptance_required).unwrap();
    let rule_sets = desk.reader.rule_sets().await;
    assert!(rule_sets.complete);
    let wanted = duel.rule_set_name.as_deref();
    assert!(
        rule_sets
            .items
            .iter()
            .any(|found| Some(found.name.as_str()) == wanted && found.body.contains("teams"))
    );

    let skill = PlayerAttribute { name: "skill".to_owned(), value: AttributeValue::Number(1_000.0) };
    let latency = RegionLatency { region: desk.world.region.to_string(), latency_ms: 20 };
    let player = |id: &str, team: Option<&str>| MatchPlayer {
        player_id: id.into(),
        team: team.map(str::to_owned),
        attributes: vec![skill.clone()],
        latencies: vec![latency.clone()],
    };
    let start = |ticket: &str, player_id: &str| {
        Request::StartMatchmaking(StartMatchmaking {
            configuration_name: duel.name.clone(),
            ticket_id: ticket.into(),
            players: vec![player(player_id, None)],
        })
    };
    let shown = async |id: &str| {
        let mut reading = desk.reader.tickets(&[id.into(), "never-was".into()]).await;
        assert!(reading.complete && reading.items.len() == 1, "{reading:?}");
        reading.items.remove(0)
    };
    let Made::Ticket(ticket) = desk.made(start("t-1", "ada")).await else { panic!("a ticket") };
    assert!(!ticket.status.is_final());
    assert_eq!(ticket.players[0].attributes, std::slice::from_ref(&skill));
    let accept = |accept| {
        Request::AcceptMatch(AcceptMatch { ticket_id: "t-1".into(), player_ids: vec!["ada".into()], accept })
    };
    let mut status = ticket.status;
    for _ in 0..40 {
        if matches!(status, TicketStatus::RequiresAcceptance) {
            break;
        }
        desk.pass(1).await;
        status = shown("t-1").await.status;
    }
    assert_eq!(status, TicketStatus::RequiresAcceptance);
    assert_eq!(desk.made(accept(true)).await, Made::Nothing);
    desk.pass(60).await;
    let done = shown("t-1").await;
    assert_eq!(done.status, TicketStatus::Completed, "{done:?}");
    let connection = done.connection.unwrap();
    assert!(connection.port.is_some());
    desk.refused(accept(true), "InvalidRequestException").await;

    let backfill = |game_session_id, ticket: &str| {
        Request::StartMatchBackfill(StartMatchBackfill {
            configuration_name: duel.name.clone(),
            ticket_id: ticket.into(),
            game_session_id,
            players: vec![player("ada", Some("red"))],
        })
    };
    let id = connection.game_session_id.unwrap();
    let teams = rule_sets.items.iter().find(|found| Some(found.name.as_str()) == wanted).unwrap();
    assert!(teams.body.contains("\"red\""), "{}", teams.body);
    let Made::Ticket(ticket) = desk.made(backfill(id, "t-2")).await else { panic!("a ticket") };
    assert_eq!(ticket.ticket_id.as_str(), "t-2");
    let never = format!("arn:aws:gamelift:{}::gamesession/{NO_FLEET}/never-was", desk.world.region);
    desk.operator.send(&backfill(never.into(), "t-3"), None).await.unwrap_err();

    desk.made(start("t-4", "bo")).await;
    let stop = |id: &str| Request::StopMatchmaking(StopMatchmaking { ticket_id: id.into() });
    assert_eq!(desk.made(stop("t-4")).await, Made::Nothing);
    assert_eq!(shown("t-4").await.status, TicketStatus::Cancelled);
    desk.refused(stop("never-was"), "NotFoundException").await;
}

#[tokio::test]
async fn a_script_gets_new_files_and_a_version() {
    let desk = Desk::open().await;
    let before = desk.reader.scripts().await.items.remove(0);
    let zip = Bytes::from_static(include_bytes!("script.zip"));
    let size_bytes = u32::try_from(zip.len()).unwrap();
    let update = UpdateScript {
        script_id: before.script_id.clone(),
        name: None,
        version: Some("by hand".to_owned()),
        zip_file: Some(ZipFile { path: "script.zip".to_owned(), size_bytes, sha256: String::new() }),
    };
    let request = Request::UpdateScript(update.clone());
    let sent = desk.operator.send(&request, Some(zip.clone())).await.unwrap();
    let Made::Script(script) = sent.made else { panic!("{:?}", sent.made) };
    assert_eq!((script.version.as_deref(), script.name.clone()), (Some("by hand"), before.name));
    assert_eq!(desk.reader.script(&before.script_id).await.unwrap(), Some(*script));

    let sent_so_far = desk.calls("gamelift:UpdateScript");
    for wrong in [None, Some(zip.slice(1..))] {
        let error = desk.operator.send(&request, wrong).await.unwrap_err();
        assert_eq!((error.kind, error.may_have_happened()), (ErrorKind::Invalid, false), "{error}");
    }
    assert_eq!(desk.calls("gamelift:UpdateScript"), sent_so_far, "neither was sent");
    let never = UpdateScript {
        script_id: "script-00000000-0000-0000-0000-000000000000".into(),
        zip_file: None,
        ..update
    };
    desk.refused(Request::UpdateScript(never.clone()), "NotFoundException").await;
    assert_eq!(desk.reader.script(&never.script_id).await, Ok(None));
}

#[tokio::test]
async fn silence_may_have_happened_a_throttle_is_waited_out_and_a_dead_grant_sends_nothing() {
    let desk = Desk::open().await;
    let alias = desk.reader.aliases().await.items.remove(0);
    let rename = Request::UpdateAlias(UpdateAlias {
        alias_id: alias.alias_id.clone(),
        name: Some("renamed".to_owned()),
        description: None,
        routing: None,
    });
    let rule = |kind, count| FaultRule {
        operation: "gamelift:*Alias".to_owned(),
        kind,
        count: Some(count),
        ..FaultRule::default()
    };
    let set = |rule| desk.world.simulator.set_faults(FaultPlan { rules: vec![rule] }).unwrap();

    set(rule(FaultKind::Throttle, 3));
    desk.made(rename.clone()).await;
    assert_eq!(desk.calls("gamelift:UpdateAlias"), 4);

    // The answer is lost after the change has happened.
    set(rule(FaultKind::Truncate, 1));
    let make = Request::CreateAlias(CreateAlias {
        name: "made in silence".to_owned(),
        description: None,
        routing: alias.routing,
    });
    let error = desk.operator.send(&make, None).await.unwrap_err();
    assert!(error.may_have_happened(), "{error}");
    assert_eq!(desk.calls("gamelift:CreateAlias"), 1, "it would be made twice");
    let made = desk.reader.aliases().await.items;
    assert_eq!(made.iter().filter(|alias| alias.name == "made in silence").count(), 1);

    let sent = desk.calls("gamelift:UpdateAlias");
    let grant = Grant::issue(HOUR);
    let operator = desk.world.gateway.operator(&desk.world.region, &grant).unwrap();
    grant.revoke();
    assert_eq!(operator.send(&rename, None).await.unwrap_err().kind, ErrorKind::ReadOnly);
    assert_eq!(desk.calls("gamelift:UpdateAlias"), sent);
}

#[tokio::test]
async fn a_denied_change_names_the_permission_and_the_check_tries_no_change() {
    let all = OPERATOR_ACTIONS.map(str::to_owned).to_vec();
    let denied = BTreeMap::from([("AKIDREADER".to_owned(), all)]);
    let world = World::with(1.0, Credentials { denied, ..Credentials::default() }, "AKIDREADER").await;
    let desk = Desk::of(world);
    assert!(desk.world.gateway.check().await.iter().all(|check| check.detail.is_none()));
    for action in OPERATOR_ACTIONS {
        assert_eq!(desk.calls(action), 0, "{action}");
    }
    let stop = StopMatchmaking { ticket_id: "t-1".into() };
    let error = desk.refused(Request::StopMatchmaking(stop), "AccessDeniedException").await;
    assert_eq!(error.kind, ErrorKind::Denied);
    assert!(error.remedy().unwrap().contains("`gamelift:StopMatchmaking`"), "{error}");
}

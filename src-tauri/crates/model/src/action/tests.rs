//! Every rule of form against the line of the reference it comes from: just inside is taken, just outside is refused with
//! the field named. `A14` are the rules the service states, `A16` the constraints of its model, `G2` its quotas.

use std::collections::BTreeMap;

use super::*;
use crate::alias::RoutingStrategy;
use crate::game_session::GameProperty;

const ARN: &str = "arn:aws:gamelift:eu-west-1::gamesession/fleet-1/eu-north-1/s-1";

/// The fields found wrong.
fn wrong(request: &Request) -> Vec<String> {
    let errors = request.check();
    assert!(errors.iter().all(|error| error.message.ends_with('.')), "{errors:?}");
    errors.into_iter().map(|error| error.field).collect()
}

/// Checks rows of (line of the reference, request, fields that are wrong).
fn hold<T>(
    rows: impl IntoIterator<Item = (&'static str, T, &'static [&'static str])>,
    wrap: fn(T) -> Request,
) {
    for (line, value, fields) in rows {
        let request = wrap(value);
        assert_eq!(wrong(&request), fields, "{line}: {request:?}");
    }
}

fn text(length: usize) -> String {
    "x".repeat(length)
}

fn property(key: usize, value: usize) -> Vec<GameProperty> {
    vec![GameProperty { key: text(key), value: text(value) }]
}

fn create() -> CreateGameSession {
    CreateGameSession {
        target: GameSessionTarget::Fleet("fleet-1".into()),
        location: None,
        maximum_player_session_count: 8,
        name: None,
        game_properties: Vec::new(),
        game_session_data: None,
        idempotency_token: "token-1".to_owned(),
        creator_id: None,
    }
}

#[test]
fn create_game_session() {
    let count = |maximum_player_session_count| CreateGameSession { maximum_player_session_count, ..create() };
    let fleet = |id: &str| CreateGameSession { target: GameSessionTarget::Fleet(id.into()), ..create() };
    let alias = |id: &str| CreateGameSession { target: GameSessionTarget::Alias(id.into()), ..create() };
    let place = |place: &str| CreateGameSession { location: Some(place.into()), ..create() };
    let token = |token: &str| CreateGameSession { idempotency_token: token.to_owned(), ..create() };
    let with = |game_properties| CreateGameSession { game_properties, ..create() };
    let many = |count: usize| {
        let one = |n| GameProperty { key: format!("k{n}"), value: String::new() };
        with((0..count).map(one).collect())
    };
    let data = |length| CreateGameSession { game_session_data: Some(text(length)), ..create() };
    let name = |length| CreateGameSession { name: Some(text(length)), ..create() };
    let creator = |length| CreateGameSession { creator_id: Some(text(length)), ..create() };
    hold(
        [
            ("A14 CreateGameSession", create(), &[][..]),
            ("A16 FleetId", fleet("containerfleet-1a-2B"), &[]),
            ("A16 FleetId", fleet("Fleet-1"), &["target"]),
            ("A16 FleetId", fleet("fleet-"), &["target"]),
            ("A16 FleetId", fleet("fleet-1 2"), &["target"]),
            ("A16 FleetId", fleet(""), &["target"]),
            ("A16 FleetArn", fleet("arn:aws:gamelift:eu-west-1::fleet/fleet-1"), &["target"]),
            ("A16 AliasId", alias("alias-1"), &[]),
            ("A16 AliasId", alias("fleet-1"), &["target"]),
            ("A16 LocationStringModel", place("custom-home-1"), &[]),
            ("A16 LocationStringModel", place(&text(65)), &["location"]),
            ("A16 LocationStringModel", place("eu north"), &["location"]),
            ("G2 Player sessions per game session", count(1), &[]),
            ("G2 Player sessions per game session", count(200), &[]),
            ("G2 Player sessions per game session", count(201), &["maximumPlayerSessionCount"]),
            ("A14 MaximumPlayerSessionCount required", count(0), &["maximumPlayerSessionCount"]),
            ("A16 IdStringModel", token(&text(48)), &[]),
            ("A16 IdStringModel", token(&text(49)), &["idempotencyToken"]),
            ("A16 IdStringModel", token("a_b"), &["idempotencyToken"]),
            ("A16 GamePropertyList", many(16), &[]),
            ("A16 GamePropertyList", many(17), &["gameProperties"]),
            ("A16 GamePropertyKey, GamePropertyValue", with(property(32, 96)), &[]),
            ("A16 GamePropertyValue", with(property(1, 0)), &[]),
            ("A16 GamePropertyKey", with(property(33, 1)), &["gameProperties[0].key"]),
            ("A16 GamePropertyValue", with(property(1, 97)), &["gameProperties[0].value"]),
            (
                "our own: a key twice",
                with([property(1, 1), property(1, 2)].concat()),
                &["gameProperties[1].key"],
            ),
            ("A16 LargeGameSessionData", data(262_144), &[]),
            ("A16 LargeGameSessionData", data(262_145), &["gameSessionData"]),
            ("A16 LargeGameSessionData", data(0), &["gameSessionData"]),
            ("A16 NonZeroAndMaxString", name(1_024), &[]),
            ("A16 NonZeroAndMaxString", name(1_025), &["name"]),
            ("A16 NonZeroAndMaxString", creator(0), &["creatorId"]),
        ],
        Request::CreateGameSession,
    );
}

#[test]
fn game_sessions_by_their_arn() {
    let terminate = |id: &str| TerminateGameSession {
        game_session_id: id.into(),
        termination_mode: TerminationMode::TriggerOnProcessTerminate,
    };
    hold(
        [
            ("H4 GameSessionId", terminate(ARN), &[][..]),
            ("H4 GameSessionId: always an ARN", terminate("s-1"), &["gameSessionId"]),
            ("H4 GameSessionId: names its fleet", terminate("arn:aws:gamelift:x::y/z"), &["gameSessionId"]),
            ("A16 ArnStringModel", terminate(&format!("{ARN}_")), &["gameSessionId"]),
            ("A16 ArnStringModel", terminate(&format!("{ARN}{}", text(500))), &["gameSessionId"]),
        ],
        Request::TerminateGameSession,
    );
    let nothing = UpdateGameSession {
        game_session_id: ARN.into(),
        name: None,
        maximum_player_session_count: None,
        player_session_creation_policy: None,
        protection_policy: None,
        game_properties: Vec::new(),
    };
    let count = |count| UpdateGameSession { maximum_player_session_count: Some(count), ..nothing.clone() };
    hold(
        [
            ("A14 UpdateGameSession: mutable members", count(4), &[][..]),
            ("A14 UpdateGameSession: mutable members", nothing.clone(), &["gameSessionId"]),
            ("G2 Player sessions per game session", count(201), &["maximumPlayerSessionCount"]),
            (
                "A16 GamePropertyKey",
                UpdateGameSession { game_properties: property(33, 1), ..nothing.clone() },
                &["gameProperties[0].key"],
            ),
        ],
        Request::UpdateGameSession,
    );
}

#[test]
fn create_player_sessions() {
    let players = |count: usize| CreatePlayerSessions {
        game_session_id: ARN.into(),
        players: (0..count)
            .map(|n| NewPlayerSession { player_id: format!("p-{n}").into(), player_data: None })
            .collect(),
    };
    let one = |id: usize, data: Option<usize>| CreatePlayerSessions {
        players: vec![NewPlayerSession { player_id: text(id).into(), player_data: data.map(text) }],
        ..players(0)
    };
    let twice =
        CreatePlayerSessions { players: [players(1).players, players(1).players].concat(), ..players(0) };
    hold(
        [
            ("A16 PlayerIdList", players(25), &[][..]),
            ("A16 PlayerIdList", players(0), &["players"]),
            ("A16 PlayerIdList", players(26), &["players"]),
            ("A16 PlayerId, PlayerData", one(1_024, Some(2_048)), &[]),
            ("A16 PlayerId", one(1_025, None), &["players[0].playerId"]),
            ("A16 PlayerId", one(0, None), &["players[0].playerId"]),
            ("A16 PlayerData", one(1, Some(2_049)), &["players[0].playerData"]),
            ("A16 PlayerData", one(1, Some(0)), &["players[0].playerData"]),
            ("our own: a player twice", twice, &["players[1].playerId"]),
        ],
        Request::CreatePlayerSessions,
    );
}

#[test]
fn placements() {
    let start = || StartGameSessionPlacement {
        placement_id: "plc-1".into(),
        game_session_queue_name: "eu-1".into(),
        maximum_player_session_count: 2,
        game_session_name: None,
        game_properties: Vec::new(),
        game_session_data: None,
        players: Vec::new(),
        priority_override: None,
    };
    let id = |id: &str| StartGameSessionPlacement { placement_id: id.into(), ..start() };
    let queue = |name: &str| StartGameSessionPlacement { game_session_queue_name: name.into(), ..start() };
    let player = |latency_ms| PlacementPlayer {
        player_id: "p-1".into(),
        player_data: None,
        latencies: vec![RegionLatency { region: "eu-west-1".to_owned(), latency_ms }],
    };
    let players =
        |players: &[PlacementPlayer]| StartGameSessionPlacement { players: players.to_vec(), ..start() };
    let order = |places: &[&str]| {
        let location_order = places.iter().map(|place| (*place).to_owned()).collect();
        StartGameSessionPlacement {
            priority_override: Some(PriorityOverride { location_order, fall_back: false }),
            ..start()
        }
    };
    let both = StartGameSessionPlacement { players: vec![player(1)], ..order(&["eu-north-1"]) };
    hold(
        [
            ("A14 StartGameSessionPlacement", start(), &[][..]),
            ("A14 PlacementId", id(&text(48)), &[]),
            ("A14 PlacementId", id(&text(49)), &["placementId"]),
            ("A14 PlacementId", id("a.b"), &["placementId"]),
            ("A14 PlacementId", id(""), &["placementId"]),
            ("A16 GameSessionQueueName", queue(&text(129)), &["gameSessionQueueName"]),
            ("A16 GameSessionQueueName", queue("eu_1"), &["gameSessionQueueName"]),
            ("A7 PlayerLatencies", players(&[player(0), player(9)]), &[]),
            ("A7 PlayerLatencies", players(&[player(-1)]), &["players[0].latencies[0].latencyMs"]),
            ("our own: players fit", players(&[player(1), player(1), player(1)]), &["players"]),
            ("A16 LocationOrderOverrideList", order(&["eu-north-1"; 10]), &[]),
            ("A16 LocationOrderOverrideList", order(&[]), &["priorityOverride"]),
            ("A16 LocationOrderOverrideList", order(&["eu-north-1"; 11]), &["priorityOverride"]),
            ("A16 LocationStringModel", order(&["eu north"]), &["priorityOverride.locationOrder[0]"]),
            ("A14 latencies together with the override", both, &["priorityOverride"]),
        ],
        Request::StartGameSessionPlacement,
    );
    hold(
        [
            ("A16 IdStringModel", StopGameSessionPlacement { placement_id: "plc-1".into() }, &[][..]),
            ("A16 IdStringModel", StopGameSessionPlacement { placement_id: "".into() }, &["placementId"]),
        ],
        Request::StopGameSessionPlacement,
    );
}

#[test]
fn aliases() {
    let create = |name: &str, fleet: &str| CreateAlias {
        name: name.to_owned(),
        description: None,
        routing: RoutingStrategy::Simple { fleet_id: fleet.into() },
    };
    let terminal = |message: &str| CreateAlias {
        routing: RoutingStrategy::Terminal { message: message.to_owned() },
        ..create("live", "fleet-1")
    };
    let described = |length| CreateAlias { description: Some(text(length)), ..create("live", "fleet-1") };
    hold(
        [
            ("A8 CreateAlias", create("live", "fleet-1"), &[][..]),
            ("A16 NonBlankAndLengthConstraintString", create(&text(1_024), "fleet-1"), &[]),
            ("A16 NonBlankAndLengthConstraintString", create(&text(1_025), "fleet-1"), &["name"]),
            ("A16 NonBlankAndLengthConstraintString", create("  ", "fleet-1"), &["name"]),
            ("A16 NonBlankAndLengthConstraintString", create("", "fleet-1"), &["name"]),
            ("A14 RoutingStrategy: id, not ARN", create("live", "arn:x:fleet/fleet-1"), &["routing.fleetId"]),
            ("A16 FleetId", create("live", &format!("fleet-{}", text(123))), &["routing.fleetId"]),
            ("A14 RoutingStrategy: TERMINAL, Message", terminal("closed"), &[]),
            ("A14 RoutingStrategy: TERMINAL, Message", terminal(""), &["routing.message"]),
            ("A16 NonZeroAndMaxString", described(0), &["description"]),
            ("A16 NonZeroAndMaxString", described(1_025), &["description"]),
        ],
        Request::CreateAlias,
    );
    let update = |alias_id: &str, name: Option<&str>| UpdateAlias {
        alias_id: alias_id.into(),
        name: name.map(str::to_owned),
        description: None,
        routing: None,
    };
    hold(
        [
            ("A8 UpdateAlias", update("alias-1", Some("live")), &[][..]),
            ("our own: nothing to change", update("alias-1", None), &["aliasId"]),
            ("A16 NonBlankAndLengthConstraintString", update("alias-1", Some(" ")), &["name"]),
            ("A16 AliasId", update("alias-", Some("live")), &["aliasId"]),
            ("A16 AliasId", update("alias-1 2", Some("live")), &["aliasId"]),
        ],
        Request::UpdateAlias,
    );
    hold([("A16 AliasId", DeleteAlias { alias_id: "live".into() }, &["aliasId"][..])], Request::DeleteAlias);
}

#[test]
fn capacity_and_scaling() {
    let capacity = |desired_instances, min_size, max_size| UpdateFleetCapacity {
        fleet_id: "fleet-1".into(),
        location: None,
        desired_instances,
        min_size,
        max_size,
    };
    hold(
        [
            ("A14 UpdateFleetCapacity", capacity(Some(3), Some(1), Some(3)), &[][..]),
            (
                "A14 DesiredInstances in MinSize..MaxSize",
                capacity(Some(0), Some(1), Some(3)),
                &["desiredInstances"],
            ),
            (
                "A14 DesiredInstances in MinSize..MaxSize",
                capacity(Some(4), Some(1), Some(3)),
                &["desiredInstances"],
            ),
            ("H5 min and max in conflict", capacity(None, Some(2), Some(1)), &["minSize"]),
            ("A16 WholeNumber", capacity(None, None, Some(-1)), &["maxSize"]),
            ("our own: nothing to change", capacity(None, None, None), &["desiredInstances"]),
        ],
        Request::UpdateFleetCapacity,
    );
    let put = |rule| PutScalingPolicy { fleet_id: "fleet-1".into(), name: "p".to_owned(), rule };
    let target = |target_value| put(ScalingRule::TargetBased { target_value });
    let rule = || RuleBasedScaling {
        metric_name: "IdleInstances".to_owned(),
        comparison_operator: "LessThanThreshold".to_owned(),
        threshold: 1.0,
        evaluation_periods: 1,
        scaling_adjustment_type: "ChangeInCapacity".to_owned(),
        scaling_adjustment: -1,
    };
    let by = |rule| put(ScalingRule::RuleBased(rule));
    let exactly = |scaling_adjustment| {
        let scaling_adjustment_type = "ExactCapacity".to_owned();
        by(RuleBasedScaling { scaling_adjustment_type, scaling_adjustment, ..rule() })
    };
    hold(
        [
            ("A14 TargetBased", target(100.0), &[][..]),
            ("A14 TargetBased: a percentage", target(0.0), &["targetValue"]),
            ("A14 TargetBased: a percentage", target(100.5), &["targetValue"]),
            ("A14 TargetBased: a percentage", target(f64::NAN), &["targetValue"]),
            ("A14 RuleBased", by(rule()), &[]),
            (
                "B MetricName",
                by(RuleBasedScaling { metric_name: "Idle".to_owned(), ..rule() }),
                &["metricName"],
            ),
            (
                "B ComparisonOperatorType",
                by(RuleBasedScaling { comparison_operator: "<".to_owned(), ..rule() }),
                &["comparisonOperator"],
            ),
            (
                "B ScalingAdjustmentType",
                by(RuleBasedScaling { scaling_adjustment_type: "By".to_owned(), ..rule() }),
                &["scalingAdjustmentType"],
            ),
            (
                "A16 PositiveInteger",
                by(RuleBasedScaling { evaluation_periods: 0, ..rule() }),
                &["evaluationPeriods"],
            ),
            ("A16 Double", by(RuleBasedScaling { threshold: f64::INFINITY, ..rule() }), &["threshold"]),
            ("our own: an exact capacity", exactly(0), &[]),
            ("our own: an exact capacity", exactly(-1), &["scalingAdjustment"]),
            ("A16 NonZeroAndMaxString", PutScalingPolicy { name: String::new(), ..target(20.0) }, &["name"]),
        ],
        Request::PutScalingPolicy,
    );
    let delete = |name: &str| DeleteScalingPolicy { fleet_id: "fleet-1".into(), name: name.to_owned() };
    hold(
        [("A2", delete("p"), &[][..]), ("A16 NonZeroAndMaxString", delete(""), &["name"])],
        Request::DeleteScalingPolicy,
    );
}

#[test]
fn suspension_and_protection() {
    let actions = |fleet: &str, place: Option<&str>| SetFleetActions {
        fleet_id: fleet.into(),
        location: place.map(Into::into),
    };
    for wrap in [Request::StopFleetActions, Request::StartFleetActions] {
        hold(
            [
                ("A14 StopFleetActions", actions("fleet-1", Some("eu-north-1")), &[][..]),
                ("A16 FleetId", actions("x", None), &["fleetId"]),
                ("A16 LocationStringModel", actions("fleet-1", Some("")), &["location"]),
            ],
            wrap,
        );
    }
    let protect = |fleet: &str| UpdateFleetAttributes {
        fleet_id: fleet.into(),
        new_game_session_protection_policy: Protection::FullProtection,
    };
    hold(
        [
            ("A1 UpdateFleetAttributes", protect("fleet-1"), &[][..]),
            ("A1 UpdateFleetAttributes: EC2 and Anywhere", protect("containerfleet-1"), &["fleetId"]),
        ],
        Request::UpdateFleetAttributes,
    );
}

#[test]
fn queues() {
    let update = || UpdateGameSessionQueue {
        name: "eu".into(),
        timeout_seconds: None,
        destinations: None,
        player_latency_policies: None,
    };
    let timeout = |seconds| UpdateGameSessionQueue { timeout_seconds: Some(seconds), ..update() };
    let to = |arns: &[&str]| UpdateGameSessionQueue {
        destinations: Some(arns.iter().map(|arn| (*arn).to_owned()).collect()),
        ..update()
    };
    let policy = |maximum_individual_player_latency_ms, policy_duration_seconds| UpdateGameSessionQueue {
        player_latency_policies: Some(vec![LatencyPolicy {
            maximum_individual_player_latency_ms,
            policy_duration_seconds,
        }]),
        ..update()
    };
    let fleet = "arn:aws:gamelift:eu-west-1::fleet/fleet-1";
    hold(
        [
            ("H7 queue timeout 10..600", timeout(10), &[][..]),
            ("H7 queue timeout 10..600", timeout(9), &["timeoutSeconds"]),
            ("H7 queue timeout 10..600", timeout(601), &["timeoutSeconds"]),
            ("H4 DestinationArn", to(&[fleet, "arn:aws:gamelift:eu-west-1::alias/alias-1"]), &[]),
            ("A7 Destinations: no minimum", to(&[]), &[]),
            ("H4 DestinationArn: always an ARN", to(&["fleet-1"]), &["destinations[0]"]),
            ("our own: a destination twice", to(&[fleet, fleet]), &["destinations[1]"]),
            ("A16 WholeNumber", policy(Some(0), None), &[]),
            ("A16 WholeNumber", policy(Some(-1), None), &["playerLatencyPolicies[0]"]),
            ("A16 WholeNumber", policy(None, Some(-1)), &["playerLatencyPolicies[0]"]),
            ("our own: nothing to change", update(), &["name"]),
            (
                "A16 GameSessionQueueName",
                UpdateGameSessionQueue { name: "arn:aws:x:gamesessionqueue/eu".into(), ..timeout(10) },
                &["name"],
            ),
        ],
        Request::UpdateGameSessionQueue,
    );
}

fn match_player() -> MatchPlayer {
    MatchPlayer { player_id: "p-1".into(), team: None, attributes: Vec::new(), latencies: Vec::new() }
}

#[test]
fn tickets() {
    let start = |players: Vec<MatchPlayer>| StartMatchmaking {
        configuration_name: "duel.v2".to_owned(),
        ticket_id: "t-1.a".into(),
        players,
    };
    let with = |value| {
        let attributes = vec![PlayerAttribute { name: "a".to_owned(), value }];
        start(vec![MatchPlayer { attributes, ..match_player() }])
    };
    let attributes = |count| {
        let one = PlayerAttribute { name: "a".to_owned(), value: AttributeValue::Number(1.0) };
        start(vec![MatchPlayer { attributes: vec![one; count], ..match_player() }])
    };
    let texts = |count, length| with(AttributeValue::TextList(vec![text(length); count]));
    let numbers = |count: usize| {
        let pairs: BTreeMap<_, _> = (0..count).map(|n| (format!("k{n}"), 1.0)).collect();
        with(AttributeValue::NumberMap(pairs))
    };
    let latency = |latency_ms| {
        let latencies = vec![RegionLatency { region: "eu-west-1".to_owned(), latency_ms }];
        start(vec![MatchPlayer { latencies, ..match_player() }])
    };
    let id = |id: &str| StartMatchmaking { ticket_id: id.into(), ..start(vec![match_player()]) };
    let configuration =
        |name: &str| StartMatchmaking { configuration_name: name.to_owned(), ..start(vec![match_player()]) };
    let team = MatchPlayer { team: Some(String::new()), ..match_player() };
    let value = &["players[0].attributes[0].value"][..];
    hold(
        [
            ("A14 StartMatchmaking: at most 10 players", start(vec![match_player(); 10]), &[][..]),
            ("A14 StartMatchmaking: at most 10 players", start(vec![match_player(); 11]), &["players"]),
            ("A9 Players required", start(Vec::new()), &["players"]),
            ("A14 StartMatchmaking: at most 10 attributes", attributes(10), &[]),
            ("A14 StartMatchmaking: at most 10 attributes", attributes(11), &["players[0].attributes"]),
            ("A16 PlayerAttributeString", with(AttributeValue::Text(text(100))), &[]),
            ("A16 PlayerAttributeString", with(AttributeValue::Text(text(101))), value),
            ("A16 DoubleObject", with(AttributeValue::Number(f64::NAN)), value),
            ("G2 strings in a list attribute", texts(100, 1), &[]),
            ("G2 strings in a list attribute", texts(101, 1), value),
            ("A16 PlayerAttributeString", texts(1, 0), value),
            ("G2 pairs in a map attribute", numbers(10), &[]),
            ("G2 pairs in a map attribute", numbers(11), value),
            ("A16 PositiveInteger", latency(1), &[]),
            ("A16 PositiveInteger", latency(0), &["players[0].latencies[0].latencyMs"]),
            ("A16 MatchmakingIdStringModel", id(&text(128)), &[]),
            ("A16 MatchmakingIdStringModel", id(&text(129)), &["ticketId"]),
            ("A16 MatchmakingIdStringModel", id("a b"), &["ticketId"]),
            ("A16 MatchmakingConfigurationName", configuration("a/b"), &["configurationName"]),
            ("A16 MatchmakingConfigurationName", configuration(""), &["configurationName"]),
            ("A16 NonZeroAndMaxString", start(vec![team]), &["players[0].team"]),
        ],
        Request::StartMatchmaking,
    );
    let accept = |ids: &[&str]| AcceptMatch {
        ticket_id: "t-1".into(),
        player_ids: ids.iter().map(|id| (*id).into()).collect(),
        accept: true,
    };
    hold(
        [
            ("A9 AcceptMatch", accept(&["p-1"]), &[][..]),
            ("A9 AcceptMatch: PlayerIds required", accept(&[]), &["playerIds"]),
            ("A16 PlayerId", accept(&["p-1", ""]), &["playerIds[1]"]),
        ],
        Request::AcceptMatch,
    );
    hold(
        [("A16 MatchmakingIdStringModel", StopMatchmaking { ticket_id: "a_b".into() }, &["ticketId"][..])],
        Request::StopMatchmaking,
    );
    let backfill = |id: &str, count| StartMatchBackfill {
        configuration_name: "duel".to_owned(),
        ticket_id: "t-1".into(),
        game_session_id: id.into(),
        players: vec![match_player(); count],
    };
    hold(
        [
            ("A9 StartMatchBackfill", backfill(ARN, 200), &[][..]),
            ("G2 Player sessions per game session", backfill(ARN, 201), &["players"]),
            ("H4 GameSessionId: always an ARN", backfill("s-1", 1), &["gameSessionId"]),
        ],
        Request::StartMatchBackfill,
    );
}

#[test]
fn scripts() {
    let zip = |size_bytes| Some(ZipFile { path: "a.zip".to_owned(), size_bytes, sha256: String::new() });
    let update =
        |id: &str, zip_file| UpdateScript { script_id: id.into(), name: None, version: None, zip_file };
    let version = |length| UpdateScript { version: Some(text(length)), ..update("script-1", None) };
    hold(
        [
            ("A16 ZipBlob", update("script-1", zip(5_000_000)), &[][..]),
            ("A16 ZipBlob", update("script-1", zip(5_000_001)), &["zipFile"]),
            ("A16 ScriptId", update("build-1", zip(1)), &["scriptId"]),
            ("our own: nothing to change", update("script-1", None), &["scriptId"]),
            ("A16 NonZeroAndMaxString", version(1_024), &[]),
            ("A16 NonZeroAndMaxString", version(1_025), &["version"]),
        ],
        Request::UpdateScript,
    );
}

#[test]
fn an_action_reads_back_as_it_was_written() {
    let action = Action {
        region: "eu-west-1".into(),
        request: Request::PutScalingPolicy(PutScalingPolicy {
            fleet_id: "fleet-1".into(),
            name: "keep".to_owned(),
            rule: ScalingRule::TargetBased { target_value: 20.0 },
        }),
    };
    let json = serde_json::to_value(&action).unwrap();
    assert_eq!(json["request"]["operation"], "PutScalingPolicy");
    assert_eq!(json["request"]["rule"]["targetBased"]["targetValue"], 20.0);
    assert_eq!(serde_json::from_value::<Action>(json).unwrap(), action);
}

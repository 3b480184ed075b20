//! Command lines as a person would type them.

use std::collections::BTreeMap;

use super::super::*;
use super::*;

const ARN: &str = "arn:aws:gamelift:eu-west-1::gamesession/fleet-1/s-1";

fn line(request: Request) -> String {
    Action { region: "eu-west-1".into(), request }.aws_command(None, None)
}

fn properties() -> Vec<GameProperty> {
    vec![GameProperty { key: "mode".to_owned(), value: "a, b='c'".to_owned() }]
}

#[test]
fn profile_and_endpoint_come_last_where_there_are_any() {
    let action = Action {
        region: "eu-west-1".into(),
        request: Request::DeleteAlias(DeleteAlias { alias_id: "alias-1".into() }),
    };
    assert_eq!(
        action.aws_command(Some("prod eu"), Some("http://127.0.0.1:4566")),
        "aws gamelift delete-alias --alias-id alias-1 --region eu-west-1 --profile 'prod eu' --endpoint-url \
         http://127.0.0.1:4566"
    );
}

#[test]
fn a_game_session_is_created_with_everything_that_was_said() {
    let request = Request::CreateGameSession(CreateGameSession {
        target: GameSessionTarget::Alias("alias-1".into()),
        location: Some("eu-north-1".into()),
        maximum_player_session_count: 8,
        name: Some("it's on".to_owned()),
        game_properties: properties(),
        game_session_data: None,
        idempotency_token: "token-1".to_owned(),
        creator_id: None,
    });
    assert_eq!(
        line(request),
        r#"aws gamelift create-game-session --alias-id alias-1 --location eu-north-1 --maximum-player-session-count 8 --name 'it'\''s on' --game-properties '[{"Key":"mode","Value":"a, b='\''c'\''"}]' --idempotency-token token-1 --region eu-west-1"#
    );
}

#[test]
fn sessions_are_updated_ended_and_joined_by_their_arn() {
    let update = UpdateGameSession {
        game_session_id: ARN.into(),
        name: None,
        maximum_player_session_count: Some(4),
        player_session_creation_policy: Some(PlayerSessionCreationPolicy::DenyAll),
        protection_policy: Some(Protection::FullProtection),
        game_properties: Vec::new(),
    };
    assert_eq!(
        line(Request::UpdateGameSession(update)),
        format!(
            "aws gamelift update-game-session --game-session-id {ARN} --maximum-player-session-count 4 \
             --player-session-creation-policy DENY_ALL --protection-policy FullProtection --region eu-west-1"
        )
    );
    let terminate = TerminateGameSession {
        game_session_id: ARN.into(),
        termination_mode: TerminationMode::ForceTerminate,
    };
    assert_eq!(
        line(Request::TerminateGameSession(terminate)),
        format!(
            "aws gamelift terminate-game-session --game-session-id {ARN} --termination-mode FORCE_TERMINATE \
             --region eu-west-1"
        )
    );
    let players = [("p-1", None), ("p-2", Some("level=3"))];
    let reserve = CreatePlayerSessions {
        game_session_id: ARN.into(),
        players: players
            .map(|(id, data)| NewPlayerSession { player_id: id.into(), player_data: data.map(str::to_owned) })
            .to_vec(),
    };
    assert_eq!(
        line(Request::CreatePlayerSessions(reserve)),
        format!(
            r#"aws gamelift create-player-sessions --game-session-id {ARN} --player-ids '["p-1","p-2"]' --player-data-map '{{"p-2":"level=3"}}' --region eu-west-1"#
        )
    );
}

#[test]
fn a_placement_carries_players_latencies_and_order() {
    let request = StartGameSessionPlacement {
        placement_id: "plc-1".into(),
        game_session_queue_name: "eu".into(),
        maximum_player_session_count: 2,
        game_session_name: None,
        game_properties: Vec::new(),
        game_session_data: None,
        players: vec![PlacementPlayer {
            player_id: "p-1".into(),
            player_data: None,
            latencies: vec![RegionLatency { region: "eu-west-1".to_owned(), latency_ms: 31 }],
        }],
        priority_override: Some(PriorityOverride {
            location_order: vec!["eu-north-1".to_owned()],
            fall_back: true,
        }),
    };
    assert_eq!(
        line(Request::StartGameSessionPlacement(request)),
        r#"aws gamelift start-game-session-placement --placement-id plc-1 --game-session-queue-name eu --maximum-player-session-count 2 --desired-player-sessions '[{"PlayerId":"p-1"}]' --player-latencies '[{"LatencyInMilliseconds":31,"PlayerId":"p-1","RegionIdentifier":"eu-west-1"}]' --priority-configuration-override '{"LocationOrder":["eu-north-1"],"PlacementFallbackStrategy":"DEFAULT_AFTER_SINGLE_PASS"}' --region eu-west-1"#
    );
    assert_eq!(
        line(Request::StopGameSessionPlacement(StopGameSessionPlacement { placement_id: "plc-1".into() })),
        "aws gamelift stop-game-session-placement --placement-id plc-1 --region eu-west-1"
    );
}

#[test]
fn an_alias_leads_to_a_fleet_or_to_a_message() {
    let create = CreateAlias {
        name: "live".to_owned(),
        description: Some("two\nlines".to_owned()),
        routing: RoutingStrategy::Simple { fleet_id: "fleet-1".into() },
    };
    assert_eq!(
        line(Request::CreateAlias(create)),
        r#"aws gamelift create-alias --name live --description $'two\nlines' --routing-strategy '{"FleetId":"fleet-1","Type":"SIMPLE"}' --region eu-west-1"#
    );
    let repoint = UpdateAlias {
        alias_id: "alias-1".into(),
        name: None,
        description: None,
        routing: Some(RoutingStrategy::Terminal { message: "Back at 9".to_owned() }),
    };
    assert_eq!(
        line(Request::UpdateAlias(repoint)),
        r#"aws gamelift update-alias --alias-id alias-1 --routing-strategy '{"Message":"Back at 9","Type":"TERMINAL"}' --region eu-west-1"#
    );
}

#[test]
fn capacity_scaling_and_protection_of_a_fleet() {
    let capacity = UpdateFleetCapacity {
        fleet_id: "fleet-1".into(),
        location: Some("eu-north-1".into()),
        desired_instances: Some(4),
        min_size: Some(0),
        max_size: None,
    };
    assert_eq!(
        line(Request::UpdateFleetCapacity(capacity)),
        "aws gamelift update-fleet-capacity --fleet-id fleet-1 --location eu-north-1 --desired-instances 4 \
         --min-size 0 --region eu-west-1"
    );
    let rule = RuleBasedScaling {
        metric_name: "IdleInstances".to_owned(),
        comparison_operator: "GreaterThanThreshold".to_owned(),
        threshold: 2.5,
        evaluation_periods: 5,
        scaling_adjustment_type: "ChangeInCapacity".to_owned(),
        scaling_adjustment: -1,
    };
    let put = |rule| PutScalingPolicy { fleet_id: "fleet-1".into(), name: "scale in".to_owned(), rule };
    assert_eq!(
        line(Request::PutScalingPolicy(put(ScalingRule::RuleBased(rule)))),
        "aws gamelift put-scaling-policy --fleet-id fleet-1 --name 'scale in' --policy-type RuleBased --metric-name \
         IdleInstances --comparison-operator GreaterThanThreshold --threshold 2.5 --evaluation-periods 5 \
         --scaling-adjustment-type ChangeInCapacity --scaling-adjustment=-1 --region eu-west-1"
    );
    assert_eq!(
        line(Request::PutScalingPolicy(put(ScalingRule::TargetBased { target_value: 20.0 }))),
        "aws gamelift put-scaling-policy --fleet-id fleet-1 --name 'scale in' --policy-type TargetBased --metric-name \
         PercentAvailableGameSessions --target-configuration '{\"TargetValue\":20.0}' --region eu-west-1"
    );
    let actions = SetFleetActions { fleet_id: "fleet-1".into(), location: None };
    assert_eq!(
        line(Request::StopFleetActions(actions.clone())),
        "aws gamelift stop-fleet-actions --fleet-id fleet-1 --actions AUTO_SCALING --region eu-west-1"
    );
    assert!(line(Request::StartFleetActions(actions)).starts_with("aws gamelift start-fleet-actions "));
    let delete = DeleteScalingPolicy { fleet_id: "fleet-1".into(), name: "scale in".to_owned() };
    assert_eq!(
        line(Request::DeleteScalingPolicy(delete)),
        "aws gamelift delete-scaling-policy --fleet-id fleet-1 --name 'scale in' --region eu-west-1"
    );
    let protect = UpdateFleetAttributes {
        fleet_id: "fleet-1".into(),
        new_game_session_protection_policy: Protection::FullProtection,
    };
    assert_eq!(
        line(Request::UpdateFleetAttributes(protect)),
        "aws gamelift update-fleet-attributes --fleet-id fleet-1 --new-game-session-protection-policy FullProtection \
         --region eu-west-1"
    );
}

#[test]
fn a_queue_is_replaced_only_in_what_is_given() {
    let update = UpdateGameSessionQueue {
        name: "eu".into(),
        timeout_seconds: Some(60),
        destinations: Some(vec!["arn:aws:gamelift:eu-west-1::fleet/fleet-1".to_owned()]),
        player_latency_policies: Some(vec![LatencyPolicy {
            maximum_individual_player_latency_ms: Some(50),
            policy_duration_seconds: None,
        }]),
        notification_target: None,
    };
    assert_eq!(
        line(Request::UpdateGameSessionQueue(update)),
        r#"aws gamelift update-game-session-queue --name eu --timeout-in-seconds 60 --destinations '[{"DestinationArn":"arn:aws:gamelift:eu-west-1::fleet/fleet-1"}]' --player-latency-policies '[{"MaximumIndividualPlayerLatencyMilliseconds":50}]' --region eu-west-1"#
    );
}

#[test]
fn tickets_carry_attributes_of_every_kind() {
    let numbers = BTreeMap::from([("axe".to_owned(), 1.5)]);
    let values = [
        ("a", AttributeValue::Text("x".to_owned())),
        ("b", AttributeValue::Number(23.0)),
        ("c", AttributeValue::TextList(vec!["y".to_owned()])),
        ("d", AttributeValue::NumberMap(numbers)),
    ];
    let player = MatchPlayer {
        player_id: "p-1".into(),
        team: Some("red".to_owned()),
        attributes: values.map(|(name, value)| PlayerAttribute { name: name.to_owned(), value }).to_vec(),
        latencies: vec![RegionLatency { region: "eu-west-1".to_owned(), latency_ms: 20 }],
    };
    let backfill = StartMatchBackfill {
        configuration_name: "duel".to_owned(),
        ticket_id: "t-1".into(),
        game_session_id: ARN.into(),
        players: vec![player.clone()],
    };
    assert_eq!(
        line(Request::StartMatchBackfill(backfill)),
        format!(
            r#"aws gamelift start-match-backfill --configuration-name duel --ticket-id t-1 --game-session-arn {ARN} --players '[{{"LatencyInMs":{{"eu-west-1":20}},"PlayerAttributes":{{"a":{{"S":"x"}},"b":{{"N":23.0}},"c":{{"SL":["y"]}},"d":{{"SDM":{{"axe":1.5}}}}}},"PlayerId":"p-1","Team":"red"}}]' --region eu-west-1"#
        )
    );
    let start = StartMatchmaking {
        configuration_name: "duel".to_owned(),
        ticket_id: "t-1".into(),
        players: vec![player],
    };
    assert!(line(Request::StartMatchmaking(start)).starts_with("aws gamelift start-matchmaking "));
    let accept = AcceptMatch { ticket_id: "t-1".into(), player_ids: vec!["p-1".into()], accept: false };
    assert_eq!(
        line(Request::AcceptMatch(accept)),
        r#"aws gamelift accept-match --ticket-id t-1 --player-ids '["p-1"]' --acceptance-type REJECT --region eu-west-1"#
    );
    assert_eq!(
        line(Request::StopMatchmaking(StopMatchmaking { ticket_id: "t-1".into() })),
        "aws gamelift stop-matchmaking --ticket-id t-1 --region eu-west-1"
    );
}

#[test]
fn a_script_is_sent_from_its_file() {
    let update = UpdateScript {
        script_id: "script-1".into(),
        name: None,
        version: Some("1.4".to_owned()),
        zip_file: Some(ZipFile { path: "my files/a.zip".to_owned(), size_bytes: 1, sha256: String::new() }),
    };
    assert_eq!(
        line(Request::UpdateScript(update)),
        "aws gamelift update-script --script-id script-1 --script-version 1.4 --zip-file 'fileb://my files/a.zip' --region \
         eu-west-1"
    );
}

#[test]
fn words_a_shell_would_take_apart_are_quoted() {
    for (word, quote) in [
        ("plain-1.2_3", "plain-1.2_3"),
        ("", "''"),
        ("$HOME `id` \"x\"", "'$HOME `id` \"x\"'"),
        ("a'b", r"'a'\''b'"),
        ("a\\b\n\u{1b}'", r"$'a\\b\n\u001b\''"),
        ("jö", "'jö'"),
    ] {
        assert_eq!(quoted(word), quote, "{word:?}");
    }
}

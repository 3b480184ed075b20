//! Creating, changing and ending game sessions.

use super::*;

#[test]
fn a_session_has_what_its_caller_gave_and_becomes_active() {
    let mut trial = Trial::new();
    let fleet = trial.fleet("arena-prod-eu");
    let made = trial.ask(
        EU,
        "CreateGameSession",
        json!({
            "FleetId": fleet, "MaximumPlayerSessionCount": 6, "Name": "duel", "CreatorId": "anna",
            "GameProperties": [{"Key": "map", "Value": "canyon"}], "GameSessionData": "opaque",
            "IdempotencyToken": "match-1", "Location": "eu-central-1",
        }),
    );
    let made = &made["GameSession"];
    // H4: the ARN contains a remote location, and the token is its last part.
    let arn = format!("arn:aws:gamelift:eu-west-1::gamesession/{fleet}/eu-central-1/match-1");
    assert_eq!(made["GameSessionId"], arn);
    assert_eq!(made["Status"], "ACTIVATING");
    assert_eq!(
        (&made["Name"], &made["CreatorId"], &made["GameSessionData"]),
        (&json!("duel"), &json!("anna"), &json!("opaque"))
    );
    assert_eq!(made["GameProperties"], json!([{"Key": "map", "Value": "canyon"}]));
    assert_eq!(made["PlayerSessionCreationPolicy"], "ACCEPT_ALL");
    // H1: the address is reported when the session becomes ACTIVE.
    assert!(made.get("IpAddress").is_none());
    trial.pass(8);
    let now = trial.look(&arn);
    assert_eq!((&now["Status"], &now["CurrentPlayerSessionCount"]), (&json!("ACTIVE"), &json!(0)));
    assert!(now["IpAddress"].is_string() && now["Port"].is_number());
    let found = trial.ask(EU, "SearchGameSessions", json!({
        "FleetId": fleet, "FilterExpression": "gameSessionName='duel' AND gameSessionProperties.map='canyon'",
    }));
    assert_eq!(found["GameSessions"][0]["GameSessionId"], arn);
    // A14: the policy of the fleet protects new sessions.
    let detail = trial.ask(EU, "DescribeGameSessionDetails", json!({ "GameSessionId": arn }));
    assert_eq!(detail["GameSessionDetails"][0]["ProtectionPolicy"], "FullProtection");
}

#[test]
fn a_repeated_token_gives_the_session_it_made_and_other_parameters_do_not() {
    let mut trial = Trial::new();
    let fleet = trial.fleet("arena-prod-eu");
    let input = json!({"FleetId": fleet, "MaximumPlayerSessionCount": 4, "IdempotencyToken": "t-1"});
    let first = trial.ask(EU, "CreateGameSession", input.clone());
    trial.pass(9);
    let again = trial.ask(EU, "CreateGameSession", input);
    assert_eq!(first["GameSession"]["GameSessionId"], again["GameSession"]["GameSessionId"]);
    assert_eq!(again["GameSession"]["Status"], "ACTIVE", "H3: the original session with its current status");
    let by_arn = format!("arn:aws:gamelift:{EU}::fleet/{fleet}");
    let by_arn = json!({"FleetId": by_arn, "MaximumPlayerSessionCount": 4, "IdempotencyToken": "t-1"});
    let again = trial.ask(EU, "CreateGameSession", by_arn);
    assert_eq!(
        first["GameSession"]["GameSessionId"], again["GameSession"]["GameSessionId"],
        "H4: id and ARN name the same fleet"
    );
    let custom = json!({"FleetId": fleet, "MaximumPlayerSessionCount": 4, "GameSessionId": "c-1"});
    trial.ask(EU, "CreateGameSession", custom.clone());
    trial.refuses(
        EU,
        "CreateGameSession",
        vec![
            (
                "H3 IdempotentParameterMismatchException: the token with other parameters",
                json!({"FleetId": fleet, "MaximumPlayerSessionCount": 5, "IdempotencyToken": "t-1"}),
                "IdempotentParameterMismatchException",
            ),
            (
                "H3: a session with this custom id already exists in the fleet",
                custom,
                "IdempotentParameterMismatchException",
            ),
        ],
    );
}

#[test]
fn create_game_session_keeps_the_rules_of_the_reference() {
    let mut trial = Trial::new();
    let (fleet, lab) = (trial.fleet("arena-prod-eu"), trial.fleet("qa-lab-anywhere"));
    let coop = trial.fleet("coop-script-eu");
    let legacy = trial.ask(EU, "ListAliases", json!({"RoutingStrategyType": "TERMINAL"}));
    let legacy = legacy["Aliases"][0]["AliasId"].clone();
    let live =
        trial.ask(EU, "ListAliases", json!({"Name": "arena-live-eu"}))["Aliases"][0]["AliasId"].clone();
    let long = "x".repeat(49);
    trial.refuses(EU, "CreateGameSession", vec![
        ("A14: exactly one of FleetId, AliasId", json!({"MaximumPlayerSessionCount": 2}), "InvalidRequestException"),
        (
            "A14: exactly one of FleetId, AliasId",
            json!({"MaximumPlayerSessionCount": 2, "FleetId": fleet, "AliasId": live}),
            "InvalidRequestException",
        ),
        ("A14: MaximumPlayerSessionCount required", json!({ "FleetId": fleet }), "InvalidRequestException"),
        ("A16 WholeNumber", json!({"FleetId": fleet, "MaximumPlayerSessionCount": -1}), "InvalidRequestException"),
        (
            "G2: 200 player sessions in a game session, fixed",
            json!({"FleetId": fleet, "MaximumPlayerSessionCount": 201}),
            "InvalidRequestException",
        ),
        (
            "A14: IdempotencyToken is 1..48 of [a-zA-Z0-9-]",
            json!({"FleetId": fleet, "MaximumPlayerSessionCount": 2, "IdempotencyToken": long}),
            "InvalidRequestException",
        ),
        (
            "A16 GamePropertyList ..16",
            json!({"FleetId": fleet, "MaximumPlayerSessionCount": 2,
                "GameProperties": (0..17).map(|n| json!({"Key": n.to_string(), "Value": "v"})).collect::<Vec<_>>()}),
            "InvalidRequestException",
        ),
        (
            "H3 TerminalRoutingStrategyException: alias is TERMINAL",
            json!({"AliasId": legacy, "MaximumPlayerSessionCount": 2}),
            "TerminalRoutingStrategyException",
        ),
        (
            "H3 NotFoundException: fleet unknown",
            json!({"FleetId": "fleet-none", "MaximumPlayerSessionCount": 2}),
            "NotFoundException",
        ),
        (
            "H3 NotFoundException: location unknown",
            json!({"FleetId": fleet, "MaximumPlayerSessionCount": 2, "Location": "us-west-2"}),
            "NotFoundException",
        ),
        (
            "A14: CreatorId is mandatory if the fleet has a resource creation limit policy",
            json!({"FleetId": coop, "MaximumPlayerSessionCount": 2}),
            "InvalidRequestException",
        ),
    ]);
    trial.refuses(
        AP,
        "CreateGameSession",
        vec![(
            "A14: Location required for Anywhere fleets",
            json!({"FleetId": lab, "MaximumPlayerSessionCount": 2}),
            "InvalidRequestException",
        )],
    );
    trial.ask(
        AP,
        "CreateGameSession",
        json!({
            "FleetId": lab, "MaximumPlayerSessionCount": 2, "Location": "custom-lab-tokyo",
        }),
    );
    let by_alias =
        trial.ask(EU, "CreateGameSession", json!({"AliasId": live, "MaximumPlayerSessionCount": 2}));
    assert_eq!(by_alias["GameSession"]["FleetId"], fleet);
    let blue = trial.fleet("arena-prod-ap-blue");
    let none = json!({"FleetId": blue, "MaximumPlayerSessionCount": 2});
    assert_eq!(
        trial.refused(AP, "CreateGameSession", none),
        "FleetCapacityExceededException",
        "H3: no free process"
    );
}

#[test]
fn creators_are_limited_by_the_policy_of_the_fleet_or_to_one_request_a_second() {
    let mut trial = Trial::new();
    let (fleet, coop) = (trial.fleet("arena-prod-eu"), trial.fleet("coop-script-eu"));
    let by = |fleet: &str, creator: &str| json!({"FleetId": fleet, "MaximumPlayerSessionCount": 2, "CreatorId": creator});
    // A14: with a CreatorId and no policy one request per CreatorId per second.
    trial.ask(EU, "CreateGameSession", by(&fleet, "anna"));
    assert_eq!(trial.refused(EU, "CreateGameSession", by(&fleet, "anna")), "LimitExceededException");
    trial.ask(EU, "CreateGameSession", by(&fleet, "bert"));
    trial.pass(1);
    trial.ask(EU, "CreateGameSession", by(&fleet, "anna"));
    // The policy of the cooperative fleet: five sessions per creator within 15 minutes.
    let mut made = 0;
    while made < 5 {
        match trial.call(EU, "CreateGameSession", by(&coop, "carl")) {
            Ok(_) => made += 1,
            Err(error) => assert_eq!(error.code, "FleetCapacityExceededException"),
        }
        trial.pass(20);
    }
    assert_eq!(trial.refused(EU, "CreateGameSession", by(&coop, "carl")), "LimitExceededException");
    trial.pass(15 * 60);
    while let Err(error) = trial.call(EU, "CreateGameSession", by(&coop, "carl")) {
        assert_eq!(error.code, "FleetCapacityExceededException");
        trial.pass(60);
    }
}

#[test]
fn an_update_changes_what_it_names_and_adds_properties() {
    let mut trial = Trial::new();
    let fleet = trial.fleet("arena-prod-eu");
    let made = trial.ask(
        EU,
        "CreateGameSession",
        json!({
            "FleetId": fleet, "MaximumPlayerSessionCount": 4, "Name": "before",
            "GameProperties": [{"Key": "map", "Value": "canyon"}, {"Key": "mode", "Value": "duel"}],
        }),
    );
    let arn = made["GameSession"]["GameSessionId"].as_str().unwrap().to_owned();
    trial.pass(8);
    let updated = trial.ask(EU, "UpdateGameSession", json!({
        "GameSessionId": arn, "PlayerSessionCreationPolicy": "DENY_ALL", "ProtectionPolicy": "NoProtection",
        "MaximumPlayerSessionCount": 9, "GameProperties": [{"Key": "map", "Value": "harbor"}, {"Key": "round", "Value": "2"}],
    }));
    let updated = &updated["GameSession"];
    assert_eq!(updated["Name"], "before");
    assert_eq!(updated["PlayerSessionCreationPolicy"], "DENY_ALL");
    assert_eq!(updated["MaximumPlayerSessionCount"], 9);
    // A14 UpdateGameSession: properties are added or overwritten, never deleted.
    assert_eq!(
        updated["GameProperties"],
        json!([
            {"Key": "map", "Value": "harbor"}, {"Key": "mode", "Value": "duel"}, {"Key": "round", "Value": "2"},
        ])
    );
    let detail = trial.ask(EU, "DescribeGameSessionDetails", json!({ "GameSessionId": arn }));
    assert_eq!(detail["GameSessionDetails"][0]["ProtectionPolicy"], "NoProtection");
    let many: Vec<_> = (0..14).map(|n| json!({"Key": n.to_string(), "Value": "v"})).collect();
    trial.refuses(
        EU,
        "UpdateGameSession",
        vec![
            ("required", json!({"Name": "x"}), "InvalidRequestException"),
            (
                "A16: 16 properties together",
                json!({"GameSessionId": arn, "GameProperties": many}),
                "InvalidRequestException",
            ),
            ("B: enum", json!({"GameSessionId": arn, "ProtectionPolicy": "Some"}), "InvalidRequestException"),
            ("H2: NF", json!({"GameSessionId": format!("{arn}0"), "Name": "x"}), "NotFoundException"),
        ],
    );
    trial.ask(
        EU,
        "TerminateGameSession",
        json!({"GameSessionId": arn, "TerminationMode": "FORCE_TERMINATE"}),
    );
    let ending = json!({"GameSessionId": arn, "Name": "late"});
    assert_eq!(trial.refused(EU, "UpdateGameSession", ending), "InvalidGameSessionStatusException");
}

#[test]
fn a_closed_session_of_the_game_takes_no_more_of_the_players_it_had_coming() {
    let mut trial = Trial::new();
    let fleet = trial.fleet("arena-prod-eu");
    let found = trial.ask(EU, "SearchGameSessions", json!({
        "FleetId": fleet, "FilterExpression": "hasAvailablePlayerSessions=true AND gameSessionProperties.mode='casual'",
        "SortExpression": "creationTimeMillis DESC",
    }));
    let arn = found["GameSessions"][0]["GameSessionId"].as_str().unwrap().to_owned();
    trial.ask(
        EU,
        "UpdateGameSession",
        json!({"GameSessionId": arn, "PlayerSessionCreationPolicy": "DENY_ALL"}),
    );
    let before = trial.ask(EU, "DescribePlayerSessions", json!({ "GameSessionId": arn }));
    trial.pass(240);
    let after = trial.ask(EU, "DescribePlayerSessions", json!({ "GameSessionId": arn }));
    assert_eq!(
        before["PlayerSessions"].as_array().unwrap().len(),
        after["PlayerSessions"].as_array().unwrap().len()
    );
}

#[test]
fn a_graceful_end_depends_on_the_game_code_and_force_always_works() {
    let mut trial = Trial::new();
    let (fleet, canary) = (trial.fleet("arena-prod-eu"), trial.fleet("arena-canary-us"));
    let asked = trial.active(EU, &fleet);
    let ask = |arn: &str, mode: &str| json!({"GameSessionId": arn, "TerminationMode": mode});
    let answer = trial.ask(EU, "TerminateGameSession", ask(&asked, "TRIGGER_ON_PROCESS_TERMINATE"));
    // H2: the response is TERMINATING, later TERMINATED with the matching StatusReason.
    assert_eq!(answer["GameSession"]["Status"], "TERMINATING");
    assert!(answer["GameSession"].get("StatusReason").is_none());
    trial.pass(50);
    let ended = trial.look(&asked);
    assert_eq!(
        (&ended["Status"], &ended["StatusReason"]),
        (&json!("TERMINATED"), &json!("TRIGGERED_ON_PROCESS_TERMINATE"))
    );
    assert!(ended["TerminationTime"].is_number());

    // H2: without ProcessEnding the session stays TERMINATING, until it is forced.
    let stuck = trial.active(US, &canary);
    trial.ask(US, "TerminateGameSession", ask(&stuck, "TRIGGER_ON_PROCESS_TERMINATE"));
    trial.pass(6 * 3_600);
    assert_eq!(trial.look(&stuck)["Status"], "TERMINATING");
    trial.ask(US, "TerminateGameSession", ask(&stuck, "TRIGGER_ON_PROCESS_TERMINATE"));
    trial.ask(US, "TerminateGameSession", ask(&stuck, "FORCE_TERMINATE"));
    trial.pass(6);
    let ended = trial.look(&stuck);
    assert_eq!(
        (&ended["Status"], &ended["StatusReason"]),
        (&json!("TERMINATED"), &json!("FORCE_TERMINATED"))
    );
    let events = trial.ask(US, "DescribeFleetEvents", json!({"FleetId": canary, "Limit": 5}));
    assert!(events["Events"].to_string().contains("SERVER_PROCESS_FORCE_TERMINATED"));
    assert_eq!(
        trial.refused(US, "TerminateGameSession", ask(&stuck, "FORCE_TERMINATE")),
        "InvalidGameSessionStatusException"
    );
}

#[test]
fn terminate_game_session_keeps_the_rules_of_the_reference() {
    let mut trial = Trial::new();
    let lab = trial.fleet("qa-lab-anywhere");
    let made = trial.ask(
        AP,
        "CreateGameSession",
        json!({
            "FleetId": lab, "MaximumPlayerSessionCount": 2, "Location": "custom-lab-tokyo",
        }),
    );
    let arn = made["GameSession"]["GameSessionId"].as_str().unwrap().to_owned();
    trial.refuses(
        AP,
        "TerminateGameSession",
        vec![
            ("A14: both inputs required", json!({ "GameSessionId": arn }), "InvalidRequestException"),
            (
                "A14: both inputs required",
                json!({"TerminationMode": "FORCE_TERMINATE"}),
                "InvalidRequestException",
            ),
            (
                "A14: FORCE_TERMINATE on an Anywhere fleet without the GameLift Agent",
                json!({"GameSessionId": arn, "TerminationMode": "FORCE_TERMINATE"}),
                "InvalidRequestException",
            ),
            (
                "H2: NF",
                json!({"GameSessionId": format!("{arn}0"), "TerminationMode": "FORCE_TERMINATE"}),
                "NotFoundException",
            ),
        ],
    );
    // A session that is ended while it activates never becomes ACTIVE.
    trial.ask(
        AP,
        "TerminateGameSession",
        json!({
            "GameSessionId": arn, "TerminationMode": "TRIGGER_ON_PROCESS_TERMINATE",
        }),
    );
    trial.pass(20);
    assert_ne!(trial.look(&arn)["Status"], "ACTIVE");
    trial.pass(30);
    assert_eq!(trial.look(&arn)["Status"], "TERMINATED");
}

#[test]
fn a_fresh_compute_is_not_ready_and_an_old_game_server_cannot_be_ended() {
    let mut trial = Trial::new();
    let blue = trial.fleet("arena-prod-ap-blue");
    trial.ask(AP, "UpdateFleetCapacity", json!({"FleetId": blue, "DesiredInstances": 1}));
    let mut waited_s = 0;
    let arn = loop {
        trial.pass(5);
        waited_s += 5;
        assert!(waited_s < 600, "an instance takes minutes to start, not longer");
        let input = json!({"FleetId": blue, "MaximumPlayerSessionCount": 2});
        if let Ok(made) = trial.call(AP, "CreateGameSession", &input) {
            break made["GameSession"]["GameSessionId"].as_str().unwrap().to_owned();
        }
    };
    let rename = json!({"GameSessionId": arn, "Name": "x"});
    assert_eq!(trial.refused(AP, "UpdateGameSession", rename.clone()), "NotReadyException", "H2: NR");
    trial.pass(60);
    assert_eq!(trial.ask(AP, "UpdateGameSession", rename)["GameSession"]["Name"], "x");
    let end = json!({"GameSessionId": arn, "TerminationMode": "FORCE_TERMINATE"});
    assert_eq!(
        trial.refused(AP, "TerminateGameSession", end),
        "InvalidRequestException",
        "A14: game server must use server SDK 5.x or later"
    );
}

#[test]
fn a_session_on_a_compute_that_is_still_validated_cannot_be_ended_yet() {
    let mut trial = Trial::new();
    let known = json!({"FleetIds": [trial.fleet("arena-prod-eu")]});
    let known = trial.ask(EU, "DescribeFleetAttributes", known)["FleetAttributes"][0].clone();
    let process = json!({"LaunchPath": "/local/game/arena-server", "ConcurrentExecutions": 1});
    let input = json!({
        "Name": "fresh", "BuildId": known["BuildId"], "EC2InstanceType": "c5.large",
        "RuntimeConfiguration": {"ServerProcesses": [process]},
    });
    let fleet = trial.ask(EU, "CreateFleet", input)["FleetAttributes"]["FleetId"].clone();
    let mut waited_s = 0;
    let arn = loop {
        trial.pass(10);
        waited_s += 10;
        assert!(waited_s < 3_600, "a fleet takes minutes to start, not longer");
        let input = json!({"FleetId": fleet, "MaximumPlayerSessionCount": 2});
        if let Ok(made) = trial.call(EU, "CreateGameSession", &input) {
            break made["GameSession"]["GameSessionId"].clone();
        }
    };
    let end = json!({"GameSessionId": arn, "TerminationMode": "FORCE_TERMINATE"});
    assert_eq!(trial.refused(EU, "TerminateGameSession", &end), "NotReadyException", "H2: NR");
    trial.pass(60);
    assert_eq!(trial.ask(EU, "TerminateGameSession", &end)["GameSession"]["Status"], "TERMINATING");
}

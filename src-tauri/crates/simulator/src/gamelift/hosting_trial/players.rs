//! Creating player sessions, and where players connect.

use super::*;

#[test]
fn a_reserved_slot_counts_until_it_times_out_after_a_minute() {
    let mut trial = Trial::new();
    let fleet = trial.fleet("arena-prod-eu");
    let arn = trial.active(EU, &fleet);
    let made = trial.ask(
        EU,
        "CreatePlayerSession",
        json!({
            "GameSessionId": arn, "PlayerId": "anna@example", "PlayerData": "team=red",
        }),
    );
    let made = &made["PlayerSession"];
    assert_eq!((&made["Status"], &made["PlayerData"]), (&json!("RESERVED"), &json!("team=red")));
    let id = made["PlayerSessionId"].as_str().unwrap().to_owned();
    assert!(id.starts_with("psess-"));
    assert_eq!(trial.look(&arn)["CurrentPlayerSessionCount"], 1);
    // The simulation does not play for players it does not know: H1 RESERVED → TIMEDOUT after 60 s, and the slot
    // opens again.
    trial.pass(59);
    let seen = trial.ask(EU, "DescribePlayerSessions", json!({ "PlayerSessionId": id }));
    assert_eq!(seen["PlayerSessions"][0]["Status"], "RESERVED");
    trial.pass(1);
    let seen = trial.ask(EU, "DescribePlayerSessions", json!({"PlayerId": "anna@example"}));
    assert_eq!(seen["PlayerSessions"][0]["Status"], "TIMEDOUT");
    assert_eq!(trial.look(&arn)["CurrentPlayerSessionCount"], 0);
}

#[test]
fn a_player_of_the_simulation_comes_within_seconds() {
    let mut trial = Trial::new();
    let fleet = trial.fleet("arena-prod-eu");
    let arn = trial.active(EU, &fleet);
    let sessions =
        trial.ask(EU, "DescribeGameSessions", json!({"FleetId": fleet, "StatusFilter": "TERMINATED"}));
    let before = sessions["GameSessions"][0]["GameSessionId"].clone();
    let seats = trial.ask(EU, "DescribePlayerSessions", json!({ "GameSessionId": before }));
    let player = seats["PlayerSessions"][0]["PlayerId"].clone();
    let made = trial.ask(EU, "CreatePlayerSession", json!({"GameSessionId": arn, "PlayerId": player}));
    let id = made["PlayerSession"]["PlayerSessionId"].clone();
    trial.pass(16);
    let seen = trial.ask(EU, "DescribePlayerSessions", json!({ "PlayerSessionId": id }));
    assert_eq!(seen["PlayerSessions"][0]["Status"], "ACTIVE");
    trial.ask(
        EU,
        "TerminateGameSession",
        json!({"GameSessionId": arn, "TerminationMode": "FORCE_TERMINATE"}),
    );
    trial.pass(6);
    let seen = trial.ask(EU, "DescribePlayerSessions", json!({ "PlayerSessionId": id }));
    assert_eq!(seen["PlayerSessions"][0]["Status"], "COMPLETED");
}

#[test]
fn several_players_are_seated_all_or_none() {
    let mut trial = Trial::new();
    let fleet = trial.fleet("arena-prod-eu");
    let arn = trial.active(EU, &fleet);
    let made = trial.ask(
        EU,
        "CreatePlayerSessions",
        json!({
            "GameSessionId": arn, "PlayerIds": ["a", "b", "c"], "PlayerDataMap": {"b": "x", "z": "ignored"},
        }),
    );
    let made = made["PlayerSessions"].as_array().unwrap().clone();
    assert_eq!(
        made.iter().map(|seat| seat["PlayerId"].as_str().unwrap()).collect::<Vec<_>>(),
        ["a", "b", "c"]
    );
    assert_eq!((made[0].get("PlayerData"), &made[1]["PlayerData"]), (None, &json!("x")));
    let two = json!({"GameSessionId": arn, "PlayerIds": ["d", "e"]});
    assert_eq!(trial.refused(EU, "CreatePlayerSessions", two), "GameSessionFullException");
    assert_eq!(trial.look(&arn)["CurrentPlayerSessionCount"], 3);
    trial.ask(EU, "CreatePlayerSession", json!({"GameSessionId": arn, "PlayerId": "d"}));
    let fifth = json!({"GameSessionId": arn, "PlayerId": "e"});
    assert_eq!(trial.refused(EU, "CreatePlayerSession", fifth), "GameSessionFullException");
}

#[test]
fn create_player_sessions_keeps_the_rules_of_the_reference() {
    let mut trial = Trial::new();
    let fleet = trial.fleet("arena-prod-eu");
    let arn = trial.session(EU, &fleet);
    let many: Vec<String> = (0..26).map(|n| n.to_string()).collect();
    let one = json!({"GameSessionId": arn, "PlayerId": "a"});
    assert_eq!(
        trial.refused(EU, "CreatePlayerSession", one.clone()),
        "InvalidGameSessionStatusException",
        "A14: game session must be ACTIVE"
    );
    trial.pass(8);
    trial.refuses(
        EU,
        "CreatePlayerSessions",
        vec![
            (
                "A14: PlayerIds 1..25",
                json!({"GameSessionId": arn, "PlayerIds": many}),
                "InvalidRequestException",
            ),
            (
                "A14: PlayerIds 1..25",
                json!({"GameSessionId": arn, "PlayerIds": []}),
                "InvalidRequestException",
            ),
            (
                "A16 PlayerData 1..2048",
                json!({"GameSessionId": arn, "PlayerIds": ["a"], "PlayerDataMap": {"a": "x".repeat(2_049)}}),
                "InvalidRequestException",
            ),
            ("A6: NF", json!({"GameSessionId": format!("{arn}0"), "PlayerIds": ["a"]}), "NotFoundException"),
        ],
    );
    trial.ask(
        EU,
        "UpdateGameSession",
        json!({"GameSessionId": arn, "PlayerSessionCreationPolicy": "DENY_ALL"}),
    );
    let closed = trial.refused(EU, "CreatePlayerSession", one);
    assert_eq!(closed, "InvalidGameSessionStatusException", "A14: policy ACCEPT_ALL");
}

#[test]
fn a_full_session_of_the_game_never_has_more_players_than_slots() {
    let mut trial = Trial::new();
    let fleet = trial.fleet("arena-prod-eu");
    let found = trial.ask(EU, "SearchGameSessions", json!({
        "FleetId": fleet, "FilterExpression": "hasAvailablePlayerSessions=true AND gameSessionProperties.mode='casual'",
    }));
    let arn = found["GameSessions"][0]["GameSessionId"].as_str().unwrap().to_owned();
    let mut made = 0;
    while trial
        .call(EU, "CreatePlayerSession", json!({"GameSessionId": arn, "PlayerId": format!("v{made}")}))
        .is_ok()
    {
        made += 1;
    }
    assert!(made > 0);
    for _ in 0..30 {
        trial.pass(10);
        let now = trial.look(&arn);
        assert!(now["CurrentPlayerSessionCount"].as_u64() <= now["MaximumPlayerSessionCount"].as_u64());
    }
}

#[test]
fn players_are_told_the_address_of_the_game_server() {
    let mut trial = Trial::new();
    let fleet = trial.container_fleet(EU);
    let arn = trial.active(EU, &fleet);
    trial.ask(EU, "CreatePlayerSession", json!({"GameSessionId": arn, "PlayerId": "a"}));
    let session = trial.look(&arn);
    let told = trial.ask(EU, "GetPlayerConnectionDetails", json!({"GameSessionId": arn, "PlayerIds": ["a"]}));
    assert_eq!(
        told,
        json!({
            "GameSessionId": arn,
            "PlayerConnectionDetails": [{
                "PlayerId": "a", "Endpoints": [{"IpAddress": session["IpAddress"], "Port": session["Port"]}],
            }],
        })
    );
    let other = json!({"GameSessionId": arn, "PlayerIds": ["b"]});
    assert_eq!(trial.refused(EU, "GetPlayerConnectionDetails", other), "NotFoundException");
    let lab = trial.fleet("qa-lab-anywhere");
    let made = trial.ask(
        AP,
        "CreateGameSession",
        json!({
            "FleetId": lab, "MaximumPlayerSessionCount": 2, "Location": "custom-lab-tokyo",
        }),
    );
    let anywhere = json!({"GameSessionId": made["GameSession"]["GameSessionId"], "PlayerIds": ["a"]});
    assert_eq!(
        trial.refused(AP, "GetPlayerConnectionDetails", anywhere),
        "InvalidRequestException",
        "A6: EC2 and container fleets"
    );
}

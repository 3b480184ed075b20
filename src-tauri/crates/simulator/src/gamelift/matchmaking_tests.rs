//! Matchmaking as callers see it: the rules of its operations, and the progress of tickets.

use serde_json::{Value as Json, json};

use super::trial::Trial;

const DUEL: &str = r#"{"ruleLanguageVersion": "1.0",
  "playerAttributes": [{"name": "skill", "type": "number", "default": 10}],
  "teams": [{"name": "left", "minPlayers": 1, "maxPlayers": 1}, {"name": "right", "minPlayers": 1, "maxPlayers": 1}],
  "rules": [{"name": "Fair", "type": "distance", "measurements": ["avg(teams[left].players.attributes[skill])"],
             "referenceValue": "avg(teams[right].players.attributes[skill])", "maxDistance": 5}],
  "expansions": [{"target": "rules[Fair].maxDistance", "steps": [{"waitTimeSeconds": 30, "value": 100}]}]}"#;

/// Creates a world with a configuration for duels that only callers use.
fn duels(acceptance: bool) -> Trial {
    let mut trial = Trial::new("eu-west-1");
    trial.get("CreateMatchmakingRuleSet", json!({ "Name": "duel", "RuleSetBody": DUEL }));
    let queue = trial.get("DescribeGameSessionQueues", json!({ "Names": ["arena-eu"] }));
    let arn = queue["GameSessionQueues"][0]["GameSessionQueueArn"].clone();
    let mut input = json!({
        "Name": "duels", "GameSessionQueueArns": [arn], "RequestTimeoutSeconds": 60, "RuleSetName": "duel",
        "AcceptanceRequired": acceptance, "GameProperties": [{ "Key": "mode", "Value": "duel" }],
        "AdditionalPlayerCount": 1, "CustomEventData": "d",
    });
    if acceptance {
        input["AcceptanceTimeoutSeconds"] = json!(20);
    }
    let made = trial.get("CreateMatchmakingConfiguration", input);
    assert_eq!(made["Configuration"]["FlexMatchMode"], "WITH_QUEUE");
    trial
}

fn start(trial: &mut Trial, ticket: &str, player: &str, skill: f64) -> Json {
    let input = json!({
        "ConfigurationName": "duels", "TicketId": ticket,
        "Players": [{ "PlayerId": player, "PlayerAttributes": { "skill": { "N": skill } },
                      "LatencyInMs": { "eu-west-1": 30, "eu-central-1": 40 } }],
    });
    trial.get("StartMatchmaking", input)["MatchmakingTicket"].clone()
}

fn ticket(trial: &mut Trial, id: &str) -> Json {
    trial.get("DescribeMatchmaking", json!({ "TicketIds": [id] }))["TicketList"][0].clone()
}

fn events(trial: &mut Trial) -> Vec<String> {
    use liftdeck_simulated_world::records::NoticeDetail;
    let region = trial.region;
    let notices = trial.world.drain_events(region).into_iter();
    let told = notices.filter_map(|notice| match notice.detail {
        NoticeDetail::Matchmaking(told) if notice.resource_arn.ends_with("/duels") => {
            Some(told.kind.event_type().to_owned())
        }
        _ => None,
    });
    told.collect()
}

#[test]
fn requests_that_break_a_rule_of_matchmaking_are_refused() {
    let mut trial = duels(false);
    let (player, invalid, unknown) =
        (json!([{ "PlayerId": "a" }]), "InvalidRequestException", "NotFoundException");
    let eleven: Vec<Json> = (0..11).map(|n| json!({ "PlayerId": format!("p{n}") })).collect();
    let attributes: serde_json::Map<_, _> = (0..11).map(|n| (format!("a{n}"), json!({ "N": 1.0 }))).collect();
    start(&mut trial, "taken", "a", 10.0);
    let with = |players: Json| json!({ "ConfigurationName": "duels", "Players": players });
    trial.refuses(vec![
        ("A9 StartMatchmaking: ConfigurationName required", "StartMatchmaking", json!({ "Players": player }), invalid),
        ("A9 StartMatchmaking: NF", "StartMatchmaking", json!({ "ConfigurationName": "x", "Players": player }), unknown),
        ("A14 StartMatchmaking: at most 10 players", "StartMatchmaking", with(json!(eleven)), invalid),
        (
            "A14 StartMatchmaking: each at most 10 attributes",
            "StartMatchmaking",
            with(json!([{ "PlayerId": "a", "PlayerAttributes": attributes }])),
            invalid,
        ),
        (
            "A9 StartMatchmaking: TicketId unique",
            "StartMatchmaking",
            json!({ "ConfigurationName": "duels", "Players": player, "TicketId": "taken" }),
            invalid,
        ),
        (
            "A16 MatchmakingIdStringModel: pattern",
            "StartMatchmaking",
            json!({ "ConfigurationName": "duels", "Players": player, "TicketId": "a b" }),
            invalid,
        ),
        (
            "C AttributeValue: one of its members",
            "StartMatchmaking",
            with(json!([{ "PlayerId": "a", "PlayerAttributes": { "skill": { "N": 1.0, "S": "x" } } }])),
            invalid,
        ),
        ("A9 StopMatchmaking: NF", "StopMatchmaking", json!({ "TicketId": "none" }), unknown),
        (
            "H1: a ticket that waits for no answer takes none",
            "AcceptMatch",
            json!({ "TicketId": "taken", "PlayerIds": ["a"], "AcceptanceType": "ACCEPT" }),
            invalid,
        ),
        (
            "B AcceptanceType",
            "AcceptMatch",
            json!({ "TicketId": "taken", "PlayerIds": ["a"], "AcceptanceType": "MAYBE" }),
            invalid,
        ),
        (
            "A14 StartMatchBackfill: only sessions made by FlexMatch",
            "StartMatchBackfill",
            json!({ "ConfigurationName": "duels", "Players": player }),
            invalid,
        ),
        ("A9 ValidateMatchmakingRuleSet: IR", "ValidateMatchmakingRuleSet", json!({ "RuleSetBody": "{}" }), invalid),
        (
            "A9 CreateMatchmakingRuleSet: Name unique",
            "CreateMatchmakingRuleSet",
            json!({ "Name": "duel", "RuleSetBody": DUEL }),
            invalid,
        ),
        (
            "A9 DeleteMatchmakingRuleSet: not while a configuration uses it",
            "DeleteMatchmakingRuleSet",
            json!({ "Name": "duel" }),
            invalid,
        ),
        (
            "A9 DeleteMatchmakingConfiguration: not while a ticket uses it",
            "DeleteMatchmakingConfiguration",
            json!({ "Name": "duels" }),
            invalid,
        ),
        (
            "A9 CreateMatchmakingConfiguration: the rule set exists",
            "CreateMatchmakingConfiguration",
            json!({ "Name": "n", "RequestTimeoutSeconds": 9, "AcceptanceRequired": false, "RuleSetName": "none" }),
            unknown,
        ),
        (
            "A9 CreateMatchmakingConfiguration: a queue unless STANDALONE",
            "CreateMatchmakingConfiguration",
            json!({ "Name": "n", "RequestTimeoutSeconds": 9, "AcceptanceRequired": false, "RuleSetName": "duel" }),
            invalid,
        ),
        (
            "A16 MatchmakingRequestTimeoutInteger",
            "UpdateMatchmakingConfiguration",
            json!({ "Name": "duels", "RequestTimeoutSeconds": 43_201 }),
            invalid,
        ),
        (
            "A9 UpdateMatchmakingConfiguration: acceptance needs its timeout",
            "UpdateMatchmakingConfiguration",
            json!({ "Name": "duels", "AcceptanceRequired": true }),
            invalid,
        ),
    ]);
    assert_eq!(trial.get("ValidateMatchmakingRuleSet", json!({ "RuleSetBody": DUEL }))["Valid"], true);
}

#[test]
fn two_tickets_that_fit_are_placed_and_completed() {
    let mut trial = duels(false);
    events(&mut trial);
    let made = start(&mut trial, "one", "anna", 10.0);
    assert_eq!(
        (&made["Status"], &made["Players"][0]["PlayerAttributes"]["skill"]["N"]),
        (&json!("QUEUED"), &json!(10.0))
    );
    trial.wait_s(2);
    assert_eq!(ticket(&mut trial, "one")["Status"], "SEARCHING");
    start(&mut trial, "two", "bert", 13.0);
    trial.wait_s(2);
    let placing = ticket(&mut trial, "two");
    assert!(["PLACING", "COMPLETED"].contains(&placing["Status"].as_str().unwrap()), "{placing}");
    assert_ne!(ticket(&mut trial, "one")["Players"][0]["Team"], placing["Players"][0]["Team"]);
    trial.wait_s(30);
    let done = ticket(&mut trial, "one");
    assert_eq!(done["Status"], "COMPLETED", "{done}");
    let connection = &done["GameSessionConnectionInfo"];
    assert_eq!(connection["MatchedPlayerSessions"][0]["PlayerId"], "anna");
    let sessions =
        trial.get("DescribeGameSessions", json!({ "GameSessionId": connection["GameSessionArn"] }));
    let session = &sessions["GameSessions"][0];
    assert_eq!(session["MaximumPlayerSessionCount"], 3, "two of the teams and one more");
    assert_eq!(session["GameProperties"][0]["Value"], "duel");
    let data: Json = serde_json::from_str(session["MatchmakerData"].as_str().unwrap()).unwrap();
    assert_eq!(data["teams"][1]["players"][0]["attributes"]["skill"]["attributeType"], "DOUBLE");
    let told = events(&mut trial);
    let order =
        ["MatchmakingSearching", "MatchmakingSearching", "PotentialMatchCreated", "MatchmakingSucceeded"];
    assert_eq!(told, order);
    trial.refuses(vec![(
        "H1: an ended ticket cannot be stopped",
        "StopMatchmaking",
        json!({ "TicketId": "one" }),
        "InvalidRequestException",
    )]);
}

#[test]
fn tickets_that_do_not_fit_wait_until_the_rules_relax_or_their_time_is_over() {
    let mut trial = duels(false);
    start(&mut trial, "one", "anna", 10.0);
    start(&mut trial, "two", "bert", 60.0);
    trial.wait_s(25);
    assert_eq!(ticket(&mut trial, "one")["Status"], "SEARCHING");
    trial.wait_s(12);
    assert_ne!(ticket(&mut trial, "one")["Status"], "SEARCHING", "after 30 s the distance may be 100");
    events(&mut trial);
    start(&mut trial, "alone", "carl", 10.0);
    trial.wait_s(70);
    let late = ticket(&mut trial, "alone");
    assert_eq!((&late["Status"], &late["StatusReason"]), (&json!("TIMED_OUT"), &json!("TimedOut")));
    assert!(events(&mut trial).contains(&"MatchmakingTimedOut".to_owned()));
}

#[test]
fn a_match_waits_for_the_answers_and_a_refusal_ends_only_its_own_ticket() {
    let mut trial = duels(true);
    start(&mut trial, "one", "anna", 10.0);
    start(&mut trial, "two", "bert", 10.0);
    trial.wait_s(3);
    assert_eq!(ticket(&mut trial, "one")["Status"], "REQUIRES_ACCEPTANCE");
    let answer = |ticket: &str, player: &str, how: &str| json!({ "TicketId": ticket, "PlayerIds": [player], "AcceptanceType": how });
    trial.refuses(vec![(
        "A9 AcceptMatch: the players of the ticket",
        "AcceptMatch",
        answer("one", "bert", "ACCEPT"),
        "InvalidRequestException",
    )]);
    events(&mut trial);
    trial.get("AcceptMatch", answer("one", "anna", "ACCEPT"));
    trial.get("AcceptMatch", answer("two", "bert", "REJECT"));
    assert_eq!(ticket(&mut trial, "two")["Status"], "CANCELLED");
    assert_eq!(ticket(&mut trial, "one")["Status"], "SEARCHING");
    let told = events(&mut trial);
    let order = [
        "AcceptMatch",
        "AcceptMatch",
        "AcceptMatchCompleted",
        "MatchmakingCancelled",
        "MatchmakingSearching",
    ];
    assert_eq!(told, order);
    start(&mut trial, "three", "bert", 10.0);
    trial.wait_s(3);
    trial.get("AcceptMatch", answer("one", "anna", "ACCEPT"));
    trial.get("AcceptMatch", answer("three", "bert", "ACCEPT"));
    assert_eq!(ticket(&mut trial, "three")["Status"], "PLACING");
    trial.refuses(vec![(
        "A14 StopMatchmaking: tickets in PLACING cannot be cancelled",
        "StopMatchmaking",
        json!({ "TicketId": "three" }),
        "InvalidRequestException",
    )]);
}

#[test]
fn a_match_that_is_not_answered_in_time_cancels_the_tickets_of_the_silent() {
    let mut trial = duels(true);
    start(&mut trial, "one", "anna", 10.0);
    start(&mut trial, "two", "bert", 10.0);
    trial.wait_s(3);
    trial.get("AcceptMatch", json!({ "TicketId": "one", "PlayerIds": ["anna"], "AcceptanceType": "ACCEPT" }));
    trial.wait_s(22);
    assert_eq!(ticket(&mut trial, "one")["Status"], "SEARCHING");
    assert_eq!(ticket(&mut trial, "two")["Status"], "CANCELLED");
}

#[test]
fn a_stopped_ticket_is_cancelled_and_players_of_the_population_join_in_their_own_configuration() {
    let mut trial = duels(false);
    start(&mut trial, "one", "anna", 10.0);
    trial.get("StopMatchmaking", json!({ "TicketId": "one" }));
    assert_eq!(ticket(&mut trial, "one")["Status"], "CANCELLED");
    let configuration =
        trial.get("DescribeMatchmakingConfigurations", json!({ "Names": ["arena-ranked-eu"] }));
    assert_eq!(configuration["Configurations"][0]["AcceptanceRequired"], true);
    let player = json!({ "PlayerId": "dora", "PlayerAttributes": { "skill": { "N": 1500.0 } },
                         "LatencyInMs": { "eu-west-1": 20, "eu-central-1": 30, "eu-north-1": 40 } });
    let input = json!({ "ConfigurationName": "arena-ranked-eu", "TicketId": "ranked", "Players": [player] });
    trial.get("StartMatchmaking", input);
    let mut seen = Vec::new();
    for _ in 0..110 {
        trial.wait_s(1);
        let now = ticket(&mut trial, "ranked")["Status"].as_str().unwrap().to_owned();
        if now == "REQUIRES_ACCEPTANCE" && seen.last() != Some(&now) {
            let input = json!({ "TicketId": "ranked", "PlayerIds": ["dora"], "AcceptanceType": "ACCEPT" });
            trial.get("AcceptMatch", input);
        }
        if seen.last() != Some(&now) {
            seen.push(now);
        }
    }
    assert_eq!(seen, ["SEARCHING", "REQUIRES_ACCEPTANCE", "PLACING", "COMPLETED"]);
}

#[test]
fn a_backfill_brings_a_player_into_a_session_that_flexmatch_made() {
    let mut trial = duels(false);
    start(&mut trial, "one", "anna", 10.0);
    start(&mut trial, "two", "bert", 10.0);
    trial.wait_s(40);
    let done = ticket(&mut trial, "one");
    let session = done["GameSessionConnectionInfo"]["GameSessionArn"].clone();
    let team = done["Players"][0]["Team"].clone();
    let backfill = |id: &str| {
        json!({ "ConfigurationName": "duels", "TicketId": id, "GameSessionArn": session,
                "Players": [{ "PlayerId": "anna", "Team": team, "PlayerAttributes": { "skill": { "N": 10.0 } } }] })
    };
    trial.get("StartMatchBackfill", backfill("fill-1"));
    trial.get("StartMatchBackfill", backfill("fill-2"));
    assert_eq!(ticket(&mut trial, "fill-1")["Status"], "CANCELLED", "A14: a new one replaces it");
    trial.wait_s(2);
    start(&mut trial, "late", "emil", 11.0);
    trial.wait_s(8);
    assert_eq!(ticket(&mut trial, "fill-2")["Status"], "COMPLETED");
    let late = ticket(&mut trial, "late");
    assert_eq!(
        (&late["Status"], &late["GameSessionConnectionInfo"]["GameSessionArn"]),
        (&json!("COMPLETED"), &session)
    );
    assert_ne!(late["Players"][0]["Team"], team);
    let players = trial.get("DescribePlayerSessions", json!({ "GameSessionId": session }));
    let players = players["PlayerSessions"].as_array().unwrap();
    assert!(players.iter().any(|player| player["PlayerId"] == "emil"), "{players:?}");
}

#[test]
fn a_standalone_configuration_completes_matches_without_a_session() {
    let mut trial = duels(false);
    trial.get(
        "CreateMatchmakingConfiguration",
        json!({ "Name": "alone", "RequestTimeoutSeconds": 60, "RuleSetName": "duel", "AcceptanceRequired": false,
                "FlexMatchMode": "STANDALONE" }),
    );
    for (id, player) in [("x", "anna"), ("y", "bert")] {
        let input =
            json!({ "ConfigurationName": "alone", "TicketId": id, "Players": [{ "PlayerId": player }] });
        trial.get("StartMatchmaking", input);
    }
    trial.wait_s(4);
    let done = ticket(&mut trial, "x");
    assert_eq!(done["Status"], "COMPLETED", "{done}");
    assert!(done.get("GameSessionConnectionInfo").is_none());
    trial.get("DeleteMatchmakingConfiguration", json!({ "Name": "alone" }));
    let left = trial.get("DescribeMatchmakingConfigurations", json!({ "RuleSetName": "duel" }));
    assert_eq!(left["Configurations"].as_array().unwrap().len(), 1);
}

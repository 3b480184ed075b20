//! Reading aliases, queues, placements and matchmaking.

use super::*;

#[test]
fn requests_that_break_a_rule_of_routing_reads_are_refused() {
    let mut trial = Trial::new(EU);
    let closed = alias(&mut trial, "TERMINAL");
    let names = |count: usize| (0..count).map(|n| format!("rules-{n}")).collect::<Vec<_>>();
    trial.refuses(vec![
        ("B RoutingStrategyType", "ListAliases", json!({ "RoutingStrategyType": "WINDING" }), INVALID),
        ("A16 NonEmptyString: 1..", "ListAliases", json!({ "Name": "" }), INVALID),
        ("A8 DescribeAlias: required", "DescribeAlias", json!({}), INVALID),
        ("A8 DescribeAlias: NF", "DescribeAlias", json!({ "AliasId": "alias-0" }), UNKNOWN),
        ("A8 ResolveAlias: NF", "ResolveAlias", json!({ "AliasId": "alias-0" }), UNKNOWN),
        ("A14 ResolveAlias: TERMINAL", "ResolveAlias", json!({ "AliasId": closed }), TERMINAL),
        ("A7: PlacementId required", "DescribeGameSessionPlacement", json!({}), INVALID),
        ("A7: NF", "DescribeGameSessionPlacement", json!({ "PlacementId": "none" }), UNKNOWN),
        ("A9 DescribeMatchmaking: required", "DescribeMatchmaking", json!({}), INVALID),
        (
            "A14 DescribeMatchmaking: at most 10 ticket ids",
            "DescribeMatchmaking",
            json!({ "TicketIds": names(11) }),
            INVALID,
        ),
        (
            "A14 DescribeMatchmakingRuleSets: Names 1..10",
            "DescribeMatchmakingRuleSets",
            json!({ "Names": [] }),
            INVALID,
        ),
        (
            "A14 DescribeMatchmakingRuleSets: Names 1..10",
            "DescribeMatchmakingRuleSets",
            json!({ "Names": names(11) }),
            INVALID,
        ),
        (
            "A9 DescribeMatchmakingRuleSets: NF",
            "DescribeMatchmakingRuleSets",
            json!({ "Names": ["none"] }),
            UNKNOWN,
        ),
    ]);
}

#[test]
fn unknown_queues_and_tickets_are_left_out() {
    let mut trial = Trial::new(EU);
    let shown = trial.get("DescribeGameSessionQueues", json!({ "Names": ["none", "arena-eu"] }));
    assert_eq!(texts(shown["GameSessionQueues"].as_array().unwrap(), "Name"), ["arena-eu"], "A14: left out");
    let start = json!({ "ConfigurationName": "arena-ranked-eu", "Players": [{ "PlayerId": "a" }] });
    let made = trial.get("StartMatchmaking", start);
    let id = made["MatchmakingTicket"]["TicketId"].as_str().unwrap().to_owned();
    // A14 StartMatchmaking: TicketId generated as a UUID if absent.
    assert!(uuid::Uuid::parse_str(&id).is_ok(), "{id}");
    let asked: Vec<String> = (0..9).map(|n| format!("t-{n}")).chain([id.clone()]).collect();
    let shown = trial.get("DescribeMatchmaking", json!({ "TicketIds": asked }));
    let found = texts(shown["TicketList"].as_array().unwrap(), "TicketId");
    assert_eq!(found, [id], "A14 DescribeMatchmaking: unknown ids are silently left out");
}

#[test]
fn queues_come_fifty_a_page_at_most_and_matchmaking_ten() {
    let mut trial = Trial::new(EU);
    let rules = trial.get("DescribeMatchmakingRuleSets", json!({}))["RuleSets"][0].clone();
    for number in 0..60 {
        trial.get("CreateGameSessionQueue", json!({ "Name": format!("page-{number}") }));
        let body = json!({ "Name": format!("page-{number}"), "RuleSetBody": rules["RuleSetBody"] });
        trial.get("CreateMatchmakingRuleSet", body);
        trial.get(
            "CreateMatchmakingConfiguration",
            json!({
                "Name": format!("page-{number}"), "RequestTimeoutSeconds": 60, "AcceptanceRequired": false,
                "RuleSetName": rules["RuleSetName"], "FlexMatchMode": "STANDALONE",
            }),
        );
    }
    for (name, member, most) in [
        ("DescribeGameSessionQueues", "GameSessionQueues", 50),
        ("DescribeMatchmakingConfigurations", "Configurations", 10),
        ("DescribeMatchmakingRuleSets", "RuleSets", 10),
    ] {
        let first = trial.get(name, json!({}));
        assert_eq!(first[member].as_array().unwrap().len(), most, "A14 {name}");
        assert!(first["NextToken"].is_string());
        assert!(all(&mut trial, name, &json!({}), member).len() > 60);
    }
    let large = trial.get("DescribeGameSessionQueues", json!({ "Limit": 500 }));
    assert_eq!(large["GameSessionQueues"].as_array().unwrap().len(), 50, "A14: at most 50 per page");
}

#[test]
fn an_alias_is_found_by_id_arn_name_and_kind_and_resolved_to_id_and_arn() {
    let mut trial = Trial::new(EU);
    let live = alias(&mut trial, "SIMPLE");
    let shown = trial.get("DescribeAlias", json!({ "AliasId": live }))["Alias"].clone();
    for asked in [&shown["AliasId"], &shown["AliasArn"]] {
        let resolved = trial.get("ResolveAlias", json!({ "AliasId": asked }));
        let fleet = resolved["FleetId"].as_str().unwrap();
        // A14 ResolveAlias: SIMPLE gives FleetId and FleetArn. H4: RoutingStrategy.FleetId is always the id.
        assert_eq!(shown["RoutingStrategy"]["FleetId"], fleet);
        assert_eq!(resolved["FleetArn"], format!("arn:aws:gamelift:{EU}::fleet/{fleet}"));
    }
    assert_eq!(shown["AliasArn"], format!("arn:aws:gamelift:{EU}::alias/{live}"), "H4");
    let named = all(&mut trial, "ListAliases", &json!({ "Name": shown["Name"] }), "Aliases");
    assert!(named.contains(&shown) && named.iter().all(|alias| alias["Name"] == shown["Name"]));
}

#[test]
fn only_a_session_that_flexmatch_made_is_backfilled() {
    let mut trial = Trial::new(EU);
    let fleet = trial.fleet("arena-prod-eu");
    let made = trial.get("CreateGameSession", json!({ "FleetId": fleet, "MaximumPlayerSessionCount": 4 }));
    trial.wait_s(10);
    let arn = made["GameSession"]["GameSessionId"].clone();
    let with = |arn: &Json| {
        json!({ "ConfigurationName": "arena-ranked-eu", "GameSessionArn": arn,
        "Players": [{ "PlayerId": "a", "Team": "red" }] })
    };
    let teamless = json!({ "ConfigurationName": "arena-ranked-eu", "GameSessionArn": arn, "Players": [{ "PlayerId": "a" }] });
    trial.refuses(vec![
        (
            "A14 StartMatchBackfill: only sessions made by FlexMatch",
            "StartMatchBackfill",
            with(&arn),
            INVALID,
        ),
        ("A9 StartMatchBackfill: the team of every player", "StartMatchBackfill", teamless, INVALID),
        (
            "A9 StartMatchBackfill: NF",
            "StartMatchBackfill",
            with(&json!(format!("{}0", arn.as_str().unwrap()))),
            UNKNOWN,
        ),
    ]);
}

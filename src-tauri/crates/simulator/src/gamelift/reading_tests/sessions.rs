//! Game sessions by fleet, alias, location, status and id.

use super::*;

const READS: [(&str, &str); 2] =
    [("DescribeGameSessions", "GameSessions"), ("DescribeGameSessionDetails", "GameSessionDetails")];

fn session(item: &Json) -> &Json {
    item.get("GameSession").unwrap_or(item)
}

#[test]
fn requests_that_break_a_rule_of_session_reads_are_refused() {
    let mut trial = Trial::new(EU);
    let fleet = trial.fleet("arena-prod-eu");
    let (live, closed) = (alias(&mut trial, "SIMPLE"), alias(&mut trial, "TERMINAL"));
    let arn = format!("arn:aws:gamelift:{EU}::gamesession/{fleet}/none");
    for (name, _) in READS {
        trial.refuses(vec![
            ("A14: by fleet or alias, or by a single GameSessionId", name, json!({}), INVALID),
            ("A14: by fleet or alias", name, json!({ "FleetId": fleet, "AliasId": live }), INVALID),
            (
                "A14: or by a single GameSessionId",
                name,
                json!({ "FleetId": fleet, "GameSessionId": arn }),
                INVALID,
            ),
            (
                "A14: StatusFilter, ERROR is not listed",
                name,
                json!({ "FleetId": fleet, "StatusFilter": "ERROR" }),
                INVALID,
            ),
            (
                "A14: StatusFilter as it is spelt",
                name,
                json!({ "FleetId": fleet, "StatusFilter": "active" }),
                INVALID,
            ),
            (
                "A16 NonZeroAndMaxString: 1..1024",
                name,
                json!({ "FleetId": fleet, "StatusFilter": "" }),
                INVALID,
            ),
            ("A5: NF", name, json!({ "FleetId": "fleet-0" }), UNKNOWN),
            ("A5: NF", name, json!({ "AliasId": "alias-0" }), UNKNOWN),
            ("A5: NF", name, json!({ "GameSessionId": arn }), UNKNOWN),
            ("A5: NF", name, json!({ "FleetId": fleet, "Location": "sa-east-1" }), UNKNOWN),
            ("H3 TerminalRoutingStrategyException", name, json!({ "AliasId": closed }), TERMINAL),
        ]);
    }
}

#[test]
fn a_filter_gives_sessions_of_its_status_and_place_only() {
    let mut trial = Trial::new(EU);
    let fleet = trial.fleet("arena-prod-eu");
    for (name, member) in READS {
        let mut found = 0;
        for status in ["ACTIVE", "TERMINATED", "ACTIVATING", "TERMINATING"] {
            let input = json!({ "FleetId": fleet, "StatusFilter": status, "Limit": 20 });
            let shown = trial.get(name, input)[member].as_array().unwrap().clone();
            assert!(shown.iter().all(|item| session(item)["Status"] == status), "A14: {status}");
            found += usize::from(!shown.is_empty());
        }
        assert!(found > 1);
        let input = json!({ "FleetId": fleet, "Location": "eu-central-1", "Limit": 20 });
        let shown = trial.get(name, input)[member].as_array().unwrap().clone();
        assert!(!shown.is_empty() && shown.iter().all(|item| session(item)["Location"] == "eu-central-1"));
    }
}

#[test]
fn an_arn_names_the_region_the_fleet_and_a_remote_location() {
    let mut trial = Trial::new(EU);
    let fleet = trial.fleet("arena-prod-eu");
    let shown = trial.get("DescribeGameSessions", json!({ "FleetId": fleet, "StatusFilter": "ACTIVE" }));
    let mut seen = [false, false];
    for session in shown["GameSessions"].as_array().unwrap() {
        let (arn, place) =
            (session["GameSessionId"].as_str().unwrap(), session["Location"].as_str().unwrap());
        let tail = arn.strip_prefix(&format!("arn:aws:gamelift:{EU}::gamesession/{fleet}/")).unwrap();
        // H4: the account part is empty; only the ARN of a session in a remote location contains the location.
        let parts: Vec<&str> = tail.split('/').collect();
        assert_eq!(parts.len(), if place == EU { 1 } else { 2 }, "{arn}");
        assert!(place == EU || parts[0] == place, "{arn}");
        seen[usize::from(place == EU)] = true;
        let found = trial.get("DescribeGameSessions", json!({ "GameSessionId": arn }));
        assert_eq!(found["GameSessions"][0]["GameSessionId"], arn);
    }
    assert_eq!(seen, [true, true]);
}

#[test]
fn an_alias_is_resolved_when_sessions_are_read() {
    let mut trial = Trial::new(EU);
    let (old, new) = (trial.fleet("arena-prod-eu"), trial.fleet("arena-spot-eu"));
    let simple = |fleet: &str| json!({ "Type": "SIMPLE", "FleetId": fleet });
    let made = trial.get("CreateAlias", json!({ "Name": "read", "RoutingStrategy": simple(&old) }));
    let id = made["Alias"]["AliasId"].clone();
    let fleets = |trial: &mut Trial| {
        let shown = trial.get("DescribeGameSessions", json!({ "AliasId": id, "Limit": 5 }));
        texts(shown["GameSessions"].as_array().unwrap(), "FleetId")
    };
    assert_eq!(fleets(&mut trial), vec![old; 5]);
    trial.get("UpdateAlias", json!({ "AliasId": id, "RoutingStrategy": simple(&new) }));
    assert_eq!(fleets(&mut trial), vec![new; 5], "H6: reads that take AliasId resolve it at call time");
}

#[test]
fn protection_is_told_by_the_details_only() {
    let mut trial = Trial::new(EU);
    let fleet = trial.fleet("arena-prod-eu");
    let input = json!({ "FleetId": fleet, "StatusFilter": "ACTIVE", "Limit": 3 });
    let plain = trial.get("DescribeGameSessions", input.clone());
    assert!(plain["GameSessions"][0].get("ProtectionPolicy").is_none(), "H5");
    let details = trial.get("DescribeGameSessionDetails", input);
    for (detail, session) in std::iter::zip(
        details["GameSessionDetails"].as_array().unwrap(),
        plain["GameSessions"].as_array().unwrap(),
    ) {
        assert_eq!(&detail["GameSession"], session);
        assert_eq!(detail["ProtectionPolicy"], "FullProtection");
    }
}

#[test]
fn a_fleet_that_is_not_active_takes_no_session() {
    let mut trial = Trial::new(EU);
    let builds = trial.get("ListBuilds", json!({ "Status": "READY" }));
    let made = trial.get("CreateFleet", json!({
        "Name": "fresh", "BuildId": builds["Builds"][0]["BuildId"], "EC2InstanceType": "c5.large",
        "RuntimeConfiguration":
            { "ServerProcesses": [{ "LaunchPath": "/local/game/arena-server", "ConcurrentExecutions": 1 }] },
    }));
    let fleet = made["FleetAttributes"]["FleetId"].clone();
    let change = json!({ "FleetId": fleet, "MaxSize": 2 });
    let locations = json!({ "FleetId": fleet, "Locations": [{ "Location": "eu-north-1" }] });
    let status = "InvalidFleetStatusException";
    trial.refuses(vec![
        (
            "A14 CreateGameSession: target fleet must be ACTIVE",
            "CreateGameSession",
            json!({ "FleetId": fleet, "MaximumPlayerSessionCount": 2 }),
            status,
        ),
        ("A14 UpdateFleetCapacity: fleet must be ACTIVE", "UpdateFleetCapacity", change, status),
        ("A1 CreateFleetLocations: IFS", "CreateFleetLocations", locations, status),
        ("H1 Fleet deletion: only in ACTIVE or ERROR", "DeleteFleet", json!({ "FleetId": fleet }), status),
    ]);
}

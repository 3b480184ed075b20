//! The truth about incidents and scaling, beside what the API shows of them at the same time.

use std::time::Duration;

use liftdeck_simulator::{Scenario, Simulator, SimulatorOptions};
use serde_json::{Value, json};

use super::client::Client;
use super::scenarios::{START_MS, ask, count, fleet_named, placements, two_minutes_of};

/// The only incident of a region, which began before the start and has been seen.
async fn incident(client: &mut Client, kind: &str) -> Value {
    let truth = client.truth().await;
    let all = truth["Incidents"].as_array().unwrap();
    assert_eq!(all.len(), 1, "{all:?}");
    let (began_s, seen_s) = (all[0]["BeganTime"].as_f64().unwrap(), all[0]["SeenTime"].as_f64().unwrap());
    assert!(began_s <= seen_s && began_s < (START_MS / 1_000) as f64, "{all:?}");
    assert_eq!((&all[0]["Kind"], &all[0]["EndedTime"]), (&json!(kind), &Value::Null));
    let signs = all[0]["Signs"].as_object().unwrap();
    assert!(signs.values().any(|at| at == &all[0]["SeenTime"]), "{all:?}");
    all[0].clone()
}

#[tokio::test]
async fn wrong_alias_leads_to_the_canary_fleet_by_a_person_in_the_console() {
    let simulator = two_minutes_of(Scenario::WrongAlias).await;
    let mut client = Client::new(&simulator, "eu-west-1");
    let found = incident(&mut client, "wrong-alias").await;
    let canary = fleet_named(&mut client, "arena-canary-eu").await;
    let aliases = ask(&mut client, "ListAliases", json!({ "Name": "arena-live-eu" })).await;
    let alias = &aliases["Aliases"][0];
    assert_eq!(alias["RoutingStrategy"]["FleetId"], json!(canary));
    assert_eq!((&found["AliasId"], &found["FleetIds"][0]), (&alias["AliasId"], &json!(canary)));
    assert_eq!(found["BeganTime"], alias["LastUpdatedTime"]);
    assert_eq!((&found["By"], &found["Door"]), (&json!("alice"), &json!("console")));
    let types = placements(&mut client, &simulator.ready().event_queues["eu-west-1"]).await;
    assert!(count(&types, "PlacementTimedOut") >= 2, "{types:?}");
}

#[tokio::test]
async fn lowered_max_holds_a_location_at_its_maximum() {
    let simulator = two_minutes_of(Scenario::LoweredMax).await;
    let mut client = Client::new(&simulator, "us-east-1");
    let found = incident(&mut client, "lowered-max").await;
    let place = json!({ "FleetId": found["FleetIds"][0], "Location": found["Locations"][0] });
    let capacity = ask(&mut client, "DescribeFleetLocationCapacity", place).await;
    let counts = &capacity["FleetCapacity"]["InstanceCounts"];
    assert_eq!(counts["DESIRED"], counts["MAXIMUM"]);
    let truth = client.truth().await;
    let mut steps = truth["ScalingSteps"].as_array().unwrap().iter();
    let by_hand = steps.find(|step| step["Reason"] == "PERSON").unwrap();
    assert_eq!((&by_hand["Time"], &by_hand["To"]), (&found["BeganTime"], &counts["MAXIMUM"]));
}

#[tokio::test]
async fn limit_starts_no_instance_although_more_are_desired() {
    let simulator = two_minutes_of(Scenario::Limit).await;
    let mut client = Client::new(&simulator, "eu-west-1");
    let found = incident(&mut client, "limit").await;
    let place = json!({ "FleetId": found["FleetIds"][0], "Location": found["Locations"][0] });
    let capacity = ask(&mut client, "DescribeFleetLocationCapacity", place).await;
    let counts = &capacity["FleetCapacity"]["InstanceCounts"];
    let number = |name: &str| counts[name].as_u64().unwrap();
    assert!(number("DESIRED") > number("ACTIVE") + number("PENDING"), "{counts}");
    let asked = json!({ "EC2InstanceType": found["InstanceType"], "Location": found["Locations"][0] });
    let limits = ask(&mut client, "DescribeEC2InstanceLimits", asked).await;
    let limit = &limits["EC2InstanceLimits"][0];
    assert_eq!(limit["CurrentInstances"], limit["InstanceLimit"], "{limit}");
}

#[tokio::test]
async fn bad_rules_belong_to_the_configuration_that_matches_nobody() {
    let simulator = two_minutes_of(Scenario::BadRules).await;
    let mut client = Client::new(&simulator, "eu-west-1");
    let found = incident(&mut client, "bad-rules").await;
    let asked = json!({ "Names": [found["MatchmakingConfigurationName"]] });
    let configurations = ask(&mut client, "DescribeMatchmakingConfigurations", asked).await;
    assert_eq!(configurations["Configurations"][0]["RuleSetName"], found["RuleSetName"]);
    let sets =
        ask(&mut client, "DescribeMatchmakingRuleSets", json!({ "Names": [found["RuleSetName"]] })).await;
    assert!(sets["RuleSets"][0]["RuleSetBody"].as_str().unwrap().contains("\"maxLatency\": 11}"));
    let truth = client.truth().await;
    let searching = truth["MatchmakingTickets"].as_array().unwrap().iter();
    assert!(searching.filter(|ticket| ticket["Status"] == "SEARCHING").count() >= 10);
}

#[tokio::test]
async fn slow_region_keeps_sessions_activating() {
    let simulator = two_minutes_of(Scenario::SlowRegion).await;
    let mut client = Client::new(&simulator, "us-east-1");
    let found = incident(&mut client, "slow-region").await;
    assert_eq!(found["Locations"], json!(["us-east-1"]));
    let truth = client.truth().await;
    let now_s = truth["Now"].as_f64().unwrap();
    let sessions = truth["GameSessions"].as_array().unwrap().iter();
    let late = sessions.filter(|session| {
        session["Status"] == "ACTIVATING" && now_s - session["CreationTime"].as_f64().unwrap() > 10.0
    });
    let late: Vec<_> = late.collect();
    assert!(!late.is_empty() && late.iter().all(|session| session["Location"] == "us-east-1"), "{late:?}");
}

#[tokio::test]
async fn leak_leaves_empty_sessions_older_than_any_game() {
    let simulator = two_minutes_of(Scenario::Leak).await;
    let mut client = Client::new(&simulator, "ap-northeast-1");
    let found = incident(&mut client, "leak").await;
    let active = json!({ "FleetId": found["FleetIds"][0], "StatusFilter": "ACTIVE" });
    let page = ask(&mut client, "DescribeGameSessions", active).await;
    let old_s = (START_MS / 1_000 - 3_600) as f64;
    let sessions = page["GameSessions"].as_array().unwrap().iter();
    let empty = sessions.filter(|session| {
        session["CurrentPlayerSessionCount"] == 0 && session["CreationTime"].as_f64().unwrap() < old_s
    });
    assert!(empty.count() >= 5);
}

#[tokio::test]
async fn incidents_come_and_go_as_time_passes() {
    let options = SimulatorOptions {
        scenario: Scenario::Incidents,
        speed: 0.0,
        start_ms: Some(START_MS),
        ..SimulatorOptions::default()
    };
    let simulator = Simulator::start(options).await.unwrap();
    let mut clients =
        ["eu-west-1", "us-east-1", "ap-northeast-1"].map(|region| Client::new(&simulator, region));
    for client in &mut clients {
        assert_eq!(client.truth().await["Incidents"], json!([]), "the first minutes are quiet");
    }
    simulator.advance(Duration::from_secs(3 * 86_400)).await.unwrap();
    let mut ended = 0;
    for client in &mut clients {
        let truth = client.truth().await;
        ended += truth["Incidents"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|found| !found["EndedTime"].is_null())
            .count();
    }
    assert!(ended >= 8, "{ended} incidents in three days");
}

#[tokio::test]
async fn a_mixture_plays_what_happens_in_the_world_and_what_happens_before_it() {
    let scenario: Scenario = "spot-storm+feed-broken".parse().unwrap();
    let simulator = two_minutes_of(scenario).await;
    assert_eq!(simulator.ready().scenario, "spot-storm+feed-broken");
    let mut client = Client::new(&simulator, "eu-west-1");
    let truth = client.truth().await;
    let kinds: Vec<_> = truth["Incidents"].as_array().unwrap().iter().map(|found| &found["Kind"]).collect();
    assert_eq!(kinds, ["spot-storm", "feed-broken"]);
    let subscriptions = client.form("Action=ListSubscriptions&Version=2010-03-31").await;
    assert!(!subscriptions.contains(":liftdeck-events-"), "{subscriptions}");
}

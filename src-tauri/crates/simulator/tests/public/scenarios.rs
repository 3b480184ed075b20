//! Checks that what an operator should notice in each scenario shows within two minutes after the start, through the
//! public API alone: describe calls, fleet events, metrics and the event feed. It also checks that the manual names
//! every scenario.

use std::time::Duration;

use liftdeck_simulator::{Scenario, Simulator, SimulatorOptions};
use serde_json::{Value, json};

use super::client::{Client, Protocol};

/// 2026-11-20, 19:30 UTC.
pub(super) const START_MS: i64 = 1_795_203_000_000;

/// A scenario two minutes after its start.
pub(super) async fn two_minutes_of(scenario: Scenario) -> Simulator {
    let options = SimulatorOptions {
        scenario,
        speed: 0.0,
        start_ms: Some(START_MS),
        throttle: scenario == Scenario::Throttled,
        keep: true,
        ..SimulatorOptions::default()
    };
    let simulator = Simulator::start(options).await.unwrap();
    simulator.advance(Duration::from_secs(120)).await.unwrap();
    simulator
}

pub(super) async fn ask(client: &mut Client, operation: &str, input: Value) -> Value {
    let answer = client.gamelift(Protocol::Json, operation, &input).await;
    assert!(client.succeeded(), "{operation}: {answer}");
    answer
}

pub(super) async fn fleet_named(client: &mut Client, name: &str) -> String {
    let fleets = ask(client, "DescribeFleetAttributes", json!({})).await;
    let mut fleets = fleets["FleetAttributes"].as_array().unwrap().iter();
    let found = fleets.find(|fleet| fleet["Name"] == name).unwrap();
    found["FleetId"].as_str().unwrap().to_owned()
}

/// How many events with these codes a fleet had since some minutes before the start.
async fn events(client: &mut Client, fleet: &str, codes: &[&str], minutes: i64) -> usize {
    let since = START_MS / 1000 - minutes * 60;
    let mut token = Value::Null;
    let mut found = 0;
    loop {
        let mut input = json!({ "FleetId": fleet, "StartTime": since });
        if !token.is_null() {
            input["NextToken"] = token;
        }
        let page = ask(client, "DescribeFleetEvents", input).await;
        let events = page["Events"].as_array().unwrap().iter();
        found += events.filter(|event| codes.contains(&event["EventCode"].as_str().unwrap())).count();
        token = page["NextToken"].clone();
        if token.is_null() {
            return found;
        }
    }
}

/// The latest one-minute value of a fleet's metric.
async fn metric(client: &mut Client, fleet: &str, name: &str, statistic: &str) -> f64 {
    let dimensions = json!([{ "Name": "FleetId", "Value": fleet }]);
    let metric = json!({ "Namespace": "AWS/GameLift", "MetricName": name, "Dimensions": dimensions });
    let stat = json!({ "Metric": metric, "Period": 60, "Stat": statistic });
    let input = json!({
        "StartTime": START_MS / 1000 - 300,
        "EndTime": START_MS / 1000 + 120,
        "ScanBy": "TimestampDescending",
        "MetricDataQueries": [{ "Id": "asked", "MetricStat": stat }],
    });
    let answer = client.json("GraniteServiceVersion20100801", "GetMetricData", &input).await;
    answer["MetricDataResults"][0]["Values"][0].as_f64().unwrap()
}

/// The bodies of all messages in the event queue of the client's region.
async fn messages(client: &mut Client, url: &str) -> Vec<String> {
    let mut bodies = Vec::new();
    loop {
        let input = json!({ "QueueUrl": url, "MaxNumberOfMessages": 10, "VisibilityTimeout": 600 });
        let received = client.json("AmazonSQS", "ReceiveMessage", &input).await;
        let Some(messages) = received["Messages"].as_array() else { return bodies };
        bodies.extend(messages.iter().map(|message| message["Body"].as_str().unwrap().to_owned()));
    }
}

/// The types of the placement events since the start.
pub(super) async fn placements(client: &mut Client, url: &str) -> Vec<String> {
    let inner = |body: String| -> Option<Value> {
        let event: Value = serde_json::from_str(&body).ok()?;
        match event["Message"].as_str() {
            Some(message) => serde_json::from_str(message).ok(),
            None => Some(event),
        }
    };
    let events = messages(client, url).await.into_iter().filter_map(inner);
    let since = "2026-11-20T19:30:00Z";
    let since = events.filter(|event| event["time"].as_str().is_some_and(|time| time >= since));
    let types = since.filter_map(|event| event["detail"]["type"].as_str().map(str::to_owned));
    types.filter(|name| name.starts_with("Placement")).collect()
}

pub(super) fn count(types: &[String], wanted: &str) -> usize {
    types.iter().filter(|name| *name == wanted).count()
}

const CRASHES: [&str; 2] = ["SERVER_PROCESS_CRASHED", "SERVER_PROCESS_TERMINATED_UNHEALTHY"];

#[tokio::test]
async fn quiet_shows_a_normal_day() {
    let simulator = two_minutes_of(Scenario::Quiet).await;
    let mut client = Client::new(&simulator, "eu-west-1");
    let fleets = ask(&mut client, "DescribeFleetAttributes", json!({})).await;
    for fleet in fleets["FleetAttributes"].as_array().unwrap() {
        assert_eq!(fleet["Status"], "ACTIVE", "{}", fleet["Name"]);
    }
    let main = fleet_named(&mut client, "arena-prod-eu").await;
    assert!(events(&mut client, &main, &CRASHES, 10).await <= 2);
    assert!(metric(&mut client, &main, "PercentAvailableGameSessions", "Average").await > 5.0);
    assert!(metric(&mut client, &main, "ActiveGameSessions", "Average").await >= 10.0);
    let types = placements(&mut client, &simulator.ready().event_queues["eu-west-1"]).await;
    let fulfilled = count(&types, "PlacementFulfilled");
    assert!(fulfilled >= 3 && types.len() - fulfilled <= 1, "{types:?}");
}

#[tokio::test]
async fn launch_day_runs_out_of_processes_behind_a_fresh_alias_and_a_fresh_script() {
    let simulator = two_minutes_of(Scenario::LaunchDay).await;
    let mut client = Client::new(&simulator, "eu-west-1");
    let green = fleet_named(&mut client, "arena-prod-eu-green").await;
    let aliases = ask(&mut client, "ListAliases", json!({ "Name": "arena-live-eu" })).await;
    let alias = &aliases["Aliases"][0];
    assert_eq!(alias["RoutingStrategy"]["FleetId"], json!(green));
    let updated_s = alias["LastUpdatedTime"].as_f64().unwrap();
    assert!(updated_s > (START_MS / 1000 - 1_200) as f64, "repointed within twenty minutes of the start");
    let scripts = ask(&mut client, "ListScripts", json!({})).await;
    assert!(scripts["Scripts"].as_array().unwrap().iter().any(|script| script["Version"] == "1.9.0"));
    let types = placements(&mut client, &simulator.ready().event_queues["eu-west-1"]).await;
    assert!(count(&types, "PlacementTimedOut") >= 2, "{types:?}");
    let free = metric(&mut client, &green, "PercentAvailableGameSessions", "Average").await;
    assert!(free < 5.0, "{free} % of the processes are free");
}

#[tokio::test]
async fn capped_fleet_stands_at_its_maximum_while_placements_time_out() {
    let simulator = two_minutes_of(Scenario::CappedFleet).await;
    let mut client = Client::new(&simulator, "eu-west-1");
    let main = fleet_named(&mut client, "arena-prod-eu").await;
    let capacity = ask(&mut client, "DescribeFleetCapacity", json!({ "FleetIds": [main] })).await;
    let counts = &capacity["FleetCapacity"][0]["InstanceCounts"];
    assert_eq!(counts["DESIRED"], counts["MAXIMUM"]);
    assert_eq!(counts["IDLE"], 0);
    assert!(metric(&mut client, &main, "PercentAvailableGameSessions", "Average").await < 3.0);
    let types = placements(&mut client, &simulator.ready().event_queues["eu-west-1"]).await;
    assert!(count(&types, "PlacementTimedOut") >= 3, "{types:?}");
}

#[tokio::test]
async fn bad_build_crashes_behind_the_live_alias() {
    let simulator = two_minutes_of(Scenario::BadBuild).await;
    let mut client = Client::new(&simulator, "eu-west-1");
    let (bad, good) = (
        fleet_named(&mut client, "arena-prod-eu-green").await,
        fleet_named(&mut client, "arena-prod-eu").await,
    );
    let aliases = ask(&mut client, "ListAliases", json!({ "Name": "arena-live-eu" })).await;
    assert_eq!(aliases["Aliases"][0]["RoutingStrategy"]["FleetId"], json!(bad));
    let crashed = events(&mut client, &bad, &CRASHES, 8).await;
    let usual = events(&mut client, &good, &CRASHES, 8).await;
    assert!(crashed >= 4 && usual <= 3, "{crashed} beside {usual}");
    let ended = json!({ "FleetId": bad, "StatusFilter": "TERMINATED" });
    let ended = ask(&mut client, "DescribeGameSessions", ended).await;
    let short = ended["GameSessions"].as_array().unwrap().iter().filter(|session| {
        let at = |name: &str| session[name].as_f64().unwrap();
        at("TerminationTime") - at("CreationTime") < 100.0
    });
    assert!(short.count() >= 4);
}

#[tokio::test]
async fn spot_storm_interrupts_instances_and_their_sessions() {
    let simulator = two_minutes_of(Scenario::SpotStorm).await;
    let mut interrupted = 0;
    for (region, name) in [("eu-west-1", "arena-spot-eu"), ("us-east-1", "arena-spot-us")] {
        let mut client = Client::new(&simulator, region);
        let fleet = fleet_named(&mut client, name).await;
        let notices = events(&mut client, &fleet, &["INSTANCE_INTERRUPTED"], 1).await;
        assert!(notices >= 2, "{name}: {notices} notices");
        let mut token = Value::Null;
        loop {
            let mut input = json!({ "FleetId": fleet, "StatusFilter": "TERMINATED" });
            if !token.is_null() {
                input["NextToken"] = token;
            }
            let page = ask(&mut client, "DescribeGameSessions", input).await;
            let sessions = page["GameSessions"].as_array().unwrap().iter();
            let since = (START_MS / 1000) as f64;
            let lost = sessions.filter(|session| {
                session["StatusReason"] == "INTERRUPTED"
                    && session["TerminationTime"].as_f64().unwrap() >= since
            });
            interrupted += lost.count();
            token = page["NextToken"].clone();
            if token.is_null() {
                break;
            }
        }
    }
    assert!(interrupted >= 2, "{interrupted} sessions interrupted");
}

#[tokio::test]
async fn feed_broken_is_silent_in_two_regions_and_littered_in_the_third() {
    let simulator = two_minutes_of(Scenario::FeedBroken).await;
    let queues = &simulator.ready().event_queues;
    let mut cut_off = Client::new(&simulator, "eu-west-1");
    let subscriptions = cut_off.form("Action=ListSubscriptions&Version=2010-03-31").await;
    assert!(!subscriptions.contains(":liftdeck-events-"), "{subscriptions}");
    assert_eq!(placements(&mut cut_off, &queues["eu-west-1"]).await, [""; 0]);
    let running = fleet_named(&mut cut_off, "arena-prod-eu").await;
    assert!(
        metric(&mut cut_off, &running, "PlayerSessionActivations", "Sum").await > 0.0,
        "the game goes on"
    );

    let mut shut = Client::new(&simulator, "ap-northeast-1");
    let asked = json!({ "QueueUrl": queues["ap-northeast-1"], "AttributeNames": ["Policy"] });
    let attributes = shut.json("AmazonSQS", "GetQueueAttributes", &asked).await;
    let policy = attributes["Attributes"]["Policy"].as_str().unwrap_or_default();
    assert!(!policy.contains("\"Allow\"") || !policy.contains("sns.amazonaws.com"), "{policy}");
    assert!(messages(&mut shut, &queues["ap-northeast-1"]).await.is_empty());

    let mut littered = Client::new(&simulator, "us-east-1");
    let bodies = messages(&mut littered, &queues["us-east-1"]).await;
    let garbage = bodies.iter().filter(|body| serde_json::from_str::<Value>(body).is_err()).count();
    assert!(garbage >= 2 && bodies.len() > garbage, "{garbage} of {}", bodies.len());
}

/// How many of a dozen polls of game sessions are refused.
async fn refused(client: &mut Client) -> u32 {
    let fleets = ask(client, "ListFleets", json!({})).await;
    let input = json!({ "FleetId": fleets["FleetIds"][0], "Limit": 1 });
    let mut count = 0;
    for _ in 0..12 {
        let answer = client.gamelift(Protocol::Json, "DescribeGameSessions", &input).await;
        if !client.succeeded() {
            assert!(answer["__type"].as_str().unwrap().ends_with("ThrottlingException"), "{answer}");
            count += 1;
        }
    }
    count
}

#[tokio::test]
async fn throttled_refuses_what_the_backend_polls_in_its_region_only() {
    let simulator = two_minutes_of(Scenario::Throttled).await;
    let [mut busy, mut other] = ["eu-west-1", "us-east-1"].map(|region| Client::new(&simulator, region));
    assert_eq!(refused(&mut other).await, 0);
    // The backend calls in waves, one every half a minute.
    let (mut most, mut least) = (0, 12);
    for _ in 0..60 {
        let now = refused(&mut busy).await;
        (most, least) = (most.max(now), least.min(now));
        if most >= 6 && least <= 2 {
            break;
        }
        simulator.advance(Duration::from_secs(1)).await.unwrap();
    }
    assert!(most >= 6 && least <= 2, "of twelve {most} are refused at most, {least} at least");
}

#[tokio::test]
async fn huge_shows_its_regions_fleets_and_sessions() {
    let simulator = two_minutes_of(Scenario::Huge).await;
    let regions = simulator.ready().regions.clone();
    assert_eq!(regions.len(), 10);
    let (mut fleets, mut sessions, mut players) = (0, 0, 0);
    for region in regions {
        let mut client = Client::new(&simulator, &region);
        let mut token = Value::Null;
        loop {
            let input = if token.is_null() { json!({}) } else { json!({ "NextToken": token }) };
            let page = ask(&mut client, "DescribeFleetUtilization", input).await;
            for fleet in page["FleetUtilization"].as_array().unwrap() {
                fleets += 1;
                sessions += fleet["ActiveGameSessionCount"].as_u64().unwrap();
                players += fleet["CurrentPlayerSessionCount"].as_u64().unwrap();
            }
            token = page["NextToken"].clone();
            if token.is_null() {
                break;
            }
        }
    }
    assert!(fleets >= 180, "{fleets} fleets show utilization");
    assert!(sessions > 40_000 && players > 300_000, "{sessions} sessions, {players} players");
}

#[test]
fn the_manual_says_of_every_scenario_what_to_notice() {
    let manual = include_str!("../../MANUAL.md");
    for scenario in Scenario::ALL {
        let row = format!("| `{scenario}` | ");
        let said = manual.lines().find_map(|line| line.strip_prefix(row.as_str()));
        assert!(said.is_some_and(|said| said.len() > 40), "{scenario}");
    }
}

//! The same seed and the same calls give the same responses, byte for byte, in both protocols, in every scenario and
//! whatever the calls change. And the world takes nothing from the machine it runs on.

use std::path::Path;
use std::time::Duration;

use liftdeck_simulator::{Scenario, Simulator, SimulatorOptions};
use serde_json::{Value, json};

use super::client::{Client, Protocol};

/// 2026-11-20, 19:30 UTC.
const START_MS: i64 = 1_795_203_000_000;

/// The resources that requests have to name.
struct Known {
    fleet: String,
    queue: String,
    configuration: String,
}

async fn look_around(client: &mut Client) -> Known {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let fleets = client.gamelift(Protocol::Json, "ListFleets", &json!({})).await;
    let queues = client.gamelift(Protocol::Json, "DescribeGameSessionQueues", &json!({})).await;
    let makers = client.gamelift(Protocol::Json, "DescribeMatchmakingConfigurations", &json!({})).await;
    Known {
        fleet: text(&fleets["FleetIds"][0]),
        queue: text(&queues["GameSessionQueues"][0]["Name"]),
        configuration: text(&makers["Configurations"][0]["Name"]),
    }
}

/// Reads that show much of the world, with their inputs.
fn reads(known: &Known) -> Vec<(&'static str, Value)> {
    let (fleet, queue) = (&known.fleet, &known.queue);
    let of_fleet = |more: Value| {
        let mut input = json!({ "FleetId": fleet });
        input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        input
    };
    vec![
        ("ListFleets", json!({})),
        ("DescribeFleetAttributes", json!({})),
        ("DescribeFleetCapacity", json!({})),
        ("DescribeFleetUtilization", json!({})),
        ("DescribeFleetEvents", of_fleet(json!({ "Limit": 40 }))),
        ("DescribeFleetLocationAttributes", of_fleet(json!({}))),
        ("DescribeScalingPolicies", of_fleet(json!({}))),
        ("DescribeInstances", of_fleet(json!({}))),
        ("ListCompute", of_fleet(json!({}))),
        ("DescribeGameSessions", of_fleet(json!({ "StatusFilter": "ACTIVE" }))),
        ("DescribeGameSessions", of_fleet(json!({ "Limit": 20 }))),
        ("DescribeGameSessionDetails", of_fleet(json!({ "StatusFilter": "TERMINATED", "Limit": 10 }))),
        ("SearchGameSessions", of_fleet(json!({ "SortExpression": "creationTimeMillis DESC" }))),
        ("DescribeGameSessionQueues", json!({ "Names": [queue] })),
        ("DescribeMatchmakingConfigurations", json!({})),
        ("DescribeMatchmakingRuleSets", json!({})),
        ("ListAliases", json!({})),
        ("ListBuilds", json!({})),
        ("ListScripts", json!({})),
        ("ListContainerFleets", json!({})),
        ("ListLocations", json!({})),
    ]
}

/// Calls everything, changes something, lets time pass, and calls again. Returns every response with the port's
/// address taken out, because links and queue URLs contain it.
async fn play(scenario: Scenario, seed: u64) -> Vec<Vec<u8>> {
    play_from(scenario, seed, false).await
}

/// Does the same, from a kept world or one of its own.
async fn play_from(scenario: Scenario, seed: u64, keep: bool) -> Vec<Vec<u8>> {
    let options = SimulatorOptions {
        scenario,
        speed: 0.0,
        seed,
        start_ms: Some(START_MS),
        // Rates depend on real time.
        throttle: false,
        keep,
        ..SimulatorOptions::default()
    };
    let simulator = Simulator::start(options).await.unwrap();
    let events = simulator.ready().event_queues["eu-west-1"].clone();
    let mut client = Client::new(&simulator, "eu-west-1");
    let known = look_around(&mut client).await;
    for (operation, input) in reads(&known) {
        for protocol in [Protocol::Cbor, Protocol::Json] {
            client.gamelift(protocol, operation, &input).await;
            assert!(client.succeeded(), "{scenario}: {operation} in {protocol:?}");
        }
    }
    change(&mut client, &known).await;
    simulator.advance(Duration::from_secs(30)).await.unwrap();
    for protocol in [Protocol::Cbor, Protocol::Json] {
        let placement = json!({ "PlacementId": "plc-Json" });
        client.gamelift(protocol, "DescribeGameSessionPlacement", &placement).await;
        client.gamelift(protocol, "DescribeMatchmaking", &json!({ "TicketIds": ["tkt-Cbor"] })).await;
    }
    client.json("AmazonSQS", "CreateQueue", &json!({ "QueueName": "own" })).await;
    client.form("Action=CreateTopic&Name=own&Version=2010-03-31").await;
    let topic = "arn:aws:sns:eu-west-1:111122223333:gamelift-placements";
    client.form(&format!("Action=Publish&TopicArn={topic}&Message=hello&Version=2010-03-31")).await;
    simulator.advance(Duration::from_secs(90)).await.unwrap();
    for (operation, input) in reads(&known) {
        client.gamelift(Protocol::Cbor, operation, &input).await;
        client.gamelift(Protocol::Json, operation, &input).await;
    }
    let asked = json!({ "QueueUrl": events, "MaxNumberOfMessages": 10, "AttributeNames": ["All"] });
    client.json("AmazonSQS", "ReceiveMessage", &asked).await;
    client.form("Action=ListSubscriptions&Version=2010-03-31").await;
    client
        .json("GraniteServiceVersion20100801", "ListMetrics", &json!({ "Namespace": "AWS/GameLift" }))
        .await;
    client.json("GraniteServiceVersion20100801", "GetMetricData", &metric(&known.fleet)).await;
    client.json("CloudTrail_20131101", "LookupEvents", &json!({})).await;
    assert!(client.succeeded(), "{scenario}: LookupEvents");
    client.truth().await;
    let address = simulator.endpoint().trim_start_matches("http://").to_owned();
    simulator.shutdown().await;
    client.answers.iter().map(|answer| without(answer, address.as_bytes())).collect()
}

/// The bytes with every occurrence of a word taken out.
fn without(bytes: &[u8], word: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at..].starts_with(word) {
            at += word.len();
        } else {
            kept.push(bytes[at]);
            at += 1;
        }
    }
    kept
}

/// An hour of one metric.
fn metric(fleet: &str) -> Value {
    let dimensions = json!([{ "Name": "FleetId", "Value": fleet }]);
    let metric =
        json!({ "Namespace": "AWS/GameLift", "MetricName": "CPUUtilization", "Dimensions": dimensions });
    json!({
        "StartTime": START_MS / 1000 - 3_600,
        "EndTime": START_MS / 1000 + 120,
        "MetricDataQueries": [
            { "Id": "cpu", "MetricStat": { "Metric": metric, "Period": 60, "Stat": "Average" } },
        ],
    })
}

/// Changes of every family, each in both protocols. What a scenario refuses in one, it has to refuse in the other.
async fn change(client: &mut Client, known: &Known) {
    let (fleet, queue) = (&known.fleet, &known.queue);
    for (place, protocol) in [Protocol::Cbor, Protocol::Json].into_iter().enumerate() {
        let own = |what: &str| format!("{what}-{protocol:?}");
        let skill = json!({ "skill": { "N": 1500.5 } });
        let player = json!([{ "PlayerId": own("anna"), "PlayerAttributes": skill }]);
        let token = own("made");
        let create = json!({ "FleetId": fleet, "MaximumPlayerSessionCount": 4, "Name": "mine", "IdempotencyToken": token });
        client.gamelift(protocol, "CreateGameSession", &create).await;
        let session = format!("arn:aws:gamelift:eu-west-1::gamesession/{fleet}/{token}");
        let steps = [
            ("UpdateGameSession", json!({ "GameSessionId": session, "Name": "yours" })),
            ("CreatePlayerSession", json!({ "GameSessionId": session, "PlayerId": own("anna") })),
            (
                "StartGameSessionPlacement",
                json!({ "PlacementId": own("plc"), "GameSessionQueueName": queue, "MaximumPlayerSessionCount": 5,
                        "DesiredPlayerSessions": [{ "PlayerId": own("bert") }] }),
            ),
            (
                "StartMatchmaking",
                json!({ "TicketId": own("tkt"), "ConfigurationName": known.configuration, "Players": player }),
            ),
            ("UpdateFleetCapacity", json!({ "FleetId": fleet, "DesiredInstances": 9 + place })),
            (
                "CreateAlias",
                json!({ "Name": own("new"), "RoutingStrategy": { "Type": "SIMPLE", "FleetId": fleet } }),
            ),
            ("StopFleetActions", json!({ "FleetId": fleet, "Actions": ["AUTO_SCALING"] })),
            (
                "PutScalingPolicy",
                json!({ "FleetId": fleet, "Name": own("rule"), "MetricName": "IdleInstances", "Threshold": 2.0,
                        "ComparisonOperator": "LessThanThreshold", "EvaluationPeriods": 3,
                        "ScalingAdjustment": 1, "ScalingAdjustmentType": "ChangeInCapacity" }),
            ),
            ("CreateGameSessionQueue", json!({ "Name": own("queue"), "TimeoutInSeconds": 60 })),
            ("UpdateGameSessionQueue", json!({ "Name": queue, "CustomEventData": own("data") })),
            (
                "TerminateGameSession",
                json!({ "GameSessionId": session, "TerminationMode": "FORCE_TERMINATE" }),
            ),
        ];
        for (operation, input) in steps {
            client.gamelift(protocol, operation, &input).await;
        }
    }
}

async fn the_same_bytes_twice(scenario: Scenario) {
    let (first, second) = tokio::join!(play(scenario, 7), play(scenario, 7));
    assert_eq!(first.len(), second.len());
    for (place, (one, other)) in first.iter().zip(&second).enumerate() {
        assert!(
            one == other,
            "{scenario}: answer {place} differs:\n{}\n{}",
            String::from_utf8_lossy(one),
            String::from_utf8_lossy(other)
        );
    }
    let refused = first.iter().filter(|answer| !answer.starts_with(b"HTTP/1.1 200")).count();
    assert!(refused * 8 < first.len(), "{scenario}: {refused} of {} answers are refusals", first.len());
}

/// One test per scenario, so that they run side by side.
macro_rules! every_scenario {
    ($($test:ident: $scenario:ident),* $(,)?) => {
        $(#[tokio::test(flavor = "multi_thread")]
        async fn $test() {
            the_same_bytes_twice(Scenario::$scenario).await;
        })*

        #[test]
        fn no_scenario_is_left_out() {
            assert_eq!(Scenario::ALL, [$(Scenario::$scenario),*]);
        }
    };
}

every_scenario!(
    a_quiet_day_repeats_byte_for_byte: Quiet,
    a_launch_day_repeats_byte_for_byte: LaunchDay,
    a_capped_fleet_repeats_byte_for_byte: CappedFleet,
    a_bad_build_repeats_byte_for_byte: BadBuild,
    a_spot_storm_repeats_byte_for_byte: SpotStorm,
    a_broken_feed_repeats_byte_for_byte: FeedBroken,
    throttling_repeats_byte_for_byte: Throttled,
    a_wrong_alias_repeats_byte_for_byte: WrongAlias,
    a_lowered_maximum_repeats_byte_for_byte: LoweredMax,
    an_instance_limit_repeats_byte_for_byte: Limit,
    bad_rules_repeat_byte_for_byte: BadRules,
    a_slow_region_repeats_byte_for_byte: SlowRegion,
    a_leak_repeats_byte_for_byte: Leak,
    incidents_repeat_byte_for_byte: Incidents,
    a_huge_world_repeats_byte_for_byte: Huge,
);

#[tokio::test(flavor = "multi_thread")]
async fn another_seed_is_another_world() {
    let (one, other) = tokio::join!(play(Scenario::Quiet, 7), play(Scenario::Quiet, 8));
    assert_ne!(one.last(), other.last());
}

#[tokio::test(flavor = "multi_thread")]
async fn copies_of_a_kept_world_repeat_byte_for_byte_whatever_was_done_to_another() {
    let fresh = play(Scenario::LaunchDay, 7).await;
    for _ in 0..2 {
        let copied = play_from(Scenario::LaunchDay, 7, true).await;
        assert!(copied == fresh, "a copy answers differently");
    }
}

/// Collects every source file of a folder and its subfolders.
fn sources(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn the_world_takes_nothing_from_the_machine() {
    // Maps without an order, clocks, and functions whose last bit depends on the platform.
    const MACHINE: [&str; 15] = [
        "HashMap",
        "HashSet",
        "SystemTime",
        "Instant",
        "Timestamp::now",
        "thread_rng",
        ".powf(",
        ".exp()",
        ".ln()",
        ".log10()",
        ".log2()",
        ".sin()",
        ".cos()",
        ".tanh()",
        "random()",
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = vec![folder.join("clock.rs"), folder.join("page.rs")];
    for part in ["../../simulated-world/src", "gamelift", "cloudwatch", "wire"] {
        sources(&folder.join(part), &mut files);
    }
    assert!(files.len() > 100, "{} files", files.len());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let taken = MACHINE.iter().find(|word| text.contains(*word));
        assert_eq!(taken, None, "{}", file.display());
    }
}

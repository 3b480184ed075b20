//! The same seed and the same calls give the same answers, byte for byte, in both protocols and whatever the calls
//! change.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::time::Duration;

use liftdeck_simulator::{Simulator, SimulatorOptions};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// 2026-11-20, 19:30 UTC.
const START_MS: i64 = 1_795_203_000_000;

/// One line of the script.
enum Line {
    /// An operation of GameLift, asked in CBOR.
    Cbor(&'static str, Value),
    /// An operation of a service of AWS JSON, by its target.
    Json(&'static str, &'static str, Value),
    /// An action of SNS.
    Form(&'static str),
    /// Virtual seconds pass.
    Wait(u64),
    /// The truth of a region.
    Truth,
}

use Line::{Cbor, Form, Json, Truth, Wait};

fn gamelift(operation: &'static str, input: Value) -> Line {
    Json("GameLift", operation, input)
}

/// The script, for the fleet with that id and the URL of an event queue.
fn script(fleet: &str, queue: &str) -> Vec<Line> {
    let player = |id: &str| json!([{ "PlayerId": id, "PlayerAttributes": { "skill": { "N": 1500.0 } } }]);
    vec![
        Cbor(
            "CreateGameSession",
            json!({ "FleetId": fleet, "MaximumPlayerSessionCount": 4, "Name": "mine" }),
        ),
        gamelift(
            "StartGameSessionPlacement",
            json!({ "PlacementId": "plc-mine", "GameSessionQueueName": "arena-eu", "MaximumPlayerSessionCount": 5,
                    "DesiredPlayerSessions": [{ "PlayerId": "anna" }] }),
        ),
        Cbor(
            "StartMatchmaking",
            json!({ "ConfigurationName": "arena-ranked-eu", "Players": player("anna") }),
        ),
        gamelift("UpdateFleetCapacity", json!({ "FleetId": fleet, "DesiredInstances": 9 })),
        gamelift(
            "CreateAlias",
            json!({ "Name": "new", "RoutingStrategy": { "Type": "SIMPLE", "FleetId": fleet } }),
        ),
        Wait(30),
        gamelift("DescribeGameSessionPlacement", json!({ "PlacementId": "plc-mine" })),
        Cbor("DescribeGameSessions", json!({ "FleetId": fleet, "StatusFilter": "ACTIVE" })),
        gamelift("DescribeGameSessions", json!({ "FleetId": fleet, "Limit": 20 })),
        Json("AmazonSQS", "CreateQueue", json!({ "QueueName": "own" })),
        Form("Action=CreateTopic&Name=own&Version=2010-03-31"),
        Form(
            "Action=Publish&TopicArn=arn:aws:sns:eu-west-1:111122223333:gamelift-placements&Message=hello&Version=2010-03-31",
        ),
        Wait(90),
        Cbor("DescribeFleetEvents", json!({ "FleetId": fleet, "Limit": 40 })),
        gamelift("DescribeFleetCapacity", json!({ "FleetIds": [fleet] })),
        Cbor("SearchGameSessions", json!({ "FleetId": fleet, "SortExpression": "creationTimeMillis DESC" })),
        Json(
            "AmazonSQS",
            "ReceiveMessage",
            json!({ "QueueUrl": queue, "MaxNumberOfMessages": 10, "AttributeNames": ["All"] }),
        ),
        Form("Action=ListSubscriptions&Version=2010-03-31"),
        Truth,
    ]
}

fn encode(value: &Value, encoder: &mut minicbor::Encoder<Vec<u8>>) {
    match value {
        Value::String(text) => _ = encoder.str(text).unwrap(),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => _ = encoder.i64(whole).unwrap(),
            None => _ = encoder.f64(number.as_f64().unwrap()).unwrap(),
        },
        Value::Bool(value) => _ = encoder.bool(*value).unwrap(),
        Value::Null => _ = encoder.null().unwrap(),
        Value::Array(items) => {
            encoder.array(items.len() as u64).unwrap();
            items.iter().for_each(|item| encode(item, encoder));
        }
        Value::Object(members) => {
            encoder.map(members.len() as u64).unwrap();
            for (name, value) in members {
                encoder.str(name).unwrap();
                encode(value, encoder);
            }
        }
    }
}

/// Sends a request; gives the answer as it came, head and body.
async fn exchange(endpoint: &str, service: &str, start: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let scope = format!("AKIDEXAMPLE/20261120/eu-west-1/{service}/aws4_request");
    let head = format!(
        "{start} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n{headers}content-length: {}\r\n\
         authorization: AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=host, Signature=00\r\n\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(endpoint.trim_start_matches("http://")).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(body).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    answer
}

fn body(answer: &[u8]) -> Value {
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
    serde_json::from_slice(&answer[end + 4..]).unwrap()
}

async fn play(port: u16, seed: u64) -> (u16, Vec<Vec<u8>>) {
    let options = SimulatorOptions {
        listen: ([127, 0, 0, 1], port).into(),
        speed: 0.0,
        seed,
        start_ms: Some(START_MS),
        ..SimulatorOptions::default()
    };
    let simulator = Simulator::start(options).await.unwrap();
    let endpoint = simulator.endpoint().to_owned();
    let queue = simulator.ready().event_queues["eu-west-1"].clone();
    let json_type = "content-type: application/x-amz-json-1.1\r\n";
    let listed = exchange(
        &endpoint,
        "gamelift",
        "POST /",
        &format!("x-amz-target: GameLift.ListFleets\r\n{json_type}"),
        b"{}",
    )
    .await;
    let fleet = body(&listed)["FleetIds"][0].as_str().unwrap().to_owned();
    let mut answers = vec![listed];
    for line in script(&fleet, &queue) {
        answers.push(match line {
            Wait(seconds) => {
                simulator.advance(Duration::from_secs(seconds)).await.unwrap();
                continue;
            }
            Cbor(operation, input) => {
                let mut encoder = minicbor::Encoder::new(Vec::new());
                encode(&input, &mut encoder);
                let start = format!("POST /service/GameLift/operation/{operation}");
                let headers = "smithy-protocol: rpc-v2-cbor\r\ncontent-type: application/cbor\r\n";
                exchange(&endpoint, "gamelift", &start, headers, &encoder.into_writer()).await
            }
            Json(target, operation, input) => {
                let headers = format!("x-amz-target: {target}.{operation}\r\n{json_type}");
                exchange(&endpoint, "any", "POST /", &headers, input.to_string().as_bytes()).await
            }
            Form(form) => {
                let headers = "content-type: application/x-www-form-urlencoded\r\n";
                exchange(&endpoint, "sns", "POST /", headers, form.as_bytes()).await
            }
            Truth => exchange(&endpoint, "any", "GET /_simulator/truth?region=eu-west-1", "", b"").await,
        });
    }
    simulator.shutdown().await;
    let port = endpoint.rsplit(':').next().unwrap().parse().unwrap();
    (port, answers)
}

#[tokio::test]
async fn the_same_seed_and_the_same_calls_give_the_same_bytes() {
    let (port, first) = play(0, 7).await;
    for (place, answer) in first.iter().enumerate() {
        assert!(answer.starts_with(b"HTTP/1.1 200"), "answer {place}: {}", String::from_utf8_lossy(answer));
    }
    // The same port again, because links and queues are named by it.
    let (_, second) = play(port, 7).await;
    assert_eq!(first.len(), second.len());
    for (place, (one, other)) in first.iter().zip(&second).enumerate() {
        assert!(
            one == other,
            "answer {place} differs:\n{}\n{}",
            String::from_utf8_lossy(one),
            String::from_utf8_lossy(other)
        );
    }
    let (_, third) = play(port, 8).await;
    assert_ne!(first.last(), third.last(), "another seed is another world");
}

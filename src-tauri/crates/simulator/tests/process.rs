//! The process API and the connection faults that no client library shows plainly, over raw TCP.

use std::time::Duration;

use liftdeck_simulator::{FaultKind, FaultPlan, FaultRule, Simulator, SimulatorOptions};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

const PATIENCE: Duration = Duration::from_mins(2);

fn frozen() -> SimulatorOptions {
    SimulatorOptions {
        speed: 0.0,
        start_ms: Some(1_795_203_000_000),
        keep: true,
        ..SimulatorOptions::default()
    }
}

fn faulty(kind: FaultKind) -> SimulatorOptions {
    let rule = FaultRule { kind, count: Some(1), ..FaultRule::default() };
    SimulatorOptions { faults: FaultPlan { rules: vec![rule] }, ..frozen() }
}

async fn connect(simulator: &Simulator) -> std::io::Result<TcpStream> {
    TcpStream::connect(simulator.endpoint().trim_start_matches("http://")).await
}

async fn ask(stream: &mut TcpStream, operation: &str) -> std::io::Result<()> {
    let scope = "AKIDEXAMPLE/20261120/eu-west-1/gamelift/aws4_request";
    let request = format!(
        "POST / HTTP/1.1\r\nhost: 127.0.0.1\r\nx-amz-target: GameLift.{operation}\r\n\
         content-type: application/x-amz-json-1.1\r\ncontent-length: 2\r\n\
         authorization: AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=host, Signature=00\r\n\r\n{{}}"
    );
    stream.write_all(request.as_bytes()).await
}

/// Reads one response: its head and its body.
async fn answer(stream: &mut TcpStream) -> std::io::Result<(String, Vec<u8>)> {
    let mut bytes = Vec::new();
    loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
            let length = head.split("content-length: ").nth(1).and_then(|rest| rest.split("\r\n").next());
            let length: Option<usize> = length.and_then(|length| length.parse().ok());
            if bytes.len() >= end + 4 + length.ok_or(std::io::ErrorKind::InvalidData)? {
                return Ok((head, bytes[end + 4..].to_vec()));
            }
        }
        if stream.read_buf(&mut bytes).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
    }
}

#[tokio::test]
async fn a_connection_serves_one_request_after_the_other() {
    let simulator = Simulator::start(frozen()).await.unwrap();
    let mut stream = connect(&simulator).await.unwrap();
    for operation in ["ListFleets", "ListBuilds", "ListFleets"] {
        ask(&mut stream, operation).await.unwrap();
        let (head, body) = timeout(PATIENCE, answer(&mut stream)).await.unwrap().unwrap();
        assert!(head.starts_with("http/1.1 200"), "{head}");
        assert!(!head.contains("\r\ndate:"), "virtual or real, no date leaves the simulator");
        assert!(serde_json::from_slice::<serde_json::Value>(&body).is_ok());
    }
    simulator.shutdown().await;
}

#[tokio::test]
async fn a_reset_is_a_reset_and_the_next_connection_is_served() {
    let simulator = Simulator::start(faulty(FaultKind::Reset)).await.unwrap();
    let mut stream = connect(&simulator).await.unwrap();
    ask(&mut stream, "ListFleets").await.unwrap();
    let error = timeout(PATIENCE, answer(&mut stream)).await.unwrap().unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset);
    let mut stream = connect(&simulator).await.unwrap();
    ask(&mut stream, "ListFleets").await.unwrap();
    assert!(timeout(PATIENCE, answer(&mut stream)).await.unwrap().is_ok());
}

#[tokio::test]
async fn a_stalled_request_gets_nothing_and_holds_up_no_other() {
    let simulator = Simulator::start(faulty(FaultKind::Stall)).await.unwrap();
    let mut stalled = connect(&simulator).await.unwrap();
    ask(&mut stalled, "ListFleets").await.unwrap();
    assert!(timeout(Duration::from_millis(300), answer(&mut stalled)).await.is_err());
    let mut other = connect(&simulator).await.unwrap();
    ask(&mut other, "ListFleets").await.unwrap();
    assert!(timeout(PATIENCE, answer(&mut other)).await.unwrap().is_ok());
}

#[tokio::test]
async fn a_new_plan_replaces_the_old_one_and_struck_calls_are_counted() {
    let simulator = Simulator::start(faulty(FaultKind::Stall)).await.unwrap();
    let rule = FaultRule { kind: FaultKind::Throttle, count: Some(1), ..FaultRule::default() };
    let wrong = FaultRule { probability: 2.0, ..rule.clone() };
    assert!(simulator.set_faults(FaultPlan { rules: vec![wrong] }).is_err());
    simulator.set_faults(FaultPlan { rules: vec![rule] }).unwrap();
    let mut stream = connect(&simulator).await.unwrap();
    for status in ["400", "200"] {
        ask(&mut stream, "ListFleets").await.unwrap();
        let (head, _) = timeout(PATIENCE, answer(&mut stream)).await.unwrap().unwrap();
        assert!(head.starts_with(&format!("http/1.1 {status}")), "{head}");
    }
    let count = simulator.calls()["eu-west-1"]["gamelift:ListFleets"];
    assert_eq!((count.calls, count.throttled, count.faults, count.errors), (2, 1, 1, 0));
}

#[tokio::test]
async fn a_truncated_answer_ends_before_its_announced_length() {
    let simulator = Simulator::start(faulty(FaultKind::Truncate)).await.unwrap();
    let mut stream = connect(&simulator).await.unwrap();
    ask(&mut stream, "ListFleets").await.unwrap();
    let error = timeout(PATIENCE, answer(&mut stream)).await.unwrap().unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::UnexpectedEof);
}

#[tokio::test]
async fn virtual_time_moves_by_hand_and_nothing_answers_after_the_end() {
    let simulator = Simulator::start(frozen()).await.unwrap();
    let before_ms = simulator.now_ms();
    simulator.advance(Duration::from_secs(90)).await.unwrap();
    assert_eq!(simulator.now_ms(), before_ms + 90_000);
    let mut stream = connect(&simulator).await.unwrap();
    let address = simulator.endpoint().trim_start_matches("http://").to_owned();
    simulator.shutdown().await;
    assert_eq!(stream.read(&mut [0; 8]).await.unwrap_or_default(), 0, "open connections end too");
    assert!(TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn the_ready_line_has_the_members_of_the_contract() {
    let simulator = Simulator::start(frozen()).await.unwrap();
    let ready = serde_json::to_value(simulator.ready()).unwrap();
    let region = ready["regions"][0].as_str().unwrap();
    let queue = ready["event_queues"][region].as_str().unwrap();
    assert_eq!(queue, format!("{}/111122223333/liftdeck-events-{region}", simulator.endpoint()));
    assert_eq!((&ready["scenario"], &ready["seed"]), (&"quiet".into(), &1.into()));
    assert_eq!(ready.as_object().unwrap().len(), 6);
}

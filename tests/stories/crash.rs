//! SIGKILL at any moment loses no acknowledged placement event.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use liftdeck_tests::program::{self, Group, Simulation, run};
use serde_json::{Value, json};

/// Moments of the kills in milliseconds after the start: from before the first write to well inside the feed.
const KILLS_MS: &[u64] = &[300, 600, 900, 1_200, 1_600, 2_100, 2_700, 3_400, 750, 1_800];

/// The id of the placement of our own that was sent as number `number`.
fn placement_id(number: usize) -> String {
    format!("story-{number}")
}

/// A placement event as EventBridge would deliver it.
fn event(number: usize, region: &str) -> Value {
    json!({
        "version": "0", "id": format!("00000000-0000-4000-8000-{number:012}"),
        "detail-type": "GameLift Queue Placement Event", "source": "aws.gamelift", "account": "111122223333",
        "time": "2026-03-04T10:15:54Z", "region": region,
        "resources": [format!("arn:aws:gamelift:{region}:111122223333:gamesessionqueue/arena-eu")],
        "detail": {"type": "PlacementTimedOut", "placementId": placement_id(number),
            "startTime": "2026-03-04T10:15:24.117Z", "endTime": "2026-03-04T10:15:54.120Z"}
    })
}

/// Calls an action of SQS as any client would; signatures are not verified by the simulator.
fn sqs(simulation: &Simulation, region: &str, action: &str, body: &Value) -> Value {
    let scope = format!("AKIDEXAMPLE/20261121/{region}/sqs/aws4_request");
    let signed = format!("AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=host, Signature=00");
    let request = ureq::post(simulation.endpoint())
        .header("content-type", "application/x-amz-json-1.0")
        .header("x-amz-target", format!("AmazonSQS.{action}"))
        .header("authorization", signed);
    request.send(body.to_string()).expect(action).body_mut().read_json().expect(action)
}

#[test]
fn no_acknowledged_placement_event_is_lost_to_sigkill() {
    let home = tempfile::tempdir().unwrap();
    let db = home.path().join("launch.sqlite");
    let simulation = Simulation::start(home.path(), &["--scenario", "quiet", "--seed", "5", "--speed", "0"]);
    let (region, queue) = simulation.event_queues().remove(0);
    let collect =
        ["--region", &region, "--event-queue", &queue, "--endpoint-url", &simulation.endpoint(), "--db"];

    let killed_all = AtomicBool::new(false);
    let sent = std::thread::scope(|scope| {
        let sender = scope.spawn(|| {
            let mut sent = 0;
            while !killed_all.load(Ordering::Relaxed) {
                let body = json!({"QueueUrl": queue, "MessageBody": event(sent, &region).to_string()});
                sqs(&simulation, &region, "SendMessage", &body);
                sent += 1;
                std::thread::sleep(Duration::from_millis(20));
            }
            sent
        });
        for kill_ms in KILLS_MS {
            let mut command = program::command(home.path());
            command.args(["collect", "--for", "60s"]).args(collect).arg(&db);
            let mut collecting = Group::spawn(command.stdout(Stdio::null()).stderr(Stdio::null()));
            std::thread::sleep(Duration::from_millis(*kill_ms));
            collecting.kill();
        }
        killed_all.store(true, Ordering::Relaxed);
        sender.join().unwrap()
    });
    assert!(sent > 200, "only {sent} events were sent");

    // What a killed copy had received comes back when its visibility timeout of 60 s has passed.
    let mut last: Vec<&str> = vec!["collect", "--for", "80s"];
    let db = db.to_string_lossy();
    last.extend(collect.iter().copied().chain([&*db]));
    let ended = run(home.path(), &last);
    assert_eq!(ended.code, 0, "{}", ended.stderr);

    let names = json!({"QueueUrl": queue, "AttributeNames": ["All"]});
    let left = sqs(&simulation, &region, "GetQueueAttributes", &names);
    for count in ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"] {
        assert_eq!(left["Attributes"][count], "0", "everything was acknowledged: {left}");
    }
    let exported = run(home.path(), ["export", "placements", "--db", &db, "--format", "ndjson"]);
    assert_eq!(exported.code, 0, "{}", exported.stderr);
    let rows = exported.ndjson();
    let kept: BTreeSet<&str> = rows.iter().filter_map(|row| row["placement_id"].as_str()).collect();
    assert_eq!(kept.len(), rows.len(), "an event that came twice is kept once");
    let lost: Vec<_> = (0..sent).map(placement_id).filter(|id| !kept.contains(id.as_str())).collect();
    assert!(
        lost.is_empty(),
        "{} of {sent} acknowledged events are not in the database: {lost:?}",
        lost.len()
    );
}

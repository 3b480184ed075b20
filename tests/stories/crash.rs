//! SIGKILL at any moment loses no acknowledged placement event.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use liftdeck_tests::program::{self, Group, Simulation, eventually, run};
use serde_json::{Value, json};

/// Moments of kills in milliseconds after the start: mostly before the first write.
const AT_THE_START_MS: &[u64] = &[300, 600, 900, 750];
/// The same after the database was opened to collect into it, however long that took: well inside the feed.
const IN_THE_FEED_MS: &[u64] = &[100, 500, 1_000, 1_600, 2_300, 700];
/// Events sent at least.
const MANY: usize = 200;

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
    let collect = [
        "--region",
        &region,
        "--adopt",
        "--event-queue",
        &queue,
        "--endpoint-url",
        &simulation.endpoint(),
        "--db",
    ];

    let note = PathBuf::from(format!("{}.desk", db.display()));
    let collecting = |length: &str| {
        let mut command = program::command(home.path());
        command.args(["collect", "--for", length]).args(collect).arg(&db);
        Group::spawn(command.stdout(Stdio::null()).stderr(Stdio::null()))
    };
    let killed_all = AtomicBool::new(false);
    let sent = std::thread::scope(|scope| {
        let sender = scope.spawn(|| {
            let mut sent = 0;
            while !killed_all.load(Ordering::Relaxed) || sent <= MANY {
                let body = json!({"QueueUrl": queue, "MessageBody": event(sent, &region).to_string()});
                sqs(&simulation, &region, "SendMessage", &body);
                sent += 1;
                std::thread::sleep(Duration::from_millis(20));
            }
            sent
        });
        let at_the_start = AT_THE_START_MS.iter().map(|moment| (false, moment));
        for (is_open, moment_ms) in at_the_start.chain(IN_THE_FEED_MS.iter().map(|moment| (true, moment))) {
            // What the copy before was killed over, so that the next one is seen to leave its own.
            let _ = std::fs::remove_file(&note);
            let mut copy = collecting("10m");
            if is_open {
                eventually(Duration::from_secs(120), "it collects", || note.exists().then_some(()));
            }
            std::thread::sleep(Duration::from_millis(*moment_ms));
            copy.kill();
        }
        killed_all.store(true, Ordering::Relaxed);
        sender.join().unwrap()
    });
    assert!(sent > MANY, "only {sent} events were sent");

    // What a killed copy had received comes back when its visibility timeout of 60 s has passed.
    let mut last = collecting("1h");
    let names = json!({"QueueUrl": queue, "AttributeNames": ["All"]});
    eventually(Duration::from_secs(400), "everything is acknowledged", || {
        let left = sqs(&simulation, &region, "GetQueueAttributes", &names);
        let left = |count: &str| left["Attributes"][count] != "0";
        let counts = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"];
        (!counts.into_iter().any(left)).then_some(())
    });
    last.signal("-TERM");
    assert_eq!(last.wait(Duration::from_secs(60)), 0, "the last collection ends in good order");

    let db = db.to_string_lossy();
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

//! A SIGKILL at any moment loses no acknowledged placement event.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use liftdeck_tests::program::{self, Group, Simulation, collecting, eventually, run};
use liftdeck_tests::sqs::{Queue, placement_event};
use serde_json::json;

/// Times of kills in milliseconds after the start: mostly before the first write.
const AT_THE_START_MS: &[u64] = &[300, 600, 900, 750];
/// Times after the database was opened for collecting, however long that took: well into the feed.
const IN_THE_FEED_MS: &[u64] = &[100, 500, 1_000, 1_600, 2_300, 700];
/// The least number of events sent.
const MANY: u64 = 200;

/// Returns the placement id of test event `number`.
fn placement_id(number: u64) -> String {
    format!("story-{number}")
}

/// Stops the sending thread even if the story fails: a thread that never ended would hide the failure.
struct Ended<'a>(&'a AtomicBool);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn no_acknowledged_placement_event_is_lost_to_sigkill() {
    let home = tempfile::tempdir().unwrap();
    let db = home.path().join("launch.sqlite");
    let simulation = Simulation::start(home.path(), &["--scenario", "quiet", "--seed", "5", "--speed", "0"]);
    // The Region of the queue that the events name: events of an unknown queue would be set aside.
    let region = "eu-west-1";
    let url = simulation.event_queue(region);
    let queue = Queue::at(&simulation.endpoint(), region, &url);
    let collect = [
        "--region",
        region,
        "--adopt",
        "--event-queue",
        &url,
        "--endpoint-url",
        &simulation.endpoint(),
        "--db",
    ];

    let start = |length: &str| {
        let mut command = program::command(home.path());
        command.args(["collect", "--for", length]).args(collect).arg(&db);
        Group::spawn(command.stdout(Stdio::null()).stderr(Stdio::null()))
    };
    let killed_all = AtomicBool::new(false);
    let sent = std::thread::scope(|scope| {
        let sender = scope.spawn(|| {
            let mut sent = 0_u64;
            while !killed_all.load(Ordering::Relaxed) || sent <= MANY {
                queue.send([placement_event(sent, &placement_id(sent), region)]);
                sent += 1;
                std::thread::sleep(Duration::from_millis(20));
            }
            sent
        });
        let ended = Ended(&killed_all);
        let at_the_start = AT_THE_START_MS.iter().map(|moment| (false, moment));
        for (is_open, moment_ms) in at_the_start.chain(IN_THE_FEED_MS.iter().map(|moment| (true, moment))) {
            let begin = || start("10m");
            let mut copy = if is_open { collecting(&db, begin) } else { begin() };
            std::thread::sleep(Duration::from_millis(*moment_ms));
            copy.kill();
        }
        drop(ended);
        sender.join().unwrap()
    });
    assert!(sent > MANY, "only {sent} events were sent");

    // Messages that a killed process received become visible again after their visibility timeout of 60 s.
    simulation.post("/_simulator/advance", &json!({ "seconds": 60 }));
    let mut last = start("1h");
    eventually(Duration::from_secs(400), "everything is acknowledged", || (queue.left() == 0).then_some(()));
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

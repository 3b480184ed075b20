//! The real collection over a disk that fills up and is freed again. No event leaves the queue before it is stored.

use std::fs::File;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use liftdeck_tests::program::{Group, Simulation, command, eventually};
use liftdeck_tests::sqs::{Queue, placement_event};
use rusqlite::{Connection, OpenFlags};
use serde_json::json;

use crate::disk::{Disk, FULL};
use crate::{count, look};

const EVENTS: u64 = 60;
/// How long to wait for an event that must arrive; generous, because the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(400);

/// Counts stored events, including those quarantined until their queue is known.
const KEPT: &str = "SELECT (SELECT count(*) FROM placement_event WHERE placement_id GLOB 'full-*') + \
    (SELECT count(*) FROM quarantined_message WHERE event IS NOT NULL)";

/// Collects while the disk is full, then frees it. Returns how many calls failed.
pub(crate) fn collected(library: &Path) -> u64 {
    let home = tempfile::tempdir().expect("a folder");
    let world = ["--scenario", "quiet", "--seed", "5", "--speed", "0", "--no-throttle"];
    let simulation = Simulation::start(home.path(), &world);
    let region = simulation.regions().remove(0);
    let queue = Queue::create(&simulation.endpoint(), &region, "storage-events");
    // Makes received messages visible again at once, not only after a minute.
    let comes_back = json!({ "operation": "sqs:ReceiveMessage", "kind": "duplicate" });
    simulation.post("/_simulator/faults", &json!({ "fault": [comes_back] }));
    let folder = home.path().join("disk");
    std::fs::create_dir(&folder).expect("a folder");
    let db = folder.join("collected.sqlite");
    let disk = Disk::new(library, &folder, home.path().join("plan"));
    let log = home.path().join("collect.log");
    let mut collecting = command(home.path());
    collecting
        .args(["collect", "--for", "1h", "--region", &region, "--adopt", "--event-queue", &queue.url])
        .args(["--endpoint-url", &simulation.endpoint(), "--db"])
        .arg(&db)
        .stdout(Stdio::null())
        .stderr(File::create(&log).expect("a file"));
    let mut collecting = Group::spawn(disk.under(&mut collecting));
    let calls = || simulation.get("/_simulator/calls")[&region].as_object().cloned().unwrap_or_default();
    // The look before the adoption also receives messages; only later receives belong to the feed.
    let adopted = || {
        let looked = Connection::open_with_flags(&db, OpenFlags::SQLITE_OPEN_READ_ONLY).ok()?;
        let adopted: i64 =
            looked.query_row("SELECT count(*) FROM feed_adoption", [], |row| row.get(0)).ok()?;
        (adopted > 0).then(calls)
    };
    let before = eventually(PATIENCE, "the queue is adopted", adopted);
    eventually(PATIENCE, "it receives", || {
        let receives = calls()["sqs:ReceiveMessage"].clone();
        (before["sqs:ReceiveMessage"] != receives).then_some(())
    });
    disk.fail_on(FULL);
    queue.send((0..EVENTS).map(|number| placement_event(number, &format!("full-{number}"), &region)));
    let pauses = || {
        let said = std::fs::read_to_string(&log).expect("a log");
        let is_plain = |line: &&str| line.contains("The event feed pauses") && line.contains("is full");
        said.lines().filter(is_plain).count()
    };
    eventually(PATIENCE, "events meet the full disk", || (pauses() > 0).then_some(()));
    let received = calls()["sqs:ReceiveMessage"].clone();
    let paused = pauses();
    eventually(PATIENCE, "they meet it again", || (pauses() > paused).then_some(()));
    assert_eq!(calls()["sqs:ReceiveMessage"], received, "each delivery counts towards a dead-letter rule");
    assert_eq!(queue.left(), EVENTS, "events left the queue while nothing could be kept");
    assert!(collecting.runs(), "it ended over a full disk");
    let failed = disk.failed();
    disk.repair();
    simulation.post("/_simulator/faults", &json!({ "fault": [] }));
    let before = calls();
    eventually(PATIENCE, "events are kept by themselves", || (queue.left() == 0).then_some(()));
    // A paused collection polls at most one kind of resource, and others only after that one was stored.
    eventually(PATIENCE, "polls are kept by themselves", || {
        let asked = calls().into_iter().filter(|(name, calls)| before.get(name) != Some(calls));
        (asked.filter(|(name, _)| name.starts_with("gamelift:")).count() > 2).then_some(())
    });
    collecting.signal("-TERM");
    let code = collecting.wait(Duration::from_secs(120));
    let said = std::fs::read_to_string(&log).expect("a log");
    assert_eq!(code, 0, "it ends in good order: {said}");
    let kept = count(&look(&db), KEPT);
    assert_eq!(kept, EVENTS, "events that left the queue are kept");
    failed
}

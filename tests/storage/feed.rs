//! The real collection over a disk that fills and is freed again: no event leaves the queue before it is kept.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use liftdeck_tests::program::{Group, Simulation, command, eventually};
use liftdeck_tests::sqs::{Queue, placement_event};

use crate::disk::{Disk, FAULTS};
use crate::{count, look};

const EVENTS: u64 = 60;
/// What was received and could not be stored comes back after a visibility timeout of a minute.
const COMES_BACK: Duration = Duration::from_secs(400);

/// Events kept, those among them that wait until their queue is known.
const KEPT: &str = "SELECT (SELECT count(*) FROM placement_event WHERE placement_id GLOB 'full-*') + \
    (SELECT count(*) FROM quarantined_message WHERE event IS NOT NULL)";

/// Collects while the disk is full, then frees it. Gives how many calls failed.
pub(crate) fn collected(library: &Path) -> u64 {
    let home = tempfile::tempdir().expect("a folder");
    let world = ["--scenario", "quiet", "--seed", "5", "--speed", "0", "--no-throttle"];
    let simulation = Simulation::start(home.path(), &world);
    let region = simulation.regions().remove(0);
    let queue = Queue::create(&simulation.endpoint(), &region, "storage-events");
    let folder = home.path().join("disk");
    std::fs::create_dir(&folder).expect("a folder");
    let db = folder.join("collected.sqlite");
    let disk = Disk::new(library, &folder, home.path().join("plan"));
    let mut collecting = command(home.path());
    collecting
        .args(["collect", "--for", "1h", "--region", &region, "--adopt", "--event-queue", &queue.url])
        .args(["--endpoint-url", &simulation.endpoint(), "--db"])
        .arg(&db)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut collecting = Group::spawn(disk.under(&mut collecting));
    let note = PathBuf::from(format!("{}.desk", db.display()));
    eventually(COMES_BACK, "it collects", || note.exists().then_some(()));
    disk.fail(FAULTS[0], 0, u64::MAX >> 1);
    queue.send((0..EVENTS).map(|number| placement_event(number, &format!("full-{number}"), &region)));
    eventually(COMES_BACK, "the full disk is met", || (disk.counts().0 > 3).then_some(()));
    let (failed, _) = disk.counts();
    assert_eq!(queue.left(), EVENTS, "events left the queue while nothing could be kept");
    assert!(collecting.runs(), "it ended over a full disk");
    disk.fail(FAULTS[0], 0, 0);
    eventually(COMES_BACK, "it goes on by itself", || (queue.left() == 0).then_some(()));
    collecting.signal("-TERM");
    assert_eq!(collecting.wait(Duration::from_secs(120)), 0, "it ends in good order");
    let kept = count(&look(&db), KEPT);
    assert_eq!(kept, EVENTS, "events that left the queue are kept");
    failed
}

//! SIGKILL at any moment loses no acknowledged placement event.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::time::Duration;

use liftdeck_tests::program::{self, Group, Simulation, run};
use serde_json::Value;

/// Moments of the kill in milliseconds after the start: from before the first write to well inside the feed.
const KILLS_MS: &[u64] = &[150, 400, 700, 1_100, 1_600, 2_300, 3_100, 900, 500, 1_900];

#[test]
fn no_acknowledged_placement_event_is_lost_to_sigkill() {
    let home = tempfile::tempdir().unwrap();
    let db = home.path().join("launch.sqlite");
    let simulation =
        Simulation::start(home.path(), &["--scenario", "launch-day", "--seed", "5", "--speed", "20"]);
    for kill_ms in KILLS_MS {
        let mut collect = program::command(home.path());
        collect.args(["collect", "--for", "60s", "--db"]).arg(&db).args(simulation.collect_arguments());
        let mut collect = Group::spawn(collect.stdout(Stdio::null()).stderr(Stdio::null()));
        std::thread::sleep(Duration::from_millis(*kill_ms));
        collect.kill();
    }
    // Messages received by a killed copy come back when their visibility timeout has passed.
    simulation.post("/_simulator/faults", &serde_json::json!({"fault": []}));
    let mut arguments = vec!["collect".to_owned(), "--for".to_owned(), "45s".to_owned(), "--db".to_owned()];
    arguments.push(db.to_string_lossy().into_owned());
    arguments.extend(simulation.collect_arguments());
    let ended = run(home.path(), &arguments);
    assert_eq!(ended.code, 0, "{}", ended.stderr);

    let exported =
        run(home.path(), ["export", "placements", "--db", &db.to_string_lossy(), "--format", "ndjson"]);
    assert_eq!(exported.code, 0, "{}", exported.stderr);
    let kept: BTreeSet<(String, String)> =
        exported.ndjson().iter().map(|row| (text(row, "placement_id"), text(row, "event_type"))).collect();
    let deleted = acknowledged(&simulation);
    assert!(deleted.len() > 20, "only {} events were acknowledged", deleted.len());
    let lost: Vec<_> = deleted.difference(&kept).collect();
    assert!(lost.is_empty(), "{} acknowledged events are not in the database: {lost:?}", lost.len());
}

/// Every placement event that was deleted from a queue, by the simulator's own record.
fn acknowledged(simulation: &Simulation) -> BTreeSet<(String, String)> {
    let mut events = BTreeSet::new();
    for region in simulation.regions() {
        let record = simulation.get(&format!("/_simulator/deleted?region={region}"));
        for message in record["Messages"].as_array().expect("the record of deleted messages") {
            let body = message["Body"].as_str().unwrap_or_default();
            let parsed: Value = serde_json::from_str(body).unwrap_or_default();
            let event = match parsed["Message"].as_str() {
                Some(inner) => serde_json::from_str(inner).unwrap_or_default(),
                None => parsed,
            };
            if event["detail-type"] == "GameLift Queue Placement Event" {
                events.insert((text(&event["detail"], "placementId"), text(&event["detail"], "type")));
            }
        }
    }
    events
}

fn text(row: &Value, field: &str) -> String {
    row[field].as_str().unwrap_or_default().to_owned()
}

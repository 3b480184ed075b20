//! A rule is tried on the stored past, switched off while alerts are collected, and on again.

use std::process::Stdio;
use std::time::Duration;

use liftdeck_tests::program::{Group, Simulation, command, eventually, rows, run, take_the_whole_budget};
use serde_json::Value;

const PATIENCE: Duration = Duration::from_secs(240);

#[test]
fn a_rule_that_is_switched_off_ends_its_alert_and_one_that_is_reset_fires_again() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    take_the_whole_budget(home);
    let world = ["--scenario", "spot-storm", "--seed", "1", "--speed", "1", "--no-throttle"];
    let simulation = Simulation::start(home, &world);
    let db = home.join("rules.sqlite");
    let path = db.to_string_lossy().into_owned();
    let endpoint = simulation.endpoint();
    let state = || {
        let alerts: Vec<Value> = rows(home, &db, &["alerts"]);
        alerts.into_iter().find(|one| one["rule"] == "interruptions").map(|one| one["state"].clone())
    };
    let becomes = |wanted: &str| {
        eventually(PATIENCE, wanted, || (state()? == wanted).then_some(()));
    };
    let rule = |words: &[&str]| {
        let place = ["--db", &path, "--region", "eu-west-1", "--endpoint-url", &endpoint];
        let ended = run(home, [&["alerts", "rule"], words, &place].concat());
        assert_eq!(ended.code, 0, "{words:?}: {}{}", ended.stdout, ended.stderr);
        ended.stdout
    };
    // Before anything is collected: it makes the database.
    rule(&["set", "startup", "--off"]);
    let mut command = command(home);
    command.args(["collect", "--db", &path, "--region", "eu-west-1", "--endpoint-url", &endpoint]);
    let mut collecting = Group::spawn(command.stdout(Stdio::null()).stderr(Stdio::null()));
    becomes("firing");
    let tried = rule(&["set", "interruptions", "--pending", "23h", "--try"]);
    assert!(tried.contains("fired in the last 7 d 0 h; none would have."), "{tried}");
    let tried = rule(&["set", "interruptions", "--severity", "bad", "--try"]);
    assert!(tried.contains(" interrupted"), "{tried}");
    rule(&["set", "interruptions", "--off"]);
    becomes("recovering");
    let listed = rows(home, &db, &["alerts", "rules"]);
    let interruptions = listed.iter().find(|one| one["rule"] == "interruptions").unwrap();
    assert_eq!(interruptions["set"], "everything: off", "{interruptions}");
    rule(&["reset", "interruptions"]);
    becomes("firing");
    collecting.signal("-TERM");
    assert_eq!(collecting.wait(PATIENCE), 0);
}

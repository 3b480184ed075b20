//! A rule is tried on the stored past, switched off while alerts are collected, and on again; a rule of one's own is
//! tried, saved, fires, is told, outlives a restart, and is over when the value is back.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;
use std::time::Duration;

use liftdeck_tests::program::{Group, Simulation, command, eventually, rows, run, take_the_whole_budget};
use liftdeck_tests::receiver::Receiver;
use serde_json::Value;

/// Longer than anything takes: a start that waits until all was read, and an alert that must stay away before it is over.
const PATIENCE: Duration = Duration::from_secs(600);

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

#[test]
fn a_rule_of_ones_own_is_tried_saved_told_and_over_and_a_restart_does_not_date_it_anew() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    take_the_whole_budget(home);
    let world = ["--scenario", "spot-storm", "--seed", "1", "--speed", "1", "--no-throttle"];
    let simulation = Simulation::start(home, &world);
    let receiver = Receiver::open(Duration::ZERO);
    let secret = home.join("hook");
    fs::write(&secret, format!("{}/hook", receiver.address)).unwrap();
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).unwrap();
    let db = home.join("own.sqlite");
    let path = db.to_string_lossy().into_owned();
    let endpoint = simulation.endpoint();
    let place = ["--db", &path, "--region", "eu-west-1", "--endpoint-url", &endpoint];
    let done = |words: &[&str]| {
        let ended = run(home, [&["alerts"], words, &place].concat());
        assert_eq!(ended.code, 0, "{words:?}: {}{}", ended.stdout, ended.stderr);
        ended.stdout
    };
    let hook = format!("file:{}", secret.display());
    done(&["channel", "add", "hook", "webhook", &hook, "--rule", "own:Few instances"]);
    let collect = || {
        let mut command = command(home);
        command.args(["collect"]).args(place);
        Group::spawn(command.stdout(Stdio::null()).stderr(Stdio::null()))
    };
    let mut collecting = collect();
    let fleet = eventually(PATIENCE, "a fleet with instances", || {
        let fleets = rows(home, &db, &["fleet", "list"]);
        let has = fleets.into_iter().find(|row| row["active_instances"].as_i64().is_some_and(|it| it > 1))?;
        Some(has["fleet_id"].as_str()?.to_owned())
    });
    // However much the fleet grows while the storm drives players to it.
    let most = "1000";
    let threshold = ["Few instances", "--metric", "active-instances", "--fleet", &fleet, "--below", most];
    let refused = run(home, [&["alerts", "rule", "add"], &threshold[..], &["--clear", "0"], &place].concat());
    assert!(refused.code == 2 && refused.stderr.contains("or more, not at 0"), "{}", refused.stderr);
    let unknown = ["alerts", "rule", "add", "Bad", "--query", "statas:active", "--above", "1"];
    let unknown = run(home, [&unknown[..], &place].concat());
    assert!(unknown.code == 2 && unknown.stderr.contains("^^^^^^"), "{}", unknown.stderr);

    eventually(PATIENCE, "a trial that finds it", || {
        let tried = done(&[&["rule", "add"], &threshold[..], &["--try"]].concat());
        tried.contains("ActiveInstances of").then_some(())
    });
    assert_eq!(rows(home, &db, &["alerts", "rules"]).iter().filter(|row| row["own"] == true).count(), 0);
    done(&[&["rule", "add"], &threshold[..]].concat());
    let listed = rows(home, &db, &["alerts", "rules"]);
    let own = listed.iter().find(|row| row["rule"] == "own:Few instances").unwrap();
    assert_eq!((own["own"].as_bool(), own["set"].as_str()), (Some(true), Some("your own")));

    let alert = || {
        let alerts: Vec<Value> = rows(home, &db, &["alerts"]);
        alerts.into_iter().find(|one| one["rule"] == "own:Few instances")
    };
    let fires = |what: &str| eventually(PATIENCE, what, || alert().filter(|one| one["state"] == "firing"));
    let fired = fires("it fires");
    let title = fired["title"].as_str().unwrap();
    assert!(title.starts_with("Few instances: ActiveInstances of "), "{title}");
    let told = |telling: &'static str| {
        eventually(PATIENCE, telling, || {
            receiver.at("/hook").into_iter().find(|one| one.body["telling"] == telling)
        })
    };
    let body = told("fired").body;
    assert_eq!(body["alerts"][0]["rule"], "own:Few instances", "{body}");
    assert!(body["alerts"][0]["title"].as_str().unwrap().contains("Few instances"), "{body}");

    collecting.signal("-TERM");
    assert_eq!(collecting.wait(PATIENCE), 0);
    let mut again = collect();
    // A rule with the same name takes the place of the other, and its alert: the value is well on the calm side of it.
    eventually(PATIENCE, "it is looked at again", || {
        let seen = alert()?;
        assert_eq!((&seen["since"], &seen["id"]), (&fired["since"], &fired["id"]), "{seen}");
        again.runs().then_some(())
    });
    let calm =
        ["--metric", "active-instances", "--fleet", &fleet, "--below", "1", "--replace", "Few instances"];
    eventually(PATIENCE, "the rule is edited", || {
        let words = [&["alerts", "rule", "add", "Few instances"], &calm[..], &place].concat();
        (run(home, words).code == 0).then_some(())
    });
    let over = told("resolved").body;
    assert_eq!(over["alerts"][0]["id"], body["alerts"][0]["id"], "{over}");
    let ended = alert().unwrap();
    assert_eq!((&ended["state"], &ended["since"]), (&Value::from("resolved"), &fired["since"]), "{ended}");
    done(&["rule", "remove", "Few instances"]);
    assert!(rows(home, &db, &["alerts", "rules"]).iter().all(|row| row["own"] == false));
    again.signal("-TERM");
    assert_eq!(again.wait(PATIENCE), 0);
}

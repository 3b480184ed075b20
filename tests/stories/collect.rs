//! Collected data equals the world's, unchanged data is not written again, and AWS refuses no request.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use liftdeck_tests::program::{Simulation, run, take_the_whole_budget};
use serde_json::Value;

fn export(home: &Path, db: &Path, kind: &str, more: &[&str]) -> Vec<Value> {
    let db = db.to_string_lossy();
    let mut arguments = vec!["export", kind, "--db", &db, "--format", "ndjson"];
    arguments.extend(more);
    let ended = run(home, arguments);
    assert_eq!(ended.code, 0, "export {kind}: {}", ended.stderr);
    ended.ndjson()
}

fn ids(rows: &[Value], field: &str) -> BTreeSet<String> {
    rows.iter().filter_map(|row| row[field].as_str()).map(str::to_owned).collect()
}

fn truth(simulation: &Simulation, kind: &str) -> Vec<Value> {
    let regions = simulation.regions();
    let rows = regions.iter().flat_map(|region| {
        let truth = simulation.get(&format!("/_simulator/truth?region={region}"));
        truth[kind].as_array().unwrap_or_else(|| panic!("the truth has no {kind}")).clone()
    });
    rows.collect()
}

fn collect(home: &Path, db: &Path, simulation: &Simulation) -> Value {
    let mut arguments =
        vec!["collect".to_owned(), "--once".to_owned(), "--json".to_owned(), "--db".to_owned()];
    arguments.push(db.to_string_lossy().into_owned());
    arguments.extend(simulation.collect_arguments());
    let ended = run(home, &arguments);
    assert_eq!(ended.code, 0, "collect: {}", ended.stderr);
    serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{error}: {}", ended.stdout))
}

#[test]
fn one_pass_collects_the_world_a_second_writes_no_session_and_neither_exceeds_the_budget() {
    let home = tempfile::tempdir().unwrap();
    // At the full rate there is no room for a request too many.
    take_the_whole_budget(home.path());
    let db = home.path().join("launch.sqlite");
    let simulation = Simulation::start(home.path(), &["--scenario", "quiet", "--seed", "11", "--speed", "0"]);
    collect(home.path(), &db, &simulation);

    let fleets = export(home.path(), &db, "fleets", &[]);
    let true_fleets = [truth(&simulation, "Fleets"), truth(&simulation, "ContainerFleets")].concat();
    assert_eq!(ids(&fleets, "fleet_id"), ids(&true_fleets, "FleetId"));
    assert!(fleets.len() >= 9, "only {} fleets", fleets.len());

    let sessions = export(home.path(), &db, "game-sessions", &["--where", "status:active"]);
    let true_sessions = truth(&simulation, "GameSessions");
    let active: Vec<Value> =
        true_sessions.into_iter().filter(|session| session["Status"] == "ACTIVE").collect();
    assert_eq!(ids(&sessions, "game_session_id"), ids(&active, "GameSessionId"));
    let counts = |rows: &[Value], id: &str, count: &str| -> BTreeMap<String, i64> {
        rows.iter().map(|row| (row[id].as_str().unwrap().to_owned(), row[count].as_i64().unwrap())).collect()
    };
    assert_eq!(
        counts(&sessions, "game_session_id", "current_player_session_count"),
        counts(&active, "GameSessionId", "CurrentPlayerSessionCount")
    );

    let live = |rows: Vec<Value>, status: &str, id: &str| -> BTreeSet<String> {
        let rows = rows.into_iter().filter(|row| row[status] == "ACTIVE" || row[status] == "RESERVED");
        rows.filter_map(|row| row[id].as_str().map(str::to_owned)).collect()
    };
    let players = live(export(home.path(), &db, "player-sessions", &[]), "status", "player_session_id");
    let true_players = live(truth(&simulation, "PlayerSessions"), "Status", "PlayerSessionId");
    assert!(true_players.len() > 100, "only {} players", true_players.len());
    assert_eq!(players, true_players);

    for (kind, name, field, true_field) in
        [("aliases", "Aliases", "alias_id", "AliasId"), ("queues", "GameSessionQueues", "name", "Name")]
    {
        let collected = ids(&export(home.path(), &db, kind, &[]), field);
        assert_eq!(collected, ids(&truth(&simulation, name), true_field), "{kind}");
    }

    let again = collect(home.path(), &db, &simulation);
    for kind in ["game_sessions", "player_sessions"] {
        let written = again["rows"][kind].as_u64().unwrap_or(0);
        assert_eq!(written, 0, "a second pass over an unchanged world wrote {written} {kind}: {again}");
    }

    let calls = simulation.get("/_simulator/calls");
    assert!(calls.to_string().contains("DescribeGameSessions"), "{calls}");
    let throttled = sum_of(&calls, "throttled");
    assert_eq!(throttled, 0, "the simulator, which enforces the published rates, throttled us: {calls}");
}

/// Sums every number under a key, at any depth.
fn sum_of(value: &Value, key: &str) -> u64 {
    match value {
        Value::Object(object) => object
            .iter()
            .map(|(name, inner)| if name == key { inner.as_u64().unwrap_or(0) } else { sum_of(inner, key) })
            .sum(),
        Value::Array(items) => items.iter().map(|item| sum_of(item, key)).sum(),
        _ => 0,
    }
}

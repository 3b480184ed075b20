//! Reading from the terminal: every reading command in its three forms, on data collected over the real wire, with or
//! without a Liftdeck that collects; names in place of ids; connections added and used there.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use liftdeck_tests::program::{Ended, Group, Simulation, command, run, take_the_whole_budget};
use serde_json::{Value, json};

use crate::aged::all_was_read_earlier;

/// A frozen world, and one of its Regions on record.
struct Record {
    home: tempfile::TempDir,
    simulation: Simulation,
    region: String,
    db: PathBuf,
}

impl Record {
    fn made() -> Self {
        let home = tempfile::tempdir().unwrap();
        let simulation =
            Simulation::start(home.path(), &["--scenario", "quiet", "--seed", "5", "--speed", "0"]);
        let region = simulation.regions().remove(0);
        let db = home.path().join("reads.sqlite");
        let made = Self { home, simulation, region, db };
        let is_told =
            |words: &[&str]| made.json(words)["rows"].as_array().is_some_and(|rows| !rows.is_empty());
        let collected =
            made.simulation.collect_until(made.home(), &made.db, &made.region, "it is on record", || {
                let fleets = made.run(&["fleet", "list", "--json"]);
                fleets.code == 0
                    && ["queue", "alias", "build", "script", "session"]
                        .iter()
                        .all(|noun| is_told(&[noun, "list"]))
                    && !made.a_session_with_players().is_empty()
            });
        assert_eq!(collected.code, 0, "{}", collected.stderr);
        made
    }

    fn home(&self) -> &Path {
        self.home.path()
    }

    /// Runs a command on the record, without access to AWS.
    fn run(&self, words: &[&str]) -> Ended {
        let db = self.db.to_string_lossy();
        run(self.home(), [words, &["--db", &db]].concat())
    }

    fn json(&self, words: &[&str]) -> Value {
        let ended = self.run(&[words, &["--json"]].concat());
        assert_eq!(ended.code, 0, "{words:?}: {}", ended.stderr);
        serde_json::from_str(&ended.stdout)
            .unwrap_or_else(|error| panic!("{words:?}: {error}: {}", ended.stdout))
    }

    fn truth(&self, kind: &str, id: &str) -> Vec<String> {
        let truth = self.simulation.get(&format!("/_simulator/truth?region={}", self.region));
        let all = truth[kind].as_array().unwrap_or_else(|| panic!("the truth has no {kind}"));
        let mut ids: Vec<String> = all.iter().map(|one| one[id].as_str().unwrap().to_owned()).collect();
        ids.sort();
        ids
    }

    /// Returns the short id of a game session with players on record, or an empty string while there is none.
    fn a_session_with_players(&self) -> String {
        let found = self.json(&["session", "list", "--where", "status:active player:*", "--limit", "1"]);
        found["rows"][0]["short_id"].as_str().unwrap_or_default().to_owned()
    }
}

fn column(rows: &Value, key: &str) -> Vec<String> {
    let rows = rows["rows"].as_array().unwrap();
    let mut all: Vec<String> = rows.iter().map(|row| row[key].as_str().unwrap().to_owned()).collect();
    all.sort();
    all
}

#[test]
fn before_aws_has_answered_no_command_calls_anything_absent_or_well() {
    let home = tempfile::tempdir().unwrap();
    let simulation = Simulation::start(home.path(), &["--scenario", "quiet", "--seed", "5", "--speed", "0"]);
    let dead = json!({ "fault": [{ "operation": "sts:*", "kind": "latency" }, { "operation": "*", "kind": "reset" }] });
    simulation.post("/_simulator/faults", &dead);
    let (region, db) = (simulation.regions().remove(0), home.path().join("dead.sqlite"));
    let ask = |words: &[&str]| run(home.path(), [words, &["--db", &db.to_string_lossy()]].concat());
    simulation.collect_until(home.path(), &db, &region, "it can be read", || ask(&["status"]).code == 0);
    for words in [
        &["fleet", "list"] as &[&str],
        &["session", "list"],
        &["placement", "list"],
        &["queue", "list"],
        &["alias", "list"],
        &["build", "list"],
        &["script", "list"],
        &["changes"],
    ] {
        let ended = ask(words);
        let told = format!("{}{}", ended.stdout, ended.stderr);
        assert!(told.contains("Nothing was ever read from AWS"), "{words:?}: {told}");
    }
    for words in [&["status"] as &[&str], &["alerts"]] {
        let ended = ask(words);
        let told = format!("{}{}", ended.stdout, ended.stderr);
        assert!(told.contains("nothing was ever read from AWS"), "{words:?}: {told}");
        assert!(!told.contains("Fleets       0"), "{told}");
    }
}

#[test]
fn two_hours_after_the_last_answer_each_command_says_so_nothing_is_called_well_and_lists_keep_their_order() {
    let record = Record::made();
    let lists = [("fleet", "fleet_id"), ("queue", "name"), ("alias", "alias_id"), ("build", "build_id")];
    let in_order = |noun: &str, key: &str| -> Vec<String> {
        let rows = record.json(&[noun, "list"]);
        let rows = rows["rows"].as_array().unwrap();
        rows.iter().map(|row| row[key].as_str().unwrap().to_owned()).collect()
    };
    let before = lists.map(|(noun, key)| in_order(noun, key));
    let queue = record.json(&["queue", "list"])["rows"][0]["name"].as_str().unwrap().to_owned();
    all_was_read_earlier(&record.db, 120);
    for words in [
        &["status"] as &[&str],
        &["fleet", "list"],
        &["fleet", "show", &before[0][0]],
        &["session", "list", "--limit", "5"],
        &["queue", "list"],
        &["queue", "show", &queue],
        &["alias", "list"],
        &["alias", "show", &before[2][0]],
        &["build", "list"],
        &["script", "list"],
        &["changes", "--since", "30d", "--limit", "20"],
    ] {
        let ended = record.run(words);
        assert_eq!(ended.code, 0, "{words:?}: {}", ended.stderr);
        assert!(ended.stderr.contains("last read 2 h"), "{words:?} says how old it is: {}", ended.stderr);
        assert_eq!(record.json(words)["stale"], true, "{words:?}");
    }
    for words in [&["status"] as &[&str], &["alerts"]] {
        let ended = record.run(words);
        let told = format!("{}{}", ended.stdout, ended.stderr);
        assert!(told.contains("no data since") && !told.contains("nothing needs attention"), "{told}");
    }
    let states = column(&record.json(&["fleet", "list"]), "state");
    assert!(states.iter().all(|state| state == "unknown"), "{states:?}");
    assert_eq!(lists.map(|(noun, key)| in_order(noun, key)), before);
}

#[test]
fn every_reading_command_answers_in_every_form_what_the_world_says() {
    let record = Record::made();
    for (noun, kind, id, key) in [
        ("alias", "Aliases", "AliasId", "alias_id"),
        ("queue", "GameSessionQueues", "Name", "name"),
        ("build", "Builds", "BuildId", "build_id"),
        ("script", "Scripts", "ScriptId", "script_id"),
    ] {
        assert_eq!(column(&record.json(&[noun, "list"]), key), record.truth(kind, id), "{noun}");
    }
    let mut fleets = record.truth("Fleets", "FleetId");
    fleets.extend(record.truth("ContainerFleets", "FleetId"));
    fleets.sort();
    let listed = record.json(&["fleet", "list"]);
    assert_eq!(column(&listed, "fleet_id"), fleets);

    let name_of = |rows: &Value| rows["rows"][0]["name"].as_str().unwrap().to_owned();
    let (fleet, alias) = (name_of(&listed), name_of(&record.json(&["alias", "list"])));
    let queue = name_of(&record.json(&["queue", "list"]));
    let session = record.a_session_with_players();
    let shown = record.json(&["session", "show", &session]);
    let player = shown["player_sessions"][0]["player_id"].as_str().unwrap().to_owned();
    assert_eq!(record.json(&["fleet", "show", &fleet])["fleet_id"], listed["rows"][0]["fleet_id"]);
    let slots = record.json(&["player", "show", &player]);
    assert!(column(&slots, "short_id").contains(&session), "{slots}");

    for words in [
        &["status"] as &[&str],
        &["fleet", "list", "--region", &record.region],
        &["fleet", "show", &fleet],
        &[
            "session",
            "list",
            "--where",
            "status:active",
            "--since",
            "30d",
            "--sort",
            "-players",
            "--limit",
            "5",
        ],
        &["session", "show", &session],
        &["player", "show", &player],
        &["placement", "list", "--since", "7d"],
        &["queue", "list"],
        &["queue", "show", &queue],
        &["alias", "list"],
        &["alias", "show", &alias],
        &["script", "list"],
        &["build", "list"],
        &["changes", "--since", "30d", "--limit", "20"],
        &["changes", "--fleet", &fleet],
    ] {
        let json = record.json(words);
        assert!(json.get("as_of").is_some(), "{words:?} says how old it is: {json}");
        let table = record.run(words);
        assert_eq!(table.code, 0, "{words:?}: {}", table.stderr);
        assert!(!table.stdout.is_empty() && !table.stdout.contains('\u{1b}'), "{words:?}: {}", table.stdout);
        assert!(table.stderr.contains("read"), "{words:?} says below how old it is: {}", table.stderr);
        let csv = record.run(&[words, &["--format", "csv"]].concat());
        assert_eq!(csv.code, 0, "{words:?}: {}", csv.stderr);
        let (heading, lines) = csv.stdout.split_once("\r\n").unwrap();
        match json["rows"].as_array() {
            Some(rows) => {
                let keys: Vec<&str> = heading.split(',').collect();
                assert!(
                    rows.iter().all(|row| row.as_object().unwrap().len() == keys.len()),
                    "{words:?}: {heading}"
                );
                assert!(rows.is_empty() || !lines.is_empty(), "{words:?}: {}", csv.stdout);
            }
            None => assert_eq!(heading, "field,value", "{words:?}"),
        }
    }
    for (words, named) in [
        (["fleet", "show", "nobody"], "fleet list"),
        (["alias", "show", "nobody"], "alias list"),
        (["queue", "show", "nobody"], "queue list"),
        (["player", "show", "nobody"], "no player nobody"),
        (["session", "show", "nobody"], "no game session nobody"),
    ] {
        let unknown = record.run(&words);
        assert_eq!((unknown.code, unknown.stdout.as_str()), (1, ""), "{words:?}");
        assert!(unknown.stderr.contains(named), "{words:?}: {}", unknown.stderr);
    }
    names_do_where_ids_do(&record, &fleet, &alias, &queue);
    a_pipe_is_watched(&record);
}

/// Names instead of ids. No Region is given, because the database knows it.
fn names_do_where_ids_do(record: &Record, fleet: &str, alias: &str, queue: &str) {
    let endpoint = record.simulation.endpoint();
    let previewed = |words: &[&str]| {
        let ended = record.run(&[words, &["--dry-run", "--json", "--endpoint-url", &endpoint]].concat());
        assert_eq!(ended.code, 0, "{words:?}: {}{}", ended.stdout, ended.stderr);
        let told: Value = serde_json::from_str(&ended.stdout).unwrap();
        told["preview"]["items"].clone()
    };
    let fleets = record.json(&["fleet", "list"]);
    let on_demand =
        fleets["rows"].as_array().unwrap().iter().find(|row| row["compute_kind"] == "on-demand").unwrap();
    let (id, name) = (&on_demand["fleet_id"], on_demand["name"].as_str().unwrap());
    let target = name;
    let items = previewed(&["fleet", "protect", target, "--off"]);
    assert_eq!((&items[0]["resource"], items[0]["region"].as_str()), (id, Some(&*record.region)), "{items}");
    let unknown =
        record.run(&["fleet", "protect", "nobody", "--off", "--dry-run", "--endpoint-url", &endpoint]);
    assert!(
        unknown.code == 2 && unknown.stderr.contains("No fleet nobody was collected"),
        "{}",
        unknown.stderr
    );
    let items = previewed(&["alias", "repoint", alias, "--fleet", target]);
    let shown = record.json(&["alias", "show", alias]);
    assert_eq!(items[0]["resource"], shown["alias_id"], "{items}");
    let items = previewed(&["queue", "update", queue, "--destination", alias]);
    assert_eq!(items[0]["resource"], queue, "{items}");
    let drained = previewed(&["fleet", "drain", target]);
    let held = drained.as_array().unwrap().iter().filter(|item| item["operation"] == "StopFleetActions");
    let places: std::collections::BTreeSet<String> =
        held.clone().map(|item| item["location"].to_string()).collect();
    assert_eq!(places.len(), held.count(), "each location has a line of its own: {drained}");

    let unknown = record.run(&[
        "alias",
        "repoint",
        alias,
        "--fleet",
        "nobody",
        "--dry-run",
        "--endpoint-url",
        &endpoint,
    ]);
    assert_eq!(unknown.code, 2, "{}{}", unknown.stdout, unknown.stderr);
    let chart = record.run(&["chart", "scaling", "--fleet", fleet, "--out", "-", "--format", "svg"]);
    assert!(chart.code == 0 && chart.stdout.starts_with("<svg"), "{}", chart.stderr);
    let export = record.run(&["export", "fleets", "--out", "-"]);
    assert_eq!(export.ndjson().len(), fleets["rows"].as_array().unwrap().len());
    assert!(!record.home().join("-").exists(), "no file is called so");
}

/// Prints one result after the other until it is stopped.
fn a_pipe_is_watched(record: &Record) {
    let mut watching = command(record.home());
    watching.args(["fleet", "list", "--format", "csv", "--watch", "1", "--db"]).arg(&record.db);
    let mut watching = Group::spawn(watching.stdout(Stdio::piped()));
    let lines = watching.lines();
    let headings = std::iter::from_fn(|| lines.recv_timeout(Duration::from_secs(60)).ok());
    let twice = headings.filter(|line| line.starts_with("name,")).take(2).count();
    assert_eq!(twice, 2, "an answer, and another one");
    watching.signal("-INT");
    assert_eq!(watching.wait(Duration::from_secs(60)), 0);
}

#[test]
fn a_connection_is_checked_saved_used_and_forgotten_at_the_terminal() {
    let home = tempfile::tempdir().unwrap();
    take_the_whole_budget(home.path());
    let simulation = Simulation::start(home.path(), &["--scenario", "quiet", "--seed", "5", "--speed", "0"]);
    let (endpoint, region) = (simulation.endpoint(), simulation.regions().remove(0));
    let run = |words: &[&str]| run(home.path(), words);
    let add = ["connection", "add", "Arena Live", "--region", &region, "--endpoint-url", &endpoint];
    assert_eq!(run(&add).code, 2, "how careful to be is asked for");
    let added = run(&[&add[..], &["--environment", "staging"]].concat());
    assert_eq!(added.code, 0, "{}{}", added.stdout, added.stderr);
    assert!(
        added.stdout.contains("DescribeFleetAttributes") && added.stderr.contains("Saved"),
        "{}",
        added.stdout
    );
    assert_eq!(run(&[&add[..], &["--environment", "staging"]].concat()).code, 2, "the name is taken");
    let nowhere = ["connection", "add", "Nowhere", "--environment", "development", "--region", &region];
    let refused = run(&[&nowhere[..], &["--endpoint-url", "http://127.0.0.1:9"]].concat());
    assert_eq!(refused.code, 1, "{}", refused.stdout);
    assert!(
        refused.stderr.contains("not saved") && refused.stderr.contains("--anyway"),
        "{}",
        refused.stderr
    );
    let listed: Value = serde_json::from_str(&run(&["connection", "list", "--json"]).stdout).unwrap();
    assert_eq!(listed["rows"][0]["name"], "Arena Live");
    assert_eq!(
        (listed["total"].as_u64(), &listed["rows"][0]["environment"]),
        (Some(1), &Value::from("staging"))
    );
    assert_eq!(run(&["connection", "check", "Arena Live", "--format", "csv"]).code, 0);

    a_connection_is_edited(&run, &region, &endpoint);

    // The only connection needs no name.
    assert_eq!(run(&["status"]).code, 1, "nothing was collected yet");
    let collected = run(&["collect", "--connection", "Arena Live", "--once", "--json"]);
    assert_eq!(collected.code, 0, "{}", collected.stderr);
    let took: Value = serde_json::from_str(&collected.stdout).unwrap();
    let is_long = took["took_ms"].as_u64().unwrap() > 15_000;
    assert!(
        !is_long || collected.stderr.contains("calls so far"),
        "a long pass says how far it is: {}",
        collected.stderr
    );
    let status: Value = serde_json::from_str(&run(&["status", "--json"]).stdout).unwrap();
    assert_eq!(
        (&status["connection"], &status["environment"]),
        (&Value::from("Arena Live"), &Value::from("staging"))
    );
    assert_eq!(status["regions"][0]["region"], *region);
    let exported = run(&["export", "aliases", "--connection", "Arena Live"]);
    assert!(exported.code == 0 && !exported.ndjson().is_empty(), "{}", exported.stderr);

    assert_eq!(run(&["connection", "remove", "Arena Live"]).code, 3, "there is nobody to ask");
    let removed = run(&["connection", "remove", "Arena Live", "--yes"]);
    assert!(removed.code == 0 && removed.stderr.contains("stays"), "{}", removed.stderr);
    let none = run(&["status"]);
    assert!(none.code == 2 && none.stderr.contains("--db"), "{}", none.stderr);
}

/// Changes what is named and keeps the rest; what is denied or taken is not saved.
fn a_connection_is_edited(run: &impl Fn(&[&str]) -> Ended, region: &str, endpoint: &str) {
    let edit = |words: &[&str]| run(&[&["connection", "edit", "Arena Live"], words].concat());
    assert_eq!(edit(&[]).code, 2, "nothing to change");
    assert_eq!(edit(&["--environment", "careful"]).code, 2);
    let nowhere = edit(&["--endpoint-url", "http://127.0.0.1:9"]);
    assert!(nowhere.code == 1 && nowhere.stderr.contains("not saved"), "{}", nowhere.stderr);
    let renamed = edit(&["--name", "Arena", "--environment", "production"]);
    assert!(renamed.code == 0 && renamed.stderr.contains("Saved"), "{}", renamed.stderr);
    assert_eq!(edit(&["--name", "Other"]).code, 2, "it has another name now");
    let listed: Value = serde_json::from_str(&run(&["connection", "list", "--json"]).stdout).unwrap();
    let row = &listed["rows"][0];
    assert_eq!(
        (&row["name"], &row["environment"], &row["regions"], &row["endpoint_url"]),
        (&"Arena".into(), &"production".into(), &json!([region]), &endpoint.into())
    );
    let back = ["connection", "edit", "Arena", "--name", "Arena Live", "--environment", "staging"];
    assert_eq!(run(&back).code, 0);
}

#[test]
fn what_is_collected_right_now_is_read_beside_it() {
    let home = tempfile::tempdir().unwrap();
    let simulation = Simulation::start(home.path(), &["--scenario", "quiet", "--seed", "5", "--speed", "0"]);
    let db = home.path().join("busy.sqlite");
    let region = simulation.regions().remove(0);
    let look = || run(home.path(), ["fleet", "list", "--json", "--db", &db.to_string_lossy()]);
    // The collection keeps the database open; only a successful answer ends it.
    let collected =
        simulation.collect_until(home.path(), &db, &region, "it is read beside the collection", || {
            let ended = look();
            ended.code == 0
                && !serde_json::from_str::<Value>(&ended.stdout).unwrap()["rows"]
                    .as_array()
                    .unwrap()
                    .is_empty()
        });
    assert_eq!(collected.code, 0, "{}", collected.stderr);
}

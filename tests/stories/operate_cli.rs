//! An operator on the command line: previews that send nothing; changes that are made, refused and undone; their exit
//! codes; and the record of all of it. The simulator's call log shows what was really sent.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use liftdeck_tests::program::{Ended, Simulation, command, only_run, rows, run};
use serde_json::{Value, json};

use crate::free_processes;

const CHANGES: [&str; 8] = ["Create", "Update", "Terminate", "Start", "Stop", "Delete", "Put", "AcceptMatch"];

/// An operator at a frozen simulated world.
struct Desk {
    home: tempfile::TempDir,
    simulation: Simulation,
    region: String,
    db: PathBuf,
}

impl Desk {
    fn open() -> Self {
        Self::at(&["--speed", "0"])
    }

    fn at(more: &[&str]) -> Self {
        let home = tempfile::tempdir().unwrap();
        let mut arguments = vec!["--scenario", "quiet", "--seed", "3"];
        arguments.extend(more);
        let simulation = Simulation::start(home.path(), &arguments);
        let region = simulation.regions().remove(0);
        Self { db: home.path().join("ops.sqlite"), home, simulation, region }
    }

    /// Runs a command with this desk's database and Region.
    fn run(&self, words: &[&str]) -> Ended {
        run(self.home.path(), self.words(words))
    }

    fn words(&self, words: &[&str]) -> Vec<String> {
        let mut all: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let place = [
            "--db",
            &self.db.to_string_lossy(),
            "--region",
            &self.region,
            "--endpoint-url",
            &self.simulation.endpoint(),
        ]
        .map(str::to_owned);
        all.extend(place);
        all
    }

    /// Runs a change with `--yes --json` and returns the result.
    fn made(&self, words: &[&str]) -> Value {
        let mut all = words.to_vec();
        all.extend(["--yes", "--json"]);
        let ended = self.run(&all);
        assert_eq!(ended.code, 0, "{words:?}: {}{}", ended.stdout, ended.stderr);
        serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{error}: {}", ended.stdout))
    }

    fn truth(&self, kind: &str) -> Vec<Value> {
        let truth = self.simulation.get(&format!("/_simulator/truth?region={}", self.region));
        truth[kind].as_array().unwrap_or_else(|| panic!("the truth has no {kind}")).clone()
    }

    fn pass(&self, seconds: u64) {
        self.simulation.post("/_simulator/advance", &json!({ "seconds": seconds }));
    }

    /// Returns the calls of GameLift operations that change something, by operation.
    fn changes(&self) -> Vec<(String, u64)> {
        let calls = self.simulation.get("/_simulator/calls");
        let of_region = calls[&self.region].as_object().cloned().unwrap_or_default();
        let changes = of_region.into_iter().filter_map(|(action, count)| {
            let operation = action.strip_prefix("gamelift:")?.to_owned();
            let changes = CHANGES.iter().any(|word| operation.starts_with(word));
            changes.then(|| (operation, count["calls"].as_u64().unwrap_or(0)))
        });
        changes.collect()
    }

    /// Returns ACTIVE On-Demand fleets that run a build, the one with the most free processes in its home location
    /// first.
    fn fleets(&self) -> Vec<String> {
        let load = self.truth("FleetUtilization");
        let free = |id: &str| -> i64 {
            let of_fleet =
                load.iter().filter(|load| load["FleetId"] == id && load["Location"] == *self.region);
            of_fleet.map(free_processes).sum()
        };
        let mut fleets: Vec<(i64, String)> = self
            .truth("Fleets")
            .into_iter()
            .filter(|fleet| fleet["Status"] == "ACTIVE" && fleet["BuildId"].is_string())
            .filter(|fleet| fleet["ComputeType"] != "ANYWHERE")
            .map(|fleet| fleet["FleetId"].as_str().unwrap().to_owned())
            .map(|id| (-free(&id), id))
            .collect();
        fleets.sort();
        assert!(fleets.len() >= 2, "only {} fleets", fleets.len());
        fleets.into_iter().map(|(_, id)| id).collect()
    }

    /// Returns the full ARNs of ACTIVE game sessions.
    fn sessions(&self) -> Vec<String> {
        let sessions = self.truth("GameSessions").into_iter().filter(|session| session["Status"] == "ACTIVE");
        sessions.map(|session| session["GameSessionId"].as_str().unwrap().to_owned()).collect()
    }

    /// Whether a game session has not ended; the truth omits ended ones after a while.
    fn goes_on(&self, session: &str) -> bool {
        let sessions = self.truth("GameSessions");
        sessions.iter().any(|found| found["GameSessionId"] == session && found["Status"] != "TERMINATED")
    }
}

/// Returns the first attempt of a result.
fn attempt(result: &Value) -> &Value {
    &result["result"]["activities"][0]
}

fn alias_of(desk: &Desk, id: &str) -> Value {
    desk.truth("Aliases").into_iter().find(|alias| alias["AliasId"] == id).unwrap()["RoutingStrategy"].clone()
}

#[test]
fn a_dry_run_shows_everything_and_sends_nothing() {
    let desk = Desk::open();
    let fleets = desk.fleets();
    let alias = desk.truth("Aliases")[0]["AliasId"].as_str().unwrap().to_owned();
    let has_room = |session: &&Value| {
        session["Status"] == "ACTIVE"
            && session["PlayerSessionCreationPolicy"] == "ACCEPT_ALL"
            && session["CurrentPlayerSessionCount"].as_i64() < session["MaximumPlayerSessionCount"].as_i64()
    };
    let sessions = desk.truth("GameSessions");
    let session = sessions.iter().find(has_room).unwrap()["GameSessionId"].as_str().unwrap().to_owned();
    let queue = desk.truth("GameSessionQueues")[0]["Name"].as_str().unwrap().to_owned();
    // A fleet has one target-based policy.
    let targets = |policy: &&Value| policy["FleetId"] == fleets[0] && policy["PolicyType"] == "TargetBased";
    let policies = desk.truth("ScalingPolicies");
    let policy = policies.iter().find(targets).map_or("keep", |policy| policy["Name"].as_str().unwrap());
    for (words, command) in [
        (vec!["session", "create", "--fleet", &fleets[0], "--max-players", "8"], "create-game-session"),
        (vec!["session", "terminate", &session, "--force"], "terminate-game-session"),
        (vec!["session", "reserve", &session, "--player", "ada"], "create-player-sessions"),
        (vec!["alias", "repoint", &alias, "--fleet", &fleets[1]], "update-alias"),
        (vec!["fleet", "capacity", &fleets[0], "--max", "9"], "update-fleet-capacity"),
        (vec!["fleet", "policy", "put", &fleets[0], policy, "--target", "25"], "put-scaling-policy"),
        (vec!["fleet", "scaling", "suspend", &fleets[0]], "stop-fleet-actions"),
        (vec!["placement", "start", &queue, "--max-players", "4"], "start-game-session-placement"),
        (vec!["queue", "update", &queue, "--timeout", "60"], "update-game-session-queue"),
    ] {
        let mut all = words.clone();
        all.push("--dry-run");
        let ended = desk.run(&all);
        assert_eq!(ended.code, 0, "{words:?}: {}", ended.stderr);
        assert!(ended.stdout.contains(&format!("$ aws gamelift {command} ")), "{words:?}: {}", ended.stdout);
        assert!(ended.stdout.contains("Undo: "), "{words:?}: {}", ended.stdout);
        all.push("--json");
        let shown: Value = serde_json::from_str(&desk.run(&all).stdout).unwrap();
        assert!(shown["preview"]["commands"][0].as_str().unwrap().contains(command), "{shown}");
    }
    assert_eq!(desk.changes(), [], "a dry run changed something");
}

#[test]
fn a_session_is_made_in_three_ways_and_ended_in_both() {
    let desk = Desk::open();
    // A session needs up to 7 s to become ACTIVE and up to 45 s to end itself.
    let made = |words: &[&str]| desk.simulation.moved_by_looks(15, || desk.made(words));
    let fleet = desk.fleets().remove(0);
    let alias = desk.made(&["alias", "create", "by hand", "--fleet", &fleet, "--no-wait"]);
    let alias = attempt(&alias)["made"].as_str().unwrap().to_owned();
    let queue = desk.truth("GameSessionQueues")[0]["Name"].as_str().unwrap().to_owned();

    let direct =
        made(&["session", "create", "--fleet", &fleet, "--max-players", "8", "--property", "mode=duel"]);
    let through = made(&["session", "create", "--alias", &alias, "--max-players", "8", "--name", "by alias"]);
    let placed = made(&["session", "create", "--queue", &queue, "--max-players", "8", "--player", "ada"]);
    let mut sessions = Vec::new();
    for result in [&direct, &through, &placed] {
        assert_eq!(attempt(result)["outcome"], "done", "{result}");
        assert_eq!(attempt(result)["effect"]["state"], "seen", "{result}");
        let session = &result["result"]["game_sessions"][0];
        assert!(session["address"].as_str().is_some_and(|address| address.contains(':')), "{result}");
        sessions.push(session["game_session_id"].as_str().unwrap().to_owned());
    }
    let placement = attempt(&placed)["resource"].as_str().unwrap();
    let shown = desk.run(&["placement", "show", placement]);
    assert!(shown.stdout.contains("FULFILLED") && shown.stdout.contains(&sessions[2]), "{}", shown.stdout);

    let slots = made(&["session", "reserve", &sessions[0], "--player", "bo", "cy"]);
    assert_eq!(attempt(&slots)["player_sessions"].as_array().map(Vec::len), Some(2), "{slots}");

    let running = desk.run(&["session", "log", &sessions[0]]);
    assert_eq!(running.code, 1, "{}{}", running.stdout, running.stderr);
    let graceful = made(&["session", "terminate", &sessions[0]]);
    let forced = made(&["session", "terminate", &sessions[1], "--force"]);
    for (result, session) in [(graceful, &sessions[0]), (forced, &sessions[1])] {
        assert_eq!(attempt(&result)["outcome"], "done", "{result}");
        assert!(!desk.goes_on(session), "{result}");
    }
    let copy = desk.home.path().join("log.zip");
    let log = desk.run(&["session", "log", &sessions[1], "--out", &copy.to_string_lossy()]);
    assert_eq!(log.code, 0, "{}{}", log.stdout, log.stderr);
    assert!(std::fs::read(&copy).unwrap().starts_with(b"PK"), "a zip");
}

#[test]
fn a_repoint_is_undone_exactly() {
    let desk = Desk::open();
    let fleets = desk.fleets();
    let aliases = desk.truth("Aliases");
    let alias = aliases.iter().find(|alias| alias["RoutingStrategy"]["Type"] == "SIMPLE").unwrap();
    let id = alias["AliasId"].as_str().unwrap();
    let before = alias["RoutingStrategy"].clone();
    let to = fleets.iter().find(|fleet| before["FleetId"] != ***fleet).unwrap();

    desk.made(&["alias", "repoint", id, "--fleet", to, "--no-wait"]);
    assert_eq!(alias_of(&desk, id)["FleetId"], *to.as_str());
    desk.made(&["alias", "repoint", id, "--message", "Back at nine", "--no-wait"]);
    assert_eq!(alias_of(&desk, id)["Type"], "TERMINAL");
    desk.made(&["alias", "undo", id, "--no-wait"]);
    assert_eq!(alias_of(&desk, id)["FleetId"], *to.as_str());
    desk.made(&["alias", "undo", id, "--no-wait"]);
    assert_eq!(alias_of(&desk, id), before);
    let nothing = desk.run(&["alias", "undo", id, "--yes", "--no-wait"]);
    assert_eq!(nothing.code, 3, "{}{}", nothing.stdout, nothing.stderr);

    let rows = rows(desk.home.path(), &desk.db, &["activity", "list"]);
    assert_eq!(rows.len(), 4, "{rows:?}");
    assert!(rows.iter().all(|row| row["outcome"] == "done" && row["request_id"].is_string()), "{rows:?}");
    assert!(rows[0]["undo_of"] == rows[3]["id"] && rows[1]["undo_of"] == rows[2]["id"], "{rows:?}");
    let facts = rows[3]["facts"].to_string();
    assert!(facts.contains(to), "{facts}");
}

#[test]
fn exit_codes_tell_what_happened() {
    let desk = Desk::open();
    let fleet = desk.fleets().remove(0);

    // 2: the form is invalid, and every invalid field is named before AWS is called.
    let usage = desk.run(&["session", "create", "--fleet", "Fleet 1", "--max-players", "201", "--yes"]);
    assert_eq!(usage.code, 2, "{}", usage.stderr);
    assert!(
        usage.stderr.contains("target:") && usage.stderr.contains("maximumPlayerSessionCount:"),
        "{}",
        usage.stderr
    );
    assert_eq!(desk.run(&["session", "create", "--max-players", "8", "--yes"]).code, 2, "no target");
    let players = ["session", "create", "--fleet", &fleet, "--max-players", "8", "--player", "ada", "--yes"];
    assert_eq!(desk.run(&players).code, 2, "players need a queue");

    // 3: there is nobody to answer the prompt.
    let unasked = desk.run(&["session", "create", "--fleet", &fleet, "--max-players", "8"]);
    assert_eq!(unasked.code, 3, "{}", unasked.stderr);
    assert!(unasked.stderr.contains("--yes"), "{}", unasked.stderr);
    assert!(!desk.db.exists(), "no database is made for nothing");
    assert_eq!(desk.changes(), []);

    // 3: the preview says that AWS would refuse it, so it is not sent.
    let never = format!("arn:aws:gamelift:{}::gamesession/{fleet}/never-was", desk.region);
    for consent in ["--yes", "--dry-run"] {
        let failed = desk.run(&["session", "reserve", &never, "--player", "ada", consent]);
        assert_eq!(failed.code, 3, "{}{}", failed.stdout, failed.stderr);
        assert!(failed.stdout.contains("never-was"), "{}", failed.stdout);
        assert!(failed.stderr.contains("1 that AWS would refuse"), "{}", failed.stderr);
    }
    assert_eq!(desk.changes(), []);

    // 1: the service's refusal is shown with code and request id, and is on record.
    let session = desk.sessions().remove(0);
    let refuses = json!({ "operation": "gamelift:CreatePlayerSessions", "kind": "status", "status": 400 });
    desk.simulation.post("/_simulator/faults", &json!({ "fault": [refuses] }));
    let words = ["session", "update", &session, "--max-players", "199", "--accept"];
    desk.made(&[&words[..], &["--no-wait"]].concat());
    let refused = desk.run(&["session", "reserve", &session, "--player", "ada", "--yes"]);
    assert_eq!(refused.code, 1, "{}{}", refused.stdout, refused.stderr);
    assert!(
        refused.stderr.contains("Exception") && refused.stderr.contains("request "),
        "{}",
        refused.stderr
    );
    let said = refused.stderr.lines().next().unwrap().trim_start_matches("liftdeck: ");
    assert!(refused.stdout.contains("failed") && !refused.stdout.contains(said), "once: {}", refused.stdout);
    let list = run(
        desk.home.path(),
        ["activity", "list", "--outcome", "failed", "--db", &desk.db.to_string_lossy()],
    );
    assert!(list.stdout.contains("CreatePlayerSessions"), "{}", list.stdout);

    // 3: whatever prevents sending also fails the preview.
    let config = desk.home.path().join("config");
    std::fs::create_dir_all(&config).unwrap();
    std::fs::write(config.join("connections.json"), "no connections").unwrap();
    let doubted = desk.run(&["fleet", "protect", &fleet, "--dry-run"]);
    assert_eq!(doubted.code, 3, "{}{}", doubted.stdout, doubted.stderr);
    assert!(doubted.stdout.contains("Protection") && !doubted.stderr.is_empty(), "{}", doubted.stdout);
}

#[test]
fn production_wants_its_name_typed_also_when_only_the_database_is_named() {
    let desk = Desk::open();
    desk.simulation.declare_production(desk.home.path(), &desk.region, "Live");
    let fleet = desk.fleets().remove(0);
    let by_name = |more: &[&str]| {
        let mut words =
            vec!["fleet", "capacity", &fleet, "--max", "40", "--yes", "--no-wait", "--connection", "Live"];
        words.extend(more);
        run(desk.home.path(), words)
    };
    for more in [&[][..], &["--confirm", "Test"]] {
        let refused = by_name(more);
        assert_eq!(refused.code, 3, "{}{}", refused.stdout, refused.stderr);
        assert!(refused.stderr.contains("Live"), "{}", refused.stderr);
    }
    let by_file = desk.run(&["fleet", "capacity", &fleet, "--max", "40", "--yes", "--no-wait"]);
    assert_eq!(by_file.code, 3, "{}{}", by_file.stdout, by_file.stderr);
    assert_eq!(desk.changes(), []);
    let made = by_name(&["--confirm", "Live"]);
    assert_eq!(made.code, 0, "{}{}", made.stdout, made.stderr);
    assert_eq!(desk.changes(), [("UpdateFleetCapacity".to_owned(), 1)]);
    assert_eq!(run(desk.home.path(), ["activity", "list", "--connection", "nowhere"]).code, 2);
}

/// Runs a command with these lines on its standard input.
fn piped(home: &Path, words: &[String], lines: &str) -> Ended {
    let mut command = command(home);
    command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    child.wait_with_output().unwrap().into()
}

#[test]
fn a_bulk_change_from_stdin_is_partly_done_when_some_of_it_has_ended() {
    let desk = Desk::open();
    let ended = desk.sessions().remove(0);
    desk.made(&["session", "terminate", &ended, "--force", "--no-wait"]);
    desk.pass(60);
    assert!(!desk.goes_on(&ended));
    let mut lines: Vec<String> = desk.sessions().into_iter().take(10).collect();
    assert_eq!(lines.len(), 10);
    lines.insert(3, ended);
    let words = desk.words(&["session", "update", "-", "--deny", "--yes", "--json"]);
    let partly = piped(desk.home.path(), &words, &lines.join("\n"));
    assert_eq!(partly.code, 4, "{}{}", partly.stdout, partly.stderr);
    let told: Value = serde_json::from_str(&partly.stdout).unwrap();
    let run = &told["result"]["run"];
    assert_eq!((&run["done"], &run["failed"], &run["left"]), (&json!(10), &json!(0), &json!(0)), "{run}");
    let [skipped] = told["preview"]["skipped"].as_array().unwrap().as_slice() else { panic!("{told}") };
    assert!(skipped["resource"] == lines[3] && skipped["reason"] == "ended", "{skipped}");
    let updates = desk.changes().into_iter().find(|(operation, _)| operation == "UpdateGameSession");
    assert_eq!(updates.map(|(_, calls)| calls), Some(10), "each was sent once, what has ended never");
    let listed = only_run(desk.home.path(), &desk.db);
    assert_eq!((&listed["id"], &listed["state"]), (&run["id"], &json!("finished")), "{listed}");
}

#[test]
fn a_pipeline_of_empty_sessions_ends_those_that_live_and_leaves_out_the_ended() {
    let desk = Desk::open();
    let fleet = desk.fleets().remove(0);
    let mut made: Vec<String> = (0..5)
        .map(|_| {
            // The world stands still: no effect is visible until it is advanced.
            let words = ["session", "create", "--fleet", &fleet, "--max-players", "4", "--no-wait"];
            let told = desk.made(&words);
            attempt(&told)["made"].as_str().unwrap().to_owned()
        })
        .collect();
    desk.pass(30);
    let chosen = |query: &str| -> Vec<String> {
        let db = desk.db.to_string_lossy();
        let words = ["export", "game-sessions", "--db", &db, "--where", query];
        let ended = run(desk.home.path(), words);
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        let id = |row: &Value| row["game_session_id"].as_str().unwrap().to_owned();
        ended.ndjson().iter().map(id).collect()
    };
    let collect = |what: &str, is_so: &dyn Fn(&[String]) -> bool| {
        let live = || is_so(&chosen("players=0 status=ACTIVE"));
        let collected = desk.simulation.collect_until(desk.home.path(), &desk.db, &desk.region, what, live);
        assert_eq!(collected.code, 0, "{}", collected.stderr);
    };
    collect("what was made is on record", &|live| made.iter().all(|id| live.contains(id)));
    let over = made.split_off(3);
    desk.made(&[&["session", "terminate", "--force", "--no-wait"], &[&*over[0], &*over[1]][..]].concat());
    desk.pass(60);
    collect("what was ended is on record", &|live| over.iter().all(|id| !live.contains(id)));
    let all = chosen("players=0");
    assert!(over.iter().all(|id| all.contains(id)), "what has ended is empty too: {all:?}");
    let live = chosen("players=0 status=ACTIVE");
    assert!(made.iter().all(|id| live.contains(id)) && over.iter().all(|id| !live.contains(id)), "{live:?}");
    let sent = || {
        let changes = desk.changes().into_iter();
        changes
            .filter(|(operation, _)| operation == "TerminateGameSession")
            .map(|(_, calls)| calls)
            .sum::<u64>()
    };
    let before = sent();

    let words = desk.words(&["session", "terminate", "-", "--dry-run"]);
    let as_json = desk.words(&["session", "terminate", "-", "--dry-run", "--json"]);
    let looked = piped(desk.home.path(), &as_json, &all.join("\n"));
    assert_eq!(looked.code, 4, "{}", looked.stderr);
    let told: Value = serde_json::from_str(&looked.stdout).unwrap();
    let named = |list: &str| -> Vec<&str> {
        let rows = told["preview"][list].as_array().unwrap().iter();
        rows.map(|row| row["resource"].as_str().unwrap()).collect()
    };
    // Besides the ACTIVE ones, sessions that are just starting are empty and live.
    let (offered, left_out) = (named("items"), named("skipped"));
    assert_eq!(offered.len() + left_out.len(), all.len());
    assert!(live.iter().all(|id| offered.contains(&id.as_str())), "{offered:?}");
    assert!(over.iter().all(|id| left_out.contains(&id.as_str())), "what has ended is never offered");
    let skipped = told["preview"]["skipped"].as_array().unwrap();
    assert!(skipped.iter().all(|row| row["reason"] == "ended"));
    let looked = piped(desk.home.path(), &words, &all.join("\n"));
    let counted = looked.stdout.lines().find(|line| line.starts_with("Left out: ")).unwrap();
    let counted: String = counted.chars().filter(char::is_ascii_digit).collect();
    assert_eq!(counted, left_out.len().to_string(), "{}", looked.stderr);
    let looked = piped(desk.home.path(), &words, &over.join("\n"));
    assert_eq!(looked.code, 3, "{}{}", looked.stdout, looked.stderr);
    let looked = piped(desk.home.path(), &words, &live.join("\n"));
    assert_eq!(looked.code, 0, "{}{}", looked.stdout, looked.stderr);
    let asked = |query: &str| {
        let words = ["session", "terminate", "--where", query, "--dry-run", "--json"];
        run(desk.home.path(), desk.words(&words))
    };
    let looked = asked("-status:activating players=0 status=active");
    assert_eq!(looked.code, 0, "{}{}", looked.stdout, looked.stderr);
    let told: Value = serde_json::from_str(&looked.stdout).unwrap();
    assert_eq!(
        told["preview"]["items"].as_array().unwrap().len(),
        live.len(),
        "what has ended does not match"
    );
    assert_eq!(asked("ended:crashed players=0").code, 3, "nothing that has ended is offered");
    assert_eq!(asked(" ").code, 2, "a blank query would mean every game session");
    assert_eq!(sent(), before);

    let words = desk.words(&["session", "terminate", "-", "--force", "--yes", "--confirm", "ops", "--json"]);
    let nothing = piped(desk.home.path(), &words, &over.join("\n"));
    assert_eq!(nothing.code, 3, "{}{}", nothing.stdout, nothing.stderr);
    let partly = piped(desk.home.path(), &words, &all.join("\n"));
    assert_eq!(partly.code, 4, "{}{}", partly.stdout, partly.stderr);
    assert_eq!(sent(), before + offered.len() as u64, "what has ended is not asked to end");
    desk.pass(60);
    assert!(made.iter().all(|id| !desk.goes_on(id)));
}

#[test]
fn a_search_asks_gamelift_in_its_own_words_and_points_at_what_it_would_not_understand() {
    let desk = Desk::open();
    let fleet = desk.fleets().remove(0);
    let search =
        |words: &[&str]| desk.run(&[&["session", "search", "--fleet", fleet.as_str()], words].concat());
    let all = search(&["--sort", "playerSessionCount DESC", "--json"]);
    assert_eq!(all.code, 0, "{}", all.stderr);
    let found: Value = serde_json::from_str(&all.stdout).unwrap();
    let rows = found["rows"].as_array().unwrap();
    let live = desk.sessions();
    assert!(!rows.is_empty(), "{}", all.stdout);
    for row in rows {
        let id = row["game_session_id"].as_str().unwrap();
        assert!(live.iter().any(|known| known == id) && row["fleet_id"] == fleet, "{row}");
    }
    let players = |row: &Value| row["current_player_session_count"].as_i64().unwrap();
    assert!(rows.windows(2).all(|pair| players(&pair[0]) >= players(&pair[1])), "in the order asked for");
    let crowded = players(&rows[0]);
    let fullest = search(&["--filter", &format!("playerSessionCount>={crowded}")]);
    let count = rows.iter().filter(|row| players(row) >= crowded).count();
    assert_eq!((fullest.code, fullest.stdout.lines().count()), (0, count + 1), "{}", fullest.stdout);
    let wrong = search(&["--filter", "players > 1"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("players > 1\n^^^^^^^"), "{}", wrong.stderr);
    assert!(!desk.db.exists(), "who only looks makes no database");
}

//! Long or failing changes on the command line: interrupted, killed, unanswered. Nothing is sent twice, nothing goes
//! unrecorded, and the rest can be completed.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use liftdeck_tests::post::Post;
use liftdeck_tests::program::{Ended, Group, Simulation, command, eventually, only_run, rows, run};
use serde_json::{Value, json};

use crate::free_processes;

use crate::aged::a_drain_led_elsewhere_earlier;

/// An operator at a simulated world.
struct Desk {
    home: tempfile::TempDir,
    simulation: Simulation,
    region: String,
    /// The endpoint where the program reaches AWS.
    endpoint: String,
    db: PathBuf,
}

impl Desk {
    fn at(speed: &str) -> Self {
        let home = tempfile::tempdir().unwrap();
        let simulation =
            Simulation::start(home.path(), &["--scenario", "quiet", "--seed", "5", "--speed", speed]);
        let region = simulation.regions().remove(0);
        let endpoint = simulation.endpoint();
        Self { db: home.path().join("ops.sqlite"), home, simulation, region, endpoint }
    }

    fn words(&self, words: &[&str]) -> Vec<String> {
        let db = self.db.to_string_lossy();
        let place = ["--db", &db, "--region", &self.region, "--endpoint-url", &self.endpoint];
        words.iter().chain(&place).map(|word| (*word).to_owned()).collect()
    }

    fn run(&self, words: &[&str]) -> Ended {
        run(self.home.path(), self.words(words))
    }

    /// Runs a change without a prompt and returns the result.
    fn made(&self, words: &[&str]) -> Value {
        let mut all = words.to_vec();
        all.extend(["--yes", "--json", "--no-wait"]);
        let ended = self.run(&all);
        assert_eq!(ended.code, 0, "{words:?}: {}{}", ended.stdout, ended.stderr);
        serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{error}: {}", ended.stdout))
    }

    /// Starts a command and leaves it running.
    fn begin(&self, words: &[String]) -> Group {
        let mut command = command(self.home.path());
        Group::spawn(command.args(words).stdout(Stdio::null()).stderr(Stdio::null()))
    }

    fn truth(&self, kind: &str) -> Vec<Value> {
        let truth = self.simulation.get(&format!("/_simulator/truth?region={}", self.region));
        truth[kind].as_array().unwrap_or_else(|| panic!("the truth has no {kind}")).clone()
    }

    /// Returns this many active game sessions.
    fn sessions(&self, many: usize) -> Vec<String> {
        self.simulation.until(&format!("{many} game sessions"), || {
            let mut sessions = self.truth("GameSessions");
            sessions.retain(|session| session["Status"] == "ACTIVE");
            let ids = sessions.iter().map(|session| session["GameSessionId"].as_str().unwrap().to_owned());
            (sessions.len() >= many).then(|| ids.take(many).collect())
        })
    }

    /// Counts the live game sessions of a fleet.
    fn live(&self, fleet: &str) -> usize {
        let sessions = self.truth("GameSessions");
        let is_over = |session: &&Value| session["Status"] == "TERMINATED" || session["Status"] == "ERROR";
        sessions.iter().filter(|session| session["FleetId"] == fleet && !is_over(session)).count()
    }

    fn pass(&self, seconds: u64) {
        self.simulation.post("/_simulator/advance", &json!({ "seconds": seconds }));
    }

    fn calls(&self, operation: &str) -> u64 {
        let calls = self.simulation.get("/_simulator/calls");
        calls[&self.region][format!("gamelift:{operation}")]["calls"].as_u64().unwrap_or(0)
    }

    /// Counts all GameLift calls of the program.
    fn all_calls(&self) -> u64 {
        let calls = self.simulation.get("/_simulator/calls");
        let asked = calls[&self.region].as_object().into_iter().flat_map(|operations| operations.values());
        asked.map(|counted| counted["calls"].as_u64().unwrap_or(0)).sum()
    }

    /// Returns the id and state of the only run on record.
    fn only_run(&self) -> (String, String) {
        let run = only_run(self.home.path(), &self.db);
        (run["id"].as_str().unwrap().to_owned(), run["state"].as_str().unwrap().to_owned())
    }
}

#[test]
fn an_interrupted_bulk_change_is_paused_and_goes_on_where_it_stopped() {
    let desk = Desk::at("0");
    let sessions = desk.sessions(40);
    // Slow enough that most are still unsent when it is interrupted, even if it reacts late.
    let slow = json!({ "operation": "gamelift:UpdateGameSession", "kind": "latency", "latency_ms": 3_000 });
    desk.simulation.post("/_simulator/faults", &json!({ "fault": [slow] }));
    let mut words = desk.words(&["session", "update", "--name", "renamed", "--yes"]);
    words.splice(2..2, sessions);
    let mut begun = desk.begin(&words);
    eventually(Duration::from_secs(240), "some changes are sent", || {
        (desk.calls("UpdateGameSession") >= 4).then_some(())
    });
    begun.signal("-INT");
    assert_eq!(begun.wait(Duration::from_secs(60)), 4);
    let sent = desk.calls("UpdateGameSession");
    assert!((4..40).contains(&sent), "{sent} sent before the interruption");
    desk.simulation.post("/_simulator/faults", &json!({ "fault": [] }));
    let (id, state) = desk.only_run();
    assert_eq!(state, "paused");

    assert_eq!(desk.run(&["activity", "resume", &id]).code, 3, "there is nobody to ask");
    let live = desk.simulation.declare_production(desk.home.path(), &desk.region, "Live");
    for more in [&[][..], &["--confirm", "Test"]] {
        let mut words = vec!["activity", "resume", &id, "--yes"];
        words.extend(more);
        let refused = desk.run(&words);
        assert_eq!(refused.code, 3, "{}{}", refused.stdout, refused.stderr);
        assert!(refused.stderr.contains("Live"), "production asks for its name: {}", refused.stderr);
    }
    std::fs::remove_file(live).unwrap();
    assert_eq!(desk.calls("UpdateGameSession"), sent);
    let resumed = desk.run(&["activity", "resume", &id, "--yes"]);
    assert_eq!(resumed.code, 0, "{}{}", resumed.stdout, resumed.stderr);
    assert_eq!(desk.calls("UpdateGameSession"), 40, "each was sent once");
    let renamed =
        desk.truth("GameSessions").into_iter().filter(|session| session["Name"] == "renamed").count();
    assert_eq!(renamed, 40);
}

#[test]
fn a_run_resumed_over_sessions_that_filled_up_cuts_nobody_off() {
    let desk = Desk::at("0");
    // The fleet with the most free processes in its home location, which differs between night and day. One fleet
    // allows no more than five game sessions for one creator.
    let load = desk.truth("FleetUtilization").into_iter().filter(|load| load["Location"] == *desk.region);
    let fleet = load.max_by_key(free_processes).unwrap()["FleetId"].as_str().unwrap().to_owned();
    let sessions: Vec<String> = (0..7)
        .map(|creator| {
            let creator = format!("operator-{creator}");
            let made = desk.made(&[
                "session",
                "create",
                "--fleet",
                &fleet,
                "--max-players",
                "4",
                "--creator",
                &creator,
            ]);
            made["result"]["activities"][0]["made"].as_str().unwrap().to_owned()
        })
        .collect();
    desk.pass(30);
    // The first four take so long that the others are still unsent when it is interrupted.
    let slow = json!({ "operation": "gamelift:TerminateGameSession", "kind": "latency", "latency_ms": 5_000, "count": 4 });
    desk.simulation.post("/_simulator/faults", &json!({ "fault": [slow] }));
    let mut words = desk.words(&["session", "terminate", "--force", "--yes"]);
    words.splice(2..2, sessions.iter().cloned());
    let mut begun = desk.begin(&words);
    eventually(Duration::from_secs(240), "four are on their way", || {
        (desk.calls("TerminateGameSession") == 4).then_some(())
    });
    begun.signal("-INT");
    assert_eq!(begun.wait(Duration::from_secs(120)), 4);
    assert_eq!(desk.calls("TerminateGameSession"), 4);
    let (id, state) = desk.only_run();
    assert_eq!(state, "paused");
    for session in &sessions[4..6] {
        desk.made(&["session", "reserve", session, "--player", "ada"]);
    }

    let looked = desk.run(&["activity", "resume", &id, "--dry-run", "--json"]);
    assert_eq!(looked.code, 4, "a part would be left out: {}{}", looked.stdout, looked.stderr);
    assert_eq!(desk.calls("TerminateGameSession"), 4);
    let resumed = desk.run(&["activity", "resume", &id, "--yes", "--json"]);
    assert_eq!(resumed.code, 4, "{}{}", resumed.stdout, resumed.stderr);
    let told: Value = serde_json::from_str(&resumed.stdout).unwrap();
    let skipped = told["preview"]["skipped"].as_array().unwrap();
    let named: Vec<&str> = skipped.iter().map(|one| one["resource"].as_str().unwrap()).collect();
    assert_eq!(named, [&sessions[4], &sessions[5]], "{told}");
    assert!(skipped.iter().all(|one| one["reason"] == "moved"), "{told}");
    let run = &told["result"]["run"];
    assert_eq!((&run["done"], &run["skipped"], &run["left"]), (&json!(5), &json!(2), &json!(0)), "{run}");
    assert_eq!(desk.calls("TerminateGameSession"), 5);
    let goes_on = |session: &String| {
        let all = desk.truth("GameSessions");
        all.iter().any(|found| found["GameSessionId"] == **session && found["Status"] == "ACTIVE")
    };
    assert!(sessions[4..6].iter().all(goes_on), "nobody who plays is cut off");
}

#[test]
fn an_unanswered_change_is_unknown_until_it_is_settled() {
    let desk = Desk::at("0");
    let fleet = desk.truth("Fleets").into_iter().find(|fleet| fleet["Status"] == "ACTIVE").unwrap();
    let fleet = fleet["FleetId"].as_str().unwrap();
    // The response is cut off after the change has happened.
    let cut = json!({ "fault": [{ "operation": "gamelift:CreateAlias", "kind": "truncate", "count": 1 }] });
    desk.simulation.post("/_simulator/faults", &cut);
    let lost = desk.run(&["alias", "create", "made in silence", "--fleet", fleet, "--yes", "--no-wait"]);
    assert_eq!(lost.code, 1, "{}{}", lost.stdout, lost.stderr);
    assert!(lost.stderr.contains("activity settle "), "{}", lost.stderr);
    assert_eq!(desk.calls("CreateAlias"), 1, "it would be made twice");
    let list = rows(desk.home.path(), &desk.db, &["activity", "list"]);
    let id = list[0]["id"].as_str().unwrap();
    let settled = desk.run(&["activity", "settle", id, "--json"]);
    assert_eq!(settled.code, 0, "{}{}", settled.stdout, settled.stderr);
    let settled: Value = serde_json::from_str(&settled.stdout).unwrap();
    assert_eq!(settled["result"]["activities"][0]["outcome"], "done", "{settled}");
    assert_eq!(desk.calls("CreateAlias"), 1);
}

#[test]
fn a_fleet_a_queue_a_script_and_a_ticket_are_changed_and_put_back() {
    let desk = Desk::at("0");
    let fleet = desk.truth("Fleets").into_iter().find(|fleet| {
        fleet["Status"] == "ACTIVE" && fleet["BuildId"].is_string() && fleet["ComputeType"] != "ANYWHERE"
    });
    let fleet = fleet.unwrap()["FleetId"].as_str().unwrap().to_owned();
    let undo = |made: &Value| {
        let id = made["result"]["activities"][0]["id"].as_str().unwrap();
        desk.made(&["activity", "undo", id]);
    };

    let queue_of =
        |name: &str| desk.truth("GameSessionQueues").into_iter().find(|queue| queue["Name"] == name);
    let queue = desk.truth("GameSessionQueues").remove(0);
    let name = queue["Name"].as_str().unwrap();
    let words = ["queue", "update", name, "--timeout", "77", "--latency-policy", "80:30", "120"];
    let made = desk.made(&words);
    let changed = queue_of(name).unwrap();
    assert_eq!(changed["TimeoutInSeconds"], 77);
    assert_eq!(changed["PlayerLatencyPolicies"].as_array().map(Vec::len), Some(2));
    undo(&made);
    assert_eq!(queue_of(name).unwrap(), queue, "the queue is as it was");

    let put = [
        "fleet",
        "policy",
        "put",
        &fleet,
        "shrink",
        "--metric",
        "IdleInstances",
        "--when",
        "GreaterThanThreshold",
    ];
    let put = [&put[..], &["--threshold", "2.5", "--for", "5", "--by", "ChangeInCapacity", "--change", "-1"]]
        .concat();
    let policies = || {
        let all = desk.truth("ScalingPolicies").into_iter();
        all.filter(|policy| policy["Name"] == "shrink" && policy["FleetId"] == *fleet).count()
    };
    let made = desk.made(&put);
    assert!(policies() > 0);
    undo(&made);
    desk.pass(120);
    assert_eq!(policies(), 0);

    let script = desk.truth("Scripts").remove(0)["ScriptId"].as_str().unwrap().to_owned();
    let rubbish = desk.home.path().join("rubbish.zip");
    std::fs::write(&rubbish, "not a zip").unwrap();
    let refused = desk.run(&["script", "upload", &script, &rubbish.to_string_lossy(), "--yes"]);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    assert!(refused.stderr.contains("rubbish.zip"), "{}", refused.stderr);
    let zip = desk.home.path().join("script.zip");
    std::fs::write(&zip, include_bytes!("../../src-tauri/crates/gateway/tests/simulated/script.zip"))
        .unwrap();
    desk.made(&["script", "upload", &script, &zip.to_string_lossy(), "--version", "by hand"]);
    let scripts = desk.truth("Scripts");
    assert!(scripts.iter().any(|found| found["ScriptId"] == *script && found["Version"] == "by hand"));

    let configuration =
        desk.truth("MatchmakingConfigurations").remove(0)["Name"].as_str().unwrap().to_owned();
    let start = ["matchmaking", "start", &configuration, "--ticket", "t-1", "--player", "ada"];
    let start = [&start[..], &["--attribute", "skill=1000", "--latency", "eu-west-1=20"]].concat();
    desk.made(&start);
    let shown = desk.run(&["matchmaking", "show", "t-1", "never-was"]);
    assert_eq!(shown.code, 4, "{}", shown.stderr);
    assert!(
        shown.stdout.contains("t-1") && shown.stderr.contains("never-was"),
        "{}{}",
        shown.stdout,
        shown.stderr
    );
    desk.made(&["matchmaking", "stop", "t-1"]);
    let shown = desk.run(&["matchmaking", "show", "t-1"]);
    assert!(shown.stdout.contains("CANCELLED"), "{}", shown.stdout);
}

/// Returns the routes for draining a fleet: its aliases to another fleet, its queues without it. `None` if it would
/// never become empty: no queue leads there, so games create sessions in the fleet directly, or a queue has no other
/// destination.
fn routes(desk: &Desk, fleet: &str, to: &str) -> Option<Vec<String>> {
    let mut routes = Vec::new();
    for alias in desk.truth("Aliases") {
        if alias["RoutingStrategy"]["FleetId"] == fleet {
            routes.extend(["--alias".to_owned(), format!("{}={to}", alias["AliasId"].as_str().unwrap())]);
        }
    }
    for queue in desk.truth("GameSessionQueues") {
        let arns: Vec<&str> = queue["Destinations"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|destination| destination["DestinationArn"].as_str())
            .collect();
        let left: Vec<&str> = arns.iter().copied().filter(|arn| !arn.ends_with(fleet)).collect();
        if left.is_empty() && !arns.is_empty() {
            return None;
        }
        if left.len() < arns.len() {
            routes.extend([
                "--queue".to_owned(),
                format!("{}={}", queue["Name"].as_str().unwrap(), left.join(",")),
            ]);
        }
    }
    routes.iter().any(|word| word == "--queue").then_some(routes)
}

#[test]
fn a_drain_killed_half_way_is_finished_after_a_restart() {
    // The world stands still until the program is killed, so that the kill happens at the chosen step. It is then
    // advanced by hand until the fleet is empty.
    let mut desk = Desk::at("0");
    let post = Post::before(&desk.endpoint);
    desk.endpoint.clone_from(&post.endpoint);
    let (fleet, routes) = desk.simulation.until("a fleet a queue leads to, with game sessions", || {
        let mut fleets: Vec<(usize, String)> = Vec::new();
        for fleet in desk.truth("Fleets") {
            if fleet["Status"] == "ACTIVE" && fleet["ComputeType"] != "ANYWHERE" {
                let id = fleet["FleetId"].as_str().unwrap().to_owned();
                fleets.push((desk.live(&id), id));
            }
        }
        fleets.sort();
        let routed = |id: &String| {
            fleets.iter().find(|(_, other)| other != id).and_then(|(_, to)| routes(&desk, id, to))
        };
        let busy = fleets.iter().filter(|(live, _)| *live > 4);
        busy.filter_map(|(_, id)| Some((id.clone(), routed(id)?))).next()
    });
    let mut words = desk.words(&["fleet", "drain", &fleet, "--protect", "--yes", "--confirm", "ops"]);
    words.extend(routes);
    let mut begun = desk.begin(&words);
    eventually(Duration::from_secs(400), "scaling is suspended", || {
        (desk.calls("StopFleetActions") > 0).then_some(())
    });
    begun.kill();
    assert!(desk.live(&fleet) > 4, "the world stood still");

    let (id, _) = desk.only_run();
    // AWS: fleet settings take up to a minute to show. New game sessions may arrive for two more minutes after the
    // queue was changed.
    desk.pass(120);
    a_drain_led_elsewhere_earlier(&desk.db, 2);
    let resumed = std::thread::scope(|scope| {
        // It pauses again while a request from before the kill may still arrive.
        let resumed = scope.spawn(|| {
            eventually(Duration::from_secs(180), "it is known what arrived", || {
                post.moves_on();
                let ended = desk.run(&["activity", "resume", &id, "--yes", "--confirm", "ops", "--json"]);
                (desk.only_run().1 != "paused").then_some(ended)
            })
        });
        while !resumed.is_finished() {
            let asked = desk.all_calls();
            desk.pass(if desk.live(&fleet) > 0 { 900 } else { 60 });
            eventually(Duration::from_secs(180), "the program looks at the world again, or ends", || {
                (resumed.is_finished() || desk.all_calls() > asked).then_some(())
            });
        }
        resumed.join().unwrap()
    });
    assert_eq!(resumed.code, 0, "{}{}", resumed.stdout, resumed.stderr);
    assert_eq!(desk.only_run(), (id, "finished".to_owned()));
    // AWS: a new capacity takes up to a minute to show.
    desk.pass(120);
    let capacity = desk.truth("FleetCapacity");
    let of_fleet: Vec<&Value> = capacity.iter().filter(|found| found["FleetId"] == *fleet).collect();
    assert_eq!(desk.calls("StopFleetActions"), of_fleet.len() as u64, "each location was suspended once");
    assert!(!of_fleet.is_empty());
    assert!(of_fleet.iter().all(|found| found["InstanceCounts"]["DESIRED"] == 0), "{of_fleet:?}");
    assert_eq!(desk.live(&fleet), 0);
    let open = ["activity", "list", "--outcome", "sending"];
    assert_eq!(rows(desk.home.path(), &desk.db, &open), Vec::<Value>::new());
}

//! The guard under fire: the program killed at every step of a change, refused by itself and by the service,
//! throttled.
//!
//! Owns what these stories share: an operator at a simulated world, and what the world and the record say about a
//! change afterwards. There is one file for each kind of trouble in the folder `guard`.

mod bulk;
mod drained;
mod held;
mod killed;
mod pace;
mod random;
mod refused;

use std::path::PathBuf;
use std::process::Stdio;
use std::time::{SystemTime, UNIX_EPOCH};

use liftdeck_tests::post::Post;
use liftdeck_tests::program::{Ended, Group, Simulation, command, run};
use serde_json::{Value, json};

use crate::free_processes;

/// Advances a world by the time it took to start, because new resources are recognized by their creation time.
fn on_time(simulation: &Simulation, region: &str) {
    let world = simulation.get(&format!("/_simulator/truth?region={region}"))["Now"].as_f64().unwrap();
    let here = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs_f64();
    simulation.post("/_simulator/advance", &json!({ "seconds": (here - world).max(0.0) as u64 }));
}

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
    fn at(arguments: &[&str]) -> Self {
        let home = tempfile::tempdir().unwrap();
        let simulation = Simulation::start(home.path(), arguments);
        let region = simulation.regions().remove(0);
        let endpoint = simulation.endpoint();
        if !arguments.contains(&"--speed") {
            on_time(&simulation, &region);
        }
        Self { db: home.path().join("guard.sqlite"), home, simulation, region, endpoint }
    }

    fn words(&self, words: &[&str]) -> Vec<String> {
        let db = self.db.to_string_lossy();
        let place = ["--db", &db, "--region", &self.region, "--endpoint-url", &self.endpoint];
        words.iter().chain(&place).map(|word| (*word).to_owned()).collect()
    }

    fn run(&self, words: &[&str]) -> Ended {
        run(self.home.path(), self.words(words))
    }

    /// Makes a change without a prompt and without waiting for its effect.
    fn made(&self, words: &[&str]) {
        let ended = self.run(&[words, &["--yes", "--no-wait"]].concat());
        assert_eq!(ended.code, 0, "{words:?}: {}{}", ended.stdout, ended.stderr);
    }

    /// Starts a change without a prompt and leaves it running.
    fn begin(&self, words: &[&str]) -> Group {
        let mut command = command(self.home.path());
        command.args(self.words(&[words, &["--yes", "--no-wait"]].concat()));
        Group::spawn(command.stdout(Stdio::null()).stderr(Stdio::null()))
    }

    /// Resumes a run and leaves it running.
    fn begin_resuming(&self, run: &str) -> Group {
        // Many game sessions require a typed confirmation even outside production.
        self.begin(&["activity", "resume", run, "--confirm", "guard"])
    }

    fn truth(&self, kind: &str) -> Vec<Value> {
        let truth = self.simulation.get(&format!("/_simulator/truth?region={}", self.region));
        truth[kind].as_array().unwrap_or_else(|| panic!("the truth has no {kind}")).clone()
    }

    fn faults(&self, faults: &Value) {
        self.simulation.post("/_simulator/faults", &json!({ "fault": faults }));
    }

    /// Returns how often the world received an operation.
    fn calls(&self, operation: &str) -> u64 {
        let calls = self.simulation.get("/_simulator/calls");
        calls[&self.region][format!("gamelift:{operation}")]["calls"].as_u64().unwrap_or(0)
    }

    /// Returns every recorded attempt in order. Only reads, so it does not resume attempts that have no response.
    fn record(&self) -> Vec<Value> {
        if !self.db.exists() {
            return Vec::new();
        }
        let ended = run(self.home.path(), ["export", "activity", "--db", &self.db.to_string_lossy()]);
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        ended.ndjson()
    }

    /// Returns the attempts at an operation.
    fn attempts(&self, operation: &str) -> Vec<Value> {
        self.record().into_iter().filter(|row| row["operation"] == operation).collect()
    }

    /// Asks AWS for the outcome of every attempt that has none.
    fn settle_all(&self) {
        let open: Vec<String> = self
            .record()
            .iter()
            .filter(|row| row["outcome"] == "sending" || row["outcome"] == "unknown")
            .map(|row| row["activity_id"].as_str().unwrap().to_owned())
            .collect();
        for id in &open {
            let ended = self.run(&["activity", "settle", id]);
            assert!([0, 4].contains(&ended.code), "{}{}", ended.stdout, ended.stderr);
        }
    }

    /// Asks AWS for the outcome of every attempt that has none: at once, and again when none can arrive any more.
    /// What was in flight when the program was killed never arrives, because nothing holds it.
    fn settle_for_good(&self, post: &Post) {
        for _ in 0..2 {
            post.moves_on();
            self.settle_all();
        }
    }

    /// Returns the fleet with the most free server processes in its home location: ACTIVE, On-Demand, running a
    /// build.
    fn fleet(&self) -> String {
        self.fleets().remove(0)
    }

    fn fleets(&self) -> Vec<String> {
        let load = self.truth("FleetUtilization");
        let free = |id: &Value| -> i64 {
            let of_fleet =
                load.iter().filter(|load| load["FleetId"] == *id && load["Location"] == *self.region);
            of_fleet.map(free_processes).sum()
        };
        let mut fleets: Vec<(bool, i64, String)> = self
            .truth("Fleets")
            .iter()
            .filter(|fleet| fleet["Status"] == "ACTIVE" && fleet["BuildId"].is_string())
            .filter(|fleet| fleet["ComputeType"] != "ANYWHERE")
            .map(|fleet| {
                let spot = fleet["FleetType"] != "ON_DEMAND";
                (spot, -free(&fleet["FleetId"]), fleet["FleetId"].as_str().unwrap().to_owned())
            })
            .collect();
        fleets.sort();
        assert!(fleets.len() >= 2, "only {} fleets", fleets.len());
        fleets.into_iter().map(|(_, _, id)| id).collect()
    }

    /// Returns at least this many active game sessions, the newest first: those end last by themselves.
    fn sessions(&self, least: usize) -> Vec<String> {
        let mut sessions = self.simulation.until(&format!("{least} game sessions"), || {
            let mut sessions = self.truth("GameSessions");
            sessions.retain(|session| session["Status"] == "ACTIVE");
            (sessions.len() >= least).then_some(sessions)
        });
        let begun = |session: &Value| session["CreationTime"].as_f64().unwrap_or(0.0);
        sessions.sort_by(|one, other| begun(other).total_cmp(&begun(one)));
        sessions.iter().map(|session| session["GameSessionId"].as_str().unwrap().to_owned()).collect()
    }

    /// Returns the world's record of a resource, by the value of its id.
    fn found(&self, kind: &str, key: &str, id: &str) -> Option<Value> {
        self.truth(kind).into_iter().find(|row| row[key] == id)
    }
}

//! Asks everything that can be asked of the program without permission to change anything. The simulator counts no
//! change, and its world stays identical to the byte.
//!
//! Owns the world and the counters. There is one file for each boundary: the command line, the window, the socket.

mod socket;
mod terminal;
mod window;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use liftdeck_tests::program::{Simulation, run, take_the_whole_budget};
use liftdeck_tests::trial::Trial;
use serde_json::Value;

/// Prefixes of operations that change nothing (AWS). Deleting a message from a queue is not among them.
const READS: [&str; 7] = ["Describe", "List", "Lookup", "Search", "Get", "Receive", "Resolve"];

/// A frozen world, and a home with a production connection to it.
pub(crate) struct Place {
    pub(crate) home: tempfile::TempDir,
    pub(crate) simulation: Simulation,
    pub(crate) region: String,
    /// A database with a recorded change that could be undone.
    pub(crate) db: PathBuf,
}

/// The connection's name, which must be typed for production.
pub(crate) const NAME: &str = "Arena live";

impl Place {
    fn begin() -> Self {
        let home = tempfile::tempdir().expect("a folder");
        take_the_whole_budget(home.path());
        let world = ["--scenario", "quiet", "--seed", "3", "--speed", "0", "--no-throttle"];
        let simulation = Simulation::start(home.path(), &world);
        let region = simulation.regions().remove(0);
        let place = Self { db: home.path().join("undoable.sqlite"), home, simulation, region };
        let [fleet, ..] = place.fleets();
        let made =
            place.words(&["alias", "create", "undoable", "--fleet", &fleet, "--yes", "--no-wait"], &place.db);
        let made = [&made[..], &["--json".to_owned()]].concat();
        let ended = run(place.home.path(), &made);
        assert_eq!(ended.code, 0, "{}{}", ended.stdout, ended.stderr);
        // From here on the account counts as production.
        place.simulation.declare_production(place.home.path(), &place.region, NAME);
        place
    }

    /// Adds the arguments for this world and a database that belongs to no connection.
    pub(crate) fn words(&self, words: &[&str], db: &std::path::Path) -> Vec<String> {
        let (db, endpoint) = (db.to_string_lossy(), self.simulation.endpoint());
        let place = ["--db", &db, "--region", &self.region, "--endpoint-url", &endpoint];
        words.iter().chain(&place).map(|word| (*word).to_owned()).collect()
    }

    /// Returns the world's own records of a kind.
    pub(crate) fn truth(&self, kind: &str) -> Vec<Value> {
        let truth = self.simulation.get(&format!("/_simulator/truth?region={}", self.region));
        truth[kind].as_array().unwrap_or_else(|| panic!("the truth has no {kind}")).clone()
    }

    /// Returns a member of the first record of a kind.
    pub(crate) fn first(&self, kind: &str, member: &str) -> String {
        self.truth(kind)[0][member].as_str().expect(member).to_owned()
    }

    /// Returns two fleets of the Region.
    pub(crate) fn fleets(&self) -> [String; 2] {
        let fleets = self.truth("Fleets");
        [0, 1].map(|at| fleets[at]["FleetId"].as_str().expect("a fleet").to_owned())
    }

    /// Returns active game sessions.
    pub(crate) fn sessions(&self) -> Vec<String> {
        let sessions = self.truth("GameSessions").into_iter();
        let active = sessions.filter(|session| session["Status"] == "ACTIVE");
        active.filter_map(|session| session["GameSessionId"].as_str().map(str::to_owned)).collect()
    }

    /// Returns the simulator's counts of calls that change something.
    fn changes(&self) -> BTreeMap<String, u64> {
        let mut changes = BTreeMap::new();
        for actions in self.simulation.get("/_simulator/calls").as_object().expect("calls by Region").values()
        {
            for (action, counted) in actions.as_object().expect("calls by operation") {
                let name = action.rsplit(':').next().unwrap_or(action);
                if !READS.iter().any(|read| name.starts_with(read)) {
                    *changes.entry(action.clone()).or_default() += counted["calls"].as_u64().unwrap_or(0);
                }
            }
        }
        changes
    }

    /// Returns the whole world as text.
    fn world(&self) -> Vec<String> {
        let truth =
            |region: String| self.simulation.get(&format!("/_simulator/truth?region={region}")).to_string();
        self.simulation.regions().into_iter().map(truth).collect()
    }
}

fn main() -> ExitCode {
    let trial = Trial::begin("readonly");
    let forgeries = trial.size(40);
    let place = Place::begin();
    let (changes, world) = (place.changes(), place.world());
    let parts = [("the command line", 0), ("the socket", 1), ("the window", 2)];
    let told = trial.parts(3, parts.map(|(name, part)| (name.to_owned(), part)), |part| match part {
        0 => format!("{} verbs", terminal::ask_everything(&trial, &place)),
        1 => format!("{} forged frames", socket::forge(&trial, &place, forgeries)),
        _ => window::ask_everything(&trial, &place, forgeries),
    });
    let after = place.changes();
    let sent: u64 = after.values().sum::<u64>() - changes.values().sum::<u64>();
    if sent > 0 {
        trial.broke(format!("changes before: {changes:?}, after: {after:?}"));
    }
    if place.world() != world {
        trial.broke("the world is not what it was");
    }
    trial.end(&format!("{}: {sent} mutations", told.join(", ")))
}

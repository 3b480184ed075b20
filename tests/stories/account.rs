//! Whose account it is. Credentials for another account, or of an unknown identity, collect nothing and change
//! nothing. Production stays production however it is spelled, and a command that is handed over acts as its own
//! caller.

mod handed;
mod marked;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use liftdeck_tests::program::{Ended, Simulation, command, run};
use serde_json::{Value, json};

/// The simulated account, and another account with its key.
const OURS: &str = "111122223333";
const THEIRS: &str = "999988887777";
const FOREIGN: &str = "AKIDFOREIGN";

/// A frozen simulated account, its database, and a profile of another account.
struct Site {
    home: tempfile::TempDir,
    simulation: Simulation,
    region: String,
    db: PathBuf,
}

impl Site {
    /// Opens a site without a database.
    fn new(more: &[&str]) -> Self {
        let home = tempfile::tempdir().unwrap();
        let foreign = format!("{FOREIGN}={THEIRS}");
        let mut arguments = vec!["--scenario", "quiet", "--seed", "3", "--speed", "0", "--foreign", &foreign];
        arguments.extend(more);
        let simulation = Simulation::start(home.path(), &arguments);
        let region = simulation.regions().remove(0);
        let site = Self { db: home.path().join("ops.sqlite"), home, simulation, region };
        site.profile("theirs", FOREIGN);
        site.profile("ours", "AKIDOURS");
        site
    }

    /// Opens a site with some collected data.
    fn collected() -> Self {
        let site = Self::new(&[]);
        let ended = site.simulation.collect_some(site.home.path(), &site.db, &site.region);
        assert_eq!(ended.code, 0, "{}{}", ended.stdout, ended.stderr);
        site
    }

    /// Adds a profile with its own key.
    fn profile(&self, name: &str, key: &str) {
        let folder = self.home.path().join(".aws");
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("credentials");
        let before = std::fs::read_to_string(&file).unwrap_or_default();
        let section = format!("[{name}]\naws_access_key_id = {key}\naws_secret_access_key = secret\n");
        std::fs::write(&file, before + &section).unwrap();
    }

    /// Runs the program with these environment variables; `None` removes one.
    fn with(&self, variables: &[(&str, Option<&str>)], words: &[&str]) -> Ended {
        let mut command = command(self.home.path());
        for (name, value) in variables {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command.args(words).current_dir(self.home.path()).output().unwrap().into()
    }

    fn collect(&self, more: &[&str], variables: &[(&str, Option<&str>)]) -> Ended {
        let (db, endpoint) = (self.db.to_string_lossy(), self.simulation.endpoint());
        let place = ["collect", "--db", &db, "--region", &self.region, "--endpoint-url", &endpoint];
        self.with(variables, &[&place[..], more].concat())
    }

    /// Makes a change with this database.
    fn change(&self, db: &Path, more: &[&str], variables: &[(&str, Option<&str>)]) -> Ended {
        let (db, endpoint, fleet) = (db.to_string_lossy(), self.simulation.endpoint(), self.fleet());
        let change = ["fleet", "capacity", &fleet, "--max", "40", "--yes", "--no-wait", "--db", &db];
        let place = ["--region", &self.region, "--endpoint-url", &endpoint];
        self.with(variables, &[&change[..], &place, more].concat())
    }

    fn fleet(&self) -> String {
        let truth = self.simulation.get(&format!("/_simulator/truth?region={}", self.region));
        let mut fleets = truth["Fleets"].as_array().unwrap().iter();
        let is_it = |fleet: &&Value| {
            fleet["Status"] == "ACTIVE" && fleet["BuildId"].is_string() && fleet["ComputeType"] != "ANYWHERE"
        };
        fleets.find(is_it).unwrap()["FleetId"].as_str().unwrap().to_owned()
    }

    /// Returns how often each operation was called in this account so far.
    fn calls(&self) -> Vec<(String, u64)> {
        let calls = self.simulation.get("/_simulator/calls");
        let regions = calls.as_object().unwrap().values().filter_map(Value::as_object);
        let operations = regions
            .flatten()
            .map(|(operation, count)| (operation.clone(), count["calls"].as_u64().unwrap_or(0)));
        operations.filter(|(_, calls)| *calls > 0).collect()
    }

    /// Returns the operations that were called since `before`.
    fn since(&self, before: &[(String, u64)]) -> BTreeSet<String> {
        let after = self.calls().into_iter().filter(|now| !before.contains(now));
        after.map(|(operation, _)| operation).collect()
    }

    /// Returns all collected rows, as they would be exported.
    fn rows(&self) -> Vec<String> {
        ["fleets", "game-sessions", "player-sessions", "queues", "aliases", "activity"]
            .map(|kind| {
                let ended = run(self.home.path(), ["export", kind, "--db", &self.db.to_string_lossy()]);
                assert_eq!(ended.code, 0, "{}", ended.stderr);
                ended.stdout
            })
            .to_vec()
    }

    /// Writes the connections file: a name, an environment and an account, which may not be known yet, for each.
    fn connections(&self, all: &[(&str, &str, Option<&str>)]) -> PathBuf {
        let records: Vec<Value> = all
            .iter()
            .map(|(name, mark, account)| {
                json!({
                    "id": name.to_lowercase(), "name": name, "environment": mark, "profile": null,
                    "endpointUrl": self.simulation.endpoint(), "account": account, "regions": [self.region],
                    "eventQueues": [], "lastOpenedMs": null,
                })
            })
            .collect();
        let file = self.home.path().join("config/connections.json");
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, json!({ "version": 1, "connections": records }).to_string()).unwrap();
        file
    }

    fn faults(&self, kind: &str) {
        let fault = json!({ "operation": "sts:*", "kind": kind });
        self.simulation.post("/_simulator/faults", &json!({ "fault": [fault] }));
    }
}

/// Checks that the guard refused it, with all of these messages and no output that looks like success.
fn assert_refused(ended: &Ended, says: &[&str]) {
    assert_eq!(ended.code, 3, "{}{}", ended.stdout, ended.stderr);
    assert_eq!(ended.stdout, "", "{}", ended.stderr);
    for text in says {
        assert!(ended.stderr.contains(text), "{text}: {}", ended.stderr);
    }
}

fn only_asked_whose_it_is(asked: &BTreeSet<String>) {
    assert_eq!(asked.iter().map(String::as_str).collect::<Vec<_>>(), ["sts:GetCallerIdentity"]);
}

#[test]
fn credentials_of_another_account_collect_nothing_and_change_nothing() {
    let site = Site::collected();
    let (rows, calls) = (site.rows(), site.calls());
    let keys = [("AWS_ACCESS_KEY_ID", Some(FOREIGN))];
    let profile =
        [("AWS_ACCESS_KEY_ID", None), ("AWS_SECRET_ACCESS_KEY", None), ("AWS_PROFILE", Some("theirs"))];
    for (variables, more, whose) in [
        (&keys[..], &[][..], "without a profile"),
        (&profile, &[], "without a profile"),
        (&[], &["--profile", "theirs"], "theirs"),
    ] {
        for refused in [
            site.collect(&[&["--once"], more].concat(), variables),
            site.collect(&[&["--for", "10m"], more].concat(), variables),
            site.change(&site.db, more, variables),
        ] {
            assert_refused(&refused, &[OURS, THEIRS, whose]);
        }
    }
    only_asked_whose_it_is(&site.since(&calls));
    assert_eq!(site.rows(), rows);
}

#[test]
fn a_connection_of_another_account_makes_no_database_and_changes_nothing() {
    let site = Site::new(&[]);
    site.connections(&[("Live", "production", Some(THEIRS))]);
    let (calls, fleet) = (site.calls(), site.fleet());
    let change = ["fleet", "capacity", &fleet, "--max", "40", "--no-wait", "--connection", "Live"];
    for more in [&["--yes", "--confirm", "Live"][..], &["--dry-run"]] {
        let refused = site.with(&[], &[&change[..], more].concat());
        assert_refused(&refused, &["Nothing was sent", OURS, THEIRS]);
    }
    only_asked_whose_it_is(&site.since(&calls));
    assert!(!site.home.path().join("data/databases/live.sqlite").exists());
    // The account stored in the database must match the connection's.
    site.connections(&[("Live", "production", Some(OURS))]);
    let made = site.with(&[], &[&change[..], &["--yes", "--confirm", "Live"]].concat());
    assert_eq!(made.code, 0, "{}{}", made.stdout, made.stderr);
    site.connections(&[("Live", "production", Some(THEIRS))]);
    let calls = site.calls();
    let variables = [("AWS_ACCESS_KEY_ID", Some(FOREIGN))];
    let refused = site.with(&variables, &[&change[..], &["--yes", "--confirm", "Live"]].concat());
    assert_refused(&refused, &[OURS, THEIRS, "live.sqlite"]);
    assert_eq!(site.since(&calls), BTreeSet::new());
}

#[test]
fn while_aws_does_not_say_whose_credentials_these_are_nothing_is_stored_marked_gone_or_sent() {
    let site = Site::collected();
    let rows = site.rows();
    for kind in ["reset", "stall"] {
        site.faults(kind);
        let calls = site.calls();
        let collected = site.collect(&["--once"], &[]);
        assert_ne!(collected.code, 0, "{}", collected.stdout);
        assert_eq!(collected.stdout, "", "nothing that looks like a pass");
        assert_refused(&site.change(&site.db, &[], &[]), &["Nothing was sent", "GetCallerIdentity"]);
        assert!(site.since(&calls).iter().all(|operation| operation == "sts:GetCallerIdentity"));
    }
    site.simulation.post("/_simulator/faults", &json!({ "fault": [] }));
    assert_eq!(site.rows(), rows);
    // The same command succeeds once AWS responds.
    let made = site.change(&site.db, &[], &[]);
    assert_eq!(made.code, 0, "{}{}", made.stdout, made.stderr);
}

#[test]
fn a_profile_that_was_chosen_is_the_only_source_and_a_broken_one_does_not_pass() {
    let site = Site::new(&["--deny", "AKIDEXAMPLE=gamelift:*"]);
    site.profile("broken", "");
    // The keys in the environment may do nothing, so only the chosen profile can succeed.
    let made = site.change(&site.db, &["--profile", "ours"], &[]);
    assert_eq!(made.code, 0, "{}{}", made.stdout, made.stderr);
    let activity = run(site.home.path(), ["export", "activity", "--db", &site.db.to_string_lossy()]);
    assert!(activity.stdout.contains("user/AKIDOURS"), "{}", activity.stdout);

    let calls = site.calls();
    let broken = site.collect(&["--once", "--profile", "broken"], &[]);
    assert_ne!(broken.code, 0, "{}", broken.stdout);
    assert!(broken.stderr.contains("broken"), "{}", broken.stderr);
    assert_refused(&site.change(&site.db, &["--profile", "broken"], &[]), &["Nothing was sent", "broken"]);
    assert_eq!(site.since(&calls), BTreeSet::new(), "not even asked with the keys that lay about");
}

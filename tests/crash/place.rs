//! A frozen world, a home for the program, and an independent SQLite client to inspect the database after a kill.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::Ordering;

use liftdeck_tests::program::{Group, Simulation, command};
use rusqlite::Connection;
use serde_json::Value;

use crate::Tally;

/// Where one worker's kills happen.
pub(crate) struct Place {
    pub(crate) home: tempfile::TempDir,
    pub(crate) simulation: Simulation,
    pub(crate) region: String,
    /// The database for the collection and the changes, used across kills.
    pub(crate) db: PathBuf,
}

impl Place {
    pub(crate) fn begin(seed: u64) -> Self {
        let home = tempfile::tempdir().expect("a folder");
        let seed = seed.to_string();
        let world = ["--scenario", "quiet", "--seed", &seed, "--speed", "0", "--no-throttle"];
        let simulation = Simulation::start(home.path(), &world);
        let region = simulation.regions().remove(0);
        Self { db: home.path().join("killed.sqlite"), home, simulation, region }
    }

    /// Adds the arguments that point a command at this world and a database.
    pub(crate) fn words(&self, words: &[&str], db: &Path) -> Vec<String> {
        let (db, endpoint) = (db.to_string_lossy(), self.simulation.endpoint());
        let place = ["--db", &db, "--region", &self.region, "--endpoint-url", &endpoint];
        words.iter().chain(&place).map(|word| (*word).to_owned()).collect()
    }

    /// Starts a command that will be killed.
    pub(crate) fn start(&self, words: &[&str], db: &Path) -> Group {
        self.start_with(&self.words(words, db))
    }

    /// Starts a command with exactly these arguments.
    pub(crate) fn start_with(&self, words: &[String]) -> Group {
        let mut command = command(self.home.path());
        command.args(words).stdout(Stdio::null()).stderr(Stdio::null());
        Group::spawn(&mut command)
    }

    /// Returns the world's own records of a kind.
    pub(crate) fn truth(&self, kind: &str) -> Vec<Value> {
        let truth = self.simulation.get(&format!("/_simulator/truth?region={}", self.region));
        truth[kind].as_array().unwrap_or_else(|| panic!("the truth has no {kind}")).clone()
    }

    /// Returns how often the world received an operation.
    pub(crate) fn calls(&self, operation: &str) -> u64 {
        let calls = self.simulation.get("/_simulator/calls");
        calls[&self.region][format!("gamelift:{operation}")]["calls"].as_u64().unwrap_or(0)
    }

    /// Opens a copy of the database, so that the program still finds the original as the kill left it. `None` if
    /// there is no database yet. A damaged one is counted and fails the part.
    pub(crate) fn look(&self, db: &Path, tally: &Tally) -> Option<Looked> {
        if !db.exists() {
            return None;
        }
        let folder = tempfile::tempdir_in(self.home.path()).expect("a folder");
        let copy = folder.path().join("copy.sqlite");
        for ending in ["", "-wal"] {
            let with = |path: &Path| PathBuf::from(format!("{}{ending}", path.display()));
            if with(db).exists() {
                std::fs::copy(with(db), with(&copy)).expect("a copy");
            }
        }
        let verdict = Connection::open(&copy).and_then(|connection| {
            let verdict =
                connection.query_row("PRAGMA integrity_check", [], |row| row.get::<_, String>(0))?;
            Ok((connection, verdict))
        });
        match verdict {
            Ok((connection, verdict)) if verdict == "ok" => Some(Looked { connection, _folder: folder }),
            damaged => {
                tally.corrupt.fetch_add(1, Ordering::Relaxed);
                panic!("{} is damaged: {:?}", db.display(), damaged.map(|(_, verdict)| verdict))
            }
        }
    }
}

/// A copy of a database, open for inspection.
pub(crate) struct Looked {
    connection: Connection,
    _folder: tempfile::TempDir,
}

impl Looked {
    /// Returns one number, or 0 if the table does not exist yet.
    pub(crate) fn count(&self, sql: &str) -> u64 {
        match self.connection.query_row(sql, [], |row| row.get::<_, i64>(0)) {
            Ok(count) => u64::try_from(count).expect(sql),
            Err(error) if error.to_string().contains("no such table") => 0,
            Err(error) => panic!("{sql}: {error}"),
        }
    }

    /// Returns two texts for each row, or nothing if the table does not exist yet.
    pub(crate) fn pairs(&self, sql: &str) -> Vec<(String, String)> {
        let read = self.connection.prepare(sql).and_then(|mut statement| {
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        });
        match read {
            Ok(rows) => rows,
            Err(error) if error.to_string().contains("no such table") => Vec::new(),
            Err(error) => panic!("{sql}: {error}"),
        }
    }
}

//! Inspects a running collection: its memory, its database, and what it has stored compared with the world.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use liftdeck_model::Region;
use liftdeck_store::Store;
use liftdeck_tests::program::{Simulation, eventually};
use tokio::runtime::Runtime;

/// What one look found.
pub(crate) struct Look {
    pub(crate) memory_mib: f64,
    pub(crate) database_mib: f64,
    pub(crate) wal_mib: f64,
    pub(crate) sessions: usize,
}

impl fmt::Display for Look {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { memory_mib, database_mib, wal_mib, sessions } = self;
        write!(
            out,
            "memory {memory_mib:.0} MiB, database {database_mib:.1} MiB, log {wal_mib:.1} MiB, {sessions} game sessions"
        )
    }
}

/// Takes the looks.
pub(crate) struct Watch<'a> {
    simulation: &'a Simulation,
    region: Region,
    path: PathBuf,
    /// Every game session seen in the world so far.
    ever: BTreeSet<String>,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(simulation: &'a Simulation, region: Region, path: PathBuf) -> Self {
        Self { simulation, region, path, ever: BTreeSet::new() }
    }

    /// Takes a look. Waits until the store and the world agree, which never happens if the collection drifts.
    pub(crate) fn look(&mut self, runtime: &Runtime, store: &Store) -> Look {
        let mut differs = String::new();
        let sessions = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            eventually(Duration::from_secs(120), "the store has what the world has", || {
                let agreed = self.agrees(runtime, store);
                agreed.map_err(|why| differs = why).ok()
            })
        }));
        let Ok(sessions) = sessions else { panic!("the store drifts from the world: {differs}") };
        let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
        let size = |ending: &str| {
            let file = std::fs::metadata(format!("{}{ending}", self.path.display()));
            mib(file.map_or(0, |file| file.len()))
        };
        Look { memory_mib: mib(memory()), database_mib: size(""), wal_mib: size("-wal"), sessions }
    }

    /// Compares the store with the moving world. A session in the world both before and after must be stored; one
    /// that was gone already before must not be.
    fn agrees(&mut self, runtime: &Runtime, store: &Store) -> Result<usize, String> {
        let before = self.world();
        // Every fleet is polled in between: this is about two minutes in the world.
        std::thread::sleep(Duration::from_secs(4));
        let stored: BTreeSet<String> = runtime.block_on(live(store, &self.region));
        let after = self.world();
        let missing: Vec<&String> = before.intersection(&after).filter(|id| !stored.contains(*id)).collect();
        let stale: Vec<&String> =
            stored.iter().filter(|id| self.ever.contains(*id) && !before.contains(*id)).collect();
        let verdict = match (missing.len(), stale.len()) {
            (0, 0) => Ok(stored.len()),
            (missing, stale) => {
                Err(format!("{missing} are missing and {stale} are gone, of {}", after.len()))
            }
        };
        self.ever.extend(before);
        self.ever.extend(after);
        verdict
    }

    fn world(&self) -> BTreeSet<String> {
        let truth = self.simulation.get(&format!("/_simulator/truth?region={}", self.region));
        let sessions = truth["GameSessions"].as_array().expect("game sessions");
        sessions.iter().filter_map(|session| session["GameSessionId"].as_str().map(str::to_owned)).collect()
    }
}

async fn live(store: &Store, region: &Region) -> BTreeSet<String> {
    let reader = store.reader();
    let mut live = BTreeSet::new();
    for fleet in reader.fleets(region).await.expect("fleets") {
        let sessions = reader.live_game_sessions(&fleet.fleet_id).await.expect("game sessions");
        live.extend(sessions.iter().map(|id| id.as_str().to_owned()));
    }
    live
}

/// Returns this process's resident memory in bytes.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kib.expect("the system tells memory") * 1_024
}

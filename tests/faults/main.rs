//! Runs every operation the product uses under every kind of fault the simulator knows, through the collector and the
//! guard.
//!
//! Owns the matrix and how it is divided. A cell passes if nothing panics, it ends in time, the fault occurred, the
//! failure is reported, and neither the store nor the record says anything that the world contradicts.

mod asks;
mod cell;
mod changes;
mod feed;
mod passes;
mod world;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Duration;

use liftdeck_gateway::OPERATOR_ACTIONS;
use liftdeck_simulator::{FaultKind, operations};
use liftdeck_tests::trial::Trial;

use cell::{Cell, Held};

/// Every kind of fault that an answer can have, in the order of `place`.
const KINDS: [FaultKind; 14] = {
    use FaultKind::*;
    [
        Latency,
        Throttle,
        Status,
        EmptyStatus,
        Html,
        Truncate,
        Garble,
        Reset,
        Stall,
        RepeatToken,
        WrongToken,
        RepeatRow,
        Duplicate,
        ClockSkew,
    ]
};

/// Returns the index of a kind in `KINDS`. A new kind does not compile until it is listed here.
const fn place(kind: FaultKind) -> usize {
    match kind {
        FaultKind::Latency => 0,
        FaultKind::Throttle => 1,
        FaultKind::Status => 2,
        FaultKind::EmptyStatus => 3,
        FaultKind::Html => 4,
        FaultKind::Truncate => 5,
        FaultKind::Garble => 6,
        FaultKind::Reset => 7,
        FaultKind::Stall => 8,
        FaultKind::RepeatToken => 9,
        FaultKind::WrongToken => 10,
        FaultKind::RepeatRow => 11,
        FaultKind::Duplicate => 12,
        FaultKind::ClockSkew => 13,
        // These make CloudTrail tell late or never; no answer is different.
        FaultKind::TrailDelay | FaultKind::TrailMissing => KINDS.len(),
    }
}

const _: () = {
    let mut at = 0;
    while at < KINDS.len() {
        assert!(place(KINDS[at]) == at);
        at += 1;
    }
};

/// Bundles run at once; they spend most of their time waiting.
const AT_ONCE: usize = 4;

/// Collects the operations named in the gateway's source, so that a new one joins the matrix by itself.
fn used() -> BTreeSet<String> {
    let mut sources = Vec::new();
    rust_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../src-tauri/crates/gateway/src"), &mut sources);
    let known: BTreeMap<String, String> = operations()
        .into_iter()
        .map(|action| (action.split(':').nth(1).unwrap_or_default().to_owned(), action))
        .collect();
    let mut used: BTreeSet<String> = OPERATOR_ACTIONS.iter().map(|action| (*action).to_owned()).collect();
    // The table of published rates names operations that are never called.
    for source in sources.iter().filter(|path| !path.ends_with("rate.rs")) {
        let text = std::fs::read_to_string(source).expect("a source of the gateway");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        used.extend(code.split('"').filter_map(|word| known.get(word).cloned()));
    }
    used
}

fn rust_files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the sources of the gateway").flatten() {
        let path = entry.path();
        if path.is_dir() {
            rust_files(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            into.push(path);
        }
    }
}

/// Returns a sample of this many cells that covers every operation and every kind.
fn sample(trial: &Trial, operations: &[String], many: usize) -> Vec<Cell> {
    let mut chance = trial.chance(0);
    let mut kinds = KINDS.to_vec();
    chance.shuffle(&mut kinds);
    let mut cells = Vec::new();
    // Goes diagonal by diagonal: the first has each operation once and cycles through all kinds.
    for diagonal in 0..kinds.len() {
        for (at, operation) in operations.iter().enumerate() {
            cells.push(Cell { operation: operation.clone(), kind: kinds[(at + diagonal) % kinds.len()] });
        }
    }
    cells.truncate(many.max(operations.len()));
    cells
}

/// Cells that share a world.
enum Bundle {
    /// Changes, run at the same time, each operation at most once.
    Changes(Vec<Cell>),
    /// Reads, run one after the other.
    Reads(Vec<Cell>),
}

fn bundles(cells: Vec<Cell>) -> Vec<(String, Bundle)> {
    let (changes, reads): (Vec<Cell>, Vec<Cell>) = cells.into_iter().partition(Cell::is_change);
    let mut waves: Vec<Vec<Cell>> = Vec::new();
    for cell in changes {
        match waves.iter_mut().find(|wave| wave.iter().all(|other| other.operation != cell.operation)) {
            Some(wave) => wave.push(cell),
            None => waves.push(vec![cell]),
        }
    }
    let mut hands: Vec<Vec<Cell>> = vec![Vec::new(); AT_ONCE];
    for (at, cell) in reads.into_iter().enumerate() {
        hands[at % AT_ONCE].push(cell);
    }
    let changes = waves.into_iter().map(|wave| ("changes".to_owned(), Bundle::Changes(wave)));
    let reads = hands.into_iter().filter(|hand| !hand.is_empty());
    changes.chain(reads.map(|hand| ("reads".to_owned(), Bundle::Reads(hand)))).collect()
}

fn main() -> ExitCode {
    let trial = Trial::begin("faults");
    let operations: Vec<String> = used().into_iter().collect();
    let all = operations.len() * KINDS.len();
    let size = usize::try_from(trial.size(operations.len() as u64)).unwrap_or(all);
    let cells = sample(&trial, &operations, size);
    let tried = cells.len();
    let held: Mutex<Vec<Held>> = Mutex::default();
    trial.parts(AT_ONCE, bundles(cells), |bundle| {
        let runtime = tokio::runtime::Runtime::new().expect("threads");
        let note = |cell: &Cell, outcome: Result<Duration, String>| match outcome {
            Ok(took) => held.lock().expect("the list").push(Held { cell: cell.clone(), took }),
            Err(why) => trial.broke(format!("{cell}: {why}")),
        };
        match bundle {
            Bundle::Changes(cells) => changes::hold(&runtime, &cells, &note),
            Bundle::Reads(cells) => passes::hold(&runtime, &trial, &cells, &note),
        }
    });
    let held = held.into_inner().expect("the list");
    if held.len() < tried && trial.broken() == 0 {
        trial.broke("some cells were not tried");
    }
    let slowest = held.iter().max_by_key(|held| held.took);
    let slowest = slowest.map_or_else(String::new, |held| {
        format!(", the slowest in {:.1} s ({})", held.took.as_secs_f64(), held.cell)
    });
    trial.end(&format!("{} of {tried} cells hold, of a matrix of {all}{slowest}", held.len()))
}

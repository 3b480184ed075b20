//! The cells: which work runs over which fault, and where in it the disk fails.

use fastrand::Rng;

use crate::disk::{FAULTS, Fault, READ_ONLY};
use crate::work::Work;
use crate::{Templates, feed, files, worked};

/// The most calls that fail in a row: far fewer than any work makes.
const LONGEST_FAILING: u64 = 25;

/// How many of the first calls on a new file fail, each in its own cell.
const FIRST_CALLS: u64 = 6;
/// Calls that a work makes, for each fault, of the kinds it affects.
pub(crate) type Calls = [u64; FAULTS.len()];

/// Something done over a failing disk. Each returns how many calls failed.
pub(crate) enum Cell {
    Work { work: Work, fault: Fault, well: u64, failing: u64 },
    Export(Fault),
    ReadOnly(Fault),
    Feed,
}

impl Cell {
    pub(crate) fn run(self, templates: &Templates) -> u64 {
        match self {
            Self::Work { work, fault, well, failing } => worked(templates, work, fault, well, failing),
            Self::Export(fault) => files::export(templates, fault),
            Self::ReadOnly(fault) => files::read_only(templates, fault),
            Self::Feed => feed::collected(&templates.library),
        }
    }
}

/// Returns all cells with their names, the longest first.
pub(crate) fn all(chance: &mut Rng, rounds: u64, works: Vec<(Work, Calls)>) -> Vec<(String, Cell)> {
    let mut cells = vec![("a feed over a full disk".to_owned(), Cell::Feed)];
    for fault in READ_ONLY {
        cells.push((fault.name.to_owned(), Cell::ReadOnly(fault)));
    }
    let work_cell = |work: Work, fault: Fault, well, failing| {
        let name = format!("{} over {}, {failing} calls after {well}", work.name(), fault.name);
        (name, Cell::Work { work, fault, well, failing })
    };
    // Creating a file has distinct steps, so each of its first calls is a case of its own.
    for fault in FAULTS {
        cells.extend((0..FIRST_CALLS).map(|well| work_cell(Work::Opening, fault, well, 2)));
    }
    for _ in 0..rounds {
        for (work, calls) in &works {
            for (fault, calls) in FAULTS.into_iter().zip(calls) {
                // Failed calls are retried, so no run makes fewer calls than were counted; half of them is well
                // within any run.
                let (well, failing) = (chance.u64(0..=calls / 2), chance.u64(1..=LONGEST_FAILING));
                cells.push(work_cell(*work, fault, well, failing));
            }
        }
        cells.extend(FAULTS.map(|fault| (format!("an export over {}", fault.name), Cell::Export(fault))));
    }
    cells
}

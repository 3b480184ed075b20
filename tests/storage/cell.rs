//! What is done over which fault, and where in it the disk fails.

use fastrand::Rng;

use crate::disk::{FAULTS, Fault, READ_ONLY};
use crate::work::Work;
use crate::{Templates, feed, files, worked};

/// The failing is over after so many calls at most: far fewer than any work makes.
const LONGEST_FAILING: u64 = 25;

/// So many of the first calls of a new file fail, each in a cell of its own.
const FIRST_CALLS: u64 = 6;
/// How many calls a work makes, of the kinds each fault strikes.
pub(crate) type Calls = [u64; FAULTS.len()];

/// What is done over a disk that fails. Each gives how many calls failed.
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

/// All cells, with their names; the longest first.
pub(crate) fn all(chance: &mut Rng, rounds: u64, works: Vec<(Work, Calls)>) -> Vec<(String, Cell)> {
    let mut cells = vec![("a feed over a full disk".to_owned(), Cell::Feed)];
    for fault in READ_ONLY {
        cells.push((fault.name.to_owned(), Cell::ReadOnly(fault)));
    }
    let work_cell = |work: Work, fault: Fault, well, failing| {
        let name = format!("{} over {}, {failing} calls after {well}", work.name(), fault.name);
        (name, Cell::Work { work, fault, well, failing })
    };
    // A file that is being made is nothing yet, so that each of its first calls is a case of its own.
    for fault in FAULTS {
        cells.extend((0..FIRST_CALLS).map(|well| work_cell(Work::Opening, fault, well, 2)));
    }
    for _ in 0..rounds {
        for (work, calls) in &works {
            for (fault, calls) in FAULTS.into_iter().zip(calls) {
                // What fails is done again, so no run makes fewer calls; half of them is well inside any.
                let (well, failing) = (chance.u64(0..=calls / 2), chance.u64(1..=LONGEST_FAILING));
                cells.push(work_cell(*work, fault, well, failing));
            }
        }
        cells.extend(FAULTS.map(|fault| (format!("an export over {}", fault.name), Cell::Export(fault))));
    }
    cells
}

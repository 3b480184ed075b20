//! A disk that fails on command: the library preloaded into a program, and the plan that controls it.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Kinds of calls, as `fault.c` numbers them.
const WRITES: i64 = 1;
const SYNCS: i64 = 2;
const OPENS: i64 = 4;
const HALVES: i64 = 8;
/// How many numbers a plan has, and which one counts the failed calls. The counts of all calls, by kind, follow it.
const NUMBERS: usize = 9;
const FAILED: usize = 4;

/// A way to fail: its name, the calls that fail, and their errno.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) name: &'static str,
    kinds: i64,
    error: i64,
}

impl Fault {
    /// Whether a message names this fault, or at least names it as one of two causes: SQLite cannot always tell.
    pub(crate) fn is_told_by(self, said: &str) -> bool {
        let exact = match self.error {
            ENOSPC => "is full",
            EIO => "failed",
            _ => "read-only",
        };
        said.contains(exact)
            || said.contains("failed") && said.contains("Check that the disk works and has space")
    }
}

/// Linux error numbers.
const EIO: i64 = 5;
const EACCES: i64 = 13;
const ENOSPC: i64 = 28;
const EROFS: i64 = 30;

/// Disks that are read-only from the start. They bind the superuser too, unlike file permissions.
pub(crate) const READ_ONLY: [Fault; 2] = [
    Fault { name: "a disk that is read-only", kinds: WRITES | OPENS, error: EROFS },
    Fault { name: "a folder that may not be written", kinds: WRITES | OPENS, error: EACCES },
];

/// The default fault.
pub(crate) const FULL: Fault = Fault { name: "a full disk", kinds: WRITES, error: ENOSPC };

/// Every fault that occurs during work.
pub(crate) const FAULTS: [Fault; 6] = [
    FULL,
    Fault { name: "a full disk at the sync", kinds: SYNCS, error: ENOSPC },
    Fault { name: "a write that fails", kinds: WRITES, error: EIO },
    Fault { name: "a sync that fails", kinds: SYNCS, error: EIO },
    Fault { name: "a write that is cut in half", kinds: HALVES, error: ENOSPC },
    Fault { name: "a disk that turns read-only", kinds: WRITES | OPENS, error: EROFS },
];

/// The disk of one cell.
#[derive(Debug)]
pub(crate) struct Disk {
    library: PathBuf,
    folder: PathBuf,
    plan: PathBuf,
}

impl Disk {
    /// Builds the library, once for each run.
    pub(crate) fn library() -> PathBuf {
        let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("libstoragefault.so");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("storage/fault.c");
        let built = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-Wall", "-o"])
            .arg(&out)
            .arg(source)
            .arg("-ldl")
            .status();
        assert!(
            built.is_ok_and(|status| status.success()),
            "the failing disk is not built: a C compiler is needed"
        );
        out
    }

    /// Makes a disk that does not fail yet; `folder` is its content.
    pub(crate) fn new(library: &Path, folder: &Path, plan: PathBuf) -> Self {
        std::fs::write(&plan, [0_u8; NUMBERS * 8]).expect("a plan");
        let folder = folder.canonicalize().expect("a folder");
        Self { library: library.to_owned(), folder, plan }
    }

    /// Makes a program use it.
    pub(crate) fn under<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command
            .env("LD_PRELOAD", &self.library)
            .env("STORAGE_FAULT_FOLDER", &self.folder)
            .env("STORAGE_FAULT_PLAN", &self.plan)
    }

    /// Lets `well` calls succeed and the next `failing` calls fail; then it works again.
    pub(crate) fn fail(&self, fault: Fault, well: u64, failing: u64) {
        let mut numbers = [0; NUMBERS];
        numbers[..4].copy_from_slice(&[fault.kinds, fault.error, well.cast_signed(), failing.cast_signed()]);
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
        let plan = File::options().write(true).open(&self.plan).expect("the plan");
        plan.write_all_at(&bytes, 0).expect("the plan is written");
    }

    /// Lets every call fail until `repair`.
    pub(crate) fn fail_on(&self, fault: Fault) {
        self.fail(fault, 0, u64::MAX >> 1);
    }

    /// Lets every call succeed again.
    pub(crate) fn repair(&self) {
        self.fail(FULL, 0, 0);
    }

    /// Returns how many calls failed.
    pub(crate) fn failed(&self) -> u64 {
        self.numbers()[FAILED]
    }

    /// Returns how many calls there were of the kinds that a fault affects.
    pub(crate) fn calls(&self, fault: Fault) -> u64 {
        let seen = &self.numbers()[FAILED + 1..];
        seen.iter().enumerate().filter(|(kind, _)| fault.kinds >> kind & 1 == 1).map(|(_, seen)| seen).sum()
    }

    fn numbers(&self) -> [u64; NUMBERS] {
        let bytes = std::fs::read(&self.plan).expect("the plan");
        std::array::from_fn(|at| {
            let bytes = bytes.get(at * 8..at * 8 + 8).and_then(|bytes| bytes.try_into().ok());
            u64::from_ne_bytes(bytes.expect("a number"))
        })
    }
}

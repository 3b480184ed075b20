//! `cargo xtask test mutants`: bugs put into the code that nothing may be wrong in, one at a time, and how many of them
//! its tests notice.
//!
//! By hand only: each mutant is built and tested on its own, about a minute of two cores each.

use std::path::{Path, PathBuf};

use crate::packages;
use crate::run::{Failure, command, exists, foreign_cargo, succeed, target_dir};

/// A part of the program that is mutated, and how many of a hundred mutants must be noticed.
struct Area {
    name: &'static str,
    package: &'static str,
    files: &'static [&'static str],
    /// Which of the package's tests are run, by a part of their names; all of them when empty.
    tests: &'static [&'static str],
    least: usize,
}

/// What ends matches, deletes messages, spends the game's request rates or deletes rows.
const AREAS: [Area; 7] = [
    Area {
        name: "guard",
        package: "liftdeck-operations",
        files: &[
            "src-tauri/crates/operations/src/confirm.rs",
            "src-tauri/crates/operations/src/confirm/*.rs",
            "src-tauri/crates/operations/src/guard.rs",
            "src-tauri/crates/operations/src/mode.rs",
            "src-tauri/crates/operations/src/send.rs",
            "src-tauri/crates/operations/src/settle.rs",
            "src-tauri/crates/operations/src/settle/*.rs",
            "src-tauri/crates/operations/src/undo.rs",
        ],
        tests: &[],
        least: 100,
    },
    Area {
        name: "grant",
        package: "liftdeck-gateway",
        files: &["src-tauri/crates/gateway/src/grant.rs", "src-tauri/crates/gateway/src/call.rs"],
        tests: &[],
        least: 100,
    },
    Area {
        name: "account",
        package: "liftdeck-gateway",
        files: &[
            "src-tauri/crates/gateway/src/credentials.rs",
            "src-tauri/crates/gateway/src/identity.rs",
            "src-tauri/crates/gateway/src/pass.rs",
            "src-tauri/crates/gateway/src/principal.rs",
        ],
        tests: &[],
        least: 90,
    },
    Area {
        name: "queue",
        package: "liftdeck-gateway",
        files: &["src-tauri/crates/gateway/src/event_feed.rs"],
        tests: &[],
        least: 100,
    },
    Area {
        name: "feed",
        package: "liftdeck-collector",
        files: &[
            "src-tauri/crates/collector/src/receiving.rs",
            "src-tauri/crates/collector/src/receiving/*.rs",
        ],
        tests: &["feed", "receiving", "others"],
        least: 100,
    },
    Area {
        name: "budget",
        package: "liftdeck-gateway",
        files: &["src-tauri/crates/gateway/src/budget.rs", "src-tauri/crates/gateway/src/budget/*.rs"],
        tests: &[],
        least: 90,
    },
    Area {
        name: "retention",
        package: "liftdeck-store",
        files: &[
            "src-tauri/crates/store/src/writer/clock.rs",
            "src-tauri/crates/store/src/writer/retention.rs",
        ],
        tests: &[],
        least: 90,
    },
];

/// The environment variable that names one area, where not all are wanted.
const CHOSEN: &str = "LIFTDECK_MUTANTS";

/// Mutates every area, or those of [`CHOSEN`]; `size` bounds the mutants of each, spread over its files.
///
/// # Errors
/// When the tool cannot be installed, the tests fail without any mutant, or too many mutants go unnoticed.
pub(crate) fn run(size: Option<u64>) -> Result<(), Failure> {
    packages::for_window_build()?;
    let tool = tool()?;
    let mut figures = Vec::new();
    let mut short = Vec::new();
    let chosen = std::env::var(CHOSEN).ok();
    for area in AREAS.iter().filter(|area| chosen.as_deref().is_none_or(|chosen| chosen == area.name)) {
        let caught = area.mutated(&tool, size)?;
        if caught.noticed * 100 < area.least * caught.all() {
            short.push(format!("{} has less than {} %", area.name, area.least));
        }
        figures.push(format!("{} {} of {}", area.name, caught.noticed, caught.all()));
    }
    println!("mutants noticed: {}", figures.join(", "));
    if short.is_empty() { Ok(()) } else { Err(Failure(short.join(", "))) }
}

/// How the tests met the mutants of an area; those that do not compile do not count.
struct Caught {
    noticed: usize,
    missed: usize,
}

impl Caught {
    fn all(&self) -> usize {
        self.noticed + self.missed
    }
}

impl Area {
    fn mutated(&self, tool: &Path, size: Option<u64>) -> Result<Caught, Failure> {
        let out = target_dir().join("mutants").join(self.name);
        let mut mutate = command(tool);
        mutate.args(["mutants", "--package", self.package, "--no-times", "--output"]);
        // One for all areas: the mutated tree is a copy, and what it shares with the others is built once.
        mutate.env("CARGO_TARGET_DIR", target_dir().join("mutants/build"));
        mutate.arg(&out).args(self.files.iter().flat_map(|file| ["--file", file]));
        if let Some(size) = size {
            let shards = self.count(tool)?.div_ceil(size.max(1)).max(1);
            mutate.args(["--sharding", "round-robin", "--shard", &format!("0/{shards}")]);
        }
        if !self.tests.is_empty() {
            mutate.args(["--", "--tests", "--"]).args(self.tests);
        }
        println!("== mutants of {}", self.name);
        match mutate.status() {
            // 2: some were missed, 3: some ran out of time; both are counted below.
            Ok(status) if matches!(status.code(), Some(0 | 2 | 3)) => {}
            Ok(status) => return Err(Failure(format!("mutants of {}: ended with {status}", self.name))),
            Err(error) => return Err(Failure(format!("mutants of {}: {error}", self.name))),
        }
        let count = |list: &str| lines(&out.join("mutants.out").join(list)).len();
        for missed in lines(&out.join("mutants.out/missed.txt")) {
            println!("  not noticed: {missed}");
        }
        Ok(Caught { noticed: count("caught.txt") + count("timeout.txt"), missed: count("missed.txt") })
    }

    /// How many mutants there are.
    fn count(&self, tool: &Path) -> Result<u64, Failure> {
        let mut list = command(tool);
        list.args(["mutants", "--list", "--package", self.package]);
        list.args(self.files.iter().flat_map(|file| ["--file", file]));
        let listed = list.output().map_err(|error| Failure(format!("mutants of {}: {error}", self.name)))?;
        Ok(String::from_utf8_lossy(&listed.stdout).lines().count() as u64)
    }
}

fn lines(file: &Path) -> Vec<String> {
    std::fs::read_to_string(file).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// cargo-mutants, installed below the target folder where the machine lacks it.
fn tool() -> Result<PathBuf, Failure> {
    if exists("cargo-mutants") {
        return Ok("cargo-mutants".into());
    }
    let tools = target_dir().join("tools");
    let installed = tools.join("bin").join(if cfg!(windows) { "cargo-mutants.exe" } else { "cargo-mutants" });
    if !installed.exists() {
        let mut install = foreign_cargo();
        install.args(["install", "--quiet", "--locked", "cargo-mutants", "--version", "27.1.0", "--root"]);
        succeed(install.arg(&tools))?;
    }
    Ok(installed)
}

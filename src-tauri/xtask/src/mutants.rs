//! `cargo xtask test mutants`: puts bugs into the code that must be free of them, one at a time, and counts how many
//! the tests notice.
//!
//! Run by hand only: each mutant is built and tested separately, which takes two cores about a minute.

use std::path::{Path, PathBuf};

use crate::packages;
use crate::run::{Failure, command, exists, foreign_cargo, succeed, target_dir};

/// A part of the program to mutate, and the percentage of mutants that must be noticed.
struct Area {
    name: &'static str,
    package: &'static str,
    files: &'static [&'static str],
    /// The package's tests to run, by a part of their names; all of them if empty.
    tests: &'static [&'static str],
    least: usize,
}

/// The code that ends matches, deletes messages, spends the game's request rates or deletes rows.
const AREAS: [Area; 7] = [
    Area {
        name: "guard",
        package: "liftdeck-operations",
        files: &[
            "src-tauri/crates/operations/src/guard.rs",
            "src-tauri/crates/operations/src/guard/*.rs",
            "src-tauri/crates/operations/src/mode.rs",
            "src-tauri/crates/operations/src/outcome/settle.rs",
            "src-tauri/crates/operations/src/outcome/settle/*.rs",
            "src-tauri/crates/operations/src/preview/undo.rs",
            "src-tauri/crates/operations/src/send.rs",
            "src-tauri/crates/operations/src/send/attempt.rs",
            "src-tauri/crates/operations/src/send/attempt/*.rs",
            "src-tauri/crates/operations/src/send/confirm.rs",
            "src-tauri/crates/operations/src/send/confirm/*.rs",
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

/// The environment variable that selects a single area.
const CHOSEN: &str = "LIFTDECK_MUTANTS";

/// Mutates every area, or the one named by [`CHOSEN`]. `size` limits the mutants per area, spread over its files.
///
/// # Errors
/// If the tool cannot be installed, the tests fail without any mutant, or too many mutants go unnoticed.
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

/// How the tests dealt with the mutants of an area. Mutants that do not compile are not counted.
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
        // One folder for all areas: the mutated tree is a copy, and what the areas share is built only once.
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
            // 2: some were missed; 3: some timed out. Both are counted below.
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

    /// Counts the mutants.
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

/// Finds cargo-mutants, or installs it below the target folder if the machine lacks it.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::root;

    #[test]
    fn every_area_names_files_that_are_there() {
        for file in AREAS.iter().flat_map(|area| area.files) {
            let is_there = match file.strip_suffix("/*.rs") {
                Some(folder) => root().join(folder).is_dir(),
                None => root().join(file).is_file(),
            };
            assert!(is_there, "{file}");
        }
    }
}

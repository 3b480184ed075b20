//! Benchmarks by name. Each measures Liftdeck and a baseline in one run and prints their ratio.

mod size;

use clap::ValueEnum;

use crate::run::{Failure, cargo, succeed, target_dir};

/// The available benchmarks.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Bench {
    /// The store against rusqlite with prepared statements on the same schema.
    Store,
    /// The simulator's largest world, against a server that answers with prepared bytes.
    Simulator,
    /// The installed program, with and without the window, against the maximum size it may have on disk.
    Size,
}

/// Runs a benchmark in the release profile and prints the path of its results file.
///
/// # Errors
/// If it does not build or fails.
pub(crate) fn run(bench: Bench, rest: &[String]) -> Result<(), Failure> {
    let name = match bench {
        Bench::Store => "store",
        Bench::Simulator => "simulator",
        Bench::Size => "size",
    };
    let folder = target_dir().join("bench");
    std::fs::create_dir_all(&folder).map_err(|error| Failure(format!("{}: {error}", folder.display())))?;
    let json = folder.join(format!("{name}.json"));
    if matches!(bench, Bench::Size) {
        size::run(&json)?;
        println!("figures: {}", json.display());
        return Ok(());
    }
    let mut command = cargo();
    command.args(["bench", "--package", &format!("liftdeck-{name}"), "--bench", name, "--", "--json"]);
    succeed(command.arg(&json).args(rest))?;
    println!("figures: {}", json.display());
    Ok(())
}

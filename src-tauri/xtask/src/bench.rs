//! Benches by name. Each measures Liftdeck and a floor in one run and prints their ratio.

use clap::ValueEnum;

use crate::run::{Failure, cargo, succeed, target_dir};

/// What can be measured.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Bench {
    /// The store against rusqlite with prepared statements on the same schema.
    Store,
    /// The simulator's largest world against a server that answers ready bytes.
    Simulator,
}

/// Runs a bench in the release profile and names the file of its figures.
///
/// # Errors
/// When it does not build or fails.
pub(crate) fn run(bench: Bench, rest: &[String]) -> Result<(), Failure> {
    let name = match bench {
        Bench::Store => "store",
        Bench::Simulator => "simulator",
    };
    let folder = target_dir().join("bench");
    std::fs::create_dir_all(&folder).map_err(|error| Failure(format!("{}: {error}", folder.display())))?;
    let json = folder.join(format!("{name}.json"));
    let mut command = cargo();
    command.args(["bench", "--package", &format!("liftdeck-{name}"), "--bench", name, "--", "--json"]);
    succeed(command.arg(&json).args(rest))?;
    println!("figures: {}", json.display());
    Ok(())
}

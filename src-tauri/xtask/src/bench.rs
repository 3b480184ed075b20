//! Benches by name. Each measures Liftdeck and a floor in one run and prints their ratio.

use clap::ValueEnum;

use crate::run::{Failure, cargo, succeed, target_dir};

/// What can be measured.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Bench {
    /// The store against rusqlite with prepared statements on the same schema.
    Store,
}

/// Runs a bench in the release profile and names the file of its figures.
///
/// # Errors
/// When it does not build or fails.
pub(crate) fn run(bench: Bench, rest: &[String]) -> Result<(), Failure> {
    match bench {
        Bench::Store => {
            let json = target_dir().join("bench/store.json");
            let mut command = cargo();
            command.args(["bench", "--package", "liftdeck-store", "--bench", "store", "--", "--json"]);
            succeed(command.arg(&json).args(rest))?;
            println!("figures: {}", json.display());
            Ok(())
        }
    }
}

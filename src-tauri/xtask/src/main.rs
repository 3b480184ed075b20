//! `cargo xtask`: the project's own commands.
//!
//! Owns what must be installed, built and run, and in which order. Deliberately knows nothing of what Liftdeck does:
//! it starts programs and reads their exit codes. It has no heavy dependencies, because it is built first on a
//! machine that has only Rust, Node and Python.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a build tool talks to the terminal")]

mod bench;
mod demo;
mod generate;
mod mutants;
mod packages;
mod run;
mod test;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::run::Failure;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Liftdeck's own build commands", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Install what is missing, build Liftdeck, and open its window on the embedded simulator.
    ///
    /// Without a display, walk every screen on a virtual one and save a picture of each under target/demo.
    Demo {
        /// Scenario of the simulated world.
        #[arg(long, default_value = "launch-day")]
        scenario: String,
    },
    /// Run every check that CI runs, or only the given steps.
    ///
    /// Each step of the harness, such as faults or crash, prints one line with its result. These steps are small by
    /// default.
    Test {
        /// Steps to run, in the order given; all of them if none is given.
        #[arg(value_enum)]
        steps: Vec<test::Step>,
        #[command(flatten)]
        extent: test::Extent,
    },
    /// Measure Liftdeck against a baseline in the same run.
    Bench {
        /// What to measure.
        #[arg(value_enum)]
        what: bench::Bench,
        /// Arguments passed on to the benchmark, after `--`.
        #[arg(last = true)]
        rest: Vec<String>,
    },
    /// Write every generated file, such as the TypeScript bindings.
    Generate,
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Demo { scenario } => demo::run(&scenario),
        Command::Test { steps, extent } => test::run(&steps, &extent),
        Command::Bench { what, rest } => bench::run(what, &rest),
        Command::Generate => generate::run(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure(message)) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

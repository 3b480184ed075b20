//! `liftdeck demo`: the window on the embedded simulator.

use clap::Args;
use liftdeck_simulator::Scenario;

use super::{Failure, Outcome};
use crate::window::{self, Opening};

/// Which simulated world to show.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct Arguments {
    /// Scenario to play: one of those in `liftdeck simulate --help`, or two of them joined by `+`
    #[arg(long, default_value_t, value_name = "NAME")]
    scenario: Scenario,
    /// The same seed and scenario give the same world
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(super) fn run(arguments: Arguments) -> Result<Outcome, Failure> {
    window::open(Opening::Demo { scenario: arguments.scenario.name().to_owned(), seed: arguments.seed })
}

//! `liftdeck simulate`: GameLift on loopback, until it is told to stop.

use clap::Args;
use liftdeck_simulator::{SimulateArgs, Simulator};

use super::{Failure, Outcome, Terminal};
use crate::stop;

/// The simulator's options.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    simulator: SimulateArgs,
}

pub(super) async fn run(terminal: &Terminal, arguments: Arguments) -> Result<Outcome, Failure> {
    if arguments.simulator.list_operations {
        terminal.answer(&liftdeck_simulator::operations().iter().collect())?;
        return Ok(Outcome::Done);
    }
    let options = arguments.simulator.options().map_err(|error| Failure::usage(format!("{error}.")))?;
    let stop = stop::token()?;
    let Some(started) = stop.run_until_cancelled(Simulator::start(options)).await else {
        return Ok(Outcome::Done);
    };
    let simulator = started.map_err(|error| Failure::new(format!("{error}.")))?;
    terminal.answer_json_line(simulator.ready())?;
    stop.cancelled().await;
    simulator.shutdown().await;
    Ok(Outcome::Done)
}

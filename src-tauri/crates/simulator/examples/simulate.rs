//! The simulator on its own, used as `liftdeck simulate` is: prints one line of JSON when it is ready, runs until a
//! signal comes.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use liftdeck_simulator::{SimulateArgs, Simulator};

#[derive(Parser)]
#[command(name = "simulate", about = "GameLift, CloudWatch, SQS and STS on loopback, over a simulated world")]
struct Arguments {
    #[command(flatten)]
    simulate: SimulateArgs,
}

async fn run(arguments: &SimulateArgs) -> Result<(), Box<dyn std::error::Error>> {
    if arguments.list_operations {
        writeln!(std::io::stdout(), "{}", liftdeck_simulator::operations().join("\n"))?;
        return Ok(());
    }
    let simulator = Simulator::start(arguments.options()?).await?;
    writeln!(std::io::stdout(), "{}", serde_json::to_string(simulator.ready())?)?;
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    tokio::select! {
        ended = tokio::signal::ctrl_c() => ended?,
        _ = terminate.recv() => {}
    }
    simulator.shutdown().await;
    Ok(())
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(&Arguments::parse().simulate).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

//! The command line: names, output and exit codes are a contract.
//!
//! Owns parsing, exit codes and how a failure is said. One file a subcommand: parse, call, print.

mod activity;
mod alias;
mod chart;
mod collect;
mod database;
mod demo;
mod export;
mod fleet;
mod matchmaking;
mod operate;
mod placement;
mod queue;
mod script;
mod session;
mod simulate;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use liftdeck_gateway::GatewayError;
use liftdeck_model::Timestamp;
use liftdeck_store::StoreError;

use crate::window::{self, Opening};
use crate::wire::error::AppError;
use crate::{clock, logs};

/// The flight deck for Amazon GameLift Servers
///
/// Without a subcommand it opens the window on the connection used last.
#[derive(Debug, Parser)]
#[command(name = "liftdeck", version, after_help = EXIT_CODES, propagate_version = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

const EXIT_CODES: &str = "\
Exit codes:
  0 done   1 failed   2 wrong use   3 refused by the guard   4 partly done

Environment:
  LIFTDECK_LOG    what is logged to stderr, such as info or liftdeck_collector=debug (default: warn)
  LIFTDECK_HOME   a folder for settings, connections, databases and logs instead of the system's own";

#[derive(Debug, Subcommand)]
enum Command {
    /// Open the window on the embedded simulator, with a database of its own
    Demo(demo::Arguments),
    /// Serve a simulated GameLift, CloudWatch, SQS, SNS and STS on loopback
    Simulate(simulate::Arguments),
    /// Collect into a database without a window
    Collect(collect::Arguments),
    /// Write what was collected as NDJSON, CSV or JSON
    Export(export::Arguments),
    /// Draw what was collected as PNG or SVG
    Chart(chart::Arguments),
    /// Make, end, change and join game sessions
    #[command(subcommand)]
    Session(session::Command),
    /// Make, repoint, edit and delete aliases, and put them back
    #[command(subcommand)]
    Alias(alias::Command),
    /// Resize, rescale, protect and drain fleets
    #[command(subcommand)]
    Fleet(fleet::Command),
    /// Start, stop and show placements
    #[command(subcommand)]
    Placement(placement::Command),
    /// Start, answer, stop and show matchmaking tickets
    #[command(subcommand)]
    Matchmaking(matchmaking::Command),
    /// Change queues
    #[command(subcommand)]
    Queue(queue::Command),
    /// Update Realtime scripts
    #[command(subcommand)]
    Script(script::Command),
    /// List, settle and undo what was changed from here
    #[command(subcommand)]
    Activity(activity::Command),
}

/// How a subcommand that did not fail ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Everything was done.
    Done,
    /// Something was done and something failed; what failed has been said.
    Partly,
}

/// Why a subcommand failed, in words for stderr: what, on which resource, code, request id, what to do.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    code: u8,
}

impl Failure {
    /// Something failed.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: 1 }
    }

    /// The command was used wrongly in a way the parser cannot see.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: 2 }
    }

    /// The guard, or nobody's consent, stands against it; nothing was sent.
    pub(crate) fn refused(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: 3 }
    }

    /// Whether the command was used wrongly.
    #[cfg(test)]
    pub(crate) fn is_usage(&self) -> bool {
        self.code == 2
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.message)
    }
}

impl From<GatewayError> for Failure {
    fn from(error: GatewayError) -> Self {
        AppError::from(error).into()
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::new(format!("The system refused: {error}."))
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        AppError::from(error).into()
    }
}

impl From<AppError> for Failure {
    fn from(error: AppError) -> Self {
        Self::new(match error.remedy {
            Some(remedy) => format!("{} {remedy}", error.message),
            None => error.message.into_string(),
        })
    }
}

/// Runs the program with the arguments of this process.
pub(crate) fn run() -> ExitCode {
    let arguments = Arguments::parse();
    if !matches!(arguments.command, None | Some(Command::Demo(_))) {
        logs::to_stderr();
    }
    let outcome = match arguments.command {
        None => window::open(Opening::Last),
        Some(Command::Demo(arguments)) => demo::run(arguments),
        Some(Command::Simulate(arguments)) => in_runtime(simulate::run(arguments)),
        Some(Command::Collect(arguments)) => in_runtime(collect::run(arguments)),
        Some(Command::Export(arguments)) => in_runtime(export::run(arguments)),
        Some(Command::Chart(arguments)) => in_runtime(chart::run(arguments)),
        Some(Command::Session(command)) => in_runtime(session::run(command)),
        Some(Command::Alias(command)) => in_runtime(alias::run(command)),
        Some(Command::Fleet(command)) => in_runtime(fleet::run(command)),
        Some(Command::Placement(command)) => in_runtime(placement::run(command)),
        Some(Command::Matchmaking(command)) => in_runtime(matchmaking::run(command)),
        Some(Command::Queue(command)) => in_runtime(queue::run(command)),
        Some(Command::Script(command)) => in_runtime(script::run(command)),
        Some(Command::Activity(command)) => in_runtime(activity::run(command)),
    };
    match outcome {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Partly) => ExitCode::from(4),
        Err(failure) => {
            say(&failure.to_string());
            ExitCode::from(failure.code)
        }
    }
}

/// Writes one line to stderr: the command line's own voice, beside the logs.
#[expect(clippy::print_stderr, reason = "this is where the command line speaks to people")]
pub(crate) fn say(message: &str) {
    eprintln!("liftdeck: {message}");
}

/// Writes to stdout what the command is run for.
pub(crate) fn answer(text: &str) -> Result<(), Failure> {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        // The reader has seen enough, as `head` does.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::new(format!("The output could not be written: {error}."))),
    }
}

fn in_runtime(work: impl Future<Output = Result<Outcome, Failure>>) -> Result<Outcome, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(format!("The program could not start its threads: {error}.")))?;
    runtime.block_on(work)
}

/// Reads RFC 3339 or an age such as `15m`, `24h`, `7d`.
fn moment(text: &str) -> Result<Timestamp, String> {
    Timestamp::parse(text, clock::now()).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_put_together_without_contradictions() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn without_a_subcommand_the_window_is_meant() {
        assert!(Arguments::parse_from(["liftdeck"]).command.is_none());
    }
}

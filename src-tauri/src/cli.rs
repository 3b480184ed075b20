//! The command line: names, output and exit codes are a contract.
//!
//! Owns parsing, exit codes and how a failure is said. One file a subcommand: parse, call, print.

mod activity;
mod alias;
mod caller;
mod chart;
mod collect;
mod database;
mod demo;
mod export;
mod feed;
mod fleet;
mod matchmaking;
mod operate;
mod placement;
mod queue;
mod script;
mod session;
mod simulate;
mod terminal;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use liftdeck_gateway::{ErrorKind, GatewayError};
use liftdeck_model::Timestamp;
use liftdeck_store::StoreError;

use crate::desk::{Handed, hand_over};
use crate::reach::Reach;
use crate::window::{self, Opening};
use crate::wire::error::AppError;
use crate::{clock, logs};
pub(crate) use caller::Caller;
pub(crate) use terminal::{Lines, Terminal, ask};

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
    #[command(flatten)]
    Operate(Operation),
}

/// What works on an account's record through the guard: here, or in the program that has the database open.
#[derive(Debug, Subcommand)]
enum Operation {
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
    /// Adopt event queues, and see what was set aside of them
    #[command(subcommand)]
    Feed(feed::Command),
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
    /// It ran in another process with this exit code, and said there what there was to say.
    Elsewhere(u8),
}

/// Why a subcommand failed, in words for stderr: what, on which resource, code, request id, what to do.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    code: u8,
    /// The database another program has open, when that is what stands against it.
    held: Option<Box<Held>>,
}

/// A database another program has open, and how this command would have reached AWS by itself.
#[derive(Debug)]
struct Held {
    database: PathBuf,
    reach: Option<Reach>,
}

impl Failure {
    /// Something failed.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: 1, held: None }
    }

    /// The command was used wrongly in a way the parser cannot see.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: 2, held: None }
    }

    /// The guard, or nobody's consent, stands against it; nothing was sent.
    pub(crate) fn refused(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: 3, held: None }
    }

    /// The same failure of a command that would have reached AWS like this, had the database been free.
    #[must_use]
    fn reaching(mut self, reach: Reach) -> Self {
        if let Some(held) = &mut self.held {
            held.reach = Some(reach);
        }
        self
    }

    /// The same failure of a change: nobody could be held to it, so the guard refused it.
    #[must_use]
    fn before_a_change(self) -> Self {
        Self { message: format!("Nothing was sent: {}", self.message), code: 3, held: None }
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
        let is_refused = matches!(
            error.kind,
            ErrorKind::ReadOnly | ErrorKind::WrongAccount | ErrorKind::WrongCaller | ErrorKind::Unproven
        );
        let failure = Self::from(AppError::from(error));
        if is_refused { Self { code: 3, ..failure } } else { failure }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::new(format!("The system refused: {error}."))
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let held = match &error {
            StoreError::Busy { path } => Some(Box::new(Held { database: path.clone(), reach: None })),
            _ => None,
        };
        let is_refused = matches!(error, StoreError::WrongAccount { .. });
        let failure = Self { held, ..AppError::from(error).into() };
        if is_refused { Self { code: 3, ..failure } } else { failure }
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
    let caller = Caller::own();
    let outcome = match arguments.command {
        None => window::open(Opening::Last),
        Some(Command::Demo(arguments)) => demo::run(arguments),
        Some(Command::Simulate(arguments)) => in_runtime(simulate::run(&caller.terminal, arguments)),
        Some(Command::Collect(arguments)) => in_runtime(collect::run(&caller.terminal, arguments)),
        Some(Command::Export(arguments)) => in_runtime(export::run(arguments)),
        Some(Command::Chart(arguments)) => in_runtime(chart::run(arguments)),
        Some(Command::Operate(operation)) => in_runtime(here_or_elsewhere(&caller, operation)),
    };
    ExitCode::from(code_of(&caller.terminal, outcome))
}

/// Runs a command for another process, with what this one has open, and gives its exit code.
pub(crate) async fn run_for(caller: &Caller, words: Vec<String>) -> u8 {
    let outcome = match Arguments::try_parse_from(words) {
        Ok(Arguments { command: Some(Command::Operate(operation)) }) => Box::pin(operation.run(caller)).await,
        Ok(_) => Err(Failure::usage("This command runs in a program of its own.")),
        Err(error) => Err(Failure::usage(error.to_string())),
    };
    code_of(&caller.terminal, outcome)
}

/// Tells another process why its command is not run, and gives the exit code of that.
pub(crate) fn refuse(caller: &Caller, reason: String) -> u8 {
    code_of(&caller.terminal, Err(Failure::refused(reason)))
}

/// The exit code; what failed is said.
fn code_of(terminal: &Terminal, outcome: Result<Outcome, Failure>) -> u8 {
    match outcome {
        Ok(Outcome::Done) => 0,
        Ok(Outcome::Partly) => 4,
        Ok(Outcome::Elsewhere(code)) => code,
        Err(failure) => {
            terminal.say(&failure.to_string());
            failure.code
        }
    }
}

/// Runs a command here or, when another program has its database open, there.
async fn here_or_elsewhere(caller: &Caller, operation: Operation) -> Result<Outcome, Failure> {
    match Box::pin(operation.run(caller)).await {
        Err(Failure { held: Some(held), message, code }) => {
            let Held { database, reach: Some(reach) } = *held else {
                return Err(Failure { message, code, held: None });
            };
            match Box::pin(hand_over(&database, reach, caller)).await? {
                Handed::Ended(code) => Ok(Outcome::Elsewhere(code)),
                Handed::Nobody => Err(Failure { message, code, held: None }),
            }
        }
        outcome => outcome,
    }
}

impl Operation {
    async fn run(self, caller: &Caller) -> Result<Outcome, Failure> {
        match self {
            Self::Session(command) => Box::pin(session::run(caller, command)).await,
            Self::Alias(command) => Box::pin(alias::run(caller, command)).await,
            Self::Fleet(command) => Box::pin(fleet::run(caller, command)).await,
            Self::Placement(command) => Box::pin(placement::run(caller, command)).await,
            Self::Matchmaking(command) => Box::pin(matchmaking::run(caller, command)).await,
            Self::Queue(command) => Box::pin(queue::run(caller, command)).await,
            Self::Script(command) => Box::pin(script::run(caller, command)).await,
            Self::Feed(command) => Box::pin(feed::run(caller, command)).await,
            Self::Activity(command) => Box::pin(activity::run(caller, command)).await,
        }
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

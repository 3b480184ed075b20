//! The command line: names, output and exit codes are a contract.
//!
//! Owns parsing, exit codes and how failures are reported. Each subcommand has a file, which parses, calls and
//! prints.

mod activity;
mod alerts;
mod alias;
mod ask;
mod caller;
mod changes;
mod chart;
mod collect;
mod complete;
mod connection;
mod content;
mod database;
#[cfg(all(feature = "window", feature = "simulator"))]
mod demo;
mod difference;
mod export;
mod feed;
mod fleet;
mod incident;
mod look;
mod man;
mod matchmaking;
mod names;
#[cfg(feature = "window")]
mod open;
mod operate;
mod placement;
mod player;
mod player_data;
mod queue;
mod script;
mod serve;
mod session;
mod show;
#[cfg(feature = "simulator")]
mod simulate;
mod status;
mod terminal;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand};
use liftdeck_gateway::{ConnectionSpec, ErrorKind, GatewayError};
use liftdeck_model::query::Query;
use liftdeck_store::StoreError;
use strum::VariantNames;

use crate::logs;
use crate::socket::{Handed, hand_over};
#[cfg(feature = "window")]
use crate::window::{self, Opening};
pub(crate) use caller::Caller;
use liftdeck_api::error::AppError;
use liftdeck_app::home::HomeError;
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
  0 done   1 failed   2 usage error   3 refused by the guard   4 partly done

Environment:
  LIFTDECK_LOG    what is logged to stderr, such as info or liftdeck_collector=info (default: warn)
  LIFTDECK_HOME   a folder for settings, connections, databases and logs instead of the system's own";

#[derive(Debug, Subcommand)]
enum Command {
    #[cfg(all(feature = "window", feature = "simulator"))]
    /// Open the window on the embedded simulator, with a database of its own
    Demo(demo::Arguments),
    #[cfg(feature = "window")]
    /// Open a link to a page, such as one from a message about an alert
    Open(open::Arguments),
    /// Show the same pages in a browser, also on another computer
    Serve(serve::Arguments),
    #[cfg(feature = "simulator")]
    /// Serve a simulated GameLift, CloudWatch, CloudTrail, SQS, SNS and STS on loopback
    Simulate(simulate::Arguments),
    /// Collect into a database without a window
    Collect(collect::Arguments),
    /// Write what was collected as NDJSON, CSV or JSON
    Export(export::Arguments),
    /// Draw what was collected as PNG or SVG
    Chart(chart::Arguments),
    /// Show key figures and what needs attention
    Status(show::ReadCommand<status::Status>),
    /// Show an alert or any span of time as one story, or write it as a file
    #[command(subcommand)]
    Incident(incident::Command),
    /// Show what changed
    Changes(show::ReadCommand<changes::Changes>),
    /// Ask any question the screens ask; the answer is JSON
    Ask(ask::Ask),
    /// Show players
    #[command(subcommand)]
    Player(player::Command),
    /// Show builds
    #[command(subcommand)]
    Build(content::Build),
    /// List, check, save and forget connections
    #[command(subcommand)]
    Connection(connection::Command),
    /// Print the completion script of a shell
    #[command(aliases = ["completions", "complete"])]
    Completion(complete::Completion),
    /// Print or write manual pages
    Man(man::Man),
    #[command(flatten)]
    Operate(Operation),
}

/// Commands that work on an account's record through the guard, here or in the program that has the database open.
#[derive(Debug, Subcommand)]
enum Operation {
    /// Show, create, update, terminate and join game sessions
    #[command(subcommand)]
    Session(session::Command),
    /// Show, create, repoint, edit, delete and restore aliases
    #[command(subcommand)]
    Alias(alias::Command),
    /// Show, resize, rescale, protect and drain fleets
    #[command(subcommand)]
    Fleet(fleet::Command),
    /// List, start, stop and show placements
    #[command(subcommand)]
    Placement(placement::Command),
    /// Start, answer, stop and show matchmaking tickets
    #[command(subcommand)]
    Matchmaking(matchmaking::Command),
    /// Show and change queues
    #[command(subcommand)]
    Queue(queue::Command),
    /// List and update Realtime scripts
    #[command(subcommand)]
    Script(script::Command),
    /// Adopt event queues, and see what was set aside from them
    #[command(subcommand)]
    Feed(feed::Command),
    /// Show what is wrong or was, since when, and why; say who is told of it
    Alerts(Box<alerts::Command>),
    /// List, settle and undo changes made from here
    #[command(subcommand)]
    Activity(activity::Command),
}

impl Arguments {
    /// Whether the command runs long enough to need a log file.
    fn keeps_a_log(&self) -> bool {
        match &self.command {
            None | Some(Command::Serve(_)) => true,
            #[cfg(all(feature = "window", feature = "simulator"))]
            Some(Command::Demo(_)) => true,
            #[cfg(feature = "window")]
            Some(Command::Open(_)) => true,
            Some(_) => false,
        }
    }
}

/// How a subcommand that did not fail ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Everything was done.
    Done,
    /// Some of it was done and some failed; the failures have been reported.
    Partly,
    /// It ran in another process with this exit code, and all its output has been written.
    Elsewhere(u8),
}

/// Why a subcommand failed, in words for stderr: what failed, on which resource, code, request id, what to do.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    code: u8,
    /// The database that another program has open, if that is the reason.
    held: Option<Box<Held>>,
}

/// A database that another program has open, and how this command would have reached AWS on its own.
#[derive(Debug)]
struct Held {
    database: PathBuf,
    spec: Option<ConnectionSpec>,
}

impl Failure {
    /// Something failed.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: 1, held: None }
    }

    /// The command was used wrongly in a way the parser cannot detect.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: 2, held: None }
    }

    /// The guard refused it or nobody agreed to it; nothing was sent.
    pub(crate) fn refused(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: 3, held: None }
    }

    /// Adds how the command would have reached AWS if the database had been free.
    #[must_use]
    fn reaching(mut self, spec: ConnectionSpec) -> Self {
        if let Some(held) = &mut self.held {
            held.spec = Some(spec);
        }
        self
    }

    /// Turns the failure into a refusal by the guard: nothing was sent, because the identity behind the change is
    /// unknown.
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
        Self::new(format!("The operating system reported: {error}."))
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let held = match &error {
            StoreError::Busy { path } => Some(Box::new(Held { database: path.clone(), spec: None })),
            _ => None,
        };
        let is_refused = matches!(error, StoreError::WrongAccount { .. });
        let failure = Self { held, ..AppError::from(error).into() };
        if is_refused { Self { code: 3, ..failure } } else { failure }
    }
}

impl From<HomeError> for Failure {
    fn from(error: HomeError) -> Self {
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
    complete::answer_a_shell();
    #[cfg(feature = "window")]
    let arguments = Arguments::parse_from(open::as_a_command(std::env::args_os()));
    #[cfg(not(feature = "window"))]
    let arguments = Arguments::parse();
    if !arguments.keeps_a_log() {
        logs::to_stderr();
    }
    let caller = Caller::own();
    let outcome = match arguments.command {
        #[cfg(feature = "window")]
        None => window::open(Opening::Last),
        #[cfg(not(feature = "window"))]
        None => Err(Failure::usage(
            "This Liftdeck was built without a window. `liftdeck serve` shows its pages in a browser; `liftdeck --help` \
             lists what else it does.",
        )),
        #[cfg(all(feature = "window", feature = "simulator"))]
        Some(Command::Demo(arguments)) => demo::run(arguments),
        #[cfg(feature = "window")]
        Some(Command::Open(arguments)) => open::run(&caller, arguments),
        Some(Command::Serve(arguments)) => in_runtime(serve::run(&caller.terminal, arguments)),
        #[cfg(feature = "simulator")]
        Some(Command::Simulate(arguments)) => in_runtime(simulate::run(&caller.terminal, arguments)),
        Some(Command::Collect(arguments)) => in_runtime(collect::run(&caller.terminal, arguments)),
        Some(Command::Export(arguments)) => in_runtime(export::run(&caller, arguments)),
        Some(Command::Chart(arguments)) => in_runtime(chart::run(&caller, arguments)),
        Some(Command::Ask(it)) => in_runtime(ask::run(&caller, it)),
        Some(Command::Status(it)) => in_runtime(it.show(&caller)),
        Some(Command::Incident(command)) => in_runtime(incident::run(&caller, command)),
        Some(Command::Changes(it)) => in_runtime(it.show(&caller)),
        Some(Command::Player(command)) => in_runtime(player::run(&caller, command)),
        Some(Command::Build(content::Build::List(it))) => in_runtime(it.show(&caller)),
        Some(Command::Connection(command)) => in_runtime(connection::run(&caller, command)),
        Some(Command::Completion(it)) => complete::run(&caller, &it),
        Some(Command::Man(it)) => man::run(&caller, &it),
        Some(Command::Operate(operation)) => in_runtime(here_or_elsewhere(&caller, operation)),
    };
    ExitCode::from(code_of(&caller.terminal, outcome))
}

/// Runs a command for another process, with what this one has open, and returns its exit code.
pub(crate) async fn run_for(caller: &Caller, words: Vec<String>) -> u8 {
    let outcome = match Arguments::try_parse_from(words) {
        Ok(Arguments { command: Some(Command::Operate(operation)) }) => Box::pin(operation.run(caller)).await,
        Ok(_) => Err(Failure::usage("This command must run in its own process.")),
        Err(error) => Err(Failure::usage(error.to_string())),
    };
    code_of(&caller.terminal, outcome)
}

/// Tells another process why its command is not run, and returns the exit code for that.
pub(crate) fn refuse(caller: &Caller, reason: String) -> u8 {
    code_of(&caller.terminal, Err(Failure::refused(reason)))
}

/// Returns the exit code, and reports the failure if there was one.
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

/// Runs a command here, or in the program that has its database open.
async fn here_or_elsewhere(caller: &Caller, operation: Operation) -> Result<Outcome, Failure> {
    match Box::pin(operation.run(caller)).await {
        Err(Failure { held: Some(held), message, code }) => {
            let Held { database, spec: Some(spec) } = *held else {
                return Err(Failure { message, code, held: None });
            };
            match Box::pin(hand_over(&database, spec, caller)).await? {
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
            Self::Alerts(command) => Box::pin(alerts::run(caller, *command)).await,
            Self::Activity(command) => Box::pin(activity::run(caller, command)).await,
        }
    }
}

fn in_runtime(work: impl Future<Output = Result<Outcome, Failure>>) -> Result<Outcome, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(format!("Liftdeck could not start its threads: {error}.")))?;
    runtime.block_on(work)
}

/// Whether a path is `-`, the usual name for standard output.
fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Parses one of a type's names, which the help lists.
fn one_of<T: VariantNames + FromStr + Clone + Send + Sync + 'static>() -> impl TypedValueParser<Value = T>
where
    T::Err: std::error::Error + Send + Sync,
{
    PossibleValuesParser::new(T::VARIANTS).try_map(|name| name.parse())
}

/// Parses a query. An error starts on a line of its own, so that its carets stand under the fault.
fn query(text: &str) -> Result<Query, String> {
    Query::parse(text).map_err(|error| format!("\n{}", error.render(text)))
}

/// Checks a query that is passed on as it is written.
fn query_text(text: &str) -> Result<String, String> {
    query(text).map(|_| text.to_owned())
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

//! `liftdeck activity`: what this installation asked AWS to change, and what is still open.

mod list;

use clap::{Args, Subcommand};
use liftdeck_app::clock;
use liftdeck_model::Region;
use liftdeck_model::activity::{ActivityId, ActivityOutcome, RunId};
use liftdeck_operations::{Intent, Run as Recorded};
use liftdeck_store::Reader;

use super::operate::{
    ChangeOptions, ChangeResults, ConnectionOptions, GuardedConnection, consent_is_possible,
};
use super::show::ReadCommand;
use super::{Caller, Failure, Outcome, database};

/// The subcommands of `liftdeck activity`.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List attempts, newest first
    List(ReadCommand<list::List>),
    /// Ask AWS what became of an attempt whose outcome is not known
    Settle(One),
    /// Undo an attempt
    Undo(Undo),
    /// List bulk changes and drains
    Runs(ReadCommand<list::Runs>),
    /// Resume a paused bulk change or drain
    Resume(Run),
    /// End a bulk change or drain; what was not sent stays unsent
    Stop(One),
}

/// One attempt or run.
#[derive(Debug, Args)]
pub(super) struct One {
    #[command(flatten)]
    connection: ConnectionOptions,
    /// Id
    #[arg(value_name = "ID")]
    id: String,
}

/// An attempt to undo.
#[derive(Debug, Args)]
pub(super) struct Undo {
    #[command(flatten)]
    options: ChangeOptions,
    /// Id of the attempt
    #[arg(value_name = "ID")]
    id: String,
}

/// A run to resume.
#[derive(Debug, Args)]
pub(super) struct Run {
    #[command(flatten)]
    options: ChangeOptions,
    /// Id of the run
    #[arg(value_name = "RUN")]
    id: String,
}

pub(super) async fn run(caller: &Caller, command: Command) -> Result<Outcome, Failure> {
    match command {
        Command::List(it) => it.show(caller).await,
        Command::Settle(it) => Box::pin(settle(caller, it)).await,
        Command::Undo(Undo { options, id }) => {
            let id = ActivityId::new(id);
            Box::pin(take(caller, &options, Concerned::Attempt(id.clone()), Intent::Undo(id))).await
        }
        Command::Runs(it) => it.show(caller).await,
        Command::Resume(Run { options, id }) => {
            let id = RunId::new(id);
            Box::pin(take(caller, &options, Concerned::Run(id.clone()), Intent::Resume(id))).await
        }
        Command::Stop(it) => Box::pin(stop(caller, it)).await,
    }
}

/// What a command is about.
enum Concerned {
    Attempt(ActivityId),
    Run(RunId),
}

/// Opens a guard that reaches every Region of what is concerned.
async fn connection(
    caller: &Caller,
    chosen: &ConnectionOptions,
    concerned: &Concerned,
) -> Result<GuardedConnection, Failure> {
    let store = Box::pin(database::look(chosen.find(caller)?.database(), clock::now())).await?;
    let regions = regions(&store.reader(), concerned).await;
    store.close().await;
    chosen.find(caller)?.open(&caller.terminal, regions?).await
}

async fn regions(reader: &Reader, concerned: &Concerned) -> Result<Vec<Region>, Failure> {
    let (regions, what, id, list) = match concerned {
        Concerned::Attempt(id) => {
            let region = reader.activity(id).await?.map(|activity| vec![activity.region]);
            (region, "attempt", id.as_str(), "list")
        }
        Concerned::Run(id) => (Recorded::regions(reader, id).await?, "run", id.as_str(), "runs"),
    };
    regions.ok_or_else(|| {
        Failure::new(format!(
            "There is no {what} {id} on record. `liftdeck activity {list}` lists those on record."
        ))
    })
}

async fn settle(caller: &Caller, it: One) -> Result<Outcome, Failure> {
    let id = ActivityId::new(it.id.clone());
    let connection = connection(caller, &it.connection, &Concerned::Attempt(id.clone())).await?;
    let settled = connection.guard.settle(&id).await;
    connection.close().await;
    let activities = [settled?];
    let told = ChangeResults { activities: &activities, run: None, joined: None, skipped: &[] };
    told.answer(caller, it.connection.json)?;
    match activities[0].outcome {
        ActivityOutcome::Done | ActivityOutcome::Failed => Ok(Outcome::Done),
        ActivityOutcome::Sending | ActivityOutcome::Unknown => Ok(Outcome::Partly),
    }
}

/// Takes an intent on something recorded through the guard.
async fn take(
    caller: &Caller,
    options: &ChangeOptions,
    concerned: Concerned,
    intent: Intent,
) -> Result<Outcome, Failure> {
    consent_is_possible(caller, options)?;
    let connection = connection(caller, &options.connection, &concerned).await?;
    connection.carry_out(caller, options, intent).await
}

async fn stop(caller: &Caller, it: One) -> Result<Outcome, Failure> {
    let id = RunId::new(it.id.clone());
    let connection = connection(caller, &it.connection, &Concerned::Run(id.clone())).await?;
    let stopped = connection.guard.run_stop(&id).await;
    connection.close().await;
    let run = stopped?;
    let told = ChangeResults { activities: &[], run: Some(&run), joined: None, skipped: &[] };
    told.answer(caller, it.connection.json)?;
    Ok(Outcome::Done)
}

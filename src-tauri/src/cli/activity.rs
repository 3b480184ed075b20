//! `liftdeck activity`: what this installation asked AWS to change, and what is still open.

mod list;

use clap::{Args, Subcommand};
use liftdeck_app::clock;
use liftdeck_model::Region;
use liftdeck_model::activity::{ActivityId, ActivityOutcome, RunId};
use liftdeck_operations::Intent;
use liftdeck_store::Reader;
use liftdeck_store::reader::activity::ActivityRequest;
use liftdeck_store::reader::window::Page;

use super::operate::{
    ChangeOptions, ChangeResults, ConnectionOptions, GuardedConnection, consent_is_possible, intend,
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
        Command::Undo(it) => Box::pin(undo(caller, it)).await,
        Command::Runs(it) => it.show(caller).await,
        Command::Resume(it) => Box::pin(go_on(caller, it)).await,
        Command::Stop(it) => Box::pin(stop(caller, it)).await,
    }
}

/// Opens a guard that reaches every Region of the attempts concerned.
async fn connection(
    caller: &Caller,
    chosen: &ConnectionOptions,
    attempt: Option<&ActivityId>,
    run: Option<&RunId>,
) -> Result<GuardedConnection, Failure> {
    let store = Box::pin(database::look(chosen.find(caller)?.database(), clock::now())).await?;
    let regions = regions(&store.reader(), attempt, run).await;
    store.close().await;
    chosen.find(caller)?.open(&caller.terminal, regions?).await
}

/// The Region of an attempt, or those of all attempts of a run.
async fn regions(
    reader: &Reader,
    attempt: Option<&ActivityId>,
    run: Option<&RunId>,
) -> Result<Vec<Region>, Failure> {
    let unknown = |what: &str, id: &str, list: &str| {
        Failure::new(format!(
            "There is no {what} {id} on record. `liftdeck activity {list}` lists those on record."
        ))
    };
    let mut regions = Vec::new();
    if let Some(id) = attempt {
        let known = reader.activity(id).await?;
        regions.push(known.ok_or_else(|| unknown("attempt", id.as_str(), "list"))?.region);
    }
    if let Some(id) = run {
        let known = reader.run(id).await?;
        regions.extend(known.ok_or_else(|| unknown("run", id.as_str(), "runs"))?.region);
        let request = ActivityRequest {
            run_id: Some(id.clone()),
            ..ActivityRequest::everything(Page::first(Page::MOST))
        };
        regions.extend(reader.activities(&request).await?.rows.into_iter().map(|activity| activity.region));
    }
    Ok(regions)
}

async fn settle(caller: &Caller, it: One) -> Result<Outcome, Failure> {
    let id = ActivityId::new(it.id.clone());
    let connection = connection(caller, &it.connection, Some(&id), None).await?;
    let settled = connection.guard.settle(&id).await;
    connection.close().await;
    let activities = [settled?];
    let told = ChangeResults { activities: &activities, run: None, connections: &[], skipped: &[] };
    told.answer(caller, it.connection.json)?;
    match activities[0].outcome {
        ActivityOutcome::Done | ActivityOutcome::Failed => Ok(Outcome::Done),
        ActivityOutcome::Sending | ActivityOutcome::Unknown => Ok(Outcome::Partly),
    }
}

async fn undo(caller: &Caller, it: Undo) -> Result<Outcome, Failure> {
    consent_is_possible(caller, &it.options)?;
    let id = ActivityId::new(it.id.clone());
    let connection = connection(caller, &it.options.connection, Some(&id), None).await?;
    let outcome = intend(caller, &it.options, &connection, Intent::Undo(id)).await;
    connection.close().await;
    outcome
}

async fn go_on(caller: &Caller, it: Run) -> Result<Outcome, Failure> {
    consent_is_possible(caller, &it.options)?;
    let id = RunId::new(it.id.clone());
    let connection = connection(caller, &it.options.connection, None, Some(&id)).await?;
    let outcome = intend(caller, &it.options, &connection, Intent::Resume(id)).await;
    connection.close().await;
    outcome
}

async fn stop(caller: &Caller, it: One) -> Result<Outcome, Failure> {
    let id = RunId::new(it.id.clone());
    let connection = connection(caller, &it.connection, None, Some(&id)).await?;
    let stopped = connection.guard.run_stop(&id).await;
    connection.close().await;
    let run = stopped?;
    let told = ChangeResults { activities: &[], run: Some(&run), connections: &[], skipped: &[] };
    told.answer(caller, it.connection.json)?;
    Ok(Outcome::Done)
}

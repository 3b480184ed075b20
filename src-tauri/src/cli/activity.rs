//! `liftdeck activity`: what this installation asked AWS to change, and what is left of it.

mod list;

use clap::{Args, Subcommand};
use liftdeck_app::clock;
use liftdeck_model::Region;
use liftdeck_model::activity::{ActivityId, ActivityOutcome, RunId};
use liftdeck_operations::Intent;
use liftdeck_store::Reader;
use liftdeck_store::reader::activity::ActivityRequest;
use liftdeck_store::reader::window::Page;

use super::operate::{Desk, How, Told, Where, consent_is_possible, intend};
use super::show::Looking;
use super::{Caller, Failure, Outcome, database};

/// What to do with the record.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List attempts, newest first
    List(Looking<list::List>),
    /// Ask AWS what became of an attempt whose outcome is not known
    Settle(One),
    /// Undo an attempt
    Undo(Undo),
    /// List bulk changes and drains
    Runs(Looking<list::Runs>),
    /// Go on with a paused bulk change or drain
    Resume(Run),
    /// End a bulk change or drain; what was not sent stays unsent
    Stop(One),
}

/// One attempt or run.
#[derive(Debug, Args)]
pub(super) struct One {
    #[command(flatten)]
    place: Where,
    /// Id
    #[arg(value_name = "ID")]
    id: String,
}

/// An attempt to undo.
#[derive(Debug, Args)]
pub(super) struct Undo {
    #[command(flatten)]
    how: How,
    /// Id of the attempt
    #[arg(value_name = "ID")]
    id: String,
}

/// A run to go on with.
#[derive(Debug, Args)]
pub(super) struct Run {
    #[command(flatten)]
    how: How,
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

/// An open guard that reaches every Region the attempts concerned lie in.
async fn desk(
    caller: &Caller,
    place: &Where,
    attempt: Option<&ActivityId>,
    run: Option<&RunId>,
) -> Result<Desk, Failure> {
    let store = Box::pin(database::look(place.find(caller)?.database(), clock::now())).await?;
    let regions = regions(&store.reader(), attempt, run).await;
    store.close().await;
    place.find(caller)?.open(&caller.terminal, regions?).await
}

/// Where an attempt was made, or those of a run.
async fn regions(
    reader: &Reader,
    attempt: Option<&ActivityId>,
    run: Option<&RunId>,
) -> Result<Vec<Region>, Failure> {
    let unknown = |what: &str, id: &str, list: &str| {
        Failure::new(format!(
            "There is no {what} {id} on record. `liftdeck activity {list}` shows those there are."
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
        let request =
            ActivityRequest { run: Some(id.clone()), ..ActivityRequest::everything(Page::first(Page::MOST)) };
        regions.extend(reader.activities(&request).await?.rows.into_iter().map(|activity| activity.region));
    }
    Ok(regions)
}

async fn settle(caller: &Caller, it: One) -> Result<Outcome, Failure> {
    let id = ActivityId::new(it.id.clone());
    let desk = desk(caller, &it.place, Some(&id), None).await?;
    let settled = desk.guard.settle(&id).await;
    desk.close().await;
    let activities = [settled?];
    let told = Told { activities: &activities, run: None, connections: &[], skipped: &[] };
    told.answer(caller, it.place.json)?;
    match activities[0].outcome {
        ActivityOutcome::Done | ActivityOutcome::Failed => Ok(Outcome::Done),
        ActivityOutcome::Sending | ActivityOutcome::Unknown => Ok(Outcome::Partly),
    }
}

async fn undo(caller: &Caller, it: Undo) -> Result<Outcome, Failure> {
    consent_is_possible(caller, &it.how)?;
    let id = ActivityId::new(it.id.clone());
    let desk = desk(caller, &it.how.place, Some(&id), None).await?;
    let outcome = intend(caller, &it.how, &desk, Intent::Undo(id)).await;
    desk.close().await;
    outcome
}

async fn go_on(caller: &Caller, it: Run) -> Result<Outcome, Failure> {
    consent_is_possible(caller, &it.how)?;
    let id = RunId::new(it.id.clone());
    let desk = desk(caller, &it.how.place, None, Some(&id)).await?;
    let outcome = intend(caller, &it.how, &desk, Intent::Resume(id)).await;
    desk.close().await;
    outcome
}

async fn stop(caller: &Caller, it: One) -> Result<Outcome, Failure> {
    let id = RunId::new(it.id.clone());
    let desk = desk(caller, &it.place, None, Some(&id)).await?;
    let stopped = desk.guard.run_stop(&id).await;
    desk.close().await;
    let run = stopped?;
    let told = Told { activities: &[], run: Some(&run), connections: &[], skipped: &[] };
    told.answer(caller, it.place.json)?;
    Ok(Outcome::Done)
}

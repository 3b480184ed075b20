//! `liftdeck activity`: what this installation asked AWS to change, and what is left of it.

use clap::{Args, Subcommand, ValueEnum};
use liftdeck_model::Timestamp;
use liftdeck_model::activity::{Activity, ActivityId, ActivityOutcome, RunId};
use liftdeck_model::time::TimeRange;
use liftdeck_operations::Intent;
use liftdeck_store::reader::activity::ActivityRequest;
use liftdeck_store::reader::window::Page;
use liftdeck_store::{RunRecord, Store};
use serde_json::json;

use super::operate::{
    Desk, How, Told, Where, activity_json, consent_is_possible, intend, line_of, state_text,
};
use super::{Caller, Failure, Outcome, database, moment};
use liftdeck_app::clock;

/// What to do with the record.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List attempts, newest first
    List(List),
    /// Ask AWS what became of an attempt whose outcome is not known
    Settle(One),
    /// Undo an attempt
    Undo(Undo),
    /// List bulk changes and drains
    Runs(Runs),
    /// Go on with a paused bulk change or drain
    Resume(Run),
    /// End a bulk change or drain; what was not sent stays unsent
    Stop(One),
}

/// Which attempts.
#[derive(Debug, Args)]
pub(super) struct List {
    #[command(flatten)]
    place: Where,
    /// Only this outcome
    #[arg(long, value_enum)]
    outcome: Vec<OutcomeArg>,
    /// Only those that mention this: operation, resource, name, request id, player
    #[arg(long, value_name = "TEXT", default_value = "")]
    text: String,
    /// From this moment on: RFC 3339, or an age such as 15m, 24h, 7d
    #[arg(long, value_name = "T", value_parser = moment)]
    since: Option<Timestamp>,
    /// At most so many
    #[arg(long, value_name = "COUNT", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    limit: u32,
}

/// An outcome, as it is written.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum OutcomeArg {
    Sending,
    Done,
    Failed,
    Unknown,
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

/// Which runs.
#[derive(Debug, Args)]
pub(super) struct Runs {
    #[command(flatten)]
    place: Where,
    /// Only those that are under way or paused
    #[arg(long)]
    open: bool,
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

impl From<OutcomeArg> for ActivityOutcome {
    fn from(outcome: OutcomeArg) -> Self {
        match outcome {
            OutcomeArg::Sending => Self::Sending,
            OutcomeArg::Done => Self::Done,
            OutcomeArg::Failed => Self::Failed,
            OutcomeArg::Unknown => Self::Unknown,
        }
    }
}

pub(super) async fn run(caller: &Caller, command: Command) -> Result<Outcome, Failure> {
    match command {
        Command::List(it) => list(caller, it).await,
        Command::Settle(it) => Box::pin(settle(caller, it)).await,
        Command::Undo(it) => Box::pin(undo(caller, it)).await,
        Command::Runs(it) => Box::pin(runs(caller, it)).await,
        Command::Resume(it) => Box::pin(go_on(caller, it)).await,
        Command::Stop(it) => Box::pin(stop(caller, it)).await,
    }
}

/// The database, only to look.
async fn look(caller: &Caller, place: &Where) -> Result<Store, Failure> {
    database::look(place.find(caller)?.database(), clock::now()).await
}

/// An open guard that reaches every Region the attempts concerned lie in.
async fn desk(
    caller: &Caller,
    place: &Where,
    attempt: Option<&ActivityId>,
    run: Option<&RunId>,
) -> Result<Desk, Failure> {
    let store = look(caller, place).await?;
    let reader = store.reader();
    let mut regions = Vec::new();
    if let Some(id) = attempt {
        let known = reader.activity(id).await?.ok_or_else(|| {
            Failure::new(format!(
                "There is no attempt {id} on record. `liftdeck activity list` shows those there are."
            ))
        })?;
        regions.push(known.region);
    }
    if let Some(id) = run {
        let known = reader.run(id).await?.ok_or_else(|| {
            Failure::new(format!(
                "There is no run {id} on record. `liftdeck activity runs` shows those there are."
            ))
        })?;
        regions.extend(known.region);
        let request =
            ActivityRequest { run: Some(id.clone()), ..ActivityRequest::everything(Page::first(Page::MOST)) };
        regions.extend(reader.activities(&request).await?.rows.into_iter().map(|activity| activity.region));
    }
    store.close().await;
    place.find(caller)?.open(&caller.terminal, regions).await
}

async fn list(caller: &Caller, it: List) -> Result<Outcome, Failure> {
    let store = look(caller, &it.place).await?;
    let now = clock::now();
    let request = ActivityRequest {
        text: it.text.clone(),
        outcomes: it.outcome.iter().copied().map(ActivityOutcome::from).collect(),
        range: it.since.map(|from| TimeRange { from, to: now.plus_ms(1) }),
        ..ActivityRequest::everything(Page::first(it.limit))
    };
    let found = store.reader().activities(&request).await?;
    store.close().await;
    let rows = || found.rows.iter().map(activity_json).collect::<Vec<_>>();
    let document = || json!({ "activities": rows(), "total": found.total });
    let line = |activity: &Activity| format!("{}  {}  {}", activity.at, activity.id, line_of(activity));
    caller.terminal.answer_as(it.place.json, document, || found.rows.iter().map(line).collect())?;
    Ok(Outcome::Done)
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

async fn runs(caller: &Caller, it: Runs) -> Result<Outcome, Failure> {
    let store = look(caller, &it.place).await?;
    let records = store.reader().runs(it.open).await?;
    store.close().await;
    let row = |run: &RunRecord| {
        json!({
            "id": run.id,
            "title": run.title,
            "region": run.region,
            "state": run.state,
            "created_at": run.created_at.to_string(),
            "changed_at": run.changed_at.to_string(),
        })
    };
    let line = |run: &RunRecord| {
        format!("{}  {}  {:<8}  {}", run.created_at, run.id, state_text(run.state), run.title)
    };
    let rows = || json!({ "runs": records.iter().map(row).collect::<Vec<_>>() });
    caller.terminal.answer_as(it.place.json, rows, || records.iter().map(line).collect())?;
    Ok(Outcome::Done)
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

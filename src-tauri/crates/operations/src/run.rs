//! Runs: changes that belong together. Bulk changes, and the drain of a fleet.
//!
//! Owns their life: begun, paused, resumed, stopped, and what is left of them after the program was ended. A run that
//! an earlier process left is paused and says truthfully how far it came; it sends nothing more until a person resumes
//! it, and that takes an unlocked connection. How the changes are sent is in `runner`.

mod plan;
mod progress;
mod runner;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use liftdeck_model::activity::{Activity, ActivityOutcome, RunId};
use liftdeck_model::{FleetId, Region, Timestamp};
use liftdeck_store::reader::activity::ActivityRequest;
use liftdeck_store::reader::window::Page;
use liftdeck_store::{RunKind, RunRecord, RunState};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::core::Core;
use crate::drain::DrainProgress;
use crate::error::OperationError;
use crate::guard::Guard;
use crate::send::Planned;
use crate::settle;

pub(crate) use self::plan::{Item, Plan, State};
pub(crate) use self::progress::{ItemState, Progress};
pub(crate) use self::runner::{Halt, Runner};

/// Rows of a run read at once.
const ROWS_A_PAGE: u32 = 500;
/// How often somebody who watches a run is told of it.
const TOLD_EVERY: Duration = Duration::from_millis(250);

/// A run as people see it.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Id.
    pub id: RunId,
    /// Bulk change or drain.
    pub kind: RunKind,
    /// Whether it sends, waits for a person, or is over.
    pub state: RunState,
    /// What it does, as a heading.
    pub title: String,
    /// Region, when all of it is in one.
    pub region: Option<Region>,
    /// The fleet concerned, where one is.
    pub fleet_id: Option<FleetId>,
    /// When it was confirmed.
    pub created_at: Timestamp,
    /// When it moved last.
    pub changed_at: Timestamp,
    /// Changes in all.
    pub total: u32,
    /// Those AWS said yes to.
    pub done: u32,
    /// Those AWS said no to.
    pub failed: u32,
    /// Those nobody knows the outcome of.
    pub unknown: u32,
    /// Those not begun, or without an answer yet.
    pub left: u32,
    /// Why it is paused or stopped, what it waits for; a sentence.
    pub message: Option<String>,
    /// Steps and countdown of a drain.
    pub drain: Option<DrainProgress>,
}

/// What a person wants of a run that is under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Go,
    Pause,
    Stop,
}

/// A run under way.
struct Underway {
    orders: watch::Sender<Order>,
    ended: CancellationToken,
}

/// The runs of this process that are under way.
#[derive(Default)]
pub(crate) struct Runs {
    underway: Mutex<HashMap<RunId, Underway>>,
}

impl Runs {
    fn lock(&self) -> MutexGuard<'_, HashMap<RunId, Underway>> {
        self.underway.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives an order and answers with what tells that the run has come to rest.
    fn order(&self, id: &RunId, order: Order) -> Option<CancellationToken> {
        let underway = self.lock();
        let run = underway.get(id)?;
        run.orders.send_replace(order);
        Some(run.ended.clone())
    }
}

impl Guard {
    /// The runs on record, newest first.
    ///
    /// # Errors
    /// When the records cannot be read.
    pub async fn runs(&self, open_only: bool) -> Result<Vec<Run>, OperationError> {
        self.core.store.runs(open_only).await?.iter().map(view).collect()
    }

    /// One run.
    ///
    /// # Errors
    /// `Unknown` when there is none of that id.
    pub async fn run(&self, id: &RunId) -> Result<Run, OperationError> {
        view(&record(&self.core, id).await?)
    }

    /// A run and each move of it, until it is paused, stopped or finished: then the sender is gone.
    ///
    /// # Errors
    /// `Unknown` when there is none of that id.
    pub async fn run_watch(&self, id: &RunId) -> Result<watch::Receiver<Run>, OperationError> {
        let (told, receiver) = watch::channel(self.run(id).await?);
        let (guard, id) = (self.clone(), id.clone());
        self.core.spawn(async move {
            while told.borrow().state == RunState::Running && !told.is_closed() {
                if !guard.core.pause(TOLD_EVERY).await {
                    return;
                }
                if let Ok(run) = guard.run(&id).await {
                    told.send_if_modified(|known| {
                        let moved = *known != run;
                        *known = run;
                        moved
                    });
                }
            }
        });
        Ok(receiver)
    }

    /// Pauses a run; returns when the changes under way have their answers.
    ///
    /// # Errors
    /// `Refused` when it is over already.
    pub async fn run_pause(&self, id: &RunId) -> Result<Run, OperationError> {
        if let Some(ended) = self.core.runs.order(id, Order::Pause) {
            ended.cancelled().await;
        }
        let run = self.run(id).await?;
        match run.state {
            RunState::Running | RunState::Paused => Ok(run),
            RunState::Stopped | RunState::Finished => Err(over(&run)),
        }
    }

    /// Goes on with a paused run. What is unknown of it is looked into first; what was answered is never sent again.
    ///
    /// # Errors
    /// `ReadOnly` while nobody has unlocked the connection, `Refused` when it is not paused.
    pub async fn run_resume(&self, id: &RunId) -> Result<Run, OperationError> {
        resume(&self.core, id).await?;
        self.run(id).await
    }

    /// Ends a run; what was not sent stays unsent. Returns when the changes under way have their answers.
    ///
    /// # Errors
    /// `Refused` when it is over already.
    pub async fn run_stop(&self, id: &RunId) -> Result<Run, OperationError> {
        if let Some(ended) = self.core.runs.order(id, Order::Stop) {
            ended.cancelled().await;
        }
        let record = record(&self.core, id).await?;
        if record.state == RunState::Paused {
            let mut state = read_state(&record)?;
            state.progress.message = Some(stopped_by_hand(&state.progress));
            put(&self.core, &record, RunState::Stopped, &state).await?;
        }
        let run = self.run(id).await?;
        if run.state == RunState::Finished { Err(over(&run)) } else { Ok(run) }
    }
}

fn over(run: &Run) -> OperationError {
    let word = if run.state == RunState::Finished { "finished" } else { "stopped" };
    OperationError::Refused(format!("“{}” is {word} already.", run.title))
}

/// What a person who stops a run reads afterwards.
pub(crate) fn stopped_by_hand(progress: &Progress) -> String {
    match progress.counts().left {
        0 => "Stopped by hand.".to_owned(),
        1 => "Stopped by hand; 1 change was not sent.".to_owned(),
        left => format!("Stopped by hand; {left} changes were not sent."),
    }
}

/// Records a run of these changes and begins it.
///
/// # Errors
/// `Store` when it cannot be recorded; then nothing is sent.
pub(crate) async fn begin(
    core: &Arc<Core>,
    title: String,
    planned: Vec<Planned>,
) -> Result<RunId, OperationError> {
    let items: Vec<Item> = planned.into_iter().map(Item::from).collect();
    let state = State { progress: Progress::new(items.len()), drain: None };
    let plan = Plan { items, drain: None };
    let record = new_record(core, RunKind::Bulk, title, &plan, &state)?;
    let id = record.id.clone();
    core.writer.put_run(record.clone()).await?;
    set_off(core, record, plan, state);
    Ok(id)
}

/// The record of a run that is about to begin.
///
/// # Errors
/// `Refused` when the plan cannot be written down.
pub(crate) fn new_record(
    core: &Core,
    kind: RunKind,
    title: String,
    plan: &Plan,
    state: &State,
) -> Result<RunRecord, OperationError> {
    let now = core.now();
    let first = plan.items.first();
    let region = first.map(|item| &item.action.region);
    let fleet = first.and_then(|item| item.fleet_id.as_ref());
    let same_region = plan.items.iter().all(|item| Some(&item.action.region) == region);
    let same_fleet = plan.items.iter().all(|item| item.fleet_id.as_ref() == fleet);
    Ok(RunRecord {
        id: RunId::new(core.new_id()),
        kind,
        state: RunState::Running,
        title,
        region: region.filter(|_| same_region).cloned(),
        fleet_id: fleet.filter(|_| same_fleet).cloned(),
        created_at: now,
        changed_at: now,
        plan: json(plan)?,
        progress: json(state)?,
    })
}

/// Begins to send in the background.
pub(crate) fn set_off(core: &Arc<Core>, record: RunRecord, plan: Plan, state: State) {
    let (orders, receiver) = watch::channel(Order::Go);
    let ended = CancellationToken::new();
    let id = record.id.clone();
    core.runs.lock().insert(id.clone(), Underway { orders, ended: ended.clone() });
    let runner = Runner::new(Arc::clone(core), record, plan, state, receiver);
    let task = Arc::clone(core);
    core.spawn(async move {
        Box::pin(runner.run()).await;
        task.runs.lock().remove(&id);
        ended.cancel();
    });
}

/// Pauses what an earlier process left running, with how far it came.
///
/// # Errors
/// When the records cannot be read or written.
pub(crate) async fn reopen(core: &Arc<Core>) -> Result<(), OperationError> {
    for record in core.store.runs(true).await? {
        if record.state != RunState::Running {
            continue;
        }
        let plan = read_plan(&record)?;
        let mut state = read_state(&record)?;
        state.progress = progress_of(core, &record.id, &plan).await?;
        let counts = state.progress.counts();
        state.progress.message = Some(format!(
            "The program ended while this was under way: {} of {} done, {} failed, {} unknown, {} not sent. Unlock the \
             connection and resume it.",
            counts.done, counts.total, counts.failed, counts.unknown, counts.left
        ));
        put(core, &record, RunState::Paused, &state).await?;
    }
    Ok(())
}

async fn resume(core: &Arc<Core>, id: &RunId) -> Result<(), OperationError> {
    let record = record(core, id).await?;
    match record.state {
        RunState::Paused => {}
        RunState::Running => return Ok(()),
        RunState::Stopped | RunState::Finished => return Err(over(&view(&record)?)),
    }
    core.gate.grant()?;
    let plan = read_plan(&record)?;
    let mut state = read_state(&record)?;
    for row in rows(core, id).await? {
        if row.outcome == ActivityOutcome::Unknown {
            settle::settle(core, &row.id).await?;
        }
    }
    state.progress = progress_of(core, id, &plan).await?;
    if let Some(drain) = &mut state.drain {
        drain.try_failed_again(&mut state.progress);
    }
    // Between the look at the record and here somebody else may have resumed it.
    if core.runs.lock().contains_key(id) {
        return Ok(());
    }
    let record = put(core, &record, RunState::Running, &state).await?;
    set_off(core, record, plan, state);
    Ok(())
}

/// What is known of a run's items by their records.
///
/// # Errors
/// When the records cannot be read.
pub(crate) async fn progress_of(core: &Core, id: &RunId, plan: &Plan) -> Result<Progress, OperationError> {
    let rows = rows(core, id).await?;
    let told = rows.iter().filter(|row| !surely_not_sent(row));
    Ok(Progress::of_rows(plan.items.len(), told.filter_map(|row| Some((row.item?, row.outcome)))))
}

/// Whether an attempt surely never was carried out and may be made once more: it did not get as far as AWS, or AWS only
/// asked to slow down.
pub(crate) fn surely_not_sent(activity: &Activity) -> bool {
    activity.outcome == ActivityOutcome::Failed
        && (is_throttled(activity) || (activity.aws_code.is_none() && activity.request_id.is_none()))
}

/// Whether AWS only asked to slow down.
pub(crate) fn is_throttled(activity: &Activity) -> bool {
    const CODES: [&str; 4] =
        ["ThrottlingException", "Throttling", "TooManyRequestsException", "RequestLimitExceeded"];
    activity.outcome == ActivityOutcome::Failed
        && activity.aws_code.as_deref().is_some_and(|code| CODES.contains(&code))
}

/// The attempts of a run, oldest first.
async fn rows(core: &Core, id: &RunId) -> Result<Vec<Activity>, OperationError> {
    let mut all = Vec::new();
    loop {
        let offset = u32::try_from(all.len()).unwrap_or(u32::MAX);
        let page = Page { offset, limit: ROWS_A_PAGE };
        let request = ActivityRequest { run: Some(id.clone()), ..ActivityRequest::everything(page) };
        let found = core.store.activities(&request).await?;
        let last = found.rows.len() < ROWS_A_PAGE as usize;
        all.extend(found.rows);
        if last {
            all.reverse();
            return Ok(all);
        }
    }
}

async fn record(core: &Core, id: &RunId) -> Result<RunRecord, OperationError> {
    let found = core.store.run(id).await?;
    found.ok_or_else(|| OperationError::Unknown { what: "run", id: id.to_string() })
}

/// Writes a run down in another state.
///
/// # Errors
/// When it cannot be written.
async fn put(
    core: &Core,
    record: &RunRecord,
    to: RunState,
    state: &State,
) -> Result<RunRecord, OperationError> {
    let record = RunRecord { state: to, changed_at: core.now(), progress: json(state)?, ..record.clone() };
    core.writer.put_run(record.clone()).await?;
    Ok(record)
}

/// A run as people see it, from its record.
///
/// # Errors
/// `Refused` when the record cannot be understood.
fn view(record: &RunRecord) -> Result<Run, OperationError> {
    let state = read_state(record)?;
    let counts = state.progress.counts();
    Ok(Run {
        id: record.id.clone(),
        kind: record.kind,
        state: record.state,
        title: record.title.clone(),
        region: record.region.clone(),
        fleet_id: record.fleet_id.clone(),
        created_at: record.created_at,
        changed_at: record.changed_at,
        total: counts.total,
        done: counts.done,
        failed: counts.failed,
        unknown: counts.unknown,
        left: counts.left,
        message: state.progress.message,
        drain: state.drain.map(|drain| drain.progress()),
    })
}

fn read_state(record: &RunRecord) -> Result<State, OperationError> {
    serde_json::from_str(&record.progress).map_err(|error| unreadable(record, &error))
}

fn read_plan(record: &RunRecord) -> Result<Plan, OperationError> {
    serde_json::from_str(&record.plan).map_err(|error| unreadable(record, &error))
}

fn unreadable(record: &RunRecord, error: &serde_json::Error) -> OperationError {
    OperationError::Refused(format!(
        "The record of “{}” cannot be read: {error}. Look at its changes in Activity.",
        record.title
    ))
}

/// As it is kept.
///
/// # Errors
/// `Refused` when it cannot be written down, such as a number that is none.
pub(crate) fn json<T: serde::Serialize>(value: &T) -> Result<String, OperationError> {
    serde_json::to_string(value)
        .map_err(|error| OperationError::Refused(format!("This cannot be recorded: {error}.")))
}

//! Runs: changes that belong together. Bulk changes, and the drain of a fleet.
//!
//! Owns their life: begun, paused, resumed, stopped, and what is left of them after the program was ended. A run that
//! an earlier process left is paused and says truthfully how far it came; it sends nothing more until a person resumes
//! it, and that takes an unlocked connection. How the changes are sent is in `runner`.

mod look;
mod plan;
mod progress;
mod record;
mod resume;
mod runner;
mod stale;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use liftdeck_model::activity::RunId;
use liftdeck_model::{FleetId, Region, Timestamp};
use liftdeck_store::{RunKind, RunRecord, RunState};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::core::Core;
use crate::drain::DrainProgress;
use crate::error::OperationError;
use crate::guard::Guard;
use crate::preview::Skipped;

pub(crate) use self::plan::{Item, Plan, Seen, State};
pub(crate) use self::progress::{ItemState, Progress};
pub(crate) use self::record::new_record;
use self::record::{over, progress_of, put, read_plan, read_state, record, view};
pub(crate) use self::resume::{Rest, at_rest, berth, carry_on, rest};
pub(crate) use self::runner::{Halt, Runner};
pub(crate) use self::stale::filled;

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
    /// Those that had ended by themselves: nothing was left to do.
    pub ended: u32,
    /// Those that were not sent, because they were not as they had been looked at any more.
    pub skipped: u32,
    /// Those not begun, or without an answer yet.
    pub left: u32,
    /// What had ended or was left out, and why; the first of them.
    pub left_out: Vec<Skipped>,
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

/// The one place a run has while it is under way; given free when it is dropped.
pub(crate) struct Berth {
    core: Arc<Core>,
    id: RunId,
    orders: watch::Receiver<Order>,
}

impl Runs {
    fn lock(&self) -> MutexGuard<'_, HashMap<RunId, Underway>> {
        self.underway.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a run is under way.
    pub(crate) fn has(&self, id: &RunId) -> bool {
        self.lock().contains_key(id)
    }

    /// Gives an order and answers with what tells that the run has come to rest.
    fn order(&self, id: &RunId, order: Order) -> Option<CancellationToken> {
        let underway = self.lock();
        let run = underway.get(id)?;
        run.orders.send_replace(order);
        Some(run.ended.clone())
    }
}

impl Berth {
    /// The place of a run; `None` while it is taken.
    fn take(core: &Arc<Core>, id: &RunId) -> Option<Self> {
        let mut underway = core.runs.lock();
        if underway.contains_key(id) {
            return None;
        }
        let (sender, orders) = watch::channel(Order::Go);
        underway.insert(id.clone(), Underway { orders: sender, ended: CancellationToken::new() });
        Some(Self { core: Arc::clone(core), id: id.clone(), orders })
    }
}

impl Drop for Berth {
    fn drop(&mut self) {
        if let Some(run) = self.core.runs.lock().remove(&self.id) {
            run.ended.cancel();
        }
    }
}

impl Guard {
    /// The runs on record, newest first.
    ///
    /// # Errors
    /// When the records cannot be read.
    pub async fn runs(&self, open_only: bool) -> Result<Vec<Run>, OperationError> {
        let mut seen = Vec::new();
        for record in self.core.store.runs(open_only).await? {
            match view(&self.core, &record).await {
                Ok(run) => seen.push(run),
                Err(error) => tracing::warn!(run = %record.id, %error, "A run is left out."),
            }
        }
        Ok(seen)
    }

    /// One run.
    ///
    /// # Errors
    /// `Unknown` when there is none of that id.
    pub async fn run(&self, id: &RunId) -> Result<Run, OperationError> {
        view(&self.core, &record(&self.core, id).await?).await
    }

    /// A run and each move of it, until it is paused, stopped or finished: then the sender is gone.
    ///
    /// # Errors
    /// `Unknown` when there is none of that id.
    pub async fn run_watch(&self, id: &RunId) -> Result<watch::Receiver<Run>, OperationError> {
        let (told, receiver) = watch::channel(self.run(id).await?);
        let (guard, id, told) = (self.clone(), id.clone(), Arc::new(told));
        self.core.carry("What tells how a run stands".to_owned(), move || {
            let (guard, id, told) = (guard.clone(), id.clone(), Arc::clone(&told));
            async move { guard.tell_run(&id, &told).await }
        });
        Ok(receiver)
    }

    async fn tell_run(&self, id: &RunId, told: &watch::Sender<Run>) {
        while told.borrow().state == RunState::Running && !told.is_closed() {
            if !self.core.pause(TOLD_EVERY).await {
                return;
            }
            if let Ok(run) = self.run(id).await {
                told.send_if_modified(|known| {
                    let moved = *known != run;
                    *known = run;
                    moved
                });
            }
        }
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

/// What a person who stops a run reads afterwards.
pub(crate) fn stopped_by_hand(progress: &Progress) -> String {
    match progress.counts().left {
        0 => "Stopped by hand.".to_owned(),
        1 => "Stopped by hand; 1 change was not sent.".to_owned(),
        left => format!("Stopped by hand; {left} changes were not sent."),
    }
}

/// Records a run of these changes and begins it; those with a reason are left out of what is sent.
///
/// # Errors
/// `Store` when it cannot be recorded; then nothing is sent.
pub(crate) async fn begin(
    core: &Arc<Core>,
    title: String,
    changes: Vec<(Item, Option<Skipped>)>,
) -> Result<RunId, OperationError> {
    let mut progress = Progress::new(changes.len());
    let mut items = Vec::with_capacity(changes.len());
    for (at, (item, skipped)) in (0..).zip(changes) {
        items.push(item);
        if let Some(skipped) = skipped {
            progress.leave_out(at, skipped);
        }
    }
    let state = State { progress, drain: None };
    let plan = Plan { items, drain: None };
    let record = new_record(core, RunKind::Bulk, title, &plan, &state)?;
    let id = record.id.clone();
    core.writer.put_run(record.clone()).await?;
    set_off(core, record, plan, state);
    Ok(id)
}

/// Begins to send in the background, unless it is under way already.
pub(crate) fn set_off(core: &Arc<Core>, record: RunRecord, plan: Plan, state: State) {
    if let Some(berth) = Berth::take(core, &record.id) {
        go(berth, record, plan, state);
    }
}

fn go(berth: Berth, record: RunRecord, plan: Plan, state: State) {
    let core = Arc::clone(&berth.core);
    let (id, name) = (record.id.clone(), format!("The run “{}”", record.title));
    let runner = Runner::new(Arc::clone(&core), record, plan, state, berth.orders.clone());
    let (owned, mut first) = (Arc::clone(&core), Some((runner, berth)));
    core.carry(name, move || {
        let (core, id, first) = (Arc::clone(&owned), id.clone(), first.take());
        async move {
            match first {
                Some((runner, berth)) => {
                    Box::pin(runner.run()).await;
                    drop(berth);
                }
                // It failed half-way: what it left is for a person to resume, as after the end of the program.
                None => {
                    if let Err(error) = lay_by(&core, &id, "Liftdeck failed").await {
                        tracing::error!(%error, "A run that failed could not be paused.");
                    }
                }
            }
        }
    });
}

/// Pauses what an earlier process left running, with how far it came.
///
/// # Errors
/// When the records cannot be read or written.
pub(crate) async fn reopen(core: &Arc<Core>) -> Result<(), OperationError> {
    for record in core.store.runs(true).await? {
        if record.state == RunState::Running {
            lay_by(core, &record.id, "The program ended").await?;
        }
    }
    Ok(())
}

/// Pauses a run that nobody makes any more, with how far it came.
async fn lay_by(core: &Arc<Core>, id: &RunId, why: &str) -> Result<(), OperationError> {
    let record = record(core, id).await?;
    if record.state != RunState::Running {
        return Ok(());
    }
    // One record that cannot be read must not keep the guard from opening; it is told of where it is looked at.
    let (plan, mut state) = match (read_plan(&record), read_state(&record)) {
        (Ok(plan), Ok(state)) => (plan, state),
        (Err(error), _) | (_, Err(error)) => {
            tracing::error!(run = %record.id, %error, "A run cannot be taken up.");
            return Ok(());
        }
    };
    state.progress = progress_of(core, &record.id, &plan, &state.progress).await?;
    let counts = state.progress.counts();
    state.progress.message = Some(format!(
        "{why} while this was under way: {} of {} done, {} failed, {} unknown, {} not sent. Unlock the \
             connection and resume it.",
        counts.done, counts.total, counts.failed, counts.unknown, counts.left
    ));
    put(core, &record, RunState::Paused, &state).await?;
    Ok(())
}

//! Runs: changes that belong together. They are bulk changes, or the drain of a fleet.
//!
//! Owns their life cycle: begun, paused, resumed, stopped, and what is left of them after the program ended. A run
//! that an earlier process left behind is paused, with a true account of its progress. It sends nothing more until a
//! person resumes it, which takes an unlocked connection. How the changes are sent is in `runner`.

pub(crate) mod drain;
pub(crate) mod item;
mod look;
pub(crate) mod order;
mod plan;
mod progress;
mod record;
pub(crate) mod resume;
mod runner;
pub(crate) mod slot;
pub(crate) mod stale;
pub(crate) mod view;

use std::sync::Arc;

use liftdeck_model::activity::RunId;
use liftdeck_store::{RunKind, RunRecord, RunState};

use self::drain::step::DrainState;
use self::item::Item;
use self::plan::{Plan, SavedDrain, State};
use self::progress::Progress;
use self::record::{new_record, progress_of, put, read_plan, read_state, record};
use self::runner::Runner;
use self::slot::RunSlot;
use crate::connection::Connection;
use crate::error::OperationError;
use crate::fact::Skipped;
use crate::intent::DrainPlan;
use crate::send::Sender;

/// Records a run of these changes and begins it. Those with a reason are not sent.
///
/// # Errors
/// `Store` if it cannot be recorded; then nothing is sent.
pub(crate) async fn begin(
    sender: &Arc<Sender>,
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
    let record = new_record(&sender.connection, RunKind::Bulk, title, &plan, &state)?;
    set_off(sender, record, plan, state).await
}

/// Records a drain and begins it.
///
/// # Errors
/// `Store` if it cannot be recorded; then nothing is sent.
pub(crate) async fn begin_drain(
    sender: &Arc<Sender>,
    plan: DrainPlan,
    title: String,
    items: Vec<Item>,
) -> Result<RunId, OperationError> {
    let connection = &sender.connection;
    let live = connection.store.live_counts(std::slice::from_ref(&plan.fleet_id)).await?;
    let live = live.get(&plan.fleet_id).map_or(0, |count| count.game_sessions);
    let drain = DrainState::new(&plan, &items, live);
    let state = State { progress: Progress::new(items.len()), drain: Some(drain) };
    let (region, fleet) = (Some(plan.region.clone()), Some(plan.fleet_id.clone()));
    let plan = Plan { items, drain: Some(SavedDrain(plan)) };
    let record = new_record(connection, RunKind::Drain, title, &plan, &state)?;
    let record = RunRecord { region, fleet_id: fleet, ..record };
    set_off(sender, record, plan, state).await
}

/// Records a run and begins to send in the background, unless it is already under way.
async fn set_off(
    sender: &Arc<Sender>,
    record: RunRecord,
    plan: Plan,
    state: State,
) -> Result<RunId, OperationError> {
    let id = record.id.clone();
    sender.connection.writer.put_run(record.clone()).await?;
    if let Some(slot) = RunSlot::take(&sender.runs, &id) {
        go(sender, slot, record, plan, state);
    }
    Ok(id)
}

fn go(sender: &Arc<Sender>, slot: RunSlot, record: RunRecord, plan: Plan, state: State) {
    let (id, name) = (record.id.clone(), format!("The run “{}”", record.title));
    let runner = Runner::new(Arc::clone(sender), record, plan, state, slot.orders.clone());
    let (owned, mut first) = (Arc::clone(sender), Some((runner, slot)));
    sender.connection.carry(name, move || {
        let (sender, id, first) = (Arc::clone(&owned), id.clone(), first.take());
        async move {
            match first {
                Some((runner, slot)) => {
                    Box::pin(make(runner)).await;
                    drop(slot);
                }
                // The task failed half-way. A person has to resume what it left, as after the end of the program.
                None => {
                    if let Err(error) = lay_by(&sender.connection, &id, "Liftdeck failed").await {
                        tracing::error!(%error, "A run that failed could not be paused.");
                    }
                }
            }
        }
    });
}

/// Carries a run out until its end, or until something halts it. Its record says which.
async fn make(mut runner: Runner) {
    runner.state.progress.message = None;
    let ended = match runner.plan.drain.clone() {
        Some(SavedDrain(plan)) => Box::pin(runner.drain(&plan)).await,
        None => runner.send_all().await,
    };
    runner.end(ended).await;
}

/// Pauses the runs that an earlier process left running, and records their progress.
///
/// # Errors
/// If the records cannot be read or written.
pub(crate) async fn reopen(sender: &Arc<Sender>) -> Result<(), OperationError> {
    for record in sender.connection.store.runs(true).await? {
        if record.state == RunState::Running {
            lay_by(&sender.connection, &record.id, "The program ended").await?;
        }
    }
    Ok(())
}

/// Pauses a run that no task carries out any more, and records its progress.
async fn lay_by(connection: &Connection, id: &RunId, why: &str) -> Result<(), OperationError> {
    let record = record(&connection.store, id).await?;
    if record.state != RunState::Running {
        return Ok(());
    }
    // One unreadable record must not keep the guard from opening. It is reported where it is looked at.
    let (plan, mut state) = match (read_plan(&record), read_state(&record)) {
        (Ok(plan), Ok(state)) => (plan, state),
        (Err(error), _) | (_, Err(error)) => {
            tracing::error!(run = %record.id, %error, "A run cannot be taken up.");
            return Ok(());
        }
    };
    state.progress = progress_of(&connection.store, &record.id, &plan, &state.progress).await?;
    let counts = state.progress.counts();
    state.progress.message = Some(format!(
        "{why} while this was under way: {} of {} done, {} failed, {} unknown, {} not sent. Unlock the \
             connection and resume it.",
        counts.done, counts.total, counts.failed, counts.unknown, counts.left
    ));
    put(connection, &record, RunState::Paused, &state).await?;
    Ok(())
}

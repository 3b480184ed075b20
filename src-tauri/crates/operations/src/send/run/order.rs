//! Pausing and stopping a run.

use liftdeck_model::activity::RunId;
use liftdeck_store::RunState;

use super::record::{put, read_state, record};
use super::slot::Order;
use super::view::{Run, over};
use crate::error::OperationError;
use crate::send::Sender;

/// Pauses a run. Returns when the changes under way have their answers.
///
/// # Errors
/// `Refused` if it is already over.
pub(crate) async fn pause(sender: &Sender, id: &RunId) -> Result<Run, OperationError> {
    if let Some(ended) = sender.runs.order(id, Order::Pause) {
        ended.cancelled().await;
    }
    let run = Run::get(&sender.connection.store, id).await?;
    match run.state {
        RunState::Running | RunState::Paused => Ok(run),
        RunState::Stopped | RunState::Finished => Err(over(&run)),
    }
}

/// Ends a run; what was not sent stays unsent. Returns when the changes under way have their answers.
///
/// # Errors
/// `Refused` if it is already over.
pub(crate) async fn stop(sender: &Sender, id: &RunId) -> Result<Run, OperationError> {
    if let Some(ended) = sender.runs.order(id, Order::Stop) {
        ended.cancelled().await;
    }
    let connection = &sender.connection;
    let record = record(&connection.store, id).await?;
    if record.state == RunState::Paused {
        let mut state = read_state(&record)?;
        state.progress.message = Some(state.progress.stopped_by_hand());
        put(connection, &record, RunState::Stopped, &state).await?;
    }
    let run = Run::get(&connection.store, id).await?;
    if run.state == RunState::Finished { Err(over(&run)) } else { Ok(run) }
}

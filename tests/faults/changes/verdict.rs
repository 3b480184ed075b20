//! Compares what is on record of a change with what the world shows of it.

use std::time::Duration;

use liftdeck_model::activity::{Activity, ActivityOutcome};
use serde_json::Value;
use tokio::runtime::Runtime;

use super::Wished;
use crate::world::World;

/// The result of a wish under its fault.
pub(super) struct Ended {
    pub(super) activity: Result<Activity, String>,
    /// The record after asking AWS for the outcome; `None` if the outcome was already known.
    pub(super) settled: Option<Activity>,
    pub(super) took: Duration,
}

/// Asks AWS for the outcome of an attempt that ended as unknown.
pub(super) fn settle(runtime: &Runtime, world: &World, one: &Wished, ended: Ended) -> Result<Ended, String> {
    let Ok(Activity { outcome: ActivityOutcome::Unknown, id, .. }) = &ended.activity else {
        return Ok(ended);
    };
    let sent = world.counts(&one.cell.operation).0;
    let settled = runtime.block_on(one.guard.settle(id)).map_err(|error| error.to_string())?;
    if world.counts(&one.cell.operation).0 != sent {
        return Err("what is uncertain was sent again".to_owned());
    }
    Ok(Ended { settled: Some(settled), ..ended })
}

/// Checks a recorded outcome against what the world shows.
fn is_true(outcome: ActivityOutcome, has_changed: bool) -> Result<(), String> {
    match (outcome, has_changed) {
        (ActivityOutcome::Done, false) => {
            Err("the record says done, and the world has not changed".to_owned())
        }
        (ActivityOutcome::Failed, true) => {
            Err("the record says failed, and the world has changed".to_owned())
        }
        (ActivityOutcome::Sending, _) => Err("the record never heard of an outcome".to_owned()),
        _ => Ok(()),
    }
}

/// Checks the record against the world: the immediate outcome, and the outcome after asking AWS.
pub(super) fn judge(ended: &Ended, [before, after]: &[Value; 2]) -> Result<(), String> {
    if let Some(made) = after.as_array().filter(|made| made.len() > 1) {
        return Err(format!("it was carried out {} times", made.len()));
    }
    let has_changed = before != after;
    let activity = match &ended.activity {
        Ok(activity) => activity,
        Err(said) if has_changed => return Err(format!("it was carried out, and this is said: {said}")),
        Err(said) if said.is_empty() => return Err("nothing is said".to_owned()),
        Err(_) => return Ok(()),
    };
    is_true(activity.outcome, has_changed)?;
    let is_silent = activity.message.as_deref().unwrap_or_default().is_empty();
    if activity.outcome != ActivityOutcome::Done && is_silent {
        return Err("what went wrong is not said".to_owned());
    }
    ended.settled.as_ref().map_or(Ok(()), |settled| is_true(settled.outcome, has_changed))
}

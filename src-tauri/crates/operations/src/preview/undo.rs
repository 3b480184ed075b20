//! Undoing an earlier change, at any later time.
//!
//! Owns which attempts can be undone. The actions for it were worked out when the change was previewed and are in its
//! record. What they overwrite is for the preview to say.

use liftdeck_model::action::ResourceKind;
use liftdeck_model::activity::{Activity, ActivityId, ActivityOutcome};

use crate::connection::Connection;
use crate::error::OperationError;

/// How many attempts on a resource are searched for the one to undo.
const LOOKED_THROUGH: u32 = 200;

/// Returns the attempt if it can be undone.
///
/// # Errors
/// `Unknown` if there is no such attempt, `Refused` with the reason if there is nothing to undo.
pub(crate) async fn of(connection: &Connection, id: &ActivityId) -> Result<Activity, OperationError> {
    let activity = connection.activity(id).await?;
    let refuse = |text: &str| Err(OperationError::Refused(text.to_owned()));
    match activity.outcome {
        ActivityOutcome::Sending => return refuse("It is still being sent. Wait for its outcome."),
        ActivityOutcome::Failed => return refuse("It failed, so there is nothing to undo."),
        ActivityOutcome::Unknown => {
            return refuse("It is not known whether it was carried out. Check it first, then undo it.");
        }
        ActivityOutcome::Done => {}
    }
    if !activity.is_surely_ours() {
        return refuse(
            "What it asked for is in place, but AWS never answered, so someone else may have done it. Liftdeck does \
             not undo on a guess; make the change you want instead.",
        );
    }
    if activity.undo.is_empty() {
        return refuse(&format!("{} cannot be undone.", activity.action.request.operation()));
    }
    match connection.store.undone_by(id).await? {
        None => Ok(activity),
        Some(by) => {
            refuse(&format!("It was already undone, by the change {by}. To make it again, undo that one."))
        }
    }
}

/// Finds the newest change of a resource that is still in effect and can be undone.
///
/// # Errors
/// When the records cannot be read.
pub(crate) async fn last(
    connection: &Connection,
    kind: ResourceKind,
    resource: &str,
) -> Result<Option<ActivityId>, OperationError> {
    let attempts = connection.store.activities_of(kind, resource, LOOKED_THROUGH).await?;
    let may = |activity: &&Activity| {
        activity.is_surely_ours() && !activity.undo.is_empty() && activity.undo_of.is_none()
    };
    for activity in attempts.iter().filter(may) {
        if connection.store.undone_by(&activity.id).await?.is_none() {
            return Ok(Some(activity.id.clone()));
        }
    }
    Ok(None)
}

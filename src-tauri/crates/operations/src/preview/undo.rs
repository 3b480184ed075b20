//! Undoing an earlier change, at any later time.
//!
//! Owns which attempts can be undone. What it takes was worked out when the change was previewed and is in its record;
//! what it overwrites is the preview's matter.

use liftdeck_model::activity::{Activity, ActivityId, ActivityOutcome};

use crate::connection::Connection;
use crate::error::OperationError;

/// The attempt, if it can be undone.
///
/// # Errors
/// `Unknown` for no such attempt, `Refused` when there is nothing to undo, with the reason.
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
            "What it asked for is there, but somebody else may have done it: nobody answered it. It is not undone on a \
             guess; make the change you want instead.",
        );
    }
    if activity.undo.is_empty() {
        return refuse(&format!("{} cannot be undone.", activity.action.request.operation()));
    }
    match connection.store.undone_by(id).await? {
        None => Ok(activity),
        Some(by) => refuse(&format!(
            "It was undone already, by the change {by}. To make it once more, undo that one."
        )),
    }
}

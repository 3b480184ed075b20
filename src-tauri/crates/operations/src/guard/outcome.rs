//! What became of a change, read through the guard.

use std::sync::Arc;

use liftdeck_model::activity::{Activity, ActivityId};
use tokio::sync::watch;

use super::Guard;
use crate::error::OperationError;
use crate::outcome::{follow, settle};

impl Guard {
    /// Watches an attempt until its effect is seen, missed or given up. Then the sender is dropped.
    ///
    /// # Errors
    /// `Unknown` if there is no such attempt.
    pub async fn follow(&self, id: &ActivityId) -> Result<watch::Receiver<Activity>, OperationError> {
        follow::watch(&self.sender.outcomes, id).await
    }

    /// Asks AWS what became of an attempt without an answer. The outcome stays unknown if AWS cannot tell.
    ///
    /// # Errors
    /// `Unknown` if there is no such attempt, `Refused` while it is being sent, `Gateway` if AWS cannot be asked.
    pub async fn settle(&self, id: &ActivityId) -> Result<Activity, OperationError> {
        let (outcomes, id) = (Arc::clone(&self.sender.outcomes), id.clone());
        self.carried_on(async move { settle::settle(&outcomes, &id).await }).await
    }
}

//! What became of a change, asked of the guard.

use std::sync::Arc;

use liftdeck_model::activity::{Activity, ActivityId};
use tokio::sync::watch;

use super::Guard;
use crate::error::OperationError;
use crate::outcome::{follow, settle};

impl Guard {
    /// An attempt and each move of it, until its effect is seen, missed or given up: then the sender is gone.
    ///
    /// # Errors
    /// `Unknown` when there is no such attempt.
    pub async fn follow(&self, id: &ActivityId) -> Result<watch::Receiver<Activity>, OperationError> {
        follow::watch(&self.sender.outcomes, id).await
    }

    /// Asks AWS what became of an attempt without an answer. The outcome stays unknown where AWS cannot tell.
    ///
    /// # Errors
    /// `Unknown` for no such attempt, `Gateway` when AWS cannot be asked.
    pub async fn settle(&self, id: &ActivityId) -> Result<Activity, OperationError> {
        let (outcomes, id) = (Arc::clone(&self.sender.outcomes), id.clone());
        self.carried_on(async move { settle::settle(&outcomes, &id).await }).await
    }
}

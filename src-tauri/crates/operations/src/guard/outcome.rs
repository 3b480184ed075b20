//! What became of a change, read through the guard.

use std::sync::Arc;

use liftdeck_model::action::ResourceKind;
use liftdeck_model::activity::{Activity, ActivityId};
use tokio::sync::watch;

use super::Guard;
use crate::error::OperationError;
use crate::outcome::joined::{self, JoinedGameSession};
use crate::outcome::{follow, settle};
use crate::preview::undo;

impl Guard {
    /// Watches an attempt until its effect is seen, missed or given up. Then the sender is dropped.
    ///
    /// # Errors
    /// `Unknown` if there is no such attempt.
    pub async fn follow(&self, id: &ActivityId) -> Result<watch::Receiver<Activity>, OperationError> {
        follow::watch(&self.sender.outcomes, id).await
    }

    /// Waits until nothing about an attempt changes by itself any more, and returns it.
    ///
    /// # Errors
    /// `Unknown` if there is no such attempt.
    pub async fn followed(&self, id: &ActivityId) -> Result<Activity, OperationError> {
        let mut told = self.follow(id).await?;
        loop {
            let activity = told.borrow_and_update().clone();
            if !activity.awaits_effect() || told.changed().await.is_err() {
                return Ok(activity);
            }
        }
    }

    /// Asks AWS how players reach the game session that a change created or joined; `None` if there is none, or if AWS
    /// does not tell.
    pub async fn joined(&self, activity: &Activity) -> Option<JoinedGameSession> {
        joined::joined(self.connection(), activity).await
    }

    /// Finds the newest change of a resource that is still in effect and can be undone.
    ///
    /// # Errors
    /// `Store` if the records cannot be read.
    pub async fn last_undoable(
        &self,
        kind: ResourceKind,
        resource: &str,
    ) -> Result<Option<ActivityId>, OperationError> {
        undo::last(self.connection(), kind, resource).await
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

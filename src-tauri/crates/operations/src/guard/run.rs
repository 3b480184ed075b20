//! Following, pausing and stopping runs.

use liftdeck_model::activity::RunId;
use tokio::sync::watch;

use super::Guard;
use crate::error::OperationError;
use crate::send::run::order;
use crate::send::run::view::{self, Run};

impl Guard {
    /// Watches a run until it is paused, stopped or finished. Then the sender is dropped.
    ///
    /// # Errors
    /// `Unknown` if no run has this id.
    pub async fn run_watch(&self, id: &RunId) -> Result<watch::Receiver<Run>, OperationError> {
        view::watched(&self.sender.connection, id).await
    }

    /// Pauses a run. Returns when the changes under way have their answers.
    ///
    /// # Errors
    /// `Refused` if it is already over.
    pub async fn run_pause(&self, id: &RunId) -> Result<Run, OperationError> {
        order::pause(&self.sender, id).await
    }

    /// Ends a run; what was not sent stays unsent. Returns when the changes under way have their answers.
    ///
    /// # Errors
    /// `Refused` if it is already over.
    pub async fn run_stop(&self, id: &RunId) -> Result<Run, OperationError> {
        order::stop(&self.sender, id).await
    }
}

//! Runs, followed and ordered.

use liftdeck_model::activity::RunId;
use tokio::sync::watch;

use super::Guard;
use crate::error::OperationError;
use crate::send::run::order;
use crate::send::run::view::{self, Run};

impl Guard {
    /// A run and each move of it, until it is paused, stopped or finished: then the sender is gone.
    ///
    /// # Errors
    /// `Unknown` when there is none of that id.
    pub async fn run_watch(&self, id: &RunId) -> Result<watch::Receiver<Run>, OperationError> {
        view::watched(&self.sender.connection, id).await
    }

    /// Pauses a run; returns when the changes under way have their answers.
    ///
    /// # Errors
    /// `Refused` when it is over already.
    pub async fn run_pause(&self, id: &RunId) -> Result<Run, OperationError> {
        order::pause(&self.sender, id).await
    }

    /// Ends a run; what was not sent stays unsent. Returns when the changes under way have their answers.
    ///
    /// # Errors
    /// `Refused` when it is over already.
    pub async fn run_stop(&self, id: &RunId) -> Result<Run, OperationError> {
        order::stop(&self.sender, id).await
    }
}

//! Runs, asked of the guard.

use liftdeck_model::activity::RunId;
use tokio::sync::watch;

use super::Guard;
use crate::error::OperationError;
use crate::send::run::order;
use crate::send::run::view::{self, Run};

impl Guard {
    /// The runs on record, newest first.
    ///
    /// # Errors
    /// When the records cannot be read.
    pub async fn runs(&self, open_only: bool) -> Result<Vec<Run>, OperationError> {
        view::all(self.connection(), open_only).await
    }

    /// One run.
    ///
    /// # Errors
    /// `Unknown` when there is none of that id.
    pub async fn run(&self, id: &RunId) -> Result<Run, OperationError> {
        view::one(self.connection(), id).await
    }

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

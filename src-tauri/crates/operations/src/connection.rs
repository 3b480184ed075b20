//! The open connection, its records and its clock, as every module of the guard needs them.
//!
//! Owns the background tasks. Deliberately holds no rule about changes, and gives no permission to make one.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use liftdeck_gateway::{Gateway, Priority, Reader};
use liftdeck_model::activity::{Activity, ActivityId};
use liftdeck_model::watch::Roll;
use liftdeck_model::{Region, Timestamp};
use liftdeck_store::Writer;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::error::OperationError;
use crate::options::GuardOptions;

/// An open connection, with the options of one guard.
pub(crate) struct Connection {
    pub(crate) gateway: Gateway,
    pub(crate) writer: Writer,
    pub(crate) store: liftdeck_store::Reader,
    pub(crate) options: GuardOptions,
    /// Background tasks that have ended too early.
    pub(crate) roll: Roll,
    tasks: TaskTracker,
    /// Cancelled when the guard is closed. Work that is between two calls ends there; a call already sent is awaited.
    pub(crate) closing: CancellationToken,
}

impl Connection {
    pub(crate) fn new(
        gateway: Gateway,
        writer: Writer,
        store: liftdeck_store::Reader,
        options: GuardOptions,
    ) -> Arc<Self> {
        let roll = Roll::new(Arc::clone(&options.clock), |pause| Box::pin(tokio::time::sleep(pause)));
        let (tasks, closing) = (TaskTracker::new(), CancellationToken::new());
        Arc::new(Self { gateway, writer, store, options, roll, tasks, closing })
    }

    /// Returns the same connection for another guard. Both share their background tasks and their shutdown.
    pub(crate) fn beside(&self, options: GuardOptions) -> Arc<Self> {
        Arc::new(Self {
            gateway: self.gateway.clone(),
            writer: self.writer.clone(),
            store: self.store.clone(),
            options,
            roll: self.roll.clone(),
            tasks: self.tasks.clone(),
            closing: self.closing.clone(),
        })
    }

    /// Returns the current time.
    pub(crate) fn now(&self) -> Timestamp {
        (self.options.clock)()
    }

    /// Returns a fresh UUID.
    pub(crate) fn new_id(&self) -> String {
        (self.options.ids)()
    }

    /// Returns a reader of a Region, at a priority ahead of background collection, because somebody waits for it.
    ///
    /// # Errors
    /// `Refused` if the Region is not one of the connection's.
    pub(crate) fn reader(&self, region: &Region) -> Result<Reader, OperationError> {
        if !self.gateway.spec().regions.contains(region) {
            return Err(OperationError::Refused(format!(
                "The connection {} does not have the Region {region}. Add it to the connection first.",
                self.options.connection_name
            )));
        }
        Ok(self.gateway.reader(region)?.with_priority(Priority::OnScreen))
    }

    /// Runs work to its end in the background. Starts it again if it fails, until the guard is closed.
    pub(crate) fn carry<F>(&self, task: String, begin: impl FnMut() -> F + Send + 'static)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (roll, closing) = (self.roll.clone(), self.closing.clone());
        self.tasks.spawn(async move {
            roll.carry(task, || closing.clone().cancelled_owned(), begin).await;
        });
    }

    /// Runs something once in the background, for a caller that waits for its result.
    pub(crate) fn spawn<F>(&self, work: F) -> tokio::task::JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        self.tasks.spawn(work)
    }

    /// Sleeps. Returns `false` if the guard is being closed.
    pub(crate) async fn pause(&self, length: Duration) -> bool {
        tokio::select! {
            () = self.closing.cancelled() => false,
            () = tokio::time::sleep(length) => true,
        }
    }

    /// Reads the record of an attempt.
    ///
    /// # Errors
    /// `Unknown` if no attempt has this id, `Store` if the records cannot be read.
    pub(crate) async fn activity(&self, id: &ActivityId) -> Result<Activity, OperationError> {
        let found = self.store.activity(id).await?;
        found.ok_or_else(|| OperationError::Unknown { what: "activity", id: id.to_string() })
    }

    /// Starts nothing new, and waits for what was already sent.
    pub(crate) async fn close(&self) {
        self.closing.cancel();
        self.tasks.close();
        self.tasks.wait().await;
    }
}

//! What every room of the guard needs: the connection, its records and the present.
//!
//! Owns the tasks that go on in the background. Deliberately holds no rule of a change, and no leave to make one.

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

/// An open connection, as one guard of it was told to use it.
pub(crate) struct Connection {
    pub(crate) gateway: Gateway,
    pub(crate) writer: Writer,
    pub(crate) store: liftdeck_store::Reader,
    pub(crate) options: GuardOptions,
    /// What goes on in the background and has ended before its time.
    pub(crate) roll: Roll,
    tasks: TaskTracker,
    /// Cancelled when the guard is closed. Whatever is between two calls ends there; a call that was sent is waited for.
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

    /// The same connection for another guard: one with this in its tasks and its end.
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

    /// The present.
    pub(crate) fn now(&self) -> Timestamp {
        (self.options.clock)()
    }

    /// A fresh UUID.
    pub(crate) fn new_id(&self) -> String {
        (self.options.ids)()
    }

    /// Reads of a Region, ahead of everything that only collects: somebody waits for them.
    ///
    /// # Errors
    /// `Refused` when the connection does not have the Region.
    pub(crate) fn reader(&self, region: &Region) -> Result<Reader, OperationError> {
        if !self.options.regions.contains(region) {
            return Err(OperationError::Refused(format!(
                "The connection {} does not have the Region {region}. Add it to the connection first.",
                self.options.connection_name
            )));
        }
        Ok(self.gateway.reader(region)?.with_priority(Priority::OnScreen))
    }

    /// Carries work to its end in the background; begun again when it fails, until the guard is closed.
    pub(crate) fn carry<F>(&self, task: String, begin: impl FnMut() -> F + Send + 'static)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (roll, closing) = (self.roll.clone(), self.closing.clone());
        self.tasks.spawn(async move {
            roll.carry(task, || closing.clone().cancelled_owned(), begin).await;
        });
    }

    /// Does something once in the background, for somebody who waits for what becomes of it.
    pub(crate) fn spawn<F>(&self, work: F) -> tokio::task::JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        self.tasks.spawn(work)
    }

    /// Sleeps; `false` when the guard is being closed.
    pub(crate) async fn pause(&self, length: Duration) -> bool {
        tokio::select! {
            () = self.closing.cancelled() => false,
            () = tokio::time::sleep(length) => true,
        }
    }

    /// An attempt on record.
    ///
    /// # Errors
    /// `Unknown` when there is none of this id, `Store` when the records cannot be read.
    pub(crate) async fn activity(&self, id: &ActivityId) -> Result<Activity, OperationError> {
        let found = self.store.activity(id).await?;
        found.ok_or_else(|| OperationError::Unknown { what: "activity", id: id.to_string() })
    }

    /// Lets nothing new begin and waits for what was sent.
    pub(crate) async fn close(&self) {
        self.closing.cancel();
        self.tasks.close();
        self.tasks.wait().await;
    }
}

//! What every part of the guard needs: the connection, its records, its lock and the present.
//!
//! Owns the tasks that go on in the background, and what guards that stand beside each other keep in one place: attempts
//! without an answer, followers, runs, undos. Deliberately holds no rule of a change.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use liftdeck_gateway::{Gateway, Priority, Reader};
use liftdeck_model::watch::Roll;
use liftdeck_model::{Region, Timestamp};
use liftdeck_store::Writer;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::attempts::Attempts;
use crate::confirm::Previews;
use crate::error::OperationError;
use crate::follow::Follows;
use crate::guard::GuardOptions;
use crate::mode::Gate;
use crate::run::Runs;

/// The inside of a guard.
pub(crate) struct Core {
    pub(crate) gateway: Gateway,
    pub(crate) writer: Writer,
    pub(crate) store: liftdeck_store::Reader,
    pub(crate) options: GuardOptions,
    pub(crate) gate: Arc<Gate>,
    pub(crate) previews: Previews,
    /// This and what follows down to `closing` is shared with every guard beside this one.
    pub(crate) follows: Arc<Follows>,
    pub(crate) runs: Arc<Runs>,
    /// Held while an undo is looked at and sent.
    pub(crate) undos: Arc<tokio::sync::Mutex<()>>,
    /// Held while a drain, or the rest of a run, is looked at and begun: one drain a fleet.
    pub(crate) drains: Arc<tokio::sync::Mutex<()>>,
    pub(crate) attempts: Arc<Attempts>,
    /// What goes on in the background and has ended before its time.
    pub(crate) roll: Roll,
    tasks: TaskTracker,
    /// Cancelled when the guard is closed. Whatever is between two calls ends there; a call that was sent is waited for.
    pub(crate) closing: CancellationToken,
}

impl Core {
    pub(crate) fn new(
        gateway: Gateway,
        writer: Writer,
        store: liftdeck_store::Reader,
        options: GuardOptions,
    ) -> Arc<Self> {
        let closing = CancellationToken::new();
        let roll = Roll::new(Arc::clone(&options.clock), |pause| Box::pin(tokio::time::sleep(pause)));
        let runtime = tokio::runtime::Handle::current();
        let gate = Gate::new(Arc::clone(&options.clock), runtime, closing.clone(), roll.clone());
        Arc::new(Self {
            gateway,
            writer,
            store,
            options,
            gate,
            previews: Previews::default(),
            follows: Arc::default(),
            runs: Arc::default(),
            undos: Arc::default(),
            drains: Arc::default(),
            attempts: Arc::default(),
            roll,
            tasks: TaskTracker::new(),
            closing,
        })
    }

    /// Another core on the same connection: locked, with its own previews, and one with this one in all that is under
    /// way.
    pub(crate) fn beside(&self, options: GuardOptions) -> Arc<Self> {
        let runtime = tokio::runtime::Handle::current();
        let (closing, roll) = (self.closing.clone(), self.roll.clone());
        let gate = Gate::new(Arc::clone(&options.clock), runtime, closing, roll);
        Arc::new(Self {
            gateway: self.gateway.clone(),
            writer: self.writer.clone(),
            store: self.store.clone(),
            options,
            gate,
            previews: Previews::default(),
            follows: Arc::clone(&self.follows),
            runs: Arc::clone(&self.runs),
            undos: Arc::clone(&self.undos),
            drains: Arc::clone(&self.drains),
            attempts: Arc::clone(&self.attempts),
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

    /// Locks, lets nothing new begin and waits for what was sent.
    pub(crate) async fn close(&self) {
        self.gate.lock();
        self.closing.cancel();
        self.tasks.close();
        self.tasks.wait().await;
    }
}

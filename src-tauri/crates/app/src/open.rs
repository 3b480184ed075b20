//! An open connection: its store, its gateway, and the collector between them.
//!
//! Owns the order of opening and closing. Collected data is on screen at once; AWS is contacted afterwards.

mod feed;
mod looking;
mod mode;
mod opening;
mod starting;

use std::future::pending;
use std::path::PathBuf;
use std::sync::Arc;

use liftdeck_alerts::{Desk, Watch};
use liftdeck_collector::adoption::QueueLook;
use liftdeck_collector::{Collector, Focus, Found, Health, Searcher, Searches};
use liftdeck_delivery::{Delivery, Sender};
use liftdeck_gateway::Gateway;
use liftdeck_insight::usual::past::Memory;
use liftdeck_model::search::GameSessionSearch;
use liftdeck_model::watch::Roll;
use liftdeck_model::{AccountId, GameSessionId, Region};
use liftdeck_operations::marks::Mark;
use liftdeck_operations::{Guard, Objection};
use liftdeck_store::{Notice, Reader, Store, Writer};
use parking_lot::Mutex;
use tokio::sync::{Notify, broadcast, watch};
use tokio::task::JoinHandle;

pub(crate) use looking::of_a_file;
pub(crate) use opening::Opening;

use crate::clock::Clock;
use crate::command_socket::{CommandSocket, SocketOpener};
use crate::demo::Stage;
use crate::health;
use crate::settings::collect_alike;
use liftdeck_api::connection::ConnectionSummary;
use liftdeck_api::error::{AppError, ErrorKind};
use liftdeck_api::settings::Settings;

/// One open connection.
pub struct OpenConnection {
    /// The connection, with its account and the mark in force.
    pub(crate) connection: ConnectionSummary,
    /// The account it belongs to. No request is sent to any other account.
    account: AccountId,
    mark: Mark,
    objection: Objection,
    /// Notified when the problem that keeps the collector from running may be over.
    again: Notify,
    /// Runs queries.
    pub(crate) reader: Reader,
    /// What was read to tell what is usual, kept for some minutes.
    pub(crate) past: Memory,
    /// Where logs of game sessions are kept beyond AWS's 14 days: beside the database.
    pub(crate) logs: PathBuf,
    pub(crate) clock: Clock,
    database: PathBuf,
    /// What happened to an earlier, damaged database at this path.
    recovered: Option<String>,
    collection: Mutex<Collection>,
    /// The guard, once AWS has confirmed whose credentials these are; read-only until an operator unlocks it.
    guard: watch::Sender<Option<Guard>>,
    searches: Searches,
    /// The event queue that was inspected last.
    look: Mutex<Option<QueueLook>>,
    /// Accepts commands from other processes while the window has the database open.
    command_socket: Mutex<Option<Box<dyn CommandSocket>>>,
    opener: SocketOpener,
    /// Whom the watch for alerts tells at this computer.
    desk: Option<Arc<Desk>>,
    held: tokio::sync::Mutex<Option<Held>>,
    relay: Mutex<Option<JoinHandle<()>>>,
    /// Which of this connection's own tasks are not running.
    roll: Roll,
    /// Whether the connection was opened read-only: nothing is requested from AWS and nothing is written.
    only_looks: bool,
}

/// The collector, or the problem that keeps it from running.
struct Collection {
    settings: Settings,
    focus: Option<Focus>,
    starting: Option<JoinHandle<()>>,
    collector: Option<Collector>,
    watch: Option<Watch>,
    sender: Option<(Delivery, Sender)>,
    trouble: Option<AppError>,
}

/// Resources released on closing.
struct Held {
    store: Store,
    stage: Option<Stage>,
}

impl OpenConnection {
    /// Returns a writer for the window's own data, such as presets.
    pub(crate) async fn writer(&self) -> Result<Writer, AppError> {
        let held = self.held.lock().await;
        let held = held.as_ref().ok_or_else(AppError::no_connection)?;
        Ok(held.store.writer()?)
    }

    /// Subscribes to notices of commits; `None` once the connection is closed.
    pub(crate) async fn notices(&self) -> Option<broadcast::Receiver<Notice>> {
        self.held.lock().await.as_ref().map(|held| held.store.notices())
    }

    /// The guard, through which every change goes.
    pub(crate) fn guard(&self) -> Result<Guard, AppError> {
        let guard = self.guard.borrow().clone();
        guard.ok_or_else(|| match &self.collection.lock().trouble {
            Some(trouble) => {
                let message = format!("Nothing can be changed now: {}", trouble.message).into();
                AppError { kind: ErrorKind::Refused, message, ..trouble.clone() }
            }
            None => AppError::new(ErrorKind::Refused, "The connection is still being opened.")
                .remedy("Try again in a moment."),
        })
    }

    /// The text that must be typed to unlock the connection; `None` while there is no guard.
    pub(crate) fn unlock_typed(&self) -> Option<String> {
        self.guard().ok()?.unlock_typed()
    }

    /// Keeps the task that sends hints to the window running until the connection is closed.
    pub(crate) fn keep_telling<F>(&self, tell: impl Fn() -> F + Send + Sync + 'static)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let roll = self.roll.clone();
        let kept = async move { roll.keep("The feed of changes to the window", pending::<()>, tell).await };
        *self.relay.lock() = Some(tokio::spawn(kept));
    }

    /// Makes the collector poll what is on screen first.
    pub(crate) fn focus(&self, focus: Focus) {
        let mut collection = self.collection.lock();
        if let Some(collector) = &collection.collector {
            collector.focus(focus.clone());
        }
        collection.focus = Some(focus);
    }

    /// Retries at once instead of waiting for the pause to end.
    pub(crate) fn retry_now(&self) {
        let collection = self.collection.lock();
        match &collection.collector {
            Some(collector) => collector.retry_now(),
            None => self.again.notify_one(),
        }
    }

    /// Runs GameLift's own search through the collector, and keeps the results under the number it returns.
    pub(crate) async fn search(
        &self,
        region: &Region,
        search: &GameSessionSearch,
    ) -> Result<(u32, Found), AppError> {
        let found = Box::pin(self.searcher()?.search(region, search)).await?;
        Ok((self.searches.keep(&found), found))
    }

    /// Asks GameLift for what a person seeks, beside the collector's polls.
    pub(crate) fn searcher(&self) -> Result<Searcher, AppError> {
        let collection = self.collection.lock();
        match (&collection.collector, &collection.trouble) {
            (Some(collector), _) => Ok(collector.searcher()),
            (None, Some(trouble)) => Err(trouble.clone()),
            (None, None) => Err(AppError::new(ErrorKind::Refused, "The connection is still being opened.")
                .remedy("Ask again in a moment.")),
        }
    }

    /// The results of a search.
    pub(crate) fn found(&self, search: u32) -> Result<Arc<[GameSessionId]>, AppError> {
        self.searches.found(search).ok_or_else(|| {
            AppError::new(ErrorKind::NotFound, "The results of this search are no longer available.")
                .remedy("Ask GameLift again.")
        })
    }

    /// A gateway to the account of this connection; sends nothing to AWS.
    async fn connect(&self) -> Result<Gateway, AppError> {
        let budget_share = self.collection.lock().settings.budget_share;
        Ok(Box::pin(Gateway::connect(self.connection.spec(budget_share))).await?)
    }

    /// The state of collection.
    pub(crate) fn health(&self) -> Health {
        let now = (self.clock)();
        if self.only_looks {
            return self.health_of_a_look(now);
        }
        let mut health = {
            let collection = self.collection.lock();
            match (&collection.trouble, &collection.collector) {
                (Some(trouble), _) => health::in_trouble(trouble, &collection.settings, now),
                (None, Some(collector)) => collector.health().borrow().clone(),
                (None, None) => health::starting(&collection.settings, now),
            }
        };
        health.down.extend(self.collection.lock().watch.as_ref().map(Watch::down).unwrap_or_default());
        if let Some((_, sender)) = &self.collection.lock().sender {
            health.down.extend(sender.down());
            health.cautions.extend(sender.troubles());
        }
        health.down.extend(self.roll.down());
        health.down.extend(self.guard().map(|guard| guard.down()).unwrap_or_default());
        health
            .down
            .extend(self.command_socket.lock().as_ref().map(|socket| socket.down()).unwrap_or_default());
        health.cautions.extend(self.recovered.clone());
        health
    }

    /// The way of messages about alerts, while this program collects.
    pub(crate) fn delivery(&self) -> Result<Delivery, AppError> {
        let collection = self.collection.lock();
        match (&collection.sender, &collection.trouble) {
            (Some((delivery, _)), _) => Ok(delivery.clone()),
            (None, Some(trouble)) => Err(trouble.clone()),
            (None, None) => {
                let message = "Nothing is collected here, so nothing is sent from here.";
                Err(AppError::new(ErrorKind::Refused, message).remedy("Test it where Liftdeck collects."))
            }
        }
    }

    /// Restarts collection if the new settings affect it: the share of the request rates, the cap or the retention. A
    /// new theme interrupts nothing.
    pub(crate) async fn collect_under(self: &Arc<Self>, settings: Settings) {
        let before = std::mem::replace(&mut self.collection.lock().settings, settings);
        if !self.only_looks && !collect_alike(&before, &settings) {
            self.stop().await;
            self.start(None);
        }
    }

    /// Closes in order: the collector, the relay of hints, the store, and the demo's simulated world.
    pub(crate) async fn close(&self) {
        self.stop().await;
        if let Some(relay) = self.relay.lock().take() {
            relay.abort();
        }
        let Some(Held { store, stage }) = self.held.lock().await.take() else { return };
        store.close().await;
        if let Some(Stage { end, folder }) = stage {
            end().await;
            if let Err(error) = folder.close() {
                tracing::warn!(%error, "The demo's database could not be removed.");
            }
        }
    }
}

#[cfg(test)]
mod tests;

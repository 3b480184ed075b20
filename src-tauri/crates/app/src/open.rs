//! An open connection: its store, its gateway, and the collector between them.
//!
//! Owns the order of opening and closing. Collected data is on screen at once; AWS is contacted afterwards.

mod feed;
mod looking;
mod operating;
mod searching;
mod starting;

use std::future::pending;
use std::path::PathBuf;
use std::sync::Arc;

use liftdeck_collector::adoption::QueueLook;
use liftdeck_collector::{Collector, Focus, Health};
use liftdeck_gateway::Gateway;
use liftdeck_model::AccountId;
use liftdeck_model::watch::Roll;
use liftdeck_operations::{Guard, Mode, Objection};
use liftdeck_store::{Access, Notice, Reader, Store, StoreOptions, Writer};
use parking_lot::Mutex;
use tokio::sync::{Notify, broadcast, watch};
use tokio::task::JoinHandle;

pub(crate) use looking::of_a_file;
use operating::Operating;
use searching::Searches;

use crate::account;
use crate::aws_access::AwsAccess;
use crate::clock::Clock;
use crate::command_socket::{CommandSocket, SocketOpener};
use crate::demo::Stage;
use crate::health;
use crate::marks::{Mark, Marks, Sought};
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
    /// Where logs of game sessions are kept beyond AWS's 14 days: beside the database.
    pub(crate) logs: PathBuf,
    pub(crate) clock: Clock,
    database: PathBuf,
    /// What happened to an earlier, damaged database at this path.
    recovered: Option<String>,
    collection: Mutex<Collection>,
    operating: Mutex<Operating>,
    searches: Mutex<Searches>,
    /// The event queue that was inspected last.
    look: Mutex<Option<QueueLook>>,
    /// Accepts commands from other processes while the window has the database open.
    command_socket: Mutex<Option<Box<dyn CommandSocket>>>,
    opener: SocketOpener,
    held: tokio::sync::Mutex<Option<Held>>,
    relay: Mutex<Option<JoinHandle<()>>>,
    /// Which of this connection's own tasks are not running.
    roll: Roll,
    /// Whether the connection was opened read-only: nothing is requested from AWS and nothing is written.
    only_looks: bool,
}

/// The parts of an open connection.
struct Parts {
    connection: ConnectionSummary,
    account: AccountId,
    mark: Mark,
    objection: Objection,
    store: Store,
    stage: Option<Stage>,
    database: PathBuf,
    settings: Settings,
    opener: SocketOpener,
    clock: Clock,
}

/// The collector, or the problem that keeps it from running.
struct Collection {
    settings: Settings,
    focus: Option<Focus>,
    starting: Option<JoinHandle<()>>,
    collector: Option<Collector>,
    trouble: Option<AppError>,
}

/// Resources released on closing.
struct Held {
    store: Store,
    stage: Option<Stage>,
}

impl OpenConnection {
    /// Opens a connection with its database. If the database knows its account, its data is shown at once; otherwise
    /// AWS must be reached first to learn the account.
    pub(crate) async fn open(
        mut connection: ConnectionSummary,
        database: PathBuf,
        stage: Option<Stage>,
        settings: Settings,
        marks: Marks,
        opener: SocketOpener,
        clock: Clock,
    ) -> Result<Arc<Self>, AppError> {
        let database = marks.database(&database);
        let expected = connection.account.as_deref().map(AccountId::from);
        let store_of = |account| {
            let (path, access) = (database.clone(), Access::ReadWrite);
            Box::pin(Store::open(StoreOptions { path, access, account, now: clock() }))
        };
        let mut held = None;
        if database.exists() {
            let store = store_of(None).await?;
            let there = account::in_store(&store, &database, expected.as_ref()).await?;
            match there {
                Some(account) => held = Some((store, account, None)),
                None => store.close().await,
            }
        }
        let (store, account, gateway) = match held {
            Some(held) => held,
            None => {
                let gateway = connect(&connection, expected, &settings).await?;
                let account = Box::pin(gateway.prove()).await?.account;
                (store_of(Some(account.clone())).await?, account, Some(gateway))
            }
        };
        let (mark, objection): (_, Objection) = match stage {
            Some(_) => (Mark::demo(), Arc::new(|| None)),
            None => {
                let (named, profile) = (Some(connection.id.as_str()), connection.profile.as_deref());
                let place = Sought { database: &database, account: &account, named, profile };
                (marks.of(&place, &store.reader()).await?, marks.objection())
            }
        };
        connection.account = Some(account.as_str().to_owned());
        connection.environment = mark.environment;
        let parts =
            Parts { connection, account, mark, objection, store, stage, database, settings, opener, clock };
        let open = Arc::new(Self::of(parts));
        open.start(gateway);
        Ok(open)
    }

    /// Assembles the connection without starting anything.
    fn of(parts: Parts) -> Self {
        let Parts { connection, account, mark, objection, store, stage, database, settings, opener, clock } =
            parts;
        Self {
            roll: Roll::new(Arc::clone(&clock), |pause| Box::pin(tokio::time::sleep(pause))),
            logs: database.with_extension("session-logs"),
            connection,
            account,
            mark,
            objection,
            again: Notify::new(),
            reader: store.reader(),
            clock,
            database,
            recovered: store.recovered().map(ToString::to_string),
            collection: Mutex::new(Collection {
                settings,
                focus: None,
                starting: None,
                collector: None,
                trouble: None,
            }),
            operating: Mutex::new(Operating::new()),
            searches: Mutex::default(),
            look: Mutex::default(),
            command_socket: Mutex::new(None),
            opener,
            held: tokio::sync::Mutex::new(Some(Held { store, stage })),
            relay: Mutex::new(None),
            only_looks: false,
        }
    }

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
        let guard = self.operating.lock().guard();
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

    /// Whether the connection may be changed at this moment.
    pub(crate) fn mode_now(&self) -> Mode {
        self.operating.lock().mode_now()
    }

    /// Watches whether the connection may be changed.
    pub(crate) fn mode(&self) -> watch::Receiver<Mode> {
        self.operating.lock().mode()
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
        health.down.extend(self.roll.down());
        health.down.extend(self.guard().map(|guard| guard.down()).unwrap_or_default());
        health
            .down
            .extend(self.command_socket.lock().as_ref().map(|socket| socket.down()).unwrap_or_default());
        health.cautions.extend(self.recovered.clone());
        health
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

async fn connect(
    connection: &ConnectionSummary,
    account: Option<AccountId>,
    settings: &Settings,
) -> Result<Gateway, AppError> {
    AwsAccess { account, ..AwsAccess::of(connection, settings.budget_share) }.connect().await
}

#[cfg(test)]
mod tests;

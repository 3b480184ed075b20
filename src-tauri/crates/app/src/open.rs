//! One open connection: its store, its gateway and the collector between them.
//!
//! Owns the order of opening and closing. What was collected is on screen at once; the network is asked afterwards.

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
use crate::clock::Clock;
use crate::demo::Stage;
use crate::door::{Door, Doorway};
use crate::health;
use crate::marks::{Mark, Marks, Sought};
use crate::reach::Reach;
use crate::settings::collect_alike;
use liftdeck_api::connection::ConnectionSummary;
use liftdeck_api::error::{AppError, ErrorKind};
use liftdeck_api::settings::Settings;

/// One open connection.
pub struct OpenConnection {
    /// The connection, with its account and the mark that holds.
    pub(crate) connection: ConnectionSummary,
    /// The account it belongs to: nothing is asked of or sent to another.
    account: AccountId,
    mark: Mark,
    objection: Objection,
    /// Told when what keeps the collector from running may be over.
    again: Notify,
    /// Queries.
    pub(crate) reader: Reader,
    /// Where logs of game sessions are kept past AWS's 14 days: beside the database.
    pub(crate) logs: PathBuf,
    pub(crate) clock: Clock,
    database: PathBuf,
    /// What became of an earlier, damaged database in this place.
    recovered: Option<String>,
    collection: Mutex<Collection>,
    operating: Mutex<Operating>,
    searches: Mutex<Searches>,
    /// The event queue that was looked at last.
    look: Mutex<Option<QueueLook>>,
    /// Where commands are taken while the window has the database open.
    door: Mutex<Option<Box<dyn Door>>>,
    doorway: Doorway,
    held: tokio::sync::Mutex<Option<Held>>,
    relay: Mutex<Option<JoinHandle<()>>>,
    /// What of this connection's own tasks is not running.
    roll: Roll,
    /// Whether nothing is asked of AWS and nothing written here.
    only_looks: bool,
}

/// What an open connection is put together from.
struct Parts {
    connection: ConnectionSummary,
    account: AccountId,
    mark: Mark,
    objection: Objection,
    store: Store,
    stage: Option<Stage>,
    database: PathBuf,
    settings: Settings,
    doorway: Doorway,
    clock: Clock,
}

/// The collector, or what keeps it from running.
struct Collection {
    settings: Settings,
    focus: Option<Focus>,
    starting: Option<JoinHandle<()>>,
    collector: Option<Collector>,
    trouble: Option<AppError>,
}

/// What is given up on closing.
struct Held {
    store: Store,
    stage: Option<Stage>,
}

impl OpenConnection {
    /// Opens a connection on its database. What was collected is shown for whose account it is; a database without an
    /// account has to reach AWS first to learn it.
    pub(crate) async fn open(
        mut connection: ConnectionSummary,
        database: PathBuf,
        stage: Option<Stage>,
        settings: Settings,
        marks: Marks,
        doorway: Doorway,
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
            Parts { connection, account, mark, objection, store, stage, database, settings, doorway, clock };
        let open = Arc::new(Self::of(parts));
        open.start(gateway);
        Ok(open)
    }

    /// Put together; nothing runs yet.
    fn of(parts: Parts) -> Self {
        let Parts { connection, account, mark, objection, store, stage, database, settings, doorway, clock } =
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
            door: Mutex::new(None),
            doorway,
            held: tokio::sync::Mutex::new(Some(Held { store, stage })),
            relay: Mutex::new(None),
            only_looks: false,
        }
    }

    /// What is kept for the window alone, such as presets, is written with this.
    pub(crate) async fn writer(&self) -> Result<Writer, AppError> {
        let held = self.held.lock().await;
        let held = held.as_ref().ok_or_else(AppError::no_connection)?;
        Ok(held.store.writer()?)
    }

    /// Notices of commits; nothing once it is closed.
    pub(crate) async fn notices(&self) -> Option<broadcast::Receiver<Notice>> {
        self.held.lock().await.as_ref().map(|held| held.store.notices())
    }

    /// The way to change anything.
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

    /// What has to be typed to unlock the connection; nothing while there is no guard to unlock.
    pub(crate) fn unlock_typed(&self) -> Option<String> {
        self.guard().ok()?.unlock_typed()
    }

    /// Whether the connection may be changed this very moment.
    pub(crate) fn mode_now(&self) -> Mode {
        self.operating.lock().mode_now()
    }

    /// Whether the connection may be changed, and each move of it.
    pub(crate) fn mode(&self) -> watch::Receiver<Mode> {
        self.operating.lock().mode()
    }

    /// Keeps the task running that tells the window, until it is closed.
    pub(crate) fn keep_telling<F>(&self, tell: impl Fn() -> F + Send + Sync + 'static)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let roll = self.roll.clone();
        let kept = async move { roll.keep("What tells the window", pending::<()>, tell).await };
        *self.relay.lock() = Some(tokio::spawn(kept));
    }

    /// Collects what is on screen first.
    pub(crate) fn focus(&self, focus: Focus) {
        let mut collection = self.collection.lock();
        if let Some(collector) = &collection.collector {
            collector.focus(focus.clone());
        }
        collection.focus = Some(focus);
    }

    /// Asks again at once instead of waiting out the pause.
    pub(crate) fn retry_now(&self) {
        let collection = self.collection.lock();
        match &collection.collector {
            Some(collector) => collector.retry_now(),
            None => self.again.notify_one(),
        }
    }

    /// How collection goes.
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
        health.down.extend(self.door.lock().as_ref().map(|door| door.down()).unwrap_or_default());
        health.cautions.extend(self.recovered.clone());
        health
    }

    /// Collects under other settings: another share of the rates, another cap, another retention. A new theme
    /// interrupts nothing.
    pub(crate) async fn collect_under(self: &Arc<Self>, settings: Settings) {
        let before = std::mem::replace(&mut self.collection.lock().settings, settings);
        if !self.only_looks && !collect_alike(&before, &settings) {
            self.stop().await;
            self.start(None);
        }
    }

    /// Ends it in order: what asks, what tells, what keeps, what was asked.
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
    Reach { account, ..Reach::of(connection, settings.budget_share) }.connect().await
}

#[cfg(test)]
mod tests;

//! One open connection: its store, its gateway and the collector between them.
//!
//! Owns the order of opening and closing. What was collected is on screen at once; the network is asked afterwards.

mod feed;
mod operating;
mod searching;
mod starting;

use std::collections::BTreeSet;
use std::future::pending;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use liftdeck_collector::Collector;
use liftdeck_collector::adoption::QueueLook;
use liftdeck_gateway::Gateway;
use liftdeck_model::matchmaking::MatchmakingRuleSet;
use liftdeck_model::watch::Roll;
use liftdeck_model::{AccountId, Region};
use liftdeck_operations::{Guard, Mode, Objection};
use liftdeck_simulator::Simulator;
use liftdeck_store::{Access, Notice, Reader, Store, StoreOptions, Writer};
use tempfile::TempDir;
use tokio::sync::{Notify, broadcast, watch};
use tokio::task::JoinHandle;

use operating::Operating;
use searching::Searches;

use crate::account;
use crate::clock::Clock;
use crate::desk::Desk;
use crate::marks::{Mark, Marks, Sought};
use crate::reach::Reach;
use crate::wire::connection::ConnectionSummary;
use crate::wire::error::{AppError, ErrorKind};
use crate::wire::health::{Health, ScreenFocus};
use crate::wire::settings::Settings;

/// What a demo runs on besides a store: ended with it.
pub(crate) struct Stage {
    /// The world.
    pub(crate) simulator: Simulator,
    /// Where its database lies.
    pub(crate) folder: TempDir,
}

/// One open connection.
pub(crate) struct Flight {
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
    desk: Mutex<Option<Desk>>,
    held: tokio::sync::Mutex<Option<Held>>,
    relay: Mutex<Option<JoinHandle<()>>>,
    /// What of this connection's own tasks is not running.
    roll: Roll,
}

/// The collector, or what keeps it from running.
struct Collection {
    settings: Settings,
    focus: Option<ScreenFocus>,
    starting: Option<JoinHandle<()>>,
    collector: Option<Collector>,
    trouble: Option<AppError>,
}

/// What is given up on closing.
struct Held {
    store: Store,
    stage: Option<Stage>,
}

impl Flight {
    /// Opens a connection on its database. What was collected is shown for whose account it is; a database without an
    /// account has to reach AWS first to learn it.
    pub(crate) async fn open(
        mut connection: ConnectionSummary,
        database: PathBuf,
        stage: Option<Stage>,
        settings: Settings,
        marks: Marks,
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
        let flight = Arc::new(Self {
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
            desk: Mutex::new(None),
            held: tokio::sync::Mutex::new(Some(Held { store, stage })),
            relay: Mutex::new(None),
        });
        flight.start(gateway);
        Ok(flight)
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
        let guard = locked(&self.operating).guard();
        guard.ok_or_else(|| match &locked(&self.collection).trouble {
            Some(trouble) => {
                let message = format!("Nothing can be changed now: {}", trouble.message).into();
                AppError { kind: ErrorKind::Refused, message, ..trouble.clone() }
            }
            None => AppError::new(ErrorKind::Refused, "The connection is still being opened.")
                .remedy("Try again in a moment."),
        })
    }

    /// Matchmaking rule sets of these Regions, as far as they can be asked for; asked once while the connection is open,
    /// because AWS has no way to change one.
    pub(crate) async fn rule_sets(&self, regions: BTreeSet<Region>) -> Vec<MatchmakingRuleSet> {
        let known = locked(&self.operating).rule_sets();
        let Ok(guard) = self.guard() else { return known };
        let mut all = known;
        for region in regions {
            if all.iter().any(|rules| rules.region == region) {
                continue;
            }
            match Box::pin(guard.rule_sets_now(&region)).await {
                Ok(rules) => all.extend(rules),
                Err(error) => tracing::info!(%error, %region, "Rule sets could not be read."),
            }
        }
        locked(&self.operating).keep_rule_sets(all.clone());
        all
    }

    /// What has to be typed to unlock the connection; nothing while there is no guard to unlock.
    pub(crate) fn unlock_typed(&self) -> Option<String> {
        self.guard().ok()?.unlock_typed()
    }

    /// Whether the connection may be changed this very moment.
    pub(crate) fn mode_now(&self) -> Mode {
        locked(&self.operating).mode_now()
    }

    /// Whether the connection may be changed, and each move of it.
    pub(crate) fn mode(&self) -> watch::Receiver<Mode> {
        locked(&self.operating).mode()
    }

    /// Keeps the task running that tells the window, until it is closed.
    pub(crate) fn keep_telling<F>(&self, tell: impl Fn() -> F + Send + Sync + 'static)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let roll = self.roll.clone();
        let kept = async move { roll.keep("What tells the window", pending::<()>, tell).await };
        *locked(&self.relay) = Some(tokio::spawn(kept));
    }

    /// Collects what is on screen first.
    pub(crate) fn focus(&self, focus: ScreenFocus) {
        let mut collection = locked(&self.collection);
        if let Some(collector) = &collection.collector {
            collector.focus(focus.clone().into());
        }
        collection.focus = Some(focus);
    }

    /// Asks again at once instead of waiting out the pause.
    pub(crate) fn retry_now(&self) {
        let collection = locked(&self.collection);
        match &collection.collector {
            Some(collector) => collector.retry_now(),
            None => self.again.notify_one(),
        }
    }

    /// How collection goes.
    pub(crate) fn health(&self) -> Health {
        let now = (self.clock)();
        let mut health = {
            let collection = locked(&self.collection);
            match (&collection.trouble, &collection.collector) {
                (Some(trouble), _) => Health::in_trouble(trouble, &collection.settings, now),
                (None, Some(collector)) => Health::from(&*collector.health().borrow()),
                (None, None) => Health::starting(&collection.settings, now),
            }
        };
        health.add_down(self.roll.down());
        health.add_down(self.guard().map(|guard| guard.down()).unwrap_or_default());
        health.add_down(locked(&self.desk).as_ref().map(Desk::down).unwrap_or_default());
        health.cautions.extend(self.recovered.clone());
        health
    }

    /// Collects under other settings: another share of the rates, another cap, another retention. A new theme
    /// interrupts nothing.
    pub(crate) async fn collect_under(self: &Arc<Self>, settings: Settings) {
        let before = std::mem::replace(&mut locked(&self.collection).settings, settings);
        if !before.collects_like(&settings) {
            self.stop().await;
            self.start(None);
        }
    }

    /// Ends it in order: what asks, what tells, what keeps, what was asked.
    pub(crate) async fn close(&self) {
        self.stop().await;
        if let Some(relay) = locked(&self.relay).take() {
            relay.abort();
        }
        let Some(Held { store, stage }) = self.held.lock().await.take() else { return };
        store.close().await;
        if let Some(Stage { simulator, folder }) = stage {
            simulator.shutdown().await;
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
    let reach = Reach {
        name: connection.name.clone(),
        account,
        profile: connection.profile.clone(),
        endpoint_url: connection.endpoint_url.clone(),
        regions: connection.regions.clone(),
        budget_share: settings.budget_share.get(),
    };
    reach.connect().await
}

/// Nothing that holds one of these locks can panic half-way through a change.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;

//! One open connection: its store, its gateway and the collector between them.
//!
//! Owns the order of opening and closing. What was collected is on screen at once; the network is asked afterwards.

mod operating;
mod searching;

use std::collections::BTreeSet;
use std::future::pending;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use liftdeck_collector::Collector;
use liftdeck_gateway::Gateway;
use liftdeck_model::activity::ActivitySource;
use liftdeck_model::matchmaking::MatchmakingRuleSet;
use liftdeck_model::watch::Roll;
use liftdeck_model::{AccountId, Region};
use liftdeck_operations::{Guard, Mode};
use liftdeck_simulator::Simulator;
use liftdeck_store::{Access, Notice, Reader, Store, StoreOptions, Writer};
use tempfile::TempDir;
use tokio::sync::{OnceCell, broadcast, watch};
use tokio::task::JoinHandle;

use operating::Operating;
pub(crate) use operating::{environment, guard};
use searching::Searches;

use crate::clock::Clock;
use crate::desk::{Desk, Lent};
use crate::reach::{Reach, collector_options, first_region};
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
    /// The connection, with its account.
    pub(crate) connection: ConnectionSummary,
    /// Queries.
    pub(crate) reader: Reader,
    /// Where logs of game sessions are kept past AWS's 14 days: beside the database.
    pub(crate) logs: PathBuf,
    pub(crate) clock: Clock,
    database: PathBuf,
    collection: Mutex<Collection>,
    operating: Mutex<Operating>,
    searches: Mutex<Searches>,
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
    /// Opens a connection on its database. An account already known is enough to show what was collected; a
    /// connection opened for the first time has to reach AWS to learn it.
    pub(crate) async fn open(
        mut connection: ConnectionSummary,
        database: PathBuf,
        stage: Option<Stage>,
        settings: Settings,
        clock: Clock,
    ) -> Result<Arc<Self>, AppError> {
        let gateway = match connection.account {
            Some(_) => None,
            None => {
                let gateway = connect(&connection, &settings).await?;
                connection.account = Some(account(&gateway, &connection).await?.into_string());
                Some(gateway)
            }
        };
        let account = connection.account.as_deref().map(AccountId::from);
        let logs = database.with_extension("session-logs");
        let options =
            StoreOptions { path: database.clone(), access: Access::ReadWrite, account, now: clock() };
        let store = Box::pin(Store::open(options)).await?;
        let flight = Arc::new(Self {
            roll: Roll::new(Arc::clone(&clock), |pause| Box::pin(tokio::time::sleep(pause))),
            connection,
            reader: store.reader(),
            logs,
            clock,
            database,
            collection: Mutex::new(Collection {
                settings,
                focus: None,
                starting: None,
                collector: None,
                trouble: None,
            }),
            operating: Mutex::new(Operating::new()),
            searches: Mutex::default(),
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
        locked(&self.operating).guard()
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
    pub(crate) fn retry_now(self: &Arc<Self>) {
        let collection = locked(&self.collection);
        match &collection.collector {
            Some(collector) => collector.retry_now(),
            None if collection.trouble.is_some() => {
                drop(collection);
                self.start(None);
            }
            None => {}
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

    fn start(self: &Arc<Self>, gateway: Option<Gateway>) {
        let (roll, flight) = (self.roll.clone(), Arc::clone(self));
        let starting = tokio::spawn(async move {
            let begin = || Arc::clone(&flight).started(gateway.clone());
            roll.carry("The start of collection", pending::<()>, begin).await;
        });
        let mut collection = locked(&self.collection);
        collection.trouble = None;
        collection.starting = Some(starting);
    }

    async fn stop(&self) {
        // First, so that it opens nothing behind what is closed here.
        let starting = locked(&self.collection).starting.take();
        if let Some(starting) = starting {
            starting.abort();
            // Aborted is what it should be; it holds nothing that would have to be given back.
            let _ = starting.await;
        }
        let desk = locked(&self.desk).take();
        if let Some(desk) = desk {
            desk.close().await;
        }
        let guard = locked(&self.operating).give_up();
        if let Some(guard) = guard {
            guard.close().await;
        }
        let collector = locked(&self.collection).collector.take();
        if let Some(collector) = collector {
            collector.stop().await;
        }
    }

    async fn started(self: Arc<Self>, gateway: Option<Gateway>) {
        if let Err(trouble) = self.collect(gateway).await {
            tracing::warn!(error = %trouble, "Collection does not start.");
            locked(&self.collection).trouble = Some(trouble);
        }
    }

    async fn collect(&self, gateway: Option<Gateway>) -> Result<(), AppError> {
        let settings = locked(&self.collection).settings;
        let gateway = match gateway {
            Some(gateway) => gateway,
            None => {
                let gateway = connect(&self.connection, &settings).await?;
                self.confirm_account(&gateway).await?;
                gateway
            }
        };
        let Some(writer) = self.held.lock().await.as_ref().map(|held| held.store.writer()) else {
            return Ok(());
        };
        let writer = writer?;
        let (source, clock) = (ActivitySource::Window, Arc::clone(&self.clock));
        let opening =
            guard(&self.connection, source, gateway.clone(), writer.clone(), self.reader.clone(), clock);
        let guard = Box::pin(opening).await?;
        locked(&self.operating).take_over(guard.clone(), self.roll.clone());
        self.open_desk(guard, gateway.clone(), writer.clone()).await;
        let options = collector_options(&self.connection.regions, &self.connection.event_queues, &settings);
        let collector =
            Collector::start(options, &gateway, writer, self.reader.clone(), Arc::clone(&self.clock));
        let collector = Box::pin(collector).await?;
        let mut collection = locked(&self.collection);
        if let Some(focus) = &collection.focus {
            collector.focus(focus.clone().into());
        }
        collection.collector = Some(collector);
        Ok(())
    }

    /// Takes commands from now on.
    async fn open_desk(&self, guard: Guard, gateway: Gateway, writer: Writer) {
        let lent = Lent {
            database: self.database.clone(),
            profile: self.connection.profile.clone(),
            endpoint_url: self.connection.endpoint_url.clone(),
            connection: Some((self.connection.name.clone(), environment(self.connection.environment))),
            gateway,
            writer,
            reader: self.reader.clone(),
            clock: Arc::clone(&self.clock),
            guard: OnceCell::new_with(Some(guard)),
            is_guard_lent: true,
        };
        let desk = Desk::open_or_not(Arc::new(lent)).await;
        *locked(&self.desk) = desk;
    }

    /// Another account's records must not get into this database. When AWS cannot be asked the collector starts all
    /// the same: it tells what is wrong and tries again.
    async fn confirm_account(&self, gateway: &Gateway) -> Result<(), AppError> {
        let known = self.connection.account.as_deref().unwrap_or_default();
        match account(gateway, &self.connection).await {
            Ok(found) if found.as_str() != known => Err(AppError::new(
                ErrorKind::Refused,
                format!(
                    "The database of this connection holds account {known}, and its credentials lead to account {found}."
                ),
            )
            .about(self.connection.name.as_str())
            .remedy("Correct the profile, or save another connection for the other account.")),
            Ok(_) => Ok(()),
            Err(error) => {
                tracing::info!(%error, "The account could not be confirmed.");
                Ok(())
            }
        }
    }
}

async fn connect(connection: &ConnectionSummary, settings: &Settings) -> Result<Gateway, AppError> {
    let reach = Reach {
        name: connection.name.clone(),
        profile: connection.profile.clone(),
        endpoint_url: connection.endpoint_url.clone(),
        regions: connection.regions.clone(),
        budget_share: settings.budget_share.get(),
    };
    reach.connect().await
}

async fn account(gateway: &Gateway, connection: &ConnectionSummary) -> Result<AccountId, AppError> {
    let region = first_region(&connection.regions)?;
    Ok(Box::pin(gateway.caller_identity(&region)).await?.account)
}

/// Nothing that holds one of these locks can panic half-way through a change.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

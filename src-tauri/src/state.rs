//! What the program holds while its window is open: settings, connections and the one that is open.
//!
//! Owns switching: what was open is closed before the next one opens, one switch at a time.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use liftdeck_model::Environment;
use liftdeck_simulator::{Scenario, Simulator, SimulatorOptions};
use liftdeck_store::{Access, Store, StoreOptions};
use tauri::AppHandle;
use tokio::sync::OwnedMutexGuard;

use crate::clock::Clock;
use crate::connections::{Connections, Doubt};
use crate::flight::{Flight, Stage};
use crate::home::{Home, HomeError};
use crate::marks::Marks;
use crate::relay;
use crate::settings::SettingsFile;
use crate::wire::connection::{ConnectionDraft, ConnectionSummary, EventQueue};
use crate::wire::error::{AppError, ErrorKind};
use crate::wire::health::Health;
use crate::wire::operate::Mode;
use crate::wire::settings::{AppState, DemoScenario, Settings};

/// Id of the demo, which is no saved connection.
const DEMO: &str = "demo";

/// What is open, and what could be.
pub(crate) struct Deck {
    home: Home,
    pub(crate) clock: Clock,
    files: Mutex<Files>,
    open: Mutex<Open>,
    turn: Arc<tokio::sync::Mutex<()>>,
}

struct Files {
    settings: SettingsFile,
    /// Read anew each time: another program or a person may have written there.
    connections: PathBuf,
}

#[derive(Default)]
struct Open {
    flight: Option<Arc<Flight>>,
    error: Option<AppError>,
}

/// The right to switch; while somebody has it, others wait.
pub(crate) type Turn = OwnedMutexGuard<()>;

impl Deck {
    /// Reads settings and connections; opens nothing.
    pub(crate) fn new(home: Home, clock: Clock) -> Result<Self, HomeError> {
        let files = Files {
            settings: SettingsFile::load(home.settings_file())?,
            connections: home.connections_file(),
        };
        let (open, turn) = (Mutex::default(), Arc::default());
        Ok(Self { home, clock, files: Mutex::new(files), open, turn })
    }

    /// Waits for the turn to switch.
    pub(crate) async fn turn(&self) -> Turn {
        Arc::clone(&self.turn).lock_owned().await
    }

    /// Takes the turn if nobody has it.
    pub(crate) fn first_turn(&self) -> Option<Turn> {
        Arc::clone(&self.turn).try_lock_owned().ok()
    }

    /// The open connection.
    pub(crate) fn flight(&self) -> Result<Arc<Flight>, AppError> {
        locked(&self.open).flight.clone().ok_or_else(AppError::no_connection)
    }

    /// How collection goes.
    pub(crate) fn health(&self) -> Health {
        match self.flight() {
            Ok(flight) => flight.health(),
            Err(_) => Health::stopped(&self.settings(), (self.clock)()),
        }
    }

    /// The settings in force.
    pub(crate) fn settings(&self) -> Settings {
        locked(&self.files).settings.settings()
    }

    /// All the frame of the window needs to know.
    pub(crate) fn app_state(&self) -> AppState {
        let (settings, connections) = {
            let files = locked(&self.files);
            (files.settings.settings(), Connections::load(files.connections.clone()))
        };
        let open = locked(&self.open);
        let scenario = |scenario: &Scenario| DemoScenario {
            name: scenario.name().to_owned(),
            description: scenario.description().to_owned(),
        };
        AppState {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            settings,
            connections_error: connections.doubt().map(Doubt::error),
            connections: connections.list(),
            current: open.flight.as_ref().map(|flight| flight.connection.clone()),
            demo_scenarios: Scenario::ALL.iter().map(scenario).collect(),
            mode: open.flight.as_ref().map_or(Mode::ReadOnly, |flight| Mode::from(flight.mode_now())),
            unlock_typed: open.flight.as_ref().and_then(|flight| flight.unlock_typed()),
            open_error: open.error.clone(),
        }
    }

    /// Keeps the settings and applies them to what is running.
    pub(crate) async fn save_settings(&self, settings: Settings) -> Result<(), AppError> {
        locked(&self.files).settings.save(&settings)?;
        let _turn = self.turn().await;
        if let Ok(flight) = self.flight() {
            flight.collect_under(settings).await;
        }
        Ok(())
    }

    /// Saves a connection; the open one is opened again when it may be another one now.
    pub(crate) async fn save_connection(
        &self,
        app: &AppHandle,
        id: Option<String>,
        draft: ConnectionDraft,
    ) -> Result<(), AppError> {
        let turn = self.turn().await;
        if let Some(id) = &id {
            self.mark_database(id, draft.environment).await?;
        }
        let saved = self.connections(|connections| connections.save(id.as_deref(), draft))?;
        let Ok(flight) = self.flight() else { return Ok(()) };
        let open = &flight.connection;
        // Another connection of the open account may have changed what that is.
        if open.id == saved.id || (open.id != DEMO && open.account == saved.account) {
            return self.open(app, &open.id, turn).await;
        }
        Ok(())
    }

    /// Lets the database of a connection know that a person gave the connection another mark.
    async fn mark_database(&self, id: &str, mark: Environment) -> Result<(), AppError> {
        let before = self.connections(|connections| {
            connections.doubt().map_or(Ok(()), |doubt| Err(doubt.error()))?;
            connections.get(id)
        })?;
        let database = self.home.database_file(id)?;
        if before.environment == mark || !database.exists() {
            return Ok(());
        }
        if let Ok(flight) = self.flight()
            && flight.connection.id == id
        {
            return Ok(flight.writer().await?.set_mark(mark).await?);
        }
        let options =
            StoreOptions { path: database, access: Access::ReadWrite, account: None, now: (self.clock)() };
        let store = Box::pin(Store::open(options)).await?;
        let marked = store.writer()?.set_mark(mark).await;
        store.close().await;
        Ok(marked?)
    }

    /// Changes the connections file without opening or closing anything.
    pub(crate) fn connections<T>(
        &self,
        change: impl FnOnce(&mut Connections) -> Result<T, AppError>,
    ) -> Result<T, AppError> {
        let files = locked(&self.files);
        change(&mut Connections::load(files.connections.clone()))
    }

    /// Forgets a connection, and closes it when it is the open one.
    pub(crate) async fn delete_connection(&self, id: &str) -> Result<(), AppError> {
        self.connections(|connections| connections.delete(id))?;
        let _turn = self.turn().await;
        if self.flight().is_ok_and(|flight| flight.connection.id == id) {
            self.close().await;
        }
        Ok(())
    }

    /// Opens the connection opened last, if there is one.
    pub(crate) async fn open_last(&self, app: &AppHandle, turn: Turn) {
        let last = Connections::load(locked(&self.files).connections.clone()).last();
        if let Some(last) = last
            && let Err(error) = self.open(app, &last.id, turn).await
        {
            tracing::warn!(%error, connection = last.id, "The last connection could not be opened.");
        }
        relay::settings_changed(app);
    }

    /// Opens a saved connection.
    pub(crate) async fn open(&self, app: &AppHandle, id: &str, _turn: Turn) -> Result<(), AppError> {
        let connection = self.connections(|connections| connections.get(id))?;
        self.close().await;
        let opening = async {
            let database = self.home.database_file(id)?;
            let clock = Arc::clone(&self.clock);
            Flight::open(connection, database, None, self.settings(), self.marks(), clock).await
        };
        let flight = self.board(app, Box::pin(opening).await)?;
        let (account, now) = (flight.connection.account.clone(), (self.clock)());
        if let Err(error) = self.connections(|connections| connections.opened(id, account, now.into())) {
            tracing::warn!(%error, connection = id, "That this connection was opened is not noted.");
        }
        Ok(())
    }

    fn marks(&self) -> Marks {
        Marks::new(self.home.clone(), Arc::clone(&self.clock))
    }

    /// Opens the built-in demo on a world and a database of its own.
    pub(crate) async fn open_demo(
        &self,
        app: &AppHandle,
        scenario: Scenario,
        seed: u64,
        _turn: Turn,
    ) -> Result<(), AppError> {
        self.close().await;
        let opening = async {
            let (connection, stage) = stage(scenario, seed, (self.clock)().as_ms()).await?;
            let database = stage.folder.path().join("demo.sqlite");
            let clock = Arc::clone(&self.clock);
            Flight::open(connection, database, Some(stage), self.settings(), self.marks(), clock).await
        };
        self.board(app, Box::pin(opening).await).map(|_| ())
    }

    /// Closes what is open.
    pub(crate) async fn close(&self) {
        let flight = {
            let mut open = locked(&self.open);
            open.error = None;
            open.flight.take()
        };
        if let Some(flight) = flight {
            flight.close().await;
        }
    }

    /// Makes a flight the open one and lets the window hear of it; keeps the error of one that could not be opened.
    fn board(&self, app: &AppHandle, opened: Result<Arc<Flight>, AppError>) -> Result<Arc<Flight>, AppError> {
        let flight = opened.inspect_err(|error| locked(&self.open).error = Some(error.clone()))?;
        locked(&self.open).flight = Some(Arc::clone(&flight));
        flight.keep_telling({
            let (app, flight) = (app.clone(), Arc::clone(&flight));
            move || relay::run(app.clone(), Arc::clone(&flight))
        });
        Ok(flight)
    }
}

/// Starts the demo's world and describes it as a connection.
async fn stage(scenario: Scenario, seed: u64, start_ms: i64) -> Result<(ConnectionSummary, Stage), AppError> {
    let failed = |what: &str, error: &dyn std::fmt::Display| {
        AppError::new(ErrorKind::Internal, format!("{what}: {error}."))
    };
    let options = SimulatorOptions {
        scenario,
        seed,
        start_ms: Some(start_ms),
        dated: true,
        ..SimulatorOptions::default()
    };
    let simulator = Simulator::start(options).await;
    let simulator = simulator.map_err(|error| failed("The simulated world does not start", &error))?;
    let folder = tempfile::Builder::new().prefix("liftdeck-demo-").tempdir();
    let folder = folder.map_err(|error| failed("The demo's database has no place", &error))?;
    let ready = simulator.ready();
    let queue = |(region, url): (&String, &String)| EventQueue { region: region.clone(), url: url.clone() };
    let connection = ConnectionSummary {
        id: DEMO.to_owned(),
        name: format!("Demo · {scenario}"),
        environment: Environment::Demo,
        profile: None,
        endpoint_url: Some(ready.endpoint.clone()),
        account: Some(ready.account.clone()),
        regions: ready.regions.clone(),
        event_queues: ready.event_queues.iter().map(queue).collect(),
        last_opened_ms: None,
    };
    Ok((connection, Stage { simulator, folder }))
}

/// Nothing that holds one of these locks can panic half-way through a change.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

//! The state of the running program: settings, connections and the open connection.
//!
//! Owns switching: the open connection is closed before the next one opens, one switch at a time.

mod look;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};

use liftdeck_collector::Health;
use liftdeck_model::Environment;
use liftdeck_operations::Mode;
use liftdeck_store::{Access, Store, StoreOptions};
use parking_lot::Mutex;
use tokio::sync::OwnedMutexGuard;

use crate::clock::Clock;
use crate::command_socket::{OpenCommandSocket, SocketOpener};
use crate::connections::{Connections, Doubt};
use crate::demo::{self, DEMO, Stage};
use crate::desk::{AtDesk, DeskTeller};
use crate::health;
use crate::hints::{Hints, Teller};
use crate::home::{Home, HomeError};
use crate::marks::Marks;
use crate::open::{OpenConnection, Opening};
use crate::settings::SettingsFile;
use liftdeck_api::connection::{ConnectionDraft, ConnectionSummary};
use liftdeck_api::settings::{AppState, Settings};
use liftdeck_api::{AppError, Call, ErrorKind};

/// The program: its files, and the connection that is open.
pub struct App {
    home: Home,
    clock: Clock,
    /// Also locked while the connections file is changed. That one is read again each time: another program or a
    /// person may have changed it.
    settings: Mutex<SettingsFile>,
    open: Mutex<Open>,
    turn: Arc<tokio::sync::Mutex<()>>,
    hints: Teller,
    desk: DeskTeller,
    opener: SocketOpener,
    may_operate: bool,
    uploads: Option<PathBuf>,
}

/// Everything needed to create an [`App`].
pub struct AppOptions {
    /// The folders for the program's own files.
    pub home: Home,
    /// The source of the current time.
    pub clock: Clock,
    /// How to let other processes in while a database is open.
    pub command_socket: OpenCommandSocket,
    /// Whether anything may be changed through this program: at AWS, or in Liftdeck's own data.
    pub may_operate: bool,
    /// The only folder from which callers on another computer may read files by name; `None` if callers are at this
    /// computer.
    pub uploads: Option<PathBuf>,
}

#[derive(Default)]
struct Open {
    connection: Option<Arc<OpenConnection>>,
    error: Option<AppError>,
}

impl AppOptions {
    /// Options for the person at this computer, who may do everything.
    #[must_use]
    pub const fn new(home: Home, clock: Clock, command_socket: OpenCommandSocket) -> Self {
        Self { home, clock, command_socket, may_operate: true, uploads: None }
    }
}

/// The exclusive right to switch connections; others wait for it.
pub type Turn = OwnedMutexGuard<()>;

impl App {
    /// Reads settings and connections; opens nothing.
    pub fn new(options: AppOptions) -> Result<Arc<Self>, HomeError> {
        let AppOptions { home, clock, command_socket, may_operate, uploads } = options;
        let settings = Mutex::new(SettingsFile::load(home.settings_file())?);
        let (open, turn, hints, desk) = (Mutex::default(), Arc::default(), Teller::new(), DeskTeller::new());
        Ok(Arc::new_cyclic(|app| {
            let app = Weak::clone(app);
            let opener: SocketOpener =
                Arc::new(move |shared| command_socket(Arc::new(shared), Weak::clone(&app)));
            Self { home, clock, settings, open, turn, hints, desk, opener, may_operate, uploads }
        }))
    }

    /// Subscribes to the hints sent from now on.
    pub fn hints(&self) -> Hints {
        self.hints.listen()
    }

    /// Subscribes to what is told at this computer, of connections opened from now on.
    pub fn at_desk(&self) -> tokio::sync::broadcast::Receiver<AtDesk> {
        self.desk.listen()
    }

    /// Refuses commands that this program was not started for.
    ///
    /// # Errors
    /// [`ErrorKind::Refused`] for a change or a setting if only reads are served.
    pub(crate) fn permit(&self, call: &Call) -> Result<(), AppError> {
        if self.may_operate || !call.is_a_change() {
            return Ok(());
        }
        let message = "Nothing can be changed from here: this Liftdeck was started read-only.";
        Err(AppError::new(ErrorKind::Refused, message).remedy("Start `liftdeck serve` with --operate."))
    }

    /// Refuses to read a file that the caller did not upload.
    ///
    /// # Errors
    /// [`ErrorKind::Refused`] for a path outside the uploads folder, if only that folder may be read.
    pub(crate) fn permit_file(&self, path: &Path) -> Result<(), AppError> {
        let Some(uploads) = &self.uploads else { return Ok(()) };
        // Both are resolved, because a name may lead out of a folder by `..` or through a link.
        let is_within = match (path.canonicalize(), uploads.canonicalize()) {
            (Ok(path), Ok(uploads)) => path.starts_with(uploads),
            _ => false,
        };
        if is_within {
            return Ok(());
        }
        let message = format!("{} was not uploaded from this browser.", path.display());
        Err(AppError::new(ErrorKind::Refused, message).remedy("Choose the file again."))
    }

    /// The current time.
    pub fn now(&self) -> liftdeck_model::Timestamp {
        (self.clock)()
    }

    /// Tells every host that the state of the program changed, and returns the new state.
    pub(crate) fn told(&self) -> AppState {
        self.hints.settings_changed();
        self.app_state()
    }

    /// Waits for the right to switch.
    pub async fn turn(&self) -> Turn {
        Arc::clone(&self.turn).lock_owned().await
    }

    /// Takes the right to switch if it is free.
    pub fn first_turn(&self) -> Option<Turn> {
        Arc::clone(&self.turn).try_lock_owned().ok()
    }

    /// The open connection.
    pub fn connection(&self) -> Result<Arc<OpenConnection>, AppError> {
        self.open.lock().connection.clone().ok_or_else(AppError::no_connection)
    }

    /// The state of data collection.
    pub fn health(&self) -> Health {
        match self.connection() {
            Ok(open) => self.hints.with_lost(open.health()),
            Err(_) => health::stopped(&self.settings(), self.now()),
        }
    }

    /// The settings in force.
    pub fn settings(&self) -> Settings {
        self.settings.lock().settings()
    }

    /// Everything the frame of the window needs.
    pub fn app_state(&self) -> AppState {
        let (settings, connections) = {
            let file = self.settings.lock();
            (file.settings(), Connections::load(self.home.connections_file()))
        };
        let open = self.open.lock();
        AppState {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            settings,
            connections_error: connections.doubt().map(Doubt::error),
            connections: connections.list(),
            current: open.connection.as_ref().map(|open| open.connection.clone()),
            demo_scenarios: demo::scenarios(),
            may_operate: self.may_operate,
            mode: open.connection.as_ref().map_or(Mode::ReadOnly, |open| open.mode_now()),
            unlock_typed: open.connection.as_ref().and_then(|open| open.unlock_typed()),
            open_error: open.error.clone(),
        }
    }

    /// Saves the settings and applies them to the open connection.
    pub async fn save_settings(&self, settings: Settings) -> Result<(), AppError> {
        self.settings.lock().save(&settings)?;
        let _turn = self.turn().await;
        if let Ok(open) = self.connection() {
            open.collect_under(settings).await;
        }
        Ok(())
    }

    /// Saves a connection. Opens the current one again if the change may affect it.
    pub async fn save_connection(&self, id: Option<String>, draft: ConnectionDraft) -> Result<(), AppError> {
        let turn = self.turn().await;
        if let Some(id) = &id {
            self.mark_database(id, draft.environment).await?;
        }
        let saved = self.connections(|connections| connections.save(id.as_deref(), draft))?;
        let Ok(open) = self.connection() else { return Ok(()) };
        let open = &open.connection;
        // Saving another connection of the open account may have changed how strictly the open one is marked.
        if open.id == saved.id || (open.id != DEMO && open.account == saved.account) {
            return self.open_connection(&open.id, turn).await;
        }
        Ok(())
    }

    /// Writes the new mark that a person gave a connection to the connection's database.
    async fn mark_database(&self, id: &str, mark: Environment) -> Result<(), AppError> {
        let before = self.connections(|connections| {
            connections.doubt().map_or(Ok(()), |doubt| Err(doubt.error()))?;
            connections.get(id)
        })?;
        let database = self.home.database_file(id)?;
        if before.environment == mark || !database.exists() {
            return Ok(());
        }
        if let Ok(open) = self.connection()
            && open.connection.id == id
        {
            return Ok(open.writer().await?.set_mark(mark).await?);
        }
        let options =
            StoreOptions { path: database, access: Access::ReadWrite, account: None, now: self.now() };
        let store = Box::pin(Store::open(options)).await?;
        let marked = store.writer()?.set_mark(mark).await;
        store.close().await;
        Ok(marked?)
    }

    /// Changes the connections file without opening or closing anything.
    pub fn connections<T>(
        &self,
        change: impl FnOnce(&mut Connections) -> Result<T, AppError>,
    ) -> Result<T, AppError> {
        let _alone = self.settings.lock();
        change(&mut Connections::load(self.home.connections_file()))
    }

    /// Deletes a connection, closing it if it is open.
    pub async fn delete_connection(&self, id: &str) -> Result<(), AppError> {
        self.connections(|connections| connections.delete(id))?;
        let _turn = self.turn().await;
        if self.connection().is_ok_and(|open| open.connection.id == id) {
            self.close().await;
        }
        Ok(())
    }

    /// Opens the most recently opened connection, if there is one.
    pub async fn open_last(&self, turn: Turn) {
        match Connections::load(self.home.connections_file()).last() {
            Some(last) => self.open_named(&last.id, turn).await,
            None => self.hints.settings_changed(),
        }
    }

    /// Opens a saved connection as the program starts.
    pub async fn open_named(&self, id: &str, turn: Turn) {
        if let Err(error) = self.open_connection(id, turn).await {
            tracing::warn!(%error, connection = id, "The connection could not be opened.");
        }
        self.hints.settings_changed();
    }

    /// Opens a saved connection.
    pub async fn open_connection(&self, id: &str, _turn: Turn) -> Result<(), AppError> {
        let connection = self.connections(|connections| connections.get(id))?;
        self.close().await;
        let opening = async {
            let database = self.home.database_file(id)?;
            self.opening(connection, database, None).open().await
        };
        let open = self.board(Box::pin(opening).await)?;
        let (account, now) = (open.connection.account.clone(), self.now());
        if let Err(error) = self.connections(|connections| connections.opened(id, account, now)) {
            tracing::warn!(%error, connection = id, "The opening of this connection could not be recorded.");
        }
        Ok(())
    }

    fn opening(&self, connection: ConnectionSummary, database: PathBuf, stage: Option<Stage>) -> Opening {
        let (settings, opener, clock) = (self.settings(), self.opener.clone(), Arc::clone(&self.clock));
        let marks = Marks::new(self.home.clone(), Arc::clone(&clock));
        let desk = self.desk.of(&connection.id, &connection.name);
        Opening { connection, database, stage, settings, marks, opener, clock, desk }
    }

    /// Opens the built-in demo with its own world and database, with the default scenario if none is named.
    ///
    /// # Errors
    /// If there is no such scenario, or if Liftdeck was built without the simulator.
    pub async fn open_demo(&self, scenario: Option<&str>, seed: u64, _turn: Turn) -> Result<(), AppError> {
        self.close().await;
        let opening = async {
            let (connection, stage) = demo::stage(scenario, seed, self.now().as_ms()).await?;
            let database = stage.folder.path().join("demo.sqlite");
            self.opening(connection, database, Some(stage)).open().await
        };
        self.board(Box::pin(opening).await).map(|_| ())
    }

    /// Closes the open connection.
    pub async fn close(&self) {
        let open = {
            let mut open = self.open.lock();
            open.error = None;
            open.connection.take()
        };
        if let Some(open) = open {
            open.close().await;
            self.desk.closed(&open.connection.id);
        }
    }

    /// Makes this the open connection and starts sending hints to every host. Records the error if it could not be
    /// opened.
    fn board(&self, opened: Result<Arc<OpenConnection>, AppError>) -> Result<Arc<OpenConnection>, AppError> {
        let open = opened.inspect_err(|error| self.open.lock().error = Some(error.clone()))?;
        self.open.lock().connection = Some(Arc::clone(&open));
        open.keep_telling({
            let (teller, open) = (self.hints.clone(), Arc::clone(&open));
            move || teller.clone().tell_of(Arc::clone(&open))
        });
        Ok(open)
    }
}

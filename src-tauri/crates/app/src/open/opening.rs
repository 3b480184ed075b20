//! Opening a connection: with AWS, or only to look at what was collected.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use liftdeck_alerts::Desk;
use liftdeck_collector::Searches;
use liftdeck_gateway::Gateway;
use liftdeck_model::AccountId;
use liftdeck_model::watch::Roll;
use liftdeck_operations::Objection;
use liftdeck_operations::marks::{Mark, Place};
use liftdeck_store::{Access, Store, StoreError, StoreOptions};
use parking_lot::Mutex;
use tokio::sync::{Notify, watch};

use super::looking::only_looked_at;
use super::{Collection, Held, OpenConnection};
use crate::clock::Clock;
use crate::command_socket::SocketOpener;
use crate::demo::Stage;
use crate::marks::Marks;
use liftdeck_api::connection::ConnectionSummary;
use liftdeck_api::error::{AppError, ErrorKind};
use liftdeck_api::settings::Settings;

/// A connection to open, and everything that takes.
pub(crate) struct Opening {
    /// The connection; its mark is looked up.
    pub(crate) connection: ConnectionSummary,
    /// The path of its database.
    pub(crate) database: PathBuf,
    /// The simulated world behind it, if it is a demo.
    pub(crate) stage: Option<Stage>,
    /// The settings in force.
    pub(crate) settings: Settings,
    /// The marks of this user.
    pub(crate) marks: Marks,
    /// How to let other processes in.
    pub(crate) opener: SocketOpener,
    /// The clock.
    pub(crate) clock: Clock,
    /// Whom to tell of alerts at this computer.
    pub(crate) desk: Option<Arc<Desk>>,
}

impl Opening {
    /// Opens the connection with its database. If the database knows its account, its data is shown at once;
    /// otherwise AWS must be reached first to learn the account.
    ///
    /// # Errors
    /// If the database cannot be used or belongs to another account, or AWS cannot be reached to learn the account.
    pub(crate) async fn open(mut self) -> Result<Arc<OpenConnection>, AppError> {
        self.database = self.marks.database(&self.database);
        let mut held = None;
        if self.database.exists() {
            let store = self.store(Access::ReadWrite, None).await?;
            match self.account(&store).await? {
                Some(account) => held = Some((store, account, None)),
                None => store.close().await,
            }
        }
        let (store, account, gateway) = match held {
            Some(held) => held,
            None => {
                let spec = self.connection.spec(self.settings.budget_share);
                let gateway = Box::pin(Gateway::connect(spec)).await?;
                let account = Box::pin(gateway.prove()).await?.account;
                (self.store(Access::ReadWrite, Some(account.clone())).await?, account, Some(gateway))
            }
        };
        let objection = if self.stage.is_some() { Arc::new(|| None) } else { self.marks.objection() };
        let open = Arc::new(self.assembled(store, account, objection).await?);
        open.start(gateway);
        Ok(open)
    }

    /// Opens the database read-only. If the connection names no Regions, those in the database are used.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] if there is no database or it is empty; other errors if it cannot be used or belongs
    /// to another account than the connection.
    pub(crate) async fn look(mut self) -> Result<Arc<OpenConnection>, AppError> {
        self.database = self.marks.database(&self.database);
        if !self.database.exists() {
            return Err(absent(&self.database));
        }
        let store = self.store(Access::ReadOnly, None).await?;
        let account = self.account(&store).await?.ok_or_else(|| empty(&self.database))?;
        if self.connection.regions.is_empty() {
            self.connection.regions = store.reader().regions().await?;
        }
        let objection: Objection = Arc::new(|| Some(only_looked_at().message.into_string()));
        let open = OpenConnection { only_looks: true, ..self.assembled(store, account, objection).await? };
        // Anything that would need a collector or a guard reports why there is none.
        open.collection.lock().trouble = Some(only_looked_at());
        Ok(Arc::new(open))
    }

    async fn store(&self, access: Access, account: Option<AccountId>) -> Result<Store, StoreError> {
        let (path, now) = (self.database.clone(), (self.clock)());
        Box::pin(Store::open(StoreOptions { path, access, account, now })).await
    }

    /// The account in the database, which must be the connection's.
    async fn account(&self, store: &Store) -> Result<Option<AccountId>, StoreError> {
        store.account(&self.database, self.connection.account.as_ref()).await
    }

    /// Assembles the connection under its mark, without starting anything.
    async fn assembled(
        self,
        store: Store,
        account: AccountId,
        objection: Objection,
    ) -> Result<OpenConnection, StoreError> {
        let Self { mut connection, database, stage, settings, marks, opener, clock, desk } = self;
        let mark = match stage {
            Some(_) => Mark::demo(),
            None => {
                let named = Some(connection.id.as_str()).filter(|id| !id.is_empty());
                let profile = connection.profile.as_deref();
                let place = Place { database: &database, account: &account, named, profile };
                marks.of(&place, &store.reader()).await?
            }
        };
        connection.account = Some(account.clone());
        connection.environment = mark.environment;
        Ok(OpenConnection {
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
                watch: None,
                sender: None,
                trouble: None,
            }),
            guard: watch::Sender::default(),
            searches: Searches::default(),
            look: Mutex::default(),
            past: Default::default(),
            command_socket: Mutex::default(),
            opener,
            desk,
            held: tokio::sync::Mutex::new(Some(Held { store, stage })),
            relay: Mutex::default(),
            only_looks: false,
        })
    }
}

fn absent(database: &Path) -> AppError {
    AppError::new(ErrorKind::NotFound, format!("There is no database {}.", database.display()))
        .about(database.display().to_string())
        .remedy("Open the connection in the window or run `liftdeck collect` to create it.")
}

fn empty(database: &Path) -> AppError {
    AppError::new(ErrorKind::NotFound, format!("Nothing was collected into {} yet.", database.display()))
        .about(database.display().to_string())
        .remedy("Open the connection in the window or run `liftdeck collect`.")
}

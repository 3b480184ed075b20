//! An open connection: database, gateway and guard, opened for one command, or shared with the program that has the
//! database open.
//!
//! Owns the order: first the account that the database expects, then the one the credentials belong to, and only then
//! is the guard opened.

use std::sync::Arc;

use liftdeck_gateway::{CallerIdentity, ConnectionSpec, Gateway, Priority, Reader};
use liftdeck_model::activity::ActivitySource;
use liftdeck_model::{AccountId, Region};
use liftdeck_operations::marks::{Mark, Place};
use liftdeck_operations::{Guard, GuardOptions, Objection};
use liftdeck_store::{self as store, Access, Store, StoreError};
use tokio_util::sync::CancellationToken;

use super::super::{Failure, Terminal, database};
use super::ChosenConnection;
use liftdeck_app::clock;
use liftdeck_app::shared::{SharedConnection, guard_options};

/// An open connection with its guard, read-only until a command unlocks it.
pub(in crate::cli) struct GuardedConnection {
    pub(in crate::cli) guard: Guard,
    pub(in crate::cli) reader: store::Reader,
    gateway: Gateway,
    writer: store::Writer,
    /// The store, if it was opened for this command alone; otherwise everything is shared.
    store: Option<Store>,
}

impl ChosenConnection {
    /// Returns a reader of one Region, for commands that only look.
    pub(in crate::cli) async fn reader(&self, region: &Region) -> Result<Reader, Failure> {
        let gateway = match self.borrowed(std::slice::from_ref(region))? {
            Some(shared) => shared.gateway.clone(),
            None => {
                let spec = self.of_account(self.spec(std::slice::from_ref(region)), Access::ReadOnly).await?;
                Box::pin(Gateway::connect(spec)).await?
            }
        };
        Ok(gateway.reader(region)?.with_priority(Priority::OnScreen))
    }

    /// Opens database, gateway and guard, or uses what is shared.
    pub(in crate::cli) async fn open(
        self,
        terminal: &Terminal,
        regions: Vec<Region>,
    ) -> Result<GuardedConnection, Failure> {
        if let Some(shared) = self.borrowed(&regions)?.cloned() {
            return self.open_beside(&shared).await;
        }
        let spec = self.spec(&regions);
        let open = Box::pin(self.open_alone(terminal, spec.clone())).await;
        open.map_err(|failure| failure.reaching(spec))
    }

    async fn open_alone(
        &self,
        terminal: &Terminal,
        spec: ConnectionSpec,
    ) -> Result<GuardedConnection, Failure> {
        // Reports an unusable file before asking AWS, and creates no file if AWS does not answer.
        let spec = self.of_account(spec, Access::ReadWrite).await?;
        if spec.regions.is_empty() {
            return Err(Failure::usage("Name a Region with --region."));
        }
        let gateway = Box::pin(Gateway::connect(spec)).await?;
        let proof = Box::pin(gateway.prove()).await;
        let account = proof.map_err(|error| Failure::from(error).before_a_change())?.account;
        // Nothing was sent yet, so that a signal ends the program also while it waits for the database.
        let (clock, never) = (clock::wall(), CancellationToken::new());
        let store = database::open(terminal, &self.database, &account, &clock, &never).await?;
        let (writer, reader) = (store.writer()?, store.reader());
        let mark = self.mark(&account, &reader).await?;
        mark.keep(&writer).await?;
        let options = self.guard_options(mark, self.marks.objection());
        let guard = Box::pin(Guard::open(gateway.clone(), writer.clone(), reader.clone(), options)).await?;
        Ok(GuardedConnection { guard, reader, gateway, writer, store: Some(store) })
    }

    async fn open_beside(&self, shared: &SharedConnection) -> Result<GuardedConnection, Failure> {
        let (gateway, reader) = (shared.gateway.clone(), shared.reader.clone());
        // The caller and the program that runs its command may each know a mark, or an objection to changes.
        let mark = shared.mark.clone().or_stricter(self.mark(&shared.account, &reader).await?);
        let (own, shared_objection) = (self.marks.objection(), Arc::clone(&shared.objection));
        let objection: Objection = Arc::new(move || own().or_else(|| shared_objection()));
        let guard = shared.guard(self.guard_options(mark, objection)).await?;
        Ok(GuardedConnection { guard, reader, gateway, writer: shared.writer.clone(), store: None })
    }

    /// The same way to AWS, to the account in the database if there is one.
    async fn of_account(&self, spec: ConnectionSpec, access: Access) -> Result<ConnectionSpec, StoreError> {
        let there = Store::account_at(&self.database, access, spec.account.as_ref(), clock::now()).await?;
        Ok(ConnectionSpec { account: there.or(spec.account), ..spec })
    }

    async fn mark(&self, account: &AccountId, reader: &store::Reader) -> Result<Mark, StoreError> {
        let place = Place {
            database: &self.database,
            account,
            named: self.connection.as_deref(),
            profile: self.spec.profile.as_deref(),
        };
        self.marks.of(&place, reader).await
    }

    fn guard_options(&self, mark: Mark, objection: Objection) -> GuardOptions {
        let name = mark.name.unwrap_or_else(|| self.spec.name.clone());
        guard_options(name, mark.environment, objection, ActivitySource::CommandLine, clock::wall())
    }
}

impl GuardedConnection {
    /// The gateway to AWS.
    pub(in crate::cli) const fn gateway(&self) -> &Gateway {
        &self.gateway
    }

    /// The writer of the record, for what changes nothing in AWS.
    pub(in crate::cli) const fn writer(&self) -> &store::Writer {
        &self.writer
    }

    /// The identity that AWS sees.
    pub(in crate::cli) async fn identity(&self) -> Result<CallerIdentity, Failure> {
        Ok(Box::pin(self.gateway.prove()).await?)
    }

    /// Waits until what was sent is answered and recorded, and closes the database. A shared guard is only locked: the
    /// program that has the database open goes on following what was sent.
    pub(in crate::cli) async fn close(self) {
        match self.store {
            Some(store) => {
                self.guard.close().await;
                store.close().await;
            }
            None => self.guard.lock(),
        }
    }
}

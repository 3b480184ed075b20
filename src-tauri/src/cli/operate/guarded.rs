//! An open connection: database, gateway and guard, opened for one command, or shared with the program that has the
//! database open.
//!
//! Owns the order: first the account that the database expects, then the one the credentials belong to, and only then
//! is the guard opened.

use std::sync::Arc;

use liftdeck_gateway::{CallerIdentity, Gateway, Priority, Reader};
use liftdeck_model::activity::ActivitySource;
use liftdeck_model::{AccountId, Region};
use liftdeck_operations::{Guard, GuardOptions, Objection};
use liftdeck_store::{self as store, Access, Store, StoreError};

use super::super::{Failure, Terminal, database};
use super::ChosenConnection;
use liftdeck_app::aws_access::AwsAccess;
use liftdeck_app::marks::{Mark, Sought};
use liftdeck_app::shared::SharedConnection;
use liftdeck_app::{account, clock};

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
                let mut aws_access = self.aws_access(std::slice::from_ref(region));
                aws_access.account = self.account_there(Access::ReadOnly).await?.or(aws_access.account);
                aws_access.connect().await?
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
        let aws_access = self.aws_access(&regions);
        let open = Box::pin(self.open_alone(terminal, aws_access.clone())).await;
        open.map_err(|failure| failure.reaching(aws_access))
    }

    async fn open_alone(
        &self,
        terminal: &Terminal,
        mut aws_access: AwsAccess,
    ) -> Result<GuardedConnection, Failure> {
        // Reports an unusable file before asking AWS, and creates no file if AWS does not answer.
        aws_access.account = self.account_there(Access::ReadWrite).await?.or(aws_access.account);
        if aws_access.regions.is_empty() {
            return Err(Failure::usage("Name a Region with --region."));
        }
        let gateway = aws_access.connect().await?;
        let proof = Box::pin(gateway.prove()).await;
        let account = proof.map_err(|error| Failure::from(error).before_a_change())?.account;
        let store = database::open(terminal, &self.database, account.clone(), clock::now()).await?;
        let (writer, reader) = (store.writer()?, store.reader());
        let mark = self.mark(&account, &reader).await?;
        if let Some(lasting) = mark.lasting {
            writer.raise_mark(lasting).await?;
        }
        let options = self.guard_options(mark, self.marks.objection(), &gateway);
        let guard = Box::pin(Guard::open(gateway.clone(), writer.clone(), reader.clone(), options)).await?;
        Ok(GuardedConnection { guard, reader, gateway, writer, store: Some(store) })
    }

    async fn open_beside(&self, shared: &SharedConnection) -> Result<GuardedConnection, Failure> {
        let (gateway, reader) = (shared.gateway.clone(), shared.reader.clone());
        // The caller and the program that runs its command may each know a mark, or an objection to changes.
        let mark = shared.mark.clone().or_stricter(self.mark(&shared.account, &reader).await?);
        let (own, shared_objection) = (self.marks.objection(), Arc::clone(&shared.objection));
        let objection: Objection = Arc::new(move || own().or_else(|| shared_objection()));
        let guard = shared.guard(self.guard_options(mark, objection, &gateway)).await?;
        Ok(GuardedConnection { guard, reader, gateway, writer: shared.writer.clone(), store: None })
    }

    async fn account_there(&self, access: Access) -> Result<Option<AccountId>, StoreError> {
        account::there(&self.database, access, self.aws_access.account.as_ref(), clock::now()).await
    }

    async fn mark(&self, account: &AccountId, reader: &store::Reader) -> Result<Mark, StoreError> {
        let sought = Sought {
            database: &self.database,
            account,
            named: self.connection.as_deref(),
            profile: self.aws_access.profile.as_deref(),
        };
        self.marks.of(&sought, reader).await
    }

    fn guard_options(&self, mark: Mark, objection: Objection, gateway: &Gateway) -> GuardOptions {
        GuardOptions {
            connection_name: mark.name.unwrap_or_else(|| self.aws_access.name.clone()),
            environment: mark.environment,
            objection,
            profile: self.aws_access.profile.clone(),
            endpoint_url: self.aws_access.endpoint_url.clone(),
            source: ActivitySource::CommandLine,
            regions: gateway.regions().cloned().collect(),
            clock: clock::wall(),
            steady: clock::steady(),
            ids: Arc::new(|| uuid::Uuid::new_v4().to_string()),
        }
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

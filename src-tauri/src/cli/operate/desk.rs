//! An open place: database, gateway and guard, opened for one command or beside those of the program that has the database
//! open.
//!
//! Owns the order: whose account it has to be, whose it is, only then anything is opened for writing.

use std::sync::Arc;

use liftdeck_gateway::{CallerIdentity, Gateway, Priority, Reader};
use liftdeck_model::activity::{Activity, ActivitySource, RunId};
use liftdeck_model::{AccountId, Region};
use liftdeck_operations::{Guard, GuardOptions, Objection};
use liftdeck_store::reader::activity::ActivityRequest;
use liftdeck_store::reader::window::Page;
use liftdeck_store::{self as store, Access, Store, StoreError};

use super::super::{Failure, Terminal, database};
use super::Place;
use liftdeck_app::lent::Lent;
use liftdeck_app::marks::{Mark, Sought};
use liftdeck_app::reach::Reach;
use liftdeck_app::{account, clock};

/// An open connection with its guard, read-only until a command unlocks it.
pub(in crate::cli) struct Desk {
    pub(in crate::cli) guard: Guard,
    pub(in crate::cli) reader: store::Reader,
    gateway: Gateway,
    writer: store::Writer,
    /// Opened for this command alone; otherwise everything is lent.
    store: Option<Store>,
}

impl Place {
    /// Reads of one Region, for commands that only look.
    pub(in crate::cli) async fn reader(&self, region: &Region) -> Result<Reader, Failure> {
        let gateway = match self.borrowed(std::slice::from_ref(region))? {
            Some(lent) => lent.gateway.clone(),
            None => {
                let mut reach = self.reach(std::slice::from_ref(region));
                reach.account = self.account_there(Access::ReadOnly).await?.or(reach.account);
                reach.connect().await?
            }
        };
        Ok(gateway.reader(region)?.with_priority(Priority::OnScreen))
    }

    /// Opens database, gateway and guard, or takes what is lent.
    pub(in crate::cli) async fn open(
        self,
        terminal: &Terminal,
        regions: Vec<Region>,
    ) -> Result<Desk, Failure> {
        if let Some(lent) = self.borrowed(&regions)?.cloned() {
            return self.open_beside(&lent).await;
        }
        let reach = self.reach(&regions);
        let open = Box::pin(self.open_alone(terminal, reach.clone())).await;
        open.map_err(|failure| failure.reaching(reach))
    }

    async fn open_alone(&self, terminal: &Terminal, mut reach: Reach) -> Result<Desk, Failure> {
        // A file that cannot be used is told before anybody is asked, and no file is made when nobody answers.
        reach.account = self.account_there(Access::ReadWrite).await?.or(reach.account);
        if reach.regions.is_empty() {
            return Err(Failure::usage("Name a Region with --region."));
        }
        let gateway = reach.connect().await?;
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
        Ok(Desk { guard, reader, gateway, writer, store: Some(store) })
    }

    async fn open_beside(&self, lent: &Lent) -> Result<Desk, Failure> {
        let (gateway, reader) = (lent.gateway.clone(), lent.reader.clone());
        // Both who sends the command and the program it runs in may know of a mark, or of a reason against it.
        let mark = lent.mark.clone().or_stricter(self.mark(&lent.account, &reader).await?);
        let (own, lent_objection) = (self.marks.objection(), Arc::clone(&lent.objection));
        let objection: Objection = Arc::new(move || own().or_else(|| lent_objection()));
        let guard = lent.guard(self.guard_options(mark, objection, &gateway)).await?;
        Ok(Desk { guard, reader, gateway, writer: lent.writer.clone(), store: None })
    }

    async fn account_there(&self, access: Access) -> Result<Option<AccountId>, StoreError> {
        account::there(&self.database, access, self.reach.account.as_ref(), clock::now()).await
    }

    async fn mark(&self, account: &AccountId, reader: &store::Reader) -> Result<Mark, StoreError> {
        let place = Sought {
            database: &self.database,
            account,
            named: self.connection.as_deref(),
            profile: self.reach.profile.as_deref(),
        };
        self.marks.of(&place, reader).await
    }

    fn guard_options(&self, mark: Mark, objection: Objection, gateway: &Gateway) -> GuardOptions {
        GuardOptions {
            connection_name: mark.name.unwrap_or_else(|| self.reach.name.clone()),
            environment: mark.environment,
            objection,
            profile: self.reach.profile.clone(),
            endpoint_url: self.reach.endpoint_url.clone(),
            source: ActivitySource::CommandLine,
            regions: gateway.regions().cloned().collect(),
            clock: clock::wall(),
            steady: clock::steady(),
            ids: Arc::new(|| uuid::Uuid::new_v4().to_string()),
        }
    }
}

impl Desk {
    /// The way to AWS.
    pub(in crate::cli) const fn gateway(&self) -> &Gateway {
        &self.gateway
    }

    /// The way to the record, for what is no change of AWS.
    pub(in crate::cli) const fn writer(&self) -> &store::Writer {
        &self.writer
    }

    /// Whom AWS takes us for.
    pub(in crate::cli) async fn identity(&self) -> Result<CallerIdentity, Failure> {
        Ok(Box::pin(self.gateway.prove()).await?)
    }

    /// Reads of one Region, at once.
    pub(super) fn aws(&self, region: &Region) -> Result<Reader, Failure> {
        Ok(self.gateway.reader(region)?.with_priority(Priority::OnScreen))
    }

    /// Every attempt of a run in its order.
    pub(in crate::cli) async fn of_run(&self, id: &RunId) -> Result<Vec<Activity>, Failure> {
        let mut all = Vec::new();
        loop {
            let offset = u32::try_from(all.len()).unwrap_or(u32::MAX);
            let page = Page { offset, limit: Page::MOST };
            let request = ActivityRequest { run: Some(id.clone()), ..ActivityRequest::everything(page) };
            let window = self.reader.activities(&request).await?;
            let last = window.rows.is_empty();
            all.extend(window.rows);
            if last || all.len() as u64 >= window.total {
                break;
            }
        }
        all.sort_by_key(|activity| (activity.item, activity.at));
        Ok(all)
    }

    /// Lets what was sent be answered and recorded, and gives the database up. What is lent only is locked: whoever has it
    /// open goes on following what was sent.
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

//! A connection opened read-only: the collected data, and nothing else.
//!
//! Ensures that nothing is requested from AWS and nothing is written, so that this works while another Liftdeck has
//! the database open. Health then comes from the poll ledger alone.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use liftdeck_collector::{Health, HealthState, RegionHealth};
use liftdeck_model::{AccountId, Region, Timestamp};
use liftdeck_operations::Objection;
use liftdeck_store::{Access, LedgerLine, Store, StoreOptions};

use super::{OpenConnection, Parts};
use crate::account;
use crate::clock::Clock;
use crate::command_socket::SocketOpener;
use crate::health;
use crate::marks::{Marks, Sought};
use liftdeck_api::connection::ConnectionSummary;
use liftdeck_api::error::{AppError, ErrorKind};
use liftdeck_api::settings::Settings;

impl OpenConnection {
    /// Opens a database read-only. If the connection names no Regions, those in the database are used.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] if there is no database or it is empty; other errors if it cannot be used or belongs
    /// to another account than the connection.
    pub(crate) async fn look(
        mut connection: ConnectionSummary,
        named: &Path,
        settings: Settings,
        marks: &Marks,
        clock: Clock,
    ) -> Result<Arc<Self>, AppError> {
        let database = marks.database(named);
        if !database.exists() {
            return Err(absent(&database));
        }
        let options =
            StoreOptions { path: database.clone(), access: Access::ReadOnly, account: None, now: clock() };
        let store = Box::pin(Store::open(options)).await?;
        let expected = connection.account.as_deref().map(AccountId::from);
        let account = account::in_store(&store, &database, expected.as_ref()).await?;
        let account = account.ok_or_else(|| empty(&database))?;
        let named = Some(connection.id.as_str()).filter(|id| !id.is_empty());
        let place =
            Sought { database: &database, account: &account, named, profile: connection.profile.as_deref() };
        let mark = marks.of(&place, &store.reader()).await?;
        connection.account = Some(account.as_str().to_owned());
        connection.environment = mark.environment;
        if connection.regions.is_empty() {
            let there = store.reader().regions().await?;
            connection.regions = there.into_iter().map(Region::into_string).collect();
        }
        let objection: Objection = Arc::new(|| Some(only_looked_at().message.into_string()));
        let parts = Parts {
            connection,
            account,
            mark,
            objection,
            store,
            stage: None,
            database,
            settings,
            opener: SocketOpener::nobody(),
            clock,
        };
        let open = Self { only_looks: true, ..Self::of(parts) };
        // Anything that would need a collector or a guard reports why there is none.
        open.collection.lock().trouble = Some(only_looked_at());
        Ok(Arc::new(open))
    }

    /// Whether the connection was opened read-only, so that AWS cannot be asked for what is not in the database.
    pub(crate) const fn only_looks(&self) -> bool {
        self.only_looks
    }

    /// Refuses anything that would contact AWS or write.
    pub(super) fn may_ask_aws(&self) -> Result<(), AppError> {
        if self.only_looks { Err(only_looked_at()) } else { Ok(()) }
    }

    /// The age of the data in each Region, according to the poll ledger.
    pub(super) fn health_of_a_look(&self, now: Timestamp) -> Health {
        let settings = self.collection.lock().settings;
        let mut by_region: BTreeMap<Region, Vec<LedgerLine>> = BTreeMap::new();
        for line in self.reader.ledger() {
            by_region.entry(line.region.clone()).or_default().push(line);
        }
        let regions: Vec<RegionHealth> =
            by_region.into_iter().map(|(region, lines)| region_health(region, &lines, now)).collect();
        let oldest = regions.iter().map(|region| region.behind_ms).max();
        Health {
            behind_ms: oldest.unwrap_or(0),
            message: Some("Nothing is collected here: this only reads the database.".to_owned()),
            remedy: Some(
                "Open the connection in the window or run `liftdeck collect` for newer data.".to_owned(),
            ),
            regions,
            cautions: self.recovered.clone().into_iter().collect(),
            ..health::stopped(&settings, now)
        }
    }
}

/// When a Region was last read, and its latest failure.
fn region_health(region: Region, lines: &[LedgerLine], now: Timestamp) -> RegionHealth {
    let last = lines.iter().filter_map(|line| line.confirmed_at).max();
    let failing = lines.iter().filter(|line| line.failing_since.is_some());
    let failure = failing.max_by_key(|line| line.asked_at).and_then(|line| line.failure.clone());
    RegionHealth {
        region,
        state: HealthState::Stopped,
        behind_ms: last.map_or(0, |last| now.since_ms(last).max(0)),
        quota_share: 0.0,
        busiest_operation: None,
        throttles: 0,
        message: failure,
        remedy: None,
        last_success: last,
    }
}

fn only_looked_at() -> AppError {
    AppError::new(
        ErrorKind::Refused,
        "This only reads the database: AWS is not contacted and nothing can be changed.",
    )
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

/// A connection that consists of a database file only.
pub(crate) fn of_a_file(database: &Path) -> ConnectionSummary {
    let name = database.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    ConnectionSummary {
        id: String::new(),
        name,
        environment: liftdeck_model::Environment::Development,
        profile: None,
        endpoint_url: None,
        account: None,
        regions: Vec::new(),
        event_queues: Vec::new(),
        last_opened: None,
    }
}

#[cfg(test)]
mod tests;

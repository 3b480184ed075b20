//! A connection opened read-only: the collected data, and nothing else.
//!
//! Ensures that nothing is requested from AWS and nothing is written, so that this works while another Liftdeck has
//! the database open. Health then comes from the poll ledger alone.

use std::path::Path;

use liftdeck_collector::Health;
use liftdeck_model::Timestamp;

use super::OpenConnection;
use liftdeck_api::connection::ConnectionSummary;
use liftdeck_api::error::{AppError, ErrorKind};

impl OpenConnection {
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
        Health {
            cloudwatch_cap_usd: self.collection.lock().settings.cloudwatch_daily_cap_usd,
            cautions: self.recovered.clone().into_iter().collect(),
            ..Health::recorded(self.reader.ledger(), now)
        }
    }
}

pub(super) fn only_looked_at() -> AppError {
    AppError::new(
        ErrorKind::Refused,
        "This only reads the database: AWS is not contacted and nothing can be changed.",
    )
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

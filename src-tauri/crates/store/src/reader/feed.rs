//! What came in over the event feeds and was put aside, and the Regions there are.

use liftdeck_model::{Region, Timestamp};
use sqlx::Row as _;

use super::{Reader, count};
use crate::error::StoreError;

/// Messages of one queue that were put aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuarantineCount {
    /// Queue they came from.
    pub queue_url: String,
    /// How many.
    pub messages: u64,
    /// When the newest was received.
    pub newest_at: Option<Timestamp>,
    /// What is wrong with the newest.
    pub newest_detail: Option<String>,
}

impl Reader {
    /// Messages put aside, a line a queue.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn quarantine(&self) -> Result<Vec<QuarantineCount>, StoreError> {
        // With a bare column beside max(), SQLite takes it from the row of the maximum.
        let rows = sqlx::query(
            "SELECT queue_url, count(*), max(received_at), detail FROM quarantined_message GROUP BY queue_url",
        )
        .fetch_all(self.pool())
        .await?;
        rows.iter()
            .map(|row| {
                Ok(QuarantineCount {
                    queue_url: row.try_get(0)?,
                    messages: count(row, 1)?,
                    newest_at: row.try_get::<Option<i64>, _>(2)?.map(Timestamp::from_ms),
                    newest_detail: row.try_get(3)?,
                })
            })
            .collect()
    }

    /// The Regions of this database.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn regions(&self) -> Result<Vec<Region>, StoreError> {
        Ok(self.directory().await?.regions.into_values().collect())
    }
}

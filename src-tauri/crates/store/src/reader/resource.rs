//! Reads configuration records of every kind, stored whole as JSON. This is the only place that decodes them.

use liftdeck_model::Timestamp;
use serde::de::DeserializeOwned;
use sqlx::sqlite::SqliteRow;

use super::Reader;
use crate::column::Columns as _;
use crate::error::StoreError;

/// A stored record.
#[derive(Clone, Debug)]
pub(crate) struct Document<T> {
    /// Fleet it belongs to; 0 for none.
    pub(crate) owner_key: i64,
    pub(crate) id: String,
    pub(crate) record: T,
    pub(crate) first_seen_at: Timestamp,
    pub(crate) gone_at: Option<Timestamp>,
}

impl Reader {
    /// Every record of a kind, gone ones included, of one fleet when `owner_key` is given.
    pub(crate) async fn documents<T: DeserializeOwned>(
        &self,
        kind: &'static str,
        owner_key: Option<i64>,
    ) -> Result<Vec<Document<T>>, StoreError> {
        let rows = match owner_key {
            Some(owner_key) => {
                sqlx::query(
                    "SELECT owner_key, id, document, first_seen_at, gone_at FROM resource \
                     WHERE kind = ? AND owner_key = ? ORDER BY region_key, id",
                )
                .bind(kind)
                .bind(owner_key)
                .fetch_all(self.pool())
                .await?
            }
            None => {
                sqlx::query(
                    "SELECT owner_key, id, document, first_seen_at, gone_at FROM resource \
                     WHERE kind = ? ORDER BY owner_key, region_key, id",
                )
                .bind(kind)
                .fetch_all(self.pool())
                .await?
            }
        };
        rows.iter().map(|row| document(kind, row)).collect()
    }

    /// Finds a record of a kind without an owner by id: none or one, or two when Regions share an id.
    pub(crate) async fn document<T: DeserializeOwned>(
        &self,
        kind: &'static str,
        id: &str,
    ) -> Result<Vec<Document<T>>, StoreError> {
        let rows = sqlx::query(
            "SELECT owner_key, id, document, first_seen_at, gone_at FROM resource \
             WHERE kind = ? AND owner_key = 0 AND region_key IN (SELECT region_key FROM region) AND id = ?",
        )
        .bind(kind)
        .bind(id)
        .fetch_all(self.pool())
        .await?;
        rows.iter().map(|row| document(kind, row)).collect()
    }
}

fn document<T: DeserializeOwned>(kind: &str, row: &SqliteRow) -> Result<Document<T>, StoreError> {
    let id: String = row.read("id")?;
    let record = serde_json::from_str(row.text("document")?)
        .map_err(|error| StoreError::Unreadable { what: format!("{kind} {id}: {error}") })?;
    Ok(Document {
        owner_key: row.read("owner_key")?,
        id,
        record,
        first_seen_at: row.read("first_seen_at")?,
        gone_at: row.read("gone_at")?,
    })
}

//! Reads adopted queues, messages set aside from them, which resources named in events are known, and Regions.

use std::collections::HashSet;

use liftdeck_model::feed::{Adoption, ForeignBodies, Named, NamedKind, QuarantineReason};
use liftdeck_model::{Region, Timestamp};
use serde::{Deserialize, Serialize};
use specta::Type;
use sqlx::sqlite::SqliteRow;

use super::Reader;
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::writer::feed::foreign_text;

/// Messages set aside from one queue for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsideCount {
    /// Queue it came from.
    pub queue_url: String,
    /// Why they were set aside.
    pub reason: QuarantineReason,
    /// How many messages.
    pub messages: u64,
    /// Total size of their bodies in bytes.
    pub bytes: u64,
    /// When the newest one was received.
    pub newest_at: Timestamp,
}

/// A message that was set aside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AsideMessage {
    /// Key of its row; a later message has a greater key.
    pub key: i64,
    /// Queue it came from.
    pub queue_url: String,
    /// SQS message id.
    pub message_id: String,
    /// Region of the queue.
    pub region: Region,
    /// When it was received.
    pub received_at: Timestamp,
    /// Why it was set aside.
    pub reason: QuarantineReason,
    /// What exactly is wrong.
    pub detail: String,
    /// Size of the whole body in bytes.
    pub bytes: u64,
    /// The body, cut to the requested number of characters.
    pub body: String,
}

const ADOPTIONS: &str = "SELECT queue_arn, queue_url, region, queue_created_at, adopted_at, adopted_by, \
    foreign_bodies, halted FROM feed_adoption";

impl Reader {
    /// Every adopted queue, by ARN.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn adoptions(&self) -> Result<Vec<Adoption>, StoreError> {
        let statement = sqlx::AssertSqlSafe(format!("{ADOPTIONS} ORDER BY queue_arn"));
        sqlx::query(statement).fetch_all(self.pool()).await?.iter().map(adoption).collect()
    }

    /// The adoption of a queue.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn adoption(&self, queue_arn: &str) -> Result<Option<Adoption>, StoreError> {
        let statement = sqlx::AssertSqlSafe(format!("{ADOPTIONS} WHERE queue_arn = ?"));
        sqlx::query(statement)
            .bind(queue_arn)
            .fetch_optional(self.pool())
            .await?
            .as_ref()
            .map(adoption)
            .transpose()
    }

    /// Returns those of the names whose resource has been read, even if it is gone now. A fleet is found by its
    /// unique id alone, because its Region is only the one its game sessions name.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn known(&self, names: &[Named]) -> Result<HashSet<Named>, StoreError> {
        let mut known = HashSet::new();
        for name in names {
            let found: Option<i64> = sqlx::query_scalar(
                "SELECT 1 FROM region g JOIN resource r USING (region_key) \
                 WHERE r.kind = ?1 AND r.owner_key = 0 AND r.id = ?2 AND (g.name = ?3 OR ?4) LIMIT 1",
            )
            .bind(name.kind.as_str())
            .bind(&name.id)
            .bind(name.region.as_str())
            .bind(name.kind == NamedKind::Fleet)
            .fetch_optional(self.pool())
            .await?;
            if found.is_some() {
                known.insert(name.clone());
            }
        }
        Ok(known)
    }

    /// Counts the messages set aside, one entry per queue and reason.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn aside_counts(&self) -> Result<Vec<AsideCount>, StoreError> {
        let rows = sqlx::query(
            "SELECT queue_url, reason, count(*) AS messages, sum(octet_length(body)) AS bytes, max(received_at) AS newest_at FROM quarantined_message \
             GROUP BY queue_url, reason ORDER BY queue_url, reason",
        )
        .fetch_all(self.pool())
        .await?;
        rows.iter()
            .map(|row| {
                Ok(AsideCount {
                    queue_url: row.read("queue_url")?,
                    reason: reason(row.text("reason")?)?,
                    messages: row.read("messages")?,
                    bytes: row.read("bytes")?,
                    newest_at: row.read("newest_at")?,
                })
            })
            .collect()
    }

    /// Messages set aside, newest first, at most `limit` with a key below `below`. Each body is cut to `characters`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn aside(
        &self,
        below: Option<i64>,
        limit: u32,
        characters: u32,
    ) -> Result<Vec<AsideMessage>, StoreError> {
        let rows = sqlx::query(
            "SELECT message_key, queue_url, message_id, g.name AS region, received_at, reason, detail, \
             octet_length(body) AS bytes, substr(body, 1, ?3) AS body FROM quarantined_message JOIN region g USING (region_key) \
             WHERE message_key < ?1 ORDER BY message_key DESC LIMIT ?2",
        )
        .bind(below.unwrap_or(i64::MAX))
        .bind(limit)
        .bind(characters)
        .fetch_all(self.pool())
        .await?;
        rows.iter()
            .map(|row| {
                Ok(AsideMessage {
                    key: row.read("message_key")?,
                    queue_url: row.read("queue_url")?,
                    message_id: row.read("message_id")?,
                    region: row.read("region")?,
                    received_at: row.read("received_at")?,
                    reason: reason(row.text("reason")?)?,
                    detail: row.read("detail")?,
                    bytes: row.read("bytes")?,
                    body: row.read("body")?,
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

fn adoption(row: &SqliteRow) -> Result<Adoption, StoreError> {
    // Never guess what to do with foreign messages: if the word is unknown, leave them in the queue.
    let foreign_bodies = if row.text("foreign_bodies")? == foreign_text(ForeignBodies::SetAside) {
        ForeignBodies::SetAside
    } else {
        ForeignBodies::Leave
    };
    Ok(Adoption {
        queue_arn: row.read("queue_arn")?,
        queue_url: row.read("queue_url")?,
        region: row.read("region")?,
        queue_created_at: row.read("queue_created_at")?,
        adopted_at: row.read("adopted_at")?,
        adopted_by: row.read("adopted_by")?,
        foreign_bodies,
        halted: row.read("halted")?,
    })
}

fn reason(text: &str) -> Result<QuarantineReason, StoreError> {
    QuarantineReason::ALL
        .into_iter()
        .find(|reason| reason.as_str() == text)
        .ok_or_else(|| StoreError::Unreadable { what: format!("the reason `{text}` of a message set aside") })
}

//! Records of the event feed: adopted queues, and messages set aside.
//!
//! Owns their rows, the limits for messages set aside, and when a waiting event is counted. Deliberately decides
//! nothing about queues: the caller has checked a queue before adopting it.

use liftdeck_model::feed::{Adoption, FeedEvent, ForeignBodies, LARGEST_ASIDE_BYTES, QuarantinedMessage};
use liftdeck_model::observation::Subject;

use crate::column::Columns as _;
use crate::error::StoreError;
use crate::list::of_list;
use crate::writer::resource::document;
use crate::writer::transaction::Transaction;

/// Most messages that may be set aside.
pub const MOST_ASIDE: i64 = 10_000;
/// Most bytes that their bodies may take together.
pub const MOST_ASIDE_BYTES: i64 = 64 << 20;
/// Waiting events processed at once.
const WAITING_AT_ONCE: i64 = 500;

/// Number and total size of the messages set aside so far.
const ROOM_TAKEN: &str =
    "SELECT count(*) AS messages, coalesce(sum(octet_length(body)), 0) AS bytes FROM quarantined_message";

/// Waiting events whose named resources have all been read. A fleet's id is unique, so its Region is not compared:
/// the event has it only from the game session.
const CONFIRMED: &str = "SELECT m.message_key, m.event FROM quarantined_message m WHERE m.event IS NOT NULL \
     AND NOT EXISTS (SELECT 1 FROM json_each(m.names) n WHERE NOT EXISTS ( \
       SELECT 1 FROM resource r JOIN region g USING (region_key) \
       WHERE r.kind = n.value ->> 'kind' AND r.owner_key = 0 AND r.id = n.value ->> 'id' \
         AND (g.name = n.value ->> 'region' OR r.kind = 'fleet'))) LIMIT ?";

impl Transaction<'_> {
    /// Records an adoption, replacing an earlier one of the same queue.
    pub(super) async fn adopt(&mut self, adoption: Adoption) -> Result<(), StoreError> {
        let connection = self.write().await?;
        sqlx::query(
            "INSERT INTO feed_adoption (queue_arn, queue_url, region, queue_created_at, adopted_at, adopted_by, \
             foreign_bodies, halted) VALUES (?, ?, ?, ?, ?, ?, ?, ?) \
             ON CONFLICT (queue_arn) DO UPDATE SET queue_url = excluded.queue_url, region = excluded.region, \
             queue_created_at = excluded.queue_created_at, adopted_at = excluded.adopted_at, \
             adopted_by = excluded.adopted_by, foreign_bodies = excluded.foreign_bodies, halted = excluded.halted",
        )
        .bind(adoption.queue_arn)
        .bind(adoption.queue_url)
        .bind(adoption.region.into_string())
        .bind(adoption.queue_created_at.as_ms())
        .bind(adoption.adopted_at.as_ms())
        .bind(adoption.adopted_by)
        .bind(foreign_text(adoption.foreign_bodies))
        .bind(adoption.halted)
        .execute(connection)
        .await?;
        Ok(())
    }

    /// Deletes an adoption; it is not an error if there is none.
    pub(super) async fn release(&mut self, queue_arn: &str) -> Result<(), StoreError> {
        let connection = self.write().await?;
        sqlx::query("DELETE FROM feed_adoption WHERE queue_arn = ?")
            .bind(queue_arn)
            .execute(connection)
            .await?;
        Ok(())
    }

    /// Records why nothing may be received under this adoption until the queue is adopted again.
    pub(super) async fn halt(&mut self, queue_arn: &str, why: &str) -> Result<(), StoreError> {
        let connection = self.write().await?;
        sqlx::query("UPDATE feed_adoption SET halted = ? WHERE queue_arn = ?")
            .bind(why)
            .bind(queue_arn)
            .execute(connection)
            .await?;
        Ok(())
    }

    /// Deletes the messages set aside from one queue, or from all queues.
    pub(super) async fn clear_aside(&mut self, queue_url: Option<&str>) -> Result<(), StoreError> {
        let connection = self.write().await?;
        sqlx::query("DELETE FROM quarantined_message WHERE ?1 IS NULL OR queue_url = ?1")
            .bind(queue_url)
            .execute(connection)
            .await?;
        Ok(())
    }

    /// Sets messages aside. Those there is no room for are not kept, and their ids are returned.
    pub(super) async fn quarantined(&mut self, messages: &[QuarantinedMessage]) -> Result<(), StoreError> {
        let taken = sqlx::query(ROOM_TAKEN).fetch_one(self.read().await?).await?;
        let (mut rows, mut bytes): (i64, i64) = (taken.read("messages")?, taken.read("bytes")?);
        let mut written = 0;
        for message in messages {
            let size = i64::try_from(message.body.len()).unwrap_or(i64::MAX);
            let has_room = message.body.len() <= LARGEST_ASIDE_BYTES
                && rows < MOST_ASIDE
                && bytes.saturating_add(size) <= MOST_ASIDE_BYTES;
            if !has_room && !self.is_aside(message).await? {
                self.tally.no_room.push(message.message_id.clone());
                continue;
            }
            let region_key = self.region_key(message.region.as_str()).await?;
            let (event, names) = match &message.waiting {
                Some(waiting) => (Some(document(&waiting.event)?), Some(document(&waiting.names)?)),
                None => (None, None),
            };
            let is_waiting = event.is_some();
            let received_at = self.time.stamp_ms(message.received_at);
            let connection = self.write().await?;
            let new = sqlx::query(
                "INSERT INTO quarantined_message \
                 (queue_url, message_id, region_key, received_at, reason, detail, body, event, names) \
                 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (queue_url, message_id) DO NOTHING",
            )
            .bind(&message.queue_url)
            .bind(&message.message_id)
            .bind(region_key)
            .bind(received_at)
            .bind(message.reason.as_str())
            .bind(&message.detail)
            .bind(&message.body)
            .bind(event)
            .bind(names)
            .execute(connection)
            .await?
            .rows_affected();
            if new == 0 {
                self.tally.duplicates += 1;
                continue;
            }
            self.memory.has_waiting |= is_waiting;
            (rows, bytes, written) = (rows + 1, bytes.saturating_add(size), written + 1);
        }
        self.tally.count("quarantined_messages", written, Subject::Placements);
        Ok(())
    }

    async fn is_aside(&mut self, message: &QuarantinedMessage) -> Result<bool, StoreError> {
        let found: Option<i64> =
            sqlx::query_scalar("SELECT 1 FROM quarantined_message WHERE queue_url = ? AND message_id = ?")
                .bind(&message.queue_url)
                .bind(&message.message_id)
                .fetch_optional(self.read().await?)
                .await?;
        Ok(found.is_some())
    }

    /// Counts the waiting events whose named resources are all known by now.
    pub(super) async fn confirm_waiting(&mut self) -> Result<(), StoreError> {
        while self.memory.has_waiting {
            let rows = sqlx::query(CONFIRMED).bind(WAITING_AT_ONCE).fetch_all(self.read().await?).await?;
            if rows.is_empty() {
                break;
            }
            let (mut keys, mut placements, mut matchmaking): (Vec<i64>, _, _) =
                (Vec::new(), Vec::new(), Vec::new());
            for row in &rows {
                keys.push(row.read("message_key")?);
                match row.json("event")? {
                    FeedEvent::Placement(event) => placements.push(event),
                    FeedEvent::Matchmaking(event) => matchmaking.push(event),
                }
            }
            if !placements.is_empty() {
                self.placement_events(&placements).await?;
            }
            if !matchmaking.is_empty() {
                self.matchmaking_events(&matchmaking).await?;
            }
            let statement = "DELETE FROM quarantined_message WHERE message_key IN ({list})";
            of_list(statement, keys.iter()).execute(self.write().await?).await?;
            self.tally.subjects.insert(Subject::Placements);
            let left: Option<i64> =
                sqlx::query_scalar("SELECT 1 FROM quarantined_message WHERE event IS NOT NULL LIMIT 1")
                    .fetch_optional(self.read().await?)
                    .await?;
            self.memory.has_waiting = left.is_some();
        }
        Ok(())
    }
}

pub(crate) const fn foreign_text(foreign: ForeignBodies) -> &'static str {
    match foreign {
        ForeignBodies::Leave => "leave",
        ForeignBodies::SetAside => "set_aside",
    }
}

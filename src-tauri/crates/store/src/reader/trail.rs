//! Calls that CloudTrail recorded, and what it was asked for.

use liftdeck_model::time::TimeRange;
use liftdeck_model::trail::{TrailCall, TrailLook, TrailMark};
use liftdeck_model::{FleetId, Timestamp};

use super::Reader;
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::text::PackedText;

/// The most calls read at once, the newest.
const MOST_CALLS: i64 = 5_000;
/// The most look-ups read at once, the newest.
const MOST_LOOKS: i64 = 20_000;

impl Reader {
    /// Calls made in `range`, both ends included, oldest first. Those that could not be understood are left out.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn trail_calls(&self, range: TimeRange) -> Result<Vec<TrailCall>, StoreError> {
        let rows = sqlx::query(
            "SELECT document FROM trail_event WHERE event_at >= ? AND event_at <= ? AND is_read = 1 \
             ORDER BY event_at DESC, event_id DESC LIMIT ?",
        )
        .bind(range.from.as_ms())
        .bind(range.to.as_ms())
        .bind(MOST_CALLS)
        .fetch_all(self.pool())
        .await?;
        let mut calls = Vec::with_capacity(rows.len());
        for row in rows.iter().rev() {
            let raw = row.read::<PackedText>("document")?.unpack(&"a CloudTrail record")?;
            calls.extend(TrailCall::read(&raw).ok());
        }
        Ok(calls)
    }

    /// Look-ups answered since `from`, oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn trail_looks(&self, from: Timestamp) -> Result<Vec<TrailLook>, StoreError> {
        let directory = self.directory().await?;
        let rows = sqlx::query(
            "SELECT region_key, event_name, asked_at, from_at, to_at, is_denied FROM trail_look WHERE asked_at >= ? \
             ORDER BY asked_at DESC LIMIT ?",
        )
        .bind(from.as_ms())
        .bind(MOST_LOOKS)
        .fetch_all(self.pool())
        .await?;
        let looks = rows.iter().rev().map(|row| {
            Ok(TrailLook {
                region: directory.region(row.read("region_key")?),
                event_name: row.read("event_name")?,
                asked_at: row.read("asked_at")?,
                range: TimeRange::new(row.read("from_at")?, row.read("to_at")?),
                is_denied: row.read("is_denied")?,
            })
        });
        looks.collect()
    }

    /// From when to when each scaling policy was there, by fleet; without an end while it is.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn policies_in_force(
        &self,
    ) -> Result<Vec<(FleetId, Timestamp, Option<Timestamp>)>, StoreError> {
        let directory = self.directory().await?;
        let rows = sqlx::query(
            "SELECT owner_key, first_seen_at, gone_at FROM resource WHERE kind = 'scaling_policy'",
        );
        let rows = rows.fetch_all(self.pool()).await?;
        let policies = rows.iter().map(|row| {
            Ok((directory.fleet_id(row.read("owner_key")?), row.read("first_seen_at")?, row.read("gone_at")?))
        });
        policies.collect()
    }

    /// Where the look-ups of each Region stand.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn trail_marks(&self) -> Result<Vec<TrailMark>, StoreError> {
        let directory = self.directory().await?;
        let rows = sqlx::query("SELECT region_key, begun_at, settled_at FROM trail_mark");
        let rows = rows.fetch_all(self.pool()).await?;
        let marks = rows.iter().map(|row| {
            Ok(TrailMark {
                region: directory.region(row.read("region_key")?),
                begun_at: row.read("begun_at")?,
                settled_at: row.read("settled_at")?,
            })
        });
        marks.collect()
    }
}

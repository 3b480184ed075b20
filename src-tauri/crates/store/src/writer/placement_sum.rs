//! Sums of placement outcomes by hour and day and by queue, updated with each event written.
//!
//! Owns the rows of `placement_sum`. They are read, added to and written within the transaction of the events, so
//! that both always agree.

use std::collections::BTreeMap;

use futures::TryStreamExt as _;
use liftdeck_model::Timestamp;
use liftdeck_model::placement::PlacementEvent;
use liftdeck_model::time::{DAY_MS, HOUR_MS};
use sqlx::SqliteConnection;

use crate::bulk::Bulk;
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::placement_time::Times;
use crate::reader::placement::Funnel;
use crate::writer::transaction::Transaction;

/// Outcomes, and how long the fulfilled ones took.
#[derive(Default)]
pub(super) struct Sum {
    pub(super) funnel: Funnel,
    pub(super) times: Times,
}

impl Sum {
    pub(super) fn add(&mut self, outcome: i64, took_ms: Option<i64>) {
        self.funnel.add(outcome, 1);
        if let (Funnel::FULFILLED, Some(took_ms)) = (outcome, took_ms) {
            self.times.add(took_ms);
        }
    }
}

/// What a sum covers: its length in milliseconds, its start, the queue, and the queue's Region.
type Span = (i64, i64, String, i64);

/// Sums to be written to the table.
#[derive(Default)]
struct Sums(BTreeMap<Span, Sum>);

impl Sums {
    fn add(&mut self, at: Timestamp, queue: &str, region_key: i64, outcome: i64, took_ms: Option<i64>) {
        for span_ms in [HOUR_MS, DAY_MS] {
            let span = (span_ms, at.floor_to_ms(span_ms).as_ms(), queue.to_owned(), region_key);
            self.0.entry(span).or_default().add(outcome, took_ms);
        }
    }

    /// Adds the sums that the table already has for the same spans.
    async fn add_known(&mut self, connection: &mut SqliteConnection) -> Result<(), StoreError> {
        for ((span_ms, start_at, queue, region_key), sum) in &mut self.0 {
            let known = sqlx::query(
                "SELECT fulfilled, cancelled, timed_out, failed, times FROM placement_sum \
                 WHERE span_ms = ? AND start_at = ? AND queue = ? AND region_key = ?",
            )
            .bind(*span_ms)
            .bind(*start_at)
            .bind(queue.as_str())
            .bind(*region_key)
            .fetch_optional(&mut *connection)
            .await?;
            if let Some(known) = known {
                sum.funnel.add_all(Funnel::of_row(&known)?);
                sum.times.add_all(&Times::decode(known.bytes("times")?)?);
            }
        }
        Ok(())
    }

    async fn write(self, connection: &mut SqliteConnection) -> Result<(), StoreError> {
        let mut rows = Bulk::upsert(
            "placement_sum (span_ms, start_at, queue, region_key, fulfilled, cancelled, timed_out, failed, times)",
            "ON CONFLICT (span_ms, start_at, queue, region_key) DO UPDATE SET fulfilled = excluded.fulfilled, \
             cancelled = excluded.cancelled, timed_out = excluded.timed_out, failed = excluded.failed, \
             times = excluded.times",
        );
        for ((span_ms, start_at, queue, region_key), Sum { funnel, times }) in self.0 {
            rows.push(span_ms)?;
            rows.push(start_at)?;
            rows.push(queue)?;
            rows.push(region_key)?;
            for count in [funnel.fulfilled, funnel.cancelled, funnel.timed_out, funnel.failed] {
                rows.push(count.cast_signed())?;
            }
            rows.push(times.encode())?;
        }
        rows.send(connection).await?;
        Ok(())
    }
}

impl Transaction<'_> {
    /// Adds events that were not known before, each with the word key of its outcome.
    pub(super) async fn sum_placements(
        &mut self,
        events: &[(&PlacementEvent, i64)],
    ) -> Result<(), StoreError> {
        let mut sums = Sums::default();
        for (event, outcome) in events {
            let region_key = self.region_key(event.region.as_str()).await?;
            let took_ms = event.end_time.zip(event.start_time).map(|(end, start)| end.since_ms(start));
            sums.add(event.event_time, event.queue.as_str(), region_key, *outcome, took_ms);
        }
        sums.add_known(self.read().await?).await?;
        sums.write(self.write().await?).await
    }
}

/// Fills the table from all events of a file that did not have the Region in it.
pub(crate) async fn fill(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let mut sums = Sums::default();
    let events = sqlx::query(
        "SELECT event_at, queue, region_key, event_type, end_at - start_at AS took_ms FROM placement_event",
    );
    let mut rows = events.fetch(&mut *connection);
    while let Some(row) = rows.try_next().await? {
        let queue: String = row.read("queue")?;
        sums.add(
            row.read("event_at")?,
            &queue,
            row.read("region_key")?,
            row.read("event_type")?,
            row.read("took_ms")?,
        );
    }
    drop(rows);
    sums.write(connection).await
}

//! Sums of placement outcomes by day, queue and fleet, updated with each event written.
//!
//! Owns the rows of `placement_day`, which serve a month split by queue, Region or destination. What is not split is
//! read from the sums by hour and day in `placement_sum`.

use std::collections::BTreeMap;

use futures::TryStreamExt as _;
use liftdeck_model::Timestamp;
use liftdeck_model::placement::PlacementEvent;
use liftdeck_model::time::DAY_MS;
use sqlx::{QueryBuilder, SqliteConnection};

use crate::bulk::Bulk;
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::placement_time::Times;
use crate::reader::placement::Funnel;
use crate::writer::placement_sum::Sum;
use crate::writer::transaction::Transaction;

/// Cells looked up by one statement; each binds four values.
const CELLS_A_STATEMENT: usize = 500;

/// What a sum covers: day, queue, the queue's Region, fleet.
type Cell = (i64, String, i64, i64);

/// Sums to be written to the table.
#[derive(Default)]
struct Days(BTreeMap<Cell, Sum>);

impl Days {
    fn add(&mut self, cell: Cell, outcome: i64, took_ms: Option<i64>) {
        self.0.entry(cell).or_default().add(outcome, took_ms);
    }

    /// Adds the sums that the table already has for the same cells.
    async fn add_known(&mut self, connection: &mut SqliteConnection) -> Result<(), StoreError> {
        let cells: Vec<Cell> = self.0.keys().cloned().collect();
        for part in cells.chunks(CELLS_A_STATEMENT) {
            let mut sql = QueryBuilder::new("WITH wanted (day_at, queue, region_key, fleet_key) AS (");
            sql.push_values(part, |mut row, (day_at, queue, region_key, fleet_key)| {
                row.push_bind(*day_at).push_bind(queue.clone()).push_bind(*region_key).push_bind(*fleet_key);
            });
            sql.push(
                ") SELECT day_at, queue, region_key, fleet_key, fulfilled, cancelled, timed_out, failed, times \
                 FROM wanted CROSS JOIN placement_day USING (day_at, queue, region_key, fleet_key)",
            );
            for row in sql.build().fetch_all(&mut *connection).await? {
                let cell = (
                    row.read("day_at")?,
                    row.read("queue")?,
                    row.read("region_key")?,
                    row.read("fleet_key")?,
                );
                let sum = self.0.entry(cell).or_default();
                sum.funnel.add_all(Funnel::of_row(&row)?);
                sum.times.add_all(&Times::decode(row.bytes("times")?)?);
            }
        }
        Ok(())
    }

    async fn write(self, connection: &mut SqliteConnection) -> Result<(), StoreError> {
        let mut rows = Bulk::upsert(
            "placement_day (day_at, queue, region_key, fleet_key, fulfilled, cancelled, timed_out, failed, times)",
            "ON CONFLICT (day_at, queue, region_key, fleet_key) DO UPDATE SET fulfilled = excluded.fulfilled, \
             cancelled = excluded.cancelled, timed_out = excluded.timed_out, failed = excluded.failed, \
             times = excluded.times",
        );
        for ((day_at, queue, region_key, fleet_key), Sum { funnel, times }) in self.0 {
            rows.push(day_at)?;
            rows.push(queue)?;
            rows.push(region_key)?;
            rows.push(fleet_key)?;
            for count in [funnel.fulfilled, funnel.cancelled, funnel.timed_out, funnel.failed] {
                rows.push(count.cast_signed())?;
            }
            rows.push(times.encode())?;
        }
        rows.send(connection).await?;
        Ok(())
    }
}

fn day_of(event_at: Timestamp) -> i64 {
    event_at.floor_to_ms(DAY_MS).as_ms()
}

impl Transaction<'_> {
    /// Adds events that were not known before, each with the word key of its outcome.
    pub(super) async fn sum_placement_days(
        &mut self,
        events: &[(&PlacementEvent, i64)],
    ) -> Result<(), StoreError> {
        let mut days = Days::default();
        for (event, outcome) in events {
            let region_key = self.region_key(event.region.as_str()).await?;
            let fleet_key = match event.game_session_id.as_ref().and_then(|id| id.fleet_id()) {
                Some(fleet) => self.fleet_key(&fleet).await?,
                None => 0,
            };
            let cell = (day_of(event.event_time), event.queue.as_str().to_owned(), region_key, fleet_key);
            let took_ms = event.end_time.zip(event.start_time).map(|(end, start)| end.since_ms(start));
            days.add(cell, *outcome, took_ms);
        }
        days.add_known(self.read().await?).await?;
        days.write(self.write().await?).await
    }
}

/// Fills the table from all events of a file that did not have it.
pub(crate) async fn fill(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let mut days = Days::default();
    let events = sqlx::query(
        "SELECT event_at, queue, region_key, coalesce(fleet_key, 0) AS fleet_key, event_type, end_at - start_at AS took_ms \
         FROM placement_event",
    );
    let mut rows = events.fetch(&mut *connection);
    while let Some(row) = rows.try_next().await? {
        let day_at = day_of(row.read("event_at")?);
        let cell = (day_at, row.read("queue")?, row.read("region_key")?, row.read("fleet_key")?);
        days.add(cell, row.read("event_type")?, row.read("took_ms")?);
    }
    drop(rows);
    days.write(connection).await
}

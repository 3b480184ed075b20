//! Sums of placement outcomes by hour and day, updated with each event written.
//!
//! Owns the rows of `placement_sum`. They are read, added to and written within the transaction of the events, so
//! that both always agree.

use std::collections::BTreeMap;

use liftdeck_model::placement::PlacementEvent;
use liftdeck_model::time::{DAY_MS, HOUR_MS};

use crate::bulk::Bulk;
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::placement_time::Times;
use crate::reader::placement::Funnel;
use crate::writer::transaction::Transaction;

#[derive(Default)]
struct Sum {
    funnel: Funnel,
    times: Times,
}

impl Transaction<'_> {
    /// Adds events that were not known before, each with the word key of its outcome.
    pub(super) async fn sum_placements(
        &mut self,
        events: &[(&PlacementEvent, i64)],
    ) -> Result<(), StoreError> {
        let mut sums: BTreeMap<(i64, i64, &str), Sum> = BTreeMap::new();
        for (event, outcome) in events {
            for span_ms in [HOUR_MS, DAY_MS] {
                let start_at = event.event_time.floor_to_ms(span_ms).as_ms();
                let sum = sums.entry((span_ms, start_at, event.queue.as_str())).or_default();
                sum.funnel.add(*outcome, 1);
                if let (Funnel::FULFILLED, Some(start), Some(end)) =
                    (*outcome, event.start_time, event.end_time)
                {
                    sum.times.add(end.since_ms(start));
                }
            }
        }
        let mut rows = Bulk::upsert(
            "placement_sum (span_ms, start_at, queue, fulfilled, cancelled, timed_out, failed, times)",
            "ON CONFLICT (span_ms, start_at, queue) DO UPDATE SET fulfilled = excluded.fulfilled, \
             cancelled = excluded.cancelled, timed_out = excluded.timed_out, failed = excluded.failed, \
             times = excluded.times",
        );
        for ((span_ms, start_at, queue), mut sum) in sums {
            let known = sqlx::query(
                "SELECT fulfilled, cancelled, timed_out, failed, times FROM placement_sum \
                 WHERE span_ms = ? AND start_at = ? AND queue = ?",
            )
            .bind(span_ms)
            .bind(start_at)
            .bind(queue)
            .fetch_optional(self.read().await?)
            .await?;
            if let Some(known) = known {
                sum.funnel.add_all(Funnel::of_row(&known)?);
                sum.times.add_all(&Times::decode(known.bytes("times")?)?);
            }
            rows.push(span_ms)?;
            rows.push(start_at)?;
            rows.push(queue.to_owned())?;
            for count in [sum.funnel.fulfilled, sum.funnel.cancelled, sum.funnel.timed_out, sum.funnel.failed]
            {
                rows.push(count.cast_signed())?;
            }
            rows.push(sum.times.encode())?;
        }
        let connection = self.write().await?;
        rows.send(connection).await?;
        Ok(())
    }
}

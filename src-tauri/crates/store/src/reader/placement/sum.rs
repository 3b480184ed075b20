//! Outcomes and times to place over any range: whole days and hours from their sums, the rest from the events.

use std::collections::BTreeMap;

use liftdeck_model::time::TimeRange;
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Sqlite};

use super::split::Keys;
use super::{DAY_MS, Funnel, HOUR_MS, PlacementStatistics, bucket_count, histogram, percentile};
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::placement_time::Times;
use crate::reader::Reader;

/// Ranges shorter than this are read from the events alone: their times are exact, and there are few of them.
const SHORTEST_SUMMED_MS: i64 = 3 * HOUR_MS;

/// Aggregates over events `e`: the four outcomes, and the times as a JSON array.
pub(super) const COUNTED_EVENTS: &str = "sum(e.event_type = 50) AS fulfilled, sum(e.event_type = 51) AS cancelled, \
     sum(e.event_type = 52) AS timed_out, sum(e.event_type = 53) AS failed, \
     json_group_array(e.end_at - e.start_at) FILTER (WHERE e.event_type = 50) AS times FROM placement_event e WHERE ";

/// Outcomes and times to place.
#[derive(Default)]
pub(super) struct Summed {
    pub(super) funnel: Funnel,
    exact: BTreeMap<i64, u64>,
    stepped: Times,
}

impl Summed {
    /// Adds all of `other`.
    pub(super) fn add_all(&mut self, other: Self) {
        self.funnel.add_all(other.funnel);
        self.stepped.add_all(&other.stepped);
        for (took, count) in other.exact {
            *self.exact.entry(took).or_default() += count;
        }
    }

    /// Adds one row of sums: its outcomes, and `times` as stored.
    pub(super) fn add_sum(&mut self, funnel: Funnel, times: &[u8]) -> Result<(), StoreError> {
        self.funnel.add_all(funnel);
        self.stepped.add_encoded(times)
    }

    /// Adds several rows of sums: their outcomes in total, and a JSON array with the `times` of each in hexadecimal.
    pub(super) fn add_sums(&mut self, funnel: Funnel, times: &str) -> Result<(), StoreError> {
        self.funnel.add_all(funnel);
        let damaged = || StoreError::Unreadable { what: "times of placements".to_owned() };
        let each: Vec<&str> = serde_json::from_str(times).map_err(|_| damaged())?;
        let mut body = Vec::new();
        for digits in each {
            body.clear();
            for pair in digits.as_bytes().chunks(2) {
                let byte = std::str::from_utf8(pair).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok());
                body.push(byte.ok_or_else(damaged)?);
            }
            self.stepped.add_encoded(&body)?;
        }
        Ok(())
    }

    /// Adds a row of [`COUNTED_EVENTS`].
    pub(super) fn add_event_row(&mut self, row: &SqliteRow) -> Result<(), StoreError> {
        self.funnel.add_all(Funnel::of_row(row)?);
        let times: Vec<Option<i64>> = row.json("times")?;
        for took in times.into_iter().flatten() {
            *self.exact.entry(took).or_default() += 1;
        }
        Ok(())
    }

    /// The statistics over everything added.
    pub(super) fn statistics(self) -> PlacementStatistics {
        let funnel = self.funnel;
        let times = self.times();
        PlacementStatistics {
            funnel,
            p50_ms: percentile(&times, 0.50),
            p95_ms: percentile(&times, 0.95),
            p99_ms: percentile(&times, 0.99),
            histogram: histogram(&times),
        }
    }

    /// Times to place in milliseconds, ascending, each with how often it occurs.
    fn times(mut self) -> Vec<(i64, u64)> {
        for (took, count) in self.stepped.counts() {
            *self.exact.entry(took).or_default() += count;
        }
        self.exact.into_iter().collect()
    }
}

/// The parts in which a range is read: `each` from the events, then `sums` as whole hours and days.
#[derive(Debug, Default, PartialEq, Eq)]
struct Parts {
    each: Vec<TimeRange>,
    sums: Vec<(i64, TimeRange)>,
}

fn parts(range: TimeRange) -> Parts {
    if range.length_ms() < SHORTEST_SUMMED_MS {
        return Parts { each: vec![range], sums: Vec::new() };
    }
    let hours = inside(range, HOUR_MS);
    let days = inside(hours, DAY_MS);
    let around = |whole: TimeRange, inner: TimeRange| {
        [TimeRange::new(whole.from, inner.from), TimeRange::new(inner.to, whole.to)]
            .into_iter()
            .filter(|part| part.length_ms() > 0)
    };
    let hourly: Vec<TimeRange> =
        if days.length_ms() > 0 { around(hours, days).collect() } else { vec![hours] };
    let mut sums: Vec<(i64, TimeRange)> = hourly.into_iter().map(|part| (HOUR_MS, part)).collect();
    if days.length_ms() > 0 {
        sums.push((DAY_MS, days));
    }
    Parts { each: around(range, hours).collect(), sums }
}

/// The whole spans inside a range; empty when there are none.
pub(super) fn inside(range: TimeRange, span_ms: i64) -> TimeRange {
    let from = range.from.plus_ms(span_ms - 1).floor_to_ms(span_ms);
    TimeRange::new(from, range.to.floor_to_ms(span_ms).max(from))
}

impl Reader {
    pub(super) async fn placement_sums(
        &self,
        keys: &Keys<'_>,
        range: TimeRange,
    ) -> Result<Summed, StoreError> {
        let mut summed = Summed::default();
        let parts = parts(range);
        for part in parts.each {
            self.add_events(keys, part, &mut summed).await?;
        }
        if parts.sums.is_empty() {
            return Ok(summed);
        }
        let mut sql = QueryBuilder::new("");
        for (index, (span_ms, part)) in parts.sums.into_iter().enumerate() {
            sql.push(if index > 0 { " UNION ALL " } else { "" });
            sql.push("SELECT fulfilled, cancelled, timed_out, failed, times FROM placement_sum WHERE ");
            push_spans(&mut sql, span_ms, part, keys);
        }
        for row in sql.build().fetch_all(self.pool()).await? {
            summed.add_sum(Funnel::of_row(&row)?, row.bytes("times")?)?;
        }
        Ok(summed)
    }

    /// Outcomes by the start of the hour, one row per hour and queue. `range` begins and ends on the hour.
    pub(super) async fn placements_by_hour(
        &self,
        keys: &Keys<'_>,
        range: TimeRange,
    ) -> Result<Vec<(i64, Funnel)>, StoreError> {
        let mut sql = QueryBuilder::new(
            "SELECT fulfilled, cancelled, timed_out, failed, start_at FROM placement_sum WHERE ",
        );
        push_spans(&mut sql, HOUR_MS, range, keys);
        let rows = sql.build().fetch_all(self.pool()).await?;
        rows.iter().map(|row| Ok((row.read("start_at")?, Funnel::of_row(row)?))).collect()
    }

    /// Outcomes and times to place by buckets of `width_ms` from the start of `range`.
    pub(super) async fn placement_sums_by_bucket(
        &self,
        keys: &Keys<'_>,
        range: TimeRange,
        width_ms: i64,
    ) -> Result<Vec<Summed>, StoreError> {
        let from = range.from.as_ms();
        let mut buckets: Vec<Summed> = Vec::new();
        buckets.resize_with(bucket_count(range, width_ms), Summed::default);
        let index = |at: i64| usize::try_from((at - from).div_euclid(width_ms)).unwrap_or(usize::MAX);
        let mut each = range;
        if keys.is_summed() && from % HOUR_MS == 0 && width_ms % HOUR_MS == 0 {
            each.from = range.to.floor_to_ms(HOUR_MS).max(range.from);
            let mut sql = QueryBuilder::new(
                "SELECT fulfilled, cancelled, timed_out, failed, times, start_at FROM placement_sum WHERE ",
            );
            push_spans(&mut sql, HOUR_MS, TimeRange::new(range.from, each.from), keys);
            for row in sql.build().fetch_all(self.pool()).await? {
                if let Some(bucket) = buckets.get_mut(index(row.read("start_at")?)) {
                    bucket.add_sum(Funnel::of_row(&row)?, row.bytes("times")?)?;
                }
            }
        }
        let mut sql = QueryBuilder::new("SELECT (e.event_at - ");
        sql.push_bind(from).push(") / ").push_bind(width_ms).push(" AS bucket, ").push(COUNTED_EVENTS);
        keys.push_events(&mut sql, each);
        sql.push(" GROUP BY 1");
        for row in sql.build().fetch_all(self.pool()).await? {
            let at = from + row.read::<i64>("bucket")? * width_ms;
            if let Some(bucket) = buckets.get_mut(index(at)) {
                bucket.add_event_row(&row)?;
            }
        }
        Ok(buckets)
    }

    async fn add_events(
        &self,
        keys: &Keys<'_>,
        range: TimeRange,
        summed: &mut Summed,
    ) -> Result<(), StoreError> {
        // One pass and one row, because grouping would sort, and fetching many rows costs more than aggregating them.
        let mut sql = QueryBuilder::new("SELECT ");
        sql.push(COUNTED_EVENTS);
        keys.push_events(&mut sql, range);
        summed.add_event_row(&sql.build().fetch_one(self.pool()).await?)
    }
}

fn push_spans(sql: &mut QueryBuilder<Sqlite>, span_ms: i64, part: TimeRange, keys: &Keys<'_>) {
    sql.push("span_ms = ").push_bind(span_ms);
    sql.push(" AND start_at >= ").push_bind(part.from.as_ms());
    sql.push(" AND start_at < ").push_bind(part.to.as_ms());
    keys.push_queue(sql);
}

#[cfg(test)]
mod tests {
    use liftdeck_model::Timestamp;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_parts_cover_the_range_once(from in -10_i64..2_000_000_000_000, length in 0_i64..4_000_000_000) {
            let start = Timestamp::from_ms(from);
            let range = TimeRange::new(start, start.plus_ms(length));
            let parts = parts(range);
            for (span_ms, part) in &parts.sums {
                prop_assert_eq!((part.from.as_ms() % span_ms, part.to.as_ms() % span_ms), (0, 0));
            }
            let mut all: Vec<TimeRange> = parts.each;
            all.extend(parts.sums.into_iter().map(|(_, part)| part));
            all.sort_by_key(|part| part.from);
            prop_assert!(all.windows(2).all(|pair| pair[0].to == pair[1].from));
            prop_assert_eq!(all.first().map(|part| part.from), Some(range.from));
            prop_assert_eq!(all.last().map(|part| part.to), Some(range.to));
        }
    }
}

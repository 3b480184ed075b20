//! Metric samples: recent ones in the hot table, older ones in chunks, and how the former become the latter.
//!
//! Owns `metric_series`, `metric_hot` and `metric_chunk`. New samples go to the hot table, which compaction keeps
//! short. Long stretches (a backfill) and late samples go straight into their day's chunk. Values are kept bit for
//! bit.

use std::collections::BTreeMap;

use liftdeck_model::metric::{MetricSample, MetricSeries, MetricSource};
use liftdeck_model::observation::Subject;
use liftdeck_model::time::DAY_MS;
use liftdeck_model::{FleetId, Location};

use crate::chunk;
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::list::of_list;
use crate::reader::{dimensions_text, source_text};
use crate::writer::memory::Series;
use crate::writer::transaction::Transaction;

/// A polled value is written when it changes and at least this often, so a longer gap means that nothing was polled.
pub const HEARTBEAT_MS: i64 = 300_000;
/// Compaction runs when the hot table has more rows than this. It stays short enough for a reader to search by time
/// alone.
pub(super) const HOT_ROWS: u64 = 65_536;
/// An observation with at least this many samples goes straight into chunks.
const STRETCH: usize = 120;
/// Series compacted in one transaction, to keep each transaction short.
const SERIES_A_STEP: i64 = 256;

impl Transaction<'_> {
    /// Stores samples of a series. Without any, it is noted only that the series exists.
    pub(super) async fn metric_samples(
        &mut self,
        series: &MetricSeries,
        samples: &[MetricSample],
    ) -> Result<(), StoreError> {
        let is_new = !self.memory.series.contains_key(series);
        let mut state = self.series(series).await?;
        if samples.is_empty() {
            self.tally.count("metric_series", u64::from(is_new), Subject::Metrics);
            return Ok(());
        }
        let mut sorted = samples.to_vec();
        // The sort is stable, so that of two samples at the same time the one given later stays last and wins.
        sorted.sort_by_key(|sample| sample.at);
        let (late, fresh) = if sorted.len() >= STRETCH {
            (sorted.as_slice(), Default::default())
        } else {
            sorted.split_at(sorted.partition_point(|sample| sample.at.as_ms() <= state.chunked_to))
        };
        let mut written = 0;
        if !late.is_empty() {
            written += self.keep_cold(&mut state, late).await?;
        }
        if !fresh.is_empty() {
            written += self.keep_hot(&mut state, fresh).await?;
        }
        self.memory.series.insert(series.clone(), state);
        self.tally.count("metric_samples", written, Subject::Metrics);
        Ok(())
    }

    /// Stores one polled value if it changed, or if the last one stored is at least `HEARTBEAT_MS` old.
    pub(super) async fn polled_sample(
        &mut self,
        fleet: &FleetId,
        location: &Location,
        name: &str,
        value: f64,
    ) -> Result<(), StoreError> {
        let series = MetricSeries {
            region: self.region.clone(),
            source: MetricSource::Polled,
            name: name.to_owned(),
            dimensions: vec![
                ("FleetId".to_owned(), fleet.as_str().to_owned()),
                ("Location".to_owned(), location.as_str().to_owned()),
            ],
            statistic: "Average".to_owned(),
        };
        let mut state = self.series(&series).await?;
        let bits = value.to_bits();
        // A clock that was set back is no reason to drop a sample: it is stored at the time that clock gave.
        let due = state.polled.is_none_or(|(at, last)| {
            at != self.at && (last != bits || self.at.abs_diff(at) >= HEARTBEAT_MS.unsigned_abs())
        });
        if !due {
            return Ok(());
        }
        let hot = &mut self.sheets.hot;
        hot.push(self.at)?;
        hot.push(state.key)?;
        hot.push(bits.cast_signed())?;
        state.polled = Some((self.at, bits));
        state.hot += 1;
        self.memory.hot_rows += 1;
        self.memory.series.insert(series, state);
        self.tally.count("metric_samples", 1, Subject::Metrics);
        self.send_if_full().await
    }

    async fn series(&mut self, series: &MetricSeries) -> Result<Series, StoreError> {
        if let Some(known) = self.memory.series.get(series) {
            return Ok(*known);
        }
        let region_key = self.region_key(series.region.as_str()).await?;
        let fleet_key = match series.dimension("FleetId") {
            Some(fleet) => Some(self.fleet_key(&FleetId::from(fleet)).await?),
            None => None,
        };
        let location_key = match series.dimension("Location") {
            Some(location) => Some(self.location_key(&Location::from(location)).await?),
            None => None,
        };
        let key = self.memory.next_key("metric_series");
        let connection = self.write().await?;
        sqlx::query(
            "INSERT INTO metric_series (series_key, region_key, source, name, statistic, dimensions, fleet_key, \
             location_key, queue) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(key)
        .bind(region_key)
        .bind(source_text(series.source))
        .bind(&series.name)
        .bind(&series.statistic)
        .bind(dimensions_text(series)?)
        .bind(fleet_key)
        .bind(location_key)
        .bind(series.dimension("QueueName"))
        .execute(connection)
        .await?;
        let state = Series { key, chunked_to: i64::MIN, newest: i64::MIN, hot: 0, polled: None };
        self.memory.series.insert(series.clone(), state);
        Ok(state)
    }

    /// Writes the samples that differ from the hot table into it.
    async fn keep_hot(&mut self, state: &mut Series, samples: &[MetricSample]) -> Result<u64, StoreError> {
        let mut present: BTreeMap<i64, i64> = BTreeMap::new();
        let (again, _) =
            samples.split_at(samples.partition_point(|sample| sample.at.as_ms() <= state.newest));
        if !again.is_empty() {
            // Rows of the same group may not be sent yet.
            self.send().await?;
            let query = of_list(
                "SELECT sample_at, value_bits FROM metric_hot WHERE sample_at IN ({list}) AND series_key = ?",
                again.iter().map(|sample| sample.at.as_ms()),
            )
            .bind(state.key);
            for row in query.fetch_all(self.read().await?).await? {
                present.insert(row.read("sample_at")?, row.read("value_bits")?);
            }
        }
        let mut written = 0;
        for sample in samples {
            let (at, bits) = (sample.at.as_ms(), sample.value.to_bits().cast_signed());
            match present.insert(at, bits) {
                Some(known) if known == bits => continue,
                Some(_) => {}
                None => {
                    state.hot += 1;
                    self.memory.hot_rows += 1;
                }
            }
            let hot = &mut self.sheets.hot;
            hot.push(at)?;
            hot.push(state.key)?;
            hot.push(bits)?;
            state.newest = state.newest.max(at);
            written += 1;
        }
        self.send_if_full().await?;
        Ok(written)
    }

    /// Merges samples into the chunks of their days.
    async fn keep_cold(&mut self, state: &mut Series, samples: &[MetricSample]) -> Result<u64, StoreError> {
        let (Some(first), Some(last)) = (samples.first(), samples.last()) else { return Ok(0) };
        let mut written = 0;
        let mut rest = samples;
        while let Some(next) = rest.first() {
            let day = next.at.as_ms().div_euclid(DAY_MS);
            let end = rest.partition_point(|sample| sample.at.as_ms().div_euclid(DAY_MS) == day);
            let (of_day, later) = rest.split_at(end);
            written += self.keep_day(state.key, day, of_day).await?;
            rest = later;
        }
        state.chunked_to = state.chunked_to.max(last.at.as_ms());
        if state.hot > 0 {
            // The chunk now has the valid values for this range of time; older hot rows must not hide them.
            self.send().await?;
            let moments: Vec<i64> = samples.iter().map(|sample| sample.at.as_ms()).collect();
            let rows = sqlx::query_scalar::<_, i64>(
                "SELECT sample_at FROM metric_hot WHERE series_key = ? AND sample_at BETWEEN ? AND ?",
            )
            .bind(state.key)
            .bind(first.at.as_ms())
            .bind(last.at.as_ms())
            .fetch_all(self.read().await?)
            .await?;
            for at in rows.into_iter().filter(|at| moments.binary_search(at).is_ok()) {
                let connection = self.write().await?;
                sqlx::query("DELETE FROM metric_hot WHERE sample_at = ? AND series_key = ?")
                    .bind(at)
                    .bind(state.key)
                    .execute(connection)
                    .await?;
                state.hot = state.hot.saturating_sub(1);
                self.memory.hot_rows = self.memory.hot_rows.saturating_sub(1);
            }
        }
        Ok(written)
    }

    /// Merges samples of one day into its chunk and returns how many were new or different.
    async fn keep_day(
        &mut self,
        series_key: i64,
        day: i64,
        samples: &[MetricSample],
    ) -> Result<u64, StoreError> {
        let body: Option<Vec<u8>> =
            sqlx::query_scalar("SELECT body FROM metric_chunk WHERE series_key = ? AND day = ?")
                .bind(series_key)
                .bind(day)
                .fetch_optional(self.read().await?)
                .await?;
        let older = match &body {
            Some(body) => chunk::decode(body).unwrap_or_else(|error| {
                // The chunk can no longer be read, and must not prevent later samples from being stored.
                tracing::warn!(%error, series_key, day, "A day of metric samples was unreadable and is begun anew.");
                Vec::new()
            }),
            None => Vec::new(),
        };
        let merged = chunk::merge(&older, samples);
        let known = |sample: &MetricSample| {
            older.binary_search_by_key(&sample.at, |other| other.at).is_ok_and(|index| {
                older.get(index).is_some_and(|other| other.value.to_bits() == sample.value.to_bits())
            })
        };
        let written = merged.iter().filter(|sample| !known(sample)).count() as u64;
        if written == 0 {
            return Ok(0);
        }
        let bounds =
            merged.first().zip(merged.last()).map(|(first, last)| (first.at.as_ms(), last.at.as_ms()));
        let Some((first_at, last_at)) = bounds else { return Ok(0) };
        let body = chunk::encode(&merged)?;
        let connection = self.write().await?;
        sqlx::query(
            "INSERT INTO metric_chunk (series_key, day, samples, first_at, last_at, body) VALUES (?, ?, ?, ?, ?, ?) \
             ON CONFLICT (series_key, day) DO UPDATE SET samples = excluded.samples, first_at = excluded.first_at, \
             last_at = excluded.last_at, body = excluded.body",
        )
        .bind(series_key)
        .bind(day)
        .bind(i64::try_from(merged.len()).unwrap_or(i64::MAX))
        .bind(first_at)
        .bind(last_at)
        .bind(body)
        .execute(connection)
        .await?;
        Ok(written)
    }

    /// Moves the hot rows of some series into chunks and returns the number of samples; 0 if the hot table is empty.
    pub(super) async fn compact_step(&mut self) -> Result<u64, StoreError> {
        self.send().await?;
        let rows = sqlx::query(
            "SELECT series_key, sample_at, value_bits FROM metric_hot WHERE series_key IN \
             (SELECT DISTINCT series_key FROM metric_hot ORDER BY series_key LIMIT ?) ORDER BY series_key, sample_at",
        )
        .bind(SERIES_A_STEP)
        .fetch_all(self.read().await?)
        .await?;
        let mut by_series: BTreeMap<i64, Vec<MetricSample>> = BTreeMap::new();
        for row in &rows {
            let value = f64::from_bits(row.read::<i64>("value_bits")?.cast_unsigned());
            let sample = MetricSample { at: row.read("sample_at")?, value };
            by_series.entry(row.read("series_key")?).or_default().push(sample);
        }
        let Some(last_key) = by_series.keys().next_back().copied() else { return Ok(0) };
        for (key, samples) in &by_series {
            let mut state =
                Series { key: *key, chunked_to: i64::MIN, newest: i64::MIN, hot: 0, polled: None };
            self.keep_cold(&mut state, samples).await?;
        }
        for known in self.memory.series.values_mut() {
            if let Some(last) = by_series.get(&known.key).and_then(|samples| samples.last()) {
                known.chunked_to = known.chunked_to.max(last.at.as_ms());
                known.hot = 0;
            }
        }
        let connection = self.write().await?;
        sqlx::query("DELETE FROM metric_hot WHERE series_key <= ?")
            .bind(last_key)
            .execute(connection)
            .await?;
        let moved = rows.len() as u64;
        self.memory.hot_rows = self.memory.hot_rows.saturating_sub(moved);
        Ok(moved)
    }
}

//! Samples of the series a request needs: packed days merged with the recent samples, which take precedence.

use std::collections::HashMap;

use liftdeck_model::Timestamp;
use liftdeck_model::fleet_metric::MetricStatistic;
use liftdeck_model::metric::MetricSample;
use liftdeck_model::time::{DAY_MS, TimeRange};
use sqlx::QueryBuilder;

use super::bucket::HELD_MS;
use super::silence::{self, End};
use super::{Metrics, SeriesScope, listed};
use crate::chunk;
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::reader::Reader;
use crate::reader::directory::Directory;

/// Where a series comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Polled,
    CloudWatch,
}

/// A series with its samples of the range, ascending.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) name: String,
    pub(super) source: Source,
    pub(super) fleet_key: Option<i64>,
    pub(super) location_key: Option<i64>,
    pub(super) queue: Option<String>,
    pub(super) samples: Vec<MetricSample>,
    /// Where polled values stop holding early, ascending.
    pub(super) ends: Vec<End>,
}

impl Reader {
    pub(super) async fn kept(
        &self,
        scope: &SeriesScope,
        metrics: &Metrics,
        range: TimeRange,
        directory: &Directory,
    ) -> Result<Vec<Kept>, StoreError> {
        let mut series = self.series_of(scope, metrics, directory).await?;
        if series.is_empty() {
            return Ok(Vec::new());
        }
        // A value from before the range may still hold inside it.
        let from = range.from.plus_ms(-HELD_MS).as_ms();
        let mut samples = self.packed(&series, from, range.to.as_ms()).await?;
        for (key, recent) in self.recent(&series, from, range.to.as_ms()).await? {
            let known = samples.entry(key).or_default();
            *known = merged(std::mem::take(known), recent);
        }
        for (key, kept) in &mut series {
            kept.samples = samples.remove(key).unwrap_or_default();
        }
        let mut kept: Vec<Kept> =
            series.into_iter().map(|(_, kept)| kept).filter(|kept| !kept.samples.is_empty()).collect();
        silence::settle(&mut kept, range.to.as_ms());
        Ok(kept)
    }

    async fn series_of(
        &self,
        scope: &SeriesScope,
        metrics: &Metrics,
        directory: &Directory,
    ) -> Result<Vec<(i64, Kept)>, StoreError> {
        if metrics.any.is_empty() {
            return Ok(Vec::new());
        }
        let mut sql = QueryBuilder::new(
            "SELECT series_key, source, name, fleet_key, location_key, queue FROM metric_series \
             WHERE statistic IN ('Average', 'Sum') AND (name IN (",
        );
        let mut names = sql.separated(", ");
        for metric in &metrics.any {
            names.push_bind(*metric);
        }
        sql.push(") OR source = 'polled' AND name IN (");
        let mut names = sql.separated(", ");
        for metric in &metrics.polled {
            names.push_bind(*metric);
        }
        sql.push("))");
        match scope {
            SeriesScope::All => sql.push(" AND (fleet_key IS NOT NULL OR queue IS NOT NULL)"),
            SeriesScope::Fleet { fleet_id, location } => {
                let Some(key) = directory.fleet_key(fleet_id) else { return Ok(Vec::new()) };
                sql.push(" AND fleet_key = ").push_bind(key);
                if let Some(location) = location {
                    sql.push(" AND location_key = ")
                        .push_bind(directory.location_key(location).unwrap_or(-1));
                }
                &mut sql
            }
            SeriesScope::Configuration { .. } => return Ok(Vec::new()),
            SeriesScope::Queue { name, region } => {
                let key =
                    directory.regions.iter().find(|(_, known)| *known == region).map_or(-1, |(key, _)| *key);
                sql.push(" AND queue = ").push_bind(name.clone()).push(" AND region_key = ").push_bind(key)
            }
        };
        let rows = sql.build().fetch_all(self.pool()).await?;
        rows.iter()
            .map(|row| {
                let polled = row.text("source")? == "polled";
                let kept = Kept {
                    name: row.read("name")?,
                    source: if polled { Source::Polled } else { Source::CloudWatch },
                    fleet_key: row.read("fleet_key")?,
                    location_key: row.read("location_key")?,
                    queue: row.read("queue")?,
                    samples: Vec::new(),
                    ends: Vec::new(),
                };
                Ok((row.read("series_key")?, kept))
            })
            .collect()
    }

    /// CloudWatch's series with these keys, with their statistic and their samples of the range.
    pub(super) async fn told_by_key(
        &self,
        keys: &[i64],
        range: TimeRange,
    ) -> Result<HashMap<i64, (MetricStatistic, Kept)>, StoreError> {
        if keys.is_empty() {
            return Ok(HashMap::new());
        }
        let mut sql = QueryBuilder::new(
            "SELECT series_key, name, statistic FROM metric_series WHERE source = 'cloud_watch' AND series_key IN (",
        );
        let mut list = sql.separated(", ");
        for key in keys {
            list.push_bind(*key);
        }
        sql.push(")");
        let mut series = HashMap::new();
        let mut plain = Vec::new();
        for row in sql.build().fetch_all(self.pool()).await? {
            let key: i64 = row.read("series_key")?;
            let statistic = match row.text("statistic")? {
                "Sum" => MetricStatistic::Sum,
                _ => MetricStatistic::Average,
            };
            let told = listed::told(row.read("name")?, Vec::new());
            plain.push((key, told.clone()));
            series.insert(key, (statistic, told));
        }
        if plain.is_empty() {
            return Ok(series);
        }
        // A value from before the range may still hold inside it.
        let from = range.from.plus_ms(-HELD_MS).as_ms();
        let mut samples = self.packed(&plain, from, range.to.as_ms()).await?;
        for (key, recent) in self.recent(&plain, from, range.to.as_ms()).await? {
            let known = samples.entry(key).or_default();
            *known = merged(std::mem::take(known), recent);
        }
        for (key, (_, told)) in &mut series {
            told.samples = samples.remove(key).unwrap_or_default();
        }
        Ok(series)
    }

    async fn packed(
        &self,
        series: &[(i64, Kept)],
        from: i64,
        to: i64,
    ) -> Result<HashMap<i64, Vec<MetricSample>>, StoreError> {
        let mut sql = QueryBuilder::new("SELECT series_key, body FROM metric_chunk WHERE series_key IN (");
        let mut keys = sql.separated(", ");
        for (key, _) in series {
            keys.push_bind(*key);
        }
        sql.push(") AND day >= ").push_bind(from.div_euclid(DAY_MS)).push(" AND day <= ");
        sql.push_bind(to.div_euclid(DAY_MS)).push(" ORDER BY series_key, day");
        let mut samples: HashMap<i64, Vec<MetricSample>> = HashMap::new();
        for row in sql.build().fetch_all(self.pool()).await? {
            let decoded = chunk::decode(row.bytes("body")?)?;
            // Samples ascend, and most days lie wholly inside the range.
            let begin = decoded.partition_point(|sample| sample.at.as_ms() < from);
            let end = decoded.partition_point(|sample| sample.at.as_ms() < to);
            let inside = decoded.get(begin..end).unwrap_or_default();
            samples.entry(row.read("series_key")?).or_default().extend_from_slice(inside);
        }
        Ok(samples)
    }

    async fn recent(
        &self,
        series: &[(i64, Kept)],
        from: i64,
        to: i64,
    ) -> Result<HashMap<i64, Vec<MetricSample>>, StoreError> {
        let mut sql =
            QueryBuilder::new("SELECT series_key, sample_at, value_bits FROM metric_hot WHERE sample_at >= ");
        sql.push_bind(from).push(" AND sample_at < ").push_bind(to).push(" AND series_key IN (");
        let mut keys = sql.separated(", ");
        for (key, _) in series {
            keys.push_bind(*key);
        }
        sql.push(") ORDER BY sample_at");
        let mut samples: HashMap<i64, Vec<MetricSample>> = HashMap::new();
        for row in sql.build().fetch_all(self.pool()).await? {
            let bits: i64 = row.read("value_bits")?;
            let sample =
                MetricSample { at: row.read("sample_at")?, value: f64::from_bits(bits.cast_unsigned()) };
            samples.entry(row.read("series_key")?).or_default().push(sample);
        }
        Ok(samples)
    }
}

/// Merges two lists in order of time; at the same time the recent sample takes precedence.
fn merged(packed: Vec<MetricSample>, recent: Vec<MetricSample>) -> Vec<MetricSample> {
    if packed.last().is_none_or(|last| recent.first().is_none_or(|first| last.at < first.at)) {
        return [packed, recent].concat();
    }
    let mut all: std::collections::BTreeMap<Timestamp, f64> =
        packed.into_iter().map(|sample| (sample.at, sample.value)).collect();
    all.extend(recent.into_iter().map(|sample| (sample.at, sample.value)));
    all.into_iter().map(|(at, value)| MetricSample { at, value }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(pairs: &[(i64, f64)]) -> Vec<MetricSample> {
        pairs.iter().map(|(at, value)| MetricSample { at: Timestamp::from_ms(*at), value: *value }).collect()
    }

    #[test]
    fn a_recent_sample_replaces_the_packed_one_of_the_same_moment() {
        let all = merged(samples(&[(1, 1.0), (2, 2.0), (3, 3.0)]), samples(&[(2, 9.0), (4, 4.0)]));
        assert_eq!(all, samples(&[(1, 1.0), (2, 9.0), (3, 3.0), (4, 4.0)]));
        assert_eq!(merged(samples(&[(1, 1.0)]), samples(&[(2, 2.0)])).len(), 2);
    }
}

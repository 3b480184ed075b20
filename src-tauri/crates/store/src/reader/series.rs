//! Metric series as charts draw them: a table of columns over equal buckets of time.
//!
//! What we polled counts where a bucket has any of it, else what CloudWatch says, else the value is NaN: a gap. The two
//! are never mixed inside one bucket of one location. Deliberately knows nothing of how samples are packed (`samples`).

mod bucket;
mod policy;
mod samples;

use std::collections::{BTreeMap, BTreeSet};

use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Location, Region, Timestamp};

use self::bucket::{Aggregate, Buckets};
pub use self::policy::PolicyTarget;
use self::samples::{Kept, Source};
use super::Reader;
use crate::error::StoreError;

/// A figure charts can draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SeriesName {
    /// Wanted instances.
    DesiredInstances,
    /// Instances that can host.
    ActiveInstances,
    /// Instances starting.
    PendingInstances,
    /// Active instances without a game session.
    IdleInstances,
    /// Instances leaving.
    TerminatingInstances,
    /// Lower limit of scaling.
    MinInstances,
    /// Upper limit of scaling.
    MaxInstances,
    /// Percent (0 to 100) of server processes free for a game session.
    PercentAvailableGameSessions,
    /// Target of the fleet's target-based policy, in percent (0 to 100).
    PolicyTarget,
    /// Game sessions running.
    ActiveGameSessions,
    /// Server processes free for a game session.
    AvailableGameSessions,
    /// Server processes running.
    ActiveServerProcesses,
    /// Player sessions ACTIVE or RESERVED.
    CurrentPlayerSessions,
    /// Placements fulfilled, a minute.
    PlacementsFulfilled,
    /// Placements failed or timed out, a minute.
    PlacementsFailed,
    /// Placements waiting.
    QueueDepth,
}

/// What the figures are about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeriesScope {
    /// All fleets and queues together.
    All,
    /// A fleet, or one of its locations.
    Fleet {
        /// The fleet.
        fleet_id: FleetId,
        /// Only this location; the sum over all when `None`.
        location: Option<Location>,
    },
    /// A queue.
    Queue {
        /// Name.
        name: String,
        /// Region.
        region: Region,
    },
}

/// Which figures are wanted.
#[derive(Clone, Debug)]
pub struct SeriesRequest {
    /// What they are about.
    pub scope: SeriesScope,
    /// The columns, in this order.
    pub names: Vec<SeriesName>,
    /// From when to when.
    pub range: TimeRange,
    /// Most rows to return.
    pub max_points: u32,
}

/// Columns over equal buckets of time; NaN is a gap.
#[derive(Clone, Debug, PartialEq)]
pub struct SeriesTable {
    /// Start of each bucket, ascending.
    pub times: Vec<Timestamp>,
    /// Width of a bucket in milliseconds.
    pub bucket_ms: i64,
    /// One column for each name asked for, each as long as `times`.
    pub columns: Vec<Vec<f64>>,
}

impl SeriesTable {
    /// Little-endian f64s: rows, columns, then the times in epoch seconds, then each column.
    pub fn to_le_bytes(&self) -> Vec<u8> {
        let rows = self.times.len();
        let head = [rows as f64, self.columns.len() as f64];
        let times = self.times.iter().map(|time| time.as_secs_f64());
        let values = head.into_iter().chain(times).chain(self.columns.iter().flatten().copied());
        let mut bytes = Vec::with_capacity((2 + rows * (1 + self.columns.len())) * 8);
        for value in values {
            bytes.extend_from_slice(&value.to_le_bytes());
        }
        bytes
    }

    /// The newest value of a column that is not a gap.
    pub fn newest(&self, column: usize) -> Option<f64> {
        self.columns.get(column)?.iter().rev().copied().find(|value| !value.is_nan())
    }
}

/// How one figure is made of metrics.
struct Recipe {
    /// Metrics needed, by CloudWatch's names, with CloudWatch's statistic.
    metrics: &'static [(&'static str, &'static str)],
    /// Metrics needed only where we polled them.
    polled: &'static [&'static str],
    aggregate: Aggregate,
}

const fn recipe(name: SeriesName) -> Recipe {
    use SeriesName as N;
    let metrics: &'static [(&'static str, &'static str)] = match name {
        N::DesiredInstances => &[("DesiredInstances", "Average")],
        N::ActiveInstances => &[("ActiveInstances", "Average")],
        N::PendingInstances => &[("PendingInstances", "Average")],
        N::IdleInstances => &[("IdleInstances", "Average")],
        N::TerminatingInstances => &[("TerminatingInstances", "Average")],
        N::MinInstances => &[("MinInstances", "Average")],
        N::MaxInstances => &[("MaxInstances", "Average")],
        N::PercentAvailableGameSessions => &[("PercentAvailableGameSessions", "Average")],
        N::ActiveGameSessions => &[("ActiveGameSessions", "Average")],
        N::AvailableGameSessions => &[("AvailableGameSessions", "Average")],
        N::ActiveServerProcesses => &[("ActiveServerProcesses", "Average")],
        N::CurrentPlayerSessions => &[("CurrentPlayerSessions", "Average")],
        N::PlacementsFulfilled => &[("PlacementsSucceeded", "Sum")],
        N::PlacementsFailed => &[("PlacementsFailed", "Sum"), ("PlacementsTimedOut", "Sum")],
        N::QueueDepth => &[("QueueDepth", "Average")],
        N::PolicyTarget => &[],
    };
    let aggregate = match name {
        N::DesiredInstances | N::MinInstances | N::MaxInstances | N::PolicyTarget => Aggregate::Last,
        N::PlacementsFulfilled | N::PlacementsFailed => Aggregate::PerMinute,
        _ => Aggregate::Mean,
    };
    let polled: &'static [&'static str] = match name {
        N::PercentAvailableGameSessions | N::AvailableGameSessions => {
            &["ActiveServerProcesses", "ActiveGameSessions"]
        }
        _ => &[],
    };
    Recipe { metrics, polled, aggregate }
}

/// Metrics to read, by CloudWatch's names.
#[derive(Default)]
struct Metrics {
    /// Wherever they come from.
    any: BTreeSet<&'static str>,
    /// Only where we polled them.
    polled: BTreeSet<&'static str>,
}

impl Metrics {
    fn of(names: &[SeriesName]) -> Self {
        let mut metrics = Self::default();
        for recipe in names.iter().map(|name| recipe(*name)) {
            metrics.any.extend(recipe.metrics.iter().map(|(metric, _)| *metric));
            metrics.polled.extend(recipe.polled);
        }
        metrics
    }
}

impl Reader {
    /// The figures asked for, in at most `max_points` buckets.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn series(&self, request: &SeriesRequest) -> Result<SeriesTable, StoreError> {
        let buckets = Buckets::over(request.range, request.max_points);
        let directory = self.directory().await?;
        let kept = self.kept(&request.scope, &Metrics::of(&request.names), request.range, &directory).await?;
        let mut columns = Vec::with_capacity(request.names.len());
        for name in &request.names {
            columns.push(match name {
                SeriesName::PolicyTarget => self.policy_target(&request.scope, buckets, &directory).await?,
                SeriesName::PlacementsFulfilled | SeriesName::PlacementsFailed => {
                    let counted =
                        self.counted_placements(*name, &request.scope, request.range, buckets).await?;
                    or_else(counted, &metric_column(*name, &kept, buckets))
                }
                _ => metric_column(*name, &kept, buckets),
            });
        }
        Ok(SeriesTable { times: buckets.times(), bucket_ms: buckets.width_ms, columns })
    }

    /// One figure for each fleet that has it: a spark line a row of the fleet list, in one pass.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn series_by_fleet(
        &self,
        name: SeriesName,
        range: TimeRange,
        max_points: u32,
    ) -> Result<BTreeMap<FleetId, Vec<f64>>, StoreError> {
        let buckets = Buckets::over(range, max_points);
        let directory = self.directory().await?;
        let metrics = Metrics::of(&[name]);
        let mut by_fleet: BTreeMap<i64, Vec<Kept>> = BTreeMap::new();
        for series in self.kept(&SeriesScope::All, &metrics, range, &directory).await? {
            if let Some(key) = series.fleet_key {
                by_fleet.entry(key).or_default().push(series);
            }
        }
        let column =
            |(key, kept): (i64, Vec<Kept>)| (directory.fleet_id(key), metric_column(name, &kept, buckets));
        Ok(by_fleet.into_iter().map(column).collect())
    }

    /// Placement events counted a minute; gaps where no queue of the scope ever sent one.
    async fn counted_placements(
        &self,
        name: SeriesName,
        scope: &SeriesScope,
        range: TimeRange,
        buckets: Buckets,
    ) -> Result<Vec<f64>, StoreError> {
        let queue = match scope {
            SeriesScope::All => None,
            SeriesScope::Queue { name, .. } => Some(name.as_str()),
            SeriesScope::Fleet { .. } => return Ok(buckets.gap()),
        };
        let first: Option<i64> = match queue {
            Some(queue) => {
                sqlx::query_scalar("SELECT min(event_at) FROM placement_event WHERE queue = ?")
                    .bind(queue)
                    .fetch_one(self.pool())
                    .await?
            }
            None => {
                sqlx::query_scalar("SELECT min(event_at) FROM placement_event").fetch_one(self.pool()).await?
            }
        };
        let Some(first) = first else { return Ok(buckets.gap()) };
        let range = TimeRange::new(buckets.start, range.to);
        let minutes = buckets.width_ms as f64 / 60_000.0;
        let funnels = self.placement_rate(queue, range, buckets.width_ms).await?;
        let mut column = buckets.gap();
        for ((slot, funnel), time) in column.iter_mut().zip(funnels).zip(buckets.times()) {
            if time.plus_ms(buckets.width_ms).as_ms() > first {
                let count = match name {
                    SeriesName::PlacementsFulfilled => funnel.fulfilled,
                    _ => funnel.failed + funnel.timed_out,
                };
                *slot = count as f64 / minutes;
            }
        }
        Ok(column)
    }
}

fn metric_column(name: SeriesName, kept: &[Kept], buckets: Buckets) -> Vec<f64> {
    let recipe = recipe(name);
    let column =
        |metric: &str, source: Option<Source>| total(metric, source, recipe.aggregate, kept, buckets);
    match name {
        SeriesName::PercentAvailableGameSessions => {
            let processes = column("ActiveServerProcesses", Some(Source::Polled));
            let sessions = column("ActiveGameSessions", Some(Source::Polled));
            let percent =
                |all: f64, used: f64| if all > 0.0 { free(all, used) / all * 100.0 } else { f64::NAN };
            let polled = pairwise(&processes, &sessions, percent);
            or_else(polled, &mean_of("PercentAvailableGameSessions", kept, buckets))
        }
        SeriesName::AvailableGameSessions => {
            let processes = column("ActiveServerProcesses", Some(Source::Polled));
            let sessions = column("ActiveGameSessions", Some(Source::Polled));
            let polled = pairwise(&processes, &sessions, free);
            or_else(polled, &column("AvailableGameSessions", None))
        }
        SeriesName::PlacementsFailed => {
            let failed = column("PlacementsFailed", None);
            let timed_out = column("PlacementsTimedOut", None);
            let mut sum = buckets.gap();
            add(&mut sum, &failed);
            add(&mut sum, &timed_out);
            sum
        }
        _ => {
            let metric = recipe.metrics.first().map_or("", |(metric, _)| *metric);
            column(metric, None)
        }
    }
}

/// Processes free for a game session. Not `f64::max`, which would turn a gap into "nothing free".
fn free(all: f64, used: f64) -> f64 {
    if all < used { 0.0 } else { all - used }
}

/// The sum of a metric over fleets and locations; of each location what was polled, else what CloudWatch says.
fn total(
    metric: &str,
    only: Option<Source>,
    aggregate: Aggregate,
    kept: &[Kept],
    buckets: Buckets,
) -> Vec<f64> {
    let mut owners: BTreeMap<(Option<i64>, Option<&str>), Vec<&Kept>> = BTreeMap::new();
    for series in kept {
        if series.name == metric && only.is_none_or(|only| only == series.source) {
            owners.entry((series.fleet_key, series.queue.as_deref())).or_default().push(series);
        }
    }
    let mut sum = buckets.gap();
    for series in owners.values() {
        let mut by_location: BTreeMap<i64, Vec<f64>> = BTreeMap::new();
        let mut whole = buckets.gap();
        // Polled first: what comes later only fills what is still a gap.
        for source in [Source::Polled, Source::CloudWatch] {
            for one in series.iter().filter(|one| one.source == source) {
                let column = buckets.fill(one, aggregate);
                match one.location_key {
                    Some(key) => {
                        let known = by_location.remove(&key).unwrap_or_else(|| buckets.gap());
                        by_location.insert(key, or_else(known, &column));
                    }
                    None => whole = or_else(whole, &column),
                }
            }
        }
        let mut owner = buckets.gap();
        by_location.values().for_each(|column| add(&mut owner, column));
        add(&mut sum, &or_else(owner, &whole));
    }
    sum
}

/// The mean of a CloudWatch percentage: of the fleet's own series, else over its locations.
fn mean_of(metric: &str, kept: &[Kept], buckets: Buckets) -> Vec<f64> {
    let columns = |whole: bool| -> Vec<Vec<f64>> {
        kept.iter()
            .filter(|one| one.name == metric && one.location_key.is_none() == whole)
            .map(|one| buckets.fill(one, Aggregate::Mean))
            .collect()
    };
    let mean = |columns: Vec<Vec<f64>>| -> Vec<f64> {
        let mut sum = buckets.gap();
        let mut count = vec![0.0; sum.len()];
        for column in &columns {
            add(&mut sum, column);
            count
                .iter_mut()
                .zip(column)
                .for_each(|(count, value)| *count += f64::from(u8::from(!value.is_nan())));
        }
        pairwise(&sum, &count, |sum, count| sum / count)
    };
    or_else(mean(columns(true)), &mean(columns(false)))
}

/// Adds what is not a gap.
fn add(sum: &mut [f64], column: &[f64]) {
    for (sum, value) in sum.iter_mut().zip(column) {
        if !value.is_nan() {
            *sum = if sum.is_nan() { *value } else { *sum + value };
        }
    }
}

fn or_else(mut column: Vec<f64>, other: &[f64]) -> Vec<f64> {
    for (value, other) in column.iter_mut().zip(other) {
        if value.is_nan() {
            *value = *other;
        }
    }
    column
}

fn pairwise(one: &[f64], two: &[f64], combine: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    one.iter().zip(two).map(|(one, two)| combine(*one, *two)).collect()
}

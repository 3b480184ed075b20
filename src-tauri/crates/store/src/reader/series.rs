//! Metric series as charts draw them: a table of columns over equal buckets of time.
//!
//! What we polled counts where a bucket has any of it, else what CloudWatch says, else the value is NaN: a gap. The two
//! are never mixed inside one bucket of one location. Deliberately knows nothing of how samples are packed (`samples`).

mod bucket;
mod column;
mod policy;
mod samples;
mod silence;

use std::collections::{BTreeMap, BTreeSet};

use liftdeck_model::observation::PollKind;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Location, Region, Timestamp};

use self::bucket::{Aggregate, Buckets};
use self::column::{metric_column, or_else};
pub use self::policy::PolicyTarget;
use self::samples::Kept;
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
    fn of(names: &[SeriesName], scope: &SeriesScope) -> Self {
        let mut metrics = Self::default();
        // Percentages of many fleets do not add up; what they are made of does.
        if *scope == SeriesScope::All && names.contains(&SeriesName::PercentAvailableGameSessions) {
            metrics.any.extend(["ActiveServerProcesses", "AvailableGameSessions"]);
        }
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
        let kept = self
            .kept(&request.scope, &Metrics::of(&request.names, &request.scope), request.range, &directory)
            .await?;
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
        let scope = SeriesScope::All;
        let metrics = Metrics::of(&[name], &scope);
        let mut by_fleet: BTreeMap<i64, Vec<Kept>> = BTreeMap::new();
        for series in self.kept(&scope, &metrics, range, &directory).await? {
            if let Some(key) = series.fleet_key {
                by_fleet.entry(key).or_default().push(series);
            }
        }
        let column =
            |(key, kept): (i64, Vec<Kept>)| (directory.fleet_id(key), metric_column(name, &kept, buckets));
        Ok(by_fleet.into_iter().map(column).collect())
    }

    /// Placement events counted a minute; gaps where no queue of the scope ever sent one, or nobody received them.
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
        let received = match scope {
            SeriesScope::Queue { region, .. } => self.events_received_until(Some(region)),
            _ => self.events_received_until(None),
        };
        let known_until = received.map_or(range.to, |received| received.min(range.to));
        let funnels = self.placement_rate(queue, range, buckets.width_ms).await?;
        let mut column = buckets.gap();
        for ((slot, funnel), time) in column.iter_mut().zip(funnels).zip(buckets.times()) {
            // A bucket under way counts for the part that has passed; too short a part would jump about.
            let passed_ms = known_until.since_ms(time).min(buckets.width_ms);
            if time.plus_ms(buckets.width_ms).as_ms() > first && passed_ms * 4 >= buckets.width_ms {
                let count = match name {
                    SeriesName::PlacementsFulfilled => funnel.fulfilled,
                    _ => funnel.failed + funnel.timed_out,
                };
                *slot = count as f64 / (passed_ms as f64 / 60_000.0);
            }
        }
        Ok(column)
    }

    /// Until when events were received, in one Region or any; `None` when no feed ever was.
    fn events_received_until(&self, region: Option<&Region>) -> Option<Timestamp> {
        let lines = self.polls(PollKind::EventFeed).into_iter();
        let of_region = lines.filter(|line| region.is_none_or(|region| line.region == *region));
        of_region.filter_map(|line| line.confirmed_at).max()
    }
}

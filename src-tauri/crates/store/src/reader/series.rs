//! Metric series as charts draw them: a table of columns over equal buckets of time.
//!
//! A bucket shows what we polled if it has any polled value, else what CloudWatch reports, else NaN: a gap. The two
//! sources are never mixed inside one bucket of one location. Deliberately knows nothing of how `samples` packs them.

mod bucket;
mod column;
mod listed;
mod moment;
mod outcomes;
mod policy;
mod samples;
mod silence;
mod sweep;
mod table;

use std::collections::{BTreeMap, BTreeSet};

pub use liftdeck_model::series_name::SeriesName;
use liftdeck_model::time::{DAY_MS, TimeRange};
use liftdeck_model::{FleetId, Location, Region};
use serde::{Deserialize, Serialize};
use specta::Type;

use self::bucket::{Aggregate, Buckets};
use self::column::{metric_column, or_else};
pub use self::listed::{ListedMetric, MetricsOf, MetricsRequest};
pub use self::moment::{FleetThen, ValuesThen};
pub use self::policy::PolicyTarget;
use self::samples::Kept;
use self::sweep::metric_band;
pub use self::table::{Band, BandedTable, SeriesTable};
use super::Reader;
use crate::column::Columns as _;
use crate::error::StoreError;

/// What the figures are about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
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
    /// A matchmaking configuration.
    Configuration {
        /// Name.
        name: String,
        /// Region.
        region: Region,
    },
}

/// Selects figures for a chart.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SeriesRequest {
    /// What they are about.
    pub scope: SeriesScope,
    /// The columns, in this order.
    pub names: Vec<SeriesName>,
    /// The time range.
    pub range: TimeRange,
    /// Maximum number of rows to return.
    pub max_points: u32,
}

/// The interval at which figures arrive: CloudWatch's shortest period, and about one polling interval. In buckets no
/// wider than this there is no lowest and highest value to show.
const NATIVE_MS: i64 = 60_000;

/// How one figure is computed from metrics.
struct Recipe {
    /// Metrics needed, by CloudWatch's names, with CloudWatch's statistic.
    metrics: &'static [(&'static str, &'static str)],
    /// Metrics needed only from our own polls.
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
        N::HealthyServerProcesses => &[("HealthyServerProcesses", "Average")],
        N::ActivatingGameSessions => &[("ActivatingGameSessions", "Average")],
        N::PercentHealthyServerProcesses => &[("PercentHealthyServerProcesses", "Average")],
        N::ServerProcessActivations => &[("ServerProcessActivations", "Sum")],
        N::ServerProcessTerminations => &[("ServerProcessTerminations", "Sum")],
        N::ServerProcessAbnormalTerminations => &[("ServerProcessAbnormalTerminations", "Sum")],
        N::GameSessionInterruptions => &[("GameSessionInterruptions", "Sum")],
        N::InstanceSpotInterruptions => &[("InstanceSpotInterruptions", "Sum")],
        N::CurrentPlayerSessions => &[("CurrentPlayerSessions", "Average")],
        N::PlacementsFulfilled => &[("PlacementsSucceeded", "Sum")],
        N::PlacementsFailed => &[("PlacementsFailed", "Sum"), ("PlacementsTimedOut", "Sum")],
        N::QueueDepth => &[("QueueDepth", "Average")],
        N::PolicyTarget
        | N::PlacementsCancelled
        | N::PlacementFailedPercent
        | N::TimeToPlaceP50
        | N::TimeToPlaceP95
        | N::TicketsCompleted
        | N::TicketsFailed
        | N::TicketsTimedOut
        | N::TicketsCancelled
        | N::MatchmakingWaitP50
        | N::MatchmakingWaitP95 => &[],
    };
    let aggregate = match name {
        N::DesiredInstances | N::MinInstances | N::MaxInstances | N::PolicyTarget => Aggregate::Last,
        N::PlacementsFulfilled | N::PlacementsFailed => Aggregate::PerMinute,
        N::ServerProcessActivations
        | N::ServerProcessTerminations
        | N::ServerProcessAbnormalTerminations
        | N::GameSessionInterruptions
        | N::InstanceSpotInterruptions => Aggregate::Total,
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
    /// From any source.
    any: BTreeSet<&'static str>,
    /// Only from our own polls.
    polled: BTreeSet<&'static str>,
}

impl Metrics {
    fn of(names: &[SeriesName], scope: &SeriesScope) -> Self {
        let mut metrics = Self::default();
        // Percentages of several fleets do not add up, but the counts behind them do.
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
    /// The requested figures, in at most `max_points` buckets.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn series(&self, request: &SeriesRequest) -> Result<SeriesTable, StoreError> {
        Ok(self.columns(request, |_| false).await?.table)
    }

    /// The requested figures, in at most `max_points` buckets, with the lowest and highest value inside each bucket.
    /// Charts draw both, because a mean over an hour hides the minute in which nothing was free.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn series_with_bands(&self, request: &SeriesRequest) -> Result<BandedTable, StoreError> {
        self.columns(request, |buckets| buckets.width_ms > NATIVE_MS).await
    }

    /// The requested figures in buckets of `width_ms`, however many that are; `max_points` is ignored. For judging
    /// what happened, which must not depend on how much of it is looked at.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn series_every(
        &self,
        request: &SeriesRequest,
        width_ms: i64,
    ) -> Result<SeriesTable, StoreError> {
        Ok(self.columns_in(request, Buckets::every(request.range, width_ms), false).await?.table)
    }

    /// Figures of each fleet that has any of them, in buckets of `width_ms`, read in one pass.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn series_every_by_fleet(
        &self,
        names: &[SeriesName],
        range: TimeRange,
        width_ms: i64,
    ) -> Result<BTreeMap<FleetId, SeriesTable>, StoreError> {
        let buckets = Buckets::every(range, width_ms);
        let table = |columns| SeriesTable { times: buckets.times(), bucket_ms: buckets.width_ms, columns };
        let by_fleet = self.by_fleet(names, range, buckets).await?;
        Ok(by_fleet.into_iter().map(|(fleet, columns)| (fleet, table(columns))).collect())
    }

    /// How many locations of fleets have samples on each day (UTC, days since 1970) of `range`, of one fleet or of all.
    /// A sum over days on which fewer had any is not the same sum.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn sampled_locations(
        &self,
        fleet: Option<&FleetId>,
        range: TimeRange,
    ) -> Result<BTreeMap<i64, u64>, StoreError> {
        let key = match fleet {
            Some(fleet) => self.directory().await?.fleet_key(fleet).unwrap_or(-1),
            None => -1,
        };
        let rows = sqlx::query(
            "SELECT day, count(*) AS locations FROM (SELECT DISTINCT d.day, s.fleet_key, s.location_key FROM \
             (SELECT day, series_key FROM metric_chunk WHERE day >= ?1 AND day < ?2 \
             UNION SELECT sample_at / 86400000, series_key FROM metric_hot \
             WHERE sample_at >= ?1 * 86400000 AND sample_at < ?2 * 86400000) d \
             JOIN metric_series s USING (series_key) WHERE s.fleet_key IS NOT NULL AND (?3 = -1 OR s.fleet_key = ?3)) \
             GROUP BY day",
        )
        .bind(range.from.as_ms().div_euclid(DAY_MS))
        // The last day counts also when the range ends within it.
        .bind((range.to.as_ms() - 1).div_euclid(DAY_MS) + 1)
        .bind(if fleet.is_some() { key.max(0) } else { -1 })
        .fetch_all(self.pool())
        .await?;
        rows.iter().map(|row| Ok((row.read("day")?, row.read("locations")?))).collect()
    }

    async fn columns(
        &self,
        request: &SeriesRequest,
        banded: impl Fn(Buckets) -> bool,
    ) -> Result<BandedTable, StoreError> {
        let buckets = Buckets::over(request.range, request.max_points);
        self.columns_in(request, buckets, banded(buckets)).await
    }

    async fn columns_in(
        &self,
        request: &SeriesRequest,
        buckets: Buckets,
        banded: bool,
    ) -> Result<BandedTable, StoreError> {
        let directory = self.directory().await?;
        let kept = self
            .kept(&request.scope, &Metrics::of(&request.names, &request.scope), request.range, &directory)
            .await?;
        let outcomes = self.outcomes(&request.names, &request.scope, request.range, buckets).await?;
        let mut columns = Vec::with_capacity(request.names.len());
        let mut bands = Vec::with_capacity(request.names.len());
        for name in &request.names {
            let (column, band) = match name {
                SeriesName::PolicyTarget => {
                    (self.policy_target(&request.scope, buckets, &directory).await?, None)
                }
                _ if let Some(counted) = outcomes.column(*name, buckets) => {
                    (or_else(counted, &metric_column(*name, &kept, buckets)), None)
                }
                _ if banded && recipe(*name).aggregate != Aggregate::Total => {
                    let (column, band) = metric_band(*name, &kept, buckets);
                    (column, Some(band))
                }
                _ => (metric_column(*name, &kept, buckets), None),
            };
            columns.push(column);
            bands.push(band);
        }
        let table = SeriesTable { times: buckets.times(), bucket_ms: buckets.width_ms, columns };
        Ok(BandedTable { table, bands })
    }

    /// One figure for each fleet that has it, read in one pass: the spark lines of the fleet list.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn series_by_fleet(
        &self,
        name: SeriesName,
        range: TimeRange,
        max_points: u32,
    ) -> Result<BTreeMap<FleetId, Vec<f64>>, StoreError> {
        let by_fleet = self.by_fleet(&[name], range, Buckets::over(range, max_points)).await?;
        let first = |(fleet, columns): (FleetId, Vec<Vec<f64>>)| Some((fleet, columns.into_iter().next()?));
        Ok(by_fleet.into_iter().filter_map(first).collect())
    }

    async fn by_fleet(
        &self,
        names: &[SeriesName],
        range: TimeRange,
        buckets: Buckets,
    ) -> Result<BTreeMap<FleetId, Vec<Vec<f64>>>, StoreError> {
        let directory = self.directory().await?;
        let scope = SeriesScope::All;
        let metrics = Metrics::of(names, &scope);
        let mut by_fleet: BTreeMap<i64, Vec<Kept>> = BTreeMap::new();
        for series in self.kept(&scope, &metrics, range, &directory).await? {
            if let Some(key) = series.fleet_key {
                by_fleet.entry(key).or_default().push(series);
            }
        }
        let columns = |(key, kept): (i64, Vec<Kept>)| {
            let of_fleet = names.iter().map(|name| metric_column(*name, &kept, buckets));
            (directory.fleet_id(key), of_fleet.collect())
        };
        Ok(by_fleet.into_iter().map(columns).collect())
    }
}

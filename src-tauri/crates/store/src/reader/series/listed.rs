//! The metrics that CloudWatch has of a fleet or a metric group, each as it is: nothing polled, nothing added up.

use liftdeck_model::fleet_metric::MetricStatistic;
use liftdeck_model::metric::MetricSample;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Location, Region};
use serde::{Deserialize, Serialize};
use specta::Type;
use sqlx::AssertSqlSafe;

use super::bucket::{Aggregate, Buckets};
use super::samples::{Kept, Source};
use super::table::{Band, BandedTable, SeriesTable};
use super::{NATIVE_MS, Reader};
use crate::column::Columns as _;
use crate::error::StoreError;

/// Whose metrics to list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum MetricsOf {
    /// A fleet as a whole, or one of its locations.
    Fleet {
        /// The fleet.
        fleet_id: FleetId,
        /// Only this location; the fleet as a whole when `None`.
        location: Option<Location>,
    },
    /// A metric group.
    Group {
        /// Name.
        name: String,
        /// Region; a group of another Region with the same name is another group.
        region: Region,
    },
}

/// A metric that CloudWatch has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedMetric {
    /// Number by which its values are read. It holds for this database only.
    pub key: i64,
    /// Name, as CloudWatch spells it.
    pub name: String,
    /// Statistic that is read of it.
    pub statistic: MetricStatistic,
    /// Values of further dimensions, such as a container group type.
    pub more: Vec<String>,
}

/// Selects values of listed metrics for charts.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MetricsRequest {
    /// Keys of the metrics; one column for each, in this order. At most 500.
    pub keys: Vec<i64>,
    /// The time range.
    pub range: TimeRange,
    /// Maximum number of rows to return.
    pub max_points: u32,
}

/// Most metrics in a request.
const MOST: usize = 500;

impl Reader {
    /// The metrics that CloudWatch has of a fleet or a metric group, by name.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn listed_metrics(&self, of: &MetricsOf) -> Result<Vec<ListedMetric>, StoreError> {
        const SELECT: &str = "SELECT series_key, name, statistic, dimensions FROM metric_series \
                              WHERE source = 'cloud_watch' AND statistic IN ('Average', 'Sum')";
        let directory = self.directory().await?;
        let rows = match of {
            MetricsOf::Fleet { fleet_id, location } => {
                let Some(fleet) = directory.fleet_key(fleet_id) else { return Ok(Vec::new()) };
                let here = location.as_ref().map(|here| directory.location_key(here).unwrap_or(-1));
                let sql =
                    format!("{SELECT} AND fleet_key = ? AND location_key IS ? ORDER BY name, dimensions");
                sqlx::query(AssertSqlSafe(sql)).bind(fleet).bind(here).fetch_all(self.pool()).await?
            }
            MetricsOf::Group { name, region } => {
                let dimensions = serde_json::to_string(&[("MetricGroups", name)]).map_err(|error| {
                    StoreError::Unreadable { what: format!("dimensions of metric group {name}: {error}") }
                })?;
                let sql = format!("{SELECT} AND dimensions = ? AND region_key = ? ORDER BY name");
                let region = directory.region_key(region).unwrap_or(-1);
                sqlx::query(AssertSqlSafe(sql)).bind(dimensions).bind(region).fetch_all(self.pool()).await?
            }
        };
        rows.iter()
            .map(|row| {
                let dimensions: Vec<(String, String)> =
                    serde_json::from_str(row.text("dimensions")?).unwrap_or_default();
                let known = ["FleetId", "Location", "MetricGroups"];
                let more = dimensions.into_iter().filter(|(name, _)| !known.contains(&name.as_str()));
                let statistic = match row.text("statistic")? {
                    "Sum" => MetricStatistic::Sum,
                    _ => MetricStatistic::Average,
                };
                let more = more.map(|(_, value)| value).collect();
                Ok(ListedMetric { key: row.read("series_key")?, name: row.read("name")?, statistic, more })
            })
            .collect()
    }

    /// Values of listed metrics, in at most `max_points` buckets, with the lowest and highest value inside each bucket of
    /// what is averaged.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn listed_values(&self, request: &MetricsRequest) -> Result<BandedTable, StoreError> {
        let buckets = Buckets::over(request.range, request.max_points);
        let keys = request.keys.get(..MOST).unwrap_or(&request.keys);
        let mut kept = self.told_by_key(keys, request.range).await?;
        let (mut columns, mut bands) = (Vec::new(), Vec::new());
        for key in keys {
            let Some((statistic, series)) = kept.remove(key) else {
                columns.push(buckets.gap());
                bands.push(None);
                continue;
            };
            let total = statistic == MetricStatistic::Sum;
            let column = buckets.fill(&series, if total { Aggregate::Total } else { Aggregate::Mean });
            let banded = !total && buckets.width_ms > NATIVE_MS;
            bands.push(banded.then(|| band(&column, &series.samples, buckets)));
            columns.push(column);
        }
        let table = SeriesTable { times: buckets.times(), bucket_ms: buckets.width_ms, columns };
        Ok(BandedTable { table, bands })
    }
}

/// The lowest and highest of a bucket's samples and of its own value, which may have begun before it.
fn band(column: &[f64], samples: &[MetricSample], buckets: Buckets) -> Band {
    let mut band = Band { low: column.to_vec(), high: column.to_vec() };
    for sample in samples {
        let index = sample.at.since_ms(buckets.start).div_euclid(buckets.width_ms);
        let slot = usize::try_from(index).ok().and_then(|index| {
            let low = band.low.get_mut(index)?;
            Some((low, band.high.get_mut(index)?))
        });
        if let Some((low, high)) = slot
            && !low.is_nan()
        {
            (*low, *high) = (low.min(sample.value), high.max(sample.value));
        }
    }
    band
}

/// A series as CloudWatch tells it.
pub(super) fn told(name: String, samples: Vec<MetricSample>) -> Kept {
    Kept {
        name,
        source: Source::CloudWatch,
        fleet_key: None,
        location_key: None,
        queue: None,
        samples,
        ends: Vec::new(),
    }
}

//! The metrics that CloudWatch has of a fleet or a metric group. Their values are read apart, as columns.

use liftdeck_model::Timestamp;
use liftdeck_model::fleet_metric::{MetricStatistic, MetricTopic, MetricUnit, fleet_metric};
use liftdeck_model::observation::PollKind;
use liftdeck_store::reader::freshness::{Basis, Freshness};
use liftdeck_store::reader::series::{ListedMetric, MetricsOf};
use liftdeck_store::{Reader, StoreError};
use serde::{Deserialize, Serialize};
use specta::Type;

/// A metric.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MetricRow {
    /// Number by which its values are read. It holds for this database only.
    pub key: i64,
    /// Name, as CloudWatch spells it.
    pub name: String,
    /// What else tells it from others of the same name, such as a container group type.
    pub more: Vec<String>,
    pub topic: MetricTopic,
    pub unit: MetricUnit,
    pub statistic: MetricStatistic,
}

/// The metrics of a fleet, of one of its locations, or of a metric group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MetricList {
    /// By topic, then by name.
    pub rows: Vec<MetricRow>,
    /// When CloudWatch was last read.
    pub freshness: Freshness,
}

/// The metrics that CloudWatch has, as far as they were ever read or on screen.
///
/// # Errors
/// When the store cannot be read.
pub async fn metric_list(reader: &Reader, of: &MetricsOf, now: Timestamp) -> Result<MetricList, StoreError> {
    let mut rows: Vec<MetricRow> = reader.listed_metrics(of).await?.into_iter().map(row).collect();
    rows.sort_by(|one, other| {
        (one.topic, &one.name, &one.more).cmp(&(other.topic, &other.name, &other.more))
    });
    Ok(MetricList { rows, freshness: reader.freshness(Basis::One(PollKind::Metrics, ""), now) })
}

fn row(listed: ListedMetric) -> MetricRow {
    let known = fleet_metric(&listed.name);
    MetricRow {
        key: listed.key,
        name: listed.name,
        more: listed.more,
        topic: known.topic,
        unit: known.unit,
        statistic: listed.statistic,
    }
}

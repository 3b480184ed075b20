//! Names of metric series and their samples. Deliberately knows nothing of how they are stored.

use serde::{Deserialize, Serialize};

use crate::id::Region;
use crate::time::Timestamp;

/// Where samples come from; the two are never mixed in one series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MetricSource {
    /// CloudWatch, one value per period.
    CloudWatch,
    /// Our own Describe calls, one value per poll.
    Polled,
}

/// A series: a CloudWatch metric with one statistic, or a polled figure under the same names.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MetricSeries {
    /// Region.
    pub region: Region,
    /// Source.
    pub source: MetricSource,
    /// Metric's name as CloudWatch spells it, such as `ActiveGameSessions`.
    pub name: String,
    /// Dimensions sorted by name, such as `[("FleetId", "fleet-1"), ("Location", "eu-west-1")]`.
    pub dimensions: Vec<(String, String)>,
    /// `Average`, `Sum`, `Minimum`, `Maximum` or `SampleCount`; polled series use `Average`.
    pub statistic: String,
}

impl MetricSeries {
    /// The value of a dimension.
    pub fn dimension(&self, name: &str) -> Option<&str> {
        self.dimensions.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// A value at the start of its period (CloudWatch) or at the moment it was read (polled).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MetricSample {
    /// When.
    pub at: Timestamp,
    /// Value.
    pub value: f64,
}

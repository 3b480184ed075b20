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

/// Name of the series of throttled calls. AWS counts them under this name in the namespace `AWS/Usage`.
pub const THROTTLE_COUNT: &str = "ThrottleCount";

impl MetricSeries {
    /// How many of this program's calls of a GameLift operation were throttled in a Region, each sample for the time
    /// since the one before.
    pub fn throttled(region: Region, operation: &str) -> Self {
        let dimensions = [("Resource", operation), ("Service", "GameLift")];
        Self {
            region,
            source: MetricSource::Polled,
            name: THROTTLE_COUNT.to_owned(),
            dimensions: dimensions.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec(),
            statistic: "Sum".to_owned(),
        }
    }

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

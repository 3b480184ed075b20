//! Calls of this program that GameLift throttled.

use liftdeck_model::metric::{MetricSeries, THROTTLE_COUNT};
use liftdeck_model::time::TimeRange;
use liftdeck_model::{Region, Timestamp};

use super::Reader;
use crate::column::Columns as _;
use crate::error::StoreError;

/// Throttled calls of one operation in a short time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThrottledCalls {
    /// Region.
    pub region: Region,
    /// Operation.
    pub operation: String,
    /// End of that time.
    pub at: Timestamp,
    /// How many.
    pub calls: u64,
}

impl Reader {
    /// Calls that were throttled in `range`, oldest first.
    ///
    /// # Errors
    /// When the database cannot be read, or a chunk is damaged.
    pub async fn throttled(&self, range: TimeRange) -> Result<Vec<ThrottledCalls>, StoreError> {
        let series = sqlx::query(
            "SELECT r.name AS region, s.dimensions FROM metric_series s JOIN region r ON r.region_key = s.region_key \
             WHERE s.name = ?",
        );
        let mut found = Vec::new();
        for row in series.bind(THROTTLE_COUNT).fetch_all(self.pool()).await? {
            let region: Region = row.read("region")?;
            let dimensions: Vec<(String, String)> = row.json("dimensions")?;
            let Some((_, operation)) = dimensions.into_iter().find(|(name, _)| name == "Resource") else {
                continue;
            };
            let series = MetricSeries::throttled(region.clone(), &operation);
            for sample in self.metric_samples(&series, range).await? {
                let (region, operation) = (region.clone(), operation.clone());
                found.push(ThrottledCalls { region, operation, at: sample.at, calls: sample.value as u64 });
            }
        }
        found.sort_by_key(|calls| calls.at);
        Ok(found)
    }
}

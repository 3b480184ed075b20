//! How tickets ended over time, and how long the matched ones waited, in equal buckets.

use liftdeck_model::Region;
use liftdeck_model::time::TimeRange;
use sqlx::QueryBuilder;

use crate::column::Columns as _;
use crate::error::StoreError;
use crate::reader::Reader;
use crate::reader::blast::percentile;
use crate::reader::placement::bucket_count;

/// How the tickets that ended inside one bucket of time ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TicketOutcomes {
    /// Matched: COMPLETED.
    pub completed: u64,
    /// FAILED.
    pub failed: u64,
    /// CANCELLED.
    pub cancelled: u64,
    /// TIMED_OUT.
    pub timed_out: u64,
    /// Median milliseconds that matched tickets waited; `None` if none was matched.
    pub wait_p50_ms: Option<i64>,
    /// 95th percentile.
    pub wait_p95_ms: Option<i64>,
}

impl TicketOutcomes {
    /// All tickets that ended.
    pub const fn total(self) -> u64 {
        self.completed + self.failed + self.cancelled + self.timed_out
    }
}

impl Reader {
    /// How tickets of one configuration or all ended in `range`: one entry per bucket of `width_ms`, counted from the
    /// start of the range. A ticket that ended counts at the time of its last event.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn ticket_outcomes(
        &self,
        configuration: Option<(&Region, &str)>,
        range: TimeRange,
        width_ms: i64,
    ) -> Result<Vec<TicketOutcomes>, StoreError> {
        let width_ms = width_ms.max(1_000);
        let mut buckets = vec![TicketOutcomes::default(); bucket_count(range, width_ms)];
        let mut sql = QueryBuilder::new("SELECT (updated_at - ");
        sql.push_bind(range.from.as_ms()).push(") / ").push_bind(width_ms);
        sql.push(
            " AS bucket, sum(state = 'COMPLETED') AS completed, sum(state = 'FAILED') AS failed, \
             sum(state = 'CANCELLED') AS cancelled, sum(state = 'TIMED_OUT') AS timed_out, \
             json_group_array(updated_at - started_at) FILTER (WHERE state = 'COMPLETED' AND started_at IS NOT NULL) \
             AS waits FROM ticket ",
        );
        match configuration {
            Some((region, name)) => {
                let region_key = self.directory().await?.region_key(region).unwrap_or(-1);
                sql.push("INDEXED BY ticket_by_configuration WHERE region_key = ").push_bind(region_key);
                sql.push(" AND configuration = ").push_bind(name.to_owned()).push(" AND ");
            }
            None => {
                sql.push("WHERE ");
            }
        }
        sql.push("updated_at >= ").push_bind(range.from.as_ms());
        sql.push(" AND updated_at < ").push_bind(range.to.as_ms()).push(" GROUP BY 1");
        for row in sql.build().fetch_all(self.pool()).await? {
            let index = usize::try_from(row.read::<i64>("bucket")?).unwrap_or(usize::MAX);
            let Some(bucket) = buckets.get_mut(index) else { continue };
            let mut waits: Vec<i64> = row.json("waits")?;
            waits.sort_unstable();
            *bucket = TicketOutcomes {
                completed: row.read("completed")?,
                failed: row.read("failed")?,
                cancelled: row.read("cancelled")?,
                timed_out: row.read("timed_out")?,
                wait_p50_ms: percentile(&waits, 0.50),
                wait_p95_ms: percentile(&waits, 0.95),
            };
        }
        Ok(buckets)
    }
}

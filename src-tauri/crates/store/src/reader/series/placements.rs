//! Placements per minute, counted from placement events rather than read from metrics.

use liftdeck_model::observation::PollKind;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{Region, Timestamp};

use super::bucket::Buckets;
use super::{SeriesName, SeriesScope};
use crate::error::StoreError;
use crate::reader::Reader;

impl Reader {
    /// Placement events per minute. Gaps before the first event of the scope and for times without received events.
    pub(super) async fn counted_placements(
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
            // A bucket still under way is scaled by its part that has passed. Too short a part would make rates jump.
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

    /// When events were last received, in one Region or any; `None` if no feed was ever read.
    fn events_received_until(&self, region: Option<&Region>) -> Option<Timestamp> {
        let lines = self.polls(PollKind::EventFeed).into_iter();
        let of_region = lines.filter(|line| region.is_none_or(|region| line.region == *region));
        of_region.filter_map(|line| line.confirmed_at).max()
    }
}

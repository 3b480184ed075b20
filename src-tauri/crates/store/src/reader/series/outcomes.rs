//! How placements and tickets ended over time, counted from their events rather than read from metrics.

use liftdeck_model::observation::PollKind;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{Region, Timestamp};

use super::bucket::Buckets;
use super::{SeriesName, SeriesScope};
use crate::error::StoreError;
use crate::reader::Reader;
use crate::reader::matchmaking::TicketOutcomes;
use crate::reader::placement::{Funnel, PlacementScope, PlacementTimes};

/// The outcomes of each bucket, as far as figures need them; empty where they do not or there are none.
#[derive(Debug, Default)]
pub(super) struct Outcomes {
    placements: Counted<Funnel>,
    times: Vec<PlacementTimes>,
    tickets: Counted<TicketOutcomes>,
}

/// What was counted in each bucket, and when counting began and ended.
#[derive(Debug, Default)]
struct Counted<T> {
    buckets: Vec<T>,
    first: i64,
    known_until: Timestamp,
}

impl<T: Copy> Counted<T> {
    /// The events per minute. Gaps before the first event of the scope and for times without received events.
    fn per_minute(&self, buckets: Buckets, count: impl Fn(T) -> u64) -> Vec<f64> {
        let mut column = buckets.gap();
        for ((slot, counted), time) in column.iter_mut().zip(&self.buckets).zip(buckets.times()) {
            // A bucket still under way is scaled by its part that has passed. Too short a part would make rates jump.
            let passed_ms = self.known_until.since_ms(time).min(buckets.width_ms);
            if time.plus_ms(buckets.width_ms).as_ms() > self.first && passed_ms * 4 >= buckets.width_ms {
                *slot = count(*counted) as f64 / (passed_ms as f64 / 60_000.0);
            }
        }
        column
    }
}

impl Outcomes {
    /// The column of a figure that is counted from events; `None` for every other figure.
    pub(super) fn column(&self, name: SeriesName, buckets: Buckets) -> Option<Vec<f64>> {
        use SeriesName as N;
        let placements = |count: fn(Funnel) -> u64| self.placements.per_minute(buckets, count);
        let tickets = |count: fn(TicketOutcomes) -> u64| self.tickets.per_minute(buckets, count);
        let each = |values: Vec<Option<f64>>| {
            let mut column = buckets.gap();
            for (slot, value) in column.iter_mut().zip(values) {
                *slot = value.unwrap_or(f64::NAN);
            }
            column
        };
        let times = |pick: fn(&PlacementTimes) -> Option<i64>| {
            each(self.times.iter().map(|one| pick(one).map(|ms| ms as f64)).collect())
        };
        let waits = |pick: fn(&TicketOutcomes) -> Option<i64>| {
            each(self.tickets.buckets.iter().map(|one| pick(one).map(|ms| ms as f64)).collect())
        };
        Some(match name {
            N::PlacementsFulfilled => placements(|funnel| funnel.fulfilled),
            N::PlacementsFailed => placements(|funnel| funnel.failed + funnel.timed_out),
            N::PlacementsCancelled => placements(|funnel| funnel.cancelled),
            N::PlacementFailedPercent => {
                let percent = |funnel: &Funnel| funnel.failed_share().map(|share| share * 100.0);
                each(self.placements.buckets.iter().map(percent).collect())
            }
            N::TimeToPlaceP50 => times(|one| one.p50_ms),
            N::TimeToPlaceP95 => times(|one| one.p95_ms),
            N::TicketsCompleted => tickets(|one| one.completed),
            N::TicketsFailed => tickets(|one| one.failed),
            N::TicketsTimedOut => tickets(|one| one.timed_out),
            N::TicketsCancelled => tickets(|one| one.cancelled),
            N::MatchmakingWaitP50 => waits(|one| one.wait_p50_ms),
            N::MatchmakingWaitP95 => waits(|one| one.wait_p95_ms),
            _ => return None,
        })
    }
}

const fn needs_funnels(name: SeriesName) -> bool {
    use SeriesName as N;
    matches!(
        name,
        N::PlacementsFulfilled | N::PlacementsFailed | N::PlacementsCancelled | N::PlacementFailedPercent
    )
}

const fn needs_times(name: SeriesName) -> bool {
    matches!(name, SeriesName::TimeToPlaceP50 | SeriesName::TimeToPlaceP95)
}

const fn needs_tickets(name: SeriesName) -> bool {
    use SeriesName as N;
    matches!(
        name,
        N::TicketsCompleted
            | N::TicketsFailed
            | N::TicketsTimedOut
            | N::TicketsCancelled
            | N::MatchmakingWaitP50
            | N::MatchmakingWaitP95
    )
}

impl Reader {
    /// The outcomes that `names` need, in `buckets`.
    pub(super) async fn outcomes(
        &self,
        names: &[SeriesName],
        scope: &SeriesScope,
        range: TimeRange,
        buckets: Buckets,
    ) -> Result<Outcomes, StoreError> {
        let mut outcomes = Outcomes::default();
        let needed = |need: fn(SeriesName) -> bool| names.iter().any(|name| need(*name));
        let range = TimeRange::new(buckets.start, range.to);
        let of = match scope {
            SeriesScope::All => PlacementScope::default(),
            SeriesScope::Queue { name, region } => PlacementScope {
                queue: Some(name.clone()),
                region: Some(region.clone()),
                ..PlacementScope::default()
            },
            SeriesScope::Configuration { name, region } => {
                if needed(needs_tickets) {
                    outcomes.tickets = self.tickets_in(Some((region, name)), range, buckets).await?;
                }
                return Ok(outcomes);
            }
            SeriesScope::Fleet { .. } => return Ok(outcomes),
        };
        if needed(needs_funnels) {
            outcomes.placements = self.placements_in(&of, range, buckets).await?;
        }
        if needed(needs_times) {
            outcomes.times = self.placement_times(&of, range, buckets.width_ms).await?;
        }
        if of.queue.is_none() && needed(needs_tickets) {
            outcomes.tickets = self.tickets_in(None, range, buckets).await?;
        }
        Ok(outcomes)
    }

    async fn placements_in(
        &self,
        of: &PlacementScope,
        range: TimeRange,
        buckets: Buckets,
    ) -> Result<Counted<Funnel>, StoreError> {
        let Some(first) = self.first_placement(of).await? else { return Ok(Counted::default()) };
        let funnels = self.placement_rate(of, range, buckets.width_ms).await?;
        let known_until = self.known_until(of.region.as_ref(), range);
        Ok(Counted { buckets: funnels, first: first.as_ms(), known_until })
    }

    async fn tickets_in(
        &self,
        configuration: Option<(&Region, &str)>,
        range: TimeRange,
        buckets: Buckets,
    ) -> Result<Counted<TicketOutcomes>, StoreError> {
        let first: Option<i64> =
            sqlx::query_scalar("SELECT min(updated_at) FROM ticket").fetch_one(self.pool()).await?;
        let Some(first) = first else { return Ok(Counted::default()) };
        let outcomes = self.ticket_outcomes(configuration, range, buckets.width_ms).await?;
        let region = configuration.map(|(region, _)| region);
        Ok(Counted { buckets: outcomes, first, known_until: self.known_until(region, range) })
    }

    /// When events were last received, in one Region or any; the end of the range if no feed was ever read.
    fn known_until(&self, region: Option<&Region>, range: TimeRange) -> Timestamp {
        let lines = self.polls(PollKind::EventFeed).into_iter();
        let of_region = lines.filter(|line| region.is_none_or(|region| line.region == *region));
        let received = of_region.filter_map(|line| line.confirmed_at).max();
        received.map_or(range.to, |received| received.min(range.to))
    }
}

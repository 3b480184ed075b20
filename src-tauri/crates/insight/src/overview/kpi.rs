//! The key figures, each with its value now or at the end of a range that is over, what is usual for it then, and a
//! sparkline over the range.

mod crashes;

use liftdeck_model::Timestamp;
use liftdeck_model::fleet::ComputeKind;
use liftdeck_model::observation::PollKind;
use liftdeck_model::time::{DAY_MS, TimeRange};
use liftdeck_store::reader::fleet::FleetSummary;
use liftdeck_store::reader::freshness::{Basis, Freshness};
use liftdeck_store::reader::placement::{Funnel, PlacementScope};
use liftdeck_store::reader::series::{SeriesName, SeriesRequest, SeriesScope, SeriesTable};
use liftdeck_store::{Reader, StoreError};

use self::crashes::crashes;
use super::{Kpi, KpiKey};
use crate::figures::{Figures, FleetFigures, Sum};
use crate::usual::past::Memory;
use crate::usual::{Floor, History, Standing};

/// Points of a sparkline.
const SPARK: u32 = 60;
/// How far back to look for crashes, the placement rate and the wait.
const RECENT_MS: i64 = 15 * 60_000;
const RECENT_MINUTES: f64 = 15.0;

const NAMES: [SeriesName; 4] = [
    SeriesName::CurrentPlayerSessions,
    SeriesName::ActiveGameSessions,
    SeriesName::ActiveInstances,
    SeriesName::AvailableGameSessions,
];

/// The range of the sparklines, and the moment that the values are of.
pub(super) struct Times {
    pub(super) range: TimeRange,
    /// The end of a range that is over; `None` if the values are of now.
    pub(super) at: Option<Timestamp>,
    pub(super) now: Timestamp,
}

impl Times {
    /// The moment that the values are of.
    fn moment(&self) -> Timestamp {
        self.at.unwrap_or(self.now)
    }

    /// The time that values are counted in, up to the moment.
    fn recent(&self) -> TimeRange {
        TimeRange::new(self.moment().plus_ms(-RECENT_MS), self.moment().plus_ms(1))
    }

    /// The times for which what is usual must be known: those of the sparkline, and the moment.
    fn judged(&self) -> TimeRange {
        TimeRange::new(self.range.from.min(self.moment()), self.range.to.max(self.moment()))
    }

    /// The age of a value: one of a moment that is over does not become old.
    fn freshness(&self, of_now: Freshness) -> Freshness {
        self.at.map_or(of_now, |at| Freshness { as_of: Some(at), stale: false })
    }
}

/// The values of a sparkline, with the start of the first bucket and the width of each.
struct Spark {
    values: Vec<Option<f64>>,
    from: Timestamp,
    width_ms: i64,
}

impl Spark {
    fn over(range: TimeRange, values: Vec<Option<f64>>, width_ms: i64) -> Self {
        Self { values, from: range.from, width_ms }
    }

    /// The figure with what is usual at its moment and at each point, both learnt from `past`.
    fn figure(
        self,
        key: KpiKey,
        value: Option<f64>,
        past: &History,
        (floor, spark_floor): (Floor, Floor),
        times: &Times,
        of_now: Freshness,
    ) -> Kpi {
        let learnt = past.usual_at(times.moment(), floor);
        let middles =
            (0_i64..).take(self.values.len()).map(|index| index * self.width_ms + self.width_ms / 2);
        let (spark_low, spark_high) = middles
            .map(|middle| past.usual_at(self.from.plus_ms(middle), spark_floor).ok())
            .map(|usual| (usual.map(|usual| usual.low), usual.map(|usual| usual.high)))
            .unzip();
        Kpi {
            key,
            value,
            of: None,
            usual: learnt.ok(),
            standing: Standing::of(value, learnt),
            failed_share: None,
            usual_failed_share: None,
            unknown_fleets: 0,
            spark: self.values,
            spark_low,
            spark_high,
            freshness: times.freshness(of_now),
        }
    }
}

pub(super) async fn kpis(
    reader: &Reader,
    past: &Memory,
    fleets: &[FleetSummary],
    figures: &[FleetFigures],
    times: &Times,
) -> Result<Vec<Kpi>, StoreError> {
    let (range, now) = (times.range, times.now);
    let scope = SeriesScope::All;
    let request = SeriesRequest { scope: scope.clone(), names: NAMES.to_vec(), range, max_points: SPARK };
    let sparks = reader.series(&request).await?;
    let histories = past.metrics(reader, &scope, &NAMES, times.judged(), now).await?;
    let capacity = reader.freshness(Basis::All(PollKind::FleetCapacity), now);
    let sessions = sessions_freshness(reader, fleets, now);
    let sum = |has_it: fn(ComputeKind) -> bool, pick: fn(&Figures) -> Option<i64>| {
        let all = fleets.iter().zip(figures).map(|(fleet, figures)| (fleet.fleet.kind, &figures.all));
        Sum::over(all, has_it, pick)
    };
    let unknown = History::default();
    let figure = |key, sum: Sum, column: usize, freshness| {
        let history = histories.get(column).unwrap_or(&unknown);
        let value = sum.known.map(|known| known as f64);
        let floors = (Floor::COUNT, Floor::COUNT);
        let kpi = spark_of(&sparks, column).figure(key, value, history, floors, times, freshness);
        Kpi { unknown_fleets: sum.unknown, ..kpi }
    };
    let every: fn(ComputeKind) -> bool = |_| true;
    let managed: fn(ComputeKind) -> bool = ComputeKind::has_capacity;
    // Fleets of one's own hardware alone have no instances. Of the past, others may be forgotten.
    let none = |sum: Sum| {
        let is_none = times.at.is_none() && !fleets.is_empty() && sum == Sum::default();
        if is_none { Sum { known: Some(0), unknown: 0 } } else { sum }
    };
    let instances = figure(KpiKey::Instances, none(sum(managed, |it| it.active)), 2, capacity);
    let most = none(sum(managed, |it| it.maximum)).known.map(|most| most as f64);
    Ok(vec![
        crashes(reader, past, fleets, times).await?,
        figure(KpiKey::PlayersOnline, sum(every, |it| it.player_sessions), 0, sessions),
        figure(KpiKey::ActiveSessions, sum(every, |it| it.game_sessions), 1, sessions),
        Kpi { of: most, ..instances },
        figure(KpiKey::FreeProcesses, sum(managed, |it| it.free_processes), 3, sessions),
        placements(reader, past, times).await?,
        waits(reader, past, times).await?,
    ])
}

fn spark_of(table: &SeriesTable, column: usize) -> Spark {
    let values = table.columns.get(column).into_iter().flatten();
    Spark {
        values: values.map(|value| value.is_finite().then_some(*value)).collect(),
        from: table.times.first().copied().unwrap_or_default(),
        width_ms: table.bucket_ms,
    }
}

/// Counts come from utilization where AWS provides it, and from the listed game sessions elsewhere.
fn sessions_freshness(reader: &Reader, fleets: &[FleetSummary], now: Timestamp) -> Freshness {
    let managed = fleets.iter().any(|fleet| fleet.fleet.kind.has_utilization());
    let others = fleets.iter().any(|fleet| !fleet.fleet.kind.has_utilization());
    let utilization = || reader.freshness(Basis::All(PollKind::FleetUtilization), now);
    let listed = || reader.freshness(Basis::All(PollKind::GameSessions), now);
    match (managed, others) {
        (true, true) => utilization().and(listed()),
        (true, false) => utilization(),
        _ => listed(),
    }
}

async fn placements(reader: &Reader, past: &Memory, times: &Times) -> Result<Kpi, StoreError> {
    let (range, now, moment) = (times.range, times.now, times.moment());
    let minutes = |ms: i64| ms as f64 / 60_000.0;
    let rate = |funnel: Funnel, ms: i64| funnel.total() as f64 / minutes(ms);
    let all = PlacementScope::default();
    let recent = reader.placement_statistics(&all, times.recent()).await?.funnel;
    let width_ms = (range.length_ms() / i64::from(SPARK)).max(60_000);
    let buckets = reader.placement_rate(&all, range, width_ms).await?;
    let earlier = TimeRange::new(range.from.plus_ms(-DAY_MS), range.from);
    let heard_before = reader.placement_statistics(&all, earlier).await?.funnel.total() > 0;
    let first = if heard_before { 0 } else { first_heard(&buckets) };
    let fed =
        !reader.polls(PollKind::EventFeed).is_empty() || buckets.iter().any(|funnel| funnel.total() > 0);
    let heard = fed && (times.at.is_none() || first < buckets.len());
    let spark = if fed {
        let listening = |(index, funnel)| (index >= first).then(|| rate(funnel, width_ms));
        buckets.into_iter().enumerate().map(listening).collect()
    } else {
        Vec::new()
    };
    let hours = past.placements(reader, &all, times.judged(), now).await?;
    let usual_failed = hours.usual_failed(moment, recent.total());
    let figure = Spark::over(range, spark, width_ms).figure(
        KpiKey::PlacementsPerMinute,
        heard.then(|| rate(recent, RECENT_MS)),
        &hours.per_minute(),
        (Floor::rate(RECENT_MINUTES), Floor::rate(minutes(width_ms))),
        times,
        reader.freshness(Basis::All(PollKind::EventFeed), now),
    );
    Ok(Kpi {
        failed_share: recent.failed_share(),
        usual_failed_share: usual_failed.and_then(|usual| usual.shares_of(recent.total())),
        ..figure
    })
}

/// The bucket of the first event ever received. Before it nobody was listening, which is not the same as no
/// placements.
fn first_heard(buckets: &[Funnel]) -> usize {
    buckets.iter().position(|funnel| funnel.total() > 0).unwrap_or(buckets.len())
}

async fn waits(reader: &Reader, past: &Memory, times: &Times) -> Result<Kpi, StoreError> {
    let (range, now) = (times.range, times.now);
    let recent = reader.matchmaking_waits(times.recent()).await?;
    let recent = recent.into_iter().map(|(_, seconds)| seconds).collect();
    let width_ms = (range.length_ms() / i64::from(SPARK)).max(60_000);
    let mut buckets = reader.ticket_outcomes(None, range, width_ms).await?;
    if buckets.iter().all(|bucket| bucket.completed == 0) {
        buckets.clear();
    }
    let seconds = |ms: i64| ms as f64 / 1_000.0;
    let spark = buckets.into_iter().map(|bucket| bucket.wait_p95_ms.map(seconds)).collect();
    let history = past.waits(reader, times.judged(), now).await?;
    Ok(Spark::over(range, spark, width_ms).figure(
        KpiKey::MatchmakingWaitP95,
        p95(recent),
        &history,
        (Floor::WAIT, Floor::WAIT),
        times,
        reader.freshness(Basis::All(PollKind::EventFeed), now),
    ))
}

/// The value that 95 % of the values do not exceed.
fn p95(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let rank = (values.len() as f64 * 0.95).ceil() as usize;
    values.get(rank.saturating_sub(1)).copied()
}

#[cfg(test)]
mod tests {
    use super::p95;

    #[test]
    fn the_95th_percentile_is_a_value_that_occurred() {
        assert_eq!(p95(Vec::new()), None);
        assert_eq!(p95(vec![7.0]), Some(7.0));
        assert_eq!(p95((1..=100).rev().map(f64::from).collect()), Some(95.0));
    }
}

//! The key figures, each with its current value, what is usual for it, and a sparkline.

mod crashes;

use liftdeck_model::Timestamp;
use liftdeck_model::observation::PollKind;
use liftdeck_model::time::{DAY_MS, TimeRange};
use liftdeck_store::reader::fleet::FleetSummary;
use liftdeck_store::reader::freshness::{Basis, Freshness};
use liftdeck_store::reader::placement::{Funnel, PlacementScope};
use liftdeck_store::reader::series::{SeriesName, SeriesRequest, SeriesScope, SeriesTable};
use liftdeck_store::{Reader, StoreError};

use self::crashes::crashes;
use super::{Kpi, KpiKey};
use crate::usual::past::Memory;
use crate::usual::{Floor, History, Standing};

/// Points of a sparkline.
const SPARK: u32 = 60;
/// How far back to look for the current placement rate and wait.
const RECENT_MS: i64 = 15 * 60_000;
const RECENT_MINUTES: f64 = 15.0;

const NAMES: [SeriesName; 4] = [
    SeriesName::CurrentPlayerSessions,
    SeriesName::ActiveGameSessions,
    SeriesName::ActiveInstances,
    SeriesName::AvailableGameSessions,
];

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

    /// The figure with what is usual now and at each point, both learnt from `past`.
    fn figure(
        self,
        key: KpiKey,
        value: Option<f64>,
        past: &History,
        (floor, spark_floor): (Floor, Floor),
        now: Timestamp,
        freshness: Freshness,
    ) -> Kpi {
        let learnt = past.usual_at(now, floor);
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
            spark: self.values,
            spark_low,
            spark_high,
            freshness,
        }
    }
}

pub(super) async fn kpis(
    reader: &Reader,
    past: &Memory,
    fleets: &[FleetSummary],
    range: TimeRange,
    now: Timestamp,
) -> Result<Vec<Kpi>, StoreError> {
    let scope = SeriesScope::All;
    let request = SeriesRequest { scope: scope.clone(), names: NAMES.to_vec(), range, max_points: SPARK };
    let sparks = reader.series(&request).await?;
    let judged = judged(range, now);
    let histories = past.metrics(reader, &scope, &NAMES, judged, now).await?;
    let capacity = reader.freshness(Basis::All(PollKind::FleetCapacity), now);
    let sessions = sessions_freshness(reader, fleets, now);
    let sum = |count: fn(&FleetSummary) -> i64| fleets.iter().map(count).sum::<i64>() as f64;
    let known = |value: f64| (!fleets.is_empty()).then_some(value);
    let unknown = History::default();
    let figure = |key, value: Option<f64>, column: usize, freshness| {
        let history = histories.get(column).unwrap_or(&unknown);
        let spark = spark_of(&sparks, column);
        spark.figure(key, value, history, (Floor::COUNT, Floor::COUNT), now, freshness)
    };
    let free: Vec<i64> = fleets.iter().filter_map(FleetSummary::free_processes).collect();
    let free = (!free.is_empty()).then(|| free.iter().sum::<i64>() as f64);
    let instances = figure(KpiKey::Instances, known(sum(FleetSummary::active)), 2, capacity);
    Ok(vec![
        crashes(reader, past, range, now).await?,
        figure(KpiKey::PlayersOnline, known(sum(FleetSummary::player_sessions)), 0, sessions),
        figure(KpiKey::ActiveSessions, known(sum(FleetSummary::game_sessions)), 1, sessions),
        Kpi { of: known(sum(FleetSummary::maximum)), ..instances },
        figure(KpiKey::FreeProcesses, free, 3, sessions),
        placements(reader, past, range, now).await?,
        waits(reader, past, range, now).await?,
    ])
}

/// The times for which what is usual must be known: those of the sparkline, and now.
fn judged(range: TimeRange, now: Timestamp) -> TimeRange {
    TimeRange::new(range.from.min(now), range.to.max(now))
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

async fn placements(
    reader: &Reader,
    past: &Memory,
    range: TimeRange,
    now: Timestamp,
) -> Result<Kpi, StoreError> {
    let minutes = |ms: i64| ms as f64 / 60_000.0;
    let rate = |funnel: Funnel, ms: i64| funnel.total() as f64 / minutes(ms);
    let all = PlacementScope::default();
    let recent = reader
        .placement_statistics(&all, TimeRange::new(now.plus_ms(-RECENT_MS), now.plus_ms(1)))
        .await?
        .funnel;
    let width_ms = (range.length_ms() / i64::from(SPARK)).max(60_000);
    let buckets = reader.placement_rate(&all, range, width_ms).await?;
    let earlier = TimeRange::new(range.from.plus_ms(-DAY_MS), range.from);
    let heard_before = reader.placement_statistics(&all, earlier).await?.funnel.total() > 0;
    let first = if heard_before { 0 } else { first_heard(&buckets) };
    let fed =
        !reader.polls(PollKind::EventFeed).is_empty() || buckets.iter().any(|funnel| funnel.total() > 0);
    let spark = if fed {
        let listening = |(index, funnel)| (index >= first).then(|| rate(funnel, width_ms));
        buckets.into_iter().enumerate().map(listening).collect()
    } else {
        Vec::new()
    };
    let hours = past.placements(reader, &all, judged(range, now), now).await?;
    let usual_failed = hours.usual_failed(now, recent.total());
    let figure = Spark::over(range, spark, width_ms).figure(
        KpiKey::PlacementsPerMinute,
        fed.then(|| rate(recent, RECENT_MS)),
        &hours.per_minute(),
        (Floor::rate(RECENT_MINUTES), Floor::rate(minutes(width_ms))),
        now,
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

async fn waits(reader: &Reader, past: &Memory, range: TimeRange, now: Timestamp) -> Result<Kpi, StoreError> {
    let recent = reader.matchmaking_waits(TimeRange::new(now.plus_ms(-RECENT_MS), now.plus_ms(1))).await?;
    let recent = recent.into_iter().map(|(_, seconds)| seconds).collect();
    let width_ms = (range.length_ms() / i64::from(SPARK)).max(60_000);
    let mut buckets = reader.ticket_outcomes(None, range, width_ms).await?;
    if buckets.iter().all(|bucket| bucket.completed == 0) {
        buckets.clear();
    }
    let seconds = |ms: i64| ms as f64 / 1_000.0;
    let spark = buckets.into_iter().map(|bucket| bucket.wait_p95_ms.map(seconds)).collect();
    let history = past.waits(reader, judged(range, now), now).await?;
    Ok(Spark::over(range, spark, width_ms).figure(
        KpiKey::MatchmakingWaitP95,
        p95(recent),
        &history,
        (Floor::WAIT, Floor::WAIT),
        now,
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

//! The key figures, each with its current value, its value at the same time yesterday, and a sparkline.

use liftdeck_model::Timestamp;
use liftdeck_model::observation::PollKind;
use liftdeck_model::time::TimeRange;
use liftdeck_store::reader::fleet::FleetSummary;
use liftdeck_store::reader::freshness::{Basis, Freshness};
use liftdeck_store::reader::placement::Funnel;
use liftdeck_store::reader::series::{SeriesName, SeriesRequest, SeriesScope, SeriesTable};
use liftdeck_store::{Reader, StoreError};

use super::{Kpi, KpiKey};

/// Points of a sparkline.
const SPARK: u32 = 60;
const DAY_MS: i64 = 86_400_000;
/// How far back to look for the current placement rate and wait.
const RECENT_MS: i64 = 15 * 60_000;
/// How far back from the same time yesterday to look for a value.
const AROUND_MS: i64 = 10 * 60_000;

const NAMES: [SeriesName; 4] = [
    SeriesName::CurrentPlayerSessions,
    SeriesName::ActiveGameSessions,
    SeriesName::ActiveInstances,
    SeriesName::AvailableGameSessions,
];

pub(super) async fn kpis(
    reader: &Reader,
    fleets: &[FleetSummary],
    range: TimeRange,
    now: Timestamp,
) -> Result<Vec<Kpi>, StoreError> {
    let over = |range: TimeRange, max_points: u32| SeriesRequest {
        scope: SeriesScope::All,
        names: NAMES.to_vec(),
        range,
        max_points,
    };
    let sparks = reader.series(&over(range, SPARK)).await?;
    let then = now.plus_ms(-DAY_MS);
    let yesterday = reader.series(&over(TimeRange::new(then.plus_ms(-AROUND_MS), then), 20)).await?;
    let capacity = reader.freshness(Basis::All(PollKind::FleetCapacity), now);
    let sessions = sessions_freshness(reader, fleets, now);
    let sum = |count: fn(&FleetSummary) -> i64| fleets.iter().map(count).sum::<i64>() as f64;
    let known = |value: f64| (!fleets.is_empty()).then_some(value);
    let figure = |key, value: Option<f64>, of: Option<f64>, column: usize, freshness| Kpi {
        key,
        value,
        of,
        yesterday: yesterday.newest(column),
        failed_share: None,
        spark: column_of(&sparks, column),
        freshness,
    };
    let free: Vec<i64> = fleets.iter().filter_map(FleetSummary::free_processes).collect();
    let free = (!free.is_empty()).then(|| free.iter().sum::<i64>() as f64);
    Ok(vec![
        figure(KpiKey::PlayersOnline, known(sum(FleetSummary::player_sessions)), None, 0, sessions),
        figure(KpiKey::ActiveSessions, known(sum(FleetSummary::game_sessions)), None, 1, sessions),
        figure(
            KpiKey::Instances,
            known(sum(FleetSummary::active)),
            known(sum(FleetSummary::maximum)),
            2,
            capacity,
        ),
        figure(KpiKey::FreeProcesses, free, None, 3, sessions),
        placements(reader, range, now).await?,
        waits(reader, range, now).await?,
    ])
}

fn column_of(table: &SeriesTable, column: usize) -> Vec<Option<f64>> {
    let values = table.columns.get(column).into_iter().flatten();
    values.map(|value| value.is_finite().then_some(*value)).collect()
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

async fn placements(reader: &Reader, range: TimeRange, now: Timestamp) -> Result<Kpi, StoreError> {
    let rate = |funnel: Funnel, ms: i64| funnel.total() as f64 / (ms as f64 / 60_000.0);
    let recent = reader
        .placement_statistics(None, TimeRange::new(now.plus_ms(-RECENT_MS), now.plus_ms(1)))
        .await?
        .funnel;
    let then = now.plus_ms(-DAY_MS);
    let yesterday =
        reader.placement_statistics(None, TimeRange::new(then.plus_ms(-RECENT_MS), then)).await?.funnel;
    let width_ms = (range.length_ms() / i64::from(SPARK)).max(60_000);
    let buckets = reader.placement_rate(None, range, width_ms).await?;
    let earlier = TimeRange::new(range.from.plus_ms(-DAY_MS), range.from);
    let heard_before = reader.placement_statistics(None, earlier).await?.funnel.total() > 0;
    let first = if heard_before { 0 } else { first_heard(&buckets) };
    let fed =
        !reader.polls(PollKind::EventFeed).is_empty() || buckets.iter().any(|funnel| funnel.total() > 0);
    Ok(Kpi {
        key: KpiKey::PlacementsPerMinute,
        value: fed.then(|| rate(recent, RECENT_MS)),
        of: None,
        yesterday: (yesterday.total() > 0).then(|| rate(yesterday, RECENT_MS)),
        failed_share: recent.failed_share(),
        spark: if fed {
            let listening = |(index, funnel)| (index >= first).then(|| rate(funnel, width_ms));
            buckets.into_iter().enumerate().map(listening).collect()
        } else {
            Vec::new()
        },
        freshness: reader.freshness(Basis::All(PollKind::EventFeed), now),
    })
}

/// The bucket of the first event ever received. Before it nobody was listening, which is not the same as no
/// placements.
fn first_heard(buckets: &[Funnel]) -> usize {
    buckets.iter().position(|funnel| funnel.total() > 0).unwrap_or(buckets.len())
}

async fn waits(reader: &Reader, range: TimeRange, now: Timestamp) -> Result<Kpi, StoreError> {
    let then = now.plus_ms(-DAY_MS);
    let recent = reader.matchmaking_waits(TimeRange::new(now.plus_ms(-RECENT_MS), now.plus_ms(1))).await?;
    let yesterday = reader.matchmaking_waits(TimeRange::new(then.plus_ms(-RECENT_MS), then)).await?;
    let seconds =
        |waits: Vec<(Timestamp, f64)>| waits.into_iter().map(|(_, seconds)| seconds).collect::<Vec<_>>();
    let all = reader.matchmaking_waits(range).await?;
    let width_ms = (range.length_ms() / i64::from(SPARK)).max(60_000);
    let buckets = usize::try_from(range.length_ms() / width_ms).unwrap_or(0) + 1;
    let mut spark: Vec<Vec<f64>> = vec![Vec::new(); if all.is_empty() { 0 } else { buckets }];
    for (at, wait) in all {
        let index = usize::try_from(at.since_ms(range.from) / width_ms).unwrap_or(usize::MAX);
        if let Some(bucket) = spark.get_mut(index) {
            bucket.push(wait);
        }
    }
    Ok(Kpi {
        key: KpiKey::MatchmakingWaitP95,
        value: p95(seconds(recent)),
        of: None,
        yesterday: p95(seconds(yesterday)),
        failed_share: None,
        spark: spark.into_iter().map(p95).collect(),
        freshness: reader.freshness(Basis::All(PollKind::EventFeed), now),
    })
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

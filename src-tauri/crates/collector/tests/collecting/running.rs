//! The running collection: follows the world, survives trouble, stops when told.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use liftdeck_collector::{
    Cadence, Collector, CollectorOptions, EveryMetric, Focus, HealthState, MetricsPolicy, Pace,
};
use liftdeck_gateway::Gateway;
use liftdeck_model::alert::{AlertRecord, AlertState};
use liftdeck_model::feed::ForeignBodies;
use liftdeck_model::observation::{PollKind, PollSubject};
use liftdeck_model::time::TimeRange;
use liftdeck_model::{Region, Severity, Timestamp};
use liftdeck_simulator::{Credentials, FaultKind, FaultRule, SimulatorOptions};
use liftdeck_store::reader::series::{ListedMetric, MetricsOf, MetricsRequest};
use liftdeck_store::{AlertChanges, Reader};

use crate::harness::{Bench, eventually};

/// The shortest interval a slow machine can keep up with; below it, live figures would be behind for ever.
const BRISK_MS: i64 = 5_000;

fn every(ms: i64, bench: &Bench) -> CollectorOptions {
    let pace = Pace { on_screen_ms: ms, otherwise_ms: ms };
    let cadence = [PollKind::Fleets, PollKind::GameSessions, PollKind::PlayerSessions]
        .into_iter()
        .fold(Cadence::default(), |cadence, kind| cadence.with(kind, pace));
    CollectorOptions { cadence, event_queues: bench.queues(), ..bench.options() }
}

async fn start(bench: &Bench) -> Collector {
    bench.adopt(&bench.queues(), ForeignBodies::Leave).await;
    start_with(every(BRISK_MS, bench), bench, &bench.gateway().await).await
}

async fn start_with(options: CollectorOptions, bench: &Bench, gateway: &Gateway) -> Collector {
    let (writer, reader) = (bench.store.writer().unwrap(), bench.store.reader());
    Collector::start(options, gateway, writer, reader, bench.moving_clock()).await.unwrap()
}

/// How many calls a gateway has let through so far.
fn total(gateway: &Gateway) -> u64 {
    gateway.usage().operations.iter().map(|usage| usage.calls).sum()
}

async fn follows(bench: &Bench) {
    eventually("the store holds the world's live game sessions", || async {
        for region in bench.regions() {
            if bench.live(&region).await != bench.true_live(&region).await {
                return false;
            }
        }
        true
    })
    .await;
}

/// How often ReceiveMessage was called.
async fn receives(bench: &Bench) -> u64 {
    let calls = bench.calls().await;
    let counted = calls.as_object().unwrap().values().map(|actions| &actions["sqs:ReceiveMessage"]["calls"]);
    counted.filter_map(serde_json::Value::as_u64).sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn it_follows_the_world_and_stops_when_told() {
    let bench = Bench::frozen().await;
    bench.adopt(&bench.queues(), ForeignBodies::Leave).await;
    let gateway = bench.gateway().await;
    let (clock, options) = (bench.moving_clock(), every(BRISK_MS, &bench));
    let with_a_clock = Arc::downgrade(&clock);
    let (writer, reader) = (bench.store.writer().unwrap(), bench.store.reader());
    let collector = Collector::start(options, &gateway, writer, reader, clock).await.unwrap();
    follows(&bench).await;
    eventually("healthy", || async { collector.health().borrow().state == HealthState::Live }).await;
    bench.advance(Duration::from_secs(300)).await;
    follows(&bench).await;
    eventually("every feed has brought something", || async {
        let feeds = collector.health().borrow().feeds.clone();
        feeds.iter().all(|feed| feed.received > 0 && feed.message.is_none())
    })
    .await;
    let stalled = "sqs:ReceiveMessage".to_owned();
    bench.faults(&[FaultRule { operation: stalled, kind: FaultKind::Stall, ..FaultRule::default() }]).await;
    let before = receives(&bench).await;
    eventually("a long poll is under way", || async { receives(&bench).await > before }).await;
    let health = collector.health();
    collector.stop().await;
    let failed = health.borrow().feeds.iter().find_map(|feed| feed.message.clone());
    assert_eq!(failed, None, "it waited until a long poll was given up");
    assert_eq!(health.borrow().state, HealthState::Stopped);
    // Everything that sends requests, or may do so later, holds a reference to the clock.
    eventually("nothing is left that could ask", || async { with_a_clock.strong_count() == 0 }).await;
    let asked = total(&gateway);
    bench.advance(Duration::from_secs(300)).await;
    assert_eq!(total(&gateway), asked, "nothing is asked after the stop, whatever comes");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_still_to_be_read_is_known_from_the_start_until_all_of_it_was_read() {
    let bench = Bench::frozen().await;
    bench.adopt(&bench.queues(), ForeignBodies::Leave).await;
    let gateway = bench.gateway().await;
    let stalled = "DescribeFleetAttributes".to_owned();
    bench.faults(&[FaultRule { operation: stalled, kind: FaultKind::Stall, ..FaultRule::default() }]).await;
    let collector = start_with(every(BRISK_MS, &bench), &bench, &gateway).await;
    let reader = bench.store.reader();
    let unread: BTreeSet<(Region, PollKind)> =
        reader.unread().into_iter().map(|(region, subject)| (region, subject.kind)).collect();
    for region in bench.regions() {
        for kind in [PollKind::Fleets, PollKind::GameSessions, PollKind::FleetEvents] {
            assert!(unread.contains(&(region.clone(), kind)), "{kind:?} of {region}");
        }
    }
    bench.faults(&[]).await;
    collector.retry_now();
    eventually("nothing is left to be read", || async { reader.unread().is_empty() }).await;
    let mut fleets = 0;
    for region in bench.regions() {
        fleets += reader.fleets(&region).await.unwrap().len();
    }
    for kind in [PollKind::GameSessions, PollKind::FleetEvents] {
        assert_eq!(reader.polls(kind).len(), fleets, "{kind:?} of every fleet");
    }
    collector.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_on_screen_is_asked_with_its_details() {
    let bench = Bench::frozen().await;
    let collector = start(&bench).await;
    follows(&bench).await;
    let session = bench.live(&bench.regions()[0]).await.remove(0);
    collector.focus(Focus { game_sessions: vec![session], ..Focus::default() });
    eventually("the session's details are asked for", || async {
        let calls = bench.calls().await;
        let region = bench.regions()[0].as_str().to_owned();
        calls[region]["gamelift:DescribeGameSessionDetails"]["calls"].as_u64().unwrap_or(0) > 0
    })
    .await;
    collector.stop().await;
}

/// An alert about a queue of a Region that began to fire `at`.
fn fires(region: &Region, at: Timestamp) -> AlertChanges {
    let alert = AlertRecord {
        id: "alert-1".into(),
        rule: "placements".to_owned(),
        subject: format!("{region}/arena"),
        region: Some(region.clone()),
        fleet_id: None,
        severity: Severity::Bad,
        state: AlertState::Firing,
        since: at,
        seen_at: at,
        fired_at: Some(at),
        clear_since: None,
        unknown_since: None,
        ended_at: None,
        acknowledged: None,
        document: "{}".to_owned(),
    };
    AlertChanges { put: vec![(alert, Vec::new())], ..AlertChanges::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_may_be_the_cause_of_an_alert_is_read_as_soon_as_it_fires() {
    let bench = Bench::frozen().await;
    let collector = start(&bench).await;
    let regions = bench.regions();
    let asked = async |region: &Region| {
        let calls = bench.calls().await;
        calls[region.as_str()]["gamelift:DescribeGameSessionQueues"]["calls"].as_u64().unwrap_or(0)
    };
    for region in &regions {
        eventually("the queues are known", || async { asked(region).await > 0 }).await;
    }
    follows(&bench).await;
    let (before, elsewhere) = (asked(&regions[0]).await, asked(&regions[1]).await);
    let at = (bench.moving_clock())();
    bench.store.writer().unwrap().change_alerts(fires(&regions[0], at)).await.unwrap();
    // By itself, the next time would be minutes away.
    eventually("the queues are asked for again", || async { asked(&regions[0]).await > before }).await;
    assert_eq!(asked(&regions[1]).await, elsewhere, "nothing fires there");
    collector.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_screens_in_a_row_the_last_one_counts() {
    let bench = Bench::frozen().await;
    let collector = start(&bench).await;
    follows(&bench).await;
    let session = bench.live(&bench.regions()[0]).await.remove(0);
    for _ in 0..200 {
        collector.focus(Focus::default());
    }
    collector.focus(Focus { game_sessions: vec![session], ..Focus::default() });
    eventually("the session's details are asked for", || async {
        let calls = bench.calls().await;
        let region = bench.regions()[0].as_str().to_owned();
        calls[region]["gamelift:DescribeGameSessionDetails"]["calls"].as_u64().unwrap_or(0) > 0
    })
    .await;
    collector.stop().await;
}

async fn listed(reader: &Reader, of: &MetricsOf, name: &str) -> Option<ListedMetric> {
    let all = reader.listed_metrics(of).await.unwrap();
    all.into_iter().find(|metric| metric.name == name)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_other_metrics_of_a_fleet_are_read_while_they_are_on_screen_and_not_before() {
    let bench = Bench::frozen().await;
    let options = CollectorOptions {
        metrics: MetricsPolicy { backfill_days: 1, ..MetricsPolicy::default() },
        ..every(BRISK_MS, &bench)
    };
    let gateway = bench.gateway().await;
    let collector = start_with(options, &bench, &gateway).await;
    let region = bench.regions().remove(0);
    let reader = bench.store.reader();
    eventually("the newest samples are read", || async {
        let newest = PollSubject { kind: PollKind::Metrics, resource: String::new() };
        reader.poll(&region, &newest).is_some_and(|line| line.confirmed_at.is_some())
    })
    .await;
    let fleet_id = reader.fleets(&region).await.unwrap().remove(0).fleet_id;
    let of = MetricsOf::Fleet { fleet_id: fleet_id.clone(), location: None };
    assert!(
        listed(&reader, &of, "ServerProcessActivations").await.is_some(),
        "this one is kept all the time"
    );
    assert_eq!(listed(&reader, &of, "CPUUtilization").await, None, "nobody looks at it");

    let shown = EveryMetric { region, fleet_id, location: None, metric_groups: Vec::new() };
    collector.focus(Focus { every_metric: Some(shown), ..Focus::default() });
    eventually("its values are in the store", || async {
        let Some(metric) = listed(&reader, &of, "CPUUtilization").await else { return false };
        let now = (bench.moving_clock())();
        let range = TimeRange::new(now.plus_ms(-86_400_000), now);
        let request = MetricsRequest { keys: vec![metric.key], range, max_points: 100 };
        let values = reader.listed_values(&request).await.unwrap();
        let known = values.table.columns[0].iter().filter(|value| !value.is_nan()).count();
        // Two hours without instances would not fail this; no history would.
        known > 80
    })
    .await;
    collector.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn metric_history_is_filled_once_and_a_restart_asks_only_for_what_is_new() {
    let bench = Bench::frozen().await;
    let options = CollectorOptions {
        metrics: MetricsPolicy { backfill_days: 1, ..MetricsPolicy::default() },
        ..every(BRISK_MS, &bench)
    };
    let gateway = bench.gateway().await;
    let collector = start_with(options.clone(), &bench, &gateway).await;
    // A Region that has not discovered its metrics yet has no backfill either, so wait for its requests first.
    eventually("every Region asks for history, after its newest samples", || async {
        let usage = gateway.usage().operations;
        let fresh = |region: &Region| {
            let of = usage.iter().filter(|it| it.operation == "GetMetricData" && it.region == *region);
            of.map(|it| it.calls - it.retries).sum::<u64>()
        };
        bench.regions().iter().all(|region| fresh(region) >= 2)
    })
    .await;
    let mut told = collector.health();
    for _ in 0..3 {
        told.changed().await.unwrap();
    }
    eventually("all history is read", || async {
        let health = collector.health().borrow().clone();
        health.cloudwatch_metrics_today > 0 && health.backfill.is_none()
    })
    .await;
    collector.stop().await;
    let first = gateway.usage().cloudwatch_metrics_requested;
    let bench = bench.reopen().await;
    let again = bench.gateway().await;
    let restarted = (bench.moving_clock())();
    let collector = start_with(options, &bench, &again).await;
    assert_eq!(collector.health().borrow().cloudwatch_metrics_today, first, "the day's use is on record");
    eventually("the newest samples of every Region are read", || async {
        let newest = PollSubject { kind: PollKind::Metrics, resource: String::new() };
        let line = |region| bench.store.reader().poll(region, &newest);
        let regions = bench.regions();
        regions.iter().all(|region| line(region).and_then(|it| it.confirmed_at) >= Some(restarted))
    })
    .await;
    // By then, any history that a Region considers missing shows as backfill, and would be read to its end.
    let mut told = collector.health();
    for _ in 0..3 {
        told.changed().await.unwrap();
    }
    told.wait_for(|health| health.backfill.is_none()).await.unwrap();
    let series = again.usage().cloudwatch_metrics_requested;
    assert!(series <= first / 2, "{series} metrics after a restart, {first} at first");
    collector.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn expired_credentials_are_a_state_with_a_remedy_and_not_a_storm() {
    let credentials = Credentials { expired: ["AKIDTEST".to_owned()].into(), ..Credentials::default() };
    let options =
        SimulatorOptions { speed: 0.0, throttle: false, credentials, ..SimulatorOptions::default() };
    let bench = Bench::over(options).await;
    let gateway = bench.gateway().await;
    let collector = start_with(every(1_000, &bench), &bench, &gateway).await;
    let state = || async { collector.health().borrow().state == HealthState::CredentialsExpired };
    eventually("the state says so", state).await;
    assert!(collector.health().borrow().remedy.as_ref().unwrap().contains("aws sso login"));
    // Health is published about once a second.
    let mut told = collector.health();
    for _ in 0..3 {
        told.changed().await.unwrap();
    }
    let before = total(&gateway);
    assert!(before < 60, "{before} calls in three seconds without credentials");
    collector.retry_now();
    eventually("trying again asks at once", || async { total(&gateway) > before }).await;
    collector.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_region_away_is_unreachable_until_it_is_back_and_the_others_go_on() {
    let bench = Bench::frozen().await;
    let away = bench.regions()[0].clone();
    let reset = FaultRule {
        operation: "gamelift:*".to_owned(),
        region: away.as_str().to_owned(),
        kind: FaultKind::Reset,
        ..FaultRule::default()
    };
    bench.faults(&[reset]).await;
    let collector = start(&bench).await;
    let state_of = |index: usize| collector.health().borrow().regions[index].state;
    eventually("the Region is away", || async { state_of(0) == HealthState::Unreachable }).await;
    eventually("another one lives", || async { state_of(1) == HealthState::Live }).await;
    eventually("it is named", || async {
        let health = collector.health().borrow().clone();
        health.message.is_some_and(|message| message.starts_with(away.as_str()))
    })
    .await;
    bench.faults(&[]).await;
    collector.retry_now();
    eventually("the Region is back", || async { state_of(0) == HealthState::Live }).await;
    follows(&bench).await;
    collector.stop().await;
}

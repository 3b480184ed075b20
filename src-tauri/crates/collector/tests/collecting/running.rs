//! The running collection: follows the world, survives trouble, stops when told.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use liftdeck_collector::{
    Cadence, Clock, Collector, CollectorOptions, Focus, HealthState, MetricsPolicy, Pace,
};
use liftdeck_gateway::Gateway;
use liftdeck_model::Timestamp;
use liftdeck_model::observation::PollKind;
use liftdeck_simulator::{Credentials, FaultKind, FaultRule, SimulatorOptions};

use crate::harness::{Bench, eventually};

/// The schedule needs a clock that moves even when the world stands still.
fn wall() -> Clock {
    Arc::new(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        Timestamp::from_ms(i64::try_from(now.as_millis()).unwrap())
    })
}

fn brisk(bench: &Bench) -> CollectorOptions {
    let second = Pace { on_screen_ms: 1_000, otherwise_ms: 1_000 };
    let cadence = [PollKind::Fleets, PollKind::GameSessions, PollKind::PlayerSessions]
        .into_iter()
        .fold(Cadence::default(), |cadence, kind| cadence.with(kind, second));
    CollectorOptions { cadence, event_queues: bench.queues(), ..bench.options() }
}

async fn start(bench: &Bench) -> Collector {
    start_on(bench, &bench.gateway().await).await
}

async fn start_on(bench: &Bench, gateway: &Gateway) -> Collector {
    let (writer, reader) = (bench.store.writer().unwrap(), bench.store.reader());
    Collector::start(brisk(bench), gateway, writer, reader, wall()).await.unwrap()
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

#[tokio::test(flavor = "multi_thread")]
async fn it_follows_the_world_and_stops_when_told() {
    let bench = Bench::frozen().await;
    let collector = start(&bench).await;
    follows(&bench).await;
    eventually("healthy", || async { collector.health().borrow().state == HealthState::Live }).await;
    bench.advance(Duration::from_secs(300)).await;
    follows(&bench).await;
    let feeds = collector.health().borrow().feeds.clone();
    assert!(feeds.iter().all(|feed| feed.received > 0 && feed.message.is_none()), "{feeds:?}");
    let begun = Instant::now();
    let health = collector.health();
    collector.stop().await;
    assert!(begun.elapsed() < Duration::from_secs(4));
    assert_eq!(health.borrow().state, HealthState::Stopped);
    let calls = bench.calls().await;
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    assert_eq!(bench.calls().await, calls, "nothing is asked after the stop");
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

#[tokio::test(flavor = "multi_thread")]
async fn metric_history_is_filled_once_and_a_restart_asks_only_for_what_is_new() {
    let bench = Bench::frozen().await;
    let options = CollectorOptions {
        metrics: MetricsPolicy { backfill_days: 1, ..MetricsPolicy::default() },
        ..brisk(&bench)
    };
    let gateway = bench.gateway().await;
    let (writer, reader) = (bench.store.writer().unwrap(), bench.store.reader());
    let collector = Collector::start(options.clone(), &gateway, writer, reader, wall()).await.unwrap();
    eventually("all history is read", || async {
        let health = collector.health().borrow().clone();
        health.cloudwatch_metrics_today > 0 && health.backfill.is_none()
    })
    .await;
    collector.stop().await;
    let first = gateway.usage().cloudwatch_metrics_requested;
    let bench = bench.reopen().await;
    let again = bench.gateway().await;
    let (writer, reader) = (bench.store.writer().unwrap(), bench.store.reader());
    let collector = Collector::start(options, &again, writer, reader, wall()).await.unwrap();
    assert_eq!(collector.health().borrow().cloudwatch_metrics_today, first, "the day's use is on record");
    eventually("the newest samples are asked for", || async {
        again.usage().cloudwatch_metrics_requested > 0
    })
    .await;
    tokio::time::sleep(Duration::from_secs(2)).await;
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
    let collector = start_on(&bench, &gateway).await;
    let state = || async { collector.health().borrow().state == HealthState::CredentialsExpired };
    eventually("the state says so", state).await;
    assert!(collector.health().borrow().remedy.as_ref().unwrap().contains("aws sso login"));
    tokio::time::sleep(Duration::from_secs(3)).await;
    let total = || gateway.usage().operations.iter().map(|usage| usage.calls).sum::<u64>();
    let before = total();
    assert!(before < 60, "{before} calls in three seconds without credentials");
    collector.retry_now();
    eventually("trying again asks at once", || async { total() > before }).await;
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
    assert!(collector.health().borrow().message.as_ref().unwrap().starts_with(away.as_str()));
    bench.faults(&[]).await;
    collector.retry_now();
    eventually("the Region is back", || async { state_of(0) == HealthState::Live }).await;
    follows(&bench).await;
    collector.stop().await;
}

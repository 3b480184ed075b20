//! The event feed: stored before deleted, nothing lost by a crash in between, rubbish kept aside.

use std::collections::BTreeMap;
use std::time::Duration;

use liftdeck_collector::{CollectorOptions, Summary};
use liftdeck_simulator::{FaultKind, FaultRule, SimulatorOptions};

use crate::harness::Bench;

/// The same world each time, so that two benches hold the same events.
async fn bench() -> Bench {
    let options = SimulatorOptions {
        speed: 0.0,
        throttle: false,
        start_ms: Some(1_772_619_330_000),
        ..SimulatorOptions::default()
    };
    Bench::over(options).await
}

/// The feeds alone.
fn options(bench: &Bench) -> CollectorOptions {
    CollectorOptions {
        regions: Vec::new(),
        event_queues: bench.queues(),
        feed_visibility: Duration::from_secs(2),
        ..bench.options()
    }
}

fn events(rows: &BTreeMap<String, u64>) -> u64 {
    ["placement_events", "matchmaking_events"].iter().filter_map(|kind| rows.get(*kind)).sum()
}

fn sum(summary: &Summary, of: fn(&liftdeck_collector::FeedHealth) -> u64) -> u64 {
    summary.feeds.iter().map(of).sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crash_between_commit_and_deletion_loses_nothing_and_counts_duplicates() {
    let whole = {
        let bench = bench().await;
        bench.once(options(&bench)).await
    };
    assert!(events(&whole.rows) > 100 && whole.is_complete());

    let bench = bench().await;
    let deletion = FaultRule {
        operation: "sqs:DeleteMessageBatch".to_owned(),
        kind: FaultKind::Reset,
        ..FaultRule::default()
    };
    bench.faults(&[deletion]).await;
    let broken = bench.once(options(&bench)).await;
    assert!(!broken.is_complete());
    assert!(events(&broken.rows) > 0, "what was received is stored though it could not be deleted");
    bench.faults(&[]).await;
    let bench = bench.reopen().await;
    tokio::time::sleep(Duration::from_millis(2_200)).await;
    let rest = bench.once(options(&bench)).await;
    assert!(rest.is_complete(), "{:?}", rest.failures);
    assert_eq!(sum(&rest, |feed| feed.duplicates), events(&broken.rows));
    assert_eq!(events(&broken.rows) + events(&rest.rows), events(&whole.rows));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_lost_on_the_way_comes_again() {
    let bench = bench().await;
    let lost = FaultRule {
        operation: "sqs:ReceiveMessage".to_owned(),
        kind: FaultKind::Truncate,
        count: Some(2),
        ..FaultRule::default()
    };
    bench.faults(&[lost]).await;
    let first = bench.once(options(&bench)).await;
    tokio::time::sleep(Duration::from_millis(2_200)).await;
    let second = bench.once(options(&bench)).await;
    let undisturbed = {
        let other = self::bench().await;
        other.once(options(&other)).await
    };
    assert_eq!(events(&first.rows) + events(&second.rows), events(&undisturbed.rows));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_is_kept_aside_and_holds_up_nothing() {
    let bench = bench().await;
    let queue = bench.queues().remove(0);
    let rubbish = ["not json", "{}", r#"{"detail-type":"GameLift Queue Placement Event","detail":{}}"#];
    for body in rubbish {
        bench.send(&queue, body).await;
    }
    let summary = bench.once(options(&bench)).await;
    assert!(summary.is_complete(), "{:?}", summary.failures);
    assert_eq!(summary.rows["quarantined_messages"], 3);
    assert_eq!(sum(&summary, |feed| feed.quarantined), 3);
    assert_eq!(sum(&summary, |feed| feed.received), events(&summary.rows) + 3);
    let again = bench.once(options(&bench)).await;
    assert_eq!(sum(&again, |feed| feed.received), 0, "the queue is empty");
}

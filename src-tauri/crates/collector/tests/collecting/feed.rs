//! The event feed: stored before deleted, nothing lost by a crash in between, rubbish kept aside.

use std::collections::BTreeMap;
use std::time::Duration;

use liftdeck_collector::{CollectorOptions, Summary};
use liftdeck_simulator::{FaultKind, FaultRule, SimulatorOptions};

use crate::harness::{Bench, eventually};

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

/// The feeds alone. What they receive is nobody else's for as long as a pass may last.
fn options(bench: &Bench) -> CollectorOptions {
    CollectorOptions {
        regions: Vec::new(),
        event_queues: bench.queues(),
        feed_visibility: Duration::from_mins(10),
        ..bench.options()
    }
}

/// The feeds alone; what they leave behind comes again soon.
fn forgetful(bench: &Bench) -> CollectorOptions {
    CollectorOptions { feed_visibility: Duration::from_secs(2), ..options(bench) }
}

/// Waits until every message that was received and not deleted can be received again.
async fn all_come_again(bench: &Bench) {
    let gateway = bench.gateway().await;
    for queue in bench.queues() {
        let feed = gateway.event_feed(&queue).unwrap();
        eventually("what was not deleted comes again", || async {
            feed.attributes().await.unwrap().in_flight == 0
        })
        .await;
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
    let broken = bench.once(forgetful(&bench)).await;
    assert!(!broken.is_complete());
    assert!(events(&broken.rows) > 0, "what was received is stored though it could not be deleted");
    bench.faults(&[]).await;
    let bench = bench.reopen().await;
    all_come_again(&bench).await;
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
    let first = bench.once(forgetful(&bench)).await;
    all_come_again(&bench).await;
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

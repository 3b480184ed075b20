//! The event feed: messages are stored before they are deleted, a crash in between loses nothing, and rubbish is put
//! aside.

use std::collections::BTreeMap;
use std::time::Duration;

use liftdeck_collector::{Collector, CollectorOptions, FeedHealth, FeedState, Summary};
use liftdeck_gateway::EventQueue;
use liftdeck_model::Region;
use liftdeck_model::feed::{ForeignBodies, QuarantineReason};
use liftdeck_simulator::{FaultKind, FaultRule, SimulatorOptions};
use serde_json::{Value, json};

use crate::harness::{Bench, eventually};

/// The same world each time, so that two benches hold the same events.
async fn bench() -> Bench {
    let options = SimulatorOptions {
        speed: 0.0,
        throttle: false,
        start_ms: Some(1_772_619_330_000),
        ..SimulatorOptions::default()
    };
    let bench = Bench::over(options).await;
    bench.adopt(&bench.queues(), ForeignBodies::Leave).await;
    bench
}

/// Options with the feeds. Received messages stay hidden for as long as a pass may last.
fn options(bench: &Bench) -> CollectorOptions {
    CollectorOptions {
        event_queues: bench.queues(),
        feed_visibility: Duration::from_mins(10),
        ..bench.options()
    }
}

/// Options with which undeleted messages are soon delivered again.
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

fn sum(summary: &Summary, of: fn(&FeedHealth) -> u64) -> u64 {
    summary.feeds.iter().map(of).sum()
}

/// Events that are rows by the end of a pass, including those that first had to be confirmed.
fn kept(feed: &FeedHealth) -> u64 {
    feed.stored + feed.unconfirmed
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crash_between_commit_and_deletion_loses_nothing_and_counts_duplicates() {
    let whole = {
        let bench = bench().await;
        bench.once(options(&bench)).await
    };
    assert!(events(&whole.rows) > 100 && whole.is_complete());
    assert_eq!(sum(&whole, kept), events(&whole.rows));

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
    assert!(broken.feeds.iter().any(|feed| feed.message.is_some()), "{:?}", broken.feeds);
    bench.faults(&[]).await;
    let bench = bench.reopen().await;
    all_come_again(&bench).await;
    let rest = bench.once(options(&bench)).await;
    assert!(rest.is_complete(), "{:?}", rest.failures);
    assert_eq!(sum(&rest, |feed| feed.duplicates), events(&broken.rows));
    assert_eq!(sum(&rest, kept), events(&rest.rows));
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
async fn a_pass_outlasts_a_queue_that_fails_for_a_while_and_gives_up_on_one_that_never_answers() {
    let bench = alone().await;
    let queue = shop(&bench, 0, json!({})).await;
    bench.adopt(std::slice::from_ref(&queue), ForeignBodies::Leave).await;
    bench.send(&queue, &event("a", &queue.region, "no-such-queue", "111122223333")).await;
    let failing = FaultRule {
        operation: "sqs:ReceiveMessage".to_owned(),
        kind: FaultKind::Status,
        ..FaultRule::default()
    };
    bench.faults(std::slice::from_ref(&failing)).await;
    let summary = bench.once(with(&bench, &queue)).await;
    assert!(!summary.is_complete());
    assert_eq!(summary.calls["ReceiveMessage"].calls, 4, "three failures are outlasted");
    assert_eq!(depth(&bench, &queue).await, 1);
    bench.faults(&[FaultRule { count: Some(3), ..failing }]).await;
    let summary = bench.once(with(&bench, &queue)).await;
    assert!(summary.is_complete(), "{:?}", summary.failures);
    assert_eq!(depth(&bench, &queue).await, 0);
}

/// Creates a queue that is not an event queue, with messages of another program in it.
async fn shop(bench: &Bench, messages: usize, attributes: Value) -> EventQueue {
    let region = bench.queues().remove(0).region;
    let queue = bench.make_queue(&region, "orders", attributes).await;
    for number in 0..messages {
        bench.send(&queue, &format!(r#"{{"order": {number}}}"#)).await;
    }
    queue
}

/// How many messages a queue has, including those in flight or delayed.
async fn depth(bench: &Bench, queue: &EventQueue) -> u64 {
    let attributes = bench.gateway().await.event_feed(queue).unwrap().attributes().await.unwrap();
    attributes.waiting + attributes.in_flight + attributes.delayed
}

fn with(bench: &Bench, queue: &EventQueue) -> CollectorOptions {
    let regions = vec![queue.region.clone()];
    CollectorOptions { regions, event_queues: vec![queue.clone()], ..options(bench) }
}

/// A world in which no queue is adopted.
async fn alone() -> Bench {
    Bench::frozen().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_queue_nobody_adopted_is_not_received_from() {
    let bench = alone().await;
    let queue = shop(&bench, 25, json!({})).await;
    let summary = bench.once(with(&bench, &queue)).await;
    assert!(summary.is_complete(), "{:?}", summary.failures);
    assert_eq!(summary.feeds[0].state, FeedState::NotAdopted);
    assert_eq!(summary.feeds[0].waiting, Some(25));
    assert!(summary.feeds[0].notes()[0].contains("liftdeck feed adopt"));
    assert!(!summary.calls.contains_key("ReceiveMessage"), "{:?}", summary.calls);
    let got = bench.sqs(&queue, "ReceiveMessage", json!({ "AttributeNames": ["All"] })).await;
    assert_eq!(got["Messages"][0]["Attributes"]["ApproximateReceiveCount"], "1", "ours is the first receive");
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_of_others_stay_in_an_adopted_queue_and_events_beside_them_are_taken() {
    let bench = alone().await;
    let queue = shop(&bench, 25, json!({})).await;
    let region = queue.region.clone();
    let arena = bench.truth(&region).await["GameSessionQueues"][0]["Name"].as_str().unwrap().to_owned();
    bench.adopt(std::slice::from_ref(&queue), ForeignBodies::Leave).await;
    bench.send(&queue, &event("ours", &region, &arena, "111122223333")).await;
    bench.send(&queue, &event("theirs", &region, &arena, "999900001111")).await;
    let summary = bench.once(with(&bench, &queue)).await;
    assert!(summary.is_complete(), "{:?}", summary.failures);
    assert_eq!(events(&summary.rows), 1);
    assert_eq!((sum(&summary, |feed| feed.received), sum(&summary, |feed| feed.left)), (27, 26));
    assert!(summary.feeds[0].last_message.is_some(), "one of them was ours");
    assert_eq!(depth(&bench, &queue).await, 26);
    let attributes = bench.gateway().await.event_feed(&queue).unwrap().attributes().await.unwrap();
    assert_eq!(attributes.in_flight, 0, "they were given back at the end");
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_of_others_are_kept_whole_and_deleted_when_the_adopter_chose_that() {
    let bench = alone().await;
    let queue = shop(&bench, 25, json!({})).await;
    bench.send(&queue, &"x".repeat(300_000)).await;
    bench.adopt(std::slice::from_ref(&queue), ForeignBodies::SetAside).await;
    let summary = bench.once(with(&bench, &queue)).await;
    assert_eq!(sum(&summary, |feed| feed.quarantined), 25);
    let (left, no_room) = (sum(&summary, |feed| feed.left), sum(&summary, |feed| feed.no_room));
    assert_eq!((left, no_room), (1, 1), "what is too large stays in the queue");
    assert_eq!(depth(&bench, &queue).await, 1);
    let kept = bench.store.reader().aside(None, 100, 100).await.unwrap();
    let mut bodies: Vec<&str> = kept.iter().map(|message| message.body.as_str()).collect();
    bodies.sort_unstable();
    bodies.dedup();
    assert_eq!(bodies.len(), 25);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_queue_with_a_dead_letter_rule_is_halted_before_it_moves_messages_of_others() {
    let bench = alone().await;
    let region = bench.queues().remove(0).region;
    let dead = bench.make_queue(&region, "dead", json!({})).await;
    let arn = bench.gateway().await.event_feed(&dead).unwrap().attributes().await.unwrap().arn.unwrap();
    let rule = json!({ "deadLetterTargetArn": arn, "maxReceiveCount": 2 }).to_string();
    let queue = shop(&bench, 0, json!({ "RedrivePolicy": rule })).await;
    bench.adopt(std::slice::from_ref(&queue), ForeignBodies::Leave).await;
    bench.send(&queue, r#"{"order": 1}"#).await;
    for _ in 0..3 {
        let summary = bench.once(with(&bench, &queue)).await;
        assert_eq!(summary.feeds[0].state, FeedState::Halted);
        assert_eq!(summary.feeds[0].last_message, None, "none of them was ours");
    }
    assert_eq!(depth(&bench, &dead).await, 0);
    let got = bench.sqs(&queue, "ReceiveMessage", json!({ "AttributeNames": ["All"] })).await;
    assert_eq!(
        got["Messages"][0]["Attributes"]["ApproximateReceiveCount"], "2",
        "it was received once by us"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_queue_made_anew_under_the_same_url_is_not_the_one_that_was_adopted() {
    let bench = alone().await;
    let queue = shop(&bench, 0, json!({})).await;
    bench.adopt(std::slice::from_ref(&queue), ForeignBodies::SetAside).await;
    let mut adoption = bench.store.reader().adoptions().await.unwrap().remove(0);
    adoption.queue_created_at = adoption.queue_created_at.plus_ms(-5_000);
    bench.store.writer().unwrap().adopt_queue(adoption).await.unwrap();
    bench.send(&queue, r#"{"order": 1}"#).await;
    let summary = bench.once(with(&bench, &queue)).await;
    assert_eq!(summary.feeds[0].state, FeedState::NotAdopted);
    assert_eq!(depth(&bench, &queue).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_names_what_nobody_knows_is_kept_and_invents_nothing() {
    let bench = alone().await;
    let queue = shop(&bench, 0, json!({})).await;
    bench.adopt(std::slice::from_ref(&queue), ForeignBodies::Leave).await;
    let mars = Region::from("mars-north-1");
    bench.send(&queue, &event("a", &mars, "arena", "111122223333")).await;
    bench.send(&queue, &event("b", &queue.region, "no-such-queue", "111122223333")).await;
    let summary = bench.once(with(&bench, &queue)).await;
    assert_eq!((events(&summary.rows), sum(&summary, |feed| feed.unconfirmed)), (0, 2));
    assert_eq!(depth(&bench, &queue).await, 0, "they are durable, so they are deleted");
    let regions = bench.store.reader().regions().await.unwrap();
    assert!(!regions.contains(&mars), "{regions:?}");
    let kept = bench.store.reader().aside(None, 10, 1_000).await.unwrap();
    assert!(kept.iter().all(|message| message.reason == QuarantineReason::Unconfirmed));
    assert!(kept[1].detail.contains("the queue arena in mars-north-1"), "{}", kept[1].detail);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_reader_of_an_adopted_queue_is_noticed() {
    let bench = alone().await;
    let queue = shop(&bench, 0, json!({})).await;
    bench.adopt(std::slice::from_ref(&queue), ForeignBodies::Leave).await;
    for number in 0..40 {
        bench.send(&queue, &event(&format!("n{number}"), &queue.region, "nowhere", "111122223333")).await;
    }
    for _ in 0..12 {
        let look = json!({ "MaxNumberOfMessages": 10, "VisibilityTimeout": 0 });
        bench.sqs(&queue, "ReceiveMessage", look).await;
    }
    let summary = bench.once(with(&bench, &queue)).await;
    let other = summary.feeds[0].other_reader.expect("120 deliveries were not ours");
    assert!(other.deliveries >= 3);
    assert!(summary.feeds[0].notes()[0].contains("Another reader"), "{:?}", summary.feeds[0].notes());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_collection_waits_for_the_adoption_and_takes_what_comes_from_then_on() {
    let bench = alone().await;
    let queue = shop(&bench, 0, json!({})).await;
    let gateway = bench.gateway().await;
    let collector = Collector::start(
        with(&bench, &queue),
        &gateway,
        bench.store.writer().unwrap(),
        bench.store.reader(),
        bench.moving_clock(),
    );
    let collector = Box::pin(collector).await.unwrap();
    let health = collector.health();
    let is = |state| {
        let health = health.clone();
        async move { health.borrow().feeds[0].state == state }
    };
    eventually("it says that nobody adopted it", || is(FeedState::NotAdopted)).await;
    eventually("the Region is read meanwhile", || async {
        health.borrow().regions[0].last_success.is_some()
    })
    .await;
    bench.adopt(std::slice::from_ref(&queue), ForeignBodies::Leave).await;
    eventually("it receives", || is(FeedState::Receiving)).await;
    let looks = async || {
        let calls = bench.calls().await;
        calls[queue.region.as_str()]["sqs:GetQueueAttributes"]["calls"].as_u64().unwrap()
    };
    let before = looks().await;
    assert!(before < 20, "it asks again and again while it waits: {before}");
    for number in 1..=20 {
        let id = format!("early-{number}");
        bench.send(&queue, &event(&id, &queue.region, "nowhere", "111122223333")).await;
        eventually("it is received", || async { health.borrow().feeds[0].received >= number }).await;
    }
    assert!(looks().await < before + 10, "an answer holds for more than one receive");
    bench.send(&queue, &event("late", &queue.region, "nowhere", "111122223333")).await;
    eventually("what comes while it runs is taken", || async { depth(&bench, &queue).await == 0 }).await;
    collector.stop().await;
}

fn event(id: &str, region: &Region, queue: &str, account: &str) -> String {
    json!({
        "version": "0", "id": format!("event-{id}"), "detail-type": "GameLift Queue Placement Event",
        "source": "aws.gamelift", "account": account, "time": "2026-03-04T10:15:54Z", "region": region,
        "resources": [format!("arn:aws:gamelift:{region}:{account}:gamesessionqueue/{queue}")],
        "detail": {"type": "PlacementTimedOut", "placementId": format!("story-{id}"),
            "startTime": "2026-03-04T10:15:24.117Z", "endTime": "2026-03-04T10:15:54.120Z"}
    })
    .to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_of_our_own_that_is_not_understood_is_kept_aside_and_holds_up_nothing() {
    let bench = bench().await;
    let queue = bench.queues().remove(0);
    let unknown = event("odd", &queue.region, "arena", "111122223333");
    bench.send(&queue, &unknown.replace("PlacementTimedOut", "PlacementPostponed")).await;
    bench.send(&queue, &unknown.replace("placementId", "placement")).await;
    let summary = bench.once(options(&bench)).await;
    assert!(summary.is_complete(), "{:?}", summary.failures);
    assert_eq!(sum(&summary, |feed| feed.quarantined - feed.unconfirmed), 2);
    let again = bench.once(options(&bench)).await;
    assert_eq!(sum(&again, |feed| feed.received), 0, "the queue is empty");
}

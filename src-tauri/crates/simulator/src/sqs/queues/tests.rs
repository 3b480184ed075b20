//! Tests of blocked names, message retention and concurrent senders.

use std::collections::BTreeMap;

use super::super::queue::{Order, Sent};
use super::*;

#[test]
fn a_deleted_queue_s_name_rests_for_its_pause_and_no_longer() {
    let (queues, now, pause) = (
        Queues::new("http://here", "1", ["r"].into_iter(), None, 0, Pace::default()),
        Instant::now(),
        Duration::from_secs(60),
    );
    queues.remove("r", "never-there", now);
    assert!(!queues.was_deleted("r", "never-there", now, pause));
    queues.remove("r", &event_queue("r"), now);
    let rests = |after: Duration| queues.was_deleted("r", &event_queue("r"), now + after, pause);
    assert!(rests(Duration::ZERO) && rests(pause - Duration::from_millis(1)) && !rests(pause));
}

#[test]
fn a_queue_nobody_reads_keeps_messages_no_longer_than_one_that_is_read() {
    let queues = Queues::new("http://here", "1", ["r"].into_iter(), None, 0, Pace::default());
    let queue = queues.events("r").unwrap();
    let sent = |at_ms: i64| Sent {
        id: at_ms.to_string(),
        body: "x".into(),
        attributes: BTreeMap::new(),
        at_ms,
        order: None,
        source: None,
    };
    let kept_ms = queue.settings(Settings::retention_ms);
    queue.send(vec![sent(0), sent(1), sent(kept_ms)], None);
    assert_eq!(queue.with(|messages, _| messages.depth()), (2, 0, 0));
}

#[test]
fn who_sends_the_same_to_a_fifo_queue_at_once_is_told_the_same() {
    let queues = Queues::new("http://here", "1", ["r"].into_iter(), None, 0, Pace::default());
    let queue = queues.events("r").unwrap();
    let order = Order { group: "g".to_owned(), deduplication: "d".to_owned() };
    let sent = |id: usize| Sent {
        id: id.to_string(),
        body: "x".into(),
        attributes: BTreeMap::new(),
        at_ms: 0,
        order: Some(order.clone()),
        source: None,
    };
    let told: Vec<(String, u64)> = std::thread::scope(|scope| {
        let senders: Vec<_> = (0..16)
            .map(|id| {
                let (queue, sent) = (&queue, &sent);
                scope.spawn(move || queue.take(sent(id), None))
            })
            .collect();
        senders.into_iter().map(|sender| sender.join().unwrap()).collect()
    });
    assert!(told.iter().all(|one| *one == told[0]), "{told:?}");
    assert_eq!(queue.with(|messages, _| messages.depth()), (1, 0, 0));
}

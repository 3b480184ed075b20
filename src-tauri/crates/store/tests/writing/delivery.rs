//! The outbox: handed over with the alert, durable before an attempt, one message where several would say the same.

use liftdeck_model::alert::{AlertRecord, AlertState};
use liftdeck_model::channel::{Channel, ChannelKind, Place as Found};
use liftdeck_model::notification::{Message, Notification, NotificationState, ToldMark};
use liftdeck_model::silence::{Matchers, Silence};
use liftdeck_model::{Severity, Timestamp};
use liftdeck_store::{AlertChanges, AttemptEnd, Queued, StoreError};

use crate::fixture::{NOW, Place};

fn channel(name: &str) -> Channel {
    Channel {
        name: name.to_owned(),
        kind: ChannelKind::Webhook,
        address: Found::Environment("HOOK".to_owned()),
        signing_key: None,
        endpoint: None,
        least_severity: Severity::Warning,
        rules: Vec::new(),
        regions: Vec::new(),
        is_on: true,
    }
}

fn alert() -> AlertRecord {
    AlertRecord {
        id: "alert-1".into(),
        rule: "crashes".to_owned(),
        subject: "fleet-1".to_owned(),
        region: None,
        fleet_id: None,
        severity: Severity::Bad,
        state: AlertState::Firing,
        since: NOW,
        seen_at: NOW,
        fired_at: Some(NOW),
        clear_since: None,
        unknown_since: None,
        ended_at: None,
        acknowledged: None,
        document: String::new(),
    }
}

fn mark() -> ToldMark {
    ToldMark {
        channel: "on call".to_owned(),
        alert_id: "alert-1".into(),
        severity: Severity::Bad,
        acknowledged: false,
        at: NOW,
    }
}

fn message(id: &str) -> Notification {
    Notification {
        id: id.into(),
        channel: "on call".to_owned(),
        topic: "crashes".to_owned(),
        state: NotificationState::Waiting,
        queued_at: NOW,
        due_at: NOW,
        attempts: 0,
        may_be_repeat: false,
        ended_at: None,
        detail: None,
        message: Message { alerts: Vec::new() },
    }
}

fn queued(id: &str, supersedes: &[&str]) -> AlertChanges {
    let queued = Queued {
        notification: message(id),
        supersedes: supersedes.iter().map(|id| (*id).into()).collect(),
        told: vec![mark()],
        closed: Vec::new(),
    };
    AlertChanges { put: vec![(alert(), Vec::new())], forget: Vec::new(), tell: vec![queued] }
}

fn end(state: NotificationState, at: Timestamp) -> AttemptEnd {
    AttemptEnd { at, state, due_at: at, may_be_repeat: false, detail: None, untold: Vec::new() }
}

#[tokio::test]
async fn what_is_to_be_told_is_written_with_the_alert_or_not_at_all() {
    let place = Place::new();
    let store = place.open().await;
    let writer = store.writer().unwrap();
    writer.put_channel(channel("on call")).await.unwrap();
    writer.change_alerts(queued("message-1", &[])).await.unwrap();
    let refused = writer.change_alerts(queued("message-1", &[])).await;
    assert!(refused.is_err(), "a message is handed over once: {refused:?}");
    store.close().await;
    let store = place.open().await;
    let reader = store.reader();
    assert_eq!(reader.open_notifications().await.unwrap(), [message("message-1")]);
    assert_eq!(reader.told().await.unwrap(), [mark()]);
    store.close().await;
}

#[tokio::test]
async fn an_attempt_that_a_kill_cut_off_is_due_again_as_one_that_may_have_arrived() {
    let place = Place::new();
    let store = place.open().await;
    let writer = store.writer().unwrap();
    writer.put_channel(channel("on call")).await.unwrap();
    writer.change_alerts(queued("message-1", &[])).await.unwrap();
    writer.begin_attempt(&"message-1".into()).await.unwrap();
    let twice = writer.begin_attempt(&"message-1".into()).await;
    assert!(matches!(twice, Err(StoreError::Unrecorded { .. })), "{twice:?}");
    store.close().await;
    let store = place.open().await;
    let (reader, writer) = (store.reader(), store.writer().unwrap());
    assert_eq!(reader.open_notifications().await.unwrap()[0].state, NotificationState::Sending);
    writer.resume_attempts().await.unwrap();
    let again = reader.open_notifications().await.unwrap().remove(0);
    assert_eq!(again, Notification { attempts: 1, may_be_repeat: true, ..message("message-1") });
    writer.begin_attempt(&again.id).await.unwrap();
    writer.end_attempt(&again.id, end(NotificationState::Delivered, NOW.plus_ms(5))).await.unwrap();
    writer.resume_attempts().await.unwrap();
    assert!(reader.open_notifications().await.unwrap().is_empty(), "what was delivered stays so");
    let kept = reader.notification(&again.id).await.unwrap().unwrap();
    assert_eq!((kept.attempts, kept.ended_at), (2, Some(NOW.plus_ms(5))));
    store.close().await;
}

#[tokio::test]
async fn a_later_message_takes_the_place_of_one_that_waits_and_is_left_out_when_that_is_being_sent() {
    let place = Place::new();
    let store = place.open().await;
    let (reader, writer) = (store.reader(), store.writer().unwrap());
    writer.put_channel(channel("on call")).await.unwrap();
    writer.change_alerts(queued("message-1", &[])).await.unwrap();
    writer.change_alerts(queued("message-2", &["message-1"])).await.unwrap();
    let open = async || -> Vec<String> {
        let open = reader.open_notifications().await.unwrap();
        open.iter().map(|one| one.id.to_string()).collect()
    };
    assert_eq!(open().await, ["message-2"]);
    let later = |id: &str| {
        let mut changes = queued(id, &["message-2"]);
        changes.tell[0].told[0].at = NOW.plus_ms(1_000);
        changes
    };
    // An attempt that began after the look had read that the message waits, and one without an answer.
    writer.begin_attempt(&"message-2".into()).await.unwrap();
    writer.change_alerts(later("message-3")).await.unwrap();
    assert_eq!(open().await, ["message-2"]);
    let unanswered = AttemptEnd { may_be_repeat: true, ..end(NotificationState::Waiting, NOW) };
    writer.end_attempt(&"message-2".into(), unanswered).await.unwrap();
    writer.change_alerts(later("message-4")).await.unwrap();
    assert_eq!(open().await, ["message-2"]);
    assert_eq!(reader.told().await.unwrap(), [mark()], "the next look tells what is left to tell");
    store.close().await;
}

#[tokio::test]
async fn what_waits_for_another_attempt_is_due_once_its_channel_may_have_been_put_right() {
    let place = Place::new();
    let store = place.open().await;
    let (reader, writer) = (store.reader(), store.writer().unwrap());
    for name in ["on call", "other"] {
        writer.put_channel(channel(name)).await.unwrap();
    }
    let mut changes = queued("message-1", &[]);
    let mut other = changes.tell[0].clone();
    other.notification = Notification { channel: "other".to_owned(), ..message("message-2") };
    changes.tell.push(other);
    writer.change_alerts(changes).await.unwrap();
    let fail = async || {
        for id in ["message-1", "message-2"] {
            writer.begin_attempt(&id.into()).await.unwrap();
            writer
                .end_attempt(&id.into(), end(NotificationState::Waiting, NOW.plus_ms(9_000)))
                .await
                .unwrap();
        }
    };
    let due = async || {
        let mut open = reader.open_notifications().await.unwrap();
        open.sort_by(|one, other| one.id.as_str().cmp(other.id.as_str()));
        open.iter().map(|one| one.due_at.since_ms(NOW)).collect::<Vec<_>>()
    };
    fail().await;
    assert_eq!(due().await, [9_000, 9_000]);
    writer.put_channel(channel("on call")).await.unwrap();
    assert_eq!(due().await, [0, 9_000], "a channel that was changed");
    fail().await;
    writer.hurry_notifications("other").await.unwrap();
    assert_eq!(due().await, [9_000, 0], "a channel that took a test");
    writer.resume_attempts().await.unwrap();
    assert_eq!(due().await, [0, 0], "a start");
    store.close().await;
}

#[tokio::test]
async fn what_was_dropped_before_anybody_heard_of_it_no_longer_counts_as_told() {
    let place = Place::new();
    let store = place.open().await;
    let (reader, writer) = (store.reader(), store.writer().unwrap());
    writer.put_channel(channel("on call")).await.unwrap();
    writer.change_alerts(queued("message-1", &[])).await.unwrap();
    assert_eq!(reader.told().await.unwrap(), [mark()]);
    let dropped = AttemptEnd { untold: vec!["alert-1".into()], ..end(NotificationState::Superseded, NOW) };
    writer.end_attempt(&"message-1".into(), dropped).await.unwrap();
    assert!(reader.told().await.unwrap().is_empty());
    store.close().await;
}

#[tokio::test]
async fn a_channel_goes_with_what_waits_for_it_and_what_was_told_there() {
    let place = Place::new();
    let store = place.open().await;
    let (reader, writer) = (store.reader(), store.writer().unwrap());
    writer.put_channel(channel("on call")).await.unwrap();
    let off = Channel { is_on: false, ..channel("on call") };
    writer.put_channel(off.clone()).await.unwrap();
    assert_eq!(reader.channels().await.unwrap(), [off]);
    writer.change_alerts(queued("message-1", &[])).await.unwrap();
    writer.remove_channel("on call").await.unwrap();
    assert!(reader.channels().await.unwrap().is_empty());
    assert!(reader.told().await.unwrap().is_empty());
    assert!(reader.open_notifications().await.unwrap().is_empty());
    // A look that still knew the channel records its alerts all the same.
    writer.change_alerts(queued("message-2", &[])).await.unwrap();
    assert!(reader.open_notifications().await.unwrap().is_empty());
    store.close().await;
}

#[tokio::test]
async fn a_silence_ends_by_itself_or_early_and_is_kept() {
    let place = Place::new();
    let store = place.open().await;
    let (reader, writer) = (store.reader(), store.writer().unwrap());
    let silence = |id: &str, until_ms| Silence {
        id: id.into(),
        matchers: Matchers::default(),
        from: NOW,
        until: Some(NOW.plus_ms(until_ms)),
        author: "mia".to_owned(),
        reason: "load test".to_owned(),
        ended_at: None,
        ended_by: None,
    };
    writer.add_silence(silence("long", 9_000)).await.unwrap();
    writer.add_silence(silence("short", 1_000)).await.unwrap();
    let open = async |at_ms| reader.silences(NOW.plus_ms(at_ms)).await.unwrap().len();
    assert_eq!([open(0).await, open(1_000).await, open(9_000).await], [2, 1, 0]);
    writer.end_silence(&"long".into(), NOW.plus_ms(2_000), "tom").await.unwrap();
    assert_eq!([open(1_999).await, open(2_000).await], [1, 0]);
    let past = reader.past_silences(NOW.plus_ms(2_000)).await.unwrap();
    assert_eq!(past[0].ended_by.as_deref(), Some("tom"));
    assert_eq!(past.len(), 2);
    // One that is over stays as it is.
    writer.end_silence(&"short".into(), NOW.plus_ms(3_000), "tom").await.unwrap();
    assert_eq!(reader.past_silences(NOW.plus_ms(3_000)).await.unwrap()[1], silence("short", 1_000));
    store.close().await;
}

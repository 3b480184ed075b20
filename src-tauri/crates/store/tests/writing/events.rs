//! Events: recognised when they come again, durable when they are acknowledged.

use liftdeck_model::feed::{QuarantineReason, QuarantinedMessage};
use liftdeck_model::fleet::FleetEvent;
use liftdeck_model::matchmaking::{EventTicket, MatchmakingEvent};
use liftdeck_model::observation::Observation;
use liftdeck_model::placement::PlacementEventType;

use crate::fixture::{FLEET, NOW, Place, apply, placement, region, uuid};

#[tokio::test]
async fn a_placement_event_that_comes_again_is_counted_and_not_written() {
    let place = Place::new();
    let store = place.open().await;
    let mut timed_out = placement(1);
    timed_out.event_type = PlacementEventType::TimedOut;
    let first = vec![placement(1), placement(2), placement(1), timed_out];
    let applied = apply(&store, NOW, vec![Observation::PlacementEvents(first.clone())]).await;
    assert_eq!((applied.written.get("placement_events"), applied.duplicates), (Some(&3), 1));
    store.close().await;
    let store = place.open().await;
    let again = apply(&store, NOW.plus_ms(1), vec![Observation::PlacementEvents(first)]).await;
    assert_eq!((again.written.len(), again.duplicates, again.revision), (0, 4, 1));
    assert_eq!(place.number("SELECT count(*) FROM placement_event").await, 3);
    assert_eq!(place.number("SELECT count(*) FROM placement_player").await, 3);
    store.close().await;
}

#[tokio::test]
async fn matchmaking_events_and_quarantined_messages_are_recognised_by_their_ids() {
    let place = Place::new();
    let store = place.open().await;
    let matched = MatchmakingEvent {
        event_id: uuid(4, 1),
        event_type: "MatchmakingSucceeded".to_owned(),
        configuration: "arena-2v2".to_owned(),
        region: region(),
        event_time: NOW,
        match_id: None,
        reason: None,
        message: None,
        estimated_wait_seconds: Some(12),
        game_session_id: None,
        tickets: vec![EventTicket { ticket_id: "tk-1".into(), start_time: None, players: Vec::new() }],
    };
    let odd = QuarantinedMessage {
        message_id: "m-1".to_owned(),
        queue_url: "https://sqs/q".to_owned(),
        region: region(),
        received_at: NOW,
        reason: QuarantineReason::NotJson,
        detail: "expected value at line 1".to_owned(),
        body: "<html>".to_owned(),
    };
    let both = vec![Observation::MatchmakingEvents(vec![matched]), Observation::Quarantined(vec![odd])];
    let first = apply(&store, NOW, both.clone()).await;
    assert_eq!(first.written.get("matchmaking_events"), Some(&1));
    assert_eq!((first.written.get("quarantined_messages"), first.duplicates), (Some(&1), 0));
    let again = apply(&store, NOW, both).await;
    assert_eq!((again.written.len(), again.duplicates), (0, 2));
    store.close().await;
}

#[tokio::test]
async fn a_fleet_event_whose_count_grows_is_one_row() {
    let place = Place::new();
    let store = place.open().await;
    let event = |count| FleetEvent {
        event_id: uuid(5, 1),
        fleet_id: FLEET.into(),
        event_code: "FLEET_SCALING_EVENT".to_owned(),
        message: Some("scaled".to_owned()),
        event_time: NOW,
        count,
        has_log: false,
    };
    let seen = |count| vec![Observation::FleetEvents(FLEET.into(), vec![event(count)])];
    apply(&store, NOW, seen(1)).await;
    let same = apply(&store, NOW, seen(1)).await;
    assert!(same.written.is_empty(), "{same:?}");
    let grown = apply(&store, NOW, seen(4)).await;
    assert_eq!(grown.written.get("fleet_events"), Some(&1));
    assert_eq!(place.number("SELECT sum(count) FROM fleet_event").await, 4);
    store.close().await;
    let store = place.open().await;
    let same = apply(&store, NOW, seen(4)).await;
    assert!(same.written.is_empty(), "{same:?}");
    assert_eq!(
        store.reader().newest_fleet_event(&FLEET.into()).await.unwrap(),
        Some((NOW, vec![uuid(5, 1)]))
    );
    store.close().await;
}

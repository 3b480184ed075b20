//! Events: recognised when they come again, durable when they are acknowledged.

use liftdeck_model::feed::{
    Adoption, FeedEvent, ForeignBodies, LARGEST_ASIDE_BYTES, QuarantineReason, QuarantinedMessage,
    WaitingEvent,
};
use liftdeck_model::fleet::FleetEvent;
use liftdeck_model::matchmaking::{EventTicket, MatchmakingEvent};
use liftdeck_model::observation::{Listing, Observation};
use liftdeck_model::placement::{PlacementEvent, PlacementEventType};
use liftdeck_model::queue::GameSessionQueue;
use liftdeck_store::MOST_ASIDE;

use crate::fixture::{FLEET, NOW, Place, apply, fleet, placement, region, uuid};

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

fn odd(number: u32, body: &str) -> QuarantinedMessage {
    QuarantinedMessage {
        message_id: format!("m-{number}"),
        queue_url: "https://sqs/q".to_owned(),
        region: region(),
        received_at: NOW,
        reason: QuarantineReason::NotJson,
        detail: "expected value at line 1".to_owned(),
        body: body.to_owned(),
        waiting: None,
    }
}

/// The placement event with this number in this queue, waiting until everything it names is known.
fn waiting(number: u32, queue: &str) -> QuarantinedMessage {
    let event = FeedEvent::Placement(PlacementEvent { queue: queue.into(), ..placement(number) });
    let names = event.names();
    QuarantinedMessage {
        reason: QuarantineReason::Unconfirmed,
        waiting: Some(Box::new(WaitingEvent { event, names })),
        ..odd(number, "{}")
    }
}

fn queue(name: &str) -> GameSessionQueue {
    GameSessionQueue {
        name: name.into(),
        region: region(),
        arn: None,
        timeout_seconds: None,
        destinations: Vec::new(),
        player_latency_policies: Vec::new(),
        allowed_locations: Vec::new(),
        priority_order: Vec::new(),
        location_order: Vec::new(),
        custom_event_data: None,
        notification_target: None,
    }
}

#[tokio::test]
async fn a_waiting_event_counts_once_everything_it_names_was_read_and_invents_nothing_before() {
    let place = Place::new();
    let store = place.open().await;
    let messages = vec![waiting(1, "arena"), waiting(2, "arena"), waiting(3, "nowhere")];
    let kept = apply(&store, NOW, vec![Observation::Quarantined(messages.clone())]).await;
    assert_eq!(kept.written.get("quarantined_messages"), Some(&3));
    assert_eq!(place.number("SELECT count(*) FROM placement_event").await, 0);
    assert_eq!(place.number("SELECT count(*) FROM resource").await, 0);
    let only_queue = vec![Observation::Queues(Listing::complete(vec![queue("arena")]))];
    apply(&store, NOW, only_queue).await;
    assert_eq!(place.number("SELECT count(*) FROM placement_event").await, 0, "its fleet is not known");

    store.close().await;
    let store = place.open().await;
    let fleets = Listing::complete(vec![fleet()]);
    let counted = apply(&store, NOW, vec![Observation::Fleets(fleets)]).await;
    assert_eq!(counted.written.get("placement_events"), Some(&2));
    let left = store.reader().aside_counts().await.unwrap();
    assert_eq!(
        left.iter().map(|count| (count.reason, count.messages)).collect::<Vec<_>>(),
        [(QuarantineReason::Unconfirmed, 1)]
    );
    // The message itself may come again after it was counted.
    let again = apply(&store, NOW, vec![Observation::PlacementEvents(vec![placement(1)])]).await;
    assert_eq!(again.duplicates, 1);
    store.close().await;
}

#[tokio::test]
async fn what_there_is_no_room_for_is_named_and_not_kept() {
    let place = Place::new();
    let store = place.open().await;
    let large = odd(1, &"x".repeat(LARGEST_ASIDE_BYTES + 1));
    let first = apply(&store, NOW, vec![Observation::Quarantined(vec![large, odd(2, "whole")])]).await;
    assert_eq!((first.no_room, first.written["quarantined_messages"]), (vec!["m-1".to_owned()], 1));
    let most = u32::try_from(MOST_ASIDE).unwrap();
    let many: Vec<QuarantinedMessage> = (10..most + 10).map(|number| odd(number, "x")).collect();
    let full = apply(&store, NOW, vec![Observation::Quarantined(many)]).await;
    assert_eq!(full.no_room, [format!("m-{}", most + 9)]);
    let again = apply(&store, NOW, vec![Observation::Quarantined(vec![odd(2, "whole")])]).await;
    assert_eq!((again.no_room.len(), again.duplicates), (0, 1), "what is kept is kept, however full it is");
    store.writer().unwrap().clear_aside(None).await.unwrap();
    let room = apply(&store, NOW, vec![Observation::Quarantined(vec![odd(3, "x")])]).await;
    assert_eq!(room.no_room.len(), 0);
    store.close().await;
}

#[tokio::test]
async fn bodies_set_aside_are_bounded_in_bytes_too() {
    let place = Place::new();
    let store = place.open().await;
    let body = "x".repeat(LARGEST_ASIDE_BYTES);
    let many: Vec<QuarantinedMessage> = (0..257).map(|number| odd(number, &body)).collect();
    let full = apply(&store, NOW, vec![Observation::Quarantined(many)]).await;
    assert_eq!(full.no_room, ["m-256"], "256 bodies of 256 KiB are 64 MiB");
    store.close().await;
}

#[tokio::test]
async fn an_adoption_outlives_the_program_and_ends_with_its_release() {
    let place = Place::new();
    let store = place.open().await;
    let adoption = Adoption {
        queue_arn: "arn:aws:sqs:eu-west-1:111122223333:events".to_owned(),
        queue_url: "https://sqs/q".to_owned(),
        region: region(),
        queue_created_at: NOW.plus_ms(-1_000),
        adopted_at: NOW,
        adopted_by: Some("arn:aws:iam::111122223333:user/ops".to_owned()),
        foreign_bodies: ForeignBodies::SetAside,
        halted: None,
    };
    store.writer().unwrap().adopt_queue(adoption.clone()).await.unwrap();
    store.writer().unwrap().halt_queue(&adoption.queue_arn, "why").await.unwrap();
    store.close().await;
    let store = place.open().await;
    let halted = Adoption { halted: Some("why".to_owned()), ..adoption.clone() };
    assert_eq!(store.reader().adoption(&adoption.queue_arn).await.unwrap(), Some(halted));
    store.writer().unwrap().adopt_queue(adoption.clone()).await.unwrap();
    assert_eq!(store.reader().adoptions().await.unwrap(), std::slice::from_ref(&adoption));
    store.writer().unwrap().release_queue(&adoption.queue_arn).await.unwrap();
    assert_eq!(store.reader().adoption(&adoption.queue_arn).await.unwrap(), None);
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
    let odd = odd(1, "<html>");
    let both = vec![Observation::MatchmakingEvents(vec![matched]), Observation::Quarantined(vec![odd])];
    let first = apply(&store, NOW, both.clone()).await;
    assert_eq!(first.written.get("matchmaking_events"), Some(&1));
    assert_eq!((first.written.get("quarantined_messages"), first.duplicates), (Some(&1), 0));
    let again = apply(&store, NOW, both).await;
    assert_eq!((again.written.len(), again.duplicates), (0, 2));
    let aside = store.reader().aside(None, 10, 3).await.unwrap().remove(0);
    assert_eq!((aside.message_id.as_str(), aside.reason), ("m-1", QuarantineReason::NotJson));
    assert_eq!((aside.bytes, aside.body.as_str()), (6, "<ht"), "only as much of the body as was asked for");
    store.close().await;
}

#[tokio::test]
async fn a_fleet_event_whose_count_grows_is_one_row() {
    let place = Place::new();
    let store = place.open().await;
    let event = |count| FleetEvent {
        event_id: uuid(5, 1),
        fleet_id: FLEET.into(),
        event_code: "FLEET_SCALING_EVENT".into(),
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

//! Players: what GameLift told of them when it was asked, beside what was collected.

use liftdeck_model::observation::{Listing, Observation};
use liftdeck_model::placement::{
    Placement, PlacementEvent, PlacementEventType, PlacementStatus, PlayerLatency,
};
use liftdeck_model::{PlayerId, Timestamp};
use liftdeck_store::Store;

use crate::fixture::{NOW, Place, apply, placement, player_session, session, session_id};

fn player() -> PlayerId {
    PlayerId::from("player-7")
}

/// How many player sessions are known of the player, and of how many the game session was read.
async fn known(store: &Store) -> (u64, usize) {
    let record = store.reader().player_record(&player(), NOW).await.unwrap();
    let read = record.sessions.iter().filter(|one| one.game_session.is_some()).count();
    assert_eq!(record.sessions.len() as u64, record.total);
    (record.total, read)
}

#[tokio::test]
async fn a_session_of_a_player_that_was_asked_about_is_known_once_before_and_after_its_game_session_is() {
    let place = Place::new();
    let store = place.open().await;
    let told = || Observation::PlayerSessions(session_id(9), Listing::partial(vec![player_session(9, 7)]));
    apply(&store, NOW, vec![told()]).await;
    assert_eq!(known(&store).await, (1, 0));
    assert_eq!(store.reader().unknown_game_sessions(&[session_id(9)]).await.unwrap(), [session_id(9)]);
    apply(&store, NOW, vec![Observation::GameSessions(vec![session(9)])]).await;
    assert_eq!(known(&store).await, (1, 1), "the game session alone changes no count");
    apply(&store, NOW, vec![told()]).await;
    assert_eq!(known(&store).await, (1, 1));
    let others = Listing::complete(vec![player_session(9, 7), player_session(9, 8)]);
    apply(&store, NOW, vec![Observation::PlayerSessions(session_id(9), others)]).await;
    assert_eq!(known(&store).await, (1, 1));
    let record = store.reader().player_record(&player(), NOW).await.unwrap();
    let companions: Vec<_> =
        record.companions.iter().map(|one| (one.player_id.as_str(), one.game_sessions)).collect();
    assert_eq!(companions, [("player-8", 1)]);
    store.close().await;
}

#[tokio::test]
async fn who_was_to_be_placed_by_a_failed_placement_is_found_once_gamelift_was_asked() {
    let place = Place::new();
    let store = place.open().await;
    let failed = PlacementEvent {
        event_type: PlacementEventType::TimedOut,
        game_session_id: None,
        placed_player_sessions: Vec::new(),
        ..placement(4)
    };
    apply(&store, NOW, vec![Observation::PlacementEvents(vec![failed.clone()])]).await;
    let (reader, since) = (store.reader(), NOW.plus_ms(-86_400_000));
    let unasked = async || reader.failed_placements_unasked(&failed.region, since, 10).await.unwrap();
    assert_eq!(unasked().await, std::slice::from_ref(&failed.placement_id));
    assert!(reader.player_record(&player(), NOW).await.unwrap().placements.is_empty());

    let told = asked_of(&failed, Some(NOW.plus_ms(-60_000)));
    let asked = Observation::PlacementAsked(failed.placement_id.clone(), Some(told));
    apply(&store, NOW, vec![asked]).await;
    assert!(unasked().await.is_empty());
    let record = reader.player_record(&player(), NOW).await.unwrap();
    assert_eq!(record.placements.len(), 1);
    assert_eq!(record.latencies[0].latencies, [("eu-west-1".to_owned(), 31), ("eu-north-1".to_owned(), 52)]);
    assert!(reader.without_latencies(&player(), 5).await.unwrap().placements.is_empty());
    let story = reader.placement(&failed.placement_id, NOW).await.unwrap().unwrap();
    assert_eq!(story.asked_for[0].player_id, player());
    let (found, _) =
        reader.players("player-", liftdeck_store::reader::window::Page::first(10), NOW).await.unwrap();
    assert_eq!((found.rows[0].player_id.clone(), found.rows[0].placements.len()), (player(), 1));
    store.close().await;
}

/// A failed placement as DescribeGameSessionPlacement tells it.
fn asked_of(event: &PlacementEvent, start_time: Option<Timestamp>) -> Placement {
    let measured = |region: &str, latency_ms| PlayerLatency {
        player_id: player(),
        region: region.to_owned(),
        latency_ms,
    };
    Placement {
        placement_id: event.placement_id.clone(),
        region: event.region.clone(),
        queue: Some(event.queue.clone()),
        status: PlacementStatus::TimedOut,
        start_time,
        end_time: None,
        maximum_player_session_count: Some(10),
        game_session_name: None,
        game_properties: Vec::new(),
        game_session_data: None,
        game_session_id: None,
        game_session_region: None,
        ip_address: None,
        dns_name: None,
        port: None,
        player_latencies: vec![measured("eu-west-1", 31.4), measured("eu-north-1", 51.5)],
        placed_player_sessions: Vec::new(),
        location_order: Vec::new(),
    }
}

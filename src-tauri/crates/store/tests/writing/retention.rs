//! Retention: what is too old goes, in small steps, and nothing else.

use liftdeck_model::game_session::GameSessionStatus;
use liftdeck_model::observation::{Listing, Observation};
use liftdeck_store::RetentionPolicy;

use crate::fixture::{FLEET, NOW, Place, apply, placement, player_session, session, session_id};

const DAY_MS: i64 = 86_400_000;

#[tokio::test]
async fn ended_sessions_go_with_all_that_is_theirs_and_live_ones_stay() {
    let place = Place::new();
    let store = place.open().await;
    let mut sessions: Vec<_> = (0..600).map(session).collect();
    for old in &mut sessions[..500] {
        old.status = GameSessionStatus::Terminated;
        old.termination_time = Some(NOW.plus_ms(-100 * DAY_MS));
    }
    let players = Listing::complete(vec![player_session(3, 1)]);
    let events = Observation::PlacementEvents(vec![placement(1)]);
    let seen = vec![
        Observation::GameSessions(sessions.clone()),
        Observation::PlayerSessions(session_id(3), players),
        events,
    ];
    apply(&store, NOW, seen).await;
    let retained = store.writer().unwrap().retain(NOW, RetentionPolicy::default()).await.unwrap();
    assert_eq!(retained.deleted.get("game_sessions"), Some(&500));
    assert_eq!(retained.deleted.get("player_sessions"), Some(&1));
    assert!(retained.steps >= 3, "{retained:?}");
    assert_eq!(place.number("SELECT count(*) FROM game_session_text").await, 100);
    assert_eq!(place.number("SELECT count(*) FROM player_session_text").await, 0);
    assert_eq!(place.number("SELECT count(*) FROM placement_event").await, 1);
    assert_eq!(store.reader().live_game_sessions(&FLEET.into()).await.unwrap().len(), 100);
    // AWS still lists some of them for a while: they come back rather than break anything.
    let again = apply(&store, NOW, vec![Observation::GameSessions(sessions[..10].to_vec())]).await;
    assert_eq!(again.written.get("game_sessions"), Some(&10));
    store.close().await;
}

#[tokio::test]
async fn events_go_after_their_own_time() {
    let place = Place::new();
    let store = place.open().await;
    let mut old = placement(1);
    old.event_time = NOW.plus_ms(-400 * DAY_MS);
    apply(&store, NOW, vec![Observation::PlacementEvents(vec![old, placement(2)])]).await;
    let retained = store.writer().unwrap().retain(NOW, RetentionPolicy::default()).await.unwrap();
    assert_eq!(retained.deleted.get("placement_events"), Some(&1));
    assert_eq!(place.number("SELECT count(*) FROM placement_player").await, 1);
    assert_eq!(retained.deleted.get("placement_sums"), Some(&3));
    assert_eq!(place.number("SELECT sum(fulfilled) FROM placement_day").await, 1);
    assert_eq!(place.number("SELECT sum(fulfilled) FROM placement_sum").await, 2);
    store.close().await;
}

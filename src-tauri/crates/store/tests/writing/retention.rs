//! Retention: what is too old goes, in small steps, and nothing else.

use std::time::Duration;

use liftdeck_model::game_session::GameSessionStatus;
use liftdeck_model::matchmaking::{EventTicket, MatchmakingEvent, TicketPlayer};
use liftdeck_model::observation::{Listing, Observation};
use sqlx::Connection;

use crate::fixture::{
    FLEET, NOW, Place, apply, placement, player_session, region, session, session_id, uuid,
};

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
    let retained = crate::fixture::retain(&store).await;
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
    let retained = crate::fixture::retain(&store).await;
    assert_eq!(retained.deleted.get("placement_events"), Some(&1));
    assert_eq!(place.number("SELECT count(*) FROM placement_player").await, 1);
    assert_eq!(retained.deleted.get("placement_sums"), Some(&3));
    assert_eq!(place.number("SELECT sum(fulfilled) FROM placement_day").await, 1);
    assert_eq!(place.number("SELECT sum(fulfilled) FROM placement_sum").await, 2);
    store.close().await;
}

#[tokio::test]
async fn tickets_and_answers_go_with_their_events_and_with_the_players_that_lead_to_them() {
    let place = Place::new();
    let store = place.open().await;
    let of = |number: u32, days: i64| MatchmakingEvent {
        event_id: uuid(5, number),
        event_type: "AcceptMatch".to_owned(),
        configuration: "ranked".to_owned(),
        region: region(),
        event_time: NOW.plus_ms(-days * DAY_MS),
        match_id: Some(format!("match-{number}")),
        reason: None,
        message: None,
        estimated_wait_seconds: None,
        game_session_id: None,
        tickets: vec![EventTicket {
            ticket_id: format!("tk-{number}").into(),
            start_time: None,
            players: ["p-1".into(), uuid(6, number).into()]
                .map(|player_id| TicketPlayer { player_id, team: None, accepted: None })
                .to_vec(),
        }],
    };
    let events = (0..210).map(|number| of(number, if number < 205 { 400 } else { 1 })).collect();
    apply(&store, NOW, vec![Observation::MatchmakingEvents(events)]).await;
    assert_eq!(place.number("SELECT count(*) FROM ticket_player").await, 420);
    let retained = crate::fixture::retain(&store).await;
    assert_eq!(retained.deleted.get("tickets"), Some(&205));
    assert_eq!(retained.deleted.get("matchmaking_events"), Some(&205));
    assert_eq!(place.number("SELECT count(*) FROM match_answer").await, 5);
    assert_eq!(place.number("SELECT count(*) FROM ticket").await, 5);
    assert_eq!(place.number("SELECT count(*) FROM ticket_player").await, 10);
    store.close().await;
}

/// Makes many free pages, behind the store's back.
async fn free_pages(place: &Place) {
    let filler = "CREATE TABLE filler AS WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < 2000) \
        SELECT zeroblob(8000) FROM n";
    let mut elsewhere = place.look().await;
    for statement in [filler, "DROP TABLE filler"] {
        sqlx::query(statement).execute(&mut elsewhere).await.unwrap();
    }
    elsewhere.close().await.unwrap();
    assert!(place.number("PRAGMA freelist_count").await > 1_000);
}

#[tokio::test]
async fn free_pages_are_given_back() {
    let place = Place::new();
    let store = place.open().await;
    free_pages(&place).await;
    crate::fixture::retain(&store).await;
    assert!(place.number("PRAGMA freelist_count").await <= 500);
    store.close().await;
}

#[tokio::test]
async fn retention_ends_on_a_file_that_can_give_no_pages_back() {
    let place = Place::new();
    place.open().await.close().await;
    let mut elsewhere = place.look().await;
    for statement in ["PRAGMA journal_mode = DELETE", "PRAGMA auto_vacuum = NONE", "VACUUM"] {
        sqlx::query(statement).execute(&mut elsewhere).await.unwrap();
    }
    elsewhere.close().await.unwrap();
    free_pages(&place).await;
    let store = place.open().await;
    let retained = tokio::time::timeout(Duration::from_secs(60), crate::fixture::retain(&store)).await;
    assert!(retained.is_ok(), "it looks for pages to give back for ever");
    store.close().await;
}

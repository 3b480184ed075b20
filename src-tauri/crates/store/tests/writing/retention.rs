//! Retention deletes what is too old, in small steps, and nothing else.

use std::sync::Arc;
use std::time::Duration;

use liftdeck_model::Timestamp;
use liftdeck_model::feed::{QuarantineReason, QuarantinedMessage};
use liftdeck_model::fleet::{Fleet, FleetEvent};
use liftdeck_model::game_session::GameSessionStatus;
use liftdeck_model::matchmaking::{EventTicket, MatchmakingEvent, TicketPlayer};
use liftdeck_model::observation::{Listing, Observation, Poll, PollKind, PollSubject};
use liftdeck_store::{RetentionPolicy, Written};
use sqlx::Connection;

use crate::fixture::{
    DAY_MS, FLEET, NOW, Place, apply, fleet, placement, player_session, region, session, session_id, uuid,
};

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
    let of_live = Listing::complete(vec![player_session(505, 1)]);
    let seen = vec![
        Observation::GameSessions(sessions.clone()),
        Observation::PlayerSessions(session_id(3), players),
        Observation::PlayerSessions(session_id(505), of_live),
        Observation::PlacementEvents(vec![placement(1)]),
    ];
    apply(&store, NOW, seen).await;
    let retained = crate::fixture::retain(&store).await;
    assert_eq!(retained.deleted.get("game_sessions"), Some(&500));
    assert_eq!(retained.deleted.get("player_sessions"), Some(&1));
    assert!(retained.steps >= 3, "{retained:?}");
    assert_eq!(place.number("SELECT count(*) FROM game_session_text").await, 100);
    assert_eq!(place.number("SELECT count(*) FROM player_session_text").await, 1);
    assert_eq!(place.number("SELECT count(*) FROM placement_event").await, 1);
    assert_eq!(store.reader().live_game_sessions(&FLEET.into()).await.unwrap().len(), 100);
    // AWS still lists some of them for a while: those are stored again without an error, and the rest is recognised.
    let listed = vec![
        Observation::GameSessions([&sessions[..10], &sessions[500..510]].concat()),
        Observation::PlayerSessions(session_id(3), Listing::complete(vec![player_session(3, 1)])),
        Observation::PlayerSessions(session_id(505), Listing::complete(vec![player_session(505, 1)])),
    ];
    let again = apply(&store, NOW, listed).await;
    assert_eq!(again.written, [("game_sessions", 10), ("player_sessions", 1)].into());
    assert_eq!(place.number("SELECT count(*) FROM game_session").await, 110);
    assert_eq!(place.number("SELECT count(*) FROM player_session").await, 2);
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
async fn sums_go_once_the_hour_or_day_they_count_is_over_for_long_enough() {
    let place = Place::new();
    let store = place.open().await;
    let mut old = placement(1);
    // Old enough for its hour, but not for the whole of its day.
    old.event_time = NOW.plus_ms(-365 * DAY_MS - 7_200_000);
    apply(&store, NOW, vec![Observation::PlacementEvents(vec![old])]).await;
    let deleted = async |days| {
        let now = NOW.plus_ms(days * DAY_MS);
        let writer = store.writer().unwrap();
        writer.listen_to(Arc::new(move || Some(now)));
        writer.retain(now, RetentionPolicy::default()).await.unwrap().deleted
    };
    assert_eq!(deleted(0).await, [("placement_events", 1), ("placement_sums", 1)].into());
    assert_eq!(deleted(1).await, [("placement_sums", 2)].into());
    assert_eq!(deleted(2).await, Written::new());
    store.close().await;
}

#[tokio::test]
async fn what_only_ages_goes_after_a_year_and_what_is_still_there_is_known() {
    let place = Place::new();
    let store = place.open().await;
    let other = Fleet { fleet_id: "fleet-22223333-aaaa-4bbb-8ccc-333344445555".into(), ..fleet() };
    let fleets = |fleets: &[&Fleet]| {
        Observation::Fleets(Listing::complete(fleets.iter().map(|fleet| (*fleet).clone()).collect()))
    };
    let seen_at = |at: Timestamp| {
        let event = FleetEvent {
            event_id: format!("event-{at}"),
            fleet_id: FLEET.into(),
            event_code: "FLEET_SCALING_EVENT".into(),
            message: None,
            event_time: at,
            count: 1,
            has_log: false,
        };
        let aside = QuarantinedMessage {
            message_id: format!("message-{at}"),
            queue_url: "https://sqs.eu-west-1.amazonaws.com/111122223333/events".to_owned(),
            region: region(),
            received_at: at,
            reason: QuarantineReason::NotJson,
            detail: "it is not JSON".to_owned(),
            body: "odd".to_owned(),
            waiting: None,
        };
        let subject = PollSubject { kind: PollKind::FleetEvents, resource: format!("fleet-{at}") };
        let poll = Poll { subject, at, took_ms: 1, failure: None };
        vec![
            Observation::FleetEvents(FLEET.into(), vec![event]),
            Observation::Quarantined(vec![aside]),
            Observation::Poll(poll),
        ]
    };
    let long_ago = NOW.plus_ms(-400 * DAY_MS);
    let mut seen = vec![fleets(&[&fleet(), &other])];
    seen.extend(seen_at(long_ago));
    apply(&store, long_ago, seen).await;
    apply(&store, long_ago.plus_ms(1), vec![fleets(&[&fleet()])]).await;
    let recent = NOW.plus_ms(-300 * DAY_MS);
    apply(&store, recent, seen_at(recent)).await;
    let changes = place.number("SELECT count(*) FROM change").await.unsigned_abs();
    let retained = crate::fixture::retain(&store).await;
    let expected = [
        ("changes", changes),
        ("fleet_events", 1),
        ("polls", 1),
        ("quarantined_messages", 1),
        ("resources", 1),
    ];
    assert!(changes > 0);
    assert_eq!(retained.deleted, expected.into());
    assert_eq!(place.number("SELECT count(*) FROM fleet_event").await, 1);
    assert_eq!(place.number("SELECT count(*) FROM quarantined_message").await, 1);
    assert_eq!(place.number("SELECT count(*) FROM resource").await, 1);
    // What was deleted comes back as new; what stayed is unchanged.
    let again = apply(&store, NOW, vec![fleets(&[&fleet(), &other])]).await;
    assert_eq!(again.written.get("fleets"), Some(&1), "{again:?}");
    assert_eq!(place.number("SELECT count(*) FROM resource").await, 2);
    // The ledger is written only now and then, and on closing.
    store.close().await;
    assert_eq!(place.number("SELECT count(*) FROM poll").await, 1);
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

/// Makes many free pages, bypassing the store.
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
    let retained = tokio::time::timeout(Duration::from_mins(5), crate::fixture::retain(&store)).await;
    assert!(retained.is_ok(), "it looks for pages to give back for ever");
    store.close().await;
}

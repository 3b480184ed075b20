//! The computer's clock may be wrong: it alone never causes a deletion, and nothing is lost by it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use liftdeck_model::Timestamp;
use liftdeck_model::activity::ActivityOutcome;
use liftdeck_model::game_session::{GameSession, GameSessionStatus};
use liftdeck_model::observation::{Observation, Poll, PollKind, PollSubject};
use liftdeck_store::reader::freshness::Basis;
use liftdeck_store::{RetentionPolicy, Store};

use crate::fixture::{
    DAY_MS, NOW, Place, answer, apply, attempt, capacity, placement, region, session, set_desired,
};

const THREE_YEARS_MS: i64 = 3 * 365 * DAY_MS;

/// Gives the store a date from AWS that the test can change.
fn heard(store: &Store, at: Timestamp) -> Arc<AtomicI64> {
    let date = Arc::new(AtomicI64::new(at.as_ms()));
    let heard = Arc::clone(&date);
    store
        .writer()
        .unwrap()
        .listen_to(Arc::new(move || Some(Timestamp::from_ms(heard.load(Ordering::Relaxed)))));
    date
}

async fn ended_yesterday(store: &Store) {
    let mut sessions: Vec<_> = (0..40).map(session).collect();
    for ended in &mut sessions {
        ended.status = GameSessionStatus::Terminated;
        ended.termination_time = Some(NOW.plus_ms(-DAY_MS));
    }
    let events = Observation::PlacementEvents((0..10).map(placement).collect());
    apply(store, NOW, vec![Observation::GameSessions(sessions), events]).await;
    let writer = store.writer().unwrap();
    for number in 0..3 {
        let activity = attempt(number, set_desired(1));
        writer.begin_activity(activity.clone()).await.unwrap();
        writer.end_activity(&activity.id, answer(&activity, ActivityOutcome::Done)).await.unwrap();
    }
}

async fn rows(place: &Place) -> i64 {
    place
        .number(
            "SELECT (SELECT count(*) FROM game_session) + (SELECT count(*) FROM game_session_state) \
             + (SELECT count(*) FROM placement_event) + (SELECT count(*) FROM activity) \
             + (SELECT count(*) FROM metric_hot) + (SELECT count(*) FROM change) + (SELECT count(*) FROM poll) \
             + (SELECT count(*) FROM placement_sum)",
        )
        .await
}

async fn retain(store: &Store, clock: Timestamp) -> u64 {
    let retained = store.writer().unwrap().retain(clock, RetentionPolicy::default()).await.unwrap();
    assert_eq!(retained.failed, Vec::<String>::new());
    retained.deleted.values().sum()
}

#[tokio::test]
async fn a_clock_three_years_ahead_and_back_deletes_not_a_row() {
    let place = Place::new();
    let store = place.open().await;
    ended_yesterday(&store).await;
    let before = rows(&place).await;
    // Before AWS gave any date, and while its date contradicts the clock.
    let ahead = NOW.plus_ms(THREE_YEARS_MS);
    assert_eq!(retain(&store, ahead).await, 0);
    heard(&store, NOW);
    assert_eq!(retain(&store, ahead).await, 0);
    store.close().await;
    // After a restart without the network.
    let store = place.open().await;
    assert_eq!(retain(&store, ahead).await, 0);
    assert_eq!(retain(&store, NOW).await, 0);
    assert_eq!(rows(&place).await, before);
    store.close().await;
}

#[tokio::test]
async fn three_months_off_are_believed_when_aws_confirms_them() {
    let place = Place::new();
    let store = place.open().await;
    ended_yesterday(&store).await;
    let date = heard(&store, NOW);
    assert_eq!(retain(&store, NOW).await, 0);
    store.close().await;
    let store = place.open().await;
    let later = NOW.plus_ms(100 * DAY_MS);
    assert_eq!(retain(&store, later).await, 0, "nobody but the computer's clock says so yet");
    let date = heard(&store, Timestamp::from_ms(date.load(Ordering::Relaxed) + 100 * DAY_MS));
    assert!(retain(&store, later).await >= 40);
    assert_eq!(place.number("SELECT count(*) FROM game_session").await, 0);
    assert_eq!(place.number("SELECT count(*) FROM placement_event").await, 10, "events have a year");
    drop(date);
    store.close().await;
}

#[tokio::test]
async fn what_aws_once_proved_holds_after_a_restart_without_the_network_and_no_more_than_that() {
    let place = Place::new();
    let store = place.open().await;
    heard(&store, NOW);
    assert_eq!(retain(&store, NOW).await, 0);
    store.close().await;
    let store = place.open().await;
    let ended = |number, days: i64| GameSession {
        status: GameSessionStatus::Terminated,
        termination_time: Some(NOW.plus_ms(-days * DAY_MS)),
        ..session(number)
    };
    let sessions = vec![ended(1, 100), ended(2, 80)];
    apply(&store, NOW, vec![Observation::GameSessions(sessions)]).await;
    retain(&store, NOW.plus_ms(THREE_YEARS_MS)).await;
    assert_eq!(place.number("SELECT count(*) FROM game_session").await, 1);
    store.close().await;
}

#[tokio::test]
async fn what_a_date_far_ahead_says_alone_deletes_nothing() {
    let place = Place::new();
    let store = place.open().await;
    ended_yesterday(&store).await;
    heard(&store, NOW.plus_ms(THREE_YEARS_MS));
    assert_eq!(retain(&store, NOW).await, 0);
    store.close().await;
}

#[tokio::test]
async fn samples_of_a_clock_set_back_are_kept_beside_the_others() {
    let place = Place::new();
    let store = place.open().await;
    let steps = [(0, 1), (THREE_YEARS_MS, 2), (60_000, 3), (-THREE_YEARS_MS, 4), (120_000, 5)];
    for (off_ms, desired) in steps {
        let seen = vec![Observation::FleetCapacity(capacity(desired, 0))];
        apply(&store, NOW.plus_ms(off_ms), seen).await;
    }
    let kept = place
        .number("SELECT count(*) FROM metric_hot JOIN metric_series USING (series_key) WHERE name = 'DesiredInstances'")
        .await;
    assert_eq!(kept, 5);
    store.close().await;
}

#[tokio::test]
async fn a_confirmation_ahead_of_the_clock_has_no_age_and_is_not_fresh() {
    let place = Place::new();
    let store = place.open().await;
    let subject = PollSubject { kind: PollKind::Fleets, resource: String::new() };
    let poll = |at| Observation::Poll(Poll { subject: subject.clone(), at, took_ms: 1, failure: None });
    apply(&store, NOW, vec![poll(NOW)]).await;
    let reader = store.reader();
    let age = |now| reader.freshness(Basis::All(PollKind::Fleets), now);
    assert_eq!((age(NOW).as_of, age(NOW).stale), (Some(NOW), false));
    let back = NOW.plus_ms(-THREE_YEARS_MS);
    assert_eq!((age(back).as_of, age(back).stale), (None, true));
    store.close().await;
}

#[tokio::test]
async fn what_is_seen_while_aws_contradicts_the_clock_is_written_at_aws_date() {
    let place = Place::new();
    let store = place.open().await;
    heard(&store, NOW);
    let subject = PollSubject { kind: PollKind::Fleets, resource: String::new() };
    for off_ms in [THREE_YEARS_MS, -THREE_YEARS_MS] {
        let clock = NOW.plus_ms(off_ms);
        let poll = Poll { subject: subject.clone(), at: clock, took_ms: 1, failure: None };
        apply(&store, clock, vec![Observation::GameSessions(vec![session(1)]), Observation::Poll(poll)])
            .await;
        assert_eq!(place.number("SELECT max(changed_at) FROM game_session_state").await, NOW.as_ms());
        assert_eq!(store.reader().poll(&region(), &subject).unwrap().confirmed_at, Some(NOW));
    }
    store.close().await;
}

#[tokio::test]
async fn changes_recorded_while_the_clock_was_years_behind_stay_in_the_record() {
    let place = Place::new();
    let store = place.open().await;
    ended_yesterday(&store).await;
    let writer = store.writer().unwrap();
    let mut behind = attempt(7, set_desired(1));
    behind.at = NOW.plus_ms(-THREE_YEARS_MS);
    writer.begin_activity(behind.clone()).await.unwrap();
    writer.end_activity(&behind.id, answer(&behind, ActivityOutcome::Done)).await.unwrap();
    heard(&store, NOW);
    assert_eq!(retain(&store, NOW).await, 0);
    store.close().await;
}

#[tokio::test]
async fn moments_after_2038_are_moments_like_others() {
    let place = Place::new();
    let store = place.open().await;
    // The first second that a signed 32-bit count of seconds cannot hold.
    let after = Timestamp::from_ms((i64::from(i32::MAX) + 1) * 1_000);
    heard(&store, after);
    let seen = vec![Observation::FleetCapacity(capacity(1, 0))];
    apply(&store, after, seen).await;
    assert_eq!(place.number("SELECT max(sample_at) FROM metric_hot").await, after.as_ms());
    assert_eq!(retain(&store, after).await, 0);
    store.close().await;
}

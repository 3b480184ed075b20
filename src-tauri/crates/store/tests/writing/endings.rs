//! How game sessions ended: what status, reason and fleet events say together, in whatever order they are seen.

use liftdeck_model::FleetEventCode;
use liftdeck_model::fleet::FleetEvent;
use liftdeck_model::game_session::{
    GameSession, GameSessionEnding, GameSessionStatus, GameSessionStatusReason,
};
use liftdeck_model::observation::{Observation, Subject};
use liftdeck_model::query::Query;
use liftdeck_store::Store;
use liftdeck_store::reader::session::SessionRequest;
use liftdeck_store::reader::window::Page;

use crate::fixture::{FLEET, NOW, Place, apply, session, session_id};

fn ended(number: u32) -> GameSession {
    GameSession {
        status: GameSessionStatus::Terminated,
        termination_time: Some(NOW),
        compute_name: Some("i-0abc1234def567890".to_owned()),
        ..session(number)
    }
}

fn event(number: u32, code: FleetEventCode, message: String) -> Observation {
    let event = FleetEvent {
        event_id: format!("event-{number}"),
        fleet_id: FLEET.into(),
        event_code: code,
        message: Some(message),
        event_time: NOW.plus_ms(200),
        count: 1,
        has_log: false,
    };
    Observation::FleetEvents(FLEET.into(), vec![event])
}

fn crash_of(number: u32) -> Observation {
    let arn = session_id(number);
    event(
        number,
        FleetEventCode::ServerProcessCrashed,
        format!("Server process of {arn} exited with code 139."),
    )
}

/// What GameLift writes of a process that exits: nothing of the session.
fn crash_on(number: u32, compute: &str) -> Observation {
    let message = format!(
        "Server process exited without calling ProcessEnding(), compute({compute}), location(eu-north-1)"
    );
    event(number, FleetEventCode::ServerProcessCrashed, message)
}

async fn ending(store: &Store, number: u32) -> Option<GameSessionEnding> {
    store.reader().game_session(&session_id(number), NOW).await.unwrap().unwrap().row.ending
}

async fn found(store: &Store, query: &str) -> usize {
    let request = SessionRequest {
        query: Query::parse(query).unwrap(),
        fleet: None,
        location: None,
        range: None,
        sort: None,
        page: Page::first(50),
    };
    store.reader().game_sessions(&request, NOW).await.unwrap().0.rows.len()
}

#[tokio::test]
async fn a_crash_is_told_by_the_event_whichever_comes_first() {
    let place = Place::new();
    let store = place.open().await;
    apply(&store, NOW, vec![Observation::GameSessions(vec![session(1), session(2), session(3)])]).await;
    assert_eq!(ending(&store, 1).await, None);
    // The end, then the event; the event, then the end; both at once.
    apply(&store, NOW, vec![Observation::GameSessions(vec![ended(1)])]).await;
    assert_eq!(ending(&store, 1).await, Some(GameSessionEnding::Normal));
    let applied = apply(&store, NOW, vec![crash_of(1)]).await;
    assert!(applied.subjects.contains(&Subject::GameSessions), "lists of sessions have moved");
    apply(&store, NOW, vec![crash_of(2)]).await;
    assert_eq!(ending(&store, 2).await, None, "it is still listed as running");
    apply(&store, NOW, vec![Observation::GameSessions(vec![ended(2)])]).await;
    apply(&store, NOW, vec![crash_of(3), Observation::GameSessions(vec![ended(3)])]).await;
    for number in 1..=3 {
        assert_eq!(ending(&store, number).await, Some(GameSessionEnding::Crashed), "{number}");
    }
    assert_eq!((found(&store, "ended:crashed").await, found(&store, "ended:normal").await), (3, 0));
}

#[tokio::test]
async fn an_ending_outlives_the_program_and_a_second_listing() {
    let place = Place::new();
    let store = place.open().await;
    apply(&store, NOW, vec![Observation::GameSessions(vec![session(2)]), crash_of(1), crash_of(2)]).await;
    store.close().await;
    let store = place.open().await;
    apply(&store, NOW, vec![Observation::GameSessions(vec![ended(1), ended(2)])]).await;
    assert_eq!(ending(&store, 1).await, Some(GameSessionEnding::Crashed), "a session first seen ended");
    assert_eq!(ending(&store, 2).await, Some(GameSessionEnding::Crashed));
    let again = GameSession { name: Some("renamed".to_owned()), ..ended(1) };
    apply(&store, NOW, vec![Observation::GameSessions(vec![again])]).await;
    assert_eq!(ending(&store, 1).await, Some(GameSessionEnding::Crashed));
    store.close().await;
}

#[tokio::test]
async fn abnormal_is_what_nobody_asked_for() {
    let place = Place::new();
    let store = place.open().await;
    let because = |number, reason| GameSession { status_reason: Some(reason), ..ended(number) };
    let sessions = vec![
        ended(1),
        because(2, GameSessionStatusReason::Interrupted),
        because(3, GameSessionStatusReason::TriggeredOnProcessTerminate),
        because(4, GameSessionStatusReason::ForceTerminated),
        ended(5),
        ended(6),
        session(7),
        session(8),
    ];
    apply(&store, NOW, vec![Observation::GameSessions(sessions)]).await;
    let told = |number, code| event(number, code, session_id(number).into_string());
    let events = vec![
        // It was asked to end, and crashed on the way.
        told(3, FleetEventCode::ServerProcessCrashed),
        told(5, FleetEventCode::GameSessionActivationTimeout),
        told(6, FleetEventCode::ServerProcessTerminatedUnhealthy),
        Observation::GameSessionGone(session_id(7)),
    ];
    apply(&store, NOW, events).await;
    let expected = [
        GameSessionEnding::Normal,
        GameSessionEnding::Interrupted,
        GameSessionEnding::TerminatedByRequest,
        GameSessionEnding::ForceTerminated,
        GameSessionEnding::ActivationTimedOut,
        GameSessionEnding::TerminatedUnhealthy,
        GameSessionEnding::Unseen,
    ];
    for (number, expected) in (1..).zip(expected) {
        assert_eq!(ending(&store, number).await, Some(expected), "{number}");
    }
    assert_eq!(found(&store, "ended:abnormal").await, 3);
    assert_eq!(found(&store, "-ended:abnormal").await, 5, "sessions still running have no ending");
    assert_eq!(found(&store, "ended:none or ended:unseen").await, 2);
}

#[tokio::test]
async fn a_message_without_a_session_is_about_the_only_one_that_ended_there_then() {
    const COMPUTE: &str = "i-0abc1234def567890";
    let place = Place::new();
    let store = place.open().await;
    let elsewhere = GameSession { compute_name: Some("i-0fff".to_owned()), ..ended(2) };
    let later = GameSession { termination_time: Some(NOW.plus_ms(60_000)), ..ended(3) };
    let forced = GameSession { status_reason: Some(GameSessionStatusReason::ForceTerminated), ..ended(4) };
    let sessions = Observation::GameSessions(vec![ended(1), elsewhere, later, forced]);
    apply(&store, NOW, vec![sessions]).await;
    apply(&store, NOW, vec![crash_on(1, COMPUTE)]).await;
    let endings =
        [ending(&store, 1).await, ending(&store, 2).await, ending(&store, 3).await, ending(&store, 4).await];
    let normal = Some(GameSessionEnding::Normal);
    let forced = Some(GameSessionEnding::ForceTerminated);
    assert_eq!(endings, [Some(GameSessionEnding::Crashed), normal, normal, forced]);
    // Another one ended there at the same moment: now nobody can tell which of them it was.
    apply(&store, NOW, vec![Observation::GameSessions(vec![ended(5)])]).await;
    assert_eq!((ending(&store, 1).await, ending(&store, 5).await), (normal, normal));
    // A second crash explains both.
    let Observation::FleetEvents(fleet, mut events) = crash_on(2, COMPUTE) else { panic!() };
    events[0].event_time = NOW.plus_ms(900);
    apply(&store, NOW, vec![Observation::FleetEvents(fleet, events)]).await;
    let crashed = Some(GameSessionEnding::Crashed);
    assert_eq!((ending(&store, 1).await, ending(&store, 5).await), (crashed, crashed));
}

#[tokio::test]
async fn an_instance_that_was_replaced_took_all_its_sessions_with_it() {
    let place = Place::new();
    let store = place.open().await;
    let message = "Instance i-0abc1234def567890 was replaced.".to_owned();
    apply(&store, NOW, vec![event(1, FleetEventCode::InstanceReplacedUnhealthy, message)]).await;
    apply(&store, NOW, vec![Observation::GameSessions(vec![ended(1), ended(2)])]).await;
    for number in 1..=2 {
        assert_eq!(ending(&store, number).await, Some(GameSessionEnding::HostLost), "{number}");
    }
}

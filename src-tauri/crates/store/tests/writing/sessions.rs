//! Game sessions and their players: what is written, what is skipped, what is kept.

use liftdeck_model::Timestamp;
use liftdeck_model::game_session::{GameSession, GameSessionStatus};
use liftdeck_model::observation::{Listing, Observation, Poll, PollKind, PollSubject};
use liftdeck_model::player_session::PlayerSessionStatus;
use liftdeck_model::time::TimeRange;

use crate::fixture::{FLEET, NOW, Place, apply, player_session, region, session, session_id};

fn world() -> Vec<Observation> {
    let sessions = (0..50).map(session).collect();
    let mut observations = vec![Observation::GameSessions(sessions)];
    for number in 0..50 {
        let players = (0..3).map(|player| player_session(number, player)).collect();
        observations.push(Observation::PlayerSessions(session_id(number), Listing::complete(players)));
    }
    observations
}

#[tokio::test]
async fn a_second_pass_writes_no_rows_and_moves_no_revision() {
    let place = Place::new();
    let store = place.open().await;
    let mut notices = store.notices();
    let first = apply(&store, NOW, world()).await;
    assert_eq!(first.written.get("game_sessions"), Some(&50));
    assert_eq!(first.written.get("player_sessions"), Some(&150));
    assert_eq!(first.player_counts_changed.len(), 50);
    assert_eq!(notices.recv().await.unwrap().revision, 1);
    let second = apply(&store, NOW.plus_ms(30_000), world()).await;
    assert!(second.written.is_empty(), "{second:?}");
    assert!(second.subjects.is_empty() && second.player_counts_changed.is_empty());
    assert_eq!((second.revision, store.revision().await), (1, 1));
    assert!(notices.try_recv().is_err());
    store.close().await;
}

#[tokio::test]
async fn a_restart_keeps_everything_and_a_pass_after_it_writes_no_rows() {
    let place = Place::new();
    let store = place.open().await;
    apply(&store, NOW, world()).await;
    store.close().await;
    let store = place.open().await;
    assert_eq!(store.reader().live_game_sessions(&FLEET.into()).await.unwrap().len(), 50);
    let again = apply(&store, NOW.plus_ms(30_000), world()).await;
    assert!(again.written.is_empty(), "{again:?}");
    assert_eq!(again.revision, 1);
    store.close().await;
}

#[tokio::test]
async fn an_ended_session_is_known_again_after_a_restart() {
    let place = Place::new();
    let store = place.open().await;
    let mut ended = session(7);
    ended.status = GameSessionStatus::Terminated;
    ended.termination_time = Some(NOW);
    apply(&store, NOW, vec![Observation::GameSessions(vec![ended.clone()])]).await;
    store.close().await;
    let store = place.open().await;
    let again = apply(&store, NOW, vec![Observation::GameSessions(vec![ended])]).await;
    assert!(again.written.is_empty(), "{again:?}");
    assert_eq!(place.number("SELECT count(*) FROM game_session").await, 1);
    store.close().await;
}

#[tokio::test]
async fn only_what_changed_is_written_and_each_change_is_a_transition() {
    let place = Place::new();
    let store = place.open().await;
    apply(&store, NOW, world()).await;
    let mut sessions: Vec<_> = (0..50).map(session).collect();
    sessions[3].current_player_session_count = 5;
    sessions[4].status = GameSessionStatus::Terminated;
    sessions[4].termination_time = Some(NOW);
    sessions[5].name = Some("renamed".to_owned());
    let applied = apply(&store, NOW.plus_ms(20_000), vec![Observation::GameSessions(sessions)]).await;
    assert_eq!(applied.written.get("game_sessions"), Some(&3));
    assert_eq!(applied.player_counts_changed, [session_id(3), session_id(4)]);
    let mut changes: Vec<(String, String, String)> =
        sqlx::query_as("SELECT field, CAST(before AS TEXT), CAST(after AS TEXT) FROM game_session_change")
            .fetch_all(&mut place.look().await)
            .await
            .unwrap();
    changes.sort();
    let text =
        |field: &str, before: &str, after: &str| (field.to_owned(), before.to_owned(), after.to_owned());
    assert_eq!(
        changes,
        [
            text("name", "match-5", "renamed"),
            text("players", "2", "5"),
            text("status", "ACTIVE", "TERMINATED"),
        ]
    );
    assert_eq!(store.reader().live_game_sessions(&FLEET.into()).await.unwrap().len(), 49);
    store.close().await;
}

#[tokio::test]
async fn a_protection_that_was_not_asked_keeps_the_one_told_before() {
    let place = Place::new();
    let store = place.open().await;
    let mut told = session(1);
    told.protection_policy = Some("FullProtection".into());
    apply(&store, NOW, vec![Observation::GameSessions(vec![told])]).await;
    let applied = apply(&store, NOW.plus_ms(1), vec![Observation::GameSessions(vec![session(1)])]).await;
    assert!(applied.written.is_empty(), "{applied:?}");
    assert_eq!(place.number("SELECT protection_policy FROM game_session_state").await, 31);
    store.close().await;
}

#[tokio::test]
async fn a_listing_that_broke_off_ends_no_player_session() {
    let place = Place::new();
    let store = place.open().await;
    apply(&store, NOW, world()).await;
    let broken = Listing::partial(vec![player_session(0, 0)]);
    let applied =
        apply(&store, NOW.plus_ms(1), vec![Observation::PlayerSessions(session_id(0), broken)]).await;
    assert!(applied.written.is_empty(), "{applied:?}");
    assert_eq!(place.number("SELECT count(*) FROM player_session WHERE gone_at IS NOT NULL").await, 0);
    store.close().await;
}

#[tokio::test]
async fn a_complete_listing_ends_only_the_live_player_sessions_it_lacks() {
    let place = Place::new();
    let store = place.open().await;
    let mut done = player_session(0, 2);
    done.status = PlayerSessionStatus::Completed;
    done.termination_time = Some(NOW);
    let first = vec![player_session(0, 0), player_session(0, 1), done];
    let sessions = Observation::GameSessions(vec![session(0)]);
    apply(&store, NOW, vec![sessions, Observation::PlayerSessions(session_id(0), Listing::complete(first))])
        .await;
    let rest = Listing::complete(vec![player_session(0, 0)]);
    let applied =
        apply(&store, NOW.plus_ms(5), vec![Observation::PlayerSessions(session_id(0), rest.clone())]).await;
    assert_eq!(applied.written.get("player_sessions"), Some(&1));
    assert_eq!(place.number("SELECT count(*) FROM player_session").await, 3);
    assert_eq!(place.number("SELECT count(*) FROM player_session WHERE gone_at IS NOT NULL").await, 1);
    let again = apply(&store, NOW.plus_ms(9), vec![Observation::PlayerSessions(session_id(0), rest)]).await;
    assert!(again.written.is_empty(), "{again:?}");
    store.close().await;
}

#[tokio::test]
async fn a_session_gamelift_no_longer_knows_has_ended_with_its_players_and_keeps_its_last_status() {
    let place = Place::new();
    let store = place.open().await;
    apply(&store, NOW, world()).await;
    apply(&store, NOW.plus_ms(5), vec![Observation::GameSessionGone(session_id(9))]).await;
    assert_eq!(store.reader().live_game_sessions(&FLEET.into()).await.unwrap().len(), 49);
    assert_eq!(
        place
            .number("SELECT count(*) FROM game_session_state WHERE gone_at IS NOT NULL AND status = 1")
            .await,
        1
    );
    assert_eq!(place.number("SELECT count(*) FROM player_session WHERE gone_at IS NOT NULL").await, 3);
    let again = apply(&store, NOW.plus_ms(9), vec![Observation::GameSessionGone(session_id(9))]).await;
    assert!(again.written.is_empty(), "{again:?}");
    let back = apply(&store, NOW.plus_ms(12), vec![Observation::GameSessions(vec![session(9)])]).await;
    assert_eq!(back.written.get("game_sessions"), Some(&1));
    assert_eq!(store.reader().live_game_sessions(&FLEET.into()).await.unwrap().len(), 50);
    store.close().await;
}

#[tokio::test]
async fn a_text_that_vanishes_at_aws_vanishes_here() {
    let place = Place::new();
    let store = place.open().await;
    apply(&store, NOW, vec![Observation::GameSessions(vec![session(1)])]).await;
    let mut bare = session(1);
    bare.matchmaker_data = None;
    bare.game_properties.clear();
    apply(&store, NOW.plus_ms(1), vec![Observation::GameSessions(vec![bare])]).await;
    let left =
        "SELECT count(*) FROM game_session_text WHERE coalesce(game_properties, matchmaker_data) IS NOT NULL";
    assert_eq!(place.number(left).await, 0);
    store.close().await;
}

#[tokio::test]
async fn many_batches_at_once_are_all_written() {
    let place = Place::new();
    let store = place.open().await;
    let mut tasks = tokio::task::JoinSet::new();
    for part in 0..100_u32 {
        let writer = store.writer().unwrap();
        tasks.spawn(async move {
            let sessions = (part * 10..part * 10 + 10).map(session).collect();
            writer.apply(crate::fixture::batch(NOW, vec![Observation::GameSessions(sessions)])).await.unwrap()
        });
    }
    let applied = tasks.join_all().await;
    assert_eq!(applied.iter().filter_map(|one| one.written.get("game_sessions")).sum::<u64>(), 1_000);
    assert_eq!(place.number("SELECT count(*) FROM game_session_state").await, 1_000);
    store.close().await;
}

#[tokio::test]
async fn sessions_whose_players_were_not_confirmed_come_longest_first() {
    let place = Place::new();
    let store = place.open().await;
    apply(&store, NOW, world()).await;
    let (reader, fleet) = (store.reader(), FLEET.into());
    assert!(reader.sessions_with_unconfirmed_players(&fleet, NOW, 10).await.unwrap().is_empty());
    let later = NOW.plus_ms(60_000);
    assert_eq!(reader.sessions_with_unconfirmed_players(&fleet, later, 10).await.unwrap().len(), 10);
    let players = Listing::complete((0..3).map(|player| player_session(0, player)).collect());
    apply(&store, later, vec![Observation::PlayerSessions(session_id(0), players)]).await;
    let waiting = reader.sessions_with_unconfirmed_players(&fleet, later, 100).await.unwrap();
    assert_eq!((waiting.len(), waiting.contains(&session_id(0))), (49, false));
    store.close().await;
    let store = place.open().await;
    assert_eq!(store.reader().players_confirmed(&session_id(0)).await.unwrap(), Some(later));
    store.close().await;
}

#[tokio::test]
async fn a_poll_is_seen_at_once_and_is_on_the_disk_after_closing() {
    let place = Place::new();
    let store = place.open().await;
    let subject = PollSubject { kind: PollKind::GameSessions, resource: FLEET.to_owned() };
    let poll = |at: Timestamp, failure: Option<&str>| {
        let failure = failure.map(str::to_owned);
        vec![Observation::Poll(Poll { subject: subject.clone(), at, took_ms: 12, failure })]
    };
    apply(&store, NOW, poll(NOW, None)).await;
    apply(&store, NOW, poll(NOW.plus_ms(10), Some("denied"))).await;
    let applied = apply(&store, NOW, poll(NOW.plus_ms(20), Some("denied"))).await;
    assert_eq!(applied.revision, 0);
    let check = |line: liftdeck_store::LedgerLine| {
        assert_eq!(line.confirmed_at, Some(NOW));
        assert_eq!((line.asked_at, line.failing_since), (NOW.plus_ms(20), Some(NOW.plus_ms(10))));
    };
    check(store.reader().poll(&region(), &subject).unwrap());
    store.close().await;
    let store = place.open().await;
    check(store.reader().poll(&region(), &subject).unwrap());
    store.close().await;
}

#[tokio::test]
async fn a_resource_is_watched_from_the_beginning_of_its_first_poll_until_a_long_break_also_across_a_restart()
{
    const MINUTE: i64 = 60_000;
    let place = Place::new();
    let mut store = place.open().await;
    let poll = |minute: i64, failure: Option<&str>| {
        let subject = PollSubject { kind: PollKind::GameSessions, resource: FLEET.to_owned() };
        let failure = failure.map(str::to_owned);
        vec![Observation::Poll(Poll { subject, at: NOW.plus_ms(minute * MINUTE), took_ms: 2_000, failure })]
    };
    assert_eq!(store.reader().watched(PollKind::GameSessions, FLEET), None);
    let polls =
        [(0, None, 0), (10, None, 0), (15, Some("denied"), 0), (20, None, 0), (31, None, 31), (32, None, 31)];
    for (minute, failure, since) in polls {
        apply(&store, NOW, poll(minute, failure)).await;
        store.close().await;
        store = place.open().await;
        let watched = store.reader().watched(PollKind::GameSessions, FLEET).unwrap();
        assert_eq!(watched.since, NOW.plus_ms(since * MINUTE - 2_000), "minute {minute}");
    }
    let watched = store.reader().watched(PollKind::GameSessions, FLEET).unwrap();
    assert_eq!(watched.read_from, NOW.plus_ms(32 * MINUTE - 2_000));
    store.close().await;
}

#[tokio::test]
async fn the_last_poll_that_saw_a_game_session_activating_is_kept() {
    let place = Place::new();
    let store = place.open().await;
    let created = NOW.plus_ms(-60_000);
    let seen = |status: GameSessionStatus| {
        vec![Observation::GameSessions(vec![GameSession { status, ..session(1) }])]
    };
    let last = async || {
        let starts = store.reader().starts(&FLEET.into(), TimeRange::new(created, NOW)).await.unwrap();
        starts[0].activating_at
    };
    for (at, status, kept) in [
        (0, GameSessionStatus::Activating, 0),
        (60, GameSessionStatus::Activating, 60),
        (120, GameSessionStatus::Active, 60),
        (180, GameSessionStatus::Terminating, 60),
    ] {
        let applied = apply(&store, NOW.plus_ms(at * 1_000), seen(status)).await;
        assert_eq!(last().await, Some(NOW.plus_ms(kept * 1_000)), "{at} s");
        assert_eq!(applied.subjects.is_empty(), at == 60, "no screen shows it");
    }
    apply(&store, NOW, vec![Observation::GameSessions(vec![session(2)])]).await;
    let starts = store.reader().starts(&FLEET.into(), TimeRange::new(created, NOW)).await.unwrap();
    assert_eq!(starts.iter().filter(|start| start.activating_at.is_none()).count(), 1, "seen ACTIVE only");
    store.close().await;
}

#[tokio::test]
async fn the_next_listing_of_a_fleet_replaces_what_the_last_one_lacked() {
    let place = Place::new();
    let mut store = place.open().await;
    apply(&store, NOW, vec![Observation::GameSessions((0..4).map(session).collect())]).await;
    let lacks = |numbers: &[u32]| {
        let ids = numbers.iter().map(|number| session_id(*number)).collect();
        vec![Observation::GameSessionsUnlisted(FLEET.into(), ids)]
    };
    const COUNT: &str = "SELECT count(*) FROM game_session_unlisted";
    assert_eq!(apply(&store, NOW, lacks(&[])).await.revision, 1, "nothing to write");
    apply(&store, NOW, lacks(&[2, 3])).await;
    let mut first = store.reader().live_game_sessions(&FLEET.into()).await.unwrap();
    first.truncate(2);
    first.sort();
    assert_eq!(first, [session_id(2), session_id(3)], "they wait for longest");
    apply(&store, NOW, lacks(&[3])).await;
    assert_eq!(place.number(COUNT).await, 1);
    store.close().await;
    store = place.open().await;
    apply(&store, NOW, lacks(&[])).await;
    assert_eq!(place.number(COUNT).await, 0, "also after a restart");
    store.close().await;
}

#[tokio::test]
async fn a_player_of_an_earlier_run_is_the_same_player() {
    let place = Place::new();
    let seen = |number: u32| {
        let players = Listing::complete(vec![player_session(number, 1)]);
        vec![
            Observation::GameSessions(vec![session(number)]),
            Observation::PlayerSessions(session_id(number), players),
        ]
    };
    for number in [1, 2] {
        let store = place.open().await;
        apply(&store, NOW.plus_ms(i64::from(number)), seen(number)).await;
        store.close().await;
    }
    assert_eq!(place.number("SELECT count(*) FROM player").await, 1);
    assert_eq!(place.number("SELECT count(*) FROM player_session JOIN player USING (player_key)").await, 2);
}

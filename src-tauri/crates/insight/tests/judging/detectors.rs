//! Detectors of single kinds of trouble, and the causes that belong to them.

use liftdeck_insight::incident::{HitNoun, IncidentOf, incident, incident_players};
use liftdeck_insight::verdict::{InForce, look};
use liftdeck_insight::{Likely, LikelyCause, Rule, Trouble};
use liftdeck_model::fleet::{Fleet, FleetStatus};
use liftdeck_model::game_session::{GameSession, GameSessionStatus};
use liftdeck_model::metric::{MetricSample, MetricSeries};
use liftdeck_model::observation::{Listing, Observation, Poll, PollKind, PollSubject};
use liftdeck_model::placement::{PlacementEvent, PlacementEventType};
use liftdeck_model::player_session::{PlayerSession, PlayerSessionStatus};
use liftdeck_model::queue::{GameSessionQueue, PlayerLatencyPolicy};
use liftdeck_model::{Severity, Timestamp};
use liftdeck_store::reader::window::Page;

use super::MINUTE;
use super::incident::{crashed, fires};
use super::world::{NOW, World, adoption, capacity, fleet, placement, player, queue, session, utilization};

/// So many game sessions that were seen with players, without any for `empty_ms`, and then ended.
async fn ended_after(world: &World, many: u32, empty_ms: i64) {
    let last_left = NOW.plus_ms(-60 * MINUTE);
    let with = |players: i32, ended: Option<Timestamp>| -> Vec<GameSession> {
        (100..100 + many)
            .map(|number| GameSession {
                current_player_session_count: players,
                status: if ended.is_some() {
                    GameSessionStatus::Terminated
                } else {
                    GameSessionStatus::Active
                },
                termination_time: ended,
                ..session(number, NOW.plus_ms(-90 * MINUTE))
            })
            .collect()
    };
    let ended = last_left.plus_ms(empty_ms);
    world.saw(NOW.plus_ms(-80 * MINUTE), vec![Observation::GameSessions(with(4, None))]).await;
    world.saw(last_left, vec![Observation::GameSessions(with(0, None))]).await;
    world.saw(ended, vec![Observation::GameSessions(with(0, Some(ended)))]).await;
}

/// Game sessions that players left 15, 14 … minutes ago.
async fn left_alone(world: &World, many: u32) {
    let calm = vec![Observation::Fleets(Listing::complete(vec![fleet("calm")]))];
    world.saw(NOW.plus_ms(-100 * MINUTE), calm).await;
    world.watched("calm", NOW.plus_ms(-100 * MINUTE)).await;
    for number in 0..many {
        let left = NOW.plus_ms((i64::from(number) - 15) * MINUTE);
        let one = session(number, NOW.plus_ms(-40 * MINUTE));
        let with = GameSession { current_player_session_count: 6, ..one.clone() };
        world.saw(NOW.plus_ms(-30 * MINUTE), vec![Observation::GameSessions(vec![with])]).await;
        world.saw(left, vec![Observation::GameSessions(vec![one])]).await;
    }
}

#[tokio::test]
async fn game_sessions_that_stay_without_players_are_found_with_the_first_that_was_left_alone() {
    let world = World::new().await;
    left_alone(&world, 3).await;
    ended_after(&world, 30, MINUTE).await;
    let verdict = world.found(Rule::EmptySessions, &InForce::new()).await.expect("a leak");
    assert_eq!((verdict.severity, verdict.since), (Severity::Warning, NOW.plus_ms(-15 * MINUTE)));
    let Trouble::SessionsStayEmpty { game_sessions, .. } = verdict.facts.trouble else {
        panic!("{verdict:?}")
    };
    assert_eq!(game_sessions, 3);
    world.close().await;
}

#[tokio::test]
async fn empty_game_sessions_are_dated_by_the_last_player_who_left_the_first_if_all_are_known_to_have_left() {
    let seen = NOW.plus_ms(-15 * MINUTE);
    let (joined, left) = (NOW.plus_ms(-35 * MINUTE), seen.plus_ms(-40_000));
    for (last, since) in [(Some(left), left), (None, seen)] {
        let world = World::new().await;
        left_alone(&world, 3).await;
        ended_after(&world, 30, MINUTE).await;
        let of = session(0, NOW).game_session_id;
        let players = vec![player(0, 1, joined, Some(left.plus_ms(-MINUTE))), player(0, 2, joined, last)];
        world.saw(seen, vec![Observation::PlayerSessions(of, Listing::complete(players))]).await;
        let verdict = world.found(Rule::EmptySessions, &InForce::new()).await.expect("a leak");
        assert_eq!(verdict.since, since);
        world.close().await;
    }
}

#[tokio::test]
async fn what_was_not_watched_for_long_does_not_tell_how_long_game_sessions_usually_stay_empty() {
    let world = World::new().await;
    left_alone(&world, 3).await;
    ended_after(&world, 30, MINUTE).await;
    world.read_game_sessions("calm", NOW.plus_ms(11 * MINUTE)).await;
    let found = look(&world.reader(), &InForce::new(), NOW.plus_ms(12 * MINUTE)).await.unwrap().verdicts;
    assert!(found.iter().all(|verdict| verdict.rule != Rule::EmptySessions), "after a break: {found:?}");
    world.close().await;
}

#[tokio::test]
async fn game_sessions_that_the_last_listing_did_not_contain_are_not_known_to_stay() {
    let world = World::new().await;
    left_alone(&world, 3).await;
    ended_after(&world, 30, MINUTE).await;
    let stuck =
        GameSession { status: GameSessionStatus::Activating, ..session(50, NOW.plus_ms(-40 * MINUTE)) };
    world.saw(NOW.plus_ms(-30 * MINUTE), vec![Observation::GameSessions(vec![stuck.clone()])]).await;
    for (unlisted, is_found) in [(vec![0, 50], false), (vec![], true)] {
        let ids = unlisted.iter().map(|number| session(*number, NOW).game_session_id).collect();
        world.saw(NOW, vec![Observation::GameSessionsUnlisted("fleet-calm".into(), ids)]).await;
        for rule in [Rule::EmptySessions, Rule::StuckSessions] {
            let found = world.found(rule, &InForce::new()).await;
            assert_eq!(found.is_some(), is_found, "{rule:?}, unlisted {unlisted:?}: {found:?}");
        }
    }
    world.close().await;
}

#[tokio::test]
async fn a_game_that_keeps_empty_game_sessions_for_long_is_not_in_trouble() {
    let world = World::new().await;
    left_alone(&world, 3).await;
    ended_after(&world, 30, 20 * MINUTE).await;
    assert_eq!(world.found(Rule::EmptySessions, &InForce::new()).await, None);
    world.close().await;
}

#[tokio::test]
async fn one_empty_game_session_is_no_leak_but_holds_one_that_was_found_and_two_are() {
    let world = World::new().await;
    left_alone(&world, 1).await;
    ended_after(&world, 30, MINUTE).await;
    assert_eq!(world.found(Rule::EmptySessions, &InForce::new()).await, None);
    let in_force = InForce::from([((Rule::EmptySessions, "fleet-calm".to_owned()), NOW)]);
    assert!(world.found(Rule::EmptySessions, &in_force).await.is_some());
    left_alone(&world, 2).await;
    assert_eq!(world.found(Rule::EmptySessions, &InForce::new()).await, None, "30 may be too few to tell");
    ended_after(&world, 200, MINUTE).await;
    assert!(world.found(Rule::EmptySessions, &InForce::new()).await.is_some(), "none ever stayed so long");
    world.close().await;
}

/// Game sessions that ended half an hour after they were created, at least `hours` ago, and such as have run for three
/// hours with `players`.
async fn outlasting(world: &World, hours: i64, players: i32) {
    let begun = NOW.plus_ms(-(hours * 60 + 40) * MINUTE);
    let ended = (100..160).map(|number| {
        let created = begun.plus_ms(-i64::from(number) * 1_000);
        GameSession {
            status: GameSessionStatus::Terminated,
            termination_time: Some(created.plus_ms(30 * MINUTE)),
            ..session(number, created)
        }
    });
    let running = (0..3).map(|number| GameSession {
        current_player_session_count: players,
        ..session(number, NOW.plus_ms(-180 * MINUTE))
    });
    let seen = vec![
        Observation::Fleets(Listing::complete(vec![fleet("calm")])),
        Observation::GameSessions(ended.chain(running).collect()),
    ];
    world.saw(NOW.plus_ms(-MINUTE), seen).await;
}

#[tokio::test]
async fn game_sessions_that_run_far_longer_than_usual_are_found_once_a_day_is_known() {
    for (hours, severity) in [(30, Severity::Warning), (1, Severity::Info)] {
        let world = World::new().await;
        outlasting(&world, hours, 4).await;
        let verdict = world.found(Rule::LongSessions, &InForce::new()).await.expect("they run long");
        assert_eq!((verdict.severity, verdict.since), (severity, NOW.plus_ms(-60 * MINUTE)));
        let Trouble::SessionsRunLong { game_sessions, usual_ms, longer_than_ms, .. } = verdict.facts.trouble
        else {
            panic!("{verdict:?}")
        };
        assert_eq!((game_sessions, usual_ms, longer_than_ms), (3, 30 * MINUTE, 120 * MINUTE));
        world.close().await;
    }
}

#[tokio::test]
async fn empty_game_sessions_older_than_any_game_are_a_leak_at_the_first_look() {
    let world = World::new().await;
    outlasting(&world, 1, 0).await;
    let verdict = world.found(Rule::EmptySessions, &InForce::new()).await.expect("a leak");
    assert_eq!((verdict.severity, verdict.facts.hit.count), (Severity::Warning, 3));
    assert_eq!(world.found(Rule::LongSessions, &InForce::new()).await, None, "they are told once");
    world.close().await;
}

#[tokio::test]
async fn a_game_session_that_stays_activating_is_found() {
    let world = World::new().await;
    let calm = Observation::Fleets(Listing::complete(vec![fleet("calm")]));
    let begun = NOW.plus_ms(-30 * MINUTE);
    let stuck = GameSession { status: GameSessionStatus::Activating, ..session(1, begun) };
    world.saw(begun, vec![calm, Observation::GameSessions(vec![stuck])]).await;
    let verdict = world.found(Rule::StuckSessions, &InForce::new()).await.expect("a stuck one");
    assert_eq!(verdict.since, begun);
    world.close().await;
}

/// Game sessions that a placement made so many minutes ago, on the destination of a queue that is listened to.
async fn placed_unheard(world: &World, minutes: std::ops::RangeInclusive<i64>) {
    let queue = queue(vec!["arn:aws:gamelift:eu-west-1::fleet/fleet-calm".to_owned()]);
    let subject = PollSubject { kind: PollKind::Fleets, resource: String::new() };
    let sessions = (0..).zip(minutes).map(|(number, ago)| session(number, NOW.plus_ms(-ago * MINUTE)));
    let seen = vec![
        Observation::Fleets(Listing::complete(vec![fleet("calm")])),
        Observation::Queues(Listing::complete(vec![queue])),
        Observation::GameSessions(sessions.collect()),
        Observation::Poll(Poll { subject, at: NOW, took_ms: 30, failure: None }),
    ];
    world.saw(NOW, seen).await;
    world.writer().adopt_queue(adoption(NOW.plus_ms(-90 * MINUTE))).await.unwrap();
}

#[tokio::test]
async fn a_few_placements_that_no_event_tells_of_are_no_alert_but_nothing_is_called_well_meanwhile() {
    let world = World::new().await;
    placed_unheard(&world, 1..=1).await;
    let found = look(&world.reader(), &InForce::new(), NOW).await.unwrap();
    let doubt = found.verdicts.iter().find(|verdict| verdict.rule == Rule::FeedMute).expect("a doubt");
    assert_eq!((doubt.severity, doubt.since), (Severity::Info, NOW.plus_ms(-MINUTE)));
    assert!(found.knowledge.is_fresh() && !found.is_whole(), "{:?}", found.knowledge);
    let told = vec![placement(500, PlacementEventType::Fulfilled)];
    world.saw(NOW, vec![Observation::PlacementEvents(told)]).await;
    let found = look(&world.reader(), &InForce::new(), NOW).await.unwrap();
    assert!(found.is_whole(), "{:?}", found.verdicts);
    world.close().await;
}

#[tokio::test]
async fn a_queue_whose_backlog_is_worked_off_is_not_mute() {
    let world = World::new().await;
    placed_unheard(&world, 6..=15).await;
    assert!(world.found(Rule::FeedMute, &InForce::new()).await.is_some());
    let old = PlacementEvent {
        event_time: NOW.plus_ms(-80 * MINUTE),
        ..placement(500, PlacementEventType::Fulfilled)
    };
    world.saw(NOW.plus_ms(-MINUTE), vec![Observation::PlacementEvents(vec![old])]).await;
    assert_eq!(world.found(Rule::FeedMute, &InForce::new()).await, None);
    world.close().await;
}

#[tokio::test]
async fn placements_that_fail_although_there_is_room_are_laid_on_latency_policies_only_if_nothing_else_fits()
{
    for status in [FleetStatus::Active, FleetStatus::Error] {
        let world = World::new().await;
        let limit = PlayerLatencyPolicy {
            maximum_individual_player_latency_ms: Some(60),
            policy_duration_seconds: None,
        };
        let queue = GameSessionQueue {
            player_latency_policies: vec![limit],
            ..queue(vec!["arn:aws:gamelift:eu-west-1::fleet/fleet-arena".to_owned()])
        };
        let failed = (0..60).map(|number| placement(number, PlacementEventType::TimedOut));
        let read = [PollKind::FleetEvents, PollKind::GameSessions, PollKind::FleetCapacity].map(|kind| {
            let subject = PollSubject { kind, resource: "fleet-arena".to_owned() };
            Observation::Poll(Poll { subject, at: NOW, took_ms: 30, failure: None })
        });
        let seen = vec![
            Observation::Fleets(Listing::complete(vec![Fleet { status: status.clone(), ..fleet("arena") }])),
            Observation::FleetCapacity(capacity("arena", 4, 10)),
            Observation::FleetUtilization(utilization("arena", 32, 12)),
            Observation::Queues(Listing::complete(vec![queue])),
            Observation::PlacementEvents(failed.collect()),
        ];
        world.saw(NOW, seen.into_iter().chain(read).collect()).await;
        let verdict = world.found(Rule::Placements, &InForce::new()).await.expect("placements fail");
        let is_told = |it: &Likely| matches!(it.cause, LikelyCause::LatencyPolicies { maximum_ms: 60, .. });
        let causes = &verdict.facts.causes;
        assert_eq!(causes.iter().any(is_told), status == FleetStatus::Active, "{causes:?}");
        world.close().await;
    }
}

#[tokio::test]
async fn calls_that_go_on_being_throttled_are_found_since_the_first_and_a_burst_is_not() {
    // Seconds ago, how many.
    let lasting = [(3_000, 9), (90, 4), (60, 5), (30, 6), (15, 5)];
    let burst = [(30, 40), (15, 1)];
    for (throttled, expected) in [(&lasting[..], Some((20, 90))), (&burst[..], None)] {
        let world = World::new().await;
        let samples = throttled
            .iter()
            .map(|&(ago, calls)| MetricSample { at: NOW.plus_ms(-ago * 1_000), value: f64::from(calls) });
        let series = MetricSeries::throttled("eu-west-1".into(), "DescribeGameSessions");
        world.saw(NOW, vec![Observation::MetricSamples(series, samples.collect())]).await;
        let verdict = world.found(Rule::Throttled, &InForce::new()).await;
        let told = verdict.map(|it| (it.facts.hit.count, NOW.since_ms(it.since) / 1_000));
        assert_eq!(told, expected);
        world.close().await;
    }
}

/// Six game sessions with eight players each, of whom `missing` do not connect in the first `bad` of them.
async fn reserved(world: &World, bad: u32, missing: u32) {
    let calm = vec![Observation::Fleets(Listing::complete(vec![fleet("calm")]))];
    world.saw(NOW.plus_ms(-30 * MINUTE), calm).await;
    for number in 0..6 {
        let created = NOW.plus_ms((i64::from(number) - 10) * MINUTE);
        let one = session(number, created);
        let players = (0..8).map(|player_number| {
            let is_missing = number < bad && player_number < missing;
            let status = if is_missing { PlayerSessionStatus::TimedOut } else { PlayerSessionStatus::Active };
            let ended = is_missing.then_some(created.plus_ms(MINUTE));
            PlayerSession { status, ..player(number, 100 * number + player_number, created, ended) }
        });
        let players = Listing::complete(players.collect());
        let seen = vec![
            Observation::GameSessions(vec![one.clone()]),
            Observation::PlayerSessions(one.game_session_id, players),
        ];
        world.saw(NOW.plus_ms(-MINUTE), seen).await;
    }
}

#[tokio::test]
async fn reservations_that_nobody_uses_are_found_in_several_game_sessions_and_their_players_listed() {
    for (bad, missing, expected) in [(6, 6, Some((36, 48))), (2, 8, None), (6, 1, None)] {
        let world = World::new().await;
        reserved(&world, bad, missing).await;
        let verdict = world.found(Rule::Reservations, &InForce::new()).await;
        let told = verdict.as_ref().map(|it| (it.facts.hit.count, it.facts.hit.of.unwrap_or(0)));
        assert_eq!(told, expected, "{missing} of 8 in {bad} of 6");
        if expected.is_some() {
            assert_eq!(verdict.map(|it| it.since), Some(NOW.plus_ms(-10 * MINUTE)));
            let of = IncidentOf::Alert { id: fires(&world, Rule::Reservations).await.id };
            let who = incident(&world.reader(), &of, NOW).await.unwrap().unwrap().who;
            assert_eq!((who.noun, who.players, who.times), (HitNoun::Reservations, Some(36), 36));
            let players = incident_players(&world.reader(), &of, Page::first(5), NOW).await.unwrap().unwrap();
            assert_eq!((players.total, players.rows[0].playing.is_some()), (36, false));
        }
        world.close().await;
    }
}

#[tokio::test]
async fn crashes_from_before_the_first_reading_are_set_against_the_game_sessions_that_live_on() {
    for (live, is_found) in [(400, false), (3, true)] {
        let world = World::new().await;
        // What fleet events tell of the last minutes; how the others ended then is never read.
        let crashes = (0..4).map(|number| {
            let ended = NOW.plus_ms(-(2 + i64::from(number)) * MINUTE);
            crashed(number, ended.plus_ms(-MINUTE), ended)
        });
        let (mut sessions, crashes): (Vec<_>, Vec<_>) = crashes.unzip();
        let seen = vec![
            Observation::Fleets(Listing::complete(vec![fleet("calm")])),
            Observation::FleetUtilization(utilization("calm", 500, live)),
            Observation::FleetEvents("fleet-calm".into(), crashes),
        ];
        world.saw(NOW, seen).await;
        let told = world.found(Rule::Crashes, &InForce::new()).await;
        assert_eq!(told.is_some(), is_found, "{live} live: {told:?}");
        // What is read of those that crashed, of one page of those that ended well before, and of those that have ended
        // well since then, changes nothing about it.
        let well = (10..14).map(|number| GameSession {
            status: GameSessionStatus::Terminated,
            termination_time: Some(if number < 12 { NOW } else { NOW.plus_ms(-8 * MINUTE) }),
            ..session(number, NOW.plus_ms(-9 * MINUTE))
        });
        sessions.extend(well);
        world.saw(NOW, vec![Observation::GameSessions(sessions)]).await;
        world.watched("calm", NOW).await;
        let told = world.found(Rule::Crashes, &InForce::new()).await;
        assert_eq!(told.is_some(), is_found, "{live} live, 2 ended well: {told:?}");
        world.close().await;
    }
}

#[tokio::test]
async fn crashes_since_the_last_poll_are_set_against_how_many_usually_end_in_that_time() {
    // A poll of a large fleet takes minutes, so the last one may have begun long ago.
    for (first_poll, is_found) in [(-25, false), (-20, true)] {
        let world = World::new().await;
        let crashes = (0..4).map(|number| {
            let ended = NOW.plus_ms(-(1 + i64::from(number)) * MINUTE);
            crashed(number, ended.plus_ms(-MINUTE), ended).1
        });
        let well = (10..410).map(|number: u32| GameSession {
            status: GameSessionStatus::Terminated,
            termination_time: Some(NOW.plus_ms(-(6 + i64::from(number % 10)) * MINUTE)),
            ..session(number, NOW.plus_ms(-30 * MINUTE))
        });
        let seen = vec![
            Observation::Fleets(Listing::complete(vec![fleet("calm")])),
            Observation::FleetEvents("fleet-calm".into(), crashes.collect()),
            Observation::GameSessions(well.collect()),
        ];
        world.saw(NOW.plus_ms(-30 * MINUTE), seen).await;
        world.watched("calm", NOW.plus_ms(first_poll * MINUTE)).await;
        let told = world.found(Rule::Crashes, &InForce::new()).await;
        assert_eq!(told.is_some(), is_found, "polled first {first_poll} min ago: {told:?}");
        world.close().await;
    }
}

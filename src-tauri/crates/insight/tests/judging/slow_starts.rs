//! Game sessions that take much longer than usual to become ACTIVE.

use liftdeck_insight::incident::{HitNoun, IncidentOf, Speaks, incident};
use liftdeck_insight::offer::Offered;
use liftdeck_insight::verdict::{InForce, Verdict, look};
use liftdeck_insight::{LikelyCause, Rule, Strength, Trouble};
use liftdeck_model::fleet::FleetEvent;
use liftdeck_model::game_session::{GameSession, GameSessionStatus};
use liftdeck_model::observation::{Listing, Observation, Poll, PollKind, PollSubject};
use liftdeck_model::placement::{PlacementEvent, PlacementEventType};
use liftdeck_model::{FleetId, GameSessionId};

use super::MINUTE;
use super::incident::fires;
use super::world::{NOW, World, fleet, placement, session};

#[tokio::test]
async fn game_sessions_start_slowly_only_if_a_poll_saw_them_take_long() {
    for (age_ms, is_slow) in [(20_000, false), (45_000, true)] {
        let world = World::new().await;
        // The polls are two minutes late: what has become of the game sessions since is not known.
        let read = NOW.plus_ms(-2 * MINUTE);
        let starting = (0..3).map(|number| GameSession {
            status: GameSessionStatus::Activating,
            ..session(number, read.plus_ms(-age_ms))
        });
        let subject = PollSubject { kind: PollKind::GameSessions, resource: "fleet-calm".to_owned() };
        let seen = vec![
            Observation::Fleets(Listing::complete(vec![fleet("calm")])),
            Observation::GameSessions(starting.collect()),
            Observation::Poll(Poll { subject, at: read, took_ms: 30, failure: None }),
        ];
        world.saw(read, seen).await;
        let verdict = world.found(Rule::Activation, &InForce::new()).await;
        assert_eq!(verdict.is_some(), is_slow, "{age_ms} ms when last read: {verdict:?}");
        world.close().await;
    }
}

#[tokio::test]
async fn what_the_pages_of_one_poll_show_one_after_the_other_makes_no_start_late() {
    let world = World::new().await;
    world
        .saw(NOW.plus_ms(-3 * MINUTE), vec![Observation::Fleets(Listing::complete(vec![fleet("calm")]))])
        .await;
    let before = NOW.plus_ms(-2 * MINUTE);
    let starting = (0..6).map(|number| GameSession {
        status: GameSessionStatus::Activating,
        ..session(number, before.plus_ms(-5_000))
    });
    world.saw(before, vec![Observation::GameSessions(starting.collect())]).await;
    // The next poll sees them ACTIVE, on two pages.
    for (page, of) in [(0, 0..3), (1, 3..6)] {
        let active = of.map(|number| session(number, before.plus_ms(-5_000))).collect();
        world.saw(NOW.plus_ms(page * 500 - MINUTE), vec![Observation::GameSessions(active)]).await;
    }
    // One that is late is a reason to look, and none to call all of them late.
    let one = GameSession { status: GameSessionStatus::Activating, ..session(9, before) };
    world.saw(NOW.plus_ms(-MINUTE), vec![Observation::GameSessions(vec![one])]).await;
    world.watched("calm", NOW).await;
    assert_eq!(world.found(Rule::Activation, &InForce::new()).await, None);
    world.close().await;
}

#[tokio::test]
async fn a_start_is_late_that_two_polls_saw_activating_even_if_it_is_active_now() {
    let world = World::new().await;
    world
        .saw(NOW.plus_ms(-5 * MINUTE), vec![Observation::Fleets(Listing::complete(vec![fleet("calm")]))])
        .await;
    let begun = NOW.plus_ms(-4 * MINUTE);
    for (at, status) in [
        (5_000, GameSessionStatus::Activating),
        (MINUTE, GameSessionStatus::Activating),
        (2 * MINUTE, GameSessionStatus::Active),
    ] {
        let seen = (0..4).map(|number| GameSession { status: status.clone(), ..session(number, begun) });
        world.saw(begun.plus_ms(at), vec![Observation::GameSessions(seen.collect())]).await;
    }
    let one = GameSession { status: GameSessionStatus::Activating, ..session(9, NOW.plus_ms(-2 * MINUTE)) };
    world.saw(NOW.plus_ms(-MINUTE), vec![Observation::GameSessions(vec![one])]).await;
    world.watched("calm", NOW).await;
    let verdict = world.found(Rule::Activation, &InForce::new()).await.expect("they start slowly");
    assert_eq!(verdict.since, begun);
    world.close().await;
}

#[tokio::test]
async fn a_start_that_no_poll_saw_take_long_counts_if_its_placement_was_fulfilled_late() {
    for (took_ms, first) in [(40_000, 4), (4_000, 2)] {
        let world = World::new().await;
        // The first poll saw it ACTIVE.
        let early = session(1, NOW.plus_ms(-4 * MINUTE));
        let fulfilled = PlacementEvent {
            start_time: Some(early.creation_time),
            end_time: Some(early.creation_time.plus_ms(took_ms)),
            ..placement(1, PlacementEventType::Fulfilled)
        };
        let late = (2..5).map(|number| GameSession {
            status: GameSessionStatus::Activating,
            ..session(number, NOW.plus_ms(-2 * MINUTE))
        });
        let seen = vec![
            Observation::Fleets(Listing::complete(vec![fleet("calm")])),
            Observation::PlacementEvents(vec![fulfilled]),
            Observation::GameSessions(late.chain([early]).collect()),
        ];
        world.saw(NOW, seen).await;
        let verdict = world.found(Rule::Activation, &InForce::new()).await.expect("they start slowly");
        assert_eq!(verdict.since, NOW.plus_ms(-first * MINUTE), "it took {took_ms} ms");
        world.close().await;
    }
}

#[tokio::test]
async fn single_late_starts_of_several_fleets_in_one_location_are_told_where_hardly_any_other_started() {
    for (in_time, is_slow) in [(0, true), (20, false)] {
        let world = World::new().await;
        let late = |number: u32, fleet: &str| GameSession {
            game_session_id: GameSessionId::new(format!(
                "arn:aws:gamelift:eu-west-1::gamesession/fleet-{fleet}/eu-west-1/late-{number}"
            )),
            fleet_id: FleetId::new(format!("fleet-{fleet}")),
            status: GameSessionStatus::Activating,
            ..session(number, NOW.plus_ms(-150_000))
        };
        let mut sessions = vec![late(1, "calm"), late(2, "other"), late(3, "third")];
        sessions.extend((10..10 + in_time).map(|number| session(number, NOW.plus_ms(-120_000))));
        let fleets = vec![fleet("calm"), fleet("other"), fleet("third"), fleet("fourth")];
        let seen = vec![Observation::Fleets(Listing::complete(fleets)), Observation::GameSessions(sessions)];
        world.saw(NOW, seen).await;
        let look = look(&world.reader(), &InForce::new(), NOW).await.unwrap();
        let late: Vec<_> =
            look.verdicts.into_iter().filter(|verdict| verdict.rule == Rule::Activation).collect();
        assert_eq!(late.len(), if is_slow { 3 } else { 0 }, "{late:?}");
        for verdict in late {
            let first = verdict.facts.causes.first().expect("a cause");
            assert_eq!(first.strength, Strength::Strong);
            assert!(
                matches!(&first.cause, LikelyCause::OneLocation { fleets: 3, failed: 1, .. }),
                "{first:?}"
            );
        }
        world.close().await;
    }
}

/// What the fleet tells of a game session that it gave up.
fn timed_out(one: &GameSession) -> FleetEvent {
    FleetEvent {
        event_id: format!("event-{}", one.game_session_id),
        fleet_id: "fleet-calm".into(),
        event_code: "GAME_SESSION_ACTIVATION_TIMEOUT".into(),
        message: Some(format!("{} was not activated in time.", one.game_session_id)),
        event_time: one.termination_time.unwrap(),
        count: 1,
        has_log: false,
    }
}

#[tokio::test]
async fn activations_that_time_out_in_one_location_only_are_explained_by_it() {
    let world = World::new().await;
    let ended = NOW.plus_ms(-2 * MINUTE);
    let sessions: Vec<GameSession> = (0..40)
        .map(|number| GameSession {
            location: Some(if number < 8 { "eu-north-1" } else { "eu-west-1" }.into()),
            status: GameSessionStatus::Terminated,
            termination_time: Some(ended),
            ..session(number, NOW.plus_ms(-6 * MINUTE))
        })
        .collect();
    let events: Vec<_> = sessions.iter().take(8).map(timed_out).collect();
    let seen = vec![
        Observation::Fleets(Listing::complete(vec![fleet("calm")])),
        Observation::GameSessions(sessions),
        Observation::FleetEvents("fleet-calm".into(), events),
    ];
    world.saw(NOW, seen).await;
    let verdict = world.found(Rule::Activation, &InForce::new()).await.expect("they time out");
    assert_eq!(verdict.since, NOW.plus_ms(-6 * MINUTE), "the first that timed out was late long before");
    let first = verdict.facts.causes.first().expect("a cause");
    let LikelyCause::OneLocation { location, failed, of, fleets } = &first.cause else { panic!("{first:?}") };
    assert_eq!((location.as_str(), *failed, *of, *fleets), ("eu-north-1", 8, 8, 1));
    assert_eq!(first.strength, Strength::Fair, "no other fleet fails there");
    world.close().await;
}

#[tokio::test]
async fn that_other_fleets_of_the_location_are_slow_too_speaks_for_the_location() {
    let world = World::new().await;
    let ended = NOW.plus_ms(-2 * MINUTE);
    let sessions_of = |name: &'static str| {
        (0..20).map(move |number| GameSession {
            game_session_id: GameSessionId::new(format!(
                "arn:aws:gamelift:eu-west-1::gamesession/fleet-{name}/eu-west-1/{name}-{number}"
            )),
            fleet_id: FleetId::new(format!("fleet-{name}")),
            location: Some(if number < 8 { "eu-north-1" } else { "eu-west-1" }.into()),
            status: GameSessionStatus::Terminated,
            termination_time: Some(ended),
            ..session(number, NOW.plus_ms(-6 * MINUTE))
        })
    };
    let mut seen = vec![Observation::Fleets(Listing::complete(vec![fleet("calm"), fleet("other")]))];
    for name in ["calm", "other"] {
        let sessions: Vec<GameSession> = sessions_of(name).collect();
        let fleet_id = FleetId::new(format!("fleet-{name}"));
        let event = |one| FleetEvent { fleet_id: fleet_id.clone(), ..timed_out(one) };
        let events = sessions.iter().take(8).map(event).collect();
        seen.push(Observation::GameSessions(sessions));
        seen.push(Observation::FleetEvents(fleet_id.clone(), events));
    }
    world.saw(NOW, seen).await;
    let alert = fires(&world, Rule::Activation).await;
    let told = incident(&world.reader(), &IncidentOf::Alert { id: alert.id }, NOW).await.unwrap().unwrap();
    let cause = told.causes.first().expect("a cause");
    assert_eq!(cause.heading, "One location");
    assert!(cause.proofs.iter().all(|fact| fact.speaks == Speaks::For), "{:?}", cause.proofs);
    let Some(Offered::Look(advice)) = told.offered else { panic!("a change is offered") };
    assert!(advice.contains("slow in eu-north-1"), "{advice}");
    let lane = told.lanes.first().expect("a lane");
    let labels: Vec<_> = lane.lines.iter().map(|line| line.label.as_str()).collect();
    assert_eq!(labels[1], "other fleets of eu-west-1");
    assert!(["calm", "other"].contains(&labels[0]), "both run the same: {labels:?}");
    world.close().await;
}

#[tokio::test]
async fn activations_that_time_out_by_chance_on_two_fleets_of_a_location_do_not_make_the_location_slow() {
    for (in_time, is_told) in [(20, false), (0, true)] {
        let world = World::new().await;
        let of = |name: &str, number: u32| GameSession {
            game_session_id: GameSessionId::new(format!(
                "arn:aws:gamelift:eu-west-1::gamesession/fleet-{name}/eu-west-1/{name}-{number}"
            )),
            fleet_id: FleetId::new(format!("fleet-{name}")),
            ..session(number, NOW.plus_ms(-4 * MINUTE))
        };
        let mut seen = vec![Observation::Fleets(Listing::complete(vec![fleet("calm"), fleet("other")]))];
        for (name, late) in [("calm", 2), ("other", 1)] {
            let given_up = (0..late).map(|number| GameSession {
                status: GameSessionStatus::Terminated,
                termination_time: Some(NOW.plus_ms(-2 * MINUTE)),
                ..of(name, number)
            });
            let given_up: Vec<_> = given_up.collect();
            let fleet_id = FleetId::new(format!("fleet-{name}"));
            let event = |one| FleetEvent { fleet_id: fleet_id.clone(), ..timed_out(one) };
            let events = given_up.iter().map(event).collect();
            let in_time = (late..late + in_time).map(|number| of(name, number));
            seen.push(Observation::GameSessions(given_up.into_iter().chain(in_time).collect()));
            seen.push(Observation::FleetEvents(fleet_id.clone(), events));
        }
        world.saw(NOW, seen).await;
        let verdict = world.found(Rule::Activation, &InForce::new()).await;
        assert_eq!(verdict.is_some(), is_told, "{in_time} started in time on each: {verdict:?}");
        world.close().await;
    }
}

/// Seconds after the first moment at which each was created, was last seen ACTIVATING and was seen ACTIVE.
type Seen = (i64, i64, Option<i64>);

/// What polls saw of the game sessions of a fleet that began 10 min ago, and how slow it was found.
async fn slow(those: &[Seen], in_force: &InForce) -> Option<Verdict> {
    let world = World::new().await;
    let at = |second: i64| NOW.plus_ms(-10 * MINUTE + second * 1_000);
    world.saw(at(-60), vec![Observation::Fleets(Listing::complete(vec![fleet("calm")]))]).await;
    let mut polls = Vec::new();
    for (number, (created, activating, active)) in (0..).zip(those) {
        let one = session(number, at(*created));
        let still = GameSession { status: GameSessionStatus::Activating, ..one.clone() };
        polls.push((*activating, still));
        polls.extend(active.map(|active| (active, one)));
    }
    polls.sort_by_key(|(second, _)| *second);
    for (second, seen) in polls {
        world.saw(at(second), vec![Observation::GameSessions(vec![seen])]).await;
    }
    let verdict = world.found(Rule::Activation, in_force).await;
    world.close().await;
    verdict
}

#[tokio::test]
async fn game_sessions_that_become_active_late_count_while_one_is_on_its_way() {
    let seen = [(0, 50, Some(70)), (5, 50, Some(70)), (40, 80, Some(100)), (540, 590, None)];
    let verdict = slow(&seen, &InForce::new()).await.expect("late ones");
    assert_eq!(verdict.since, NOW.plus_ms(-10 * MINUTE));
    assert!(
        matches!(verdict.facts.trouble, Trouble::SessionsStartSlowly { late: 4, started: 4, .. }),
        "{:?}",
        verdict.facts
    );
}

#[tokio::test]
async fn the_time_between_two_polls_makes_no_game_session_late() {
    let seen = [(0, 5, Some(180)), (2, 5, Some(180)), (3, 5, Some(180)), (540, 590, None)];
    assert_eq!(slow(&seen, &InForce::new()).await, None);
}

#[tokio::test]
async fn starts_stay_slow_while_one_of_the_last_ten_was_late_and_keep_their_moment() {
    let began = NOW.plus_ms(-60 * MINUTE);
    let known: InForce = [((Rule::Activation, "fleet-calm".to_owned()), began)].into();
    let mut seen: Vec<Seen> = vec![(0, 50, Some(70))];
    seen.extend((1..10).map(|number| (100 + number, 110, Some(120))));
    let verdict = slow(&seen, &known).await.expect("it goes on");
    assert_eq!(verdict.since, began);
    seen.push((130, 131, Some(132)));
    assert_eq!(slow(&seen, &known).await, None, "all of the last ten were in time");
}

#[tokio::test]
async fn a_few_activations_that_timed_out_do_not_hide_all_that_are_late() {
    let world = World::new().await;
    let given_up = (0..2).map(|number| GameSession {
        status: GameSessionStatus::Terminated,
        termination_time: Some(NOW.plus_ms(-MINUTE)),
        ..session(number, NOW.plus_ms(-6 * MINUTE))
    });
    let given_up: Vec<GameSession> = given_up.collect();
    let events = given_up.iter().map(timed_out).collect();
    let starting = (10..13).map(|number| GameSession {
        status: GameSessionStatus::Activating,
        ..session(number, NOW.plus_ms(-45_000))
    });
    let seen = vec![
        Observation::Fleets(Listing::complete(vec![fleet("calm")])),
        Observation::GameSessions(given_up.iter().cloned().chain(starting).collect()),
        Observation::FleetEvents("fleet-calm".into(), events),
    ];
    world.saw(NOW, seen).await;
    let seen = look(&world.reader(), &InForce::new(), NOW).await.unwrap();
    let [verdict] = seen.verdicts.as_slice() else { panic!("{:?}", seen.verdicts) };
    assert_eq!((verdict.rule, verdict.since), (Rule::Activation, NOW.plus_ms(-6 * MINUTE)));
    assert!(
        matches!(verdict.facts.trouble, Trouble::SessionsStartSlowly { late: 5, started: 5, .. }),
        "{:?}",
        verdict.facts
    );
    // Those that may start yet have lost nobody.
    let alert = fires(&world, Rule::Activation).await;
    let told = incident(&world.reader(), &IncidentOf::Alert { id: alert.id }, NOW).await.unwrap().unwrap();
    assert_eq!((told.who.noun, told.who.count, told.who.of), (HitNoun::GameSessions, 2, Some(2)));
    world.close().await;
}

#[tokio::test]
async fn an_everyday_time_out_before_late_starts_does_not_date_them_anew_once_they_time_out() {
    let world = World::new().await;
    let given_up = [12, 3, 3, 2, 2, 1].into_iter().zip(0..).map(|(minutes, number)| {
        let ended = NOW.plus_ms(-minutes * MINUTE);
        GameSession {
            status: GameSessionStatus::Terminated,
            termination_time: Some(ended),
            ..session(number, ended.plus_ms(-5 * MINUTE))
        }
    });
    let given_up: Vec<GameSession> = given_up.collect();
    let events = given_up.iter().map(timed_out).collect();
    let seen = vec![
        Observation::Fleets(Listing::complete(vec![fleet("calm")])),
        Observation::GameSessions(given_up),
        Observation::FleetEvents("fleet-calm".into(), events),
    ];
    world.saw(NOW, seen).await;
    let began = NOW.plus_ms(-8 * MINUTE);
    let known: InForce = [((Rule::Activation, "fleet-calm".to_owned()), began)].into();
    let verdict = world.found(Rule::Activation, &known).await.expect("they time out");
    assert!(matches!(verdict.facts.trouble, Trouble::ActivationsTimeOut { .. }), "{:?}", verdict.facts);
    assert_eq!(verdict.since, began);
    world.close().await;
}

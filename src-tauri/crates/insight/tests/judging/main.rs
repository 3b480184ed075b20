//! What `liftdeck-insight` concludes from a real database file.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod causes;
mod crashes;
mod destinations;
mod detectors;
mod incident;
mod interruptions;
mod no_process;
mod ours;
mod past;
mod room;
mod slow_starts;
mod usual;
mod waits;
mod world;

use liftdeck_insight::difference::{
    Difference, SessionDifferenceQuery, placement_differences, session_differences,
};
use liftdeck_insight::usual::past::Memory;
use liftdeck_insight::usual::{Learning, Standing};
use liftdeck_insight::verdict::{InForce, Verdict, look};
use liftdeck_insight::{
    FleetState, KpiKey, LikelyCause, Rule, Strength, Target, TimelineKind, overview, players_over_time,
    session_timeline,
};
use liftdeck_model::Severity;
use liftdeck_model::fleet::{FleetCapacity, FleetEvent, FleetStatus};
use liftdeck_model::game_session::{GameProperty, GameSession, GameSessionStatus, GameSessionStatusReason};
use liftdeck_model::observation::{Listing, Observation};
use liftdeck_model::placement::{PlacementEvent, PlacementEventType};
use liftdeck_model::query::Query;
use liftdeck_model::queue::GameSessionQueue;
use liftdeck_model::time::TimeRange;
use liftdeck_store::reader::freshness::Freshness;
use liftdeck_store::reader::placement::PlacementScope;

use world::{
    NOW, World, capacity, counted, failing, fleet, placement, player, quarantined, session, utilization,
};

const MINUTE: i64 = 60_000;

fn last_hours(hours: i64) -> TimeRange {
    TimeRange::new(NOW.plus_ms(-hours * 60 * MINUTE), NOW.plus_ms(1))
}

#[tokio::test]
async fn a_calm_world_needs_no_attention_and_counts_everything() {
    let world = World::new().await;
    let yesterday = NOW.plus_ms(-24 * 60 * MINUTE - 2 * MINUTE);
    world
        .saw(
            yesterday,
            vec![
                Observation::Fleets(Listing::complete(vec![fleet("calm"), fleet("other")])),
                Observation::FleetCapacity(capacity("calm", 4, 4)),
                Observation::FleetUtilization(utilization("calm", 32, 8)),
            ],
        )
        .await;
    world
        .saw(
            NOW,
            vec![
                Observation::FleetCapacity(capacity("calm", 6, 5)),
                Observation::FleetCapacity(capacity("other", 1, 1)),
                Observation::FleetUtilization(utilization("calm", 40, 10)),
                Observation::FleetUtilization(utilization("other", 8, 4)),
                Observation::PlacementEvents(
                    (0..30).map(|number| placement(number, PlacementEventType::Fulfilled)).collect(),
                ),
            ],
        )
        .await;
    world.saw(NOW, counted("calm", NOW)).await;
    let seen = look(&world.reader(), &InForce::new(), NOW).await.unwrap();
    assert_eq!(seen.verdicts, []);
    let glance = overview(&world.reader(), &Memory::default(), last_hours(3), NOW).await.unwrap();
    assert_eq!((glance.alerts, glance.seen), (Vec::new(), Vec::new()));
    assert_eq!((glance.fleets, glance.regions), (2, 1));
    let kpi = |key: KpiKey| glance.kpis.iter().find(|kpi| kpi.key == key).unwrap();
    assert_eq!(kpi(KpiKey::ActiveSessions).value, Some(14.0));
    assert_eq!(kpi(KpiKey::ActiveSessions).usual, None, "one day is no habit");
    let learning = Standing::Learning(Learning { days: 0, of_days: 3 });
    assert_eq!(kpi(KpiKey::ActiveSessions).standing, learning);
    assert_eq!(kpi(KpiKey::PlayersOnline).value, Some(70.0));
    assert_eq!((kpi(KpiKey::Instances).value, kpi(KpiKey::Instances).of), (Some(6.0), Some(40.0)));
    assert_eq!(kpi(KpiKey::FreeProcesses).value, Some(34.0));
    assert_eq!(kpi(KpiKey::PlacementsPerMinute).value, Some(2.0));
    assert_eq!(kpi(KpiKey::PlacementsPerMinute).failed_share, Some(0.0));
    assert_eq!(kpi(KpiKey::MatchmakingWaitP95).value, None);
    assert!(kpi(KpiKey::PlayersOnline).spark.len() <= 60);
    let calm = glance.heat.iter().find(|row| row.name == "calm").unwrap();
    assert_eq!((calm.state, calm.cells[0].utilization), (FleetState::Good, Some(0.25)));
    let texts: Vec<_> = glance.changes.iter().map(liftdeck_insight::Change::sentence).collect();
    assert_eq!(texts, ["calm scaled 4 → 6 in eu-west-1"]);
    world.close().await;
}

#[tokio::test]
async fn each_trouble_is_found_with_its_beginning_and_its_weight() {
    let world = World::new().await;
    for minutes in (0..=30).rev().step_by(2) {
        let full = minutes <= 10;
        world
            .saw(
                NOW.plus_ms(-minutes * MINUTE),
                vec![
                    Observation::Fleets(Listing::complete(vec![
                        fleet("capped"),
                        fleet("spot"),
                        liftdeck_model::fleet::Fleet { status: FleetStatus::Error, ..fleet("broken") },
                    ])),
                    Observation::FleetCapacity(capacity("capped", 20, 20)),
                    Observation::FleetUtilization(utilization("capped", 160, if full { 160 } else { 150 })),
                ],
            )
            .await;
    }
    world.watched("capped", NOW.plus_ms(-30 * MINUTE)).await;
    let interrupted = |number: i64| FleetEvent {
        event_id: format!("event-{number}"),
        fleet_id: "fleet-spot".into(),
        event_code: "INSTANCE_INTERRUPTED".into(),
        message: None,
        event_time: NOW.plus_ms(-number * MINUTE),
        count: 1,
        has_log: false,
    };
    let crashed = |fleet: &str, number: i64| FleetEvent {
        event_id: format!("crash-{fleet}-{number}"),
        fleet_id: fleet.into(),
        event_code: "SERVER_PROCESS_CRASHED".into(),
        message: Some(format!("exited with code {}", if number == 1 { 139 } else { 1 })),
        ..interrupted(number)
    };
    let outcome =
        |number: u32| if number < 12 { PlacementEventType::TimedOut } else { PlacementEventType::Fulfilled };
    world
        .saw(
            NOW,
            vec![
                Observation::FleetEvents(
                    "fleet-spot".into(),
                    (1..8)
                        .map(interrupted)
                        .chain((1..4).map(|number| crashed("fleet-spot", number)))
                        .collect(),
                ),
                // One that ended well: game sessions were read by then.
                Observation::GameSessions(vec![GameSession {
                    fleet_id: "fleet-capped".into(),
                    status: GameSessionStatus::Terminated,
                    termination_time: Some(NOW.plus_ms(-20 * MINUTE)),
                    ..session(900, NOW.plus_ms(-40 * MINUTE))
                }]),
                Observation::FleetEvents(
                    "fleet-capped".into(),
                    (1..7).map(|number| crashed("fleet-capped", number)).collect(),
                ),
                Observation::PlacementEvents(
                    (0..40).map(|number| placement(number, outcome(number))).collect(),
                ),
                Observation::Quarantined(vec![quarantined()]),
                failing(NOW.plus_ms(-10 * MINUTE)),
                failing(NOW),
            ],
        )
        .await;
    let seen = look(&world.reader(), &InForce::new(), NOW).await.unwrap();
    let all: Vec<_> = seen.verdicts.iter().map(|it| (it.rule, it.subject.as_str(), it.severity)).collect();
    let found = |rule: Rule, subject: &str| {
        let is_it = |it: &&Verdict| it.rule == rule && it.subject == subject;
        seen.verdicts.iter().find(is_it).unwrap_or_else(|| panic!("{rule:?} {subject} in {all:?}"))
    };
    let capped = found(Rule::Capped, "fleet-capped");
    assert_eq!((capped.severity, capped.since), (Severity::Bad, NOW.plus_ms(-10 * MINUTE)));
    assert_eq!(capped.facts.target, Target::FleetScaling("fleet-capped".into()));
    let crashes = found(Rule::Crashes, "fleet-capped");
    assert_eq!((crashes.severity, crashes.since), (Severity::Bad, NOW.plus_ms(-6 * MINUTE)));
    assert_eq!(crashes.facts.hit.count, 6);
    assert!(!all.iter().any(|(rule, _, _)| *rule == Rule::Startup), "{all:?}");
    let placements = found(Rule::Placements, "eu-west-1/arena");
    assert_eq!((placements.severity, placements.since), (Severity::Bad, NOW.plus_ms(-11_000)));
    found(Rule::Interruptions, "fleet-spot");
    found(Rule::FleetError, "fleet-broken");
    found(Rule::EventsAside, "https://sqs.eu-west-1.amazonaws.com/111122223333/events");
    world.close().await;
}

/// Ten outcomes a minute for an hour, the last ones failing.
fn outcomes(failing: u32) -> Vec<PlacementEvent> {
    let outcome = |number: u32| {
        if number < failing { PlacementEventType::TimedOut } else { PlacementEventType::Fulfilled }
    };
    (0..600).map(|number| placement(number, outcome(number))).collect()
}

#[tokio::test]
async fn placements_that_fail_are_dated_by_the_first_that_did_and_keep_that_date() {
    let world = World::new().await;
    world.saw(NOW, vec![Observation::PlacementEvents(outcomes(40))]).await;
    let seen = look(&world.reader(), &InForce::new(), NOW).await.unwrap();
    let [failing] = seen.verdicts.as_slice() else { panic!("{:?}", seen.verdicts) };
    assert_eq!((failing.rule, failing.since), (Rule::Placements, NOW.plus_ms(-39_000)));
    let in_force = InForce::from([((Rule::Placements, failing.subject.clone()), failing.since)]);
    for later in [2, 5, 9, 11, 40] {
        let seen = look(&world.reader(), &in_force, NOW.plus_ms(later * MINUTE)).await.unwrap();
        assert_eq!(seen.verdicts.iter().map(|it| it.since).collect::<Vec<_>>(), [failing.since]);
    }
    let new = look(&world.reader(), &InForce::new(), NOW.plus_ms(11 * MINUTE)).await.unwrap();
    assert_eq!(new.verdicts, [], "it is no news any more");
    world.close().await;
}

#[tokio::test]
async fn placements_that_fail_are_over_ten_minutes_after_the_last_once_one_is_fulfilled() {
    let world = World::new().await;
    world.saw(NOW, vec![Observation::PlacementEvents(outcomes(40))]).await;
    let in_force = InForce::from([((Rule::Placements, "eu-west-1/arena".to_owned()), NOW)]);
    let fulfilled = PlacementEvent {
        event_time: NOW.plus_ms(2 * MINUTE),
        ..placement(601, PlacementEventType::Fulfilled)
    };
    world.saw(NOW.plus_ms(2 * MINUTE), vec![Observation::PlacementEvents(vec![fulfilled])]).await;
    for (minutes, expected) in [(9, 1), (11, 0)] {
        let seen = look(&world.reader(), &in_force, NOW.plus_ms(minutes * MINUTE)).await.unwrap();
        assert_eq!(seen.verdicts.len(), expected, "after {minutes} min");
    }
    world.close().await;
}

#[tokio::test]
async fn an_everyday_timeout_minutes_before_placements_fail_is_not_their_first() {
    let world = World::new().await;
    // One every twenty seconds: the last ones fail, and one two minutes before them.
    let ended = (0..180).map(|number| PlacementEvent {
        event_time: NOW.plus_ms(-i64::from(number) * 20_000),
        ..placement(
            number,
            if number < 9 || number == 15 {
                PlacementEventType::TimedOut
            } else {
                PlacementEventType::Fulfilled
            },
        )
    });
    world.saw(NOW, vec![Observation::PlacementEvents(ended.collect())]).await;
    let seen = look(&world.reader(), &InForce::new(), NOW).await.unwrap();
    let [failing] = seen.verdicts.as_slice() else { panic!("{:?}", seen.verdicts) };
    assert_eq!((failing.rule, failing.since), (Rule::Placements, NOW.plus_ms(-160_000)));
    assert_eq!(failing.facts.hit.count, 9);
    world.close().await;
}

#[tokio::test]
async fn a_few_placements_that_time_out_are_everyday() {
    let world = World::new().await;
    world.saw(NOW, vec![Observation::PlacementEvents(outcomes(3))]).await;
    let seen = look(&world.reader(), &InForce::new(), NOW).await.unwrap();
    assert_eq!(seen.verdicts, []);
    world.close().await;
}

#[tokio::test]
async fn a_maximum_that_was_lowered_is_why_a_fleet_is_at_it() {
    let world = World::new().await;
    for minutes in (0..=30).rev().step_by(2) {
        let maximum = if minutes > 20 { 40 } else { 20 };
        world
            .saw(
                NOW.plus_ms(-minutes * MINUTE),
                vec![
                    Observation::Fleets(Listing::complete(vec![fleet("arena")])),
                    Observation::FleetCapacity(FleetCapacity { maximum, ..capacity("arena", 20, 20) }),
                    Observation::FleetUtilization(utilization(
                        "arena",
                        160,
                        if minutes <= 10 { 160 } else { 140 },
                    )),
                ],
            )
            .await;
    }
    let seen = look(&world.reader(), &InForce::new(), NOW).await.unwrap();
    let capped = seen.verdicts.iter().find(|it| it.rule == Rule::Capped).unwrap();
    let [cause] = capped.facts.causes.as_slice() else { panic!("{:?}", capped.facts.causes) };
    assert_eq!((cause.strength, cause.at), (Strength::Strong, Some(NOW.plus_ms(-20 * MINUTE))));
    let LikelyCause::Changed { change } = &cause.cause else { panic!("{cause:?}") };
    assert_eq!(change.sentence(), "arena maximum 40 → 20 in eu-west-1");
    world.close().await;
}

#[tokio::test]
async fn a_session_tells_its_life_in_order() {
    let world = World::new().await;
    let begin = NOW.plus_ms(-30 * MINUTE);
    let mut alive = session(1, begin);
    alive.status = GameSessionStatus::Activating;
    world.saw(begin, vec![Observation::GameSessions(vec![alive.clone()])]).await;
    alive.status = GameSessionStatus::Active;
    alive.player_session_creation_policy = Some("DENY_ALL".into());
    world.saw(begin.plus_ms(MINUTE), vec![Observation::GameSessions(vec![alive.clone()])]).await;
    let players = vec![
        player(1, 1, begin.plus_ms(2 * MINUTE), Some(begin.plus_ms(9 * MINUTE))),
        player(1, 2, begin.plus_ms(3 * MINUTE), None),
    ];
    world
        .saw(
            begin.plus_ms(4 * MINUTE),
            vec![
                Observation::PlayerSessions(alive.game_session_id.clone(), Listing::complete(players)),
                Observation::PlacementEvents(vec![placement(1, PlacementEventType::Fulfilled)]),
            ],
        )
        .await;
    alive.status = GameSessionStatus::Terminated;
    alive.status_reason = Some(GameSessionStatusReason::Interrupted);
    alive.termination_time = Some(begin.plus_ms(20 * MINUTE));
    world.saw(begin.plus_ms(21 * MINUTE), vec![Observation::GameSessions(vec![alive.clone()])]).await;

    let detail = world.reader().game_session(&alive.game_session_id, NOW).await.unwrap().unwrap();
    let timeline = session_timeline(&detail);
    assert!(timeline.windows(2).all(|pair| pair[0].at <= pair[1].at));
    let own: Vec<_> = timeline
        .iter()
        .filter(|entry| entry.kind != TimelineKind::Placement)
        .map(|entry| (entry.text.as_str(), entry.severity))
        .collect();
    assert_eq!(
        own,
        [
            ("created in eu-west-1", Severity::Info),
            ("closed to new players", Severity::Info),
            ("activating → active", Severity::Info),
            ("ended after 20 min 00 s: EC2 Spot took the instance", Severity::Bad),
        ]
    );
    assert!(timeline.iter().any(|entry| entry.text == "placement fulfilled after 2 s"), "{timeline:?}");
    let steps: Vec<_> = players_over_time(&detail)
        .iter()
        .map(|(at, players)| (at.since_ms(begin) / MINUTE, *players))
        .collect();
    assert_eq!(steps, [(0, 0), (2, 1), (3, 2), (9, 1), (20, 0)]);
    world.close().await;
}

#[tokio::test]
async fn a_crash_is_the_end_of_the_story_and_its_exit_code_is_told() {
    let world = World::new().await;
    let begin = NOW.plus_ms(-30 * MINUTE);
    let mut alive = session(1, begin);
    world.saw(begin, vec![Observation::GameSessions(vec![alive.clone()])]).await;
    alive.status = GameSessionStatus::Terminated;
    alive.termination_time = Some(begin.plus_ms(70_000));
    let message = format!("Server process of {} exited with code 139.", alive.game_session_id);
    let crash = FleetEvent {
        event_id: "event-1".to_owned(),
        fleet_id: alive.fleet_id.clone(),
        event_code: "SERVER_PROCESS_CRASHED".into(),
        message: Some(message.clone()),
        event_time: begin.plus_ms(71_000),
        count: 1,
        has_log: false,
    };
    let seen = vec![
        Observation::GameSessions(vec![alive.clone()]),
        Observation::FleetEvents(alive.fleet_id.clone(), vec![crash]),
    ];
    world.saw(begin.plus_ms(2 * MINUTE), seen).await;
    let detail = world.reader().game_session(&alive.game_session_id, NOW).await.unwrap().unwrap();
    let timeline = session_timeline(&detail);
    let last: Vec<_> =
        timeline.iter().rev().take(2).map(|entry| (entry.text.as_str(), entry.severity)).collect();
    assert_eq!(
        last,
        [(message.as_str(), Severity::Warning), ("crashed after 1 min 10 s", Severity::Bad)],
        "{timeline:?}"
    );
    world.close().await;
}

#[tokio::test]
async fn what_is_different_about_the_crashed_sessions_is_found_and_looked_at_once_more() {
    let world = World::new().await;
    let begin = NOW.plus_ms(-60 * MINUTE);
    // A third runs on the map mine and mostly crashes; among those, sessions with many slots do so always.
    let sessions: Vec<GameSession> = (0..90)
        .map(|number| {
            let mut one = session(number, begin);
            let is_mine = number < 30;
            one.status = GameSessionStatus::Terminated;
            one.termination_time = Some(begin.plus_ms(10 * MINUTE));
            one.maximum_player_session_count = if number % 2 == 0 { 16 } else { 8 };
            one.game_properties =
                [("map", if is_mine { "mine" } else { "dust" }), ("level", if is_mine { "3" } else { "1" })]
                    .map(|(key, value)| GameProperty { key: key.to_owned(), value: value.to_owned() })
                    .to_vec();
            one
        })
        .collect();
    let crash = |number: u32| FleetEvent {
        event_id: format!("event-{number}"),
        fleet_id: sessions[0].fleet_id.clone(),
        event_code: "SERVER_PROCESS_CRASHED".into(),
        message: Some(format!("Server process of {} crashed.", sessions[number as usize].game_session_id)),
        event_time: begin.plus_ms(10 * MINUTE),
        count: 1,
        has_log: false,
    };
    let crashes = (0..30).filter(|number| number % 2 == 0).chain([31, 41]).map(crash).collect();
    let seen = vec![
        Observation::GameSessions(sessions.clone()),
        Observation::FleetEvents(sessions[0].fleet_id.clone(), crashes),
    ];
    world.saw(NOW, seen).await;
    let text = "ended:crashed";
    let asked = SessionDifferenceQuery { text: text.to_owned(), fleet_id: None, location: None, range: None };
    let fresh = Freshness { as_of: Some(NOW), stale: false };
    let query = Query::parse(text).unwrap();
    let found = session_differences(&world.reader(), query, &asked, fresh, NOW).await.unwrap();
    assert_eq!((found.whole.bad, found.whole.all), (17, 90));
    let first = &found.whole.groups[0];
    let named = |one: &Difference| (one.name.clone(), one.label.clone());
    let mut same: Vec<_> = first.same.iter().map(named).collect();
    same.push(named(&first.first));
    same.sort();
    let pair = |name: &str, label: &str| (name.to_owned(), label.to_owned());
    assert_eq!(same, [pair("level", "3"), pair("map", "mine")], "one repeats the other");
    assert!(first.first.is_significant);
    assert_eq!((first.first.bad_in, first.first.all_in, first.first.all_out), (15, 30, 60));
    let within = found.within.expect("there is more to tell among those");
    assert_eq!((within.bad, within.all), (15, 30));
    let deeper = &within.groups[0].first;
    assert_eq!((deeper.name.as_str(), deeper.label.as_str()), ("player slots", "16"));
    assert_eq!((deeper.bad_in, deeper.all_in, deeper.lift, deeper.is_significant), (15, 15, None, true));
    world.close().await;
}

#[tokio::test]
async fn placements_that_fail_differ_by_where_their_queue_leads_and_what_is_not_known_is_said() {
    let world = World::new().await;
    let on = |number: u32, name: &str, event_type| PlacementEvent {
        queue: name.into(),
        ..placement(number, event_type)
    };
    let leading = |name: &str, fleet: &str| {
        let arn = format!("arn:aws:gamelift:eu-west-1:111122223333:fleet/fleet-{fleet}");
        GameSessionQueue { name: name.into(), ..world::queue(vec![arn]) }
    };
    let seen = vec![
        Observation::Fleets(Listing::complete(vec![fleet("green"), fleet("blue")])),
        Observation::Queues(Listing::complete(vec![leading("arena", "green"), leading("ranked", "blue")])),
        Observation::PlacementEvents(
            (0..200)
                .map(|number| match number % 4 {
                    0 => on(number, "arena", PlacementEventType::TimedOut),
                    _ => on(number, "ranked", PlacementEventType::Fulfilled),
                })
                .collect(),
        ),
    ];
    world.saw(NOW, seen).await;
    let fresh = Freshness { as_of: Some(NOW), stale: false };
    let found =
        placement_differences(&world.reader(), &PlacementScope::default(), last_hours(1), None, fresh).await;
    let found = found.unwrap();
    assert_eq!((found.whole.bad, found.whole.all, found.whole.groups.len()), (50, 200, 1));
    let group = &found.whole.groups[0];
    let mut all: Vec<_> = std::iter::once(&group.first).chain(&group.same).collect();
    all.sort_by_key(|one| one.name.clone());
    let named: Vec<_> =
        all.iter().map(|one| (one.name.as_str(), one.label.as_str(), one.term.as_deref())).collect();
    assert_eq!(
        named,
        [("possible fleet", "green", Some("fleet=fleet-green")), ("queue", "arena", Some("queue=arena")),]
    );
    assert!(found.note.contains("A placement that failed has no game session"));
    world.close().await;
}

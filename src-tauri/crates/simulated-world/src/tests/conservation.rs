//! The same thing counted in different ways gives the same number.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::records::{NoticeDetail, PlacementOutcome};
use crate::sample::{Counters, Sample};

#[test]
fn metrics_of_a_minute_agree_with_what_describe_showed_when_it_began() {
    let mut world = world(2, Scenario::Quiet);
    for minute in 1..=5 {
        let at_ms = (START_MS / MINUTE_MS + minute) * MINUTE_MS;
        world.advance_to(at_ms);
        let mut expected = Vec::new();
        for region in regions(&world) {
            for fleet in world.fleets(&region) {
                for place in fleet.locations() {
                    expected.extend(shown(&world, &region, fleet.id(), &place.location));
                }
            }
        }
        assert!(expected.len() > 100);
        world.advance_to(at_ms + MINUTE_MS);
        for (region, fleet, location, name, value) in expected {
            let dimensions = [("FleetId", fleet.as_str()), ("Location", location.as_str())];
            let points = world.metrics().read(&region, name, &dimensions, at_ms, at_ms + MINUTE_MS, 60);
            assert_eq!(points.len(), 1, "{name} {fleet} {location}");
            assert_eq!(points[0].sum, f64::from(value), "{name} {fleet} {location}");
        }
    }
}

type Shown = (String, String, String, &'static str, u32);

fn shown(world: &World, region: &str, fleet_id: &str, location: &str) -> Vec<Shown> {
    let fleet = world.fleet(region, fleet_id).unwrap();
    let count = |status| sessions(world, region, fleet_id, Some(location), status).len() as u32;
    let live = live_sessions(world);
    let here = live.iter().filter(|session| session.fleet_id() == fleet_id && session.location() == location);
    let players = here.map(|session| present(&session.player_sessions())).sum();
    let utilization = fleet.utilization(location).unwrap();
    assert_eq!(utilization.active_game_session_count, count(GameSessionStatus::Active));
    let mut all = vec![
        ("ActiveGameSessions", count(GameSessionStatus::Active)),
        ("ActivatingGameSessions", count(GameSessionStatus::Activating)),
        ("CurrentPlayerSessions", players),
        ("ActiveServerProcesses", utilization.active_server_process_count),
    ];
    if let Some(capacity) = fleet.capacity(location) {
        let counts = capacity.instance_counts;
        assert!(
            counts.idle <= counts.active
                && counts.minimum <= counts.desired
                && counts.desired <= counts.maximum
        );
        all.extend([
            ("DesiredInstances", counts.desired),
            ("MinInstances", counts.minimum),
            ("MaxInstances", counts.maximum),
            ("ActiveInstances", counts.active),
            ("IdleInstances", counts.idle),
        ]);
        let instances = fleet.instances(location).unwrap().len() as u32;
        assert_eq!(instances, counts.pending + counts.active + counts.terminating);
    }
    let own = |name, value| (region.to_owned(), fleet_id.to_owned(), location.to_owned(), name, value);
    all.into_iter().map(|(name, value)| own(name, value)).collect()
}

#[test]
fn server_processes_are_those_that_started_less_those_that_ended() {
    let mut world = world(2, Scenario::LaunchDay);
    world.advance_to(START_MS + 60 * MINUTE_MS);
    let mut moved = 0;
    for (fleet, site) in (0..world.fleets.len()).flat_map(|fleet| {
        let sites = world.fleets[fleet].sites.len();
        (0..sites).map(move |site| (fleet, site))
    }) {
        let rows = &world.fleets[fleet].sites[site].samples;
        let row = |minute: i64| rows.closed((START_MS / MINUTE_MS + minute) * MINUTE_MS);
        let hour: Vec<&Sample> = (1..58).filter_map(row).collect();
        let (Some(first), Some(last)) = (hour.first(), hour.last()) else { continue };
        // A process that starts again after its session counts at once, and runs some seconds later.
        let running = |row: &Sample| i32::from(row.processes + row.starting);
        let sum = |of: fn(&Counters) -> u16| {
            hour.iter().rev().skip(1).map(|row| i32::from(of(&row.counters))).sum::<i32>()
        };
        let (starts, ends) = (sum(|it| it.process_starts), sum(|it| it.process_ends));
        let off = running(last) - running(first) - (starts - ends);
        // An instance that leaves as a minute begins is missing at once, and its processes count in that minute.
        let at_the_borders = i32::from(first.counters.process_ends + last.counters.process_ends);
        assert!(off.abs() <= at_the_borders, "{}: {off}", world.fleets[fleet].sites[site].name);
        moved += starts + ends;
    }
    assert!(moved > 100, "{moved}");
}

#[test]
fn metrics_of_the_past_agree_with_the_ended_sessions() {
    let world = quiet();
    for hours in [1, 5, 11, 23, 31] {
        let at_ms = (START_MS / MINUTE_MS - hours * 60) * MINUTE_MS;
        for (index, fleet) in world.fleets.iter().enumerate() {
            if fleet.active_ms > at_ms {
                continue;
            }
            let region = &world.regions[fleet.region].name;
            let own = world.sessions.iter().flatten().filter(|session| usize::from(session.fleet) == index);
            let alive =
                own.filter(|s| s.active_ms <= at_ms && at_ms < s.end_ms.min(s.terminating_ms)).count();
            let dimensions = [("FleetId", fleet.id.as_str())];
            let points =
                world.metrics().read(region, "ActiveGameSessions", &dimensions, at_ms, at_ms + MINUTE_MS, 60);
            assert_eq!(points[0].sum, alive as f64, "{} {hours} h ago", fleet.name);
        }
    }
}

#[test]
fn players_of_a_session_are_what_its_player_sessions_say_and_fit_its_slots() {
    let live = live_sessions(quiet());
    assert!((250..800).contains(&live.len()), "{} sessions", live.len());
    let mut total = 0;
    for session in live {
        let record = session.record();
        let players = session.player_sessions();
        assert_eq!(record.current_player_session_count, present(&players));
        assert!(record.current_player_session_count <= record.maximum_player_session_count, "{record:?}");
        total += record.current_player_session_count;
    }
    assert!((1_800..6_000).contains(&total), "{total} players");
}

#[test]
fn no_process_hosts_two_sessions_and_no_player_sits_twice() {
    no_seat_is_taken_twice(quiet());
    no_seat_is_taken_twice(&world(1, "leak+slow-region".parse().unwrap()));
}

fn no_seat_is_taken_twice(world: &World) {
    let (mut processes, mut players) = (BTreeSet::new(), BTreeMap::new());
    for session in live_sessions(world) {
        let record = session.record();
        assert!(processes.insert((record.compute_name, session.session.port)), "{}", record.game_session_id);
        for player in session.player_sessions() {
            if present(std::slice::from_ref(&player)) == 1 {
                let before = players.insert(player.player_id.clone(), record.game_session_id.clone());
                assert_eq!(before, None, "{} sits twice", player.player_id);
            }
        }
    }
}

#[test]
fn live_sessions_run_on_active_instances_that_are_listed() {
    let world = quiet();
    for session in live_sessions(world) {
        let record = session.record();
        let region = record.game_session_id.split(':').nth(3).unwrap().to_owned();
        let fleet = world.fleet(&region, session.fleet_id()).unwrap();
        let compute = fleet.compute_named(record.compute_name.as_deref().unwrap()).unwrap();
        assert_eq!(compute.location, record.location);
        if record.ip_address.is_some() {
            assert_eq!(compute.ip_address, record.ip_address);
        }
    }
}

#[test]
fn placements_counted_by_the_queue_are_the_ones_announced() {
    let mut world = world(3, Scenario::Quiet);
    let from_ms = (START_MS / MINUTE_MS + 1) * MINUTE_MS;
    let to_ms = from_ms + 20 * MINUTE_MS;
    world.advance_to(to_ms);
    let notices: Vec<_> = regions(&world).iter().flat_map(|region| world.drain_events(region)).collect();
    let region = "eu-west-1";
    for queue in world.queues(region) {
        let in_time = |time_ms: i64| from_ms < time_ms && time_ms <= to_ms;
        let told = notices.iter().filter(|notice| {
            notice.resource_arn == queue.game_session_queue_arn
                && in_time(notice.time_ms)
                && matches!(&notice.detail, NoticeDetail::Placement(p) if matches!(p.outcome, PlacementOutcome::Fulfilled(_)))
        });
        let dimensions = [("QueueName", queue.name.as_str())];
        let read = |name| world.metrics().read(region, name, &dimensions, from_ms, to_ms, 60);
        let counted: f64 = read("PlacementsSucceeded").iter().map(|point| point.sum).sum();
        assert_eq!(told.count() as f64, counted, "{}", queue.name);
    }
}

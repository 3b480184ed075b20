//! The incidents of `bad-build` and `spot-storm`, as an operator sees them within two minutes, and the size of
//! `huge`.

use super::*;
use crate::FleetRef;
use crate::records::{EventCode, GameSessionStatusReason, RoutingStrategy};

fn fleet_named<'a>(world: &'a World, region: &str, name: &str) -> FleetRef<'a> {
    let named = |fleet: &FleetRef<'_>| fleet.attributes().is_some_and(|known| known.name == name);
    world.fleets(region).find(named).unwrap()
}

fn events(fleet: &FleetRef<'_>, from_ms: i64, codes: &[EventCode]) -> usize {
    fleet.events(from_ms, i64::MAX).filter(|event| codes.contains(&event.event_code)).count()
}

const CRASHES: [EventCode; 2] =
    [EventCode::ServerProcessCrashed, EventCode::ServerProcessTerminatedUnhealthy];

#[test]
fn a_bad_build_crashes_its_server_processes_within_two_minutes() {
    for hours in [0, 8, 15] {
        let start_ms = START_MS + hours * 60 * MINUTE_MS;
        let options =
            WorldOptions { seed: 3, scenario: Scenario::BadBuild, start_ms, ..WorldOptions::default() };
        let mut world = World::new(&options);
        world.advance_to(start_ms + 2 * MINUTE_MS);
        let (bad, good) = (
            fleet_named(&world, "eu-west-1", "arena-prod-eu-green"),
            fleet_named(&world, "eu-west-1", "arena-prod-eu"),
        );
        let since_ms = start_ms - 8 * MINUTE_MS;
        let (crashed, usual) = (events(&bad, since_ms, &CRASHES), events(&good, since_ms, &CRASHES));
        assert!(crashed >= 4 && usual <= 3, "{hours} h later: {crashed} beside {usual}");
        let alias = world.aliases("eu-west-1").iter().find(|alias| alias.name == "arena-live-eu").unwrap();
        assert_eq!(alias.routing_strategy, RoutingStrategy::Simple { fleet_id: bad.id().to_owned() });
        let builds = world.builds("eu-west-1");
        let build = builds.iter().find(|build| Some(build.build_id.as_str()) == bad.build_id()).unwrap();
        assert_eq!(build.version, "1.43.0-rc.1");
        let ended = sessions(&world, "eu-west-1", bad.id(), None, GameSessionStatus::Terminated);
        let short = ended.iter().filter_map(|session| {
            let record = session.record();
            Some(record.termination_time_ms? - record.creation_time_ms)
        });
        assert!(short.filter(|length_ms| *length_ms < 100_000).count() >= 4);
    }
}

#[test]
fn a_bad_build_shows_in_the_metric_of_abnormal_ends() {
    let mut world = world(3, Scenario::BadBuild);
    world.advance_to(START_MS + 3 * MINUTE_MS);
    let id = fleet_named(&world, "eu-west-1", "arena-prod-eu-green").id().to_owned();
    let dimensions = [("FleetId", id.as_str())];
    let from_ms = START_MS / MINUTE_MS * MINUTE_MS;
    let abnormal = world.metrics().read(
        "eu-west-1",
        "ServerProcessAbnormalTerminations",
        &dimensions,
        from_ms,
        from_ms + 2 * MINUTE_MS,
        60,
    );
    assert!(abnormal.iter().map(|point| point.sum).sum::<f64>() >= 2.0, "{abnormal:?}");
}

#[test]
fn a_spot_storm_interrupts_sessions_within_two_minutes_and_goes_on() {
    for hours in [0, 8, 15] {
        let start_ms = START_MS + hours * 60 * MINUTE_MS;
        let options =
            WorldOptions { seed: 4, scenario: Scenario::SpotStorm, start_ms, ..WorldOptions::default() };
        let mut world = World::new(&options);
        let interrupted = |world: &World, region: &str, name: &str| {
            let fleet = fleet_named(world, region, name).id().to_owned();
            let ended = sessions(world, region, &fleet, None, GameSessionStatus::Terminated);
            let reason = Some(GameSessionStatusReason::Interrupted);
            let recent = |record: &crate::records::GameSession| {
                record.termination_time_ms.is_some_and(|end_ms| end_ms >= start_ms)
            };
            let ended = ended.iter().map(SessionRef::record);
            ended.filter(|record| recent(record) && record.status_reason == reason).count()
        };
        world.advance_to(start_ms + 2 * MINUTE_MS);
        for (region, name) in [("eu-west-1", "arena-spot-eu"), ("us-east-1", "arena-spot-us")] {
            let fleet = fleet_named(&world, region, name);
            let notices = events(&fleet, start_ms - MINUTE_MS, &[EventCode::InstanceInterrupted]);
            assert!(notices >= 2, "{name} {hours} h later: {notices} notices");
        }
        let first = interrupted(&world, "eu-west-1", "arena-spot-eu")
            + interrupted(&world, "us-east-1", "arena-spot-us");
        assert!(first >= 2, "{hours} h later: {first} sessions interrupted");
        world.advance_to(start_ms + 8 * MINUTE_MS);
        let later = interrupted(&world, "eu-west-1", "arena-spot-eu")
            + interrupted(&world, "us-east-1", "arena-spot-us");
        assert!(later > first, "{first} then {later}");
    }
}

#[test]
fn a_huge_world_is_as_large_as_it_says() {
    let world = world(1, Scenario::Huge);
    assert_eq!(regions(&world).len(), 10);
    let (mut fleets, mut active, mut players) = (0, 0, 0);
    for region in regions(&world) {
        for fleet in world.fleets(&region) {
            fleets += 1;
            let filter =
                SessionFilter { status: Some(GameSessionStatus::Active), ..SessionFilter::default() };
            for session in world.game_sessions(&region, fleet.id(), filter, None) {
                active += 1;
                players += session.current_player_session_count();
            }
        }
    }
    assert_eq!(fleets, 200);
    assert!((47_000..54_000).contains(&active), "{active} sessions");
    assert!((370_000..430_000).contains(&players), "{players} players");
}

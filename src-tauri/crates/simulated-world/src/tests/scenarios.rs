//! Each scripted incident shows within two minutes.

use super::*;
use crate::records::{GameSessionPlacementState, NoticeDetail, RoutingStrategy};

fn fleet_named<'a>(world: &'a World, name: &str) -> crate::FleetRef<'a> {
    let named =
        |fleet: &crate::FleetRef<'_>| fleet.attributes().is_some_and(|attributes| attributes.name == name);
    world.fleets("eu-west-1").find(named).unwrap()
}

fn outcomes(world: &mut World, region: &str) -> Vec<&'static str> {
    let placement = |notice: crate::records::Notice| match notice.detail {
        NoticeDetail::Placement(placement) => Some(placement.outcome.event_type()),
        NoticeDetail::Matchmaking(_) => None,
    };
    world.drain_events(region).into_iter().filter_map(placement).collect()
}

#[test]
fn a_capped_fleet_stands_at_its_maximum_without_a_free_process_while_placements_time_out() {
    let mut world = world(1, Scenario::CappedFleet);
    world.drain_events("eu-west-1");
    world.advance_to(START_MS + 2 * MINUTE_MS);
    let fleet = fleet_named(&world, "arena-prod-eu");
    for place in fleet.locations() {
        let counts = fleet.capacity(&place.location).unwrap().instance_counts;
        assert_eq!((counts.desired, counts.active), (counts.maximum, counts.maximum), "{}", place.location);
        assert_eq!(counts.idle, 0);
    }
    let dimensions = [("FleetId", fleet.id())];
    let minute_ms = START_MS / MINUTE_MS * MINUTE_MS;
    let free = world.metrics().read(
        "eu-west-1",
        "PercentAvailableGameSessions",
        &dimensions,
        minute_ms,
        minute_ms + 60_000,
        60,
    );
    assert!(free[0].sum < 3.0, "{free:?}");
    let outcomes = outcomes(&mut world, "eu-west-1");
    let timed_out = outcomes.iter().filter(|outcome| **outcome == "PlacementTimedOut").count();
    assert!(timed_out >= 3, "{outcomes:?}");
    assert!(world.pending_placements("eu-west-1").count() >= 3);
}

#[test]
fn incidents_show_within_two_minutes_at_any_hour() {
    for scenario in [Scenario::CappedFleet, Scenario::LaunchDay] {
        for hours in [3, 8, 15, 21] {
            let start_ms = START_MS + hours * 60 * MINUTE_MS;
            let mut world =
                World::new(&WorldOptions { seed: 2, scenario, start_ms, ..WorldOptions::default() });
            world.drain_events("eu-west-1");
            world.advance_to(start_ms + 2 * MINUTE_MS);
            let outcomes = outcomes(&mut world, "eu-west-1");
            let lost = outcomes.iter().filter(|outcome| **outcome != "PlacementFulfilled").count();
            let waiting = world.pending_placements("eu-west-1").count();
            assert!(lost >= 2 && waiting >= 5, "{scenario} {hours} h later: {outcomes:?}, {waiting} waiting");
        }
    }
}

#[test]
fn a_launch_day_multiplies_demand_and_fills_the_queue_within_two_minutes() {
    let mut world = world(1, Scenario::LaunchDay);
    world.advance_to(START_MS + 6 * MINUTE_MS);
    let started = |from_min: i64, to_min: i64| -> f64 {
        let from_ms = START_MS / MINUTE_MS * MINUTE_MS + from_min * MINUTE_MS;
        let to_ms = from_ms + (to_min - from_min) * MINUTE_MS;
        let queues = world.queues("eu-west-1").map(|queue| queue.name.clone());
        let read = |queue: String| {
            world.metrics().read(
                "eu-west-1",
                "PlacementsStarted",
                &[("QueueName", &queue)],
                from_ms,
                to_ms,
                60,
            )
        };
        let sum: f64 = queues.flat_map(read).map(|point| point.sum).sum();
        sum / (to_min - from_min) as f64
    };
    let (usual, first, later) = (started(-40, -10), started(0, 2), started(2, 6));
    assert!(first > 1.6 * usual, "{usual} then {first}");
    assert!(later > 2.5 * usual, "{usual} then {later}");
    assert!(world.pending_placements("eu-west-1").count() > 10);
}

#[test]
fn a_launch_day_has_repointed_the_live_alias_and_updated_the_script_shortly_before() {
    let mut world = world(1, Scenario::LaunchDay);
    let (old, new) = (
        fleet_named(&world, "arena-prod-eu").id().to_owned(),
        fleet_named(&world, "arena-prod-eu-green").id().to_owned(),
    );
    let alias = world.aliases("eu-west-1").iter().find(|alias| alias.name == "arena-live-eu").unwrap();
    assert_eq!(alias.routing_strategy, RoutingStrategy::Simple { fleet_id: new.clone() });
    assert!((START_MS - 20 * MINUTE_MS..START_MS).contains(&alias.last_updated_time_ms));
    assert_eq!(world.scripts("eu-west-1")[0].version.as_deref(), Some("1.9.0"));
    let count = |world: &World, fleet: &str| {
        world.game_sessions("eu-west-1", fleet, SessionFilter::default(), None).count()
    };
    let (old_before, new_before) = (count(&world, &old), count(&world, &new));
    world.advance_to(START_MS + 2 * MINUTE_MS);
    assert_eq!(count(&world, &old), old_before, "the old fleet takes nothing new");
    assert!(count(&world, &new) > new_before);
}

#[test]
fn a_quiet_day_loses_few_placements_and_no_fleet_stands_at_its_maximum() {
    let mut world = world(1, Scenario::Quiet);
    world.advance_to(START_MS + 30 * MINUTE_MS);
    let (mut lost, mut all) = (0, 0);
    for region in regions(&world) {
        for fleet in world.fleets(&region) {
            for place in fleet.locations() {
                if let Some(capacity) = fleet.capacity(&place.location) {
                    let counts = capacity.instance_counts;
                    assert!(counts.desired < counts.maximum, "{} {capacity:?}", fleet.id());
                }
            }
        }
    }
    for region in regions(&world) {
        let outcomes = outcomes(&mut world, &region);
        all += outcomes.len();
        lost += outcomes.iter().filter(|outcome| **outcome != "PlacementFulfilled").count();
    }
    assert!(all > 800 && lost > 0 && lost * 30 < all, "{lost} of {all}");
    let pending = world.pending_placements("eu-west-1").filter_map(|id| world.placement("eu-west-1", &id));
    assert!(pending.filter(|placement| placement.status == GameSessionPlacementState::Pending).count() < 10);
}

#[test]
fn a_scripted_repoint_shows_at_once_and_is_followed_within_two_minutes() {
    let options = WorldOptions {
        seed: 1,
        scenario: Scenario::LaunchDay,
        start_ms: START_MS,
        ..WorldOptions::default()
    };
    let mut world = crate::catalogue::build(&options);
    let repointed_ms = START_MS - 14 * MINUTE_MS;
    let look = |world: &World| {
        let aliases = world.aliases("eu-west-1").iter();
        let alias = aliases.into_iter().find(|alias| alias.name == "arena-live-eu").unwrap().clone();
        (alias.routing_strategy, world.route("eu-west-1", &alias.alias_id).unwrap().clone())
    };
    world.advance_to(repointed_ms - 1);
    let (before, followed) = look(&world);
    assert_eq!(before, followed);
    world.advance_to(repointed_ms + 14_000);
    let (after, followed) = look(&world);
    assert!(after != before && followed == before, "H6: new placements may still go to the old fleet");
    world.advance_to(repointed_ms + 120_000);
    let (_, followed) = look(&world);
    assert_eq!(followed, after);
}

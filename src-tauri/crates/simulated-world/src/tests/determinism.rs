//! The same seed gives the same world.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::*;

/// A digest of everything that can be read now, and of the events taken with it.
fn digest(world: &mut World) -> u64 {
    let mut hasher = DefaultHasher::new();
    let mut add = |text: String| text.hash(&mut hasher);
    for region in regions(world) {
        for fleet in world.fleets(&region) {
            add(format!("{:?}{:?}", fleet.attributes(), fleet.container()));
            fleet.events(0, i64::MAX).for_each(|event| add(format!("{event:?}")));
            for place in fleet.locations() {
                add(format!("{:?}{:?}", fleet.capacity(&place.location), fleet.computes(&place.location)));
            }
            let all = world.game_sessions(&region, fleet.id(), SessionFilter::default(), None);
            all.for_each(|session| add(format!("{}{:?}", session.arn(), session.status())));
        }
        world.pending_placements(&region).for_each(|id| add(format!("{:?}", world.placement(&region, &id))));
        world.open_tickets(&region).for_each(|id| add(format!("{:?}", world.ticket(&region, &id))));
        for metric in world.metrics().list(&region) {
            let dimensions: Vec<_> =
                metric.dimensions.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
            let (from_ms, to_ms) = (START_MS - 10 * MINUTE_MS, START_MS + 60 * MINUTE_MS);
            let points = world.metrics().read(&region, &metric.name, &dimensions, from_ms, to_ms, 60);
            add(format!("{metric:?}{points:?}"));
        }
        for session in live_sessions(world) {
            add(format!("{:?}{:?}", session.record(), session.player_sessions()));
        }
        add(format!("{:?}", world.drain_events(&region)));
    }
    hasher.finish()
}

#[test]
fn the_same_seed_gives_the_same_world_however_it_is_stepped() {
    let end_ms = START_MS + 12 * MINUTE_MS + 345;
    let mut at_once = world(5, Scenario::LaunchDay);
    at_once.advance_to(end_ms);
    let mut in_steps = world(5, Scenario::LaunchDay);
    let mut now_ms = START_MS;
    while now_ms < end_ms {
        now_ms = (now_ms + 7_321).min(end_ms);
        in_steps.advance_to(now_ms);
    }
    assert_eq!(digest(&mut at_once), digest(&mut in_steps));
}

#[test]
fn another_seed_gives_another_world() {
    let mut one = world(5, Scenario::Quiet);
    let mut other = world(6, Scenario::Quiet);
    assert_ne!(digest(&mut one), digest(&mut other));
}

#[test]
fn a_world_can_begin_anywhere_in_time() {
    let mut epoch = World::new(&WorldOptions::default());
    epoch.advance_to(10 * MINUTE_MS);
    assert!(live_sessions(&epoch).len() > 100);
}

#[test]
fn going_back_in_time_does_nothing() {
    let mut world = world(5, Scenario::Quiet);
    world.advance_to(START_MS - 1);
    assert_eq!(world.now_ms(), START_MS);
}

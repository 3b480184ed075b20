//! What a scenario changes by hand is recorded with who did it.

use super::*;
use crate::deed::{ALICE, BOB, DEEDS_MS, PIPELINE, STACK};
use crate::records::RoutingStrategy;
use crate::{Deed, World};

fn told(world: &World) -> Vec<(&'static str, crate::Person, i64)> {
    let told = |deed: &Deed| (deed.event_name, deed.person, (deed.at_ms - START_MS) / MINUTE_MS);
    regions(world).iter().flat_map(|region| world.deeds(region)).map(told).collect()
}

#[test]
fn the_alias_of_a_bad_build_was_repointed_by_a_person_in_the_console() {
    let world = world(1, Scenario::BadBuild);
    assert_eq!(told(&world), [("UpdateAlias", ALICE, -8)]);
    let deed = world.deeds("eu-west-1").next().unwrap();
    let alias =
        world.aliases("eu-west-1").iter().find(|alias| alias.alias_id == deed.parameters["aliasId"]).unwrap();
    let RoutingStrategy::Simple { fleet_id } = &alias.routing_strategy else { panic!("a fleet") };
    assert_eq!(deed.parameters["routingStrategy"]["fleetId"], fleet_id.as_str());
    let shown = &deed.response.as_ref().unwrap()["alias"];
    assert_eq!(
        (&shown["name"], &shown["routingStrategy"]["type"]),
        (&"arena-live-eu".into(), &"SIMPLE".into())
    );
    assert_eq!(shown["lastUpdatedTime"].as_f64(), Some(alias.last_updated_time_ms as f64 / 1_000.0));
}

#[test]
fn a_launch_day_was_prepared_by_the_pipeline() {
    let world = world(1, Scenario::LaunchDay);
    assert_eq!(told(&world), [("UpdateScript", PIPELINE, -25), ("UpdateAlias", STACK, -14)]);
    let numbers: Vec<u64> = world.deeds("eu-west-1").map(|deed| deed.number).collect();
    assert_eq!(numbers, [1, 2]);
}

#[test]
fn every_location_of_a_capped_fleet_was_capped_by_a_call_of_its_own() {
    let world = world(1, Scenario::CappedFleet);
    let mut capped = world.deeds("eu-west-1").collect::<Vec<_>>();
    assert!(capped.iter().all(|deed| deed.event_name == "UpdateFleetCapacity" && deed.person == BOB));
    capped.retain(|deed| {
        let (id, location) = (&deed.parameters["fleetId"], &deed.parameters["location"]);
        let fleet = world.fleet("eu-west-1", id.as_str().unwrap()).unwrap();
        let counts = fleet.capacity(location.as_str().unwrap()).unwrap().instance_counts;
        deed.parameters["maxSize"] == counts.maximum
    });
    assert_eq!(capped.len(), told(&world).len());
    assert!(capped.len() > 2);
}

#[test]
fn nobody_does_anything_on_a_quiet_day() {
    assert_eq!(told(quiet()), []);
}

#[test]
fn deeds_are_listed_for_ninety_days() {
    let mut world = world(1, Scenario::BadBuild);
    let at_ms = world.deeds("eu-west-1").next().unwrap().at_ms;
    world.now_ms = at_ms + DEEDS_MS;
    assert_eq!(world.deeds("eu-west-1").count(), 1);
    world.now_ms += 1;
    assert_eq!(world.deeds("eu-west-1").count(), 0);
}

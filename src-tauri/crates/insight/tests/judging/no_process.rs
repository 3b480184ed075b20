//! Fleets and locations in which no game session can start: without a server process, or in ERROR.

use liftdeck_insight::usual::past::Memory;
use liftdeck_insight::verdict::InForce;
use liftdeck_insight::{FleetState, Rule, Trouble, overview};
use liftdeck_model::Severity;
use liftdeck_model::fleet::{FleetEvent, FleetLocation, FleetStatus};
use liftdeck_model::observation::{Listing, Observation};

use crate::world::{NOW, World, capacity, counted, fleet, utilization};
use crate::{MINUTE, last_hours};

/// Four instances whose 32 processes are gone since some minutes.
async fn without_processes(minutes: i64) -> World {
    let world = World::new().await;
    let known = vec![Observation::Fleets(Listing::complete(vec![fleet("arena")]))];
    world.saw(NOW.plus_ms(-20 * MINUTE), known).await;
    for minute in (0..=10).rev() {
        let processes = if minute <= minutes { 0 } else { 32 };
        let seen = vec![
            Observation::FleetCapacity(capacity("arena", 4, 4)),
            Observation::FleetUtilization(utilization("arena", processes, 0)),
        ];
        world.saw(NOW.plus_ms(-minute * MINUTE), seen).await;
    }
    world.saw(NOW, counted("arena", NOW)).await;
    world
}

async fn state(world: &World) -> FleetState {
    overview(&world.reader(), &Memory::default(), last_hours(1), NOW).await.unwrap().heat[0].state
}

#[tokio::test]
async fn a_fleet_whose_instances_run_no_server_process_is_found_since_the_last_one_ended() {
    let world = without_processes(4).await;
    let verdict = world.found(Rule::NoProcess, &InForce::new()).await.expect("no process runs");
    assert_eq!((verdict.severity, verdict.since), (Severity::Bad, NOW.plus_ms(-4 * MINUTE)));
    assert_eq!((verdict.facts.hit.count, verdict.facts.hit.of), (4, Some(4)));
    assert!(matches!(verdict.facts.trouble, Trouble::NoProcess { instances: 4, of: 1, .. }), "{verdict:?}");
    assert_eq!(state(&world).await, FleetState::Bad);
    world.close().await;
}

#[tokio::test]
async fn one_location_without_a_process_is_a_warning_while_others_run_some_and_instances_are_needed() {
    let world = without_processes(-1).await;
    let mut there = capacity("arena", 2, 2);
    there.location = "eu-central-1".into();
    let mut none = utilization("arena", 0, 0);
    none.location = "eu-central-1".into();
    let seen = vec![Observation::FleetCapacity(there.clone()), Observation::FleetUtilization(none)];
    world.saw(NOW.plus_ms(-MINUTE), seen).await;
    let verdict = world.found(Rule::NoProcess, &InForce::new()).await.expect("one location runs none");
    assert_eq!(verdict.severity, Severity::Warning);
    assert_eq!(state(&world).await, FleetState::Good, "the rule says it, and the alert colours the dot");
    there.active = 0;
    world.saw(NOW, vec![Observation::FleetCapacity(there)]).await;
    assert_eq!(world.found(Rule::NoProcess, &InForce::new()).await, None, "no instance, no process");
    world.close().await;
}

#[tokio::test]
async fn a_fleet_whose_processes_were_never_counted_is_not_called_good() {
    let world = World::new().await;
    let mut seen = vec![Observation::Fleets(Listing::complete(vec![fleet("arena")]))];
    seen.push(Observation::FleetCapacity(capacity("arena", 4, 4)));
    seen.extend(counted("arena", NOW));
    world.saw(NOW, seen).await;
    assert_eq!(state(&world).await, FleetState::Unknown);
    world.saw(NOW, vec![Observation::FleetUtilization(utilization("arena", 32, 8))]).await;
    assert_eq!(state(&world).await, FleetState::Good);
    assert_eq!(world.found(Rule::NoProcess, &InForce::new()).await, None, "there are some");
    world.close().await;
}

#[tokio::test]
async fn a_fleet_in_error_is_dated_by_the_event_that_told_it() {
    let world = World::new().await;
    let mut broken = fleet("arena");
    broken.status = FleetStatus::Error;
    let told = FleetEvent {
        event_id: "error".to_owned(),
        fleet_id: broken.fleet_id.clone(),
        event_code: "FLEET_STATE_ERROR".into(),
        message: None,
        event_time: NOW.plus_ms(-90 * MINUTE),
        count: 1,
        has_log: false,
    };
    let id = broken.fleet_id.as_str().into();
    let seen =
        vec![Observation::Fleets(Listing::complete(vec![broken])), Observation::FleetEvents(id, vec![told])];
    world.saw(NOW, seen).await;
    let verdict = world.found(Rule::FleetError, &InForce::new()).await.expect("it is in ERROR");
    assert_eq!((verdict.severity, verdict.since), (Severity::Bad, NOW.plus_ms(-90 * MINUTE)));
    world.close().await;
}

#[tokio::test]
async fn a_location_in_error_is_told_while_its_fleet_is_active() {
    let world = World::new().await;
    let location = |name: &str, status| FleetLocation {
        location: name.into(),
        status,
        scaling_suspended: false,
        update_pending: false,
        player_gateway_status: None,
    };
    let locations =
        vec![location("eu-west-1", FleetStatus::Active), location("eu-central-1", FleetStatus::Error)];
    let seen = vec![
        Observation::Fleets(Listing::complete(vec![fleet("arena")])),
        Observation::FleetLocations("fleet-arena".into(), Listing::complete(locations)),
    ];
    world.saw(NOW, seen).await;
    let verdict = world.found(Rule::FleetError, &InForce::new()).await.expect("a location is in ERROR");
    assert_eq!(verdict.severity, Severity::Warning);
    let Trouble::InError { locations, .. } = verdict.facts.trouble else { panic!("{:?}", verdict.facts) };
    assert_eq!(locations, ["eu-central-1".into()]);
    world.close().await;
}

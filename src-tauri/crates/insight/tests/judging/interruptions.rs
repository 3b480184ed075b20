//! Spot interruptions: which are a storm, since when, and which are everyday.

use liftdeck_insight::Rule;
use liftdeck_insight::verdict::{InForce, Verdict};
use liftdeck_model::Severity;
use liftdeck_model::fleet::FleetEvent;
use liftdeck_model::observation::{Listing, Observation};

use super::world::{NOW, World, ago, capacity, fleet};

/// Notices of Spot so many minutes ago, in a fleet of which so many instances are ACTIVE now.
async fn interrupted(active: i32, minutes: &[i64]) -> Verdict {
    interrupted_since(None, active, minutes).await
}

/// The same, where something of it is known since so many minutes.
async fn interrupted_since(began: Option<i64>, active: i32, minutes: &[i64]) -> Verdict {
    let world = World::new().await;
    let events = minutes.iter().enumerate().map(|(number, minutes)| FleetEvent {
        event_id: format!("event-{number}"),
        fleet_id: "fleet-spot".into(),
        event_code: "INSTANCE_INTERRUPTED".into(),
        message: None,
        event_time: ago(*minutes),
        count: 1,
        has_log: false,
    });
    let seen = vec![
        Observation::Fleets(Listing::complete(vec![fleet("spot")])),
        Observation::FleetCapacity(capacity("spot", active, active)),
        Observation::FleetEvents("fleet-spot".into(), events.collect()),
    ];
    world.saw(NOW, seen).await;
    let known = |began: i64| ((Rule::Interruptions, "fleet-spot".to_owned()), ago(began));
    let in_force: InForce = began.map(known).into_iter().collect();
    let verdict = world.found(Rule::Interruptions, &in_force).await.expect("something to know");
    world.close().await;
    verdict
}

#[tokio::test]
async fn interruptions_far_apart_are_no_storm_and_do_not_date_the_next_one() {
    let one_by_one = interrupted(4, &[14, 8, 1]).await;
    assert_eq!((one_by_one.severity, one_by_one.since), (Severity::Info, ago(1)));
    let storm = interrupted(4, &[14, 3, 2, 1]).await;
    assert_eq!((storm.severity, storm.since), (Severity::Warning, ago(3)));
}

#[tokio::test]
async fn two_interruptions_are_a_storm_only_at_once_and_if_hardly_an_instance_is_left() {
    let severity = async |active, minutes| interrupted(active, minutes).await.severity;
    assert_eq!(severity(3, &[2, 1]).await, Severity::Info, "one of three left, and one to leave");
    assert_eq!(severity(4, &[1, 1]).await, Severity::Info, "a pair in a small fleet is everyday");
    assert_eq!(severity(2, &[5, 1]).await, Severity::Info, "one was replaced before the next");
    assert_eq!(severity(3, &[1, 1]).await, Severity::Warning);
}

#[tokio::test]
async fn interruptions_that_are_known_make_no_storm_of_the_next() {
    let next = interrupted_since(Some(4), 8, &[4, 1]).await;
    assert_eq!((next.severity, next.facts.hit.count), (Severity::Info, 2));
    let next = interrupted_since(Some(9), 6, &[9, 9, 1]).await;
    assert_eq!((next.severity, next.facts.hit.count, next.since), (Severity::Info, 1, ago(1)));
}

#[tokio::test]
async fn a_storm_goes_on_with_each_wave_and_all_of_it_counts() {
    let storm = interrupted_since(Some(20), 6, &[20, 20, 19, 19, 9]).await;
    assert_eq!((storm.severity, storm.facts.hit.count, storm.facts.hit.of), (Severity::Warning, 5, Some(11)));
}

#[tokio::test]
async fn a_few_interruptions_of_a_larger_fleet_are_everyday() {
    let severity = async |active, minutes| interrupted(active, minutes).await.severity;
    assert_eq!(severity(12, &[1, 1, 1]).await, Severity::Info);
    assert_eq!(severity(9, &[1, 1, 1]).await, Severity::Warning);
    assert_eq!(severity(26, &[1, 1, 1, 1, 1]).await, Severity::Info);
    assert_eq!(severity(25, &[1, 1, 1, 1, 1]).await, Severity::Warning);
}

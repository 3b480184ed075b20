//! The ten days of `incidents`: every kind happens, is put right, and ceases.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use super::*;
use crate::records::{Incident, IncidentKind, RoutingStrategy};

const HOUR_MS: i64 = 60 * MINUTE_MS;

/// A world two hours after the tenth day.
fn ten_days() -> &'static World {
    static DAYS: OnceLock<World> = OnceLock::new();
    DAYS.get_or_init(|| {
        let mut world = world(1, Scenario::Incidents);
        world.advance_to(START_MS + 242 * HOUR_MS);
        world
    })
}

fn incidents(world: &World) -> Vec<Incident> {
    let mut all: Vec<_> = regions(world).iter().flat_map(|region| world.incidents(region)).collect();
    all.sort_by_key(|incident| incident.began_ms);
    all
}

#[test]
fn every_kind_that_the_world_plays_happens_in_ten_days() {
    let all = incidents(ten_days());
    let kinds: BTreeSet<_> = all.iter().map(|incident| incident.kind).collect();
    let outside = [IncidentKind::FeedBroken, IncidentKind::Throttled];
    let wanted: BTreeSet<_> =
        IncidentKind::ALL.iter().copied().filter(|kind| !outside.contains(kind)).collect();
    assert_eq!(kinds, wanted);
    let places: BTreeSet<_> = all.iter().map(|incident| incident.region.clone()).collect();
    assert_eq!(places.len(), 3);
    assert!((40..80).contains(&all.len()), "{}", all.len());
}

#[test]
fn incidents_last_ten_to_ninety_minutes_with_quiet_hours_between_and_seldom_two_at_once() {
    let all = incidents(ten_days());
    let mut over_ms = START_MS;
    let (mut at_once, mut quiet_ms) = (0, 0);
    for incident in &all {
        let ended_ms = incident.ended_ms.unwrap();
        let length_ms = ended_ms - incident.began_ms;
        assert!((10 * MINUTE_MS..90 * MINUTE_MS).contains(&length_ms), "{incident:?}");
        at_once += usize::from(incident.began_ms < over_ms);
        quiet_ms += (incident.began_ms - over_ms).max(0);
        over_ms = over_ms.max(ended_ms);
    }
    assert!(at_once * 5 < all.len() && at_once > 0, "{at_once} of {}", all.len());
    assert!(quiet_ms > 6 * 24 * HOUR_MS, "{quiet_ms}");
}

#[test]
fn nearly_every_incident_is_seen_while_it_lasts() {
    let all = incidents(ten_days());
    for incident in &all {
        if let Some(seen_ms) = incident.seen_ms {
            assert!((incident.began_ms..=incident.ended_ms.unwrap()).contains(&seen_ms), "{incident:?}");
        }
    }
    let unseen: Vec<_> = all.iter().filter(|incident| incident.seen_ms.is_none()).collect();
    // A leak shows only when the first game is over, and a short one does not show at all.
    assert!(
        unseen.iter().all(|incident| incident.kind == IncidentKind::Leak) && unseen.len() <= 3,
        "{unseen:?}"
    );
}

#[test]
fn what_people_did_wrong_is_undone_in_the_end() {
    let (world, before) = (ten_days(), world(1, Scenario::Incidents));
    for region in regions(world) {
        let routes = |world: &World| -> Vec<RoutingStrategy> {
            world.aliases(&region).iter().map(|alias| alias.routing_strategy.clone()).collect()
        };
        assert_eq!(routes(world), routes(&before));
        let queues = |world: &World| world.queues(&region).cloned().collect::<Vec<_>>();
        assert_eq!(queues(world), queues(&before));
        let makers = |world: &World| world.matchmaking_configurations(&region).cloned().collect::<Vec<_>>();
        assert_eq!(makers(world), makers(&before));
        for fleet in world.fleets(&region) {
            let old = before.fleet(&region, fleet.id()).unwrap();
            assert_eq!(fleet.locations(), old.locations(), "automatic scaling is on where it was");
            for place in fleet.locations() {
                let Some(capacity) = fleet.capacity(&place.location) else { continue };
                let old = old.capacity(&place.location).unwrap().instance_counts;
                let now = capacity.instance_counts;
                assert_eq!((now.minimum, now.maximum), (old.minimum, old.maximum), "{}", fleet.id());
            }
        }
        assert_eq!(
            world
                .ec2_instance_limits(&region, None)
                .iter()
                .map(|limit| limit.instance_limit)
                .collect::<Vec<_>>(),
            before
                .ec2_instance_limits(&region, None)
                .iter()
                .map(|limit| limit.instance_limit)
                .collect::<Vec<_>>(),
        );
    }
}

#[test]
fn every_incident_that_a_person_caused_is_among_the_deeds_and_so_is_its_repair() {
    let world = ten_days();
    for incident in incidents(world) {
        let at = |time_ms: i64| world.deeds(&incident.region).filter(|deed| deed.at_ms == time_ms).count();
        let (done, undone) = (at(incident.began_ms), at(incident.ended_ms.unwrap()));
        assert_eq!(incident.by.is_some(), done > 0, "{incident:?}");
        assert_eq!(incident.by.is_some(), undone > 0, "{incident:?}");
    }
}

#[test]
fn the_effects_of_the_last_incidents_have_ceased() {
    let world = ten_days();
    assert!(
        world.now_ms() - incidents(world).iter().filter_map(|incident| incident.ended_ms).max().unwrap() > 0
    );
    let old_ms = world.now_ms() - 4 * HOUR_MS;
    let stale =
        live_sessions(world).iter().filter(|session| session.record().creation_time_ms < old_ms).count();
    assert_eq!(stale, 0, "no session is left over from a leak");
    let mut later = world.clone();
    later.advance_to(later.now_ms() + 3 * HOUR_MS);
    for region in regions(&later) {
        later.drain_events(&region);
    }
    later.advance_to(later.now_ms() + HOUR_MS);
    let (mut lost, mut all) = (0, 0);
    for region in regions(&later) {
        for notice in later.drain_events(&region) {
            if let crate::records::NoticeDetail::Placement(placement) = notice.detail {
                all += 1;
                lost += usize::from(placement.outcome.event_type() != "PlacementFulfilled");
            }
        }
    }
    assert!(all > 200 && lost * 20 < all, "{lost} of {all}");
}

#[test]
fn the_incidents_of_a_seed_are_always_the_same() {
    let day = |seed, step_ms: i64| {
        let mut world = world(seed, Scenario::Incidents);
        while world.now_ms() < START_MS + 24 * HOUR_MS {
            world.advance_to((world.now_ms() + step_ms).min(START_MS + 24 * HOUR_MS));
        }
        incidents(&world)
    };
    let first = day(2, 24 * HOUR_MS);
    assert!(first.len() >= 3);
    assert_eq!(first, day(2, 1_234_567));
    assert_ne!(first, day(3, 24 * HOUR_MS));
}

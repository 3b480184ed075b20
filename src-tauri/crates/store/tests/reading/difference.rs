//! Counting sessions by what they have in common.

use liftdeck_model::content::Build;
use liftdeck_model::fleet::FleetEvent;
use liftdeck_model::game_session::{GameProperty, GameSession, GameSessionStatus};
use liftdeck_model::observation::{Listing, Observation};
use liftdeck_model::placement::{PlacementEvent, PlacementEventType};
use liftdeck_model::query::Query;
use liftdeck_model::queue::GameSessionQueue;
use liftdeck_model::time::TimeRange;
use liftdeck_store::Store;
use liftdeck_store::reader::placement::PlacementScope;
use liftdeck_store::reader::session::difference::{Compared, Counts, Dimension, ValueCount};

use crate::fixture::{FLEET, NOW, Place, apply, fleet, placement, region, session, session_id};

fn build() -> Build {
    Build {
        build_id: "build-1".into(),
        region: region(),
        arn: None,
        name: Some("arena".to_owned()),
        version: Some("1.43.0-rc.1".to_owned()),
        status: "READY".to_owned(),
        size_on_disk_bytes: None,
        operating_system: None,
        server_sdk_version: None,
        creation_time: None,
    }
}

fn crash(number: u32) -> FleetEvent {
    FleetEvent {
        event_id: format!("event-{number}"),
        fleet_id: FLEET.into(),
        event_code: "SERVER_PROCESS_CRASHED".into(),
        message: Some(format!("Server process of {} exited with code 139.", session_id(number))),
        event_time: NOW,
        count: 1,
        has_log: false,
    }
}

/// Ten ended sessions: four on the map mine, of which three crashed, and one crash elsewhere.
async fn filled(place: &Place) -> Store {
    let store = place.open().await;
    let one = |number: u32| GameSession {
        status: GameSessionStatus::Terminated,
        termination_time: Some(NOW),
        maximum_player_session_count: if number < 5 { 8 } else { 16 },
        game_properties: [("map", if number < 4 { "mine" } else { "two \"words\"" }), ("mode", "ranked")]
            .map(|(key, value)| GameProperty { key: key.to_owned(), value: value.to_owned() })
            .to_vec(),
        ..session(number)
    };
    let seen = vec![
        Observation::Fleets(Listing::complete(vec![fleet()])),
        Observation::Builds(Listing::complete(vec![build()])),
        Observation::GameSessions((0..10).map(one).collect()),
        Observation::FleetEvents(FLEET.into(), [0, 1, 2, 7].map(crash).to_vec()),
        Observation::PlacementEvents(vec![placement(0), placement(1)]),
    ];
    apply(&store, NOW, seen).await;
    store
}

fn crashed(among: &str) -> Compared {
    Compared {
        among: Query::parse(among).unwrap(),
        bad: Query::parse("ended:crashed").unwrap(),
        fleet: None,
        location: None,
        range: Some(TimeRange::new(NOW.plus_ms(-3_600_000), NOW.plus_ms(1))),
    }
}

fn value<'c>(counts: &'c Counts, dimension: &Dimension, label: &str) -> &'c ValueCount {
    let of = counts.dimensions.iter().find(|one| one.dimension == *dimension).expect("the dimension");
    of.values.iter().find(|one| one.label == label).unwrap_or_else(|| panic!("{label} of {of:?}"))
}

#[tokio::test]
async fn every_value_of_every_dimension_is_counted_with_its_bad_ones() {
    let place = Place::new();
    let store = filled(&place).await;
    let counts = store.reader().session_counts(&crashed(""), NOW).await.unwrap();
    assert_eq!((counts.bad, counts.all), (4, 10));
    for (dimension, label, bad, all) in [
        (Dimension::Fleet, "eu-prod", 4, 10),
        (Dimension::Build, "arena 1.43.0-rc.1", 4, 10),
        (Dimension::InstanceType, "c6i.large", 4, 10),
        (Dimension::Location, "eu-north-1", 4, 10),
        (Dimension::Size, "8", 3, 5),
        (Dimension::Size, "16", 1, 5),
        (Dimension::Property("map".to_owned()), "mine", 3, 4),
        (Dimension::Property("map".to_owned()), "two \"words\"", 1, 6),
        (Dimension::Property("mode".to_owned()), "ranked", 4, 10),
        (Dimension::Compute, "i-0abc1234def567890", 4, 10),
        (Dimension::Queue, "arena", 2, 2),
    ] {
        let found = value(&counts, &dimension, label);
        assert_eq!((found.bad, found.all), (bad, all), "{dimension:?} {label}");
        // The term selects exactly these.
        let term = found.term.as_deref().unwrap();
        let within = store.reader().session_counts(&crashed(term), NOW).await.unwrap();
        assert_eq!((within.bad, within.all), (bad, all), "{term}");
    }
    store.close().await;
}

#[tokio::test]
async fn failed_placements_are_counted_by_queue_region_and_the_fleets_of_the_queue() {
    let place = Place::new();
    let store = place.open().await;
    let of = |number: u32, queue: &str, event_type| PlacementEvent {
        queue: queue.into(),
        event_type,
        event_time: NOW,
        ..placement(number)
    };
    let queue = |name: &str, fleets: &[&str]| GameSessionQueue {
        name: name.into(),
        region: region(),
        arn: None,
        timeout_seconds: None,
        destinations: fleets
            .iter()
            .map(|fleet| format!("arn:aws:gamelift:eu-west-1:111122223333:fleet/{fleet}"))
            .collect(),
        player_latency_policies: Vec::new(),
        allowed_locations: Vec::new(),
        priority_order: Vec::new(),
        location_order: Vec::new(),
        custom_event_data: None,
        notification_target: None,
    };
    let seen = vec![
        Observation::Fleets(Listing::complete(vec![fleet()])),
        Observation::Queues(Listing::complete(vec![queue("arena", &[FLEET]), queue("ranked", &[FLEET])])),
        Observation::PlacementEvents(vec![
            of(1, "arena", PlacementEventType::TimedOut),
            of(2, "arena", PlacementEventType::Failed),
            of(3, "arena", PlacementEventType::Cancelled),
            of(4, "ranked", PlacementEventType::Fulfilled),
            of(5, "deleted", PlacementEventType::Fulfilled),
        ]),
    ];
    apply(&store, NOW, seen).await;
    let hour = TimeRange::new(NOW.plus_ms(-3_600_000), NOW.plus_ms(1));
    let counts = store.reader().placement_counts(&PlacementScope::default(), hour).await.unwrap();
    assert_eq!((counts.bad, counts.all), (2, 5), "who cancelled wanted to");
    for (dimension, label, bad, all) in [
        (Dimension::Queue, "arena", 2, 3),
        (Dimension::Queue, "ranked", 0, 1),
        (Dimension::Region, "eu-west-1", 2, 5),
        (Dimension::Fleet, "eu-prod", 2, 4),
    ] {
        let found = value(&counts, &dimension, label);
        assert_eq!((found.bad, found.all), (bad, all), "{dimension:?} {label}");
    }
    store.close().await;
}

#[tokio::test]
async fn nothing_to_compare_is_counted_as_nothing() {
    let place = Place::new();
    let store = filled(&place).await;
    let counts = store.reader().session_counts(&crashed("fleet:nowhere"), NOW).await.unwrap();
    assert_eq!(counts, Counts::default());
    store.close().await;
}

#[tokio::test]
async fn overlaps_count_each_set_of_matches_once() {
    let place = Place::new();
    let store = filled(&place).await;
    let queries = ["prop.map=mine", "max=8", "build=build-1"].map(|text| Query::parse(text).unwrap());
    let mut found = store.reader().session_overlaps(&crashed(""), &queries, NOW).await.unwrap();
    found.sort_unstable();
    assert_eq!(found, [(0b100, 5), (0b110, 1), (0b111, 4)]);
    store.close().await;
}

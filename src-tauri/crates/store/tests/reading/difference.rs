//! Counting sessions by what they have in common.

use liftdeck_model::content::Build;
use liftdeck_model::fleet::FleetEvent;
use liftdeck_model::game_session::{GameProperty, GameSession, GameSessionStatus};
use liftdeck_model::matchmaking::{EventTicket, MatchmakingConfiguration, MatchmakingEvent, TicketPlayer};
use liftdeck_model::observation::{Listing, Observation};
use liftdeck_model::placement::{PlacementEvent, PlacementEventType};
use liftdeck_model::query::Query;
use liftdeck_model::queue::GameSessionQueue;
use liftdeck_model::time::TimeRange;
use liftdeck_store::Store;
use liftdeck_store::reader::classes::{Bad, Having};
use liftdeck_store::reader::matchmaking::{TicketRequest, TicketScope};
use liftdeck_store::reader::placement::PlacementScope;
use liftdeck_store::reader::session::difference::{Compared, Counts, Dimension, ValueCount};
use liftdeck_store::reader::window::Page;

use crate::fixture::{FLEET, NOW, Place, apply, capacity, fleet, placement, region, session, session_id};

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

fn of_queue(number: u32, queue: &str, event_type: PlacementEventType) -> PlacementEvent {
    PlacementEvent { queue: queue.into(), event_type, event_time: NOW, ..placement(number) }
}

fn queue(name: &str, fleets: &[&str]) -> GameSessionQueue {
    GameSessionQueue {
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
    }
}

/// A match of two tickets with three players, proposed a minute before it is placed under its own id.
fn proposed(number: u32, configuration: &str) -> MatchmakingEvent {
    let player =
        |id: u32| TicketPlayer { player_id: format!("player-{id}").into(), team: None, accepted: None };
    let ticket = |id: &str, players: Vec<TicketPlayer>| EventTicket {
        ticket_id: id.into(),
        start_time: Some(NOW.plus_ms(-90_000)),
        players,
    };
    MatchmakingEvent {
        event_id: format!("00000000-0000-4000-8000-{number:012}"),
        event_type: "PotentialMatchCreated".to_owned(),
        configuration: configuration.to_owned(),
        region: region(),
        event_time: NOW.plus_ms(-60_000),
        match_id: Some(placement(number).placement_id.into_string()),
        reason: None,
        message: None,
        estimated_wait_seconds: None,
        game_session_id: None,
        tickets: vec![
            ticket(&format!("one-{number}"), vec![player(1), player(2)]),
            ticket(&format!("two-{number}"), vec![player(3)]),
        ],
    }
}

fn last_hour() -> TimeRange {
    TimeRange::new(NOW.plus_ms(-3_600_000), NOW.plus_ms(1))
}

async fn placed(place: &Place) -> Store {
    let store = place.open().await;
    let seen = vec![
        Observation::Fleets(Listing::complete(vec![fleet()])),
        Observation::Builds(Listing::complete(vec![build()])),
        Observation::FleetCapacity(capacity(4, 4)),
        Observation::Queues(Listing::complete(vec![queue("arena", &[FLEET]), queue("ranked", &[])])),
        Observation::MatchmakingEvents(vec![proposed(1, "duel"), proposed(4, "duel")]),
        Observation::PlacementEvents(vec![
            of_queue(1, "arena", PlacementEventType::TimedOut),
            of_queue(2, "arena", PlacementEventType::Failed),
            of_queue(3, "arena", PlacementEventType::Cancelled),
            of_queue(4, "ranked", PlacementEventType::Fulfilled),
            of_queue(5, "deleted", PlacementEventType::Fulfilled),
        ]),
    ];
    apply(&store, NOW, seen).await;
    store
}

#[tokio::test]
async fn placements_are_counted_by_what_is_known_of_failed_ones_too_and_each_value_selects_its_own() {
    let place = Place::new();
    let store = placed(&place).await;
    let reader = store.reader();
    let everything = PlacementScope::default();
    let classes = reader.placement_classes(&everything, last_hour(), Bad::Failed).await.unwrap();
    let counts = Counts::of_classes(&classes);
    assert_eq!((counts.bad, counts.all), (2, 5), "who cancelled wanted to");
    for (dimension, label, bad, all) in [
        (Dimension::Queue, "arena", 2, 3),
        (Dimension::Queue, "ranked", 0, 1),
        (Dimension::Region, "eu-west-1", 2, 5),
        (Dimension::Fleet, "eu-prod", 2, 3),
        (Dimension::Build, "arena 1.43.0-rc.1", 2, 3),
        (Dimension::InstanceType, "c6i.large", 2, 3),
        (Dimension::Location, "eu-north-1", 2, 3),
        (Dimension::Configuration, "duel", 1, 2),
        (Dimension::Players, "3", 1, 2),
    ] {
        let found = value(&counts, &dimension, label);
        assert_eq!((found.bad, found.all), (bad, all), "{dimension:?} {label}");
        let having = Some(Having::from(found.term.clone().unwrap()));
        let scope = PlacementScope { having, ..PlacementScope::default() };
        let own = reader.placement_statistics(&scope, last_hour()).await.unwrap().funnel;
        assert_eq!((own.failed + own.timed_out, own.total()), (bad, all), "{:?}", scope.having);
        // The same where whole days are read from their sums.
        let days = TimeRange::new(NOW.plus_ms(-3 * 86_400_000), NOW.plus_ms(2 * 86_400_000));
        let own = reader.placement_statistics(&scope, days).await.unwrap().funnel;
        assert_eq!((own.failed + own.timed_out, own.total()), (bad, all), "{:?} in days", scope.having);
    }
    let nothing = Some(Having::from("max=8".to_owned()));
    let scope = PlacementScope { having: nothing, ..PlacementScope::default() };
    assert_eq!(reader.placement_statistics(&scope, last_hour()).await.unwrap().funnel.total(), 0);
    store.close().await;
}

#[tokio::test]
async fn placements_of_a_span_are_counted_against_the_others() {
    let place = Place::new();
    let store = placed(&place).await;
    let early = PlacementEvent {
        event_time: NOW.plus_ms(-1_800_000),
        ..of_queue(9, "arena", PlacementEventType::Fulfilled)
    };
    apply(&store, NOW, vec![Observation::PlacementEvents(vec![early])]).await;
    let span = Bad::Within(TimeRange::new(NOW.plus_ms(-60_000), NOW.plus_ms(1)));
    let everything = PlacementScope::default();
    let classes = store.reader().placement_classes(&everything, last_hour(), span).await.unwrap();
    let counts = Counts::of_classes(&classes);
    assert_eq!((counts.bad, counts.all), (5, 6));
    let arena = value(&counts, &Dimension::Queue, "arena");
    assert_eq!((arena.bad, arena.all), (3, 4));
    store.close().await;
}

#[tokio::test]
async fn tickets_that_ended_are_counted_by_what_is_known_of_them_and_those_of_one_match_once() {
    let place = Place::new();
    let store = place.open().await;
    let ended = |number: u32, configuration: &str, event_type: &str, is_match: bool| {
        let made = proposed(number, configuration);
        let event_type = event_type.to_owned();
        let match_id = made.match_id.filter(|_| is_match);
        MatchmakingEvent { event_type, match_id, event_time: NOW, ..made }
    };
    let configuration = MatchmakingConfiguration {
        name: "duel".to_owned(),
        region: region(),
        arn: None,
        description: None,
        queue_arns: vec!["arn:aws:gamelift:eu-west-1:111122223333:gamesessionqueue/arena".to_owned()],
        request_timeout_seconds: None,
        acceptance_timeout_seconds: None,
        acceptance_required: false,
        rule_set_name: Some("fair".to_owned()),
        notification_target: None,
        additional_player_count: None,
        backfill_mode: None,
        flex_match_mode: None,
        creation_time: None,
    };
    let seen = vec![
        Observation::MatchmakingConfigurations(Listing::complete(vec![configuration])),
        Observation::MatchmakingEvents(vec![
            ended(1, "duel", "MatchmakingTimedOut", false),
            ended(2, "duel", "MatchmakingFailed", true),
            ended(3, "other", "MatchmakingSucceeded", true),
            ended(4, "other", "MatchmakingSearching", false),
        ]),
    ];
    apply(&store, NOW, seen).await;
    let reader = store.reader();
    let classes = reader.ticket_classes(&TicketScope::default(), last_hour(), Bad::Failed).await.unwrap();
    let counts = Counts::of_classes(&classes);
    for (dimension, label, bad, all, tickets) in [
        (Dimension::Configuration, "duel", 4, 4, 4),
        (Dimension::Configuration, "other", 0, 2, 4),
        (Dimension::RuleSet, "fair", 4, 4, 4),
        (Dimension::Queue, "arena", 4, 4, 4),
        (Dimension::Region, "eu-west-1", 4, 6, 8),
        (Dimension::Players, "1", 2, 3, 4),
        (Dimension::Players, "2", 2, 3, 4),
    ] {
        let found = value(&counts, &dimension, label);
        assert_eq!((found.bad, found.all), (bad, all), "{dimension:?} {label}");
        // The list has each ticket, also those that still search.
        let request = TicketRequest {
            text: String::new(),
            configuration: None,
            state: None,
            having: Some(Having::from(found.term.clone().unwrap())),
            range: None,
            page: Page::first(20),
        };
        assert_eq!(reader.tickets(&request).await.unwrap().total, tickets, "{dimension:?} {label}");
    }
    let scope = TicketScope { configuration: Some("duel".to_owned()), region: Some(region()) };
    let own = reader.ticket_classes(&scope, last_hour(), Bad::Failed).await.unwrap();
    assert_eq!(Counts::of_classes(&own).all, 4);
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

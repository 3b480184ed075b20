//! Queues, aliases, placements, and finding anything by part of its name.

use liftdeck_model::alias::{Alias, RoutingStrategy};
use liftdeck_model::observation::{Batch, Listing, Observation};
use liftdeck_model::placement::{PlacementEvent, PlacementEventType};
use liftdeck_model::queue::GameSessionQueue;
use liftdeck_model::time::TimeRange;
use liftdeck_store::reader::find::Found;
use liftdeck_store::reader::placement::{
    Destination, PlacementGroup, PlacementRequest, PlacementScope, PlacementSplit,
};
use liftdeck_store::reader::window::Page;

use crate::fixture::{
    FLEET, NOW, Place, apply, fleet, placement, player_session, region, session, session_id,
};

fn alias(fleet_id: &str) -> Alias {
    Alias {
        alias_id: "alias-1".into(),
        alias_arn: None,
        region: region(),
        name: "arena-live".into(),
        description: None,
        routing: RoutingStrategy::Simple { fleet_id: fleet_id.into() },
        creation_time: None,
        last_updated_time: None,
    }
}

fn queue() -> GameSessionQueue {
    GameSessionQueue {
        name: "arena".into(),
        region: region(),
        arn: None,
        timeout_seconds: Some(60),
        destinations: vec![
            "arn:aws:gamelift:eu-west-1::alias/alias-1".into(),
            format!("arn:aws:gamelift:eu-west-1:1:fleet/{FLEET}"),
            "arn:aws:gamelift:us-east-1::fleet/fleet-elsewhere".into(),
        ],
        player_latency_policies: Vec::new(),
        allowed_locations: Vec::new(),
        priority_order: Vec::new(),
        location_order: Vec::new(),
        custom_event_data: None,
        notification_target: None,
    }
}

#[tokio::test]
async fn queues_name_where_they_lead_and_aliases_remember_where_they_led() {
    let place = Place::new();
    let store = place.open().await;
    apply(
        &store,
        NOW,
        vec![
            Observation::Fleets(Listing::complete(vec![fleet()])),
            Observation::Aliases(Listing::complete(vec![alias("fleet-old")])),
            Observation::Queues(Listing::complete(vec![queue()])),
            Observation::GameSessions(vec![session(1)]),
        ],
    )
    .await;
    apply(&store, NOW.plus_ms(1), vec![Observation::Aliases(Listing::complete(vec![alias(FLEET)]))]).await;
    let reader = store.reader();
    let (queues, freshness) = reader.queues(NOW).await.unwrap();
    assert!(freshness.stale, "no poll was confirmed");
    let labels: Vec<_> = queues[0].destinations.iter().map(|to| to.label.as_str()).collect();
    assert_eq!(labels, ["arena-live", "eu-prod", "fleet-elsewhere"]);
    assert_eq!(queues[0].destinations[0].fleet_id.as_ref().unwrap().as_str(), FLEET, "through the alias");
    let (aliases, _) = reader.aliases(NOW).await.unwrap();
    assert_eq!((aliases[0].fleet_name.as_deref(), aliases[0].game_sessions), (Some("eu-prod"), 1));
    let moved = aliases[0].history.iter().find(|change| change.field.starts_with("routing")).unwrap();
    assert!(moved.before.as_deref().unwrap().contains("fleet-old"), "{moved:?}");
    let summary = &reader.fleet_summaries(NOW).await.unwrap()[0];
    assert_eq!(
        (summary.aliases.as_slice(), summary.queues.as_slice()),
        (&["arena-live".to_owned()][..], &["arena".to_owned()][..])
    );
    store.close().await;
}

#[tokio::test]
async fn queues_come_by_region_and_name_whichever_region_was_collected_first() {
    let place = Place::new();
    let store = place.open().await;
    let writer = store.writer().unwrap();
    for (in_region, names) in [("us-east-1", ["beta", "alpha"]), ("eu-west-1", ["delta", "gamma"])] {
        let queues =
            names.map(|name| GameSessionQueue { name: name.into(), region: in_region.into(), ..queue() });
        let observations = vec![Observation::Queues(Listing::complete(queues.to_vec()))];
        writer.apply(Batch { region: in_region.into(), observed_at: NOW, observations }).await.unwrap();
    }
    let (queues, _) = store.reader().queues(NOW).await.unwrap();
    let names: Vec<_> = queues.iter().map(|row| row.queue.name.as_str()).collect();
    assert_eq!(names, ["delta", "gamma", "alpha", "beta"]);
    store.close().await;
}

fn of_queue(queue: Option<&str>) -> PlacementScope {
    PlacementScope { queue: queue.map(Into::into), ..PlacementScope::default() }
}

#[tokio::test]
async fn placements_have_a_window_a_funnel_and_percentiles() {
    let place = Place::new();
    let store = place.open().await;
    let events = (0..100_u32).map(|number| {
        let mut event = placement(number);
        event.event_time = NOW.plus_ms(i64::from(number) * 1_000);
        event.end_time = Some(event.event_time);
        event.start_time = Some(event.event_time.plus_ms(-100 * i64::from(number + 1)));
        if number % 10 == 9 {
            event.event_type = PlacementEventType::TimedOut;
            event.game_session_id = None;
        }
        event
    });
    apply(&store, NOW, vec![Observation::PlacementEvents(events.collect())]).await;
    let reader = store.reader();
    let range = TimeRange::new(NOW, NOW.plus_ms(1_000_000));
    let request = |text: &str, types: &[PlacementEventType]| PlacementRequest {
        scope: of_queue(Some("arena")),
        event_types: types.to_vec(),
        text: text.into(),
        range,
        page: Page::first(5),
    };
    let window = reader.placements(&request("", &[])).await.unwrap();
    assert_eq!(
        (window.total, window.rows.len(), window.rows[0].placement_id.as_str()),
        (100, 5, "placement-99")
    );
    let failed = reader.placements(&request("", &[PlacementEventType::TimedOut])).await.unwrap();
    assert_eq!((failed.total, failed.rows[0].game_session_id.as_ref()), (10, None));
    assert_eq!(reader.placements(&request("placement-4", &[])).await.unwrap().total, 11);
    assert_eq!(reader.placements(&request("player-7", &[])).await.unwrap().total, 1);
    let statistics = reader.placement_statistics(&of_queue(None), range).await.unwrap();
    assert_eq!((statistics.funnel.fulfilled, statistics.funnel.timed_out), (90, 10));
    assert!((statistics.funnel.failed_share().unwrap() - 0.1).abs() < 1e-9);
    assert_eq!((statistics.p50_ms, statistics.p99_ms), (Some(4_900), Some(9_900)));
    assert_eq!(statistics.histogram.iter().map(|bar| bar.count).sum::<u64>(), 90);
    let rate = reader
        .placement_rate(&of_queue(Some("arena")), TimeRange::new(NOW, NOW.plus_ms(100_000)), 50_000)
        .await
        .unwrap();
    assert_eq!(rate.iter().map(|funnel| funnel.total()).collect::<Vec<_>>(), [50, 50]);
    assert_eq!(reader.placement_statistics(&of_queue(Some("other")), range).await.unwrap().funnel.total(), 0);
    store.close().await;
}

#[tokio::test]
async fn sums_of_placements_say_over_weeks_what_the_events_say() {
    const HOUR_MS: i64 = 3_600_000;
    let place = Place::new();
    let store = place.open().await;
    let start = NOW.plus_ms(-12 * 24 * HOUR_MS);
    // One every 17 minutes, in small batches, the last one twice.
    let events: Vec<_> = (0..1_000_u32)
        .map(|number| {
            let mut event = placement(number);
            event.event_time = start.plus_ms(i64::from(number) * 17 * 60_000);
            event.end_time = Some(event.event_time);
            event.start_time = Some(event.event_time.plus_ms(-100 * i64::from(number + 1)));
            event.queue = if number % 3 == 0 { "coop".into() } else { "arena".into() };
            event.region = if number % 2 == 0 { "eu-north-1".into() } else { "eu-west-1".into() };
            if number % 10 > 7 {
                event.event_type = PlacementEventType::Failed;
            }
            event
        })
        .collect();
    for part in events.chunks(90).chain([&events[999..]]) {
        apply(&store, NOW, vec![Observation::PlacementEvents(part.to_vec())]).await;
    }
    let reader = store.reader();
    for (from_min, to_min) in [(0, 17_000), (7, 16_001), (60, 200), (13, 1_700), (1_441, 4_320)] {
        let range = TimeRange::new(start.plus_ms(from_min * 60_000), start.plus_ms(to_min * 60_000));
        // Two Regions have a queue of that name.
        let north = PlacementScope { region: Some("eu-north-1".into()), ..of_queue(Some("arena")) };
        for scope in [of_queue(None), of_queue(Some("arena")), north] {
            let inside = |event: &&PlacementEvent| {
                event.event_time >= range.from
                    && event.event_time < range.to
                    && scope.queue.as_ref().is_none_or(|queue| event.queue.as_str() == queue)
                    && scope.region.as_ref().is_none_or(|region| event.region == *region)
            };
            let wanted: Vec<&PlacementEvent> = events.iter().filter(inside).collect();
            let failed = wanted.iter().filter(|e| e.event_type == PlacementEventType::Failed).count() as u64;
            let found = reader.placement_statistics(&scope, range).await.unwrap();
            assert_eq!((found.funnel.total(), found.funnel.failed), (wanted.len() as u64, failed));
            assert_eq!(found.histogram.iter().map(|bar| bar.count).sum::<u64>(), found.funnel.fulfilled);
            let mut times: Vec<i64> = wanted
                .iter()
                .filter(|event| event.event_type == PlacementEventType::Fulfilled)
                .map(|event| event.end_time.unwrap().since_ms(event.start_time.unwrap()))
                .collect();
            times.sort_unstable();
            let exact = times[times.len().div_ceil(2) - 1];
            let off = (found.p50_ms.unwrap() - exact).abs();
            assert!(off * 20 <= exact, "{:?} for {exact}", found.p50_ms);
            let request = PlacementRequest {
                scope: scope.clone(),
                event_types: vec![PlacementEventType::Failed],
                text: String::new(),
                range,
                page: Page::first(3),
            };
            assert_eq!(reader.placements(&request).await.unwrap().total, failed);
            let rate = reader.placement_rate(&scope, range, 2 * HOUR_MS).await.unwrap();
            let each = reader.placement_rate(&scope, range, 300_000).await.unwrap();
            let sums: Vec<u64> =
                each.chunks(24).map(|part| part.iter().map(|funnel| funnel.total()).sum()).collect();
            assert_eq!(rate.iter().map(|funnel| funnel.total()).collect::<Vec<_>>(), sums);
        }
    }
    store.close().await;
}

#[tokio::test]
async fn parts_of_the_placements_say_what_their_events_say() {
    const HOUR_MS: i64 = 3_600_000;
    let place = Place::new();
    let store = place.open().await;
    let start = NOW.plus_ms(-12 * 24 * HOUR_MS);
    let session = |fleet: &str| format!("arn:aws:gamelift:eu-west-1::gamesession/{fleet}/s-1");
    let events: Vec<PlacementEvent> = (0..900_u32)
        .map(|number| {
            let mut event = placement(number);
            event.event_time = start.plus_ms(i64::from(number) * 17 * 60_000);
            event.end_time = Some(event.event_time);
            event.start_time = Some(event.event_time.plus_ms(-50 * i64::from(number % 40 + 1)));
            event.queue = if number % 3 == 0 { "coop".into() } else { "arena".into() };
            event.region = if number % 3 == 0 { "us-east-1".into() } else { "eu-west-1".into() };
            event.game_session_id =
                Some(session(if number % 4 == 0 { "fleet-b" } else { "fleet-a" }).as_str().into());
            if number % 10 == 9 {
                event.event_type = PlacementEventType::TimedOut;
                event.game_session_id = None;
            }
            event
        })
        .collect();
    // In small batches that share days, the last one twice.
    for part in events.chunks(70).chain([&events[899..]]) {
        apply(&store, NOW, vec![Observation::PlacementEvents(part.to_vec())]).await;
    }
    let reader = store.reader();
    let fleet_of = |event: &PlacementEvent| match event.game_session_id.as_ref().and_then(|id| id.fleet_id())
    {
        Some(fleet) => Destination::Fleet(fleet),
        None => Destination::Nowhere,
    };
    let scopes = [
        PlacementScope::default(),
        of_queue(Some("arena")),
        PlacementScope { region: Some("us-east-1".into()), ..PlacementScope::default() },
        PlacementScope { destination: Some(Destination::Nowhere), ..PlacementScope::default() },
        PlacementScope { destination: Some(Destination::Fleet("fleet-a".into())), ..of_queue(Some("arena")) },
        PlacementScope { region: Some("ap-south-1".into()), ..PlacementScope::default() },
    ];
    for (from_min, to_min) in [(0, 17_000), (7, 14_001), (60, 200), (1_441, 4_320)] {
        let range = TimeRange::new(start.plus_ms(from_min * 60_000), start.plus_ms(to_min * 60_000));
        for scope in &scopes {
            let wanted: Vec<&PlacementEvent> = events
                .iter()
                .filter(|event| event.event_time >= range.from && event.event_time < range.to)
                .filter(|event| scope.queue.as_ref().is_none_or(|queue| queue == event.queue.as_str()))
                .filter(|event| scope.region.as_ref().is_none_or(|region| *region == event.region))
                .filter(|event| scope.destination.as_ref().is_none_or(|to| *to == fleet_of(event)))
                .collect();
            for split in [PlacementSplit::Queue, PlacementSplit::Region, PlacementSplit::Destination] {
                let found = reader.placement_split(scope, range, split).await.unwrap();
                let totals: Vec<u64> = found.iter().map(|(_, part)| part.funnel.total()).collect();
                assert_eq!(totals.iter().sum::<u64>(), wanted.len() as u64, "{scope:?}, {split:?}");
                assert!(totals.is_sorted_by(|a, b| a >= b) && !totals.contains(&0), "{totals:?}");
                for (group, part) in found {
                    let inside = |event: &&&PlacementEvent| match &group {
                        PlacementGroup::Queue(region, queue) => {
                            (&event.region, &event.queue) == (region, queue)
                        }
                        PlacementGroup::Region(region) => event.region == *region,
                        PlacementGroup::Destination(to, _) => fleet_of(event) == *to,
                    };
                    let mut times: Vec<i64> = wanted
                        .iter()
                        .filter(inside)
                        .filter(|event| event.event_type == PlacementEventType::Fulfilled)
                        .map(|event| event.end_time.unwrap().since_ms(event.start_time.unwrap()))
                        .collect();
                    times.sort_unstable();
                    assert_eq!(part.funnel.total(), wanted.iter().filter(inside).count() as u64);
                    assert_eq!(part.funnel.fulfilled, times.len() as u64);
                    let Some(exact) = times.get((times.len() * 95).div_ceil(100).saturating_sub(1)) else {
                        assert_eq!(part.p95_ms, None);
                        continue;
                    };
                    let off = (part.p95_ms.unwrap() - exact).abs();
                    assert!(off * 20 <= *exact, "{:?} for {exact} of {group:?}", part.p95_ms);
                }
            }
            let request = PlacementRequest {
                scope: scope.clone(),
                event_types: Vec::new(),
                text: String::new(),
                range,
                page: Page::first(500),
            };
            let window = reader.placements(&request).await.unwrap();
            assert_eq!(window.total, wanted.len() as u64);
            assert_eq!(window.rows.len(), wanted.len().min(500));
            let figures = reader.placement_statistics(scope, range).await.unwrap();
            assert_eq!(figures.funnel.total(), wanted.len() as u64);
        }
    }
    store.close().await;
}

#[tokio::test]
async fn anything_is_found_by_a_piece_of_its_name() {
    let place = Place::new();
    let store = place.open().await;
    apply(
        &store,
        NOW,
        vec![
            Observation::Fleets(Listing::complete(vec![fleet()])),
            Observation::Aliases(Listing::complete(vec![alias(FLEET)])),
            Observation::Queues(Listing::complete(vec![queue()])),
            Observation::GameSessions(vec![session(1)]),
            Observation::PlayerSessions(session_id(1), Listing::complete(vec![player_session(1, 7)])),
            Observation::PlacementEvents(vec![placement(4)]),
        ],
    )
    .await;
    let reader = store.reader();
    let kinds = |found: Vec<Found>| -> Vec<&'static str> {
        found
            .iter()
            .map(|one| match one {
                Found::Fleet { .. } => "fleet",
                Found::Alias { .. } => "alias",
                Found::Queue { .. } => "queue",
                Found::GameSession { .. } => "session",
                Found::Player { .. } => "player",
                Found::Placement { .. } => "placement",
                Found::Ticket { .. } => "ticket",
                Found::PlayerSession { .. } => "player session",
                Found::Compute { .. } => "compute",
                Found::Build { .. } => "build",
                Found::Script { .. } => "script",
            })
            .collect()
    };
    for (text, wanted) in [
        ("PROD", vec!["fleet"]),
        ("arena", vec!["alias", "queue"]),
        ("match-1", vec!["session"]),
        ("203.0.113.24:7777", vec!["session"]),
        ("203.0.113.24:7777 30s", vec!["session"]),
        ("203.0.113.24 90s", vec![]),
        ("203.0.113.24:7778 30s", vec![]),
        ("ec2-203-0-113-24.eu-north-1.compute.amazonaws.com:7777", vec!["session"]),
        ("player-7", vec!["player"]),
        ("placement-", vec!["placement"]),
        (player_session(1, 7).player_session_id.as_str(), vec!["player session"]),
        (" ", vec![]),
    ] {
        assert_eq!(kinds(reader.find(text, NOW).await.unwrap()), wanted, "{text}");
    }
    let words = reader.vocabulary().await.unwrap();
    let mode = ("mode".to_owned(), vec!["ranked".to_owned()]);
    assert_eq!((words.fleets, words.properties), (vec!["eu-prod".to_owned()], vec![mode]));
    store.close().await;
}

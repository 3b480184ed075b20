//! Players who wait far longer than usual, game sessions that do not fill or run on, and aliases that lead nowhere.

use liftdeck_insight::incident::{HitNoun, IncidentOf, incident, incident_players};
use liftdeck_insight::verdict::{InForce, Unusable};
use liftdeck_insight::{ChangeKind, Likely, LikelyCause, Rule, Target, Trouble};
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::fleet::{FleetEvent, FleetUtilization};
use liftdeck_model::game_session::{GameProperty, GameSession, GameSessionStatus};
use liftdeck_model::matchmaking::{EventTicket, MatchmakingEvent, TicketPlayer};
use liftdeck_model::observation::{Listing, Observation};
use liftdeck_model::placement::{PlacementEvent, PlacementEventType};
use liftdeck_model::query::Query;
use liftdeck_model::queue::GameSessionQueue;
use liftdeck_model::{Severity, Timestamp};
use liftdeck_store::reader::window::Page;

use super::MINUTE;
use super::incident::fires;
use super::world::{NOW, World, alias_to, capacity, fleet, placement, queue, session, utilization};

const HOUR: i64 = 60 * MINUTE;
const TO_FLEET: &str = "arn:aws:gamelift:eu-west-1::fleet/fleet-arena";

/// The moment of one of `many`, evenly spread between `from` and `to` hours ago.
fn spread(number: u32, many: u32, from: i64, to: i64) -> Timestamp {
    NOW.plus_ms(-from * HOUR + (from - to) * HOUR * i64::from(number) / i64::from(many))
}

/// A placement that ended then, after so many milliseconds.
fn placed(number: u32, at: Timestamp, took_ms: i64, event_type: PlacementEventType) -> PlacementEvent {
    PlacementEvent {
        event_time: at,
        start_time: Some(at.plus_ms(-took_ms)),
        end_time: Some(at),
        ..placement(number, event_type)
    }
}

fn matched(number: u32, at: Timestamp, took_ms: i64) -> MatchmakingEvent {
    let ticket = EventTicket {
        ticket_id: format!("ticket-{number}").into(),
        start_time: Some(at.plus_ms(-took_ms)),
        players: Vec::new(),
    };
    MatchmakingEvent { event_time: at, tickets: vec![ticket], ..super::causes::ticket_ended(1_000 + number) }
}

/// Placements of a day that took 2 s, so `many`, and eight of the last minutes that took `took_ms` each.
async fn placements(many: u32, took_ms: i64, last: PlacementEventType) -> World {
    let world = World::new().await;
    let day = (0..many)
        .map(|number| placed(number, spread(number, many, 20, 2), 2_000, PlacementEventType::Fulfilled));
    let late = (0..8).map(|number| {
        placed(9_000 + number, NOW.plus_ms(-i64::from(number) * MINUTE), took_ms, last.clone())
    });
    world.saw(NOW, vec![Observation::PlacementEvents(day.chain(late).collect())]).await;
    world
}

#[tokio::test]
async fn placements_that_take_far_longer_than_in_the_day_before_are_found_since_the_first_of_them_came() {
    let world = placements(300, 45_000, PlacementEventType::Fulfilled).await;
    let verdict = world.found(Rule::SlowPlacements, &InForce::new()).await.expect("they wait");
    let Trouble::PlacementsWait { long, placed, usual_ms, longer_than_ms, .. } = verdict.facts.trouble else {
        panic!("{verdict:?}")
    };
    assert_eq!((long, placed, usual_ms, longer_than_ms), (8, 8, 2_000, 30_000));
    assert_eq!((verdict.severity, verdict.since), (Severity::Warning, NOW.plus_ms(-7 * MINUTE - 45_000)));
    world.close().await;
}

#[tokio::test]
async fn waits_are_no_news_where_they_are_short_or_fail_or_where_too_few_tell_what_is_usual() {
    use PlacementEventType::{Fulfilled, TimedOut};
    for (many, took_ms, last) in [(300, 20_000, Fulfilled), (150, 45_000, Fulfilled), (300, 45_000, TimedOut)]
    {
        let world = placements(many, took_ms, last).await;
        assert_eq!(world.found(Rule::SlowPlacements, &InForce::new()).await, None, "{many} {took_ms}");
        world.close().await;
    }
}

#[tokio::test]
async fn tickets_that_wait_far_longer_for_a_match_than_in_the_day_before_are_found() {
    let world = World::new().await;
    let day = (0..300).map(|number| matched(number, spread(number, 300, 20, 2), 20_000));
    let late = (0..8).map(|number| matched(9_000 + number, NOW.plus_ms(-i64::from(number) * MINUTE), 90_000));
    world.saw(NOW, vec![Observation::MatchmakingEvents(day.chain(late).collect())]).await;
    let verdict = world.found(Rule::SlowTickets, &InForce::new()).await.expect("they wait");
    assert_eq!((verdict.facts.hit.count, verdict.facts.hit.of), (8, Some(8)));
    assert_eq!(verdict.since, NOW.plus_ms(-7 * MINUTE - 90_000));
    world.close().await;
}

/// A fleet with ten game sessions of ten slots, which had `usually` players in each for a day and has `now` since ten
/// minutes.
async fn filled(usually: i32, now: i32) -> World {
    let world = World::new().await;
    let seen = |players: i32| {
        let load = FleetUtilization {
            current_player_session_count: players * 10,
            maximum_player_session_count: 100,
            ..utilization("arena", 20, 10)
        };
        vec![
            Observation::Fleets(Listing::complete(vec![fleet("arena")])),
            Observation::FleetCapacity(capacity("arena", 4, 4)),
            Observation::FleetUtilization(load),
        ]
    };
    for window in (1..=96).rev() {
        world.saw(NOW.plus_ms(-window * 15 * MINUTE - MINUTE), seen(usually)).await;
    }
    for minutes in (0..=10).rev() {
        world.saw(NOW.plus_ms(-minutes * MINUTE), seen(now)).await;
    }
    world
}

#[tokio::test]
async fn game_sessions_with_far_fewer_players_than_at_any_time_of_the_day_do_not_fill() {
    for (usually, now, is_found) in [(8, 2, true), (3, 2, false), (8, 6, false)] {
        let world = filled(usually, now).await;
        let verdict = world.found(Rule::UnfilledSessions, &InForce::new()).await;
        assert_eq!(verdict.is_some(), is_found, "{usually} usually, {now} now: {verdict:?}");
        if let Some(verdict) = verdict {
            assert_eq!((verdict.severity, verdict.since), (Severity::Warning, NOW.plus_ms(-10 * MINUTE)));
        }
        world.close().await;
    }
}

/// A game session of a mode that was created then and ran for `ran_ms`, or runs still.
fn of_mode(number: u32, mode: &str, created: Timestamp, ran_ms: Option<i64>) -> GameSession {
    let mode = GameProperty { key: "mode".to_owned(), value: mode.to_owned() };
    let status = if ran_ms.is_some() { GameSessionStatus::Terminated } else { GameSessionStatus::Active };
    GameSession {
        current_player_session_count: 4,
        game_properties: vec![mode],
        termination_time: ran_ms.map(|ms| created.plus_ms(ms)),
        status,
        ..session(number, created)
    }
}

#[tokio::test]
async fn how_long_is_too_long_depends_on_the_mode_of_the_game_session() {
    let world = World::new().await;
    let created = |number: u32| spread(number, 60, 34, 32);
    let duels = (0..60).map(|number| of_mode(number, "duel", created(number), Some(20 * MINUTE)));
    let campaigns =
        (100..160).map(|number| of_mode(number, "campaign", created(number - 100), Some(3 * HOUR)));
    let old = NOW.plus_ms(-4 * HOUR);
    let running = (200..204).flat_map(|number| {
        [of_mode(number, "duel", old, None), of_mode(number + 100, "campaign", old, None)]
    });
    let seen = vec![
        Observation::Fleets(Listing::complete(vec![fleet("calm")])),
        Observation::GameSessions(duels.chain(campaigns).chain(running).collect()),
    ];
    world.saw(NOW.plus_ms(-MINUTE), seen).await;
    let verdict = world.found(Rule::LongSessions, &InForce::new()).await.expect("duels run on");
    let Trouble::SessionsRunLong { mode, game_sessions, usual_ms, longer_than_ms, .. } =
        &verdict.facts.trouble
    else {
        panic!("{verdict:?}")
    };
    assert_eq!((mode.as_deref(), *game_sessions), (Some("duel"), 4), "campaigns take that long");
    assert_eq!((*usual_ms, *longer_than_ms), (20 * MINUTE, 2 * HOUR));
    let Target::Sessions(query) = &verdict.facts.target else { panic!("{verdict:?}") };
    assert!(query.ends_with("prop.mode=\"duel\"") && Query::parse(query).is_ok(), "{query}");
    world.close().await;
}

#[tokio::test]
async fn an_alias_that_leads_nowhere_any_more_is_told_if_game_sessions_were_created_through_it() {
    let to_alias = "arn:aws:gamelift:eu-west-1::alias/alias-live";
    for (is_used, destinations, expected) in [
        (true, vec![], Some(Severity::Warning)),
        (false, vec![], Some(Severity::Info)),
        // It may have been the queue that created them.
        (true, vec![TO_FLEET.to_owned()], Some(Severity::Info)),
        // The queue tells it.
        (true, vec![to_alias.to_owned()], None),
    ] {
        let world = World::new().await;
        let hosted = GameSession { fleet_id: "fleet-arena".into(), ..session(1, NOW.plus_ms(-30 * MINUTE)) };
        let with = vec![
            Observation::Fleets(Listing::complete(vec![fleet("arena")])),
            Observation::Queues(Listing::complete(vec![queue(destinations.clone())])),
            alias_to(RoutingStrategy::Simple { fleet_id: "fleet-arena".into() }),
            Observation::GameSessions(if is_used { vec![hosted] } else { Vec::new() }),
        ];
        world.saw(NOW.plus_ms(-20 * MINUTE), with).await;
        let nowhere = alias_to(RoutingStrategy::Terminal { message: "closed".to_owned() });
        world.saw(NOW.plus_ms(-10 * MINUTE), vec![nowhere]).await;
        let verdict = world.found(Rule::TerminalAlias, &InForce::new()).await;
        assert_eq!(verdict.as_ref().map(|it| it.severity), expected, "{destinations:?}");
        if let Some(verdict) = verdict {
            assert_eq!(verdict.since, NOW.plus_ms(-10 * MINUTE));
            let is_change = |likely: &Likely| matches!(&likely.cause, LikelyCause::Changed { change } if change.kind == ChangeKind::Alias);
            assert!(verdict.facts.causes.first().is_some_and(is_change), "{:?}", verdict.facts.causes);
        }
        world.close().await;
    }
}

#[tokio::test]
async fn a_destination_without_the_locations_that_its_queue_allows_is_named_where_placements_fail() {
    let world = World::new().await;
    let only = GameSessionQueue {
        allowed_locations: vec!["eu-north-1".to_owned()],
        ..queue(vec![TO_FLEET.to_owned()])
    };
    let failed = (0..60).map(|number| placement(number, PlacementEventType::TimedOut));
    let seen = vec![
        Observation::Fleets(Listing::complete(vec![fleet("arena")])),
        Observation::FleetCapacity(capacity("arena", 4, 4)),
        Observation::Queues(Listing::complete(vec![only])),
        Observation::PlacementEvents(failed.collect()),
    ];
    world.saw(NOW, seen).await;
    let verdict = world.found(Rule::Placements, &InForce::new()).await.expect("placements fail");
    let [likely] = verdict.facts.causes.as_slice() else { panic!("{:?}", verdict.facts.causes) };
    let LikelyCause::DestinationUnusable { lost } = &likely.cause else { panic!("{likely:?}") };
    assert_eq!(
        (lost.name.as_str(), &lost.why),
        ("arena", &Unusable::NotAllowed { allowed: vec!["eu-north-1".into()] })
    );
    world.close().await;
}

#[tokio::test]
async fn server_processes_that_end_before_they_are_ready_are_found_since_the_first_of_them() {
    for (many, is_found) in [(6, true), (3, false)] {
        let world = World::new().await;
        let failed = |number: i64| FleetEvent {
            event_id: format!("event-{number}"),
            fleet_id: "fleet-arena".into(),
            event_code: "SERVER_PROCESS_SDK_INITIALIZATION_TIMEOUT".into(),
            message: Some("no InitSDK() within 5 minutes".to_owned()),
            event_time: NOW.plus_ms(-number * MINUTE),
            count: 1,
            has_log: false,
        };
        let seen = vec![
            Observation::Fleets(Listing::complete(vec![fleet("arena")])),
            Observation::FleetEvents("fleet-arena".into(), (0..many).map(failed).collect()),
        ];
        world.saw(NOW, seen).await;
        let verdict = world.found(Rule::Startup, &InForce::new()).await;
        let told = verdict.map(|it| (it.severity, it.since));
        assert_eq!(told, is_found.then(|| (Severity::Bad, NOW.plus_ms(-(many - 1) * MINUTE))));
        world.close().await;
    }
}

#[tokio::test]
async fn who_is_hit_by_placements_that_fail_is_told_by_the_tickets_of_their_matches() {
    let world = World::new().await;
    let failed: Vec<PlacementEvent> =
        (0..60).map(|number| placement(number, PlacementEventType::TimedOut)).collect();
    // The first two were made by FlexMatch, for two players each. One of them is in both.
    let proposed = failed.iter().take(2).zip(1..).map(|(placement, number)| {
        let player = |name: &str| TicketPlayer { player_id: name.into(), team: None, accepted: None };
        let own = format!("player-{number}");
        let ticket = EventTicket {
            ticket_id: format!("ticket-{number}").into(),
            start_time: None,
            players: vec![player("player-both"), player(&own)],
        };
        MatchmakingEvent {
            event_type: "PotentialMatchCreated".to_owned(),
            event_time: placement.event_time.plus_ms(-60_000),
            match_id: Some(placement.placement_id.to_string()),
            tickets: vec![ticket],
            ..super::causes::ticket_ended(1_000 + number)
        }
    });
    let seen = vec![
        Observation::Fleets(Listing::complete(vec![fleet("arena")])),
        Observation::Queues(Listing::complete(vec![queue(vec![TO_FLEET.to_owned()])])),
        Observation::MatchmakingEvents(proposed.collect()),
        Observation::PlacementEvents(failed),
    ];
    world.saw(NOW, seen).await;
    let of = IncidentOf::Alert { id: fires(&world, Rule::Placements).await.id };
    let now = NOW.plus_ms(MINUTE / 2);
    let who = incident(&world.reader(), &of, now).await.unwrap().unwrap().who;
    assert_eq!((who.noun, who.players, who.times), (HitNoun::Placements, Some(3), 4));
    let listed = incident_players(&world.reader(), &of, Page::first(10), now).await.unwrap().unwrap();
    let names: Vec<&str> = listed.rows.iter().map(|row| row.player_id.as_str()).collect();
    assert_eq!((listed.total, names), (3, vec!["player-1", "player-both", "player-2"]));
    world.close().await;
}

//! FlexMatch: tickets as reported by their events, in any order of arrival, and the counts of matches.

use liftdeck_model::Timestamp;
use liftdeck_model::matchmaking::{
    EventTicket, MatchmakingConfiguration, MatchmakingEvent, MatchmakingRuleSet, TicketPlayer,
};
use liftdeck_model::observation::{Listing, Observation, Poll, PollKind, PollSubject};
use liftdeck_model::placement::{PlacementEvent, PlacementEventType};
use liftdeck_model::query::Query;
use liftdeck_model::time::TimeRange;
use liftdeck_store::Store;
use liftdeck_store::reader::change::ChangeScope;
use liftdeck_store::reader::find::Found;
use liftdeck_store::reader::matchmaking::{MatchmakingEventRequest, TicketRequest};
use liftdeck_store::reader::placement::{PlacementRequest, PlacementScope};
use liftdeck_store::reader::series::{SeriesName, SeriesRequest, SeriesScope};
use liftdeck_store::reader::session::SessionRequest;
use liftdeck_store::reader::window::Page;

use crate::fixture::{
    NOW, Place, apply, fleet, placement, player_session, region, session, session_id, uuid,
};

fn configuration(acceptance_required: bool) -> MatchmakingConfiguration {
    MatchmakingConfiguration {
        name: "ranked".to_owned(),
        region: region(),
        arn: None,
        description: None,
        queue_arns: Vec::new(),
        request_timeout_seconds: Some(60),
        acceptance_timeout_seconds: Some(20),
        acceptance_required,
        rule_set_name: None,
        notification_target: None,
        additional_player_count: None,
        backfill_mode: None,
        flex_match_mode: None,
        creation_time: None,
    }
}

/// An event with tickets, each with one player of the same number and that player's answer.
fn event(number: u32, kind: &str, at_s: i64, tickets: &[(u32, Option<bool>)]) -> MatchmakingEvent {
    let has_match = !matches!(kind, "MatchmakingSearching" | "MatchmakingTimedOut" | "MatchmakingCancelled");
    MatchmakingEvent {
        event_id: uuid(4, number),
        event_type: kind.to_owned(),
        configuration: "ranked".to_owned(),
        region: region(),
        event_time: at(at_s),
        match_id: has_match.then(|| "match-1".to_owned()),
        reason: None,
        message: (kind == "MatchmakingTimedOut").then(|| "Removed from matchmaking.".to_owned()),
        estimated_wait_seconds: None,
        game_session_id: (kind == "MatchmakingSucceeded").then(|| session_id(1)),
        tickets: tickets
            .iter()
            .map(|(number, accepted)| EventTicket {
                ticket_id: format!("tk-{number}").into(),
                start_time: Some(at(0)),
                players: vec![TicketPlayer {
                    player_id: format!("player-{number}").into(),
                    team: None,
                    accepted: *accepted,
                }],
            })
            .collect(),
    }
}

fn at(seconds: i64) -> Timestamp {
    NOW.plus_ms(seconds * 1_000)
}

fn story() -> Vec<MatchmakingEvent> {
    vec![
        event(1, "MatchmakingSearching", 0, &[(1, None)]),
        event(2, "MatchmakingSearching", 0, &[(2, None)]),
        event(3, "MatchmakingSearching", 0, &[(3, None)]),
        event(4, "PotentialMatchCreated", 5, &[(1, None), (2, None)]),
        event(5, "AcceptMatch", 7, &[(1, Some(true)), (2, None)]),
        event(6, "AcceptMatch", 8, &[(1, Some(true)), (2, Some(true))]),
        event(7, "AcceptMatchCompleted", 8, &[(1, None), (2, None)]),
        event(8, "MatchmakingSucceeded", 10, &[(1, None), (2, None)]),
        event(9, "MatchmakingTimedOut", 60, &[(3, None)]),
    ]
}

async fn told(place: &Place, events: Vec<MatchmakingEvent>) -> Store {
    let store = place.open().await;
    let listed = Observation::MatchmakingConfigurations(Listing::complete(vec![configuration(true)]));
    apply(&store, NOW, vec![listed]).await;
    for event in events {
        apply(&store, NOW, vec![Observation::MatchmakingEvents(vec![event])]).await;
    }
    store
}

fn everything() -> TicketRequest {
    TicketRequest {
        text: String::new(),
        configuration: None,
        state: None,
        having: None,
        range: None,
        page: Page::first(10),
    }
}

#[tokio::test]
async fn a_ticket_is_told_by_its_latest_event_in_whatever_order_they_come() {
    let backwards: Vec<_> = story().into_iter().rev().collect();
    for events in [story(), backwards] {
        let place = Place::new();
        let store = told(&place, events).await;
        let reader = store.reader();
        let found = reader.tickets(&everything()).await.unwrap();
        let states: Vec<_> =
            found.rows.iter().map(|row| (row.ticket_id.as_str(), row.state.as_str())).collect();
        assert_eq!(states.len(), 3);
        assert_eq!(states[0], ("tk-3", "TIMED_OUT"), "the newest news first");
        assert!(states[1..].iter().all(|(_, state)| *state == "COMPLETED"), "{states:?}");
        let ticket = reader.ticket(&region(), &"tk-1".into()).await.unwrap().unwrap();
        assert_eq!(ticket.row.game_session_id, Some(session_id(1)));
        assert_eq!(ticket.row.wait_ms(at(999)), Some(10_000));
        assert_eq!(ticket.events.len(), 6);
        assert_eq!(ticket.events[0].event_type, "MatchmakingSearching");
        store.close().await;
    }
}

#[tokio::test]
async fn a_player_of_a_placement_that_timed_out_is_found_by_the_ticket() {
    let place = Place::new();
    let store = place.open().await;
    let matched = vec![
        event(1, "MatchmakingSearching", 0, &[(7, None)]),
        event(2, "PotentialMatchCreated", 5, &[(7, None), (8, None)]),
        event(3, "MatchmakingFailed", 90, &[(7, None), (8, None)]),
    ];
    let timed_out = PlacementEvent {
        placement_id: "match-1".into(),
        event_type: PlacementEventType::TimedOut,
        game_session_id: None,
        placed_player_sessions: Vec::new(),
        ..placement(1)
    };
    let other = PlacementEvent { placement_id: "match-2".into(), ..timed_out.clone() };
    let seen = vec![
        Observation::MatchmakingEvents(matched),
        Observation::PlacementEvents(vec![timed_out, other, placement(3)]),
    ];
    apply(&store, NOW, seen).await;
    let reader = store.reader();
    let request = |text: &str| PlacementRequest {
        scope: PlacementScope::default(),
        event_types: Vec::new(),
        text: text.to_owned(),
        range: TimeRange::new(NOW.plus_ms(-86_400_000), NOW.plus_ms(86_400_000)),
        page: Page::first(10),
    };
    for player in ["player-7", "player-8"] {
        let found = reader.placements(&request(player)).await.unwrap();
        let ids: Vec<_> = found.rows.iter().map(|row| row.placement_id.as_str()).collect();
        assert_eq!((ids, found.total), (vec!["match-1"], 1), "{player}");
    }
    assert_eq!(reader.placements(&request("player-77")).await.unwrap().total, 0);
    let (hits, _) = reader.players("player-7", Page::first(10), NOW).await.unwrap();
    let hit = &hits.rows[0];
    assert_eq!((hits.total, hit.player_id.as_str(), hit.total, hit.tickets), (1, "player-7", 0, 1));
    assert_eq!(hit.placements[0].placement_id.as_str(), "match-1");
    let palette = reader.find("player-7", NOW).await.unwrap();
    assert_eq!(palette, [Found::Player { player_id: "player-7".into() }]);
    store.close().await;
}

#[tokio::test]
async fn a_player_with_sessions_and_tickets_is_found_once() {
    let place = Place::new();
    let store = told(&place, story()).await;
    apply(&store, NOW, vec![Observation::Fleets(Listing::complete(vec![fleet()]))]).await;
    apply(&store, NOW, vec![Observation::GameSessions(vec![session(2)])]).await;
    let joined = Observation::PlayerSessions(session_id(2), Listing::complete(vec![player_session(2, 1)]));
    apply(&store, NOW, vec![joined]).await;
    let (hits, _) = store.reader().players("player-", Page::first(2), NOW).await.unwrap();
    let told: Vec<_> = hits.rows.iter().map(|hit| (hit.player_id.as_str(), hit.total, hit.tickets)).collect();
    assert_eq!((told, hits.total), (vec![("player-1", 1, 1), ("player-2", 0, 1)], 3));
    store.close().await;
}

#[tokio::test]
async fn a_game_session_is_found_by_the_ticket_that_led_to_it() {
    let place = Place::new();
    let store = told(&place, story()).await;
    apply(&store, NOW, vec![Observation::Fleets(Listing::complete(vec![fleet()]))]).await;
    apply(&store, NOW, vec![Observation::GameSessions(vec![session(1), session(2)])]).await;
    let found = async |text: &str| {
        let request = SessionRequest {
            query: Query::parse(text).unwrap(),
            fleet: None,
            location: None,
            range: None,
            sort: None,
            page: Page::first(10),
        };
        let (window, _) = store.reader().game_sessions(&request, NOW).await.unwrap();
        window.rows.into_iter().map(|row| row.game_session_id).collect::<Vec<_>>()
    };
    assert_eq!(found("ticket:tk-1").await, [session_id(1)]);
    assert_eq!(found("ticket:tk-*").await, [session_id(1)]);
    assert_eq!(found("ticket:tk-3").await, []);
    store.close().await;
}

#[tokio::test]
async fn a_ticket_waits_for_its_players_and_goes_back_to_the_pool_when_they_decline() {
    let place = Place::new();
    let mut events = story();
    events.truncate(5);
    let store = told(&place, events).await;
    let reader = store.reader();
    let asked = reader.ticket(&region(), &"tk-2".into()).await.unwrap().unwrap().row;
    assert_eq!(asked.state, "REQUIRES_ACCEPTANCE");
    let answered = reader.ticket(&region(), &"tk-1".into()).await.unwrap().unwrap().row;
    assert_eq!(answered.players[0].accepted, Some(true));
    // The service stamps whole seconds, so both have the same time; the ticket ends up in the pool.
    let over = event(20, "AcceptMatchCompleted", 30, &[(1, None), (2, None)]);
    let back = event(21, "MatchmakingSearching", 30, &[(1, None)]);
    for events in [vec![back.clone()], vec![over, back]] {
        apply(&store, NOW, vec![Observation::MatchmakingEvents(events)]).await;
        let row = reader.ticket(&region(), &"tk-1".into()).await.unwrap().unwrap().row;
        assert_eq!((row.state.as_str(), row.match_id), ("SEARCHING", None));
    }
    store.close().await;
}

#[tokio::test]
async fn tickets_are_found_by_state_id_and_player() {
    let place = Place::new();
    let store = told(&place, story()).await;
    let reader = store.reader();
    let total = async |request: TicketRequest| reader.tickets(&request).await.unwrap().total;
    assert_eq!(total(TicketRequest { state: Some("TIMED_OUT".into()), ..everything() }).await, 1);
    assert_eq!(total(TicketRequest { text: "tk-".into(), ..everything() }).await, 3);
    assert_eq!(total(TicketRequest { text: "player-2".into(), ..everything() }).await, 1);
    assert_eq!(total(TicketRequest { text: "player-".into(), ..everything() }).await, 3);
    assert_eq!(total(TicketRequest { text: "layer-2".into(), ..everything() }).await, 0);
    assert_eq!(total(TicketRequest { configuration: Some("casual".into()), ..everything() }).await, 0);
    let early = TimeRange::new(at(0), at(20));
    assert_eq!(total(TicketRequest { range: Some(early), ..everything() }).await, 2);
    assert_eq!(reader.ticket(&"us-east-1".into(), &"tk-1".into()).await.unwrap(), None);
    store.close().await;
}

#[tokio::test]
async fn a_text_many_tickets_answer_to_finds_the_newest_of_them() {
    let place = Place::new();
    let mut many = event(1, "MatchmakingSearching", 0, &[]);
    many.tickets = (0..2_100)
        .map(|number| EventTicket {
            ticket_id: format!("tk-{number}").into(),
            start_time: None,
            players: vec![TicketPlayer { player_id: uuid(7, number).into(), team: None, accepted: None }],
        })
        .collect();
    let store = told(&place, vec![many, event(2, "MatchmakingTimedOut", 9, &[(5, None)])]).await;
    let reader = store.reader();
    let common = &uuid(7, 0)[..8];
    // The newest event gives tk-5 another player.
    for (text, all, of_one) in [("tk-", 2_100, "tk-2099"), (common, 2_099, uuid(7, 2_099).as_str())] {
        let found = reader.tickets(&TicketRequest { text: text.into(), ..everything() }).await.unwrap();
        assert_eq!((found.total, found.rows.len()), (all, 10), "{text}");
        let found = reader.tickets(&TicketRequest { text: of_one.into(), ..everything() }).await.unwrap();
        assert_eq!((found.total, found.rows[0].ticket_id.as_str()), (1, "tk-2099"), "{of_one}");
    }
    for (text, all) in [(uuid(7, 5), 0), ("player-5".to_owned(), 1)] {
        let found = reader.tickets(&TicketRequest { text, ..everything() }).await.unwrap();
        assert_eq!(found.total, all);
    }
    store.close().await;
}

#[tokio::test]
async fn matches_waits_and_answers_are_counted_by_configuration() {
    let mut events = story();
    let mut declined = event(30, "AcceptMatchCompleted", 40, &[(8, None), (9, None)]);
    declined.match_id = Some("match-2".to_owned());
    events.push(declined);
    let backwards = events.iter().rev().cloned().collect();
    for events in [events, backwards] {
        let place = Place::new();
        let store = told(&place, events).await;
        let reader = store.reader();
        let range = TimeRange::new(at(0), at(100));
        let (configurations, freshness) = reader.matchmaking_configurations(range, NOW).await.unwrap();
        assert!(freshness.stale, "no poll was confirmed");
        let figures = configurations[0].statistics;
        assert_eq!((figures.matches, figures.failed, figures.timed_out, figures.cancelled), (1, 0, 1, 0));
        assert_eq!((figures.wait_p50_ms, figures.wait_p95_ms), (Some(10_000), Some(10_000)));
        assert_eq!(figures.acceptance_rate, Some(0.5), "two of the four players asked");
        let states = reader.tickets_by_state(range).await.unwrap();
        assert!(states.contains(&("COMPLETED".to_owned(), 2)), "{states:?}");
        let request = MatchmakingEventRequest {
            configuration: Some("ranked".into()),
            range: None,
            page: Page::first(2),
        };
        let events = reader.matchmaking_events(&request).await.unwrap();
        assert_eq!((events.total, events.rows.len()), (10, 2));
        assert_eq!(events.rows[0].event_type, "MatchmakingTimedOut");
        assert_eq!(reader.matchmaking_waits(range).await.unwrap(), [(at(10), 10.0), (at(10), 10.0)]);
        store.close().await;
    }
}

#[tokio::test]
async fn a_rule_set_is_kept_whole_with_its_history() {
    let place = Place::new();
    let store = place.open().await;
    let rules = |name: &str, body: &str| MatchmakingRuleSet {
        name: name.to_owned(),
        region: region(),
        arn: None,
        body: body.to_owned(),
        creation_time: Some(NOW),
    };
    let seen = |listing| vec![Observation::MatchmakingRuleSets(Listing::complete(listing))];
    let subject = PollSubject { kind: PollKind::MatchmakingRuleSets, resource: String::new() };
    let poll = Poll { subject, at: NOW, took_ms: 1, failure: None };
    let first =
        [seen(vec![rules("duel", "{}"), rules("royal", "{}")]), vec![Observation::Poll(poll)]].concat();
    let applied = apply(&store, NOW, first).await;
    assert_eq!(applied.written.get("matchmaking_rule_sets"), Some(&2));
    // AWS cannot change a rule set: this one was deleted and created again under the same name.
    apply(&store, NOW.plus_ms(1), seen(vec![rules("duel", "{\"teams\":[]}")])).await;
    store.close().await;
    let store = place.open().await;
    let (found, freshness) = store.reader().rule_sets(NOW).await.unwrap();
    assert_eq!(found, [rules("duel", "{\"teams\":[]}")]);
    assert_eq!((freshness.as_of, freshness.stale), (Some(NOW), false));
    let scope = |resource| ChangeScope::Resource { kind: "matchmaking_rule_set", resource };
    for (resource, wanted) in [("duel", "body"), ("royal", "gone")] {
        let changes = store.reader().changes(scope(resource), None, 10).await.unwrap();
        let fields: Vec<&str> = changes.iter().map(|change| change.field.as_str()).collect();
        assert_eq!(fields, [wanted], "{resource}");
    }
    store.close().await;
}

#[tokio::test]
async fn tickets_are_counted_by_how_and_when_they_ended() {
    let place = Place::new();
    let store = told(&place, story()).await;
    let reader = store.reader();
    let minute = TimeRange::new(at(0), at(120));
    let outcomes = reader.ticket_outcomes(None, minute, 60_000).await.unwrap();
    let told: Vec<_> = outcomes.iter().map(|one| (one.completed, one.timed_out, one.total())).collect();
    assert_eq!(told, [(2, 0, 2), (0, 1, 1)]);
    assert_eq!((outcomes[0].wait_p50_ms, outcomes[0].wait_p95_ms), (Some(10_000), Some(10_000)));
    assert_eq!(outcomes[1].wait_p95_ms, None, "a ticket that timed out was not matched");
    let ranked = reader.ticket_outcomes(Some((&region(), "ranked")), minute, 60_000).await.unwrap();
    assert_eq!(ranked, outcomes);
    let other = reader.ticket_outcomes(Some((&region(), "casual")), minute, 60_000).await.unwrap();
    assert!(other.iter().all(|one| one.total() == 0));
    store.close().await;
}

#[tokio::test]
async fn tickets_become_columns_of_outcomes_and_waits() {
    let place = Place::new();
    let store = told(&place, story()).await;
    let names = vec![
        SeriesName::TicketsCompleted,
        SeriesName::TicketsTimedOut,
        SeriesName::MatchmakingWaitP50,
        SeriesName::TicketsFailed,
        SeriesName::TicketsCancelled,
    ];
    let of = |scope| {
        let range = TimeRange::new(at(-60), at(120));
        let request = SeriesRequest { scope, names: names.clone(), range, max_points: 3 };
        let reader = store.reader();
        async move { reader.series(&request).await.unwrap().columns }
    };
    let all = of(SeriesScope::All).await;
    assert!(all[0][0].is_nan(), "before the first ticket nothing is known");
    assert_eq!((&all[0][1..], &all[1][1..]), (&[2.0, 0.0][..], &[0.0, 1.0][..]));
    assert!(all[2][1] == 10_000.0 && all[2][2].is_nan());
    let ranked = of(SeriesScope::Configuration { name: "ranked".into(), region: region() }).await;
    assert_eq!(ranked[0][1..], all[0][1..]);
    let queue = of(SeriesScope::Queue { name: "arena".into(), region: region() }).await;
    assert!(queue.iter().flatten().all(|value| value.is_nan()), "a queue has no tickets");
    store.close().await;
}

//! Windows far down a long list: how much of it is counted, and whether the total is exact.

use liftdeck_model::fleet::FleetEvent;
use liftdeck_model::observation::{Listing, Observation};
use liftdeck_model::query::Query;
use liftdeck_store::Reader;
use liftdeck_store::reader::session::{SessionColumn, SessionRequest};
use liftdeck_store::reader::window::Page;

use crate::fixture::{FLEET, NOW, Place, apply, player_session, session, session_id, uuid};

const SESSIONS: u32 = 10_030;
const COUNTED: u64 = 10_000;

/// Number of rows in a window, the total of the list, and whether that total is exact.
async fn window(
    reader: &Reader,
    text: &str,
    sort: Option<(SessionColumn, bool)>,
    (offset, limit): (u32, u32),
) -> (usize, u64, bool) {
    let (query, page) = (Query::parse(text).unwrap(), Page { offset, limit });
    let request = SessionRequest { query, fleet: None, location: None, range: None, sort, page };
    let (window, _) = reader.game_sessions(&request, NOW).await.unwrap();
    (window.rows.len(), window.total, window.total_is_exact)
}

#[tokio::test]
async fn a_list_goes_on_past_the_rows_that_were_counted_at_first() {
    let place = Place::new();
    let store = place.open().await;
    apply(&store, NOW, vec![Observation::GameSessions((0..SESSIONS).map(session).collect())]).await;
    let reader = store.reader();
    for (text, sort) in [
        // No index leads there.
        ("ip:203.0.113.24", None),
        // A property leads to too many, both in an order with an index and in one without.
        ("prop.mode:ranked", None),
        ("prop.mode:ranked", Some((SessionColumn::Players, true))),
        ("prop.mode:ranked", Some((SessionColumn::Status, false))),
        ("prop.mode:ranked players>=1", None),
    ] {
        let ask = async |page| window(&reader, text, sort, page).await;
        let case = format!("{text} {sort:?}");
        assert_eq!(ask((0, 50)).await, (50, COUNTED, false), "{case}");
        assert_eq!(ask((9_990, 20)).await, (20, COUNTED + 10, false), "{case}: there is more below");
        assert_eq!(ask((10_010, 50)).await, (20, u64::from(SESSIONS), true), "{case}: the end");
    }
    assert_eq!(window(&reader, "", None, (0, 10)).await, (10, u64::from(SESSIONS), true));
    let elsewhere = SessionRequest {
        query: Query::parse("prop.mode:ranked").unwrap(),
        fleet: Some("fleet-elsewhere".into()),
        location: None,
        range: None,
        sort: None,
        page: Page::first(10),
    };
    let (none, _) = reader.game_sessions(&elsewhere, NOW).await.unwrap();
    assert_eq!((none.total, none.total_is_exact), (0, true), "none of them is there");
    store.close().await;
}

#[tokio::test]
async fn many_players_in_few_sessions_are_few_sessions() {
    let place = Place::new();
    let store = place.open().await;
    let mut seen = vec![Observation::GameSessions((0..60).map(session).collect())];
    for number in 0..60 {
        let players = (0..200).map(|player| {
            let mut slot = player_session(number, player);
            slot.player_session_id = format!("psess-{}", uuid(2, number * 1_000 + player)).into();
            slot.player_id = format!("player-{number}-{player}").into();
            slot
        });
        seen.push(Observation::PlayerSessions(session_id(number), Listing::complete(players.collect())));
    }
    apply(&store, NOW, seen).await;
    assert_eq!(window(&store.reader(), "player:player-*", None, (0, 50)).await, (50, 60, true));
    store.close().await;
}

#[tokio::test]
async fn fleet_events_go_on_past_those_counted_at_first_too() {
    let place = Place::new();
    let store = place.open().await;
    let event = |number: u32| FleetEvent {
        event_id: uuid(5, number),
        fleet_id: FLEET.into(),
        event_code: "FLEET_SCALING_EVENT".into(),
        message: None,
        event_time: NOW.plus_ms(i64::from(number)),
        count: 1,
        has_log: false,
    };
    apply(&store, NOW, vec![Observation::FleetEvents(FLEET.into(), (0..SESSIONS).map(event).collect())])
        .await;
    let reader = store.reader();
    for (offset, wanted) in [(0, (50, COUNTED, false)), (10_010, (20, u64::from(SESSIONS), true))] {
        let found = reader.fleet_events(None, None, Page { offset, limit: 50 }).await.unwrap();
        assert_eq!((found.rows.len(), found.total, found.total_is_exact), wanted);
    }
    store.close().await;
}

//! Lists that start from an index: properties and names, with few and with many matches.

use liftdeck_model::game_session::{GameProperty, GameSession, GameSessionStatus};
use liftdeck_model::observation::Observation;
use liftdeck_model::query::Query;
use liftdeck_store::Reader;
use liftdeck_store::reader::session::{SessionColumn, SessionRequest};
use liftdeck_store::reader::window::Page;

use crate::fixture::{DAY_MS, NOW, Place, apply, session};

fn with(number: u32, pairs: &[(&str, &str)]) -> GameSession {
    let property =
        |(key, value): &(&str, &str)| GameProperty { key: (*key).to_owned(), value: (*value).to_owned() };
    GameSession { game_properties: pairs.iter().map(property).collect(), ..session(number) }
}

async fn listed(
    reader: &Reader,
    text: &str,
    sort: Option<(SessionColumn, bool)>,
    page: Page,
) -> (u64, bool, Vec<String>) {
    let query = Query::parse(text).unwrap();
    let request = SessionRequest { query, fleet: None, location: None, range: None, sort, page };
    let (window, _) = reader.game_sessions(&request, NOW).await.unwrap();
    let names = window.rows.into_iter().filter_map(|row| row.name).collect();
    (window.total, window.total_is_exact, names)
}

async fn names(reader: &Reader, text: &str) -> Vec<String> {
    let (_, exact, mut names) = listed(reader, text, None, Page::first(50)).await;
    assert!(exact);
    names.sort();
    names
}

#[tokio::test]
async fn a_property_leads_to_the_sessions_that_have_it_now() {
    let place = Place::new();
    let store = place.open().await;
    let first = vec![
        with(1, &[("mode", "Ranked"), ("map", "dust")]),
        with(2, &[("mode", "ranked"), ("map", "ranked")]),
        with(3, &[("mode", "casual")]),
    ];
    apply(&store, NOW, vec![Observation::GameSessions(first)]).await;
    // In one batch, a session is seen and then seen again with other properties.
    let then =
        vec![with(3, &[("mode", "ranked")]), with(4, &[("mode", "arena")]), with(4, &[("map", "dust")])];
    apply(&store, NOW.plus_ms(1), vec![Observation::GameSessions(then)]).await;
    store.close().await;
    let store = place.open().await;
    let reader = store.reader();
    assert_eq!(names(&reader, "prop.mode:ranked").await, ["match-1", "match-2", "match-3"]);
    assert_eq!(names(&reader, "prop.mode=ranked").await, ["match-2", "match-3"]);
    assert_eq!(names(&reader, "prop.mode:r*").await, ["match-1", "match-2", "match-3"]);
    assert_eq!(names(&reader, "prop.map:dust").await, ["match-1", "match-4"]);
    assert_eq!(names(&reader, "prop.mode:ranked -prop.map:dust").await, ["match-2", "match-3"]);
    assert_eq!(names(&reader, "prop.mode:ranked name:match-2").await, ["match-2"]);
    assert_eq!(names(&reader, "prop.mode:casual or prop.mode:arena").await, [""; 0]);
    // After a restart known pairs are reused, not stored twice; those no longer used are gone.
    let more = vec![with(5, &[("mode", "ranked"), ("map", "dust")])];
    apply(&store, NOW.plus_ms(2), vec![Observation::GameSessions(more)]).await;
    assert_eq!(place.number("SELECT count(*) FROM property_pair").await, 4);
    store.close().await;
}

#[tokio::test]
async fn properties_go_with_the_last_session_that_had_them() {
    let place = Place::new();
    let store = place.open().await;
    let ended = |number, pairs: &[(&str, &str)]| GameSession {
        status: GameSessionStatus::Terminated,
        termination_time: Some(NOW.plus_ms(-400 * DAY_MS)),
        ..with(number, pairs)
    };
    let seen = vec![ended(1, &[("mode", "old"), ("map", "dust")]), with(2, &[("map", "dust")])];
    apply(&store, NOW, vec![Observation::GameSessions(seen)]).await;
    crate::fixture::retain(&store).await;
    assert_eq!(place.number("SELECT count(*) FROM game_session_property").await, 1);
    assert_eq!(place.number("SELECT count(*) FROM property_pair").await, 1);
    apply(&store, NOW.plus_ms(1), vec![Observation::GameSessions(vec![with(3, &[("map", "dust")])])]).await;
    assert_eq!(names(&store.reader(), "prop.map:dust").await, ["match-2", "match-3"]);
    store.close().await;
}

#[tokio::test]
async fn what_leads_to_many_is_counted_up_to_a_bound_and_still_in_order() {
    let place = Place::new();
    let store = place.open().await;
    let sessions: Vec<GameSession> = (0..10_050_u32)
        .map(|number| {
            let mode = if number % 100 == 0 { "rare" } else { "usual" };
            let creation_time = NOW.plus_ms(-i64::from(number) * 1_000);
            GameSession {
                creation_time,
                matchmaker_data: None,
                ..with(number, &[("mode", mode), ("map", "dust")])
            }
        })
        .collect();
    apply(&store, NOW, vec![Observation::GameSessions(sessions)]).await;
    let reader = store.reader();
    for text in ["prop.map:dust", "name:match", "match"] {
        let (total, exact, rows) = listed(&reader, text, None, Page { offset: 40, limit: 2 }).await;
        assert_eq!((total, exact), (10_000, false), "{text}");
        assert_eq!(rows, ["match-40", "match-41"], "{text}");
    }
    let (total, exact, rows) =
        listed(&reader, "prop.map:dust prop.mode:rare", None, Page { offset: 1, limit: 2 }).await;
    assert_eq!((total, exact, rows), (101, true, vec!["match-100".to_owned(), "match-200".to_owned()]));
    let (total, exact, _) = listed(&reader, "prop.map:dust prop.mode:usual", None, Page::first(1)).await;
    assert_eq!((total, exact), (9_949, true));
    let (total, exact, rows) = listed(&reader, "prop.map:dust created:<1m", None, Page::first(1)).await;
    assert_eq!((total, exact, rows), (60, true, vec!["match-0".to_owned()]));
    for (column, first) in [(SessionColumn::Name, "match-9999"), (SessionColumn::Created, "match-0")] {
        let (_, _, rows) = listed(&reader, "prop.map:dust", Some((column, true)), Page::first(1)).await;
        assert_eq!(rows, [first]);
    }
    let (total, exact, rows) = listed(&reader, "", None, Page { offset: 10_049, limit: 5 }).await;
    assert_eq!((total, exact, rows), (10_050, true, vec!["match-10049".to_owned()]));
    store.close().await;
}

//! A search on demand: over the wire into the store, alongside the polls.

use liftdeck_collector::{Collector, Found, SearchError};
use liftdeck_model::action::GameSessionTarget;
use liftdeck_model::game_session::{GameSession, GameSessionStatus};
use liftdeck_model::observation::{Batch, Observation};
use liftdeck_model::search::{FilterExpression, GameSessionSearch, SortExpression};
use liftdeck_model::{FleetId, Region};
use liftdeck_simulator::{FaultKind, FaultRule};
use liftdeck_store::reader::session::SessionColumn;
use liftdeck_store::reader::window::Page;
use serde_json::Value;

use crate::harness::Bench;

async fn start(bench: &Bench) -> Collector {
    let (writer, reader) = (bench.store.writer().unwrap(), bench.store.reader());
    let gateway = bench.gateway().await;
    Collector::start(bench.options(), &gateway, writer, reader, bench.moving_clock()).await.unwrap()
}

/// The fleet with the most ACTIVE sessions that have players, its Region, and those sessions.
async fn busiest(bench: &Bench) -> (Region, FleetId, Vec<Value>) {
    let mut best = (bench.regions().remove(0), FleetId::from(""), Vec::new());
    for region in bench.regions() {
        let truth = bench.truth(&region).await;
        let sessions = truth["GameSessions"].as_array().unwrap();
        for fleet in truth["FleetIds"].as_array().unwrap() {
            let of_fleet = |session: &&Value| {
                session["FleetId"] == *fleet
                    && session["Status"] == "ACTIVE"
                    && session["CurrentPlayerSessionCount"].as_i64() > Some(0)
            };
            let found: Vec<Value> = sessions.iter().filter(of_fleet).cloned().collect();
            if found.len() > best.2.len() {
                best = (region.clone(), FleetId::from(fleet.as_str().unwrap()), found);
            }
        }
    }
    best
}

fn of(fleet: &FleetId, filter: &str) -> GameSessionSearch {
    GameSessionSearch {
        target: GameSessionTarget::Fleet(fleet.clone()),
        location: None,
        filter: FilterExpression::parse(filter).unwrap(),
        sort: SortExpression::parse("creationTimeMillis DESC").unwrap(),
    }
}

/// The session as a poll that saw its end would report it.
async fn ended(bench: &Bench, region: &Region, found: &Found) -> GameSession {
    let reader = bench.gateway().await.reader(region).unwrap();
    let seen = reader.game_session(&found.sessions[0]).await.unwrap().unwrap();
    GameSession {
        status: GameSessionStatus::Terminated,
        termination_time: Some(seen.creation_time.plus_ms(60_000)),
        current_player_session_count: 0,
        ..seen
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_search_finds_is_in_the_store_in_the_order_of_the_service() {
    let bench = Bench::frozen().await;
    let collector = start(&bench).await;
    let (region, fleet, truth) = busiest(&bench).await;
    assert!(truth.len() > 20, "more than a page: {}", truth.len());
    let searcher = collector.searcher();
    let found = searcher.search(&region, &of(&fleet, "playerSessionCount > 0")).await.unwrap();
    assert_eq!((found.more, &found.failure), (false, &None));
    let mut wanted: Vec<&str> = truth.iter().map(|one| one["GameSessionId"].as_str().unwrap()).collect();
    wanted.sort_unstable();
    let mut ids: Vec<&str> = found.sessions.iter().map(|id| id.as_str()).collect();
    ids.sort_unstable();
    assert_eq!(ids, wanted);

    let reader = bench.store.reader();
    let shown = reader.game_sessions_among(&found.sessions, None, Page::first(1_000)).await.unwrap();
    assert_eq!(shown.total, wanted.len() as u64);
    let order: Vec<_> = shown.rows.iter().map(|row| row.game_session_id.clone()).collect();
    assert_eq!(order, found.sessions);
    assert!(shown.rows.is_sorted_by(|a, b| a.creation_time >= b.creation_time));
    let by_players = Some((SessionColumn::Players, true));
    let page = Page { offset: 5, limit: 10 };
    let sorted = reader.game_sessions_among(&found.sessions, by_players, page).await.unwrap();
    assert_eq!((sorted.total, sorted.rows.len()), (wanted.len() as u64, 10));
    assert!(
        sorted.rows.is_sorted_by(|a, b| a.current_player_session_count >= b.current_player_session_count)
    );

    let none = searcher.search(&region, &of(&fleet, "playerSessionCount > 100000")).await.unwrap();
    assert!(none.sessions.is_empty());
    let live = reader.live_game_sessions(&fleet).await.unwrap();
    assert!(live.len() >= wanted.len(), "what a search does not find is not gone");
    collector.stop().await;
    bench.store.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_known_to_have_ended_does_not_run_again_because_the_search_lags() {
    let bench = Bench::frozen().await;
    let collector = start(&bench).await;
    let (region, fleet, _) = busiest(&bench).await;
    let search = of(&fleet, "hasAvailablePlayerSessions = true OR playerSessionCount > 0");
    let before = collector.searcher().search(&region, &search).await.unwrap();
    let session = ended(&bench, &region, &before).await;
    let id = session.game_session_id.clone();
    let batch = Batch {
        region: region.clone(),
        observed_at: (bench.moving_clock())(),
        observations: vec![Observation::GameSessions(vec![session])],
    };
    bench.store.writer().unwrap().apply(batch).await.unwrap();
    let found = collector.searcher().search(&region, &search).await.unwrap();
    assert!(found.sessions.contains(&id), "it is shown as found");
    let shown = bench.store.reader().game_sessions_among(&[id], None, Page::first(1)).await.unwrap();
    assert_eq!(shown.rows[0].status, GameSessionStatus::Terminated, "and as what it is");
    collector.stop().await;
    bench.store.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_that_breaks_off_keeps_what_it_read_and_one_that_is_refused_says_so() {
    let bench = Bench::frozen().await;
    let (region, fleet, truth) = busiest(&bench).await;
    let collector = start(&bench).await;
    let broken = FaultRule {
        operation: "gamelift:SearchGameSessions".to_owned(),
        kind: FaultKind::WrongToken,
        ..FaultRule::default()
    };
    bench.faults(std::slice::from_ref(&broken)).await;
    let found = collector.searcher().search(&region, &of(&fleet, "playerSessionCount > 0")).await.unwrap();
    assert!(found.sessions.len() <= 20 && found.sessions.len() < truth.len());
    let failure = found.failure.unwrap();
    assert!(failure.request_id.is_some() && failure.code.is_some(), "{failure:?}");

    let gone = FleetId::from("fleet-00000000-0000-4000-8000-000000000000");
    let refused = collector.searcher().search(&region, &of(&gone, "")).await.expect_err("no such fleet");
    let SearchError::Gateway(refused) = refused else { panic!("{refused}") };
    assert_eq!(refused.resource.as_deref(), Some(gone.as_str()));
    assert!(refused.request_id.is_some() && refused.code.is_some(), "{refused:?}");
    let elsewhere = collector.searcher().search(&"mx-central-1".into(), &of(&fleet, "")).await;
    assert!(matches!(elsewhere, Err(SearchError::Region(_))));
    collector.stop().await;
    bench.store.close().await;
}

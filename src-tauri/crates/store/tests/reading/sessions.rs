//! Lists of game sessions by the query language, one session in full, and players.

use liftdeck_model::game_session::{GameSession, GameSessionStatus, GameSessionStatusReason};
use liftdeck_model::observation::{Listing, Observation};
use liftdeck_model::player_session::{PlayerSession, PlayerSessionStatus};
use liftdeck_model::query::Query;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{GameSessionId, Timestamp};
use liftdeck_store::reader::session::difference::Compared;
use liftdeck_store::reader::session::{SessionColumn, SessionRequest};
use liftdeck_store::reader::window::Page;
use liftdeck_store::{Reader, Store};

use crate::fixture::{
    FLEET, NOW, Place, apply, fleet, placement, player_session, region, session, session_id, uuid,
};

const MINUTE: i64 = 60_000;

fn request(text: &str) -> SessionRequest {
    SessionRequest {
        query: Query::parse(text).unwrap(),
        fleet: None,
        location: None,
        range: None,
        sort: None,
        page: Page::first(100),
    }
}

async fn names(reader: &Reader, request: &SessionRequest) -> Vec<String> {
    let (window, _) = reader.game_sessions(request, NOW).await.unwrap();
    assert_eq!(window.total, window.rows.len() as u64, "the count agrees with the rows");
    window.rows.into_iter().map(|row| row.name.unwrap_or_else(|| "–".to_owned())).collect()
}

/// Six sessions that differ in everything the language can ask for; newest first: f e d c b a.
fn six() -> Vec<GameSession> {
    let named = |number: u32, name: &str, created_min: i64| GameSession {
        name: Some(name.to_owned()),
        creation_time: NOW.plus_ms(-created_min * MINUTE),
        ..session(number)
    };
    vec![
        GameSession {
            status: GameSessionStatus::Terminated,
            status_reason: Some(GameSessionStatusReason::ForceTerminated),
            termination_time: Some(NOW.plus_ms(-300 * MINUTE)),
            current_player_session_count: 0,
            ..named(1, "a-season", 400)
        },
        GameSession { current_player_session_count: 8, ..named(2, "b-season", 90) },
        GameSession {
            location: Some("eu-west-1".into()),
            creator_id: Some("boss".to_owned()),
            game_session_data: Some("season=4;mode=Ranked".to_owned()),
            ..named(3, "C_100%", 60)
        },
        GameSession {
            status: GameSessionStatus::Activating,
            ip_address: None,
            port: None,
            ..named(4, "d", 30)
        },
        GameSession {
            player_session_creation_policy: Some("DENY_ALL".to_owned()),
            port: Some(9_000),
            ip_address: Some("198.51.100.7".to_owned()),
            matchmaker_data: Some(format!("{{\"teams\":[\"red\"],\"matchId\":\"{}\"}}", "y".repeat(400))),
            ..named(5, "e", 20)
        },
        GameSession { name: None, game_properties: Vec::new(), ..named(6, "f", 10) },
    ]
}

async fn filled(place: &Place) -> Store {
    let store = place.open().await;
    let at = NOW.plus_ms(-5 * MINUTE);
    let sessions = six();
    let players = Listing::complete(vec![player_session(2, 1), player_session(2, 2)]);
    let seen = vec![
        Observation::Fleets(Listing::complete(vec![fleet()])),
        Observation::GameSessions(sessions),
        Observation::PlayerSessions(session_id(2), players),
        Observation::PlacementEvents(vec![placement(2)]),
    ];
    apply(&store, at, seen).await;
    store
}

#[tokio::test]
async fn sessions_named_one_by_one_come_in_the_order_asked_for_unless_it_is_another() {
    let place = Place::new();
    let store = filled(&place).await;
    let reader = store.reader();
    let ids = [session_id(5), session_id(77), session_id(1), session_id(2)];
    for (sort, wanted) in [
        (None, ["e", "a-season", "b-season"]),
        (Some((SessionColumn::Name, true)), ["e", "b-season", "a-season"]),
    ] {
        let window = reader.game_sessions_among(&ids, sort, Page::first(10)).await.unwrap();
        let names: Vec<String> = window.rows.into_iter().filter_map(|row| row.name).collect();
        assert_eq!((window.total, names), (3, wanted.map(str::to_owned).to_vec()), "{sort:?}");
    }
    assert_eq!(reader.ended_game_sessions(&ids).await.unwrap(), [session_id(1)].into());
    store.close().await;
}

#[tokio::test]
async fn every_field_of_the_query_language_finds_what_it_says() {
    let place = Place::new();
    let store = filled(&place).await;
    let reader = store.reader();
    let short = uuid(1, 3);
    let whole = session_id(3).into_string();
    for (text, wanted) in [
        ("", "f e d C b a"),
        ("status:active", "f e C b"),
        ("status:terminated", "a"),
        ("-status:active", "d a"),
        ("reason:force_terminated", "a"),
        ("fleet:eu-prod", "f e d C b a"),
        ("fleet:EU-*", "f e d C b a"),
        ("fleet:nobody", ""),
        (FLEET, ""),
        ("region:eu-west-1", "f e d C b a"),
        ("-region:eu-*", ""),
        ("location:eu-west-1", "C"),
        ("location:*north*", "f e d b a"),
        ("players>=8", "b"),
        ("free:0", "b"),
        ("free>0 status:active", "f e C"),
        ("max=8", "f e d C b a"),
        ("name:SEASON", "b a"),
        ("name:/^[ab]-season$/", "b a"),
        ("name:100%", "C"),
        ("name:_100", "C"),
        ("-name:season", "f e d C"),
        ("name=d", "d"),
        ("name=D", ""),
        ("name:*-season", "b a"),
        (&format!("id:{short}"), "C"),
        (&format!("id:{whole}"), "C"),
        (&short[..20], "f e d C b a"),
        (&whole, "C"),
        ("id:*0003", "C"),
        ("id:/-0{11}[34]$/", "d C"),
        ("ip:198.51.100.7", "e"),
        ("198.51.100.7:9000", "e"),
        ("198.51.100.7:9001", ""),
        ("port:9000", "e"),
        ("address:198.51.100.7:9000", "e"),
        ("address:198.51.100.7", "e"),
        ("address:198.51.100.7:9001", ""),
        ("address:EC2-203-*:7777", "f C b a"),
        ("data:SEASON", "C"),
        ("data=season", ""),
        ("data:*ranked", "C"),
        ("-data:season", "f e d b a"),
        ("status:activating data:season", ""),
        ("matchmaker:\"\\\"red\\\"\"", "e"),
        ("matchmaker:/^.{1,16}red/ port:9000", "e"),
        ("matchmaker:matchid", "f e d C b a"),
        ("data:season or matchmaker:red", "e C"),
        ("status:terminated or data:season", "C a"),
        ("compute:i-0ABC*", "f e d C b a"),
        ("instance:i-0ABC*", "f e d C b a"),
        ("dns:EC2-203-0-113-24*", "f e d C b a"),
        ("dns:elsewhere", ""),
        ("placement:placement-2", "b"),
        ("placement:PLACEMENT-2", ""),
        ("-placement:placement-*", "f e d C a"),
        ("ticket:ticket-1", ""),
        ("creator:boss", "C"),
        ("prop.mode:RANKED", "e d C b a"),
        ("prop.mode=RANKED", ""),
        ("-prop.mode:ranked", "f"),
        ("prop.other:*", ""),
        ("player:player-1", "b"),
        ("player:player-*", "b"),
        ("player:/-[2]$/", "b"),
        ("player:player-9", ""),
        ("created:<25m", "f e"),
        ("created:>25m ended:none", "d C b"),
        ("created>=2026-03-04", "f e d C b a"),
        ("created<2026-03-04", ""),
        ("ended:2026-03-04", "a"),
        ("ended:none", "f e d C b"),
        ("duration:>95m", "a"),
        ("duration<=20m", "f e"),
        ("build:build-1", "f e d C b a"),
        ("script:x", ""),
        ("policy:deny_all", "e"),
        ("protection:fullprotection", ""),
        ("(name:a-season or name:d) -status:active", "d a"),
    ] {
        let found = names(&reader, &request(text)).await;
        let letters = found.iter().map(|name| if name == "–" { "f" } else { &name[..1] });
        assert_eq!(letters.collect::<Vec<_>>().join(" "), wanted, "{text}");
    }
    store.close().await;
}

#[tokio::test]
async fn long_texts_are_searched_in_the_past_and_in_comparisons_too() {
    let place = Place::new();
    let store = filled(&place).await;
    let reader = store.reader();
    let query = |text: &str| Query::parse(text).unwrap();
    let range = TimeRange::new(NOW.plus_ms(-15 * MINUTE), NOW);
    let sessions = reader.sessions_of(range).await.unwrap();
    let (then, all) = (query("matchmaker:red or data:season"), query("matchmaker:matchid"));
    let counted = reader.count_matching(&sessions, &then, Some(&all), range.to).await.unwrap();
    assert_eq!(
        counted.iter().map(|one| (one.matching, one.of)).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1)),
        (2, 6)
    );
    let compared = Compared {
        among: query("matchmaker:matchid status:active"),
        bad: query("matchmaker:red or data:season"),
        fleet: None,
        location: None,
        range: None,
    };
    let counts = reader.session_counts(&compared, NOW).await.unwrap();
    assert_eq!((counts.bad, counts.all), (2, 4));
    store.close().await;
}

#[tokio::test]
async fn windows_sorts_and_ranges_cut_the_same_list() {
    let place = Place::new();
    let store = filled(&place).await;
    let reader = store.reader();
    let mut paged = request("status:active");
    paged.page = Page { offset: 1, limit: 2 };
    let (window, _) = reader.game_sessions(&paged, NOW).await.unwrap();
    assert_eq!((window.rows.len(), window.total, window.total_is_exact), (2, 4, true));
    assert_eq!(window.rows[0].name.as_deref(), Some("e"));
    for (column, descending, first) in [
        (SessionColumn::Created, false, "a-season"),
        (SessionColumn::Players, true, "b-season"),
        (SessionColumn::Name, false, "a-season"),
        (SessionColumn::Name, true, "e"),
        (SessionColumn::Location, true, "C_100%"),
        (SessionColumn::Status, true, "d"),
        (SessionColumn::Ended, true, "a-season"),
        (SessionColumn::Fleet, false, "–"),
        (SessionColumn::Maximum, false, "–"),
    ] {
        let sorted = SessionRequest { sort: Some((column, descending)), ..request("") };
        let found = names(&reader, &sorted).await;
        assert_eq!(found[0], first, "{column:?} {descending}: {found:?}");
    }
    let range = TimeRange::new(NOW.plus_ms(-380 * MINUTE), NOW.plus_ms(-320 * MINUTE));
    let early = SessionRequest { range: Some(range), ..request("") };
    assert_eq!(names(&reader, &early).await, ["a-season"], "it ran through the range");
    let later = TimeRange::new(NOW.plus_ms(-200 * MINUTE), NOW.plus_ms(-80 * MINUTE));
    assert_eq!(names(&reader, &SessionRequest { range: Some(later), ..request("") }).await, ["b-season"]);
    let here =
        SessionRequest { location: Some("eu-west-1".into()), fleet: Some(FLEET.into()), ..request("") };
    assert_eq!(names(&reader, &here).await, ["C_100%"]);
    store.close().await;
}

#[tokio::test]
async fn a_session_shows_its_texts_changes_players_and_placement() {
    let place = Place::new();
    let store = filled(&place).await;
    let moved = GameSession {
        name: Some("b-season".to_owned()),
        creation_time: NOW.plus_ms(-90 * MINUTE),
        current_player_session_count: 3,
        player_session_creation_policy: Some("DENY_ALL".to_owned()),
        ..session(2)
    };
    apply(&store, NOW, vec![Observation::GameSessions(vec![moved])]).await;
    let detail = store.reader().game_session(&session_id(2), NOW).await.unwrap().unwrap();
    assert_eq!(detail.game_properties[0].value, "ranked");
    assert!(detail.matchmaker_data.unwrap().contains("matchId"), "unpacked");
    let changes: Vec<_> =
        detail.changes.iter().map(|change| (change.field.as_str(), change.after.as_deref())).collect();
    assert_eq!(changes, [("players", Some("3")), ("policy", Some("DENY_ALL"))]);
    let players: Vec<_> = detail.player_sessions.iter().map(|player| player.player_id.as_str()).collect();
    assert_eq!(players, ["player-1", "player-2"]);
    assert!(detail.player_sessions[0].has_player_data && !detail.player_sessions[1].has_player_data);
    let data = store.reader().player_data(&detail.row.game_session_id).await.unwrap();
    assert_eq!(data, [(detail.player_sessions[0].player_session_id.clone(), "skill=7".to_owned())]);
    assert_eq!(store.reader().player_data(&"arn:none/x".into()).await.unwrap(), []);
    let placed = detail.placement.unwrap();
    assert_eq!((placed.placement_id.as_str(), placed.duration_ms), ("placement-2", Some(2_000)));
    assert_eq!(placed.fleet_id.unwrap().as_str(), FLEET);
    assert_eq!(store.reader().game_session(&GameSessionId::from("arn:none/x"), NOW).await.unwrap(), None);
    store.close().await;
}

#[tokio::test]
async fn a_session_gamelift_forgot_is_shown_as_ended_with_its_end_unseen() {
    let place = Place::new();
    let store = filled(&place).await;
    apply(&store, NOW, vec![Observation::GameSessionGone(session_id(2))]).await;
    let reader = store.reader();
    let found = names(&reader, &request("status:terminated")).await;
    assert_eq!(found, ["b-season", "a-season"]);
    let row = reader.game_session(&session_id(2), NOW).await.unwrap().unwrap().row;
    assert_eq!(
        (row.status, row.end_unseen, row.termination_time),
        (GameSessionStatus::Terminated, true, Some(NOW))
    );
    assert_eq!(names(&reader, &request("status:active players:8")).await, Vec::<String>::new());
    for (text, wanted) in [("ended:<1h", "b-season"), ("ended:>1h", "a-season")] {
        assert_eq!(names(&reader, &request(text)).await, [wanted], "{text}: the bound counts for the end");
    }
    let by_end = SessionRequest { sort: Some((SessionColumn::Ended, true)), ..request("") };
    assert_eq!(names(&reader, &by_end).await[..2], ["b-season", "a-season"]);
    store.close().await;
}

#[tokio::test]
async fn the_game_sessions_that_a_location_hosted_are_counted_by_their_own_times() {
    let place = Place::new();
    let store = filled(&place).await;
    apply(&store, NOW, vec![Observation::GameSessionGone(session_id(2))]).await;
    let counted = async |location: &str, minutes: i64| {
        let range = TimeRange::new(NOW.plus_ms(-minutes * MINUTE), NOW.plus_ms(1));
        let hosted = store.reader().hosted(&FLEET.into(), &location.into(), range).await.unwrap();
        let since = |at: Timestamp| NOW.since_ms(at) / MINUTE;
        hosted.into_iter().map(|hosted| (since(hosted.at), hosted.game_sessions)).collect::<Vec<_>>()
    };
    assert_eq!(counted("eu-north-1", 45).await, [(45, 1), (30, 2), (20, 3), (10, 4), (0, 3)]);
    assert_eq!(counted("eu-north-1", 310).await[..2], [(310, 1), (300, 0)], "one ended then");
    assert_eq!(counted("eu-west-1", 120).await, [(120, 0), (60, 1)]);
    store.close().await;
}

#[tokio::test]
async fn a_player_session_whose_end_was_not_seen_says_that_its_end_is_a_bound() {
    let place = Place::new();
    let store = filled(&place).await;
    let left = PlayerSession {
        status: PlayerSessionStatus::Completed,
        termination_time: Some(NOW.plus_ms(-MINUTE)),
        ..player_session(2, 1)
    };
    apply(&store, NOW, vec![Observation::PlayerSessions(session_id(2), Listing::complete(vec![left]))]).await;
    let detail = store.reader().game_session(&session_id(2), NOW).await.unwrap().unwrap();
    let ends: Vec<_> =
        detail.player_sessions.iter().map(|player| (player.termination_time, player.end_unseen)).collect();
    assert_eq!(ends, [(Some(NOW.plus_ms(-MINUTE)), false), (Some(NOW), true)]);
    store.close().await;
}

#[tokio::test]
async fn a_player_is_found_by_the_beginning_of_the_id_newest_session_first() {
    let place = Place::new();
    let store = filled(&place).await;
    let mut again = player_session(5, 1);
    again.creation_time = NOW;
    again.status = PlayerSessionStatus::Reserved;
    apply(&store, NOW, vec![Observation::PlayerSessions(session_id(5), Listing::complete(vec![again]))])
        .await;
    let reader = store.reader();
    let (found, _) = reader.players("player-", Page::first(10), NOW).await.unwrap();
    assert_eq!((found.total, found.rows[0].player_id.as_str(), found.rows[0].total), (2, "player-1", 2));
    let sessions: Vec<_> =
        found.rows[0].player_sessions.iter().map(|row| row.game_session_id.clone()).collect();
    assert_eq!(sessions, [session_id(5), session_id(2)]);
    assert_eq!(found.rows[0].player_sessions[0].fleet_name, "eu-prod");
    let (exact, _) = reader.players("player-2", Page::first(10), NOW).await.unwrap();
    assert_eq!(exact.rows.len(), 1);
    let (nobody, _) = reader.players("  ", Page::first(10), NOW).await.unwrap();
    assert_eq!(nobody.total, 0);
    let later: Timestamp = NOW.plus_ms(MINUTE);
    assert!(
        reader.players("player-", Page::first(10), later).await.unwrap().1.stale,
        "no listing was confirmed"
    );
    assert_eq!(reader.regions().await.unwrap(), [region()]);
    store.close().await;
}

//! Exported tables.

use liftdeck_model::fleet::{ComputeKind, Fleet, FleetEvent};
use liftdeck_model::matchmaking::{EventTicket, MatchmakingEvent};
use liftdeck_model::metric::{MetricSample, MetricSeries, MetricSource};
use liftdeck_model::observation::{Listing, Observation};
use liftdeck_model::query::Query;
use liftdeck_model::queue::{GameSessionQueue, PlayerLatencyPolicy};
use liftdeck_store::Store;
use liftdeck_store::export::{ExportError, ExportRequest, Format, Kind, export};
use serde_json::{Value, json};

use crate::fixture::{
    FLEET, NOW, Place, apply, capacity, fleet, placement, player_session, policy, region, session,
    session_id, utilization, uuid,
};

fn fleet_event() -> FleetEvent {
    FleetEvent {
        event_id: uuid(5, 1),
        fleet_id: FLEET.into(),
        event_code: "FLEET_SCALING_EVENT".into(),
        message: Some("scaled".to_owned()),
        event_time: NOW,
        count: 2,
        has_log: true,
    }
}

fn matched() -> MatchmakingEvent {
    MatchmakingEvent {
        event_id: uuid(4, 1),
        event_type: "MatchmakingSucceeded".to_owned(),
        configuration: "ranked".to_owned(),
        region: region(),
        event_time: NOW,
        match_id: Some("match-1".to_owned()),
        reason: None,
        message: None,
        estimated_wait_seconds: Some(12),
        game_session_id: Some(session_id(1)),
        tickets: vec![EventTicket { ticket_id: "tk-1".into(), start_time: Some(NOW), players: Vec::new() }],
    }
}

async fn filled(place: &Place) -> Store {
    let store = place.open().await;
    let sessions = (0..600).map(|number| {
        let mut session = session(number);
        session.creation_time = NOW.plus_ms(-i64::from(number) * 60_000);
        session
    });
    let series = MetricSeries {
        region: region(),
        source: MetricSource::CloudWatch,
        name: "ActiveInstances".into(),
        dimensions: vec![("FleetId".into(), FLEET.into())],
        statistic: "Average".into(),
    };
    let samples =
        (0..100).map(|minute| MetricSample { at: NOW.plus_ms(minute * 60_000), value: minute as f64 });
    apply(
        &store,
        NOW,
        vec![
            Observation::Fleets(Listing::complete(vec![fleet()])),
            Observation::FleetCapacity(capacity(4, 4)),
            Observation::FleetUtilization(utilization(3)),
            Observation::ScalingPolicies(FLEET.into(), Listing::complete(vec![policy(20.0)])),
            Observation::GameSessions(sessions.collect()),
            Observation::PlayerSessions(
                session_id(3),
                Listing::complete(vec![player_session(3, 1), player_session(3, 2)]),
            ),
            Observation::PlacementEvents(vec![placement(1), placement(2)]),
            Observation::MetricSamples(series, samples.collect()),
            Observation::FleetEvents(FLEET.into(), vec![fleet_event()]),
            Observation::MatchmakingEvents(vec![matched()]),
        ],
    )
    .await;
    apply(&store, NOW.plus_ms(1), vec![Observation::FleetCapacity(capacity(6, 4))]).await;
    store
}

fn request(kind: Kind, text: &str) -> ExportRequest {
    let query = Query::parse(text).unwrap();
    ExportRequest { kind, format: Format::Ndjson, query, since: None, until: None, now: NOW }
}

async fn rows(store: &Store, request: &ExportRequest) -> Vec<Value> {
    let mut out = Vec::new();
    let count = export(&store.reader(), request, &mut out).await.unwrap();
    let rows: Vec<Value> =
        String::from_utf8(out).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(count, rows.len() as u64);
    rows
}

#[tokio::test]
async fn every_kind_writes_its_rows_under_the_names_of_the_api() {
    let place = Place::new();
    let store = filled(&place).await;
    for (kind, count) in [
        (Kind::Fleets, 1),
        (Kind::FleetCapacity, 1),
        (Kind::ScalingPolicies, 1),
        (Kind::GameSessions, 600),
        (Kind::PlayerSessions, 2),
        (Kind::Placements, 2),
        (Kind::FleetEvents, 1),
        (Kind::MatchmakingEvents, 1),
        (Kind::Queues, 0),
        (Kind::Activity, 0),
    ] {
        assert_eq!(rows(&store, &request(kind, "")).await.len(), count, "{kind}");
    }
    let session = &rows(&store, &request(Kind::GameSessions, "name=match-3")).await[0];
    assert_eq!(session["game_session_id"], session_id(3).as_str());
    assert_eq!(session["creation_time"], "2026-03-04T09:57:00.000Z");
    assert_eq!(session["game_properties"][0]["key"], "mode");
    assert!(session["matchmaker_data"].as_str().unwrap().starts_with("{\"matchId\""));
    let player = &rows(&store, &request(Kind::PlayerSessions, "")).await[0];
    assert_eq!((&player["player_id"], &player["player_data"]), (&"player-1".into(), &"skill=7".into()));
    let placed = &rows(&store, &request(Kind::Placements, "")).await[0];
    assert_eq!(placed["event_type"], "PlacementFulfilled");
    assert_eq!(placed["game_session_id"], session_id(1).as_str());
    let player = &placed["placed_player_sessions"][0];
    assert_eq!(player["player_id"], "player-1");
    assert!(player["player_session_id"].as_str().unwrap().starts_with("psess-00000002-"), "{player}");
    let event = &rows(&store, &request(Kind::FleetEvents, "")).await[0];
    assert_eq!((&event["event_id"], &event["count"]), (&uuid(5, 1).into(), &2.into()));
    let event = &rows(&store, &request(Kind::MatchmakingEvents, "")).await[0];
    assert_eq!(event["game_session_id"], session_id(1).as_str());
    assert_eq!(event["tickets"][0]["ticket_id"], "tk-1");
    store.close().await;
}

#[tokio::test]
async fn an_end_that_was_not_seen_is_written_as_a_bound() {
    let place = Place::new();
    let store = filled(&place).await;
    apply(&store, NOW.plus_ms(5), vec![Observation::GameSessionGone(session_id(3))]).await;
    for kind in [Kind::GameSessions, Kind::PlayerSessions] {
        let rows = rows(&store, &request(kind, "name=match-3")).await;
        assert!(!rows.is_empty());
        for row in rows {
            assert_eq!(row["termination_time"], "2026-03-04T10:00:00.005Z", "{kind}");
            assert_eq!(row["end_unseen"], true, "{kind}");
        }
    }
    store.close().await;
}

#[tokio::test]
async fn what_the_api_nests_or_repeats_is_written_as_the_api_says_it() {
    let place = Place::new();
    let store = filled(&place).await;
    let alias = "arn:aws:gamelift:eu-west-1::alias/alias-1";
    let policy = |latency, seconds| PlayerLatencyPolicy {
        maximum_individual_player_latency_ms: Some(latency),
        policy_duration_seconds: seconds,
    };
    let queue = GameSessionQueue {
        name: "arena".into(),
        region: region(),
        arn: None,
        timeout_seconds: Some(60),
        destinations: vec![alias.to_owned()],
        player_latency_policies: vec![policy(75, Some(20)), policy(150, None)],
        allowed_locations: Vec::new(),
        priority_order: Vec::new(),
        location_order: Vec::new(),
        custom_event_data: None,
        notification_target: None,
    };
    let container = Fleet {
        fleet_id: "containerfleet-1".into(),
        kind: ComputeKind::Container,
        instance_role_arn: Some("arn:aws:iam::111122223333:role/fleet".to_owned()),
        ..fleet()
    };
    let seen = vec![
        Observation::Queues(Listing::complete(vec![queue])),
        Observation::Fleets(Listing::complete(vec![fleet(), container])),
    ];
    apply(&store, NOW, seen).await;
    let queue = &rows(&store, &request(Kind::Queues, "")).await[0];
    assert_eq!(queue["destinations"], json!([{ "destination_arn": alias }]));
    assert_eq!(
        queue["player_latency_policies"],
        json!([
            { "maximum_individual_player_latency_milliseconds": 75, "policy_duration_seconds": 20 },
            { "maximum_individual_player_latency_milliseconds": 150 },
        ])
    );
    let sample = rows(&store, &request(Kind::Metrics, "")).await;
    let sample = sample.iter().find(|row| row["source"] == "cloud_watch").unwrap();
    assert_eq!(sample["dimensions"], json!([{ "name": "FleetId", "value": FLEET }]));
    let session = &rows(&store, &request(Kind::GameSessions, "name=match-3")).await[0];
    let player = &rows(&store, &request(Kind::PlayerSessions, "")).await[0];
    for field in ["ip_address", "dns_name", "port"] {
        assert!(!session[field].is_null(), "{field}");
        assert_eq!(player[field], session[field], "{field}");
    }
    let fleets = rows(&store, &request(Kind::Fleets, "")).await;
    let container = fleets.iter().find(|fleet| fleet["fleet_id"] == "containerfleet-1").unwrap();
    assert_eq!(container["fleet_role_arn"], "arn:aws:iam::111122223333:role/fleet");
    assert!(container["instance_role_arn"].is_null());
    store.close().await;
}

#[tokio::test]
async fn a_range_and_a_query_choose_rows_across_batches() {
    let place = Place::new();
    let store = filled(&place).await;
    assert_eq!(rows(&store, &request(Kind::GameSessions, "created:>300m")).await.len(), 299);
    let metrics = ExportRequest {
        since: Some(NOW.plus_ms(90 * 60_000)),
        until: Some(NOW.plus_ms(95 * 60_000)),
        ..request(Kind::Metrics, "")
    };
    let samples = rows(&store, &metrics).await;
    let cloud: Vec<_> = samples.iter().filter(|row| row["source"] == "cloud_watch").collect();
    assert_eq!((cloud.len(), &cloud[0]["value"]), (5, &90.0.into()));
    let refused = export(&store.reader(), &request(Kind::Fleets, "status:active"), &mut Vec::new()).await;
    assert!(matches!(refused, Err(ExportError::NoQuery(Kind::Fleets))));
    store.close().await;
}

#[tokio::test]
async fn csv_has_a_header_and_one_record_a_row() {
    let place = Place::new();
    let store = filled(&place).await;
    let mut out = Vec::new();
    let csv = ExportRequest { format: Format::Csv, ..request(Kind::GameSessions, "") };
    export(&store.reader(), &csv, &mut out).await.unwrap();
    let mut reader = csv::Reader::from_reader(out.as_slice());
    let header = reader.headers().unwrap().clone();
    assert_eq!(header.get(0), Some("game_session_id"));
    let records: Vec<_> = reader.records().map(Result::unwrap).collect();
    assert_eq!(records.len(), 600);
    assert!(records.iter().all(|record| record.len() == header.len()));
    store.close().await;
}

#[test]
fn every_kind_has_a_name_that_leads_back_to_it() {
    for (name, kind) in Kind::ALL {
        assert_eq!(name.parse::<Kind>().unwrap(), kind);
        assert_eq!(kind.to_string(), name);
    }
    assert!("dragons".parse::<Kind>().unwrap_err().to_string().contains("game-sessions"));
    assert!("xml".parse::<Format>().is_err());
}

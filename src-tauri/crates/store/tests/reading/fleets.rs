//! Fleets with their figures, pages of a fleet, its events, changes and computes.

use liftdeck_model::fleet::{
    Compute, ComputeKind, ComputeStatus, Fleet, FleetCapacity, FleetEvent, FleetLocation, FleetStatus,
    RuntimeConfiguration, ServerProcess,
};
use liftdeck_model::game_session::{GameSession, GameSessionStatus};
use liftdeck_model::observation::{Listing, Observation, Poll, PollKind, PollSubject};
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Timestamp};
use liftdeck_store::reader::change::ChangeScope;
use liftdeck_store::reader::fleet::CountedFrom;
use liftdeck_store::reader::window::Page;

use crate::fixture::{FLEET, NOW, Place, apply, capacity, fleet, policy, session, utilization};

const ANYWHERE: &str = "fleet-99992222-aaaa-4bbb-8ccc-333344445555";

fn anywhere() -> Fleet {
    Fleet { fleet_id: ANYWHERE.into(), kind: ComputeKind::Anywhere, name: Some("lobby".into()), ..fleet() }
}

fn polled(kind: PollKind, resource: &str, at: Timestamp) -> Observation {
    let subject = PollSubject { kind, resource: resource.to_owned() };
    Observation::Poll(Poll { subject, at, took_ms: 12, failure: None })
}

fn location(name: &str) -> FleetLocation {
    FleetLocation {
        location: name.into(),
        status: FleetStatus::Active,
        scaling_suspended: false,
        update_pending: false,
        player_gateway_status: None,
    }
}

#[tokio::test]
async fn managed_fleets_count_by_utilization_and_others_by_their_live_sessions() {
    let place = Place::new();
    let store = place.open().await;
    let on_lobby = |number| {
        let mut session = session(number);
        session.fleet_id = ANYWHERE.into();
        session.game_session_id =
            format!("arn:aws:gamelift:eu-west-1::gamesession/{ANYWHERE}/custom-rack/s-{number}").into();
        session.location = Some("custom-rack".into());
        session
    };
    let seen = vec![
        Observation::Fleets(Listing::complete(vec![fleet(), anywhere()])),
        Observation::FleetLocations(
            FLEET.into(),
            Listing::complete(vec![location("eu-west-1"), location("eu-north-1")]),
        ),
        Observation::FleetCapacity(capacity(6, 5)),
        Observation::FleetUtilization(utilization(30)),
        Observation::GameSessions(vec![session(1), on_lobby(2), on_lobby(3)]),
        polled(PollKind::Fleets, "", NOW),
        polled(PollKind::FleetCapacity, FLEET, NOW),
        polled(PollKind::FleetUtilization, FLEET, NOW.plus_ms(-1_000)),
        polled(PollKind::GameSessions, ANYWHERE, NOW.plus_ms(-3_600_000)),
    ];
    apply(&store, NOW, seen).await;
    let rows = store.reader().fleet_summaries(NOW).await.unwrap();
    let names: Vec<_> = rows.iter().map(|row| row.fleet.display_name()).collect();
    assert_eq!(names, ["eu-prod", "lobby"]);
    let managed = &rows[0];
    assert_eq!((managed.desired(), managed.active(), managed.maximum()), (6, 5, 20));
    assert_eq!(
        (managed.game_sessions(), managed.player_sessions()),
        (30, 180),
        "AWS's own count, not ours of 1"
    );
    assert_eq!(managed.free_percent(), Some(25.0));
    let home: Vec<_> = managed.locations.iter().map(|here| here.location.as_str()).collect();
    assert_eq!(home, ["eu-west-1", "eu-north-1"], "the home Region comes first");
    assert_eq!((managed.freshness.as_of, managed.freshness.stale), (Some(NOW.plus_ms(-1_000)), false));
    let lobby = &rows[1];
    assert_eq!((lobby.game_sessions(), lobby.player_sessions(), lobby.free_percent()), (2, 4, None));
    assert_eq!(lobby.locations[0].counted_from, CountedFrom::GameSessions);
    assert!(lobby.freshness.stale, "its sessions were last listed an hour ago");
    store.close().await;
}

#[tokio::test]
async fn a_fleet_that_is_gone_stays_a_day_in_the_list_and_its_page_for_ever() {
    let place = Place::new();
    let store = place.open().await;
    apply(&store, NOW, vec![Observation::Fleets(Listing::complete(vec![fleet()]))]).await;
    apply(&store, NOW, vec![Observation::Fleets(Listing::complete(Vec::new()))]).await;
    let reader = store.reader();
    assert_eq!(reader.fleet_summaries(NOW.plus_ms(1)).await.unwrap()[0].gone_at, Some(NOW));
    let later = NOW.plus_ms(2 * 86_400_000);
    assert!(reader.fleet_summaries(later).await.unwrap().is_empty());
    assert!(reader.fleet_detail(&FLEET.into(), later).await.unwrap().is_some());
    assert!(reader.fleet_detail(&"fleet-nobody".into(), NOW).await.unwrap().is_none());
    store.close().await;
}

#[tokio::test]
async fn a_fleets_page_has_its_configuration_computes_and_counts() {
    let place = Place::new();
    let store = place.open().await;
    let runtime = RuntimeConfiguration {
        server_processes: vec![ServerProcess {
            launch_path: "/local/game/server".into(),
            parameters: None,
            concurrent_executions: 8,
        }],
        max_concurrent_game_session_activations: Some(2),
        game_session_activation_timeout_seconds: Some(300),
    };
    let compute = |name: &str| Compute {
        fleet_id: FLEET.into(),
        compute_name: name.into(),
        instance_id: Some(name.into()),
        status: ComputeStatus::Active,
        location: "eu-north-1".into(),
        instance_type: None,
        ip_address: None,
        dns_name: None,
        operating_system: None,
        creation_time: Some(NOW),
    };
    let computes = vec![compute("i-0abc1234def567890"), compute("i-2")];
    // The tab counts what its list shows at first.
    let starting = GameSession { status: GameSessionStatus::Activating, ..session(3) };
    let seen = vec![
        Observation::Fleets(Listing::complete(vec![fleet()])),
        Observation::ScalingPolicies(FLEET.into(), Listing::complete(vec![policy(20.0)])),
        Observation::RuntimeConfiguration(FLEET.into(), runtime.clone()),
        Observation::Computes(FLEET.into(), Listing::complete(computes)),
        Observation::GameSessions(vec![session(1), session(2), starting]),
    ];
    apply(&store, NOW, seen).await;
    let reader = store.reader();
    let detail = reader.fleet_detail(&FLEET.into(), NOW).await.unwrap().unwrap();
    assert_eq!(detail.policies[0].target_value, Some(20.0));
    assert_eq!(detail.runtime_configuration, Some(runtime));
    assert_eq!((detail.active_game_sessions, detail.computes), (2, 2));
    let (rows, _) = reader.computes(&FLEET.into(), NOW).await.unwrap();
    let load: Vec<_> = rows
        .iter()
        .map(|row| (row.compute.compute_name.as_str(), row.game_sessions, row.player_sessions))
        .collect();
    assert_eq!(load, [("i-0abc1234def567890", 3, 6), ("i-2", 0, 0)]);
    store.close().await;
}

#[tokio::test]
async fn changes_and_events_come_newest_first_within_their_range() {
    let place = Place::new();
    let store = place.open().await;
    let event = |number: i64| FleetEvent {
        event_id: format!("event-{number}"),
        fleet_id: FLEET.into(),
        event_code: "FLEET_SCALING_EVENT".into(),
        message: None,
        event_time: NOW.plus_ms(number * 1_000),
        count: 1,
        has_log: false,
    };
    apply(
        &store,
        NOW,
        vec![
            Observation::Fleets(Listing::complete(vec![fleet()])),
            Observation::FleetCapacity(capacity(4, 4)),
            Observation::FleetEvents(FLEET.into(), (0..5).map(event).collect()),
        ],
    )
    .await;
    let later = NOW.plus_ms(60_000);
    apply(&store, later, vec![Observation::FleetCapacity(capacity(6, 4))]).await;
    let reader = store.reader();
    let fleet_id = FleetId::from(FLEET);
    let changes = reader.changes(ChangeScope::Fleet(&fleet_id), None, 10).await.unwrap();
    let told: Vec<_> =
        changes.iter().map(|c| (c.field.as_str(), c.before.as_deref(), c.after.as_deref())).collect();
    assert_eq!(told, [("desired", Some("4"), Some("6"))]);
    assert_eq!(changes[0].location.as_ref().unwrap().as_str(), "eu-north-1");
    assert_eq!(reader.changes(ChangeScope::All, Some(TimeRange::new(NOW, later)), 10).await.unwrap(), []);
    let page = Page { offset: 1, limit: 2 };
    let events = reader.fleet_events(Some(&fleet_id), None, page).await.unwrap();
    let ids: Vec<_> = events.rows.iter().map(|row| row.event.event_id.as_str()).collect();
    assert_eq!((ids, events.total), (vec!["event-3", "event-2"], 5));
    assert_eq!(events.rows[0].fleet_name, "eu-prod");
    let range = TimeRange::new(NOW.plus_ms(1_000), NOW.plus_ms(3_000));
    assert_eq!(reader.fleet_events(None, Some(range), Page::first(9)).await.unwrap().total, 2);
    store.close().await;
}

#[tokio::test]
async fn a_fleet_is_held_down_since_its_maximum_was_lowered_or_its_scaling_suspended() {
    let place = Place::new();
    let store = place.open().await;
    let lobby = |maximum| FleetCapacity { fleet_id: ANYWHERE.into(), maximum, ..capacity(6, 5) };
    let stopped = |actions: &[&str]| Fleet {
        stopped_actions: actions.iter().map(|&action| action.to_owned()).collect(),
        ..fleet()
    };
    let steps = [
        // What was so when it was first seen may have been so for years.
        (stopped(&["AUTO_SCALING"]), lobby(20), vec![]),
        (stopped(&[]), lobby(30), vec![]),
        (stopped(&[]), lobby(10), vec![ANYWHERE]),
        (stopped(&["AUTO_SCALING"]), lobby(10), vec![FLEET, ANYWHERE]),
        (stopped(&["AUTO_SCALING"]), lobby(40), vec![FLEET, ANYWHERE]),
    ];
    for (minute, (fleet, capacity, held_down)) in (0..).zip(steps) {
        let at = NOW.plus_ms(minute * 60_000);
        let fleets = Observation::Fleets(Listing::complete(vec![fleet, anywhere()]));
        apply(&store, at, vec![fleets, Observation::FleetCapacity(capacity)]).await;
        let found = store.reader().held_down_since(&"eu-west-1".into(), NOW).await.unwrap();
        let expected = held_down.into_iter().map(FleetId::from).collect();
        assert_eq!(found, expected, "after {minute} min");
    }
    let later = NOW.plus_ms(3 * 60_000);
    let found = store.reader().held_down_since(&"eu-west-1".into(), later).await.unwrap();
    assert_eq!(found, [FLEET.into()].into(), "the maximum was lowered before");
    assert!(store.reader().held_down_since(&"us-east-1".into(), NOW).await.unwrap().is_empty());
    store.close().await;
}

//! Fixtures for the tests: a database in a folder of its own, and records that can be varied.

use std::path::PathBuf;
use std::sync::Arc;

use liftdeck_model::action::{Action, Request, UpdateAlias, UpdateFleetCapacity};
use liftdeck_model::activity::{Activity, ActivityId, ActivityOutcome, FactChange};
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::fleet::{
    ComputeKind, Fleet, FleetCapacity, FleetStatus, FleetUtilization, PolicyType, ScalingPolicy,
};
use liftdeck_model::game_session::{GameProperty, GameSession, GameSessionStatus};
use liftdeck_model::observation::{Batch, Observation};
use liftdeck_model::placement::{PlacedPlayerSession, PlacementEvent, PlacementEventType};
use liftdeck_model::player_session::{PlayerSession, PlayerSessionStatus};
use liftdeck_model::{AccountId, FleetId, GameSessionId, Region, Timestamp};
use liftdeck_store::{
    Access, ActivityEnd, Applied, Retained, RetentionPolicy, Store, StoreError, StoreOptions,
};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Row};

/// The tests' current time: 2026-03-04T10:00:00Z.
pub(crate) const NOW: Timestamp = Timestamp::from_ms(1_772_618_400_000);
pub(crate) const DAY_MS: i64 = 86_400_000;
pub(crate) const FLEET: &str = "fleet-11112222-aaaa-4bbb-8ccc-333344445555";

pub(crate) struct Place {
    pub(crate) folder: tempfile::TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("account.sqlite")
    }

    pub(crate) async fn try_open(&self, access: Access) -> Result<Store, StoreError> {
        let account = Some(AccountId::from("111122223333"));
        Store::open(StoreOptions { path: self.path(), access, account, now: NOW }).await
    }

    pub(crate) async fn open(&self) -> Store {
        self.try_open(Access::ReadWrite).await.unwrap()
    }

    /// A plain connection that bypasses the store.
    pub(crate) async fn look(&self) -> SqliteConnection {
        SqliteConnectOptions::new().filename(self.path()).connect().await.unwrap()
    }

    /// The single number that a query returns.
    pub(crate) async fn number(&self, statement: &'static str) -> i64 {
        sqlx::query(statement).fetch_one(&mut self.look().await).await.unwrap().try_get(0).unwrap()
    }
}

pub(crate) fn region() -> Region {
    Region::from("eu-west-1")
}

pub(crate) fn batch(at: Timestamp, observations: Vec<Observation>) -> Batch {
    Batch { region: region(), observed_at: at, observations }
}

pub(crate) async fn apply(store: &Store, at: Timestamp, observations: Vec<Observation>) -> Applied {
    store.writer().unwrap().apply(batch(at, observations)).await.unwrap()
}

/// Runs retention on a day that AWS confirms.
pub(crate) async fn retain(store: &Store) -> Retained {
    let writer = store.writer().unwrap();
    writer.listen_to(Arc::new(|| Some(NOW)));
    let retained = writer.retain(NOW, RetentionPolicy::default()).await.unwrap();
    assert_eq!(retained.failed, Vec::<String>::new());
    retained
}

pub(crate) fn session_id(number: u32) -> GameSessionId {
    GameSessionId::new(format!(
        "arn:aws:gamelift:eu-west-1::gamesession/{FLEET}/eu-north-1/{}",
        uuid(1, number)
    ))
}

pub(crate) fn uuid(kind: u32, number: u32) -> String {
    format!("{kind:08x}-0000-4000-8000-{number:012x}")
}

pub(crate) fn session(number: u32) -> GameSession {
    GameSession {
        game_session_id: session_id(number),
        name: Some(format!("match-{number}")),
        fleet_id: FleetId::from(FLEET),
        location: Some("eu-north-1".into()),
        status: GameSessionStatus::Active,
        status_reason: None,
        creation_time: NOW.plus_ms(-60_000),
        termination_time: None,
        current_player_session_count: 2,
        maximum_player_session_count: 8,
        player_session_creation_policy: Some("ACCEPT_ALL".to_owned()),
        creator_id: None,
        game_properties: vec![GameProperty { key: "mode".to_owned(), value: "ranked".to_owned() }],
        ip_address: Some("203.0.113.24".to_owned()),
        dns_name: Some("ec2-203-0-113-24.eu-north-1.compute.amazonaws.com".to_owned()),
        port: Some(7777),
        game_session_data: None,
        matchmaker_data: Some(format!("{{\"matchId\":\"{}\",\"teams\":[]}}", "x".repeat(400))),
        compute_name: Some("i-0abc1234def567890".to_owned()),
        player_gateway_status: None,
        protection_policy: None,
    }
}

pub(crate) fn player_session(session: u32, number: u32) -> PlayerSession {
    PlayerSession {
        player_session_id: format!("psess-{}", uuid(2, session * 100 + number)).into(),
        player_id: format!("player-{number}").into(),
        game_session_id: session_id(session),
        fleet_id: FleetId::from(FLEET),
        creation_time: NOW.plus_ms(-30_000),
        termination_time: None,
        status: PlayerSessionStatus::Active,
        player_data: (number == 1).then(|| "skill=7".to_owned()),
    }
}

pub(crate) fn placement(number: u32) -> PlacementEvent {
    PlacementEvent {
        placement_id: format!("placement-{number}").into(),
        event_type: PlacementEventType::Fulfilled,
        event_id: Some(uuid(3, number)),
        queue: "arena".into(),
        region: region(),
        event_time: NOW,
        start_time: Some(NOW.plus_ms(-2_000)),
        end_time: Some(NOW),
        game_session_id: Some(session_id(number)),
        game_session_location: Some("eu-north-1".into()),
        game_session_region: Some(region()),
        ip_address: Some("203.0.113.24".to_owned()),
        dns_name: None,
        port: Some(7777),
        compute_name: None,
        custom_event_data: None,
        placed_player_sessions: vec![PlacedPlayerSession {
            player_id: format!("player-{number}").into(),
            player_session_id: format!("psess-{}", uuid(2, number)).into(),
        }],
    }
}

pub(crate) fn fleet() -> Fleet {
    Fleet {
        fleet_id: FleetId::from(FLEET),
        fleet_arn: None,
        region: region(),
        kind: ComputeKind::Ec2OnDemand,
        name: Some("eu-prod".to_owned()),
        description: None,
        status: FleetStatus::Active,
        instance_type: Some("c6i.large".to_owned()),
        creation_time: Some(NOW.plus_ms(-86_400_000)),
        termination_time: None,
        build_id: Some("build-1".into()),
        script_id: None,
        operating_system: Some("AMAZON_LINUX_2023".to_owned()),
        new_game_session_protection_policy: None,
        creator_limit: None,
        metric_groups: Vec::new(),
        stopped_actions: Vec::new(),
        instance_role_arn: None,
        certificate_type: None,
        anywhere_cost: None,
        player_gateway_mode: None,
        container: None,
    }
}

pub(crate) fn policy(target: f64) -> ScalingPolicy {
    ScalingPolicy {
        fleet_id: FleetId::from(FLEET),
        name: "buffer".to_owned(),
        location: Some("eu-north-1".into()),
        status: Some("ACTIVE".to_owned()),
        policy_type: PolicyType::TargetBased,
        metric_name: "PercentAvailableGameSessions".to_owned(),
        target_value: Some(target),
        comparison_operator: None,
        threshold: None,
        evaluation_periods: None,
        scaling_adjustment_type: None,
        scaling_adjustment: None,
        update_status: None,
    }
}

pub(crate) fn capacity(desired: i32, active: i32) -> FleetCapacity {
    FleetCapacity {
        fleet_id: FleetId::from(FLEET),
        location: "eu-north-1".into(),
        desired,
        minimum: 0,
        maximum: 20,
        pending: 0,
        active,
        idle: 0,
        terminating: 0,
        zero_capacity_strategy: None,
        container_groups: None,
    }
}

pub(crate) fn utilization(sessions: i32) -> FleetUtilization {
    FleetUtilization {
        fleet_id: FleetId::from(FLEET),
        location: "eu-north-1".into(),
        active_server_process_count: 40,
        active_game_session_count: sessions,
        current_player_session_count: sessions * 6,
        maximum_player_session_count: 320,
    }
}

/// An attempt to change something, about to be sent.
pub(crate) fn attempt(number: u32, request: Request) -> Activity {
    let about = request.resource();
    Activity {
        fleet_id: about.fleet_id,
        name: Some("eu-prod".to_owned()),
        facts: vec![FactChange {
            label: "Desired instances".to_owned(),
            before: Some("4".to_owned()),
            after: Some("8".to_owned()),
        }],
        ..Activity::sending(
            ActivityId::new(uuid(9, number)),
            NOW.plus_ms(i64::from(number)),
            Action { region: region(), request },
        )
    }
}

pub(crate) fn set_desired(desired: i32) -> Request {
    Request::UpdateFleetCapacity(UpdateFleetCapacity {
        fleet_id: FLEET.into(),
        location: Some("eu-north-1".into()),
        desired_instances: Some(desired),
        min_size: None,
        max_size: None,
    })
}

pub(crate) fn repoint(fleet_id: &str) -> Request {
    Request::UpdateAlias(UpdateAlias {
        alias_id: "alias-1".into(),
        name: None,
        description: None,
        routing: Some(RoutingStrategy::Simple { fleet_id: fleet_id.into() }),
    })
}

/// AWS's answer a moment after the attempt.
pub(crate) fn answer(activity: &Activity, outcome: ActivityOutcome) -> ActivityEnd {
    ActivityEnd {
        request_id: Some(format!("request-{}", activity.id)),
        caller_arn: Some("arn:aws:iam::111122223333:user/ada".to_owned()),
        ..ActivityEnd::new(outcome, activity.at.plus_ms(200))
    }
}

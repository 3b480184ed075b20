//! A database in its own folder, and records that can be varied.

use liftdeck_insight::Rule;
use liftdeck_insight::verdict::{InForce, Verdict, look};
use liftdeck_model::alias::{Alias, RoutingStrategy};
use liftdeck_model::feed::{Adoption, ForeignBodies, QuarantineReason, QuarantinedMessage};
use liftdeck_model::fleet::{
    ComputeKind, Fleet, FleetCapacity, FleetStatus, FleetUtilization, PolicyType, ScalingPolicy,
};
use liftdeck_model::game_session::{GameSession, GameSessionStatus};
use liftdeck_model::observation::{Batch, Listing, Observation, Poll, PollKind, PollSubject};
use liftdeck_model::placement::{PlacementEvent, PlacementEventType};
use liftdeck_model::player_session::{PlayerSession, PlayerSessionStatus};
use liftdeck_model::queue::GameSessionQueue;
use liftdeck_model::{FleetId, GameSessionId, Timestamp};
use liftdeck_store::{Access, Reader, Store, StoreOptions, Writer};

const MINUTE: i64 = 60_000;

/// The current time in the tests: 2026-03-04T10:00:00Z.
pub(crate) const NOW: Timestamp = Timestamp::from_ms(1_772_618_400_000);

/// So many minutes before now.
pub(crate) fn ago(minutes: i64) -> Timestamp {
    NOW.plus_ms(-minutes * MINUTE)
}

pub(crate) struct World {
    store: Store,
    /// Deleted with its content when the test ends.
    _folder: tempfile::TempDir,
}

impl World {
    pub(crate) async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("world.sqlite");
        let options = StoreOptions { path, access: Access::ReadWrite, account: None, now: NOW };
        Self { store: Store::open(options).await.unwrap(), _folder: folder }
    }

    pub(crate) async fn saw(&self, at: Timestamp, observations: Vec<Observation>) {
        let batch = Batch { region: "eu-west-1".into(), observed_at: at, observations };
        self.store.writer().unwrap().apply(batch).await.unwrap();
    }

    /// That the game sessions of a fleet were read again and again from then on, every ten minutes and now.
    pub(crate) async fn watched(&self, fleet: &str, from: Timestamp) {
        let mut at = from;
        while at <= NOW {
            self.read_game_sessions(fleet, at).await;
            at = at.plus_ms(10 * MINUTE);
        }
    }

    /// That all game sessions of a fleet were read.
    pub(crate) async fn read_game_sessions(&self, fleet: &str, at: Timestamp) {
        let subject = PollSubject { kind: PollKind::GameSessions, resource: id(fleet).to_string() };
        let poll = Poll { subject, at, took_ms: 0, failure: None };
        self.saw(at, vec![Observation::Poll(poll)]).await;
    }

    pub(crate) fn reader(&self) -> Reader {
        self.store.reader()
    }

    /// What a rule finds now.
    pub(crate) async fn found(&self, rule: Rule, in_force: &InForce) -> Option<Verdict> {
        let seen = look(&self.reader(), in_force, NOW).await.unwrap();
        seen.verdicts.into_iter().find(|verdict| verdict.rule == rule)
    }

    pub(crate) fn writer(&self) -> Writer {
        self.store.writer().unwrap()
    }

    pub(crate) async fn close(self) {
        self.store.close().await;
    }
}

fn id(name: &str) -> FleetId {
    FleetId::new(format!("fleet-{name}"))
}

pub(crate) fn fleet(name: &str) -> Fleet {
    Fleet {
        fleet_id: id(name),
        fleet_arn: None,
        region: "eu-west-1".into(),
        kind: ComputeKind::Ec2Spot,
        name: Some(name.to_owned()),
        description: None,
        status: FleetStatus::Active,
        instance_type: Some("c6i.large".to_owned()),
        creation_time: Some(NOW.plus_ms(-86_400_000)),
        termination_time: None,
        build_id: None,
        script_id: None,
        operating_system: None,
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

pub(crate) fn capacity(name: &str, desired: i32, active: i32) -> FleetCapacity {
    FleetCapacity {
        fleet_id: id(name),
        location: "eu-west-1".into(),
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

pub(crate) fn utilization(name: &str, processes: i32, sessions: i32) -> FleetUtilization {
    FleetUtilization {
        fleet_id: id(name),
        location: "eu-west-1".into(),
        active_server_process_count: processes,
        active_game_session_count: sessions,
        current_player_session_count: sessions * 5,
        maximum_player_session_count: processes * 10,
    }
}

fn session_id(number: u32) -> GameSessionId {
    GameSessionId::new(format!("arn:aws:gamelift:eu-west-1::gamesession/fleet-calm/eu-west-1/s-{number}"))
}

pub(crate) fn session(number: u32, created: Timestamp) -> GameSession {
    GameSession {
        game_session_id: session_id(number),
        name: None,
        fleet_id: id("calm"),
        location: Some("eu-west-1".into()),
        status: GameSessionStatus::Active,
        status_reason: None,
        creation_time: created,
        termination_time: None,
        current_player_session_count: 0,
        maximum_player_session_count: 8,
        player_session_creation_policy: Some("ACCEPT_ALL".to_owned()),
        creator_id: None,
        game_properties: Vec::new(),
        ip_address: None,
        dns_name: None,
        port: None,
        game_session_data: None,
        matchmaker_data: None,
        compute_name: None,
        player_gateway_status: None,
        protection_policy: None,
    }
}

pub(crate) fn player(session: u32, number: u32, from: Timestamp, to: Option<Timestamp>) -> PlayerSession {
    PlayerSession {
        player_session_id: format!("psess-{session}-{number}").into(),
        player_id: format!("player-{number}").into(),
        game_session_id: session_id(session),
        fleet_id: id("calm"),
        creation_time: from,
        termination_time: to,
        status: if to.is_some() { PlayerSessionStatus::Completed } else { PlayerSessionStatus::Active },
        player_data: None,
    }
}

pub(crate) fn placement(number: u32, event_type: PlacementEventType) -> PlacementEvent {
    let made = event_type == PlacementEventType::Fulfilled;
    PlacementEvent {
        placement_id: format!("placement-{number}").into(),
        event_type,
        event_id: None,
        queue: "arena".into(),
        region: "eu-west-1".into(),
        event_time: NOW.plus_ms(-i64::from(number) * 1_000),
        start_time: Some(NOW.plus_ms(-i64::from(number) * 1_000 - 2_000)),
        end_time: Some(NOW.plus_ms(-i64::from(number) * 1_000)),
        game_session_id: made.then(|| session_id(number)),
        game_session_location: None,
        game_session_region: None,
        ip_address: None,
        dns_name: None,
        port: None,
        compute_name: None,
        custom_event_data: None,
        placed_player_sessions: Vec::new(),
    }
}

/// An event queue that is listened to since `adopted_at`.
pub(crate) fn adoption(adopted_at: Timestamp) -> Adoption {
    Adoption {
        queue_arn: "arn:aws:sqs:eu-west-1:111122223333:events".to_owned(),
        queue_url: "https://sqs.eu-west-1.amazonaws.com/111122223333/events".to_owned(),
        region: "eu-west-1".into(),
        queue_created_at: adopted_at.plus_ms(-600_000),
        adopted_at,
        adopted_by: None,
        foreign_bodies: ForeignBodies::Leave,
        halted: None,
    }
}

pub(crate) fn quarantined() -> QuarantinedMessage {
    QuarantinedMessage {
        message_id: "message-1".to_owned(),
        queue_url: "https://sqs.eu-west-1.amazonaws.com/111122223333/events".to_owned(),
        region: "eu-west-1".into(),
        received_at: NOW.plus_ms(-60_000),
        reason: QuarantineReason::UnknownType,
        detail: "the placement event type `PlacementPostponed` is not known".to_owned(),
        body: String::new(),
        waiting: None,
    }
}

/// That the attributes, capacity and utilization of a fleet were read.
pub(crate) fn counted(name: &str, at: Timestamp) -> Vec<Observation> {
    let of = id(name).to_string();
    let subjects = [
        (PollKind::Fleets, String::new()),
        (PollKind::FleetCapacity, of.clone()),
        (PollKind::FleetUtilization, of),
    ];
    let read = subjects.map(|(kind, resource)| {
        let subject = PollSubject { kind, resource };
        Observation::Poll(Poll { subject, at, took_ms: 30, failure: None })
    });
    read.to_vec()
}

/// A failed poll of the Region's fleets.
pub(crate) fn failing(at: Timestamp) -> Observation {
    let subject = PollSubject { kind: PollKind::Fleets, resource: String::new() };
    Observation::Poll(Poll { subject, at, took_ms: 30_000, failure: Some("no answer in 30 s".to_owned()) })
}

/// A policy that keeps 20 % of the processes of `fleet-arena` free.
pub(crate) fn policy() -> ScalingPolicy {
    ScalingPolicy {
        fleet_id: "fleet-arena".into(),
        name: "target".to_owned(),
        location: None,
        status: Some("ACTIVE".to_owned()),
        policy_type: PolicyType::TargetBased,
        metric_name: "PercentAvailableGameSessions".to_owned(),
        target_value: Some(20.0),
        comparison_operator: None,
        threshold: None,
        evaluation_periods: None,
        scaling_adjustment_type: None,
        scaling_adjustment: None,
        update_status: None,
    }
}

/// A queue that is listened to.
pub(crate) fn queue(destinations: Vec<String>) -> GameSessionQueue {
    GameSessionQueue {
        name: "arena".into(),
        region: "eu-west-1".into(),
        arn: None,
        timeout_seconds: Some(60),
        destinations,
        player_latency_policies: Vec::new(),
        allowed_locations: Vec::new(),
        priority_order: Vec::new(),
        location_order: Vec::new(),
        custom_event_data: None,
        notification_target: Some("arn:aws:sns:eu-west-1:111122223333:events".to_owned()),
    }
}

/// The only alias, `live`.
pub(crate) fn alias_to(routing: RoutingStrategy) -> Observation {
    alias_updated(routing, None)
}

/// The only alias, `live`, and when it was updated last.
pub(crate) fn alias_updated(routing: RoutingStrategy, last_updated_time: Option<Timestamp>) -> Observation {
    let alias = Alias {
        alias_id: "alias-live".into(),
        alias_arn: None,
        region: "eu-west-1".into(),
        name: "live".to_owned(),
        description: None,
        routing,
        creation_time: None,
        last_updated_time,
    };
    Observation::Aliases(Listing::complete(vec![alias]))
}

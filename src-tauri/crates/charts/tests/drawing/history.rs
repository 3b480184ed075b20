//! Three hours of a fleet that grows to its limit, with its placements.

use liftdeck_model::Timestamp;
use liftdeck_model::fleet::{
    ComputeKind, Fleet, FleetCapacity, FleetEvent, FleetStatus, FleetUtilization, PolicyType, ScalingPolicy,
};
use liftdeck_model::observation::{Batch, Listing, Observation};
use liftdeck_model::placement::{PlacementEvent, PlacementEventType};
use liftdeck_store::{Access, Store, StoreOptions};

pub(crate) const FROM: Timestamp = Timestamp::from_ms(1_772_618_400_000);
pub(crate) const MINUTES: i64 = 180;
pub(crate) const FLEET: &str = "fleet-2fa91c40-5b1e-4c3a-9d2f-6a7c8e9b07be";

pub(crate) fn at(minute: i64) -> Timestamp {
    FROM.plus_ms(minute * 60_000)
}

fn fleet() -> Fleet {
    Fleet {
        fleet_id: FLEET.into(),
        fleet_arn: None,
        region: "eu-west-1".into(),
        kind: ComputeKind::Ec2OnDemand,
        name: Some("arena-ranked-eu".to_owned()),
        description: None,
        status: FleetStatus::Active,
        instance_type: Some("c6i.xlarge".to_owned()),
        creation_time: None,
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

fn policy(target: f64) -> Observation {
    let policy = ScalingPolicy {
        fleet_id: FLEET.into(),
        name: "track-free".to_owned(),
        location: Some("eu-west-1".into()),
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
    };
    Observation::ScalingPolicies(FLEET.into(), Listing::complete(vec![policy]))
}

/// Desired instances at a minute: from 22 up to the limit of 40, in steps.
fn desired(minute: i64) -> i32 {
    const STEPS: [(i64, i32); 7] = [(25, 22), (52, 25), (80, 24), (105, 28), (130, 31), (150, 35), (165, 38)];
    STEPS.iter().find(|(until, _)| minute < *until).map_or(40, |(_, desired)| *desired)
}

fn figures(minute: i64) -> Vec<Observation> {
    let active = desired(minute - 4);
    let processes = active * 8;
    let wave = (minute as f64 / 9.0).sin() * 9.0;
    let sessions = ((150.0 + minute as f64 * 0.98 + wave) as i32).min(processes);
    let sessions = if minute > 168 { processes } else { sessions };
    let capacity = FleetCapacity {
        fleet_id: FLEET.into(),
        location: "eu-west-1".into(),
        desired: desired(minute),
        minimum: 8,
        maximum: 40,
        pending: desired(minute) - active.min(desired(minute)),
        active,
        idle: (active - sessions / 8).clamp(0, 3),
        terminating: 0,
        zero_capacity_strategy: None,
        container_groups: None,
    };
    let utilization = FleetUtilization {
        fleet_id: FLEET.into(),
        location: "eu-west-1".into(),
        active_server_process_count: processes,
        active_game_session_count: sessions,
        current_player_session_count: (f64::from(sessions) * 5.6) as i32,
        maximum_player_session_count: processes * 10,
    };
    vec![Observation::FleetCapacity(capacity), Observation::FleetUtilization(utilization)]
}

fn event(minute: i64, code: &str) -> FleetEvent {
    FleetEvent {
        event_id: format!("event-{minute}"),
        fleet_id: FLEET.into(),
        event_code: code.into(),
        message: None,
        event_time: at(minute),
        count: 1,
        has_log: false,
    }
}

fn placement(minute: i64, number: i64) -> PlacementEvent {
    let failed = minute > 165 && number % 4 == 0;
    PlacementEvent {
        placement_id: format!("placement-{minute}-{number}").into(),
        event_type: if failed { PlacementEventType::TimedOut } else { PlacementEventType::Fulfilled },
        event_id: None,
        queue: "arena".into(),
        region: "eu-west-1".into(),
        event_time: at(minute).plus_ms(number * 3_000),
        start_time: Some(at(minute)),
        end_time: Some(at(minute).plus_ms(number * 3_000)),
        game_session_id: None,
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

async fn open(folder: &std::path::Path) -> Store {
    let path = folder.join("charts.sqlite");
    Store::open(StoreOptions { path, access: Access::ReadWrite, account: None, now: FROM }).await.unwrap()
}

/// Creates a store that contains the whole history, and the same hours of three working days before.
pub(crate) async fn filled_for_days(folder: &std::path::Path) -> Store {
    const DAY: i64 = 24 * 60;
    let store = open(folder).await;
    for day in [5, 2, 1] {
        for minute in (-120..MINUTES + 120).step_by(10).map(|minute| minute - day * DAY) {
            let mut observations = figures(minute);
            observations.insert(0, Observation::Fleets(Listing::complete(vec![fleet()])));
            observations.push(Observation::PlacementEvents(
                (0..90).map(|number| placement(minute, number)).collect(),
            ));
            let batch = Batch { region: "eu-west-1".into(), observed_at: at(minute), observations };
            store.writer().unwrap().apply(batch).await.unwrap();
        }
    }
    fill(&store).await;
    store
}

/// Creates a store that contains the whole history.
pub(crate) async fn filled(folder: &std::path::Path) -> Store {
    let store = open(folder).await;
    fill(&store).await;
    store
}

async fn fill(store: &Store) {
    let writer = store.writer().unwrap();
    for minute in 0..MINUTES {
        // Nothing was polled for a while: a gap.
        if (60..72).contains(&minute) {
            continue;
        }
        let mut observations = figures(minute);
        if minute == 0 {
            observations.insert(0, Observation::Fleets(Listing::complete(vec![fleet()])));
            observations.push(policy(20.0));
        }
        if minute == 137 {
            observations.push(policy(25.0));
        }
        if let 42 | 110 = minute {
            observations
                .push(Observation::FleetEvents(FLEET.into(), vec![event(minute, "SERVER_PROCESS_CRASHED")]));
        }
        if minute == 165 {
            observations
                .push(Observation::FleetEvents(FLEET.into(), vec![event(minute, "FLEET_SCALING_EVENT")]));
        }
        let count = 8 + minute / 20;
        observations
            .push(Observation::PlacementEvents((0..count).map(|number| placement(minute, number)).collect()));
        let batch = Batch { region: "eu-west-1".into(), observed_at: at(minute), observations };
        writer.apply(batch).await.unwrap();
    }
}

//! Past steps are judged by the automatic scaling settings of their time, not by the current ones.

use liftdeck_insight::answer::fleet::fleet_list;
use liftdeck_insight::{Cause, Evidence, FleetState, fleet_scaling};
use liftdeck_model::fleet::{FleetCapacity, FleetLocation, FleetStatus, PolicyType, ScalingPolicy};
use liftdeck_model::observation::{Listing, Observation};
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Timestamp};

use crate::world::{NOW, World, capacity, counted, fleet, utilization};

fn ago(minutes: i64) -> Timestamp {
    NOW.plus_ms(-minutes * 60_000)
}

fn rule() -> ScalingPolicy {
    ScalingPolicy {
        fleet_id: "fleet-calm".into(),
        name: "grow".to_owned(),
        location: None,
        status: Some("ACTIVE".to_owned()),
        policy_type: PolicyType::RuleBased,
        metric_name: "IdleInstances".to_owned(),
        target_value: None,
        comparison_operator: Some("LessThanThreshold".to_owned()),
        threshold: Some(2.0),
        evaluation_periods: Some(1),
        scaling_adjustment_type: Some("ChangeInCapacity".to_owned()),
        scaling_adjustment: Some(2),
        update_status: None,
    }
}

fn here(scaling_suspended: bool) -> FleetLocation {
    FleetLocation {
        location: "eu-west-1".into(),
        status: FleetStatus::Active,
        scaling_suspended,
        update_pending: false,
        player_gateway_status: None,
    }
}

/// Polls every four minutes: the desired instances, whether the rule exists, whether scaling is suspended.
async fn lives(world: &World, polls: &[(i64, i32, bool, bool)]) {
    let fleet_id = FleetId::from("fleet-calm");
    for (minutes, desired, is_ruled, is_suspended) in polls {
        let rules = if *is_ruled { vec![rule()] } else { Vec::new() };
        let seen = vec![
            Observation::Fleets(Listing::complete(vec![fleet("calm")])),
            Observation::FleetLocations(fleet_id.clone(), Listing::complete(vec![here(*is_suspended)])),
            Observation::ScalingPolicies(fleet_id.clone(), Listing::complete(rules)),
            Observation::FleetCapacity(capacity("calm", *desired, 4)),
            Observation::FleetUtilization(utilization("calm", 32, 8)),
        ];
        world.saw(ago(*minutes), seen).await;
    }
}

#[tokio::test]
async fn a_step_is_judged_by_the_policies_and_the_suspension_of_its_time() {
    let world = World::new().await;
    lives(
        &world,
        &[
            (56, 4, true, false),
            (52, 4, true, false),
            (48, 6, true, false),
            (44, 6, false, false),
            (34, 6, false, true),
            (30, 8, false, true),
            (20, 8, false, false),
            (10, 9, false, false),
        ],
    )
    .await;
    let hour = TimeRange::new(ago(60), NOW.plus_ms(1));
    let scaling = fleet_scaling(&world.reader(), &"fleet-calm".into(), hour, NOW).await.unwrap().unwrap();
    let told: Vec<_> = scaling.steps.iter().rev().map(|step| (step.to_desired, &step.cause)).collect();
    let ruled = Cause::RulePolicy { policies: vec!["grow".to_owned()] };
    assert_eq!(told, [(6, &ruled), (8, &Cause::Manual), (9, &Cause::Manual)]);
    let evidence = |index: usize| &scaling.steps[index].evidence;
    assert!(evidence(1).contains(&Evidence::Suspended), "suspended then: {:?}", evidence(1));
    assert!(!evidence(0).contains(&Evidence::Suspended), "resumed since: {:?}", evidence(0));
    world.close().await;
}

#[tokio::test]
async fn a_list_of_a_range_that_is_over_has_the_figures_of_its_end() {
    let world = World::new().await;
    for (minutes, desired, sessions) in [(120, 4, 8), (90, 4, 30), (5, 9, 16), (0, 9, 16)] {
        let seen = vec![
            Observation::Fleets(Listing::complete(vec![fleet("calm")])),
            Observation::FleetCapacity(capacity("calm", desired, desired)),
            Observation::FleetUtilization(utilization("calm", 32, sessions)),
        ];
        world.saw(ago(minutes), seen).await;
    }
    world.saw(NOW, counted("calm", NOW)).await;
    let list = async |from, to| {
        let range = TimeRange::new(ago(from), ago(to));
        let list = fleet_list(&world.reader(), range, NOW).await.unwrap();
        let row = &list.rows[0];
        (list.figures_at, row.desired, row.active, row.max, row.game_sessions, row.state)
    };
    assert_eq!(list(60, 0).await, (None, 9, 9, 20, 16, FleetState::Good));
    assert_eq!(list(120, 88).await, (Some(ago(88)), 4, 4, 20, 30, FleetState::Warning));
    assert_eq!(list(300, 240).await, (Some(ago(240)), 0, 0, 0, 0, FleetState::Unknown));
    world.close().await;
}

#[tokio::test]
async fn steps_are_the_same_at_every_zoom() {
    let world = World::new().await;
    let seconds_ago = |seconds: i64| NOW.plus_ms(-seconds * 1_000);
    // A poll every 20 s for an hour and a half: three steps within a minute and a half, each active 3 min later.
    for poll in (0..270).rev() {
        let at = poll * 20;
        let stepped = |since: i64| i32::from(at <= since);
        let desired = 4 + stepped(2_400) + stepped(2_360) + stepped(2_320);
        let active = 4 + stepped(2_220) + stepped(2_180) + stepped(2_140);
        // At its maximum with nothing free for ten minutes.
        let sessions = if (600..=1_200).contains(&at) { 56 } else { 40 };
        let maximum = if at <= 2_320 { 7 } else { 20 };
        let seen = vec![
            Observation::Fleets(Listing::complete(vec![fleet("calm")])),
            Observation::FleetCapacity(FleetCapacity { maximum, ..capacity("calm", desired, active) }),
            Observation::FleetUtilization(utilization("calm", 56, sessions)),
        ];
        world.saw(seconds_ago(at), seen).await;
    }
    let reader = world.reader();
    let mut told = Vec::new();
    let soon = NOW.plus_ms(1);
    let always = (Timestamp::from_ms(0), Timestamp::from_ms(4_000_000_000_000));
    let since = |from| (from, soon);
    let zooms = [seconds_ago(3_000), ago(3 * 60), ago(24 * 60), ago(30 * 24 * 60)].map(since);
    for (from, to) in zooms.into_iter().chain([always]) {
        let range = TimeRange::new(from, to);
        let scaling = fleet_scaling(&reader, &"fleet-calm".into(), range, NOW).await.unwrap().unwrap();
        told.push((scaling.steps, scaling.capped_ranges));
    }
    let (steps, capped) = &told[1];
    let moves: Vec<_> = steps.iter().rev().map(|step| (step.from_desired, step.to_desired)).collect();
    assert_eq!(moves, [(4, 5), (5, 6), (6, 7)]);
    assert_eq!(steps[0].to_active_ms, Some(180_000));
    assert_eq!(capped.len(), 1);
    for other in &told {
        assert_eq!(other, &told[1]);
    }
    // A range that ends before the instances were active does not make them late.
    let early = TimeRange::new(ago(3 * 60), seconds_ago(2_300));
    let scaling = fleet_scaling(&reader, &"fleet-calm".into(), early, NOW).await.unwrap().unwrap();
    assert_eq!(&scaling.steps, steps);
    world.close().await;
}

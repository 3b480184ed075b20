//! Past steps are judged by the automatic scaling settings of their time, not by the current ones.

use liftdeck_insight::{Cause, Evidence, fleet_scaling};
use liftdeck_model::fleet::{FleetLocation, FleetStatus, PolicyType, ScalingPolicy};
use liftdeck_model::observation::{Listing, Observation};
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Timestamp};

use crate::world::{NOW, World, capacity, fleet, utilization};

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

//! Changes of fleets.

use std::collections::BTreeSet;

use liftdeck_model::FleetId;
use liftdeck_model::fleet::ProtectionPolicy;

use super::*;

#[tokio::test]
async fn a_fleet_is_resized_rescaled_suspended_and_protected() {
    let desk = Desk::open().await;
    let fleet = desk.fleet().await.fleet_id;
    let before = desk.reader.capacity(&fleet, None).await.unwrap().unwrap();
    let capacity = |fleet: &FleetId, most| {
        Request::UpdateFleetCapacity(UpdateFleetCapacity {
            fleet_id: fleet.clone(),
            location: Some(desk.world.region.as_str().into()),
            desired_instances: None,
            min_size: None,
            max_size: Some(most),
        })
    };
    assert_eq!(desk.made(capacity(&fleet, before.maximum + 1)).await, Made::Nothing);
    desk.pass(120).await;
    let after = desk.reader.capacity(&fleet, None).await.unwrap().unwrap();
    assert_eq!(after.maximum, before.maximum + 1);
    desk.refused(capacity(&NO_FLEET.into(), 1), "NotFoundException").await;
    assert_eq!(desk.reader.capacity(&NO_FLEET.into(), None).await, Ok(None));
    desk.refused(capacity(&fleet, -1), "InvalidRequestException").await;

    let rule = RuleBasedScaling {
        metric_name: "IdleInstances".to_owned(),
        comparison_operator: "GreaterThanThreshold".to_owned(),
        threshold: 2.5,
        evaluation_periods: 5,
        scaling_adjustment_type: "ChangeInCapacity".to_owned(),
        scaling_adjustment: -1,
    };
    for (name, rule) in [
        ("keep free", ScalingRule::TargetBased { target_value: 25.0 }),
        ("shrink", ScalingRule::RuleBased(rule)),
    ] {
        let put = PutScalingPolicy { fleet_id: fleet.clone(), name: name.to_owned(), rule };
        // A fleet has one target-based policy at most, so its own ones make room; each is listed once a location.
        let old = desk.reader.scaling_policies(&fleet).await.items.into_iter().map(|policy| policy.name);
        for name in old.collect::<BTreeSet<_>>() {
            let delete = DeleteScalingPolicy { fleet_id: fleet.clone(), name };
            assert_eq!(desk.made(Request::DeleteScalingPolicy(delete)).await, Made::Nothing);
        }
        desk.pass(120).await;
        desk.made(Request::PutScalingPolicy(put)).await;
        let found = desk.reader.scaling_policies(&fleet).await.items;
        assert!(found.iter().any(|policy| policy.name == name), "{name}: {found:?}");
    }
    let gone = DeleteScalingPolicy { fleet_id: fleet.clone(), name: "never-was".to_owned() };
    desk.refused(Request::DeleteScalingPolicy(gone), "NotFoundException").await;

    let actions = |fleet: &FleetId| SetFleetActions { fleet_id: fleet.clone(), location: None };
    let suspended = async || {
        let found = desk.reader.fleet(&fleet).await.unwrap().unwrap();
        !found.stopped_actions.is_empty()
    };
    desk.made(Request::StopFleetActions(actions(&fleet))).await;
    desk.pass(120).await;
    assert!(suspended().await);
    desk.made(Request::StartFleetActions(actions(&fleet))).await;
    desk.pass(120).await;
    assert!(!suspended().await);
    desk.refused(Request::StopFleetActions(actions(&NO_FLEET.into())), "NotFoundException").await;

    let protect = |fleet: FleetId| {
        Request::UpdateFleetAttributes(UpdateFleetAttributes {
            fleet_id: fleet,
            new_game_session_protection_policy: Protection::FullProtection,
        })
    };
    desk.made(protect(fleet.clone())).await;
    let found = desk.reader.fleet(&fleet).await.unwrap().unwrap();
    assert_eq!(found.new_game_session_protection_policy, Some(ProtectionPolicy::FullProtection));
    desk.refused(protect(NO_FLEET.into()), "NotFoundException").await;
    assert_eq!(desk.reader.fleet(&NO_FLEET.into()).await, Ok(None));
}

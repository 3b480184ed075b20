//! Changes to fleets.

use std::collections::BTreeSet;

use liftdeck_model::FleetId;
use liftdeck_model::fleet::ProtectionPolicy;

use super::*;

#[tokio::test]
async fn a_fleet_is_resized_rescaled_suspended_and_protected() {
    let bench = Bench::open().await;
    let fleet = bench.fleet().await.fleet_id;
    let before = bench.reader.capacity(&fleet, None).await.unwrap().unwrap();
    let capacity = |fleet: &FleetId, most| {
        Request::UpdateFleetCapacity(UpdateFleetCapacity {
            fleet_id: fleet.clone(),
            location: Some(bench.world.region.as_str().into()),
            desired_instances: None,
            min_size: None,
            max_size: Some(most),
        })
    };
    assert_eq!(bench.made(capacity(&fleet, before.maximum + 1)).await, Made::Nothing);
    bench.pass(120).await;
    let after = bench.reader.capacity(&fleet, None).await.unwrap().unwrap();
    assert_eq!(after.maximum, before.maximum + 1);
    bench.refused(capacity(&NO_FLEET.into(), 1), "NotFoundException").await;
    assert_eq!(bench.reader.capacity(&NO_FLEET.into(), None).await, Ok(None));
    bench.refused(capacity(&fleet, -1), "InvalidRequestException").await;

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
        // A fleet has at most one target-based policy, so the existing ones are deleted first. Each is listed once
        // per location.
        let old = bench.reader.scaling_policies(&fleet).await.items.into_iter().map(|policy| policy.name);
        for name in old.collect::<BTreeSet<_>>() {
            let delete = DeleteScalingPolicy { fleet_id: fleet.clone(), name };
            assert_eq!(bench.made(Request::DeleteScalingPolicy(delete)).await, Made::Nothing);
        }
        bench.pass(120).await;
        bench.made(Request::PutScalingPolicy(put)).await;
        let found = bench.reader.scaling_policies(&fleet).await.items;
        assert!(found.iter().any(|policy| policy.name == name), "{name}: {found:?}");
    }
    let gone = DeleteScalingPolicy { fleet_id: fleet.clone(), name: "never-was".to_owned() };
    bench.refused(Request::DeleteScalingPolicy(gone), "NotFoundException").await;

    let actions = |fleet: &FleetId| SetFleetActions { fleet_id: fleet.clone(), location: None };
    let suspended = async || {
        let found = bench.reader.fleet(&fleet).await.unwrap().unwrap();
        !found.stopped_actions.is_empty()
    };
    bench.made(Request::StopFleetActions(actions(&fleet))).await;
    bench.pass(120).await;
    assert!(suspended().await);
    bench.made(Request::StartFleetActions(actions(&fleet))).await;
    bench.pass(120).await;
    assert!(!suspended().await);
    bench.refused(Request::StopFleetActions(actions(&NO_FLEET.into())), "NotFoundException").await;

    let protect = |fleet: FleetId| {
        Request::UpdateFleetAttributes(UpdateFleetAttributes {
            fleet_id: fleet,
            new_game_session_protection_policy: Protection::FullProtection,
        })
    };
    bench.made(protect(fleet.clone())).await;
    let found = bench.reader.fleet(&fleet).await.unwrap().unwrap();
    assert_eq!(found.new_game_session_protection_policy, Some(ProtectionPolicy::FullProtection));
    bench.refused(protect(NO_FLEET.into()), "NotFoundException").await;
    assert_eq!(bench.reader.fleet(&NO_FLEET.into()).await, Ok(None));
}

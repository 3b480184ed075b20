//! UpdateFleetCapacity, StopFleetActions, StartFleetActions and the scaling policies.

use serde_json::json;

use super::super::trial::Trial;
use super::{capacity, empty, location};

const HOME: &str = "eu-west-1";

#[test]
fn requests_that_break_a_rule_of_capacity_or_scaling_are_refused() {
    let mut trial = Trial::new(HOME);
    let (fleet, container) = (trial.fleet("arena-prod-eu"), trial.fleet("royale-containers-eu"));
    let before = capacity(&mut trial, &fleet, HOME);
    let (ir, nf) = ("InvalidRequestException", "NotFoundException");
    let rule = |leave_out: &str| {
        let mut input = json!({ "Name": "r", "FleetId": fleet, "MetricName": "IdleInstances", "PolicyType": "RuleBased",
            "Threshold": 2, "ComparisonOperator": "GreaterThanThreshold", "EvaluationPeriods": 1,
            "ScalingAdjustment": -1, "ScalingAdjustmentType": "ChangeInCapacity" });
        input.as_object_mut().unwrap().remove(leave_out);
        input
    };
    let target = json!({ "Name": "t", "FleetId": fleet, "PolicyType": "TargetBased",
        "MetricName": "PercentAvailableGameSessions", "TargetConfiguration": { "TargetValue": 10.0 } });
    let with = |name: &str, value: serde_json::Value| {
        let mut input = target.clone();
        input[name] = value;
        input
    };
    trial.refuses(vec![
        ("A1 UpdateFleetCapacity: FleetId required", "UpdateFleetCapacity", json!({}), ir),
        ("A16 WholeNumber: 0..", "UpdateFleetCapacity", json!({ "FleetId": fleet, "MinSize": -1 }), ir),
        ("A1 UpdateFleetCapacity: NF", "UpdateFleetCapacity", json!({ "FleetId": "fleet-0" }), nf),
        ("A1 UpdateFleetCapacity: NF", "UpdateFleetCapacity", json!({ "FleetId": fleet, "Location": "sa-east-1" }), nf),
        ("A14 UpdateFleetCapacity: DesiredInstances must lie in MinSize..MaxSize", "UpdateFleetCapacity",
            json!({ "FleetId": fleet, "DesiredInstances": 17 }), ir),
        ("A14 UpdateFleetCapacity: DesiredInstances must lie in MinSize..MaxSize", "UpdateFleetCapacity",
            json!({ "FleetId": fleet, "DesiredInstances": 1 }), ir),
        ("H5: min/max conflicting with desired is an error", "UpdateFleetCapacity",
            json!({ "FleetId": fleet, "MaxSize": 1, "MinSize": 0 }), ir),
        ("A14 UpdateFleetCapacity: min above max", "UpdateFleetCapacity",
            json!({ "FleetId": fleet, "MinSize": 30 }), ir),
        ("A14 UpdateFleetCapacity: beyond the instance-type limit", "UpdateFleetCapacity",
            json!({ "FleetId": fleet, "MaxSize": 90, "DesiredInstances": 90 }), "LimitExceededException"),
        ("A14 UpdateFleetCapacity: MinSize not with SCALE_TO_AND_FROM_ZERO", "UpdateFleetCapacity",
            json!({ "FleetId": fleet, "MinSize": 0,
                "ManagedCapacityConfiguration": { "ZeroCapacityStrategy": "SCALE_TO_AND_FROM_ZERO" } }), ir),
        ("A14 UpdateFleetCapacity: ScaleInAfterInactivityMinutes 5..1440", "UpdateFleetCapacity",
            json!({ "FleetId": fleet, "ManagedCapacityConfiguration": { "ScaleInAfterInactivityMinutes": 4 } }), ir),
        ("A14 StopFleetActions: exactly one item", "StopFleetActions", json!({ "FleetId": fleet, "Actions": [] }), ir),
        ("A14 StopFleetActions: AUTO_SCALING", "StopFleetActions", json!({ "FleetId": fleet, "Actions": ["ALL"] }), ir),
        ("A1 StartFleetActions: NF", "StartFleetActions",
            json!({ "FleetId": fleet, "Actions": ["AUTO_SCALING"], "Location": "sa-east-1" }), nf),
        ("A14 PutScalingPolicy: at most one target-based policy per fleet", "PutScalingPolicy", target.clone(), ir),
        ("A14 PutScalingPolicy, TargetBased: nothing else", "PutScalingPolicy", with("Threshold", json!(1.0)), ir),
        ("A14 PutScalingPolicy, TargetBased: PercentAvailableGameSessions", "PutScalingPolicy",
            with("MetricName", json!("IdleInstances")), ir),
        ("A14 PutScalingPolicy, TargetBased: TargetConfiguration", "PutScalingPolicy",
            with("TargetConfiguration", json!(null)), ir),
        ("B MetricName", "PutScalingPolicy", with("MetricName", json!("Weather")), ir),
        ("A14 PutScalingPolicy, RuleBased", "PutScalingPolicy", rule("Threshold"), ir),
        ("A14 PutScalingPolicy, RuleBased", "PutScalingPolicy", rule("ComparisonOperator"), ir),
        ("A14 PutScalingPolicy, RuleBased", "PutScalingPolicy", rule("EvaluationPeriods"), ir),
        ("A14 PutScalingPolicy, RuleBased", "PutScalingPolicy", rule("ScalingAdjustment"), ir),
        ("A14 PutScalingPolicy, RuleBased", "PutScalingPolicy", rule("ScalingAdjustmentType"), ir),
        ("A2 PutScalingPolicy: MetricName required", "PutScalingPolicy", rule("MetricName"), ir),
        ("A2 DeleteScalingPolicy: NF", "DeleteScalingPolicy", json!({ "FleetId": container, "Name": "none" }), nf),
    ]);
    assert_eq!(capacity(&mut trial, &fleet, HOME), before, "H5: settings unchanged");
}

#[test]
fn a_manual_desired_count_shows_within_a_minute_where_scaling_is_stopped() {
    let mut trial = Trial::new(HOME);
    let fleet = trial.fleet("arena-prod-eu");
    let away = "eu-central-1";
    let actions = json!({ "FleetId": fleet, "Actions": ["AUTO_SCALING"], "Location": away });
    trial.get("StopFleetActions", actions.clone());
    let stopped = location(&mut trial, &fleet, away);
    assert_eq!(stopped["StoppedActions"], json!(["AUTO_SCALING"]));
    assert_eq!(stopped["UpdateStatus"], "PENDING_UPDATE", "H5: meanwhile");
    assert!(location(&mut trial, &fleet, HOME).get("StoppedActions").is_none(), "A14: per location");
    trial.wait_s(60);
    assert!(location(&mut trial, &fleet, away).get("UpdateStatus").is_none());

    let [_, desired, maximum] = capacity(&mut trial, &fleet, away);
    let wanted = desired + 1;
    let input =
        json!({ "FleetId": fleet, "Location": away, "DesiredInstances": wanted, "MaxSize": maximum + 1 });
    let answer = trial.get("UpdateFleetCapacity", input);
    assert_eq!((&answer["FleetId"], &answer["Location"]), (&json!(fleet), &json!(away)));
    assert_eq!(capacity(&mut trial, &fleet, away)[1..], [desired, maximum + 1], "H5: not at once");
    trial.wait_s(60);
    assert_eq!(capacity(&mut trial, &fleet, away)[1], wanted, "H5: within a minute");
    assert_eq!(trial.event_codes(&fleet)[0], "FLEET_SCALING_EVENT");
    trial.wait_s(600);
    assert_eq!(
        capacity(&mut trial, &fleet, away)[1],
        wanted,
        "H5: policies do not act where scaling is stopped"
    );

    trial.get("StartFleetActions", actions);
    assert!(location(&mut trial, &fleet, away).get("StoppedActions").is_none());
}

#[test]
fn a_target_policy_takes_a_manual_count_back() {
    let mut trial = Trial::new(HOME);
    let fleet = trial.fleet("arena-prod-eu");
    let [_, desired, maximum] = capacity(&mut trial, &fleet, HOME);
    assert!(desired + 3 < maximum);
    trial.get("UpdateFleetCapacity", json!({ "FleetId": fleet, "DesiredInstances": desired + 3 }));
    trial.wait_s(55);
    assert!(capacity(&mut trial, &fleet, HOME)[1] < desired + 3, "H5: overwritten at once");
    assert!(
        trial.event_codes(&fleet).iter().take(4).filter(|code| *code == "FLEET_SCALING_EVENT").count() >= 2
    );
}

#[test]
fn scaling_in_by_hand_ends_unprotected_sessions_and_spares_protected_ones() {
    let mut trial = Trial::new(HOME);
    let live = |trial: &mut Trial, fleet: &str| {
        let input = json!({ "FleetId": fleet, "StatusFilter": "ACTIVE", "Limit": 100 });
        trial.get("DescribeGameSessions", input)["GameSessions"].as_array().unwrap().len()
    };
    for (name, survive) in [("arena-prod-eu", true), ("arena-spot-eu", false)] {
        let fleet = trial.fleet(name);
        empty(&mut trial, &fleet);
        assert!(live(&mut trial, &fleet) > 0);
        trial.wait_s(125);
        assert_eq!(live(&mut trial, &fleet) > 0, survive, "{name}");
    }
}

#[test]
fn a_location_that_scales_to_zero_goes_there_unused_and_comes_back_when_asked() {
    let mut trial = Trial::new("us-east-1");
    let fleet = trial.fleet("arena-canary-us");
    let managed =
        json!({ "ZeroCapacityStrategy": "SCALE_TO_AND_FROM_ZERO", "ScaleInAfterInactivityMinutes": 5 });
    let input = json!({ "FleetId": fleet, "ManagedCapacityConfiguration": managed });
    let answer = trial.get("UpdateFleetCapacity", input);
    assert_eq!(answer["ManagedCapacityConfiguration"], managed, "A14: the output echoes it");
    let shown = trial.get("DescribeFleetCapacity", json!({ "FleetIds": [fleet] }));
    assert_eq!(shown["FleetCapacity"][0]["ManagedCapacityConfiguration"], managed);
    let (mut zero, mut back) = (false, false);
    for _ in 0..300 {
        trial.wait_s(60);
        let [minimum, desired, _] = capacity(&mut trial, &fleet, "us-east-1");
        zero |= (minimum, desired) == (0, 0);
        back |= zero && (minimum, desired) == (1, 1);
    }
    assert!(zero && back, "zero {zero}, back {back}");
}

#[test]
fn policies_are_put_replaced_evaluated_and_deleted() {
    let mut trial = Trial::new(HOME);
    let fleet = trial.fleet("coop-script-eu");
    let rule = |threshold: f64| {
        json!({ "Name": "grow", "FleetId": fleet, "MetricName": "ActiveInstances", "Threshold": threshold,
            "ComparisonOperator": "GreaterThanOrEqualToThreshold", "EvaluationPeriods": 1,
            "ScalingAdjustment": 6, "ScalingAdjustmentType": "ExactCapacity" })
    };
    let policies = |trial: &mut Trial| {
        let answer = trial.get("DescribeScalingPolicies", json!({ "FleetId": fleet, "Location": HOME }));
        answer["ScalingPolicies"].as_array().unwrap().clone()
    };
    assert_eq!(policies(&mut trial).len(), 2);
    assert_eq!(trial.get("PutScalingPolicy", rule(1_000.0)), json!({ "Name": "grow" }));
    let put = policies(&mut trial);
    assert_eq!((put.len(), &put[2]["UpdateStatus"]), (3, &json!("PENDING_UPDATE")));
    trial.wait_s(120);
    assert!(policies(&mut trial)[2].get("UpdateStatus").is_none());
    assert!(capacity(&mut trial, &fleet, HOME)[1] < 6);

    trial.get("PutScalingPolicy", rule(0.0));
    let replaced = policies(&mut trial);
    assert_eq!((replaced.len(), replaced[2]["Threshold"].as_f64()), (3, Some(0.0)), "Name is the key");
    trial.wait_s(125);
    assert_eq!(capacity(&mut trial, &fleet, HOME)[1], 6, "the rule fired");

    for name in ["grow", "add-when-scarce", "remove-when-idle"] {
        let answer = trial.get("DeleteScalingPolicy", json!({ "FleetId": fleet, "Name": name }));
        assert_eq!(answer, json!({}), "A2: no output shape");
    }
    assert!(policies(&mut trial).is_empty());
    let target = json!({ "Name": "keep", "FleetId": fleet, "PolicyType": "TargetBased",
        "MetricName": "PercentAvailableGameSessions", "TargetConfiguration": { "TargetValue": 10.0 } });
    trial.get("PutScalingPolicy", target);
    assert_eq!(policies(&mut trial)[0]["TargetConfiguration"]["TargetValue"], 10.0);
}

#[test]
fn a_location_that_was_never_stopped_is_started_without_effect() {
    let mut trial = Trial::new(HOME);
    let fleet = trial.fleet("arena-prod-eu");
    let before = location(&mut trial, &fleet, HOME);
    let input = json!({ "FleetId": fleet, "Actions": ["AUTO_SCALING"] });
    let answer = trial.get("StartFleetActions", input);
    assert_eq!(answer["FleetId"], fleet);
    assert_eq!(location(&mut trial, &fleet, HOME), before, "A14 StartFleetActions: no effect");
}

#[test]
fn a_location_goes_to_zero_after_half_an_hour_unless_told_otherwise_and_stays_when_set_back() {
    let mut trial = Trial::new("us-east-1");
    let fleet = trial.fleet("arena-canary-us");
    let mut shown = |strategy: &str| {
        let input =
            json!({ "FleetId": fleet, "ManagedCapacityConfiguration": { "ZeroCapacityStrategy": strategy } });
        trial.get("UpdateFleetCapacity", input);
        let capacity = trial.get("DescribeFleetCapacity", json!({ "FleetIds": [fleet] }));
        capacity["FleetCapacity"][0]["ManagedCapacityConfiguration"].clone()
    };
    let managed = shown("SCALE_TO_AND_FROM_ZERO");
    assert_eq!(managed["ScaleInAfterInactivityMinutes"], 30, "A14 UpdateFleetCapacity: default 30");
    let manual = shown("MANUAL");
    assert!(manual["ZeroCapacityStrategy"] != "SCALE_TO_AND_FROM_ZERO", "A14: MANUAL is the default");
}

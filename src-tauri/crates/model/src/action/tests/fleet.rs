//! Form rules of capacity, scaling and protection of fleets.

use crate::fleet::{PolicyType, ScalingPolicy};

use super::*;

#[test]
fn capacity_and_scaling() {
    let capacity = |desired_instances, min_size, max_size| UpdateFleetCapacity {
        fleet_id: "fleet-1".into(),
        location: None,
        desired_instances,
        min_size,
        max_size,
    };
    hold(
        [
            ("A14 UpdateFleetCapacity", capacity(Some(3), Some(1), Some(3)), &[][..]),
            (
                "A14 DesiredInstances in MinSize..MaxSize",
                capacity(Some(0), Some(1), Some(3)),
                &["desiredInstances"],
            ),
            (
                "A14 DesiredInstances in MinSize..MaxSize",
                capacity(Some(4), Some(1), Some(3)),
                &["desiredInstances"],
            ),
            ("H5 min and max in conflict", capacity(None, Some(2), Some(1)), &["minSize"]),
            ("A16 WholeNumber", capacity(None, None, Some(-1)), &["maxSize"]),
            ("our own: nothing to change", capacity(None, None, None), &["desiredInstances"]),
        ],
        Request::UpdateFleetCapacity,
    );
    let put = |rule| PutScalingPolicy { fleet_id: "fleet-1".into(), name: "p".to_owned(), rule };
    let target = |target_value| put(ScalingRule::TargetBased { target_value });
    let rule = || RuleBasedScaling {
        metric_name: "IdleInstances".to_owned(),
        comparison_operator: "LessThanThreshold".to_owned(),
        threshold: 1.0,
        evaluation_periods: 1,
        scaling_adjustment_type: "ChangeInCapacity".to_owned(),
        scaling_adjustment: -1,
    };
    let by = |rule| put(ScalingRule::RuleBased(rule));
    let exactly = |scaling_adjustment| {
        let scaling_adjustment_type = "ExactCapacity".to_owned();
        by(RuleBasedScaling { scaling_adjustment_type, scaling_adjustment, ..rule() })
    };
    hold(
        [
            ("A14 TargetBased", target(100.0), &[][..]),
            ("A14 TargetBased: a percentage", target(0.0), &["targetValue"]),
            ("A14 TargetBased: a percentage", target(100.5), &["targetValue"]),
            ("A14 TargetBased: a percentage", target(f64::NAN), &["targetValue"]),
            ("A14 RuleBased", by(rule()), &[]),
            (
                "B MetricName",
                by(RuleBasedScaling { metric_name: "Idle".to_owned(), ..rule() }),
                &["metricName"],
            ),
            (
                "B ComparisonOperatorType",
                by(RuleBasedScaling { comparison_operator: "<".to_owned(), ..rule() }),
                &["comparisonOperator"],
            ),
            (
                "B ScalingAdjustmentType",
                by(RuleBasedScaling { scaling_adjustment_type: "By".to_owned(), ..rule() }),
                &["scalingAdjustmentType"],
            ),
            (
                "A16 PositiveInteger",
                by(RuleBasedScaling { evaluation_periods: 0, ..rule() }),
                &["evaluationPeriods"],
            ),
            ("A16 Double", by(RuleBasedScaling { threshold: f64::INFINITY, ..rule() }), &["threshold"]),
            ("our own: an exact capacity", exactly(0), &[]),
            ("our own: an exact capacity", exactly(-1), &["scalingAdjustment"]),
            ("A16 NonZeroAndMaxString", PutScalingPolicy { name: String::new(), ..target(20.0) }, &["name"]),
        ],
        Request::PutScalingPolicy,
    );
    let delete = |name: &str| DeleteScalingPolicy { fleet_id: "fleet-1".into(), name: name.to_owned() };
    hold(
        [("A2", delete("p"), &[][..]), ("A16 NonZeroAndMaxString", delete(""), &["name"])],
        Request::DeleteScalingPolicy,
    );
}

#[test]
fn suspension_and_protection() {
    let actions = |fleet: &str, place: Option<&str>| SetFleetActions {
        fleet_id: fleet.into(),
        location: place.map(Into::into),
    };
    for wrap in [Request::StopFleetActions, Request::StartFleetActions] {
        hold(
            [
                ("A14 StopFleetActions", actions("fleet-1", Some("eu-north-1")), &[][..]),
                ("A16 FleetId", actions("x", None), &["fleetId"]),
                ("A16 LocationStringModel", actions("fleet-1", Some("")), &["location"]),
            ],
            wrap,
        );
    }
    let protect = |fleet: &str| UpdateFleetAttributes {
        fleet_id: fleet.into(),
        new_game_session_protection_policy: Protection::FullProtection,
    };
    hold(
        [
            ("A1 UpdateFleetAttributes", protect("fleet-1"), &[][..]),
            ("A1 UpdateFleetAttributes: EC2 and Anywhere", protect("containerfleet-1"), &["fleetId"]),
        ],
        Request::UpdateFleetAttributes,
    );
}

#[test]
fn a_listed_policy_is_put_again_as_it_is_unless_a_part_of_it_is_not_shown() {
    let rule = ScalingPolicy {
        fleet_id: "fleet-1".into(),
        name: "p".to_owned(),
        location: None,
        status: Some("ACTIVE".to_owned()),
        policy_type: PolicyType::RuleBased,
        metric_name: "IdleInstances".to_owned(),
        target_value: None,
        comparison_operator: Some("LessThanThreshold".to_owned()),
        threshold: Some(1.0),
        evaluation_periods: Some(2),
        scaling_adjustment_type: Some("ChangeInCapacity".to_owned()),
        scaling_adjustment: Some(-1),
        update_status: None,
    };
    let put = RuleBasedScaling {
        metric_name: "IdleInstances".to_owned(),
        comparison_operator: "LessThanThreshold".to_owned(),
        threshold: 1.0,
        evaluation_periods: 2,
        scaling_adjustment_type: "ChangeInCapacity".to_owned(),
        scaling_adjustment: -1,
    };
    assert_eq!(ScalingRule::of(&rule), Some(ScalingRule::RuleBased(put)));
    let target = ScalingPolicy { target_value: Some(20.0), ..rule.clone() };
    assert_eq!(ScalingRule::of(&target), Some(ScalingRule::TargetBased { target_value: 20.0 }));
    assert_eq!(ScalingRule::of(&ScalingPolicy { threshold: None, ..rule.clone() }), None);
    let leaving = ScalingPolicy { status: Some("DELETE_REQUESTED".to_owned()), ..rule.clone() };
    assert!(leaving.is_leaving() && !rule.is_leaving());
}

#[test]
fn a_scaling_rule_reads_as_a_sentence() {
    let rule = |comparison: &str, adjustment: &str, scaling_adjustment| {
        let rule = RuleBasedScaling {
            metric_name: "AvailableGameSessions".to_owned(),
            comparison_operator: comparison.to_owned(),
            threshold: 5.0,
            evaluation_periods: 2,
            scaling_adjustment_type: adjustment.to_owned(),
            scaling_adjustment,
        };
        ScalingRule::RuleBased(rule).to_string()
    };
    assert_eq!(
        rule("LessThanThreshold", "ChangeInCapacity", 1),
        "when AvailableGameSessions is below 5 for 2 min, change by +1"
    );
    assert_eq!(
        rule("GreaterThanOrEqualToThreshold", "PercentChangeInCapacity", -10),
        "when AvailableGameSessions is at least 5 for 2 min, change by -10 %"
    );
    assert_eq!(
        rule("GreaterThanThreshold", "ExactCapacity", 0),
        "when AvailableGameSessions is above 5 for 2 min, set to 0"
    );
    let target = ScalingRule::TargetBased { target_value: 12.5 };
    assert_eq!(target.to_string(), "keep 12.5 % of game sessions available");
}

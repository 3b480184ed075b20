//! What a fleet is set to.

use liftdeck_model::fleet::{CreatorLimit, ScalingPolicy};

/// `3 new game sessions in 15 min for each creator`.
pub fn creator_limit(limit: &CreatorLimit) -> Option<String> {
    let most = limit.new_game_sessions_per_creator?;
    let period = limit.policy_period_minutes.map(|minutes| format!(" in {minutes} min")).unwrap_or_default();
    Some(format!("{most} new game sessions{period} for each creator"))
}

/// A rule as a sentence: `when ActiveInstances is below 2 for 5 min, change by +1`.
pub fn scaling_rule(policy: &ScalingPolicy) -> String {
    let comparison = match policy.comparison_operator.as_deref() {
        Some("GreaterThanOrEqualToThreshold") => "is at least",
        Some("GreaterThanThreshold") => "is above",
        Some("LessThanThreshold") => "is below",
        Some("LessThanOrEqualToThreshold") => "is at most",
        Some(other) => other,
        None => "meets",
    };
    let threshold = policy.threshold.map_or_else(|| "its threshold".to_owned(), |value| value.to_string());
    let minutes = policy.evaluation_periods.unwrap_or(1);
    let step = policy.scaling_adjustment.unwrap_or(0);
    let change = match policy.scaling_adjustment_type.as_deref() {
        Some("ExactCapacity") => format!("set to {step}"),
        Some("PercentChangeInCapacity") => format!("change by {step:+} %"),
        _ => format!("change by {step:+}"),
    };
    format!("when {} {comparison} {threshold} for {minutes} min, {change}", policy.metric_name)
}

#[cfg(test)]
mod tests {
    use liftdeck_model::fleet::PolicyType;

    use super::*;

    #[test]
    fn a_rule_reads_as_a_sentence() {
        let policy = ScalingPolicy {
            fleet_id: "fleet-1".into(),
            name: "floor".to_owned(),
            location: None,
            status: Some("ACTIVE".to_owned()),
            policy_type: PolicyType::RuleBased,
            metric_name: "AvailableGameSessions".to_owned(),
            target_value: None,
            comparison_operator: Some("LessThanThreshold".to_owned()),
            threshold: Some(5.0),
            evaluation_periods: Some(2),
            scaling_adjustment_type: Some("ChangeInCapacity".to_owned()),
            scaling_adjustment: Some(1),
            update_status: None,
        };
        assert_eq!(scaling_rule(&policy), "when AvailableGameSessions is below 5 for 2 min, change by +1");
    }
}

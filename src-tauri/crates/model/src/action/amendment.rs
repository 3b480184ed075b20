//! A scaling rule of which only some parts are given.
//!
//! Owns how it becomes a whole one: AWS takes only whole policies, so the parts that are not given are those of the
//! policy that exists.

use std::fmt;

use super::fleet::{RuleBasedScaling, ScalingRule};
use crate::fleet::ScalingPolicy;

/// The given parts of a rule-based scaling policy.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RuleAmendment {
    /// Metric.
    pub metric_name: Option<String>,
    /// Comparison.
    pub comparison_operator: Option<String>,
    /// Threshold of the metric.
    pub threshold: Option<f64>,
    /// Minutes the comparison must hold; 1 for a new rule.
    pub evaluation_periods: Option<i32>,
    /// Kind of the change.
    pub scaling_adjustment_type: Option<String>,
    /// Size of the change, or the new capacity.
    pub scaling_adjustment: Option<i32>,
}

/// Why a rule cannot be completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NothingToAmend {
    /// There is no policy.
    Absent,
    /// The policy is target-based.
    TargetBased,
    /// AWS leaves out a part of the policy.
    Incomplete,
}

impl fmt::Display for NothingToAmend {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Absent => "The policy does not exist yet",
            Self::TargetBased => "The policy is target-based and has no rule to complete",
            Self::Incomplete => "AWS does not show the whole rule of the policy",
        })
    }
}

impl RuleAmendment {
    /// The rule, if every part of it is given.
    pub fn whole(&self) -> Option<RuleBasedScaling> {
        self.evaluation_periods.and_then(|_| self.over(None).ok())
    }

    /// The rule, completed from the existing policy.
    ///
    /// # Errors
    /// When a part is given neither here nor by the policy.
    pub fn over(&self, there: Option<&ScalingPolicy>) -> Result<RuleBasedScaling, NothingToAmend> {
        let rest = match there.and_then(ScalingRule::of) {
            Some(ScalingRule::RuleBased(rule)) => Some(rule),
            Some(ScalingRule::TargetBased { .. }) | None => None,
        };
        self.completed(rest.as_ref()).ok_or(match there.map(|policy| policy.target_value) {
            None => NothingToAmend::Absent,
            Some(Some(_)) => NothingToAmend::TargetBased,
            Some(None) => NothingToAmend::Incomplete,
        })
    }

    /// The rule with valid values for all parts that are not given, so that those given can be checked on their own.
    pub fn plausible(&self) -> Option<RuleBasedScaling> {
        self.completed(Some(&RuleBasedScaling {
            metric_name: "IdleInstances".to_owned(),
            comparison_operator: "GreaterThanThreshold".to_owned(),
            threshold: 0.0,
            evaluation_periods: 1,
            scaling_adjustment_type: "ChangeInCapacity".to_owned(),
            scaling_adjustment: 0,
        }))
    }

    fn completed(&self, rest: Option<&RuleBasedScaling>) -> Option<RuleBasedScaling> {
        let text = |given: &Option<String>, of: fn(&RuleBasedScaling) -> &String| {
            given.clone().or_else(|| rest.map(|rule| of(rule).clone()))
        };
        Some(RuleBasedScaling {
            metric_name: text(&self.metric_name, |rule| &rule.metric_name)?,
            comparison_operator: text(&self.comparison_operator, |rule| &rule.comparison_operator)?,
            threshold: self.threshold.or(rest.map(|rule| rule.threshold))?,
            evaluation_periods: self
                .evaluation_periods
                .or(rest.map(|rule| rule.evaluation_periods))
                .unwrap_or(1),
            scaling_adjustment_type: text(&self.scaling_adjustment_type, |rule| {
                &rule.scaling_adjustment_type
            })?,
            scaling_adjustment: self.scaling_adjustment.or(rest.map(|rule| rule.scaling_adjustment))?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fleet::PolicyType;

    fn there() -> ScalingPolicy {
        ScalingPolicy {
            fleet_id: "fleet-1".into(),
            name: "floor".to_owned(),
            location: None,
            status: Some("ACTIVE".to_owned()),
            policy_type: PolicyType::RuleBased,
            metric_name: "AvailableGameSessions".to_owned(),
            target_value: None,
            comparison_operator: Some("LessThanThreshold".to_owned()),
            threshold: Some(5.0),
            evaluation_periods: Some(7),
            scaling_adjustment_type: Some("PercentChangeInCapacity".to_owned()),
            scaling_adjustment: Some(20),
            update_status: None,
        }
    }

    fn new_rule() -> RuleAmendment {
        RuleAmendment {
            metric_name: Some("IdleInstances".to_owned()),
            comparison_operator: Some("GreaterThanThreshold".to_owned()),
            threshold: Some(4.0),
            scaling_adjustment_type: Some("ChangeInCapacity".to_owned()),
            scaling_adjustment: Some(-1),
            ..RuleAmendment::default()
        }
    }

    #[test]
    fn what_is_not_given_of_a_rule_stays_as_it_is() {
        let amendment = RuleAmendment { threshold: Some(8.0), ..RuleAmendment::default() };
        let whole = ScalingPolicy { threshold: Some(8.0), ..there() };
        let amended = amendment.over(Some(&there())).unwrap();
        assert_eq!(Some(ScalingRule::RuleBased(amended)), ScalingRule::of(&whole));
    }

    #[test]
    fn a_new_rule_needs_every_part_and_holds_for_a_minute() {
        let missing = RuleAmendment { scaling_adjustment: None, ..new_rule() };
        assert_eq!(missing.over(None), Err(NothingToAmend::Absent));
        let rule = new_rule().over(None).unwrap();
        assert_eq!((rule.evaluation_periods, rule.scaling_adjustment), (1, -1));
        assert_eq!(new_rule().whole(), None, "an existing rule may hold for longer");
        assert!(RuleAmendment { evaluation_periods: Some(2), ..new_rule() }.whole().is_some());
    }

    #[test]
    fn a_target_and_half_a_rule_have_nothing_to_take_the_rest_from() {
        let amendment = RuleAmendment { scaling_adjustment: Some(2), ..RuleAmendment::default() };
        let target = ScalingPolicy { target_value: Some(20.0), ..there() };
        assert_eq!(amendment.over(Some(&target)), Err(NothingToAmend::TargetBased));
        let half = ScalingPolicy { threshold: None, ..there() };
        assert_eq!(amendment.over(Some(&half)), Err(NothingToAmend::Incomplete));
    }
}

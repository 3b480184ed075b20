//! Actions on capacity, scaling and protection of fleets.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::game_session::Protection;
use super::rule::Rules;
use crate::fleet::ScalingPolicy;
use crate::id::{FleetId, Location};

/// UpdateFleetCapacity for one location; absent fields stay unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct UpdateFleetCapacity {
    /// Fleet.
    pub fleet_id: FleetId,
    /// Location; the home Region when absent.
    pub location: Option<Location>,
    /// Desired instances.
    pub desired_instances: Option<i32>,
    /// Lower limit of scaling.
    pub min_size: Option<i32>,
    /// Upper limit of scaling.
    pub max_size: Option<i32>,
}

/// PutScalingPolicy: creates the policy if its name is new to the fleet, else replaces it. AWS: applies to all
/// locations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PutScalingPolicy {
    /// Fleet.
    pub fleet_id: FleetId,
    /// Name, 1 to 1024 characters.
    pub name: String,
    /// What it does.
    pub rule: ScalingRule,
}

/// What a scaling policy does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ScalingRule {
    /// Keeps a share of game sessions available (AWS: PercentAvailableGameSessions, one such policy per fleet).
    TargetBased {
        /// Percent, above 0 to 100.
        target_value: f64,
    },
    /// Adjusts capacity when a metric has been past a threshold for a while.
    RuleBased(RuleBasedScaling),
}

/// A rule-based scaling policy; values as the API spells them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RuleBasedScaling {
    /// Metric, such as `IdleInstances`.
    pub metric_name: String,
    /// Comparison, such as `LessThanThreshold`.
    pub comparison_operator: String,
    /// Threshold of the metric.
    pub threshold: f64,
    /// Minutes the comparison must hold, at least 1.
    pub evaluation_periods: i32,
    /// `ChangeInCapacity`, `ExactCapacity` or `PercentChangeInCapacity`.
    pub scaling_adjustment_type: String,
    /// Size of the change, or the new capacity.
    pub scaling_adjustment: i32,
}

/// DeleteScalingPolicy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DeleteScalingPolicy {
    /// Fleet.
    pub fleet_id: FleetId,
    /// Policy.
    pub name: String,
}

/// StopFleetActions and StartFleetActions with AUTO_SCALING, the only action there is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SetFleetActions {
    /// Fleet.
    pub fleet_id: FleetId,
    /// Location; the home Region when absent.
    pub location: Option<Location>,
}

/// UpdateFleetAttributes, for protection only. AWS: affects game sessions created afterwards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct UpdateFleetAttributes {
    /// Fleet.
    pub fleet_id: FleetId,
    /// Protection of new game sessions.
    pub new_game_session_protection_policy: Protection,
}

/// AWS: MetricName.
const METRICS: [&str; 12] = [
    "ActivatingGameSessions",
    "ActiveGameSessions",
    "ActiveInstances",
    "AvailableGameSessions",
    "AvailablePlayerSessions",
    "CurrentPlayerSessions",
    "IdleInstances",
    "PercentAvailableGameSessions",
    "PercentIdleInstances",
    "QueueDepth",
    "WaitTime",
    "ConcurrentActivatableGameSessions",
];

/// AWS: ComparisonOperatorType.
const OPERATORS: [&str; 4] = [
    "GreaterThanOrEqualToThreshold",
    "GreaterThanThreshold",
    "LessThanThreshold",
    "LessThanOrEqualToThreshold",
];

/// AWS: ScalingAdjustmentType.
const ADJUSTMENTS: [&str; 3] = ["ChangeInCapacity", "ExactCapacity", "PercentChangeInCapacity"];

fn place(rules: &mut Rules, location: Option<&Location>) {
    if let Some(location) = location {
        rules.location("location", location.as_str());
    }
}

fn one_of(rules: &mut Rules, field: &str, value: &str, known: &[&str]) {
    rules.require(known.contains(&value), field, || format!("One of {}.", known.join(", ")));
}

impl UpdateFleetCapacity {
    pub(super) fn check(&self, rules: &mut Rules) {
        rules.fleet("fleetId", &self.fleet_id);
        place(rules, self.location.as_ref());
        let sizes = [
            ("desiredInstances", self.desired_instances),
            ("minSize", self.min_size),
            ("maxSize", self.max_size),
        ];
        for (field, size) in sizes {
            rules.require(size.is_none_or(|size| size >= 0), field, || "Not below 0.".to_owned());
        }
        rules.require(sizes.iter().any(|(_, size)| size.is_some()), "desiredInstances", || {
            "Nothing would change.".to_owned()
        });
        if let (Some(least), Some(most)) = (self.min_size, self.max_size) {
            rules.require(least <= most, "minSize", || format!("Minimum {least} is above maximum {most}."));
        }
        // AWS: DesiredInstances must lie in MinSize..MaxSize.
        if let Some(desired) = self.desired_instances {
            let fits = self.min_size.is_none_or(|least| desired >= least)
                && self.max_size.is_none_or(|most| desired <= most);
            rules.require(fits, "desiredInstances", || {
                format!("Desired {desired} is not between minimum and maximum.")
            });
        }
    }
}

impl ScalingRule {
    /// Returns the rule with which a policy listed by AWS would be put; `None` when its definition is incomplete.
    pub fn of(policy: &ScalingPolicy) -> Option<Self> {
        if let Some(target_value) = policy.target_value {
            return Some(Self::TargetBased { target_value });
        }
        Some(Self::RuleBased(RuleBasedScaling {
            metric_name: policy.metric_name.clone(),
            comparison_operator: policy.comparison_operator.clone()?,
            threshold: policy.threshold?,
            evaluation_periods: policy.evaluation_periods?,
            scaling_adjustment_type: policy.scaling_adjustment_type.clone()?,
            scaling_adjustment: policy.scaling_adjustment?,
        }))
    }
}

/// Formats the rule for people: `when ActiveInstances is below 2 for 5 min, change by +1`.
impl fmt::Display for ScalingRule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TargetBased { target_value } => {
                write!(out, "keep {target_value} % of game sessions available")
            }
            Self::RuleBased(rule) => rule.fmt(out),
        }
    }
}

impl fmt::Display for RuleBasedScaling {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let comparison = match self.comparison_operator.as_str() {
            "GreaterThanOrEqualToThreshold" => "is at least",
            "GreaterThanThreshold" => "is above",
            "LessThanThreshold" => "is below",
            "LessThanOrEqualToThreshold" => "is at most",
            other => other,
        };
        let (metric, threshold, minutes) = (&self.metric_name, self.threshold, self.evaluation_periods);
        write!(out, "when {metric} {comparison} {threshold} for {minutes} min, ")?;
        let step = self.scaling_adjustment;
        match self.scaling_adjustment_type.as_str() {
            "ExactCapacity" => write!(out, "set to {step}"),
            "PercentChangeInCapacity" => write!(out, "change by {step:+} %"),
            _ => write!(out, "change by {step:+}"),
        }
    }
}

impl PutScalingPolicy {
    pub(super) fn check(&self, rules: &mut Rules) {
        rules.fleet("fleetId", &self.fleet_id);
        rules.length("name", &self.name, 1, 1024);
        match &self.rule {
            ScalingRule::TargetBased { target_value } => {
                rules.require(*target_value > 0.0 && *target_value <= 100.0, "targetValue", || {
                    "A percentage above 0, at most 100.".to_owned()
                });
            }
            ScalingRule::RuleBased(rule) => {
                one_of(rules, "metricName", &rule.metric_name, &METRICS);
                one_of(rules, "comparisonOperator", &rule.comparison_operator, &OPERATORS);
                one_of(rules, "scalingAdjustmentType", &rule.scaling_adjustment_type, &ADJUSTMENTS);
                rules.require(rule.threshold.is_finite(), "threshold", || "A number.".to_owned());
                let exact = rule.scaling_adjustment_type == "ExactCapacity";
                rules.require(!exact || rule.scaling_adjustment >= 0, "scalingAdjustment", || {
                    "A fleet cannot have fewer than 0 instances.".to_owned()
                });
                rules.require(rule.evaluation_periods >= 1, "evaluationPeriods", || {
                    "At least 1 minute.".to_owned()
                });
            }
        }
    }
}

impl DeleteScalingPolicy {
    pub(super) fn check(&self, rules: &mut Rules) {
        rules.fleet("fleetId", &self.fleet_id);
        rules.length("name", &self.name, 1, 1024);
    }
}

impl SetFleetActions {
    pub(super) fn check(&self, rules: &mut Rules) {
        rules.fleet("fleetId", &self.fleet_id);
        place(rules, self.location.as_ref());
    }
}

impl UpdateFleetAttributes {
    pub(super) fn check(&self, rules: &mut Rules) {
        rules.fleet("fleetId", &self.fleet_id);
        // AWS: UpdateFleetAttributes is for managed EC2 and Anywhere fleets.
        rules.require(!self.fleet_id.as_str().starts_with("containerfleet-"), "fleetId", || {
            "The protection of a container fleet is changed with UpdateContainerFleet, which is not offered here."
                .to_owned()
        });
    }
}

//! Operations that put and delete scaling policies.

use super::choice::Choice;
use super::constraint::{FLEET, POSITIVE, SHORT_TEXT};
use super::fleet_part::small;
use super::listing;
use super::lookup::{self, invalid, not_found};
use crate::operation::Change;
use crate::service::ServiceError;
use crate::wire::{Double, Integer, Nested, Wire, Writer, in_place, input};
use liftdeck_simulated_world::records::{
    ComparisonOperatorType, MetricName, PolicyType, ScalingAdjustmentType,
};
use liftdeck_simulated_world::steering::{Law, Policy};

/// How long a policy takes to reach every location.
const SETTLES_MS: i64 = 15_000;

static METRIC: Choice<MetricName> = Choice::new(MetricName::ALL, MetricName::as_str);
static ADJUSTMENT_TYPE: Choice<ScalingAdjustmentType> =
    Choice::new(ScalingAdjustmentType::ALL, ScalingAdjustmentType::as_str);
static COMPARISON: Choice<ComparisonOperatorType> =
    Choice::new(ComparisonOperatorType::ALL, ComparisonOperatorType::as_str);
static POLICY_TYPE: Choice<PolicyType> = Choice::new(PolicyType::ALL, PolicyType::as_str);
static TARGET: Nested<Target> = Nested::new();
static ADJUSTMENT: Integer = Integer::between(i32::MIN as i64, i32::MAX as i64);

input! {
    struct Target {
        percent: f64 = required("TargetValue", Double),
    }

    struct PutInput {
        name: String = required("Name", SHORT_TEXT),
        fleet: String = required("FleetId", FLEET),
        adjustment: Option<i64> = optional("ScalingAdjustment", ADJUSTMENT),
        adjustment_type: Option<ScalingAdjustmentType> = optional("ScalingAdjustmentType", ADJUSTMENT_TYPE),
        threshold: Option<f64> = optional("Threshold", Double),
        comparison: Option<ComparisonOperatorType> = optional("ComparisonOperator", COMPARISON),
        periods: Option<i64> = optional("EvaluationPeriods", POSITIVE),
        metric: MetricName = required("MetricName", METRIC),
        policy_type: Option<PolicyType> = optional("PolicyType", POLICY_TYPE),
        target: Option<Target> = optional("TargetConfiguration", TARGET),
    }

    struct DeleteInput {
        name: String = required("Name", SHORT_TEXT),
        fleet: String = required("FleetId", FLEET),
    }
}

/// `PutScalingPolicy`: creates a policy, or replaces the one with that name.
pub(super) fn put(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let call = change.call();
    let input: PutInput = lookup::read(&call)?;
    let fleet = lookup::managed_fleet(&call, &input.fleet)?;
    let law = match input.policy_type.unwrap_or(PolicyType::RuleBased) {
        PolicyType::TargetBased => {
            let policies = fleet.scaling_policies();
            let mut others = policies.iter().filter(|policy| policy.policy_type == PolicyType::TargetBased);
            if let Some(other) = others.find(|policy| policy.name != input.name) {
                let message = format!(
                    "Fleet {} already has the target-based policy {}; it can have one.",
                    fleet.id(),
                    other.name
                );
                return Err(invalid(message));
            }
            target(&input)?
        }
        PolicyType::RuleBased => rule(&input)?,
    };
    let (key, settles_ms) = (fleet.key(), change.world.now_ms() + SETTLES_MS);
    change.world.put_policy(key, Policy { settles_ms, ..Policy::new(&input.name, law) });
    in_place!({ "Name" => input.name }).write(writer);
    Ok(())
}

fn target(input: &PutInput) -> Result<Law, ServiceError> {
    let of_rules = input.adjustment.is_some()
        || input.adjustment_type.is_some()
        || input.threshold.is_some()
        || input.comparison.is_some()
        || input.periods.is_some();
    if of_rules {
        return Err(invalid(
            "A target-based policy takes Name, FleetId, PolicyType, MetricName and TargetConfiguration only.",
        ));
    }
    if input.metric != MetricName::PercentAvailableGameSessions {
        return Err(invalid("A target-based policy tracks PercentAvailableGameSessions only."));
    }
    let percent = input.target.as_ref().map(|target| target.percent);
    let percent = percent.ok_or_else(|| invalid("A target-based policy needs TargetConfiguration."))?;
    if !(0.0..=100.0).contains(&percent) {
        return Err(invalid("TargetValue is a percentage and must be between 0 and 100."));
    }
    Ok(Law::Target { percent })
}

fn rule(input: &PutInput) -> Result<Law, ServiceError> {
    if input.target.is_some() {
        return Err(invalid("TargetConfiguration belongs to target-based policies only."));
    }
    let missing = |name: &str| invalid(format!("A rule-based policy needs {name}."));
    Ok(Law::Rule {
        metric: input.metric,
        comparison: input.comparison.ok_or_else(|| missing("ComparisonOperator"))?,
        threshold: input.threshold.ok_or_else(|| missing("Threshold"))?,
        periods: small(input.periods.ok_or_else(|| missing("EvaluationPeriods"))?),
        kind: input.adjustment_type.ok_or_else(|| missing("ScalingAdjustmentType"))?,
        adjustment: input
            .adjustment
            .and_then(|adjustment| i32::try_from(adjustment).ok())
            .ok_or_else(|| missing("ScalingAdjustment"))?,
    })
}

/// `DeleteScalingPolicy`.
pub(super) fn delete(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let call = change.call();
    let input: DeleteInput = lookup::read(&call)?;
    let key = lookup::managed_fleet(&call, &input.fleet)?.key();
    if !change.world.delete_policy(key, &input.name) {
        return Err(not_found("Scaling policy", &input.name));
    }
    listing::write_empty(writer);
    Ok(())
}

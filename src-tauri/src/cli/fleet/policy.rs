//! `liftdeck fleet policy`: scaling policies.

use clap::{Args, Subcommand};
use liftdeck_model::action::{
    Action, DeleteScalingPolicy, PutScalingPolicy, Request, RuleBasedScaling, ScalingRule,
};

use super::super::operate::{How, id_of, make};
use super::super::{Failure, Outcome};

/// What to do with a scaling policy.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum Command {
    /// Add a policy, or replace the one of that name
    Put(Box<Put>),
    /// Delete a policy
    Delete(Delete),
}

/// A policy: a target, or a rule.
#[derive(Debug, Args)]
#[group(id = "rule", required = true, multiple = false, args = ["target", "metric"])]
pub(in crate::cli) struct Put {
    #[command(flatten)]
    how: How,
    /// Id or ARN
    #[arg(value_name = "FLEET")]
    fleet: String,
    /// Name of the policy
    #[arg(value_name = "NAME")]
    name: String,
    /// Keep this percentage of game sessions available
    #[arg(long, value_name = "PERCENT")]
    target: Option<f64>,
    /// Metric a rule looks at, such as IdleInstances
    #[arg(long, value_name = "METRIC", requires_all = ["when", "threshold", "by", "change"])]
    metric: Option<String>,
    /// Comparison, such as GreaterThanThreshold
    #[arg(long, value_name = "COMPARISON")]
    when: Option<String>,
    /// What the metric is compared with
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    threshold: Option<f64>,
    /// Minutes the comparison must hold
    #[arg(long = "for", value_name = "MINUTES", default_value_t = 1)]
    minutes: i32,
    /// ChangeInCapacity, ExactCapacity or PercentChangeInCapacity
    #[arg(long, value_name = "KIND")]
    by: Option<String>,
    /// By how much, or to what
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    change: Option<i32>,
}

/// A policy to delete.
#[derive(Debug, Args)]
pub(in crate::cli) struct Delete {
    #[command(flatten)]
    how: How,
    /// Id or ARN
    #[arg(value_name = "FLEET")]
    fleet: String,
    /// Name of the policy
    #[arg(value_name = "NAME")]
    name: String,
}

pub(super) async fn run(command: &Command) -> Result<Outcome, Failure> {
    let (how, fleet, request) = match command {
        Command::Put(it) => {
            let rule = match it.target {
                Some(target_value) => ScalingRule::TargetBased { target_value },
                None => ScalingRule::RuleBased(RuleBasedScaling {
                    metric_name: it.metric.clone().unwrap_or_default(),
                    comparison_operator: it.when.clone().unwrap_or_default(),
                    threshold: it.threshold.unwrap_or_default(),
                    evaluation_periods: it.minutes,
                    scaling_adjustment_type: it.by.clone().unwrap_or_default(),
                    scaling_adjustment: it.change.unwrap_or_default(),
                }),
            };
            let put = PutScalingPolicy { fleet_id: id_of(&it.fleet).into(), name: it.name.clone(), rule };
            (&it.how, &it.fleet, Request::PutScalingPolicy(put))
        }
        Command::Delete(it) => {
            let delete = DeleteScalingPolicy { fleet_id: id_of(&it.fleet).into(), name: it.name.clone() };
            (&it.how, &it.fleet, Request::DeleteScalingPolicy(delete))
        }
    };
    let place = how.place.find()?;
    let action = Action { region: place.region_for(fleet)?, request };
    Box::pin(make(how, place, vec![action])).await
}

//! `liftdeck fleet policy`: scaling policies.

use clap::{Args, Subcommand};
use liftdeck_model::action::{
    Action, DeleteScalingPolicy, PutScalingPolicy, Request, RuleBasedScaling, ScalingRule,
};
use liftdeck_model::fleet::ScalingPolicy;
use liftdeck_model::{FleetId, Region};

use super::super::names::Noun;
use super::super::operate::{ChangeOptions, ChosenConnection, consent_is_possible, make, well_formed};
use super::super::{Caller, Failure, Outcome};

const PUT: &str = "\
A target needs --target alone. A new rule needs --metric, --when, --threshold, --by and --change; for an \
existing rule, whatever is not named stays as it is.";

/// The subcommands of `liftdeck fleet policy`.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum Command {
    /// Add a policy, or change the one of that name
    Put(Box<Put>),
    /// Delete a policy
    Delete(Delete),
}

/// A policy: a target, or a rule.
#[derive(Debug, Args)]
#[command(after_help = PUT)]
#[group(id = "rule", required = true, multiple = true, args = ["target", "metric", "when", "threshold", "minutes", "by", "change"])]
pub(in crate::cli) struct Put {
    #[command(flatten)]
    options: ChangeOptions,
    /// Name, id or ARN
    #[arg(value_name = "FLEET", add = super::super::complete::of(Noun::Fleet))]
    fleet: String,
    /// Name of the policy
    #[arg(value_name = "NAME")]
    name: String,
    /// Keep this percentage of game sessions available
    #[arg(long, value_name = "PERCENT", conflicts_with_all = ["metric", "when", "threshold", "minutes", "by", "change"])]
    target: Option<f64>,
    /// Metric a rule looks at, such as IdleInstances
    #[arg(long, value_name = "METRIC")]
    metric: Option<String>,
    /// Comparison, such as GreaterThanThreshold
    #[arg(long, value_name = "COMPARISON")]
    when: Option<String>,
    /// Threshold of the metric
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    threshold: Option<f64>,
    /// Minutes the comparison must hold; 1 for a new rule by default
    #[arg(long = "for", value_name = "MINUTES", allow_negative_numbers = true)]
    minutes: Option<i32>,
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
    options: ChangeOptions,
    /// Name, id or ARN
    #[arg(value_name = "FLEET", add = super::super::complete::of(Noun::Fleet))]
    fleet: String,
    /// Name of the policy
    #[arg(value_name = "NAME")]
    name: String,
}

impl Put {
    /// The rule as given by the options, completed from `rest`; `None` if a part is in neither.
    fn rule(&self, rest: Option<&RuleBasedScaling>) -> Option<RuleBasedScaling> {
        let text = |named: &Option<String>, of: fn(&RuleBasedScaling) -> &String| {
            named.clone().or_else(|| rest.map(|rule| of(rule).clone()))
        };
        Some(RuleBasedScaling {
            metric_name: text(&self.metric, |rule| &rule.metric_name)?,
            comparison_operator: text(&self.when, |rule| &rule.comparison_operator)?,
            threshold: self.threshold.or(rest.map(|rule| rule.threshold))?,
            evaluation_periods: self.minutes.or(rest.map(|rule| rule.evaluation_periods)).unwrap_or(1),
            scaling_adjustment_type: text(&self.by, |rule| &rule.scaling_adjustment_type)?,
            scaling_adjustment: self.change.or(rest.map(|rule| rule.scaling_adjustment))?,
        })
    }

    /// The rule as given by the options, completed from the existing policy.
    fn rule_over(&self, there: Option<&ScalingPolicy>) -> Result<RuleBasedScaling, Failure> {
        let rest = match there.and_then(ScalingRule::of) {
            Some(ScalingRule::RuleBased(rule)) => Some(rule),
            Some(ScalingRule::TargetBased { .. }) | None => None,
        };
        self.rule(rest.as_ref()).ok_or_else(|| {
            let why = match there.map(|policy| policy.target_value) {
                None => "The policy does not exist yet",
                Some(Some(_)) => "The policy is target-based and has no rule to complete",
                Some(None) => "AWS does not show the whole rule of the policy",
            };
            let options = [
                ("--metric", self.metric.is_none()),
                ("--when", self.when.is_none()),
                ("--threshold", self.threshold.is_none()),
                ("--by", self.by.is_none()),
                ("--change", self.change.is_none()),
            ];
            let missing: Vec<&str> =
                options.into_iter().filter_map(|(option, is_missing)| is_missing.then_some(option)).collect();
            Failure::usage(format!("Nothing was sent. {why}: name {} too.", missing.join(", ")))
        })
    }

    /// The new definition of the policy. AWS takes only whole policies, so the parts that are not given are read
    /// first.
    async fn definition(
        &self,
        caller: &Caller,
        chosen: &ChosenConnection,
        region: &Region,
        fleet: &FleetId,
    ) -> Result<ScalingRule, Failure> {
        if let Some(target_value) = self.target {
            return Ok(ScalingRule::TargetBased { target_value });
        }
        if self.minutes.is_some()
            && let Some(whole) = self.rule(None)
        {
            return Ok(ScalingRule::RuleBased(whole));
        }
        // Errors in the options themselves are reported before AWS is asked for the rest.
        if let Some(named) = self.rule(Some(&harmless())) {
            well_formed(&[self.action(region, fleet, ScalingRule::RuleBased(named))])?;
        }
        consent_is_possible(caller, &self.options)?;
        let reading = chosen.reader(region).await?.scaling_policies(fleet).await;
        if let Some(failure) = reading.failure {
            return Err(failure.into());
        }
        let is_it = |policy: &&ScalingPolicy| policy.name == self.name && !policy.is_leaving();
        Ok(ScalingRule::RuleBased(self.rule_over(reading.items.iter().find(is_it))?))
    }

    fn action(&self, region: &Region, fleet: &FleetId, rule: ScalingRule) -> Action {
        let (fleet_id, name) = (fleet.clone(), self.name.clone());
        let request = Request::PutScalingPolicy(PutScalingPolicy { fleet_id, name, rule });
        Action { region: region.clone(), request }
    }
}

/// A valid rule that completes the options, so that they can be checked on their own.
fn harmless() -> RuleBasedScaling {
    RuleBasedScaling {
        metric_name: "IdleInstances".to_owned(),
        comparison_operator: "GreaterThanThreshold".to_owned(),
        threshold: 0.0,
        evaluation_periods: 1,
        scaling_adjustment_type: "ChangeInCapacity".to_owned(),
        scaling_adjustment: 0,
    }
}

pub(super) async fn run(caller: &Caller, command: &Command) -> Result<Outcome, Failure> {
    let (options, chosen, action) = match command {
        Command::Put(it) => {
            let chosen = it.options.connection.named(caller).await?;
            let (region, fleet) = chosen.meant(Noun::Fleet, &it.fleet)?;
            let fleet = FleetId::from(fleet);
            let rule = it.definition(caller, &chosen, &region, &fleet).await?;
            (&it.options, chosen, it.action(&region, &fleet, rule))
        }
        Command::Delete(it) => {
            let chosen = it.options.connection.named(caller).await?;
            let (region, fleet) = chosen.meant(Noun::Fleet, &it.fleet)?;
            let delete = DeleteScalingPolicy { fleet_id: fleet.into(), name: it.name.clone() };
            let request = Request::DeleteScalingPolicy(delete);
            (&it.options, chosen, Action { region, request })
        }
    };
    Box::pin(make(caller, options, chosen, vec![action])).await
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use liftdeck_model::fleet::PolicyType;

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        put: Put,
    }

    fn put(options: &[&str]) -> Result<Put, clap::Error> {
        let line = ["put", "--db", "x.sqlite", "fleet-1", "floor"].iter().chain(options);
        Line::try_parse_from(line).map(|line| line.put)
    }

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

    #[test]
    fn what_is_not_named_of_a_rule_stays_as_it_is() {
        let rule = put(&["--threshold", "8"]).unwrap().rule_over(Some(&there())).unwrap();
        let whole = ScalingPolicy { threshold: Some(8.0), ..there() };
        assert_eq!(Some(ScalingRule::RuleBased(rule)), ScalingRule::of(&whole));
    }

    #[test]
    fn a_new_rule_says_what_is_missing_and_holds_for_a_minute() {
        let all = [
            "--metric",
            "IdleInstances",
            "--when",
            "GreaterThanThreshold",
            "--threshold",
            "4",
            "--by",
            "ChangeInCapacity",
        ];
        let missing = put(&all).unwrap().rule_over(None).unwrap_err();
        assert!(missing.is_usage() && missing.to_string().contains("name --change too"), "{missing}");
        let whole = put(&[&all[..], &["--change", "-1"]].concat()).unwrap().rule_over(None).unwrap();
        assert_eq!((whole.evaluation_periods, whole.scaling_adjustment), (1, -1));
    }

    #[test]
    fn a_target_has_no_rule_to_take_the_rest_from() {
        let target = ScalingPolicy { target_value: Some(20.0), ..there() };
        let refused = put(&["--change", "2"]).unwrap().rule_over(Some(&target)).unwrap_err();
        assert!(refused.to_string().contains("is target-based"), "{refused}");
    }

    #[test]
    fn a_policy_is_a_target_or_a_rule() {
        assert!(put(&["--target", "20"]).is_ok());
        assert!(put(&["--target", "20", "--for", "2"]).is_err());
        assert!(put(&[]).is_err(), "something has to be said of it");
    }
}

//! `liftdeck fleet policy`: scaling policies.

use clap::{Args, Subcommand};
use liftdeck_model::action::{
    Action, DeleteScalingPolicy, NothingToAmend, PutScalingPolicy, Request, RuleAmendment, ScalingRule,
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
    /// The parts of a rule that the options give.
    fn amendment(&self) -> RuleAmendment {
        RuleAmendment {
            metric_name: self.metric.clone(),
            comparison_operator: self.when.clone(),
            threshold: self.threshold,
            evaluation_periods: self.minutes,
            scaling_adjustment_type: self.by.clone(),
            scaling_adjustment: self.change,
        }
    }

    /// Says why the options do not make a rule, and which are missing.
    fn incomplete(&self, why: NothingToAmend) -> Failure {
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
        let amendment = self.amendment();
        if let Some(whole) = amendment.whole() {
            return Ok(ScalingRule::RuleBased(whole));
        }
        // Errors in the options themselves are reported before AWS is asked for the rest.
        if let Some(given) = amendment.plausible() {
            well_formed(&[self.action(region, fleet, ScalingRule::RuleBased(given))])?;
        }
        consent_is_possible(caller, &self.options)?;
        let reading = chosen.reader(region).await?.scaling_policies(fleet).await;
        if let Some(failure) = reading.failure {
            return Err(failure.into());
        }
        let is_it = |policy: &&ScalingPolicy| policy.name == self.name && !policy.is_leaving();
        let whole = amendment.over(reading.items.iter().find(is_it));
        Ok(ScalingRule::RuleBased(whole.map_err(|why| self.incomplete(why))?))
    }

    fn action(&self, region: &Region, fleet: &FleetId, rule: ScalingRule) -> Action {
        let (fleet_id, name) = (fleet.clone(), self.name.clone());
        let request = Request::PutScalingPolicy(PutScalingPolicy { fleet_id, name, rule });
        Action { region: region.clone(), request }
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

    #[test]
    fn an_incomplete_rule_says_which_options_are_missing() {
        let put =
            put(&["--metric", "IdleInstances", "--when", "GreaterThanThreshold", "--by", "ExactCapacity"]);
        let missing = put.unwrap().incomplete(NothingToAmend::Absent);
        assert!(missing.is_usage(), "{missing}");
        assert!(missing.to_string().ends_with("name --threshold, --change too."), "{missing}");
    }

    #[test]
    fn a_policy_is_a_target_or_a_rule() {
        assert!(put(&["--target", "20"]).is_ok());
        assert!(put(&["--target", "20", "--for", "2"]).is_err());
        assert!(put(&[]).is_err(), "something has to be said of it");
    }
}

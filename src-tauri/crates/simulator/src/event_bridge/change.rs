//! The operations that change rules and targets.

use super::EventBridge;
use super::input::{NamedInput, PutRuleInput, PutTargetsInput, RemoveTargetsInput, TargetInput};
use super::request::{invalid, unknown};
use super::rule::Rule;
use super::target::Target;
use crate::filter::{Language, check};
use crate::service::ServiceError;
use crate::wire::{Wire, Writer, in_place};

/// The most targets of a rule (EventBridge quotas).
const MOST_TARGETS: usize = 5;

impl EventBridge {
    /// Changes a rule that exists.
    fn change(
        &self,
        region: &str,
        name: &str,
        change: impl FnOnce(&mut Rule) -> Result<(), ServiceError>,
    ) -> Result<(), ServiceError> {
        let mut regions = self.write();
        let rule = regions.get_mut(region).and_then(|rules| rules.get_mut(name));
        change(rule.ok_or_else(|| unknown(name))?)
    }

    pub(super) fn put_rule(
        &self,
        region: &str,
        input: PutRuleInput,
        writer: &mut Writer,
    ) -> Result<(), ServiceError> {
        self.on_bus(region, input.bus.as_ref())?;
        if input.pattern.is_none() && input.schedule.is_none() {
            return Err(invalid("Parameter(s) EventPattern or ScheduleExpression must be specified."));
        }
        let is_schedule =
            |text: &str| ["rate(", "cron("].iter().any(|kind| text.starts_with(kind)) && text.ends_with(')');
        if input.schedule.as_ref().is_some_and(|schedule| !is_schedule(schedule)) {
            return Err(invalid("Parameter ScheduleExpression is not valid."));
        }
        let pattern = input.pattern.map(|text| match check(&text, Language::EventPattern) {
            Ok(keys) => Ok((text, keys)),
            Err(why) => {
                let message = format!("Event pattern is not valid. Reason: {why}");
                Err(ServiceError::new("InvalidEventPatternException", message))
            }
        });
        let pattern = pattern.transpose()?;
        let arn = format!("arn:aws:events:{region}:{}:rule/{}", self.account, input.name);
        let mut regions = self.write();
        let rule = regions.entry(region.to_owned()).or_default().entry(input.name).or_default();
        // What is not given is no longer set; the targets stay.
        *rule = Rule {
            arn,
            pattern,
            schedule: input.schedule,
            state: input.state.unwrap_or_else(|| "ENABLED".to_owned()),
            description: input.description,
            role_arn: input.role_arn,
            targets: std::mem::take(&mut rule.targets),
        };
        in_place!({ "RuleArn" => rule.arn }).write(writer);
        Ok(())
    }

    pub(super) fn delete_rule(&self, region: &str, input: &NamedInput) -> Result<(), ServiceError> {
        self.on_bus(region, input.bus.as_ref())?;
        if let Some(rules) = self.write().get_mut(region) {
            if rules.get(&input.name).is_some_and(|rule| !rule.targets.is_empty()) {
                return Err(invalid("Rule can't be deleted since it has targets."));
            }
            // Deleting a rule that does not exist is not an error.
            rules.remove(&input.name);
        }
        Ok(())
    }

    pub(super) fn switch(&self, region: &str, input: &NamedInput, state: &str) -> Result<(), ServiceError> {
        self.on_bus(region, input.bus.as_ref())?;
        self.change(region, &input.name, |rule| {
            state.clone_into(&mut rule.state);
            Ok(())
        })
    }

    pub(super) fn put_targets(
        &self,
        region: &str,
        input: PutTargetsInput,
        writer: &mut Writer,
    ) -> Result<(), ServiceError> {
        self.on_bus(region, input.bus.as_ref())?;
        input.targets.iter().try_for_each(check_target)?;
        self.change(region, &input.rule, |rule| {
            let mut targets = rule.targets.clone();
            targets.extend(input.targets.into_iter().map(|target| (target.id.clone(), Target(target))));
            if targets.len() > MOST_TARGETS {
                let message = "The requested resource exceeds the maximum number allowed.";
                return Err(ServiceError::new("LimitExceededException", message));
            }
            rule.targets = targets;
            Ok(())
        })?;
        none_failed(writer);
        Ok(())
    }

    pub(super) fn remove_targets(
        &self,
        region: &str,
        input: &RemoveTargetsInput,
        writer: &mut Writer,
    ) -> Result<(), ServiceError> {
        self.on_bus(region, input.bus.as_ref())?;
        self.change(region, &input.rule, |rule| {
            rule.targets.retain(|id, _| !input.ids.contains(id));
            Ok(())
        })?;
        none_failed(writer);
        Ok(())
    }
}

/// Says that no entry of a request failed.
fn none_failed(writer: &mut Writer) {
    in_place!({ "FailedEntryCount" => 0_i64, "FailedEntries" => Vec::<String>::new() }).write(writer);
}

/// Refuses a target that cannot be sent to as it is given.
fn check_target(target: &TargetInput) -> Result<(), ServiceError> {
    let (id, arn) = (&target.id, &target.arn);
    if !arn.starts_with("arn:") || arn.split(':').count() < 6 {
        let message = format!("Parameter {arn} is not valid. Reason: Provided Arn is not in correct format.");
        return Err(invalid(message));
    }
    if arn.ends_with(".fifo") && target.sqs.as_ref().is_none_or(|sqs| sqs.group.is_none()) {
        let message = format!("Parameter(s) SqsParameters must be specified for target: {id}.");
        return Err(invalid(message));
    }
    let ways = [target.input.is_some(), target.path.is_some(), target.transformer.is_some()];
    if ways.into_iter().filter(|given| *given).count() > 1 {
        let message =
            format!("Only one of Input, InputPath, or InputTransformer must be provided for target {id}.");
        return Err(invalid(message));
    }
    Ok(())
}

//! A request to EventBridge, and the operations that change rules and targets.

use std::sync::{PoisonError, RwLockReadGuard, RwLockWriteGuard};

use super::input::{NamedInput, PutRuleInput, PutTargetsInput, RemoveTargetsInput, read};
use super::rule::Rule;
use super::target::Target;
use super::{EventBridge, Rules};
use crate::filter::{Language, check};
use crate::page::Tokens;
use crate::service::ServiceError;
use crate::wire::{Value, Wire, Writer, in_place};

/// The most targets of a rule (EventBridge quotas).
const MOST_TARGETS: usize = 5;

const OPERATIONS: [&str; 10] = [
    "DeleteRule",
    "DescribeRule",
    "DisableRule",
    "EnableRule",
    "ListRuleNamesByTarget",
    "ListRules",
    "ListTargetsByRule",
    "PutRule",
    "PutTargets",
    "RemoveTargets",
];

/// The names of the operations.
pub(crate) fn operations() -> impl Iterator<Item = &'static str> {
    OPERATIONS.into_iter()
}

/// Finds the operation with this name.
pub(crate) fn operation(name: &str) -> Option<&'static str> {
    OPERATIONS.into_iter().find(|known| *known == name)
}

/// One request to EventBridge.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request<'a> {
    /// The operation.
    pub(crate) operation: &'static str,
    /// The region the request is signed for.
    pub(crate) region: &'a str,
    /// The input as read from the body.
    pub(crate) body: &'a Value,
    /// Seals and opens page tokens.
    pub(crate) tokens: &'a Tokens,
}

pub(super) fn invalid(message: impl std::fmt::Display) -> ServiceError {
    ServiceError::new("ValidationException", message)
}

fn not_found(message: impl std::fmt::Display) -> ServiceError {
    ServiceError::new("ResourceNotFoundException", message)
}

/// The rule with that name.
pub(super) fn known<'a>(rules: Option<&'a Rules>, name: &str) -> Result<&'a Rule, ServiceError> {
    let rule = rules.and_then(|rules| rules.get(name));
    rule.ok_or_else(|| not_found(format!("Rule {name} does not exist on EventBus default.")))
}

impl EventBridge {
    /// Answers a request for an operation of the table.
    pub(crate) fn answer(&self, request: &Request<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
        let (region, body) = (request.region, request.body);
        match request.operation {
            "PutRule" => self.put_rule(region, read(body)?, writer),
            "DeleteRule" => self.delete_rule(region, &read(body)?),
            "EnableRule" => self.switch(region, &read(body)?, "ENABLED"),
            "DisableRule" => self.switch(region, &read(body)?, "DISABLED"),
            "PutTargets" => self.put_targets(region, read(body)?, writer),
            "RemoveTargets" => self.remove_targets(region, &read(body)?, writer),
            "DescribeRule" => self.describe_rule(region, &read(body)?, writer),
            "ListRules" => self.list_rules(request, &read(body)?, writer),
            "ListRuleNamesByTarget" => self.list_names(request, &read(body)?, writer),
            "ListTargetsByRule" => self.list_targets(request, &read(body)?, writer),
            other => Err(ServiceError::unknown_operation(other)),
        }
    }

    /// Refuses any bus but the default one.
    pub(super) fn on_bus(&self, region: &str, bus: Option<&String>) -> Result<(), ServiceError> {
        let arn = format!("arn:aws:events:{region}:{}:event-bus/default", self.account);
        match bus {
            Some(bus) if bus != "default" && *bus != arn => {
                Err(not_found(format!("Event bus {bus} does not exist.")))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn read(&self) -> RwLockReadGuard<'_, std::collections::BTreeMap<String, Rules>> {
        self.regions.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, std::collections::BTreeMap<String, Rules>> {
        self.regions.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes a rule that exists.
    fn change<R>(
        &self,
        region: &str,
        name: &str,
        change: impl FnOnce(&mut Rule) -> Result<R, ServiceError>,
    ) -> Result<R, ServiceError> {
        let mut regions = self.write();
        known(regions.get(region), name)?;
        let rule = regions.get_mut(region).and_then(|rules| rules.get_mut(name));
        rule.map_or_else(|| Err(not_found(name)), change)
    }

    fn put_rule(&self, region: &str, input: PutRuleInput, writer: &mut Writer) -> Result<(), ServiceError> {
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

    fn delete_rule(&self, region: &str, input: &NamedInput) -> Result<(), ServiceError> {
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

    fn switch(&self, region: &str, input: &NamedInput, state: &str) -> Result<(), ServiceError> {
        self.on_bus(region, input.bus.as_ref())?;
        self.change(region, &input.name, |rule| {
            state.clone_into(&mut rule.state);
            Ok(())
        })
    }

    fn put_targets(
        &self,
        region: &str,
        input: PutTargetsInput,
        writer: &mut Writer,
    ) -> Result<(), ServiceError> {
        self.on_bus(region, input.bus.as_ref())?;
        for target in &input.targets {
            let (id, arn) = (&target.id, &target.arn);
            if !arn.starts_with("arn:") || arn.split(':').count() < 6 {
                return Err(invalid(format!(
                    "Parameter {arn} is not valid. Reason: Provided Arn is not in correct format."
                )));
            }
            if arn.ends_with(".fifo") && target.sqs.as_ref().is_none_or(|sqs| sqs.group.is_none()) {
                let message = format!("Parameter(s) SqsParameters must be specified for target: {id}.");
                return Err(invalid(message));
            }
            let ways = [target.input.is_some(), target.path.is_some(), target.transformer.is_some()];
            if ways.into_iter().filter(|given| *given).count() > 1 {
                let message = format!(
                    "Only one of Input, InputPath, or InputTransformer must be provided for target {id}."
                );
                return Err(invalid(message));
            }
        }
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

    fn remove_targets(
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

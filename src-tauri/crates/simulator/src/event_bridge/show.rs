//! The operations that show rules and targets.

use super::input::{ByTargetInput, ListRulesInput, ListTargetsInput, NamedInput};
use super::request::{Request, invalid, unknown};
use super::rule::Rule;
use super::{EventBridge, Rules};
use crate::page::{Page, cut};
use crate::service::ServiceError;
use crate::wire::{Wire, Writer, in_place, structure};

/// The page size that no limit is given for, which is also the largest.
const PAGE: i64 = 100;

/// A rule with its name, as a listing shows it.
struct Listed<'a>(&'a str, &'a Rule);

structure!(Listed<'_>, listed, {
    "Name" => listed.0,
    "Arn" => listed.1.arn,
    "EventPattern" => listed.1.pattern.as_ref().map(|(text, _)| text.as_str()),
    "State" => listed.1.state,
    "Description" => listed.1.description,
    "ScheduleExpression" => listed.1.schedule,
    "RoleArn" => listed.1.role_arn,
    "EventBusName" => "default",
});

/// Cuts a page behind the token of a listing; returns it with the next token.
fn page<T>(
    request: &Request<'_>,
    items: impl IntoIterator<Item = T>,
    key: impl Fn(&T) -> &str,
    token: Option<&String>,
    limit: Option<i64>,
) -> Result<(Vec<T>, Option<String>), ServiceError> {
    let filters = request.body.fingerprint(&["NextToken", "Limit"]);
    let listing = format!("{} {} {filters}", request.operation, request.region);
    let opened = token.map(|token| request.tokens.open(&listing, token)).transpose();
    let after = opened.map_err(|_| invalid("Parameter NextToken is not valid."))?;
    let limit = usize::try_from(limit.unwrap_or(PAGE)).unwrap_or_default();
    let Page { items, cursor } = cut(items, key, |_| true, after.as_deref(), limit);
    Ok((items, cursor.map(|cursor| request.tokens.seal(&listing, &cursor))))
}

impl EventBridge {
    pub(super) fn describe_rule(
        &self,
        region: &str,
        input: &NamedInput,
        writer: &mut Writer,
    ) -> Result<(), ServiceError> {
        self.on_bus(region, input.bus.as_ref())?;
        let regions = self.read();
        let rule = regions.get(region).and_then(|rules| rules.get(&input.name));
        let rule = rule.ok_or_else(|| unknown(&input.name))?;
        in_place!({
            "Name" => input.name,
            "Arn" => rule.arn,
            "EventPattern" => rule.pattern.as_ref().map(|(text, _)| text.as_str()),
            "ScheduleExpression" => rule.schedule,
            "State" => rule.state,
            "Description" => rule.description,
            "RoleArn" => rule.role_arn,
            "EventBusName" => "default",
            "CreatedBy" => self.account,
        })
        .write(writer);
        Ok(())
    }

    pub(super) fn list_rules(
        &self,
        request: &Request<'_>,
        input: &ListRulesInput,
        writer: &mut Writer,
    ) -> Result<(), ServiceError> {
        self.on_bus(request.region, input.bus.as_ref())?;
        let (regions, prefix) = (self.read(), input.prefix.as_deref().unwrap_or_default());
        let rules = regions.get(request.region).into_iter().flat_map(Rules::iter);
        let rules = rules.filter(|(name, _)| name.starts_with(prefix)).map(|(name, rule)| Listed(name, rule));
        let (rules, token) = page(request, rules, |rule| rule.0, input.token.as_ref(), input.limit)?;
        in_place!({ "Rules" => rules, "NextToken" => token }).write(writer);
        Ok(())
    }

    pub(super) fn list_names(
        &self,
        request: &Request<'_>,
        input: &ByTargetInput,
        writer: &mut Writer,
    ) -> Result<(), ServiceError> {
        self.on_bus(request.region, input.bus.as_ref())?;
        let regions = self.read();
        let rules = regions.get(request.region).into_iter().flat_map(Rules::iter);
        let sends = |rule: &Rule| rule.targets.values().any(|target| target.arn() == input.target);
        let names = rules.filter(|(_, rule)| sends(rule)).map(|(name, _)| name.as_str());
        let (names, token) = page(request, names, |name| name, input.token.as_ref(), input.limit)?;
        in_place!({ "RuleNames" => names, "NextToken" => token }).write(writer);
        Ok(())
    }

    pub(super) fn list_targets(
        &self,
        request: &Request<'_>,
        input: &ListTargetsInput,
        writer: &mut Writer,
    ) -> Result<(), ServiceError> {
        self.on_bus(request.region, input.bus.as_ref())?;
        let regions = self.read();
        let rule = regions.get(request.region).and_then(|rules| rules.get(&input.rule));
        let rule = rule.ok_or_else(|| unknown(&input.rule))?;
        let targets = rule.targets.values();
        let (targets, token) =
            page(request, targets, |target| &target.0.id, input.token.as_ref(), input.limit)?;
        in_place!({ "Targets" => targets, "NextToken" => token }).write(writer);
        Ok(())
    }
}

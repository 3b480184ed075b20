//! A request to EventBridge, and which operation answers it.

use super::EventBridge;
use super::input::read;
use crate::page::Tokens;
use crate::service::ServiceError;
use crate::wire::{Value, Writer};

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

/// The error for a rule that does not exist.
pub(super) fn unknown(rule: &str) -> ServiceError {
    not_found(format!("Rule {rule} does not exist on EventBus default."))
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
}

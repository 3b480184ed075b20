//! Actions on aliases.

use serde::{Deserialize, Serialize};

use super::rule::Rules;
use crate::alias::RoutingStrategy;
use crate::id::AliasId;

/// CreateAlias.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct CreateAlias {
    /// Name, 1 to 1024 characters, not all blank; need not be unique.
    pub name: String,
    /// 1 to 1024 characters.
    pub description: Option<String>,
    /// Where it leads.
    pub routing: RoutingStrategy,
}

/// UpdateAlias; absent fields stay unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct UpdateAlias {
    /// Alias.
    pub alias_id: AliasId,
    /// Name.
    pub name: Option<String>,
    /// Description.
    pub description: Option<String>,
    /// Where it leads. AWS: a fleet of the alias's own Region.
    pub routing: Option<RoutingStrategy>,
}

/// DeleteAlias.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DeleteAlias {
    /// Alias.
    pub alias_id: AliasId,
}

fn name(rules: &mut Rules, name: &str) {
    rules.length("name", name, 1, 1024);
    rules.require(name.is_empty() || !name.trim().is_empty(), "name", || {
        "Must not consist only of spaces.".to_owned()
    });
}

fn routing(rules: &mut Rules, routing: &RoutingStrategy) {
    match routing {
        RoutingStrategy::Simple { fleet_id } => {
            // AWS: RoutingStrategy takes the id of the fleet, never its ARN.
            rules.fleet("routing.fleetId", fleet_id);
        }
        RoutingStrategy::Terminal { message } => {
            rules.require(!message.is_empty(), "routing.message", || {
                "A terminal alias needs a message for its callers.".to_owned()
            });
        }
    }
}

impl CreateAlias {
    pub(super) fn check(&self, rules: &mut Rules) {
        name(rules, &self.name);
        if let Some(description) = &self.description {
            rules.length("description", description, 1, 1024);
        }
        routing(rules, &self.routing);
    }
}

impl UpdateAlias {
    pub(super) fn check(&self, rules: &mut Rules) {
        rules.prefixed("aliasId", self.alias_id.as_str(), "alias-");
        if let Some(text) = &self.name {
            name(rules, text);
        }
        if let Some(description) = &self.description {
            rules.length("description", description, 1, 1024);
        }
        if let Some(strategy) = &self.routing {
            routing(rules, strategy);
        }
        let nothing = self.name.is_none() && self.description.is_none() && self.routing.is_none();
        rules.require(!nothing, "aliasId", || "Nothing would change.".to_owned());
    }
}

impl DeleteAlias {
    pub(super) fn check(&self, rules: &mut Rules) {
        rules.prefixed("aliasId", self.alias_id.as_str(), "alias-");
    }
}

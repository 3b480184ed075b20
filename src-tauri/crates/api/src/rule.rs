//! Rules as a person tries and saves them.

use liftdeck_model::alert_rule::RuleSetting;
use liftdeck_model::custom_rule::CustomRule;
use serde::{Deserialize, Serialize};
use specta::Type;

/// A setting to be tried on the stored past.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RuleTrial {
    /// The setting.
    pub setting: RuleSetting,
    /// How many days to look back, 1 to 30.
    pub days: u32,
}

/// A rule of one's own to be tried on the stored past.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CustomRuleTrial {
    /// The rule.
    pub rule: CustomRule,
    /// How many days to look back, 1 to 30.
    pub days: u32,
}

/// A rule of one's own to be saved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CustomRuleDraft {
    /// The rule.
    pub rule: CustomRule,
    /// The name of the rule whose place it takes; `None` for a new one.
    pub replaces: Option<String>,
}

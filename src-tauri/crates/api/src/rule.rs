//! A rule's setting as a person tries it.

use liftdeck_model::alert_rule::RuleSetting;
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

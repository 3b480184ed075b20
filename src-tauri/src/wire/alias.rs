//! Aliases and where they led.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::wire::change::Change;
use crate::wire::number::Ms;
use crate::wire::window::Freshness;

/// How an alias routes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum AliasRouting {
    Simple,
    Terminal,
}

/// An alias.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AliasRow {
    pub(crate) alias_id: String,
    pub(crate) name: String,
    pub(crate) region: String,
    pub(crate) description: Option<String>,
    pub(crate) routing: AliasRouting,
    pub(crate) fleet_id: Option<String>,
    pub(crate) fleet_name: Option<String>,
    pub(crate) message: Option<String>,
    pub(crate) sessions_on_target: u32,
    pub(crate) updated_ms: Option<Ms>,
    pub(crate) history: Vec<Change>,
    pub(crate) freshness: Freshness,
}

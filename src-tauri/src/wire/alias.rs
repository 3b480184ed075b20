//! Aliases and where they led.

use liftdeck_insight as insight;
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_store::reader::queue as store;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::wire::change::Change;
use crate::wire::number::{Ms, count};
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

impl AliasRow {
    /// An alias with its history as lines, and the age of the whole list.
    pub(crate) fn new(row: store::AliasRow, history: Vec<insight::Change>, freshness: Freshness) -> Self {
        let alias = row.alias;
        let (routing, fleet_id, message) = match alias.routing {
            RoutingStrategy::Simple { fleet_id } => {
                (AliasRouting::Simple, Some(fleet_id.into_string()), None)
            }
            RoutingStrategy::Terminal { message } => (AliasRouting::Terminal, None, Some(message)),
        };
        Self {
            alias_id: alias.alias_id.into_string(),
            name: alias.name,
            region: alias.region.into_string(),
            description: alias.description,
            routing,
            fleet_id,
            fleet_name: row.fleet_name,
            message,
            sessions_on_target: count(row.game_sessions),
            updated_ms: alias.last_updated_time.map(Ms::from),
            history: history.into_iter().map(Change::from).collect(),
            freshness,
        }
    }
}

//! Aliases and the fleets they pointed to.

use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::{AliasId, FleetId, Region, Timestamp};
use liftdeck_store::reader::freshness::Freshness;
use liftdeck_store::reader::queue as store;
use liftdeck_store::{Reader, StoreError};
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::change::{Change, histories};

/// The routing strategy of an alias.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "UPPERCASE")]
pub enum AliasRouting {
    Simple,
    Terminal,
}

/// An alias.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AliasRow {
    pub alias_id: AliasId,
    pub name: String,
    pub region: Region,
    pub description: Option<String>,
    pub routing: AliasRouting,
    pub fleet_id: Option<FleetId>,
    pub fleet_name: Option<String>,
    pub message: Option<String>,
    pub game_sessions: i64,
    pub updated_at: Option<Timestamp>,
    pub history: Vec<Change>,
    pub freshness: Freshness,
}

/// All aliases, with the history of the fleets they pointed to.
///
/// # Errors
/// When the store cannot be read.
pub async fn aliases(reader: &Reader, now: Timestamp) -> Result<Vec<AliasRow>, StoreError> {
    let (rows, freshness) = reader.aliases(now).await?;
    let seen: Vec<_> = rows.iter().map(|row| row.history.as_slice()).collect();
    let histories = histories(reader, &seen).await?;
    Ok(rows.into_iter().zip(histories).map(|(row, history)| AliasRow::new(row, history, freshness)).collect())
}

impl AliasRow {
    fn new(row: store::AliasRow, history: Vec<Change>, freshness: Freshness) -> Self {
        let alias = row.alias;
        let (routing, fleet_id, message) = match alias.routing {
            RoutingStrategy::Simple { fleet_id } => (AliasRouting::Simple, Some(fleet_id), None),
            RoutingStrategy::Terminal { message } => (AliasRouting::Terminal, None, Some(message)),
        };
        Self {
            alias_id: alias.alias_id,
            name: alias.name,
            region: alias.region,
            description: alias.description,
            routing,
            fleet_id,
            fleet_name: row.fleet_name,
            message,
            game_sessions: row.game_sessions,
            updated_at: alias.last_updated_time,
            history,
            freshness,
        }
    }
}

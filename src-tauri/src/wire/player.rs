//! Players and their sessions.

use liftdeck_store::reader::player as store;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::wire::number::{Ms, count};
use crate::wire::window::Freshness;

/// One player's slot in one game session.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlayerSessionRow {
    pub(crate) player_session_id: String,
    pub(crate) player_id: String,
    pub(crate) game_session_id: String,
    pub(crate) fleet_id: String,
    pub(crate) fleet_name: String,
    pub(crate) region: String,
    pub(crate) status: String,
    pub(crate) created_ms: Ms,
    pub(crate) ended_ms: Option<Ms>,
    pub(crate) has_player_data: bool,
}

/// A player and where they were seen, newest first.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlayerHit {
    pub(crate) player_id: String,
    pub(crate) sessions: Vec<PlayerSessionRow>,
    pub(crate) total: u32,
}

/// A window onto the players found.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlayerPage {
    pub(crate) hits: Vec<PlayerHit>,
    pub(crate) total: u32,
    pub(crate) freshness: Freshness,
}

impl From<store::PlayerSessionRow> for PlayerSessionRow {
    fn from(row: store::PlayerSessionRow) -> Self {
        Self {
            player_session_id: row.player_session_id.into_string(),
            player_id: row.player_id.into_string(),
            game_session_id: row.game_session_id.into_string(),
            fleet_id: row.fleet_id.into_string(),
            fleet_name: row.fleet_name,
            region: row.region.into_string(),
            status: row.status.to_string(),
            created_ms: row.creation_time.into(),
            ended_ms: row.termination_time.map(Ms::from),
            has_player_data: row.has_player_data,
        }
    }
}

impl From<store::PlayerHit> for PlayerHit {
    fn from(hit: store::PlayerHit) -> Self {
        Self {
            player_id: hit.player_id.into_string(),
            sessions: hit.player_sessions.into_iter().map(PlayerSessionRow::from).collect(),
            total: count(hit.total),
        }
    }
}

//! Players and their sessions.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::wire::number::Ms;
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

//! Player sessions with the data that the game attached to them, for `session show` and `player show`.

use std::collections::{BTreeMap, BTreeSet};

use liftdeck_insight::answer::player_data::PlayerData;
use liftdeck_model::PlayerSessionId;
use liftdeck_store::reader::player::PlayerSessionRow;
use serde_json::json;

use super::Failure;
use super::look::ReadConnection;

/// A player session with its data.
pub(super) struct WithData {
    pub(super) row: PlayerSessionRow,
    /// `PlayerData` as it was given.
    pub(super) data: Option<String>,
}

/// Reads the data of those player sessions that have any.
///
/// # Errors
/// When it cannot be read.
pub(super) async fn with_data(
    look: &ReadConnection,
    rows: Vec<PlayerSessionRow>,
) -> Result<Vec<WithData>, Failure> {
    let sessions: BTreeSet<_> =
        rows.iter().filter(|row| row.has_player_data).map(|row| row.game_session_id.clone()).collect();
    let mut known: BTreeMap<PlayerSessionId, String> = BTreeMap::new();
    for session in sessions {
        let found: Vec<PlayerData> =
            look.ask("player_data_list", json!({ "gameSessionId": session })).await?;
        known.extend(found.into_iter().map(|data| (data.player_session_id, data.text)));
    }
    let with = |row: PlayerSessionRow| WithData { data: known.remove(&row.player_session_id), row };
    Ok(rows.into_iter().map(with).collect())
}

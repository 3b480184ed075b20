//! What the game attached to the players of a game session.
//!
//! It is personal data: it is read only when somebody asks for it, and never logged.

use liftdeck_model::{GameSessionId, PlayerSessionId};
use liftdeck_store::{Reader, StoreError};
use serde::{Deserialize, Serialize};
use specta::Type;

use super::session::pretty;

/// The data of one player session.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlayerData {
    /// Player session.
    pub player_session_id: PlayerSessionId,
    /// `PlayerData`, as it was given when the slot was reserved (AWS: 1 to 2048 characters).
    pub text: String,
    /// The same, laid out over several lines if it is JSON.
    pub pretty: String,
}

impl std::fmt::Debug for PlayerData {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("PlayerData")
            .field("player_session_id", &self.player_session_id)
            .finish_non_exhaustive()
    }
}

/// The data of every player session of a game session that has any.
///
/// # Errors
/// When the store cannot be read.
pub async fn player_data_list(
    reader: &Reader,
    game_session_id: &GameSessionId,
) -> Result<Vec<PlayerData>, StoreError> {
    let found = reader.player_data(game_session_id).await?;
    let data = |(player_session_id, text): (PlayerSessionId, String)| PlayerData {
        player_session_id,
        pretty: pretty(text.clone()),
        text,
    };
    Ok(found.into_iter().map(data).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_game_says_of_a_player_is_not_written_where_a_value_is_logged() {
        let data = PlayerData {
            player_session_id: "psess-1".into(),
            text: "skill=7".to_owned(),
            pretty: "skill=7".to_owned(),
        };
        assert!(!format!("{data:?}").contains("skill"));
    }
}

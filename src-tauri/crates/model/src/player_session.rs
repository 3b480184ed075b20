//! Player sessions: one player's slot in one game session.

use serde::{Deserialize, Serialize};

use crate::id::{FleetId, GameSessionId, PlayerId, PlayerSessionId};
use crate::open_enum;
use crate::time::Timestamp;

open_enum! {
    /// Status of a player session; RESERVED times out after 60 s (AWS quota) and frees its slot.
    PlayerSessionStatus { Reserved = "RESERVED", Active = "ACTIVE", Completed = "COMPLETED", TimedOut = "TIMEDOUT" }
}

impl PlayerSessionStatus {
    /// Whether the slot is taken now.
    pub const fn is_live(&self) -> bool {
        matches!(self, Self::Reserved | Self::Active)
    }
}

/// A player session, from DescribePlayerSessions. Address and port repeat the game session's and are left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerSession {
    /// Id.
    pub player_session_id: PlayerSessionId,
    /// Player.
    pub player_id: PlayerId,
    /// Game session.
    pub game_session_id: GameSessionId,
    /// Fleet.
    pub fleet_id: FleetId,
    /// When the slot was reserved.
    pub creation_time: Timestamp,
    /// When the player left or the reservation timed out.
    pub termination_time: Option<Timestamp>,
    /// Status.
    pub status: PlayerSessionStatus,
    /// Data the game attached, up to 2048 characters.
    pub player_data: Option<String>,
}

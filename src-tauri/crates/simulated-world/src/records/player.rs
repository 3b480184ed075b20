//! Player sessions.

use super::wire_enum;

wire_enum!(/// State of a player session.
PlayerSessionStatus {
    Reserved = "RESERVED", Active = "ACTIVE", Completed = "COMPLETED", TimedOut = "TIMEDOUT",
});

/// `PlayerSession`.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerSession {
    /// `psess-…`.
    pub player_session_id: String,
    /// The caller's own id for the player.
    pub player_id: String,
    /// ARN of the game session.
    pub game_session_id: String,
    /// The fleet.
    pub fleet_id: String,
    /// Its ARN.
    pub fleet_arn: String,
    /// Epoch milliseconds of the reservation.
    pub creation_time_ms: i64,
    /// Epoch milliseconds; absent until ended.
    pub termination_time_ms: Option<i64>,
    /// State.
    pub status: PlayerSessionStatus,
    /// Address of the game server.
    pub ip_address: Option<String>,
    /// Name of the game server.
    pub dns_name: Option<String>,
    /// Port of the game server.
    pub port: Option<u16>,
    /// Opaque to GameLift.
    pub player_data: Option<String>,
}

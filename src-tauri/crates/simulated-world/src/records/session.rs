//! Game sessions.

use super::wire_enum;

wire_enum!(/// State of a game session.
GameSessionStatus {
    Active = "ACTIVE", Activating = "ACTIVATING", Terminated = "TERMINATED", Terminating = "TERMINATING",
    Error = "ERROR",
});
wire_enum!(/// Why a session ended, if it did not end by itself.
GameSessionStatusReason {
    Interrupted = "INTERRUPTED", TriggeredOnProcessTerminate = "TRIGGERED_ON_PROCESS_TERMINATE",
    ForceTerminated = "FORCE_TERMINATED",
});
wire_enum!(/// Whether a session accepts new players.
PlayerSessionCreationPolicy { AcceptAll = "ACCEPT_ALL", DenyAll = "DENY_ALL" });

/// `GameSession`.
#[derive(Clone, Debug, PartialEq)]
pub struct GameSession {
    /// Always an ARN: `arn:aws:gamelift:<home>::gamesession/<fleet>/[<location>/]<id>`.
    pub game_session_id: String,
    /// Name.
    pub name: Option<String>,
    /// The fleet.
    pub fleet_id: String,
    /// Its ARN.
    pub fleet_arn: String,
    /// Epoch milliseconds.
    pub creation_time_ms: i64,
    /// Epoch milliseconds; absent while running.
    pub termination_time_ms: Option<i64>,
    /// ACTIVE and RESERVED players.
    pub current_player_session_count: u32,
    /// Slots.
    pub maximum_player_session_count: u32,
    /// State.
    pub status: GameSessionStatus,
    /// Why it ended.
    pub status_reason: Option<GameSessionStatusReason>,
    /// At most 16.
    pub game_properties: Vec<GameProperty>,
    /// Known once ACTIVE.
    pub ip_address: Option<String>,
    /// Known once ACTIVE; absent for Anywhere.
    pub dns_name: Option<String>,
    /// Known once ACTIVE.
    pub port: Option<u16>,
    /// Whether it accepts new players.
    pub player_session_creation_policy: PlayerSessionCreationPolicy,
    /// Who requested it.
    pub creator_id: Option<String>,
    /// Opaque to GameLift.
    pub game_session_data: Option<String>,
    /// JSON text; only for FlexMatch sessions.
    pub matchmaker_data: Option<String>,
    /// Region code or custom location.
    pub location: String,
    /// Instance id, container group or Anywhere compute.
    pub compute_name: Option<String>,
}

/// `GameProperty`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameProperty {
    /// At most 32 characters.
    pub key: String,
    /// At most 96 characters.
    pub value: String,
}

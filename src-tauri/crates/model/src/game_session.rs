//! Game sessions. Deliberately says nothing of players beyond their count.

mod ending;

use serde::{Deserialize, Serialize};

use crate::fleet::ProtectionPolicy;
use crate::id::{FleetId, GameSessionId, Location};
use crate::open_enum;
use crate::time::Timestamp;

pub use ending::{GameSessionEnding, compute_in, session_in};

open_enum! {
    /// Status of a game session.
    GameSessionStatus {
        Active = "ACTIVE", Activating = "ACTIVATING", Terminated = "TERMINATED",
        Terminating = "TERMINATING", Error = "ERROR",
    }
}

impl GameSessionStatus {
    /// Whether the session may still change.
    pub const fn is_live(&self) -> bool {
        matches!(self, Self::Active | Self::Activating | Self::Terminating)
    }
}

open_enum! {
    /// Why a session ended; absent for a normal end.
    GameSessionStatusReason {
        Interrupted = "INTERRUPTED", TriggeredOnProcessTerminate = "TRIGGERED_ON_PROCESS_TERMINATE",
        ForceTerminated = "FORCE_TERMINATED",
    }
}

/// A key and value the game attached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct GameProperty {
    /// Up to 32 characters.
    pub key: String,
    /// Up to 96 characters.
    pub value: String,
}

/// Where players connect to a game session: its DNS name, or else its IP address, and its port. `None` unless all of it
/// is known.
pub fn address(dns_name: &Option<String>, ip_address: &Option<String>, port: Option<i32>) -> Option<String> {
    connection(dns_name.as_deref(), ip_address.as_deref(), Some(port?))
}

/// The same, with the port only if it is known: `203.0.113.7:7780` or `203.0.113.7`.
pub fn connection(dns_name: Option<&str>, ip_address: Option<&str>, port: Option<i32>) -> Option<String> {
    let host = dns_name.or(ip_address)?;
    Some(port.map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")))
}

/// A game session, from DescribeGameSessions or DescribeGameSessionDetails.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameSession {
    /// Full ARN.
    pub game_session_id: GameSessionId,
    /// Name.
    pub name: Option<String>,
    /// Fleet.
    pub fleet_id: FleetId,
    /// Location it runs in.
    pub location: Option<Location>,
    /// Status.
    pub status: GameSessionStatus,
    /// Why it ended.
    pub status_reason: Option<GameSessionStatusReason>,
    /// When it was created.
    pub creation_time: Timestamp,
    /// When it ended.
    pub termination_time: Option<Timestamp>,
    /// Players ACTIVE or RESERVED.
    pub current_player_session_count: i32,
    /// Slots (AWS: at most 200).
    pub maximum_player_session_count: i32,
    /// `ACCEPT_ALL` or `DENY_ALL`.
    pub player_session_creation_policy: Option<String>,
    /// Who created it.
    pub creator_id: Option<String>,
    /// Up to 16 properties.
    pub game_properties: Vec<GameProperty>,
    /// Address, known once ACTIVE.
    pub ip_address: Option<String>,
    /// DNS name.
    pub dns_name: Option<String>,
    /// Port.
    pub port: Option<i32>,
    /// Data given at creation, up to 262 144 characters.
    pub game_session_data: Option<String>,
    /// FlexMatch's JSON, rewritten by each backfill, up to 390 000 characters.
    pub matchmaker_data: Option<String>,
    /// Compute it runs on.
    pub compute_name: Option<String>,
    /// Player gateway status.
    pub player_gateway_status: Option<String>,
    /// Protection in force. Only DescribeGameSessionDetails returns it, so absent means "not asked".
    pub protection_policy: Option<ProtectionPolicy>,
}

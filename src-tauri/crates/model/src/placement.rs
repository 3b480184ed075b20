//! Placements. GameLift cannot list them: outcomes are learnt from events, and one whose id is known can be
//! described.

use serde::{Deserialize, Serialize};

use crate::game_session::GameProperty;
use crate::id::{GameSessionId, Location, PlacementId, PlayerId, PlayerSessionId, QueueName, Region};
use crate::open_enum;
use crate::time::Timestamp;

open_enum! {
    /// The four outcomes that have events.
    PlacementEventType {
        Fulfilled = "PlacementFulfilled", Cancelled = "PlacementCancelled",
        TimedOut = "PlacementTimedOut", Failed = "PlacementFailed",
    }
}

impl PlacementEventType {
    /// The outcome that leads to this status; one of a status this program does not know is kept as written.
    pub fn of_status(status: &str) -> Self {
        match status {
            "FULFILLED" => Self::Fulfilled,
            "CANCELLED" => Self::Cancelled,
            "TIMED_OUT" => Self::TimedOut,
            "FAILED" => Self::Failed,
            other => Self::Other(other.to_owned()),
        }
    }

    /// The status of a placement with this outcome; an unknown outcome is returned as written.
    pub fn status(&self) -> &str {
        match self {
            Self::Fulfilled => "FULFILLED",
            Self::Cancelled => "CANCELLED",
            Self::TimedOut => "TIMED_OUT",
            Self::Failed => "FAILED",
            Self::Other(other) => other,
        }
    }
}

open_enum! {
    /// Status of a placement; every one but PENDING is final.
    PlacementStatus {
        Pending = "PENDING", Fulfilled = "FULFILLED", Cancelled = "CANCELLED", TimedOut = "TIMED_OUT",
        Failed = "FAILED",
    }
}

impl PlacementStatus {
    /// Whether nothing more will happen. A status this program does not know may still change.
    pub const fn is_final(&self) -> bool {
        matches!(self, Self::Fulfilled | Self::Cancelled | Self::TimedOut | Self::Failed)
    }
}

/// A placement as DescribeGameSessionPlacement shows it. What it says about the session is final only once FULFILLED.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Placement {
    /// Placement.
    pub placement_id: PlacementId,
    /// Home Region of the queue.
    pub region: Region,
    /// Queue, by name.
    pub queue: Option<QueueName>,
    /// Status.
    pub status: PlacementStatus,
    /// When it was queued.
    pub start_time: Option<Timestamp>,
    /// When it was fulfilled, cancelled, failed or timed out.
    pub end_time: Option<Timestamp>,
    /// Slots asked for.
    pub maximum_player_session_count: Option<i32>,
    /// Name asked for.
    pub game_session_name: Option<String>,
    /// Properties asked for.
    pub game_properties: Vec<GameProperty>,
    /// Data asked for.
    pub game_session_data: Option<String>,
    /// The session created.
    pub game_session_id: Option<GameSessionId>,
    /// Home Region of the session's fleet.
    pub game_session_region: Option<Region>,
    /// Address.
    pub ip_address: Option<String>,
    /// DNS name.
    pub dns_name: Option<String>,
    /// Port.
    pub port: Option<i32>,
    /// Latencies measured by players.
    pub player_latencies: Vec<PlayerLatency>,
    /// Players placed; only once FULFILLED.
    pub placed_player_sessions: Vec<PlacedPlayerSession>,
    /// Order of locations used instead of the queue's.
    pub location_order: Vec<String>,
}

/// A latency a player measured, as a placement carries it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerLatency {
    /// Player.
    pub player_id: PlayerId,
    /// Region or location measured.
    pub region: String,
    /// Milliseconds.
    pub latency_ms: f64,
}

/// A player placed by a placement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlacedPlayerSession {
    /// Player.
    pub player_id: PlayerId,
    /// Slot.
    pub player_session_id: PlayerSessionId,
}

/// A placement's outcome. `(placement_id, event_type)` identifies it: ids are never reused and every type is
/// terminal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlacementEvent {
    /// Placement.
    pub placement_id: PlacementId,
    /// Outcome.
    pub event_type: PlacementEventType,
    /// Id of the event's envelope; may differ between delivery routes.
    pub event_id: Option<String>,
    /// Queue, from the event's resource ARN.
    pub queue: QueueName,
    /// Region of the queue.
    pub region: Region,
    /// When the event was sent.
    pub event_time: Timestamp,
    /// When the placement was queued.
    pub start_time: Option<Timestamp>,
    /// When it ended.
    pub end_time: Option<Timestamp>,
    /// The session created.
    pub game_session_id: Option<GameSessionId>,
    /// Where it runs.
    pub game_session_location: Option<Location>,
    /// Fleet's home Region.
    pub game_session_region: Option<Region>,
    /// Address.
    pub ip_address: Option<String>,
    /// DNS name.
    pub dns_name: Option<String>,
    /// Port (text in the event).
    pub port: Option<i32>,
    /// Compute.
    pub compute_name: Option<String>,
    /// Copied from the queue.
    pub custom_event_data: Option<String>,
    /// Players placed.
    pub placed_player_sessions: Vec<PlacedPlayerSession>,
}

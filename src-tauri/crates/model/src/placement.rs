//! Placement outcomes, learnt from events: GameLift lists no placements.

use serde::{Deserialize, Serialize};

use crate::id::{GameSessionId, Location, PlacementId, PlayerId, PlayerSessionId, QueueName, Region};
use crate::open_enum;
use crate::time::Timestamp;

open_enum! {
    /// The four outcomes there are events for.
    PlacementEventType {
        Fulfilled = "PlacementFulfilled", Cancelled = "PlacementCancelled",
        TimedOut = "PlacementTimedOut", Failed = "PlacementFailed",
    }
}

/// A player placed by a placement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlacedPlayerSession {
    /// Player.
    pub player_id: PlayerId,
    /// Slot.
    pub player_session_id: PlayerSessionId,
}

/// A placement's outcome. `(placement_id, event_type)` names it: ids are never reused and every type is terminal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlacementEvent {
    /// Placement.
    pub placement_id: PlacementId,
    /// Outcome.
    pub event_type: PlacementEventType,
    /// Id of the event's envelope; may differ between routes.
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
    /// The session made.
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

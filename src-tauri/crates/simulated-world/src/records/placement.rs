//! Placements.

use super::{GameProperty, wire_enum};

wire_enum!(/// State of a placement.
GameSessionPlacementState {
    Pending = "PENDING", Fulfilled = "FULFILLED", Cancelled = "CANCELLED", TimedOut = "TIMED_OUT",
    Failed = "FAILED",
});

/// `GameSessionPlacement`.
#[derive(Clone, Debug, PartialEq)]
pub struct GameSessionPlacement {
    /// The caller's id.
    pub placement_id: String,
    /// Name of the queue.
    pub game_session_queue_name: String,
    /// State.
    pub status: GameSessionPlacementState,
    /// Requested properties.
    pub game_properties: Vec<GameProperty>,
    /// Requested slots.
    pub maximum_player_session_count: u32,
    /// Requested name.
    pub game_session_name: Option<String>,
    /// ARN; `GameSessionId` has the same value.
    pub game_session_arn: Option<String>,
    /// Home Region of the fleet.
    pub game_session_region: Option<String>,
    /// Latencies that players measured.
    pub player_latencies: Vec<PlayerLatency>,
    /// Epoch milliseconds.
    pub start_time_ms: i64,
    /// Epoch milliseconds; absent while PENDING.
    pub end_time_ms: Option<i64>,
    /// Present when FULFILLED.
    pub ip_address: Option<String>,
    /// Present when FULFILLED.
    pub dns_name: Option<String>,
    /// Present when FULFILLED; an integer here, a string in the event.
    pub port: Option<u16>,
    /// Present when FULFILLED.
    pub placed_player_sessions: Vec<PlacedPlayerSession>,
    /// Opaque to GameLift.
    pub game_session_data: Option<String>,
    /// JSON text; only for FlexMatch placements.
    pub matchmaker_data: Option<String>,
    /// Requested locations, which replace the queue's own.
    pub priority_configuration_override: Option<PriorityConfigurationOverride>,
}

wire_enum!(/// What a queue does when no location of an override has room.
PlacementFallbackStrategy {
    DefaultAfterSinglePass = "DEFAULT_AFTER_SINGLE_PASS", None = "NONE",
});

/// `PriorityConfigurationOverride` of one placement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriorityConfigurationOverride {
    /// What happens after one pass through the list.
    pub placement_fallback_strategy: PlacementFallbackStrategy,
    /// Locations, best first.
    pub location_order: Vec<String>,
}

/// `PlayerLatency`.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerLatency {
    /// The player.
    pub player_id: String,
    /// Region measured.
    pub region_identifier: String,
    /// Milliseconds; a float on the wire.
    pub latency_in_milliseconds: f32,
}

/// `PlacedPlayerSession`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedPlayerSession {
    /// The player.
    pub player_id: String,
    /// The player session of that player.
    pub player_session_id: String,
}

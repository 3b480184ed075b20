//! Game session queues.

use serde::{Deserialize, Serialize};

use crate::id::{QueueName, Region};

/// A latency policy of a queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerLatencyPolicy {
    /// The highest latency any player may have, in milliseconds.
    pub maximum_individual_player_latency_ms: Option<i32>,
    /// For how many seconds the policy applies.
    pub policy_duration_seconds: Option<i32>,
}

/// A queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameSessionQueue {
    /// Name.
    pub name: QueueName,
    /// Region.
    pub region: Region,
    /// ARN.
    pub arn: Option<String>,
    /// A placement not made in this time is TIMED_OUT (AWS: 10 to 600 s).
    pub timeout_seconds: Option<i32>,
    /// Fleet or alias ARNs in order of preference.
    pub destinations: Vec<String>,
    /// Latency policies.
    pub player_latency_policies: Vec<PlayerLatencyPolicy>,
    /// Locations allowed; empty when all are.
    pub allowed_locations: Vec<String>,
    /// `LATENCY`, `COST`, `DESTINATION`, `LOCATION` in order.
    pub priority_order: Vec<String>,
    /// Order of locations.
    pub location_order: Vec<String>,
    /// Copied to every event of the queue.
    pub custom_event_data: Option<String>,
    /// SNS topic of its events.
    pub notification_target: Option<String>,
}

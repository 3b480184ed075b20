//! Actions on placements, which start game sessions through a queue.

use serde::{Deserialize, Serialize};

use super::game_session::{properties, session_data, slots};
use super::rule::Rules;
use crate::game_session::GameProperty;
use crate::id::{PlacementId, PlayerId, QueueName};

/// A player to reserve a slot for once the session exists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PlacementPlayer {
    /// Player, 1 to 1024 characters.
    pub player_id: PlayerId,
    /// 1 to 2048 characters.
    pub player_data: Option<String>,
    /// Latencies to Regions, as measured by the player.
    pub latencies: Vec<RegionLatency>,
}

/// A player's latency to a Region.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RegionLatency {
    /// Region.
    pub region: String,
    /// Whole milliseconds.
    pub latency_ms: i32,
}

/// PriorityConfigurationOverride. AWS: the queue must prioritise LOCATION, and latencies may not be given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PriorityOverride {
    /// Locations in order, 1 to 10.
    pub location_order: Vec<String>,
    /// Whether the queue's own order follows: `DEFAULT_AFTER_SINGLE_PASS` if true, else `NONE`.
    pub fall_back: bool,
}

/// StartGameSessionPlacement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct StartGameSessionPlacement {
    /// Chosen by the caller, never used before: 1 to 48 letters, digits and hyphens.
    pub placement_id: PlacementId,
    /// Queue, by name.
    pub game_session_queue_name: QueueName,
    /// Slots, 1 to 200.
    pub maximum_player_session_count: i32,
    /// Name of the game session.
    pub game_session_name: Option<String>,
    /// At most 16.
    pub game_properties: Vec<GameProperty>,
    /// 1 to 262 144 characters.
    pub game_session_data: Option<String>,
    /// Players to reserve slots for.
    pub players: Vec<PlacementPlayer>,
    /// An order of locations to use instead of the queue's.
    pub priority_override: Option<PriorityOverride>,
}

/// StopGameSessionPlacement. AWS: only while PENDING.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct StopGameSessionPlacement {
    /// Placement.
    pub placement_id: PlacementId,
}

impl StartGameSessionPlacement {
    pub(super) fn check(&self, rules: &mut Rules) {
        rules.token("placementId", self.placement_id.as_str());
        rules.queue("gameSessionQueueName", &self.game_session_queue_name);
        slots(rules, self.maximum_player_session_count);
        if let Some(name) = &self.game_session_name {
            rules.length("gameSessionName", name, 1, 1024);
        }
        properties(rules, &self.game_properties);
        session_data(rules, self.game_session_data.as_deref());
        let most = usize::try_from(self.maximum_player_session_count).unwrap_or(0);
        rules.require(self.players.len() <= most, "players", || {
            format!("{} players do not fit into {most} slots.", self.players.len())
        });
        for (index, player) in self.players.iter().enumerate() {
            rules.player(&format!("players[{index}].playerId"), &player.player_id);
            rules.player_data(&format!("players[{index}].playerData"), player.player_data.as_deref());
            for (at, latency) in player.latencies.iter().enumerate() {
                let field = format!("players[{index}].latencies[{at}]");
                rules.length(&format!("{field}.region"), &latency.region, 1, 1024);
                rules.require(latency.latency_ms >= 0, &format!("{field}.latencyMs"), || {
                    "A latency cannot be negative.".to_owned()
                });
            }
        }
        if let Some(order) = &self.priority_override {
            rules.require((1..=10).contains(&order.location_order.len()), "priorityOverride", || {
                "From 1 to 10 locations.".to_owned()
            });
            for (index, location) in order.location_order.iter().enumerate() {
                rules.location(&format!("priorityOverride.locationOrder[{index}]"), location);
            }
            let measured = self.players.iter().any(|player| !player.latencies.is_empty());
            rules.require(!measured, "priorityOverride", || {
                "AWS accepts either a location order or player latencies, not both.".to_owned()
            });
        }
    }
}

impl StopGameSessionPlacement {
    pub(super) fn check(&self, rules: &mut Rules) {
        rules.token("placementId", self.placement_id.as_str());
    }
}

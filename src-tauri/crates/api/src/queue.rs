//! Game session queues.

use liftdeck_insight::{self as insight, Change, FleetState};
use liftdeck_model::action::LatencyPolicy;
use liftdeck_model::queue::PlayerLatencyPolicy;
use liftdeck_model::{FleetId, QueueName, Region};
use liftdeck_store::reader::queue::{self as store, QueueDestination};
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::page::Freshness;

/// A queue.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct QueueRow {
    pub name: QueueName,
    pub region: Region,
    pub arn: String,
    pub timeout_seconds: Option<i32>,
    pub destinations: Vec<QueueDestination>,
    /// Latency policies in plain words.
    pub latency_policies: Vec<String>,
    pub priority: Vec<String>,
    pub notification_target: Option<String>,
    pub freshness: Freshness,
}

/// A destination with its current state.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct QueueDestinationDetail {
    pub arn: String,
    pub kind: DestinationKind,
    pub id: String,
    pub name: Option<String>,
    /// The fleet itself or the fleet the alias points to; null for a terminal alias.
    pub fleet_id: Option<FleetId>,
    pub state: FleetState,
    pub game_sessions: i64,
}

/// The kind of a destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum DestinationKind {
    Fleet,
    Alias,
}

/// One queue with all its settings.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct QueueDetail {
    pub name: QueueName,
    pub region: Region,
    pub arn: Option<String>,
    pub timeout_seconds: Option<i32>,
    pub destinations: Vec<QueueDestinationDetail>,
    pub latency_policies: Vec<LatencyPolicy>,
    pub priority_order: Vec<String>,
    pub location_order: Vec<String>,
    pub allowed_locations: Vec<String>,
    pub notification_target: Option<String>,
    pub custom_event_data: Option<String>,
    pub history: Vec<Change>,
    pub freshness: Freshness,
}

impl QueueRow {
    /// Combines a queue with the freshness of the whole list.
    pub fn new(row: store::QueueRow, freshness: Freshness) -> Self {
        let queue = row.queue;
        Self {
            name: queue.name,
            region: queue.region,
            arn: queue.arn.unwrap_or_default(),
            timeout_seconds: queue.timeout_seconds,
            destinations: row.destinations,
            latency_policies: queue
                .player_latency_policies
                .iter()
                .map(insight::latency_policy_text)
                .collect(),
            priority: queue.priority_order,
            notification_target: queue.notification_target,
            freshness,
        }
    }
}

impl From<insight::QueueDetail> for QueueDetail {
    fn from(detail: insight::QueueDetail) -> Self {
        let queue = detail.queue;
        let policy = |policy: PlayerLatencyPolicy| LatencyPolicy {
            maximum_individual_player_latency_ms: policy.maximum_individual_player_latency_ms,
            policy_duration_seconds: policy.policy_duration_seconds,
        };
        Self {
            history: detail.history,
            name: queue.name,
            region: queue.region,
            arn: queue.arn,
            timeout_seconds: queue.timeout_seconds,
            destinations: detail.destinations.into_iter().map(QueueDestinationDetail::from).collect(),
            latency_policies: queue.player_latency_policies.into_iter().map(policy).collect(),
            priority_order: queue.priority_order,
            location_order: queue.location_order,
            allowed_locations: queue.allowed_locations,
            notification_target: queue.notification_target,
            custom_event_data: queue.custom_event_data,
            freshness: detail.freshness,
        }
    }
}

impl From<insight::QueueDestinationState> for QueueDestinationDetail {
    fn from(stand: insight::QueueDestinationState) -> Self {
        let (to, state) = (stand.destination, stand.state);
        let (kind, id) = match (to.alias_id, &to.fleet_id) {
            (Some(alias), _) => (DestinationKind::Alias, alias.into_string()),
            (None, Some(fleet)) => (DestinationKind::Fleet, fleet.to_string()),
            (None, None) => (DestinationKind::Fleet, to.label.clone()),
        };
        Self {
            kind,
            name: Some(to.label).filter(|label| *label != id),
            id,
            state,
            game_sessions: stand.game_sessions,
            fleet_id: to.fleet_id,
            arn: to.arn,
        }
    }
}

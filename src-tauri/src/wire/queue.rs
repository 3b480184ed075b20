//! Game session queues.

use liftdeck_insight as insight;
use liftdeck_model::action::LatencyPolicy;
use liftdeck_model::queue::PlayerLatencyPolicy;
use liftdeck_model::{AliasId, FleetId};
use liftdeck_store::reader::queue as store;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::wire::change::Change;
use crate::wire::fleet::FleetState;
use crate::wire::number::count;
use crate::wire::window::Freshness;

/// Where a queue may place.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct QueueDestination {
    pub(crate) arn: String,
    /// Name of the fleet or alias, else the ARN's last part.
    pub(crate) label: String,
    pub(crate) fleet_id: Option<String>,
    pub(crate) alias_id: Option<String>,
}

/// A queue.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct QueueRow {
    pub(crate) name: String,
    pub(crate) region: String,
    pub(crate) arn: String,
    pub(crate) timeout_seconds: Option<u32>,
    pub(crate) destinations: Vec<QueueDestination>,
    /// Latency policies in words.
    pub(crate) latency_policies: Vec<String>,
    pub(crate) priority: Vec<String>,
    pub(crate) notification_target: Option<String>,
    pub(crate) freshness: Freshness,
}

/// A destination with how it stands.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct QueueDestinationDetail {
    pub(crate) arn: String,
    pub(crate) kind: DestinationKind,
    pub(crate) id: String,
    pub(crate) name: Option<String>,
    /// The fleet itself or the one the alias leads to; null for a terminal alias.
    pub(crate) fleet_id: Option<String>,
    pub(crate) state: FleetState,
    pub(crate) sessions: u32,
}

/// What a destination is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum DestinationKind {
    Fleet,
    Alias,
}

/// One queue with all its settings.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct QueueDetail {
    pub(crate) name: String,
    pub(crate) region: String,
    pub(crate) arn: Option<String>,
    pub(crate) timeout_seconds: Option<u32>,
    pub(crate) destinations: Vec<QueueDestinationDetail>,
    pub(crate) latency_policies: Vec<LatencyPolicy>,
    pub(crate) priority_order: Vec<String>,
    pub(crate) location_order: Vec<String>,
    pub(crate) allowed_locations: Vec<String>,
    pub(crate) notification_target: Option<String>,
    pub(crate) custom_event_data: Option<String>,
    pub(crate) history: Vec<Change>,
    pub(crate) freshness: Freshness,
}

impl QueueRow {
    /// A queue with the age of the whole list.
    pub(crate) fn new(row: store::QueueRow, freshness: Freshness) -> Self {
        let queue = row.queue;
        Self {
            name: queue.name.to_string(),
            region: queue.region.to_string(),
            arn: queue.arn.unwrap_or_default(),
            timeout_seconds: queue.timeout_seconds.map(count),
            destinations: row.destinations.into_iter().map(QueueDestination::from).collect(),
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
            history: detail.history.into_iter().map(Change::from).collect(),
            name: queue.name.into_string(),
            region: queue.region.into_string(),
            arn: queue.arn,
            timeout_seconds: queue.timeout_seconds.map(count),
            destinations: detail.destinations.into_iter().map(QueueDestinationDetail::from).collect(),
            latency_policies: queue.player_latency_policies.into_iter().map(policy).collect(),
            priority_order: queue.priority_order,
            location_order: queue.location_order,
            allowed_locations: queue.allowed_locations,
            notification_target: queue.notification_target,
            custom_event_data: queue.custom_event_data,
            freshness: detail.freshness.into(),
        }
    }
}

impl From<insight::QueueDestinationState> for QueueDestinationDetail {
    fn from(stand: insight::QueueDestinationState) -> Self {
        let (to, state) = (stand.destination, stand.state.into());
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
            sessions: count(stand.game_sessions),
            fleet_id: to.fleet_id.map(FleetId::into_string),
            arn: to.arn,
        }
    }
}

impl From<store::QueueDestination> for QueueDestination {
    fn from(destination: store::QueueDestination) -> Self {
        Self {
            arn: destination.arn,
            label: destination.label,
            fleet_id: destination.fleet_id.map(FleetId::into_string),
            alias_id: destination.alias_id.map(AliasId::into_string),
        }
    }
}

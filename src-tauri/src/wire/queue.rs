//! Game session queues.

use serde::{Deserialize, Serialize};
use specta::Type;

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

//! Game session queues.

use liftdeck_model::queue::PlayerLatencyPolicy;
use liftdeck_model::{AliasId, FleetId};
use liftdeck_store::reader::queue as store;
use serde::{Deserialize, Serialize};
use specta::Type;

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
            latency_policies: queue.player_latency_policies.iter().map(in_words).collect(),
            priority: queue.priority_order,
            notification_target: queue.notification_target,
            freshness,
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

fn in_words(policy: &PlayerLatencyPolicy) -> String {
    let most = policy
        .maximum_individual_player_latency_ms
        .map_or_else(|| "any latency".to_owned(), |most| format!("at most {most} ms for each player"));
    match policy.policy_duration_seconds {
        Some(seconds) => format!("{most}, for {seconds} s"),
        None => format!("{most}, to the end"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_latency_policy_reads_as_words() {
        let policy = PlayerLatencyPolicy {
            maximum_individual_player_latency_ms: Some(80),
            policy_duration_seconds: Some(60),
        };
        assert_eq!(in_words(&policy), "at most 80 ms for each player, for 60 s");
        let last = PlayerLatencyPolicy { policy_duration_seconds: None, ..policy };
        assert_eq!(in_words(&last), "at most 80 ms for each player, to the end");
    }
}

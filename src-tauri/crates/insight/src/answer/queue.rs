//! Game session queues: the list, and one queue with the state of each destination.

use std::collections::HashMap;

use liftdeck_model::action::LatencyPolicy;
use liftdeck_model::queue::PlayerLatencyPolicy;
use liftdeck_model::{FleetId, QueueName, Region, Timestamp};
use liftdeck_store::reader::fleet::FleetSummary;
use liftdeck_store::reader::freshness::Freshness;
use liftdeck_store::reader::queue::{self as store, QueueDestination};
use liftdeck_store::{Reader, StoreError};
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::change::{Change, resource_history};
use crate::state::{FleetState, fleet_state};

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
    /// Live game sessions on that fleet, whoever placed them.
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
    fn new(row: store::QueueRow, freshness: Freshness) -> Self {
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
                .map(|it| latency_policy_text(&latency_policy(it)))
                .collect(),
            priority: queue.priority_order,
            notification_target: queue.notification_target,
            freshness,
        }
    }
}

/// All queues.
///
/// # Errors
/// When the store cannot be read.
pub async fn queues(reader: &Reader, now: Timestamp) -> Result<Vec<QueueRow>, StoreError> {
    let (rows, freshness) = reader.queues(now).await?;
    Ok(rows.into_iter().map(|row| QueueRow::new(row, freshness)).collect())
}

/// Maximum number of changes shown for a queue.
const HISTORY: u32 = 50;

/// Reads one queue; `None` if it does not exist.
///
/// # Errors
/// When the store cannot be read.
pub async fn queue_detail(
    reader: &Reader,
    region: &Region,
    name: &QueueName,
    now: Timestamp,
) -> Result<Option<QueueDetail>, StoreError> {
    let Some((row, freshness)) = reader.queue(region, name, now).await? else { return Ok(None) };
    let fleets: HashMap<FleetId, FleetSummary> = reader
        .fleet_summaries(now)
        .await?
        .into_iter()
        .map(|summary| (summary.fleet.fleet_id.clone(), summary))
        .collect();
    let mut history = resource_history(reader, "queue", name.as_str(), HISTORY).await?;
    history.retain(|change| change.region == *region);
    let queue = row.queue;
    Ok(Some(QueueDetail {
        name: queue.name,
        region: queue.region,
        arn: queue.arn,
        timeout_seconds: queue.timeout_seconds,
        destinations: row
            .destinations
            .into_iter()
            .map(|to| QueueDestinationDetail::new(to, &fleets))
            .collect(),
        latency_policies: queue.player_latency_policies.iter().map(latency_policy).collect(),
        priority_order: queue.priority_order,
        location_order: queue.location_order,
        allowed_locations: queue.allowed_locations,
        notification_target: queue.notification_target,
        custom_event_data: queue.custom_event_data,
        history,
        freshness,
    }))
}

impl QueueDestinationDetail {
    /// A destination with the state of its fleet: `Off` if it points to no fleet, or to one that is gone.
    fn new(to: QueueDestination, fleets: &HashMap<FleetId, FleetSummary>) -> Self {
        let fleet = to.fleet_id.as_ref().and_then(|id| fleets.get(id));
        let (kind, id) = match (to.alias_id, &to.fleet_id) {
            (Some(alias), _) => (DestinationKind::Alias, alias.into_string()),
            (None, Some(fleet)) => (DestinationKind::Fleet, fleet.to_string()),
            (None, None) => (DestinationKind::Fleet, to.label.clone()),
        };
        Self {
            kind,
            name: Some(to.label).filter(|label| *label != id),
            id,
            state: fleet.map_or(FleetState::Off, fleet_state),
            game_sessions: fleet.map_or(0, FleetSummary::game_sessions),
            fleet_id: to.fleet_id,
            arn: to.arn,
        }
    }
}

/// A latency policy in the form in which it is changed.
pub(crate) fn latency_policy(policy: &PlayerLatencyPolicy) -> LatencyPolicy {
    LatencyPolicy {
        maximum_individual_player_latency_ms: policy.maximum_individual_player_latency_ms,
        policy_duration_seconds: policy.policy_duration_seconds,
    }
}

/// Describes what a latency policy requires, and for how long.
pub fn latency_policy_text(policy: &LatencyPolicy) -> String {
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
        let policy = LatencyPolicy {
            maximum_individual_player_latency_ms: Some(80),
            policy_duration_seconds: Some(60),
        };
        assert_eq!(latency_policy_text(&policy), "at most 80 ms for each player, for 60 s");
        let last = LatencyPolicy { policy_duration_seconds: None, ..policy };
        assert_eq!(latency_policy_text(&last), "at most 80 ms for each player, to the end");
    }
}

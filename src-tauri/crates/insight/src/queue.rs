//! A queue with the state of each destination, and its latency policies as text.

use std::collections::HashMap;

use liftdeck_model::queue::{GameSessionQueue, PlayerLatencyPolicy};
use liftdeck_model::{FleetId, QueueName, Region, Timestamp};
use liftdeck_store::reader::fleet::FleetSummary;
use liftdeck_store::reader::freshness::Freshness;
use liftdeck_store::reader::queue::QueueDestination;
use liftdeck_store::{Reader, StoreError};

use crate::change::{Change, resource_history};
use crate::state::{FleetState, fleet_state};

/// A destination with its current state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueDestinationState {
    /// The destination, with its alias resolved.
    pub destination: QueueDestination,
    /// The state of that fleet; `Off` if the destination points to no fleet, or to one that is gone.
    pub state: FleetState,
    /// Live game sessions on that fleet, whoever placed them.
    pub game_sessions: i64,
}

/// A queue.
#[derive(Clone, Debug, PartialEq)]
pub struct QueueDetail {
    /// The queue.
    pub queue: GameSessionQueue,
    /// Its destinations, in its order.
    pub destinations: Vec<QueueDestinationState>,
    /// Its recorded changes, newest first.
    pub history: Vec<Change>,
    /// Its freshness.
    pub freshness: Freshness,
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
    let stand = |destination: QueueDestination| {
        let fleet = destination.fleet_id.as_ref().and_then(|id| fleets.get(id));
        QueueDestinationState {
            state: fleet.map_or(FleetState::Off, fleet_state),
            game_sessions: fleet.map_or(0, FleetSummary::game_sessions),
            destination,
        }
    };
    let mut history = resource_history(reader, "queue", name.as_str(), HISTORY).await?;
    history.retain(|change| change.region == *region);
    Ok(Some(QueueDetail {
        destinations: row.destinations.into_iter().map(stand).collect(),
        queue: row.queue,
        history,
        freshness,
    }))
}

/// Describes what a latency policy requires, and for how long.
pub fn latency_policy_text(policy: &PlayerLatencyPolicy) -> String {
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
        assert_eq!(latency_policy_text(&policy), "at most 80 ms for each player, for 60 s");
        let last = PlayerLatencyPolicy { policy_duration_seconds: None, ..policy };
        assert_eq!(latency_policy_text(&last), "at most 80 ms for each player, to the end");
    }
}

//! A queue with how each of its destinations stands.

use std::collections::HashMap;

use liftdeck_model::queue::GameSessionQueue;
use liftdeck_model::{FleetId, QueueName, Region, Timestamp};
use liftdeck_store::reader::fleet::FleetSummary;
use liftdeck_store::reader::freshness::Freshness;
use liftdeck_store::reader::queue::QueueDestination;
use liftdeck_store::{Reader, StoreError};

use crate::change::{Change, resource_history};
use crate::state::{FleetState, fleet_state};

/// A destination with how it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueDestinationState {
    /// The destination, its alias resolved.
    pub destination: QueueDestination,
    /// Name of the fleet it leads to.
    pub fleet_name: Option<String>,
    /// How that fleet is; `Off` when it leads to none, or to one that is gone.
    pub state: FleetState,
    /// Live game sessions on that fleet, whoever placed them.
    pub game_sessions: i64,
}

/// A queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueDetail {
    /// The queue.
    pub queue: GameSessionQueue,
    /// Its destinations, in its order.
    pub destinations: Vec<QueueDestinationState>,
    /// Its recorded changes, newest first.
    pub history: Vec<Change>,
    /// Its age.
    pub freshness: Freshness,
}

/// Changes shown of a queue.
const HISTORY: u32 = 50;

/// One queue; `None` when it is not there.
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
            fleet_name: fleet.map(|fleet| fleet.fleet.display_name().to_owned()),
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

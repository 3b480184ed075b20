//! Game session queues.

use liftdeck_insight::change::from_row;
use liftdeck_insight::state::fleet_state;
use liftdeck_model::action::LatencyPolicy;
use liftdeck_model::queue::PlayerLatencyPolicy;
use liftdeck_model::{AliasId, FleetId};
use liftdeck_store::reader::change::ChangeRow;
use liftdeck_store::reader::fleet::FleetSummary;
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
            latency_policies: queue.player_latency_policies.iter().map(in_words).collect(),
            priority: queue.priority_order,
            notification_target: queue.notification_target,
            freshness,
        }
    }
}

impl QueueDetail {
    /// A queue with its destinations as the fleets stand now.
    pub(crate) fn new(
        row: store::QueueRow,
        fleets: &[FleetSummary],
        history: &[ChangeRow],
        freshness: Freshness,
    ) -> Self {
        let queue = row.queue;
        let policy = |policy: PlayerLatencyPolicy| LatencyPolicy {
            maximum_individual_player_latency_ms: policy.maximum_individual_player_latency_ms,
            policy_duration_seconds: policy.policy_duration_seconds,
        };
        // AWS: queues send events of their own Region, and changes are kept by it.
        let here = |change: &&ChangeRow| change.region == queue.region;
        Self {
            history: history.iter().filter(here).filter_map(from_row).map(Change::from).collect(),
            name: queue.name.into_string(),
            region: queue.region.into_string(),
            arn: queue.arn,
            timeout_seconds: queue.timeout_seconds.map(count),
            destinations: row.destinations.into_iter().map(|one| destination(one, fleets)).collect(),
            latency_policies: queue.player_latency_policies.into_iter().map(policy).collect(),
            priority_order: queue.priority_order,
            location_order: queue.location_order,
            allowed_locations: queue.allowed_locations,
            notification_target: queue.notification_target,
            custom_event_data: queue.custom_event_data,
            freshness,
        }
    }
}

fn destination(one: store::QueueDestination, fleets: &[FleetSummary]) -> QueueDestinationDetail {
    let fleet = one.fleet_id.as_ref().and_then(|id| fleets.iter().find(|fleet| fleet.fleet.fleet_id == *id));
    let sessions =
        fleet.map_or(0, |fleet| fleet.locations.iter().map(|here| here.game_sessions).sum::<i64>());
    let named = |id: &str| Some(one.label.clone()).filter(|label| label != id);
    let (kind, id) = match &one.alias_id {
        Some(alias) => (DestinationKind::Alias, alias.to_string()),
        None => (
            DestinationKind::Fleet,
            one.fleet_id.as_ref().map_or_else(|| one.label.clone(), FleetId::to_string),
        ),
    };
    QueueDestinationDetail {
        kind,
        name: named(&id),
        id,
        // A terminal alias, or a fleet that was never listed, has nowhere to place.
        state: fleet.map_or(FleetState::Off, |fleet| fleet_state(fleet).into()),
        sessions: count(sessions),
        fleet_id: one.fleet_id.map(FleetId::into_string),
        arn: one.arn,
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

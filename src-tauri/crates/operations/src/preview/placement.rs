//! Placements: game sessions through a queue.

use liftdeck_model::action::{Action, StartGameSessionPlacement, StopGameSessionPlacement};
use liftdeck_model::placement::PlacementStatus;

use super::draft::{Draft, Hit};
use super::present::Present;
use super::queue::destinations;
use crate::error::OperationError;
use crate::fact::{UndoOffer, Warning};
use crate::words::{self, SkipFact, WarningFact};

/// StartGameSessionPlacement.
pub(super) async fn start(
    present: &mut Present<'_>,
    action: &Action,
    it: &StartGameSessionPlacement,
) -> Result<Draft, OperationError> {
    let queue_name = &it.game_session_queue_name;
    let mut draft = Draft::new(action, format!("Place a game session through {queue_name}"));
    draft.name.clone_from(&it.game_session_name);
    draft.offer = UndoOffer::None(
        "A placement can be stopped while it is PENDING; the game session it made can be terminated."
            .to_owned(),
    );
    draft.hit = Hit::nobody("Takes one free server process; no other game session is affected.");
    draft.fact("Placement", None, Some(it.placement_id.to_string()));
    draft.fact("Queue", None, Some(queue_name.to_string()));
    draft.fact("Slots", None, Some(it.maximum_player_session_count.to_string()));
    if let Some(name) = &it.game_session_name {
        draft.fact("Name", None, Some(name.clone()));
    }
    for property in &it.game_properties {
        draft.fact(&format!("Property {}", property.key), None, Some(property.value.clone()));
    }
    if !it.players.is_empty() {
        draft.fact("Players", None, Some(it.players.len().to_string()));
    }
    if present.placement(&action.region, &it.placement_id).await?.is_some() {
        draft.bad(WarningFact::PlacementIdTaken);
    }
    let Some(queue) = present.queue(&action.region, queue_name).await? else {
        draft.refuse(words::missing("queue", queue_name.as_str(), action));
        return Ok(draft);
    };
    let overrides = it.priority_override.is_some();
    if overrides && !queue.priority_order.iter().any(|priority| priority == "LOCATION") {
        draft.refuse(SkipFact::PriorityNeedsLocation);
    }
    let limited = !queue.player_latency_policies.is_empty();
    if limited && !it.players.is_empty() && it.players.iter().any(|player| player.latencies.is_empty()) {
        draft.caution(WarningFact::LatenciesMissing);
    }
    let found = destinations(present, &action.region, &queue.destinations).await?;
    if found.iter().all(|destination| destination.trouble.is_some()) {
        draft.bad(WarningFact::NoDestinationHosts);
    } else {
        draft.warnings.extend(found.into_iter().filter_map(|found| found.trouble).map(Warning::info));
    }
    Ok(draft)
}

/// StopGameSessionPlacement.
pub(super) async fn stop(
    present: &mut Present<'_>,
    action: &Action,
    it: &StopGameSessionPlacement,
) -> Result<Draft, OperationError> {
    let mut draft = Draft::new(action, format!("Stop placement {}", it.placement_id));
    draft.offer = UndoOffer::None(
        "A stopped placement cannot be restarted. Start another one with a new id.".to_owned(),
    );
    draft.hit = Hit::nobody("The players it waits for get no game session from it.");
    let placement = present.placement(&action.region, &it.placement_id).await?;
    let before = placement.as_ref().map(|placement| placement.status.to_string());
    draft.fact("Status", before, Some(PlacementStatus::Cancelled.to_string()));
    match placement {
        None => draft.refuse(words::missing("placement", it.placement_id.as_str(), action)),
        Some(placement) if placement.status != PlacementStatus::Pending => {
            draft.end(SkipFact::PlacementNotPending { status: placement.status });
        }
        Some(placement) => draft.name = placement.queue.as_ref().map(ToString::to_string),
    }
    Ok(draft)
}

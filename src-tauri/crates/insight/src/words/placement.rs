//! The history of a placement, as text.

use liftdeck_model::placement::{PlacementEvent, PlacementEventType, PlacementStatus};

/// The first entry of every placement.
pub const PLACEMENT_QUEUED: &str = "The placement was queued";

/// Describes one of its events.
pub fn placement_event(event: &PlacementEvent) -> String {
    let place = event.game_session_location.as_ref().map(|place| format!(" in {place}")).unwrap_or_default();
    match event.event_type {
        PlacementEventType::Fulfilled => format!("A game session was created{place}"),
        _ => placement_failed(&event.event_type).to_owned(),
    }
}

/// Says why a placement with this outcome led to no game session.
pub fn placement_failed(outcome: &PlacementEventType) -> &'static str {
    match outcome {
        PlacementEventType::Cancelled => "Someone stopped it",
        PlacementEventType::TimedOut => "The queue's timeout passed before a place was found",
        _ => "GameLift could not place it",
    }
}

/// States that the placement is over, if only its status is known.
pub fn placement_ended(status: &PlacementStatus) -> String {
    format!("It ended as {status}")
}

//! Placements.

use liftdeck_model::observation::PollKind;
use liftdeck_model::placement::PlacementEventType;
use liftdeck_store::reader::freshness::Basis;
use liftdeck_store::reader::placement::PlacementRequest;
use tauri::State;

use crate::state::Deck;
use crate::wire::error::AppError;
use crate::wire::placement::{PlacementPage, PlacementQuery};

/// A window onto placements, newest first, with figures over all of the range.
#[tauri::command]
#[specta::specta]
pub(crate) async fn placement_list(
    deck: State<'_, Deck>,
    query: PlacementQuery,
) -> Result<PlacementPage, AppError> {
    let flight = deck.flight()?;
    let range = query.range.time_range();
    let request = PlacementRequest {
        queue: query.queue,
        event_types: query.types.iter().map(|name| PlacementEventType::from(name.as_str())).collect(),
        text: query.text,
        range,
        page: query.page.into(),
    };
    let window = flight.reader.placements(&request).await?;
    let statistics = flight.reader.placement_statistics(request.queue.as_deref(), range).await?;
    let freshness = flight.reader.freshness(Basis::All(PollKind::EventFeed), (deck.clock)());
    Ok(PlacementPage::new(window, statistics, flight.health().feeds, freshness.into()))
}

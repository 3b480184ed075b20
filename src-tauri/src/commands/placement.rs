//! Placements.

use liftdeck_model::PlacementId;
use liftdeck_model::observation::PollKind;
use liftdeck_model::placement::PlacementEventType;
use liftdeck_store::reader::freshness::Basis;
use liftdeck_store::reader::placement::{PlacementRequest, PlacementScope};
use tauri::State;

use crate::state::Deck;
use crate::wire::error::AppError;
use crate::wire::placement::{PlacementDetail, PlacementPage, PlacementQuery};

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
        scope: PlacementScope { queue: query.queue, ..PlacementScope::default() },
        event_types: query.types.iter().map(|name| PlacementEventType::from(name.as_str())).collect(),
        text: query.text,
        range,
        page: query.page.into(),
    };
    let window = flight.reader.placements(&request).await?;
    let statistics = flight.reader.placement_statistics(request.scope.queue.as_deref(), range).await?;
    let freshness = flight.reader.freshness(Basis::All(PollKind::EventFeed), (deck.clock)());
    Ok(PlacementPage::new(window, statistics, flight.health().feeds, freshness.into()))
}

/// One placement with its story; GameLift is asked how it stands, because it lists none.
#[tauri::command]
#[specta::specta]
pub(crate) async fn placement_get(
    deck: State<'_, Deck>,
    placement_id: String,
) -> Result<PlacementDetail, AppError> {
    let (flight, now) = (deck.flight()?, (deck.clock)());
    let id = PlacementId::new(placement_id);
    let story = flight.reader.placement(&id, now).await?;
    let asked = match flight.guard() {
        Ok(guard) => Box::pin(guard.placement_now(&id)).await.map_err(AppError::from),
        Err(error) => Err(error),
    };
    match (story, asked) {
        (None, Err(error)) => Err(error),
        (story, asked) => PlacementDetail::new(story, asked.ok().flatten(), now)
            .ok_or_else(|| AppError::not_found("placement", id.as_str())),
    }
}

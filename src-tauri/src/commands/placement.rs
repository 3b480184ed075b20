//! Placements.

use liftdeck_model::PlacementId;
use liftdeck_model::observation::PollKind;
use liftdeck_model::placement::PlacementEventType;
use liftdeck_store::reader::freshness::Basis;
use liftdeck_store::reader::placement::PlacementRequest;
use tauri::State;

use crate::state::Deck;
use crate::wire::error::AppError;
use crate::wire::placement::{
    PlacementDetail, PlacementGroup, PlacementGroups, PlacementPage, PlacementQuery, PlacementScope,
    PlacementSplit,
};
use crate::wire::window::Range;

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
        scope: query.scope.into(),
        event_types: query.types.iter().map(|name| PlacementEventType::from(name.as_str())).collect(),
        text: query.text,
        range,
        page: query.page.into(),
    };
    let window = flight.reader.placements(&request).await?;
    let statistics = flight.reader.placement_statistics_of(&request.scope, range).await?;
    let freshness = flight.reader.freshness(Basis::All(PollKind::EventFeed), (deck.clock)());
    Ok(PlacementPage::new(window, statistics, flight.health().feeds, freshness.into()))
}

/// The placements of a range split by queue, Region or destination: how each part ended and how long it took.
#[tauri::command]
#[specta::specta]
pub(crate) async fn placement_split(
    deck: State<'_, Deck>,
    scope: PlacementScope,
    split: PlacementSplit,
    range: Range,
) -> Result<PlacementGroups, AppError> {
    let flight = deck.flight()?;
    let found = flight.reader.placement_split(&scope.into(), range.time_range(), split.into()).await?;
    let groups =
        found.into_iter().map(|(group, statistics)| PlacementGroup::new(group, &statistics)).collect();
    let freshness = flight.reader.freshness(Basis::All(PollKind::EventFeed), (deck.clock)());
    Ok(PlacementGroups { groups, freshness: freshness.into() })
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

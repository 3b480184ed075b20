//! The Overview screen.

use tauri::State;

use crate::state::Deck;
use crate::wire::error::AppError;
use crate::wire::overview::Overview;
use crate::wire::window::Range;

/// The Overview screen.
#[tauri::command]
#[specta::specta]
pub(crate) async fn overview_get(deck: State<'_, Deck>, range: Range) -> Result<Overview, AppError> {
    let flight = deck.flight()?;
    let overview = liftdeck_insight::overview(&flight.reader, range.time_range(), (deck.clock)());
    Ok(Box::pin(overview).await?.into())
}

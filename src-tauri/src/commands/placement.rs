//! Placements.

use tauri::State;

use crate::state::Deck;
use crate::wire::error::AppError;
use crate::wire::placement::{PlacementPage, PlacementQuery};

/// A window onto placements, newest first, with figures over all of the range.
#[tauri::command]
#[specta::specta]
pub(crate) async fn placement_list(deck: State<'_, Deck>, query: PlacementQuery) -> Result<PlacementPage, AppError> {
    let _ = (deck, query);
    Err(AppError::no_connection())
}

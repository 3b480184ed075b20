//! Players.

use tauri::State;

use crate::state::Deck;
use crate::wire::error::AppError;
use crate::wire::player::PlayerPage;
use crate::wire::window::Page;

/// Players by id or prefix, with every session they were seen in.
#[tauri::command]
#[specta::specta]
pub(crate) async fn player_search(deck: State<'_, Deck>, text: String, page: Page) -> Result<PlayerPage, AppError> {
    let _ = (deck, text, page);
    Err(AppError::no_connection())
}

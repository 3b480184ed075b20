//! Game sessions.

use tauri::State;

use crate::state::Deck;
use crate::wire::error::AppError;
use crate::wire::session::{QueryCheck, SessionDetail, SessionPage, SessionQuery};

/// A window onto game sessions.
#[tauri::command]
#[specta::specta]
pub(crate) async fn session_list(deck: State<'_, Deck>, query: SessionQuery) -> Result<SessionPage, AppError> {
    let _ = (deck, query);
    Err(AppError::no_connection())
}

/// One game session.
#[tauri::command]
#[specta::specta]
pub(crate) async fn session_get(deck: State<'_, Deck>, game_session_id: String) -> Result<SessionDetail, AppError> {
    let _ = (deck, game_session_id);
    Err(AppError::no_connection())
}

/// Whether a query parses, and completions at the caret.
#[tauri::command]
#[specta::specta]
pub(crate) async fn query_check(deck: State<'_, Deck>, text: String, caret: u32) -> Result<QueryCheck, AppError> {
    let _ = (deck, text, caret);
    Err(AppError::no_connection())
}

//! How collection goes, and what it should hurry with.

use tauri::State;

use crate::state::Deck;
use crate::wire::error::AppError;
use crate::wire::health::{Health, ScreenFocus};

/// How collection goes.
#[tauri::command]
#[specta::specta]
pub(crate) async fn health_get(deck: State<'_, Deck>) -> Result<Health, AppError> {
    let _ = (deck);
    Err(AppError::no_connection())
}

/// What is on screen now, so that the collector asks for it first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn focus_set(deck: State<'_, Deck>, focus: ScreenFocus) -> Result<(), AppError> {
    let _ = (deck, focus);
    Err(AppError::no_connection())
}

/// Asks again at once instead of waiting out the pause.
#[tauri::command]
#[specta::specta]
pub(crate) async fn retry_now(deck: State<'_, Deck>) -> Result<(), AppError> {
    let _ = (deck);
    Err(AppError::no_connection())
}

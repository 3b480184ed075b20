//! The program's state and settings.

use tauri::State;

use crate::state::Deck;
use crate::wire::error::AppError;
use crate::wire::settings::{AppState, Settings};

/// The state of the program.
#[tauri::command]
#[specta::specta]
pub(crate) async fn app_state(deck: State<'_, Deck>) -> Result<AppState, AppError> {
    let _ = (deck);
    Err(AppError::no_connection())
}

/// Keeps the settings and applies them to what is running.
#[tauri::command]
#[specta::specta]
pub(crate) async fn settings_save(deck: State<'_, Deck>, settings: Settings) -> Result<AppState, AppError> {
    let _ = (deck, settings);
    Err(AppError::no_connection())
}

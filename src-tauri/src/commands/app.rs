//! The program's state and settings.

use tauri::{AppHandle, State};

use crate::relay;
use crate::state::Deck;
use crate::wire::error::AppError;
use crate::wire::settings::{AppState, Settings};

/// The state of the program. While a connection is being opened it waits for the outcome.
#[tauri::command]
#[specta::specta]
pub(crate) async fn app_state(deck: State<'_, Deck>) -> Result<AppState, AppError> {
    let _turn = deck.turn().await;
    Ok(deck.app_state())
}

/// Keeps the settings and applies them to what is running.
#[tauri::command]
#[specta::specta]
pub(crate) async fn settings_save(
    app: AppHandle,
    deck: State<'_, Deck>,
    settings: Settings,
) -> Result<AppState, AppError> {
    deck.save_settings(settings).await?;
    relay::settings_changed(&app);
    Ok(deck.app_state())
}

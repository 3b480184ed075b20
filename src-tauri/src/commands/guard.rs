//! Leave to change things.

use tauri::{AppHandle, State};

use crate::relay;
use crate::state::Deck;
use crate::wire::error::AppError;
use crate::wire::settings::AppState;

/// Unlocks the open connection for some minutes (5 to 480); a production connection asks for its name to be typed.
#[tauri::command]
#[specta::specta]
pub(crate) async fn guard_unlock(
    app: AppHandle,
    deck: State<'_, Deck>,
    minutes: u32,
    typed: Option<String>,
) -> Result<AppState, AppError> {
    deck.flight()?.guard()?.unlock(minutes, typed.as_deref()).await?;
    relay::settings_changed(&app);
    Ok(deck.app_state())
}

/// Makes the open connection read-only at once.
#[tauri::command]
#[specta::specta]
pub(crate) async fn guard_lock(app: AppHandle, deck: State<'_, Deck>) -> Result<AppState, AppError> {
    deck.flight()?.guard()?.lock();
    relay::settings_changed(&app);
    Ok(deck.app_state())
}

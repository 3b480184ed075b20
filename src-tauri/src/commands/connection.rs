//! Connections and the demo.

use tauri::State;

use crate::state::Deck;
use crate::wire::connection::{AwsProfile, ConnectionCheck, ConnectionDraft};
use crate::wire::error::AppError;
use crate::wire::settings::AppState;

/// The profiles of the shared AWS configuration.
#[tauri::command]
#[specta::specta]
pub(crate) async fn profile_list(deck: State<'_, Deck>) -> Result<Vec<AwsProfile>, AppError> {
    let _ = (deck);
    Err(AppError::no_connection())
}

/// Tries what the connection may do, without saving it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn connection_check(deck: State<'_, Deck>, draft: ConnectionDraft) -> Result<ConnectionCheck, AppError> {
    let _ = (deck, draft);
    Err(AppError::no_connection())
}

/// Saves a new connection, or the one with this id.
#[tauri::command]
#[specta::specta]
pub(crate) async fn connection_save(deck: State<'_, Deck>, id: Option<String>, draft: ConnectionDraft) -> Result<AppState, AppError> {
    let _ = (deck, id, draft);
    Err(AppError::no_connection())
}

/// Opens a connection; what was open is closed first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn connection_open(deck: State<'_, Deck>, id: String) -> Result<AppState, AppError> {
    let _ = (deck, id);
    Err(AppError::no_connection())
}

/// Forgets a connection. Its database stays.
#[tauri::command]
#[specta::specta]
pub(crate) async fn connection_delete(deck: State<'_, Deck>, id: String) -> Result<AppState, AppError> {
    let _ = (deck, id);
    Err(AppError::no_connection())
}

/// Takes a connection file from a colleague.
#[tauri::command]
#[specta::specta]
pub(crate) async fn connection_import(deck: State<'_, Deck>, json: String) -> Result<AppState, AppError> {
    let _ = (deck, json);
    Err(AppError::no_connection())
}

/// A connection as a file for a colleague; it holds no secret.
#[tauri::command]
#[specta::specta]
pub(crate) async fn connection_export(deck: State<'_, Deck>, id: String) -> Result<String, AppError> {
    let _ = (deck, id);
    Err(AppError::no_connection())
}

/// Opens the built-in demo.
#[tauri::command]
#[specta::specta]
pub(crate) async fn demo_open(deck: State<'_, Deck>, scenario: Option<String>) -> Result<AppState, AppError> {
    let _ = (deck, scenario);
    Err(AppError::no_connection())
}

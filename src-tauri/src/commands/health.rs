//! How collection goes, and what it should hurry with.

use tauri::State;

use crate::relay;
use crate::state::Deck;
use crate::wire::error::AppError;
use crate::wire::health::{Health, ScreenFocus};

/// How collection goes.
#[tauri::command]
#[specta::specta]
pub(crate) async fn health_get(deck: State<'_, Deck>) -> Result<Health, AppError> {
    let mut health = deck.health();
    if let Ok(flight) = deck.flight() {
        health.revision = relay::revision(flight.reader.revision().await?);
    }
    Ok(health)
}

/// What is on screen now, so that the collector asks for it first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn focus_set(deck: State<'_, Deck>, focus: ScreenFocus) -> Result<(), AppError> {
    deck.flight()?.focus(focus);
    Ok(())
}

/// Asks again at once instead of waiting out the pause.
#[tauri::command]
#[specta::specta]
pub(crate) async fn retry_now(deck: State<'_, Deck>) -> Result<(), AppError> {
    deck.flight()?.retry_now();
    Ok(())
}

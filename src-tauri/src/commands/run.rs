//! Runs: bulk changes and drains.

use liftdeck_model::activity::RunId;
use tauri::State;

use crate::state::Deck;
use crate::wire::error::AppError;
use crate::wire::run::Run;

/// Runs, newest first; only those that may still go on when `open_only`.
#[tauri::command]
#[specta::specta]
pub(crate) async fn run_list(deck: State<'_, Deck>, open_only: bool) -> Result<Vec<Run>, AppError> {
    let runs = deck.flight()?.guard()?.runs(open_only).await?;
    Ok(runs.into_iter().map(Run::from).collect())
}

/// One run.
#[tauri::command]
#[specta::specta]
pub(crate) async fn run_get(deck: State<'_, Deck>, id: String) -> Result<Run, AppError> {
    Ok(deck.flight()?.guard()?.run(&RunId::new(id)).await?.into())
}

/// Pauses a run once the changes under way have their answers.
#[tauri::command]
#[specta::specta]
pub(crate) async fn run_pause(deck: State<'_, Deck>, id: String) -> Result<Run, AppError> {
    Ok(deck.flight()?.guard()?.run_pause(&RunId::new(id)).await?.into())
}

/// Ends a run before its last item.
#[tauri::command]
#[specta::specta]
pub(crate) async fn run_stop(deck: State<'_, Deck>, id: String) -> Result<Run, AppError> {
    Ok(deck.flight()?.guard()?.run_stop(&RunId::new(id)).await?.into())
}

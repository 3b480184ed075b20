//! Charts saved as files.

use tauri::State;

use crate::state::Deck;
use crate::wire::error::AppError;
use crate::wire::series::ChartSave;

/// Writes the chart where the operator says; resolves with the path, null when cancelled.
#[tauri::command]
#[specta::specta]
pub(crate) async fn chart_save(
    deck: State<'_, Deck>,
    request: ChartSave,
) -> Result<Option<String>, AppError> {
    let _ = (deck, request);
    Err(AppError::no_connection())
}

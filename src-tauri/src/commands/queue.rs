//! Game session queues.

use tauri::State;

use crate::state::Deck;
use crate::wire::error::AppError;
use crate::wire::queue::QueueRow;

/// All queues of the connection.
#[tauri::command]
#[specta::specta]
pub(crate) async fn queue_list(deck: State<'_, Deck>) -> Result<Vec<QueueRow>, AppError> {
    let (rows, freshness) = deck.flight()?.reader.queues((deck.clock)()).await?;
    Ok(rows.into_iter().map(|row| QueueRow::new(row, freshness.into())).collect())
}

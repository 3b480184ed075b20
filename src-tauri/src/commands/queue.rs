//! Game session queues.

use tauri::State;

use crate::state::Deck;
use crate::wire::error::AppError;
use crate::wire::queue::QueueRow;

/// All queues of the connection.
#[tauri::command]
#[specta::specta]
pub(crate) async fn queue_list(deck: State<'_, Deck>) -> Result<Vec<QueueRow>, AppError> {
    let _ = (deck);
    Err(AppError::no_connection())
}

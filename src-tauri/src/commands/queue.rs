//! Game session queues.

use liftdeck_model::{QueueName, Region};
use tauri::State;

use crate::state::Deck;
use crate::wire::error::AppError;
use crate::wire::queue::{QueueDetail, QueueRow};

/// All queues of the connection.
#[tauri::command]
#[specta::specta]
pub(crate) async fn queue_list(deck: State<'_, Deck>) -> Result<Vec<QueueRow>, AppError> {
    let (rows, freshness) = deck.flight()?.reader.queues((deck.clock)()).await?;
    Ok(rows.into_iter().map(|row| QueueRow::new(row, freshness.into())).collect())
}

/// One queue with all its settings, how its destinations stand, and its history.
#[tauri::command]
#[specta::specta]
pub(crate) async fn queue_get(
    deck: State<'_, Deck>,
    name: String,
    region: String,
) -> Result<QueueDetail, AppError> {
    let (flight, now) = (deck.flight()?, (deck.clock)());
    let (queue, home) = (QueueName::new(name), Region::new(region));
    let found = liftdeck_insight::queue_detail(&flight.reader, &home, &queue, now).await?;
    found.map(QueueDetail::from).ok_or_else(|| AppError::not_found("queue", queue.as_str()))
}

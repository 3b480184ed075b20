//! Game session queues.

use liftdeck_model::{QueueName, Region};
use liftdeck_store::reader::change::ChangeScope;
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
    let found = flight.reader.queue(&home, &queue, now).await?;
    let (row, freshness) = found.ok_or_else(|| AppError::not_found("queue", queue.as_str()))?;
    let fleets = flight.reader.fleet_summaries(now).await?;
    let scope = ChangeScope::Resource { kind: "queue", resource: queue.as_str() };
    let history = flight.reader.changes(scope, None, HISTORY).await?;
    Ok(QueueDetail::new(row, &fleets, &history, freshness.into()))
}

/// Changes shown of a queue.
const HISTORY: u32 = 50;

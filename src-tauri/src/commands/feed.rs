//! Event queues: looked at, adopted, given up, and what was set aside of them.

use liftdeck_collector::adoption::Peek;
use liftdeck_model::feed::ForeignBodies;
use tauri::State;

use crate::state::Deck;
use crate::wire::error::AppError;
use crate::wire::feed::{AsideMessage, QueueLook};
use crate::wire::number::Ms;

/// Messages of one answer at most.
const MOST: u32 = 200;
/// Characters of each body.
const BEGINNING: u32 = 400;

/// Looks at an event queue of the connection; deletes nothing. Each look is a delivery to the messages looked at, so where
/// a dead-letter rule counts those it has to be asked for with `anyway`.
#[tauri::command]
#[specta::specta]
pub(crate) async fn feed_look(
    deck: State<'_, Deck>,
    url: String,
    anyway: bool,
) -> Result<QueueLook, AppError> {
    let peek = if anyway { Peek::Always } else { Peek::Unharmful };
    Ok(Box::pin(deck.flight()?.feed_look(&url, peek)).await?.into())
}

/// Adopts the event queue that was looked at last. What is not this account's is set aside or stays in the queue.
#[tauri::command]
#[specta::specta]
pub(crate) async fn feed_adopt(
    deck: State<'_, Deck>,
    url: String,
    set_aside: bool,
    typed: Option<String>,
) -> Result<(), AppError> {
    let foreign = if set_aside { ForeignBodies::SetAside } else { ForeignBodies::Leave };
    Box::pin(deck.flight()?.feed_adopt(&url, foreign, typed.as_deref())).await
}

/// Gives an adopted event queue up: its messages are left alone from then on.
#[tauri::command]
#[specta::specta]
pub(crate) async fn feed_release(deck: State<'_, Deck>, url: String) -> Result<(), AppError> {
    deck.flight()?.feed_release(&url).await
}

/// Messages that were set aside, newest first, below a key.
#[tauri::command]
#[specta::specta]
pub(crate) async fn feed_aside(
    deck: State<'_, Deck>,
    below: Option<Ms>,
) -> Result<Vec<AsideMessage>, AppError> {
    let rows = deck.flight()?.reader.aside(below.map(|key| key.0), MOST, BEGINNING).await?;
    Ok(rows.into_iter().map(AsideMessage::from).collect())
}

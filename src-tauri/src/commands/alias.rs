//! Aliases.

use tauri::State;

use crate::state::Deck;
use crate::wire::alias::AliasRow;
use crate::wire::error::AppError;

/// All aliases of the connection, with the history of where they led.
#[tauri::command]
#[specta::specta]
pub(crate) async fn alias_list(deck: State<'_, Deck>) -> Result<Vec<AliasRow>, AppError> {
    let (rows, freshness) = deck.flight()?.reader.aliases((deck.clock)()).await?;
    Ok(rows.into_iter().map(|row| AliasRow::new(row, freshness.into())).collect())
}

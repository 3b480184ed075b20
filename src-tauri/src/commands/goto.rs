//! The palette's search.

use tauri::State;

use crate::state::Deck;
use crate::wire::error::AppError;
use crate::wire::goto::GotoHit;

/// Places whose name or id matches.
#[tauri::command]
#[specta::specta]
pub(crate) async fn goto(deck: State<'_, Deck>, text: String) -> Result<Vec<GotoHit>, AppError> {
    let found = deck.flight()?.reader.find(&text, (deck.clock)()).await?;
    Ok(found.into_iter().map(GotoHit::from).collect())
}

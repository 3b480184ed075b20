//! Players.

use tauri::State;

use crate::state::Deck;
use crate::wire::error::AppError;
use crate::wire::number::count;
use crate::wire::player::{PlayerHit, PlayerPage};
use crate::wire::window::Page;

/// Players by id or prefix, with the sessions they were seen in, newest first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn player_search(
    deck: State<'_, Deck>,
    text: String,
    page: Page,
) -> Result<PlayerPage, AppError> {
    let (found, freshness) = deck.flight()?.reader.players(&text, page.into(), (deck.clock)()).await?;
    Ok(PlayerPage {
        hits: found.rows.into_iter().map(PlayerHit::from).collect(),
        total: count(found.total),
        freshness: freshness.into(),
    })
}

//! Players.

use crate::app::App;
use liftdeck_api::error::AppError;
use liftdeck_store::reader::player::PlayerHit;
use liftdeck_store::reader::window::{Listed, Page};

pub(crate) async fn player_search(
    app: &App,
    text: String,
    page: Page,
) -> Result<Listed<PlayerHit>, AppError> {
    let (found, freshness) = app.connection()?.reader.players(&text, page, app.now()).await?;
    Ok(Listed::new(found, freshness, |hit| hit))
}

//! Players.

use crate::app::App;
use liftdeck_api::error::{AppError, ErrorKind};
use liftdeck_api::search::PlayerAsked;
use liftdeck_insight::answer::player::PlayerDossier;
use liftdeck_insight::answer::player_data::{self, PlayerData};
use liftdeck_model::{GameSessionId, PlayerId, PlayerSessionId};
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

pub(crate) async fn player_get(app: &App, player_id: PlayerId) -> Result<PlayerDossier, AppError> {
    let (open, now) = (app.connection()?, app.now());
    let record = open.reader.player_record(&player_id, now).await?;
    Ok(PlayerDossier::new(player_id, record, now))
}

pub(crate) async fn player_look_up(app: &App, player_id: PlayerId) -> Result<Vec<PlayerAsked>, AppError> {
    // AWS: PlayerId, 1 to 1024 characters.
    if !(1..=1024).contains(&player_id.as_str().chars().count()) {
        return Err(AppError::new(ErrorKind::InvalidInput, "A player id has 1 to 1024 characters."));
    }
    let found = app.connection()?.searcher()?.player(&player_id).await;
    Ok(found.into_iter().map(PlayerAsked::from).collect())
}

pub(crate) async fn player_session_look_up(app: &App, id: PlayerSessionId) -> Result<PlayerId, AppError> {
    // AWS: PlayerSessionId, `^psess-\S+`.
    if id
        .as_str()
        .strip_prefix("psess-")
        .is_none_or(|rest| rest.is_empty() || rest.contains(char::is_whitespace))
    {
        return Err(AppError::new(ErrorKind::InvalidInput, "A player session id begins with psess-."));
    }
    let found = app.connection()?.searcher()?.player_session(&id).await?;
    found.map(|found| found.player_id).ok_or_else(|| AppError::not_found("player session", id.as_str()))
}

pub(crate) async fn player_data_list(
    app: &App,
    game_session_id: GameSessionId,
) -> Result<Vec<PlayerData>, AppError> {
    Ok(player_data::player_data_list(&app.connection()?.reader, &game_session_id).await?)
}

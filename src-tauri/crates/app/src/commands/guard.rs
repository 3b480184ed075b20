//! Unlocking and locking changes.

use crate::app::App;
use liftdeck_api::error::AppError;
use liftdeck_api::settings::AppState;

pub(crate) async fn guard_unlock(
    app: &App,
    minutes: u32,
    typed: Option<String>,
) -> Result<AppState, AppError> {
    app.connection()?.guard()?.unlock(minutes, typed.as_deref()).await?;
    Ok(app.told())
}

pub(crate) async fn guard_lock(app: &App) -> Result<AppState, AppError> {
    app.connection()?.guard()?.lock();
    Ok(app.told())
}

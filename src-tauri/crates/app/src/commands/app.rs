//! The program's state and settings.

use crate::app::App;
use liftdeck_api::error::AppError;
use liftdeck_api::settings::{AppState, Settings};

pub(crate) async fn app_state(app: &App) -> Result<AppState, AppError> {
    let _turn = app.turn().await;
    Ok(app.app_state())
}

pub(crate) async fn settings_save(app: &App, settings: Settings) -> Result<AppState, AppError> {
    app.save_settings(settings).await?;
    Ok(app.told())
}

//! The state of collection, and what it should poll first.

use crate::app::App;
use liftdeck_api::error::AppError;
use liftdeck_collector::{Focus, Health};

pub(crate) async fn health_get(app: &App) -> Result<Health, AppError> {
    let mut health = app.health();
    if let Ok(open) = app.connection() {
        health.revision = open.reader.revision().await?;
    }
    Ok(health)
}

pub(crate) async fn focus_set(app: &App, focus: Focus) -> Result<(), AppError> {
    app.connection()?.focus(focus);
    Ok(())
}

pub(crate) async fn retry_now(app: &App) -> Result<(), AppError> {
    app.connection()?.retry_now();
    Ok(())
}

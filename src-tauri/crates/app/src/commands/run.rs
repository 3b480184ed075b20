//! Runs: bulk changes and drains.

use liftdeck_model::activity::RunId;

use crate::app::App;
use liftdeck_api::error::AppError;
use liftdeck_operations::Run;

pub(crate) async fn run_list(app: &App, open_only: bool) -> Result<Vec<Run>, AppError> {
    Ok(Run::list(&app.connection()?.reader, open_only).await?)
}

pub(crate) async fn run_get(app: &App, id: RunId) -> Result<Run, AppError> {
    Ok(Run::get(&app.connection()?.reader, &id).await?)
}

pub(crate) async fn run_pause(app: &App, id: RunId) -> Result<Run, AppError> {
    Ok(app.connection()?.guard()?.run_pause(&id).await?)
}

pub(crate) async fn run_stop(app: &App, id: RunId) -> Result<Run, AppError> {
    Ok(app.connection()?.guard()?.run_stop(&id).await?)
}

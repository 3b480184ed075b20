//! Aliases.

use liftdeck_insight::answer::alias::{AliasRow, aliases};
use liftdeck_model::activity::ActivityId;
use liftdeck_model::{AliasId, FleetId};

use crate::app::App;
use liftdeck_api::error::AppError;
use liftdeck_operations::{RepointComparison, RepointWatch};

pub(crate) async fn alias_list(app: &App) -> Result<Vec<AliasRow>, AppError> {
    Ok(aliases(&app.connection()?.reader, app.now()).await?)
}

pub(crate) async fn repoint_compare(
    app: &App,
    alias: AliasId,
    fleet: FleetId,
) -> Result<RepointComparison, AppError> {
    Ok(Box::pin(app.connection()?.guard()?.compare(&alias, &fleet)).await?)
}

pub(crate) async fn repoint_watch(app: &App, id: ActivityId) -> Result<RepointWatch, AppError> {
    Ok(app.connection()?.guard()?.repoint_watch(&id).await?)
}

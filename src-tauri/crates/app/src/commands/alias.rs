//! Aliases.

use liftdeck_model::activity::ActivityId;
use liftdeck_model::{AliasId, FleetId};

use crate::app::App;
use liftdeck_api::alias::AliasRow;
use liftdeck_api::error::AppError;
use liftdeck_operations::{RepointComparison, RepointWatch};

pub(crate) async fn alias_list(app: &App) -> Result<Vec<AliasRow>, AppError> {
    let open = app.connection()?;
    let (rows, freshness) = open.reader.aliases(app.now()).await?;
    let seen: Vec<_> = rows.iter().map(|row| row.history.as_slice()).collect();
    let histories = liftdeck_insight::histories(&open.reader, &seen).await?;
    let row = |(row, history)| AliasRow::new(row, history, freshness);
    Ok(rows.into_iter().zip(histories).map(row).collect())
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

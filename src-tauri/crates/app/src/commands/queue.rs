//! Game session queues.

use liftdeck_model::{QueueName, Region};

use crate::app::App;
use liftdeck_api::error::AppError;
use liftdeck_api::queue::{QueueDetail, QueueRow};

pub(crate) async fn queue_list(app: &App) -> Result<Vec<QueueRow>, AppError> {
    let (rows, freshness) = app.connection()?.reader.queues(app.now()).await?;
    Ok(rows.into_iter().map(|row| QueueRow::new(row, freshness)).collect())
}

pub(crate) async fn queue_get(app: &App, name: QueueName, region: Region) -> Result<QueueDetail, AppError> {
    let (open, now) = (app.connection()?, app.now());
    let found = liftdeck_insight::queue_detail(&open.reader, &region, &name, now).await?;
    found.map(QueueDetail::from).ok_or_else(|| AppError::not_found("queue", name.as_str()))
}

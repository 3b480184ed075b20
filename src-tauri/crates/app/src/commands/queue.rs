//! Game session queues.

use liftdeck_insight::answer::queue::{QueueDetail, QueueRow, queue_detail, queues};
use liftdeck_model::{QueueName, Region};

use crate::app::App;
use liftdeck_api::error::AppError;

pub(crate) async fn queue_list(app: &App) -> Result<Vec<QueueRow>, AppError> {
    Ok(queues(&app.connection()?.reader, app.now()).await?)
}

pub(crate) async fn queue_get(app: &App, name: QueueName, region: Region) -> Result<QueueDetail, AppError> {
    let found = queue_detail(&app.connection()?.reader, &region, &name, app.now()).await?;
    found.ok_or_else(|| AppError::not_found("queue", name.as_str()))
}

//! Event queues: inspecting, adopting and releasing them, and the messages that were set aside.

use liftdeck_collector::adoption::Peek;
use liftdeck_model::feed::{Adoption, ForeignBodies};

use crate::app::App;
use liftdeck_api::error::AppError;
use liftdeck_api::feed::QueueLook;
use liftdeck_store::reader::feed::AsideMessage;

/// The most messages returned in one answer.
const MOST: u32 = 200;
/// Characters returned of each message body.
const BEGINNING: u32 = 400;

pub(crate) async fn feed_look(app: &App, url: String, anyway: bool) -> Result<QueueLook, AppError> {
    let peek = if anyway { Peek::Always } else { Peek::Unharmful };
    Ok(Box::pin(app.connection()?.feed_look(&url, peek)).await?.into())
}

pub(crate) async fn feed_adopt(
    app: &App,
    url: String,
    set_aside: bool,
    typed: Option<String>,
) -> Result<(), AppError> {
    let foreign = if set_aside { ForeignBodies::SetAside } else { ForeignBodies::Leave };
    Box::pin(app.connection()?.feed_adopt(&url, foreign, typed.as_deref())).await
}

pub(crate) async fn feed_release(app: &App, url: String) -> Result<(), AppError> {
    app.connection()?.feed_release(&url).await
}

pub(crate) async fn feed_list(app: &App) -> Result<Vec<Adoption>, AppError> {
    Ok(app.connection()?.reader.adoptions().await?)
}

pub(crate) async fn feed_aside(app: &App, below: Option<i64>) -> Result<Vec<AsideMessage>, AppError> {
    Ok(app.connection()?.reader.aside(below, MOST, BEGINNING).await?)
}

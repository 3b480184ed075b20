//! Builds and Realtime scripts.

use liftdeck_insight::answer::content::{ContentList, content};

use crate::app::App;
use liftdeck_api::error::{AppError, ErrorKind};
use liftdeck_operations::Archive;

pub(crate) async fn content_list(app: &App) -> Result<ContentList, AppError> {
    Ok(content(&app.connection()?.reader, app.now()).await?)
}

pub(crate) async fn script_zip_check(app: &App, path: String) -> Result<Archive, AppError> {
    app.permit_file(path.as_ref())?;
    let looked = tokio::task::spawn_blocking(move || {
        liftdeck_operations::inspect(path.as_ref()).map_err(|error| {
            AppError::new(ErrorKind::Refused, format!("{path} could not be read: {error}."))
                .remedy("Choose a file you may read.")
        })
    });
    looked.await.map_err(|error| AppError::new(ErrorKind::Internal, error.to_string()))?
}

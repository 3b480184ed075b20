//! Builds and Realtime scripts.

use crate::app::App;
use liftdeck_api::content::{BuildRow, ContentList, ScriptRow};
use liftdeck_api::error::{AppError, ErrorKind};
use liftdeck_operations::Archive;

pub(crate) async fn content_list(app: &App) -> Result<ContentList, AppError> {
    let (open, now) = (app.connection()?, app.now());
    let (builds, age) = open.reader.builds(now).await?;
    let (scripts, other) = open.reader.scripts(now).await?;
    let seen: Vec<_> = scripts.iter().map(|row| row.history.as_slice()).collect();
    let histories = liftdeck_insight::histories(&open.reader, &seen).await?;
    let script = |(row, history)| ScriptRow::new(row, history);
    Ok(ContentList {
        builds: builds.into_iter().map(BuildRow::from).collect(),
        scripts: scripts.into_iter().zip(histories).map(script).collect(),
        freshness: age.and(other),
    })
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

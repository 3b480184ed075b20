//! Builds and Realtime scripts.

use tauri::{AppHandle, State};

use crate::dialog;
use crate::state::Deck;
use crate::wire::content::{BuildRow, ContentList, ScriptRow, ZipCheck};
use crate::wire::error::{AppError, ErrorKind};

/// What fleets run.
#[tauri::command]
#[specta::specta]
pub(crate) async fn content_list(deck: State<'_, Deck>) -> Result<ContentList, AppError> {
    let (flight, now) = (deck.flight()?, (deck.clock)());
    let (builds, age) = flight.reader.builds(now).await?;
    let (scripts, other) = flight.reader.scripts(now).await?;
    let seen: Vec<_> = scripts.iter().map(|row| row.history.as_slice()).collect();
    let histories = liftdeck_insight::histories(&flight.reader, &seen).await?;
    let script = |(row, history)| ScriptRow::new(row, history);
    Ok(ContentList {
        builds: builds.into_iter().map(BuildRow::from).collect(),
        scripts: scripts.into_iter().zip(histories).map(script).collect(),
        freshness: age.and(other).into(),
    })
}

/// Asks for a zip and looks at it; null when cancelled.
#[tauri::command]
#[specta::specta]
pub(crate) async fn script_zip_pick(app: AppHandle) -> Result<Option<ZipCheck>, AppError> {
    let Some(path) = dialog::open(&app, "zip").await? else { return Ok(None) };
    let looked = tokio::task::spawn_blocking(move || {
        liftdeck_operations::inspect(&path).map_err(|error| {
            AppError::new(ErrorKind::Refused, format!("{} could not be read: {error}.", path.display()))
                .remedy("Choose a file you may read.")
        })
    });
    let archive = looked.await.map_err(|error| AppError::new(ErrorKind::Internal, error.to_string()))??;
    Ok(Some(archive.into()))
}

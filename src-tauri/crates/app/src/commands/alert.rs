//! Alerts: the list, one with its course, and what people do about them.

use crate::app::App;
use liftdeck_api::error::{AppError, ErrorKind};
use liftdeck_insight::{AlertList, AlertStory};
use liftdeck_model::alert::{AlertId, AlertStep, AlertStepKind};
use liftdeck_model::time::TimeRange;

/// The longest note, in characters.
const LONGEST_NOTE: usize = 2_000;

pub(crate) async fn alert_list(app: &App, range: TimeRange) -> Result<AlertList, AppError> {
    let open = app.connection()?;
    Ok(liftdeck_insight::alert_list(&open.reader, range, app.now()).await?)
}

pub(crate) async fn alert_get(app: &App, id: AlertId) -> Result<AlertStory, AppError> {
    let story = liftdeck_insight::alert_story(&app.connection()?.reader, &id, app.now()).await?;
    story.ok_or_else(|| {
        AppError::new(ErrorKind::NotFound, format!("There is no alert {id} in this database."))
    })
}

pub(crate) async fn alert_acknowledge(app: &App, id: AlertId) -> Result<AlertStory, AppError> {
    add(app, id, AlertStepKind::Acknowledged, None).await
}

pub(crate) async fn alert_note(app: &App, id: AlertId, text: String) -> Result<AlertStory, AppError> {
    add(app, id, AlertStepKind::Note, Some(note(&text)?)).await
}

/// The text of a note, if it has the right length.
pub(super) fn note(text: &str) -> Result<String, AppError> {
    let text = text.trim();
    if text.is_empty() || text.chars().count() > LONGEST_NOTE {
        let message = format!("A note has 1 to {LONGEST_NOTE} characters.");
        return Err(AppError::new(ErrorKind::InvalidInput, message));
    }
    Ok(text.to_owned())
}

async fn add(
    app: &App,
    id: AlertId,
    kind: AlertStepKind,
    text: Option<String>,
) -> Result<AlertStory, AppError> {
    let open = app.connection()?;
    // Asked first: an unknown id is the reader's mistake, not a fault of the database.
    alert_get(app, id.clone()).await?;
    let step = AlertStep { at: app.now(), kind, by: crate::user::name(), text };
    open.writer().await?.note_alert(&id, step).await?;
    alert_get(app, id).await
}

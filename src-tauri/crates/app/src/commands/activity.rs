//! Activity: attempted changes.

use liftdeck_insight::answer::activity::{ActivityPage, ActivityRow, activity_page, activity_rows};
use liftdeck_model::action::Action;
use liftdeck_model::activity::{Activity, ActivityId};
use liftdeck_store::export::{Format, export_activities};
use liftdeck_store::reader::activity::ActivityRequest;

use crate::app::App;
use crate::open::OpenConnection;
use liftdeck_api::File;
use liftdeck_api::error::{AppError, ErrorKind};

pub(crate) async fn activity_list(app: &App, query: ActivityRequest) -> Result<ActivityPage, AppError> {
    let open = app.connection()?;
    Ok(activity_page(&open.reader, &query, command(&open), app.now()).await?)
}

pub(crate) async fn activity_get(app: &App, id: ActivityId) -> Result<ActivityRow, AppError> {
    let open = app.connection()?;
    let found = open.reader.activity(&id).await?;
    row(app, &open, found.ok_or_else(|| AppError::not_found("attempt", id.as_str()))?).await
}

pub(crate) async fn activity_settle(app: &App, id: ActivityId) -> Result<ActivityRow, AppError> {
    let open = app.connection()?;
    let settled = Box::pin(open.guard()?.settle(&id)).await?;
    row(app, &open, settled).await
}

pub(crate) async fn activity_export(
    app: &App,
    query: ActivityRequest,
    format: Format,
) -> Result<File, AppError> {
    let open = app.connection()?;
    let mut bytes = Vec::new();
    Box::pin(export_activities(&open.reader, &query, format, &mut bytes))
        .await
        .map_err(|error| AppError::new(ErrorKind::Store, format!("{error}.")))?;
    Ok(File { name: format!("activity.{}", format.extension()), contents: bytes })
}

async fn row(app: &App, open: &OpenConnection, activity: Activity) -> Result<ActivityRow, AppError> {
    let id = activity.id.to_string();
    let mut rows = activity_rows(&open.reader, vec![activity], command(open), app.now()).await?;
    rows.pop().ok_or_else(|| AppError::not_found("attempt", &id))
}

/// Returns the AWS CLI command for a change, with the profile and endpoint of the connection.
fn command(open: &OpenConnection) -> impl Fn(&Action) -> String {
    let (profile, endpoint_url) = (&open.connection.profile, &open.connection.endpoint_url);
    move |action| action.aws_command(profile.as_deref(), endpoint_url.as_deref())
}

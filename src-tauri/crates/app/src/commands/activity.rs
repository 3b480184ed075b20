//! Activity: the changes this installation asked AWS to make.

use std::collections::HashMap;

use liftdeck_model::action::Request;
use liftdeck_model::activity::{Activity, ActivityId};
use liftdeck_store::reader::activity::ActivityRequest;

use crate::app::App;
use crate::open::OpenConnection;
use liftdeck_api::File;
use liftdeck_api::activity::{ActivityFormat, ActivityPage, ActivityQuery, ActivityRow};
use liftdeck_api::error::{AppError, ErrorKind};

pub(crate) async fn activity_list(app: &App, query: ActivityQuery) -> Result<ActivityPage, AppError> {
    let open = app.connection()?;
    let found = open.reader.activities(&request(query)).await?;
    Ok(ActivityPage {
        total: found.total,
        total_is_exact: found.total_is_exact,
        unsettled: open.reader.unsettled_count().await?,
        rows: rows(&open, found.rows).await?,
    })
}

pub(crate) async fn activity_get(app: &App, id: ActivityId) -> Result<ActivityRow, AppError> {
    let open = app.connection()?;
    let found = open.reader.activity(&id).await?;
    row(&open, found.ok_or_else(|| AppError::not_found("attempt", id.as_str()))?).await
}

pub(crate) async fn activity_settle(app: &App, id: ActivityId) -> Result<ActivityRow, AppError> {
    let open = app.connection()?;
    let settled = Box::pin(open.guard()?.settle(&id)).await?;
    row(&open, settled).await
}

pub(crate) async fn activity_export(
    app: &App,
    query: ActivityQuery,
    format: ActivityFormat,
) -> Result<File, AppError> {
    let open = app.connection()?;
    let mut bytes = Vec::new();
    let request = request(query);
    Box::pin(liftdeck_store::export::export_activities(&open.reader, &request, format.into(), &mut bytes))
        .await
        .map_err(|error| AppError::new(ErrorKind::Store, format!("{error}.")))?;
    Ok(File { name: format!("activity.{}", format.extension()), contents: bytes })
}

fn request(query: ActivityQuery) -> ActivityRequest {
    ActivityRequest {
        text: query.text,
        outcomes: query.outcomes,
        operations: query.operation.into_iter().collect(),
        resource_kind: query.resource_kind,
        resource: query.resource_id,
        fleet: query.fleet_id,
        run: query.run_id,
        range: query.range,
        page: query.page,
    }
}

async fn row(open: &OpenConnection, activity: Activity) -> Result<ActivityRow, AppError> {
    let id = activity.id.to_string();
    let mut rows = rows(open, vec![activity]).await?;
    rows.pop().ok_or_else(|| AppError::not_found("attempt", &id))
}

/// Converts attempts for the window; whether they were undone is queried once for all of them.
async fn rows(open: &OpenConnection, activities: Vec<Activity>) -> Result<Vec<ActivityRow>, AppError> {
    let ids: Vec<ActivityId> = activities.iter().map(|activity| activity.id.clone()).collect();
    let mut undone: HashMap<ActivityId, ActivityId> = open.reader.undone_among(&ids).await?;
    let (profile, endpoint) = (&open.connection.profile, &open.connection.endpoint_url);
    let mut rows = Vec::new();
    for activity in activities {
        let undone_by = undone.remove(&activity.id);
        let command = activity.action.aws_command(profile.as_deref(), endpoint.as_deref());
        let connection = connection(open, &activity).await?;
        rows.push(ActivityRow::new(activity, undone_by, command, connection.as_deref()));
    }
    Ok(rows)
}

/// The address for players whose slots an attempt reserved.
async fn connection(open: &OpenConnection, activity: &Activity) -> Result<Option<String>, AppError> {
    let Request::CreatePlayerSessions(it) = &activity.action.request else { return Ok(None) };
    if activity.made_player_sessions.is_empty() {
        return Ok(None);
    }
    let session = open.reader.game_session(&it.game_session_id, (open.clock)()).await?;
    Ok(session.and_then(|session| {
        let host = session.row.dns_name.or(session.row.ip_address)?;
        Some(session.row.port.map_or_else(|| host.clone(), |port| format!("{host}:{port}")))
    }))
}

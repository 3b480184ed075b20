//! Activity: what this installation asked AWS to change.

use std::collections::HashMap;

use liftdeck_model::FleetId;
use liftdeck_model::action::Request;
use liftdeck_model::activity::{Activity, ActivityId, RunId};
use liftdeck_store::reader::activity::ActivityRequest;
use tauri::{AppHandle, State};

use crate::dialog;
use crate::flight::Flight;
use crate::state::Deck;
use crate::wire::activity::{ActivityFormat, ActivityPage, ActivityQuery, ActivityRow};
use crate::wire::error::{AppError, ErrorKind};
use crate::wire::number::count;

/// A window onto attempts, newest first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn activity_list(
    deck: State<'_, Deck>,
    query: ActivityQuery,
) -> Result<ActivityPage, AppError> {
    let flight = deck.flight()?;
    let found = flight.reader.activities(&request(query)).await?;
    Ok(ActivityPage {
        total: count(found.total),
        unsettled: count(flight.reader.unsettled_count().await?),
        rows: rows(&flight, found.rows).await?,
    })
}

/// One attempt.
#[tauri::command]
#[specta::specta]
pub(crate) async fn activity_get(deck: State<'_, Deck>, id: String) -> Result<ActivityRow, AppError> {
    let flight = deck.flight()?;
    let found = flight.reader.activity(&ActivityId::new(id.as_str())).await?;
    row(&flight, found.ok_or_else(|| AppError::not_found("attempt", &id))?).await
}

/// Asks AWS what became of an attempt without an answer.
#[tauri::command]
#[specta::specta]
pub(crate) async fn activity_settle(deck: State<'_, Deck>, id: String) -> Result<ActivityRow, AppError> {
    let flight = deck.flight()?;
    let settled = Box::pin(flight.guard()?.settle(&ActivityId::new(id))).await?;
    row(&flight, settled).await
}

/// Writes the attempts that match where the operator says; resolves with the path, null when cancelled.
#[tauri::command]
#[specta::specta]
pub(crate) async fn activity_export(
    app: AppHandle,
    deck: State<'_, Deck>,
    query: ActivityQuery,
    format: ActivityFormat,
) -> Result<Option<String>, AppError> {
    let flight = deck.flight()?;
    let mut bytes = Vec::new();
    let request = request(query);
    Box::pin(liftdeck_store::export::export_activities(&flight.reader, &request, format.into(), &mut bytes))
        .await
        .map_err(|error| AppError::new(ErrorKind::Store, format!("{error}.")))?;
    let extension = format.extension();
    dialog::save(&app, format!("activity.{extension}"), extension, &bytes).await
}

fn request(query: ActivityQuery) -> ActivityRequest {
    ActivityRequest {
        text: query.text,
        outcomes: query.outcomes,
        operations: query.operation.into_iter().collect(),
        resource_kind: query.resource_kind,
        resource: query.resource_id,
        fleet: query.fleet_id.map(FleetId::new),
        run: query.run_id.map(RunId::new),
        range: query.range.map(crate::wire::window::Range::time_range),
        page: query.page.into(),
    }
}

async fn row(flight: &Flight, activity: Activity) -> Result<ActivityRow, AppError> {
    let id = activity.id.to_string();
    let mut rows = rows(flight, vec![activity]).await?;
    rows.pop().ok_or_else(|| AppError::not_found("attempt", &id))
}

/// Attempts as the window takes them; whether each was undone is asked once for all.
async fn rows(flight: &Flight, activities: Vec<Activity>) -> Result<Vec<ActivityRow>, AppError> {
    let ids: Vec<ActivityId> = activities.iter().map(|activity| activity.id.clone()).collect();
    let mut undone: HashMap<ActivityId, ActivityId> = flight.reader.undone_among(&ids).await?;
    let (profile, endpoint) = (&flight.connection.profile, &flight.connection.endpoint_url);
    let mut rows = Vec::new();
    for activity in activities {
        let undone_by = undone.remove(&activity.id);
        let command = activity.action.aws_command(profile.as_deref(), endpoint.as_deref());
        let connection = connection(flight, &activity).await?;
        rows.push(ActivityRow::new(activity, undone_by, command, connection.as_deref()));
    }
    Ok(rows)
}

/// Where players connect to whom an attempt kept slots for.
async fn connection(flight: &Flight, activity: &Activity) -> Result<Option<String>, AppError> {
    let Request::CreatePlayerSessions(it) = &activity.action.request else { return Ok(None) };
    if activity.made_player_sessions.is_empty() {
        return Ok(None);
    }
    let session = flight.reader.game_session(&it.game_session_id, (flight.clock)()).await?;
    Ok(session.and_then(|session| {
        let host = session.row.dns_name.or(session.row.ip_address)?;
        Some(session.row.port.map_or_else(|| host.clone(), |port| format!("{host}:{port}")))
    }))
}

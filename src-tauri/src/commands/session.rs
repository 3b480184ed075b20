//! Game sessions.

use liftdeck_model::query::Query;
use liftdeck_model::{FleetId, GameSessionId, Location};
use liftdeck_operations::log_place;
use liftdeck_store::reader::session::SessionRequest;
use tauri::{AppHandle, State};

use crate::dialog;
use crate::state::Deck;
use crate::wire::error::{AppError, ErrorKind};
use crate::wire::number::count;
use crate::wire::query::QueryCheck;
use crate::wire::session::{self, SessionDetail, SessionLog, SessionPage, SessionQuery, SessionRow};
use crate::wire::window::Range;

/// A window onto game sessions.
#[tauri::command]
#[specta::specta]
pub(crate) async fn session_list(
    deck: State<'_, Deck>,
    query: SessionQuery,
) -> Result<SessionPage, AppError> {
    let parsed = Query::parse(&query.text)
        .map_err(|error| AppError::new(ErrorKind::InvalidInput, error.render(&query.text)))?;
    let sort = query.sort.and_then(|sort| Some((session::column(&sort.column)?, sort.descending)));
    let request = SessionRequest {
        query: parsed,
        fleet: query.fleet_id.map(FleetId::new),
        location: query.location.map(Location::new),
        range: query.range.map(Range::time_range),
        sort,
        page: query.page.into(),
    };
    let (found, freshness) = deck.flight()?.reader.game_sessions(&request, (deck.clock)()).await?;
    Ok(SessionPage {
        rows: found.rows.into_iter().map(SessionRow::from).collect(),
        total: count(found.total),
        freshness: freshness.into(),
    })
}

/// One game session.
#[tauri::command]
#[specta::specta]
pub(crate) async fn session_get(
    deck: State<'_, Deck>,
    game_session_id: String,
) -> Result<SessionDetail, AppError> {
    let id = GameSessionId::new(game_session_id);
    let (flight, now) = (deck.flight()?, (deck.clock)());
    let detail = flight.reader.game_session(&id, now).await?;
    let detail = detail.ok_or_else(|| AppError::not_found("game session", id.as_str()))?;
    let kept = log_place(&flight.logs, &id).is_ok_and(|path| path.exists());
    let log = SessionLog::of(&detail.row, kept, now);
    Ok(SessionDetail::new(detail, log))
}

/// Writes the log of an ended game session where the operator says; resolves with the path, null when cancelled. It is
/// also kept with the connection's database: AWS forgets it after 14 days.
#[tauri::command]
#[specta::specta]
pub(crate) async fn session_log_save(
    app: AppHandle,
    deck: State<'_, Deck>,
    game_session_id: String,
) -> Result<Option<String>, AppError> {
    let flight = deck.flight()?;
    let id = GameSessionId::new(game_session_id);
    let log = Box::pin(flight.guard()?.download_log(&id, &flight.logs)).await?;
    dialog::copy(&app, &log.path, format!("{}.zip", id.short()), "zip").await
}

/// Whether a query parses, and completions at the caret.
#[tauri::command]
#[specta::specta]
pub(crate) async fn query_check(
    deck: State<'_, Deck>,
    text: String,
    caret: u32,
) -> Result<QueryCheck, AppError> {
    let vocabulary = deck.flight()?.reader.vocabulary().await?;
    Ok(QueryCheck::of(&text, caret, &vocabulary))
}

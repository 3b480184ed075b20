//! Game sessions.

use liftdeck_model::observation::PollKind;
use liftdeck_model::query::Query;
use liftdeck_model::{FleetId, GameSessionId, Location, Region};
use liftdeck_operations::log_place;
use liftdeck_store::reader::freshness::Basis;
use liftdeck_store::reader::session::SessionRequest;
use tauri::{AppHandle, State};

use crate::dialog;
use crate::state::Deck;
use crate::wire::error::{AppError, ErrorKind};
use crate::wire::query::QueryCheck;
use crate::wire::search::{SearchCheck, SearchFound, SearchQuery};
use crate::wire::session::{self, SessionDetail, SessionLog, SessionPage, SessionQuery};
use crate::wire::window::Range;

/// A window onto game sessions.
#[tauri::command]
#[specta::specta]
pub(crate) async fn session_list(
    deck: State<'_, Deck>,
    query: SessionQuery,
) -> Result<SessionPage, AppError> {
    let (flight, now) = (deck.flight()?, (deck.clock)());
    let sort = query.sort.and_then(|sort| Some((session::column(&sort.column)?, sort.descending)));
    if let Some(search) = query.search {
        let found = flight.found(search)?;
        let window = flight.reader.game_sessions_among(&found, sort, query.page.into()).await?;
        let freshness = flight.reader.freshness(Basis::All(PollKind::GameSessions), now);
        return Ok(SessionPage::new(window, freshness.into()));
    }
    let parsed = Query::parse(&query.text)
        .map_err(|error| AppError::new(ErrorKind::InvalidInput, error.render(&query.text)))?;
    let request = SessionRequest {
        query: parsed,
        fleet: query.fleet_id.map(FleetId::new),
        location: query.location.map(Location::new),
        range: query.range.map(Range::time_range),
        sort,
        page: query.page.into(),
    };
    let (found, freshness) = flight.reader.game_sessions(&request, now).await?;
    Ok(SessionPage::new(found, freshness.into()))
}

/// Asks GameLift's own search; what it finds is kept in the database and listed by its number.
#[tauri::command]
#[specta::specta]
pub(crate) async fn session_search(
    deck: State<'_, Deck>,
    query: SearchQuery,
) -> Result<SearchFound, AppError> {
    let search = query.search()?;
    let (number, found) = deck.flight()?.search(&Region::new(query.region), &search).await?;
    Ok(SearchFound::new(number, found))
}

/// What GameLift would not understand of a search.
#[expect(clippy::needless_pass_by_value, reason = "a command owns what it is called with")]
#[tauri::command]
#[specta::specta]
pub(crate) fn search_check(filter: String, sort: String) -> Result<SearchCheck, AppError> {
    Ok(SearchCheck::of(&filter, &sort))
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

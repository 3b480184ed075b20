//! Game sessions.

use std::future::{Ready, ready};

use liftdeck_insight::answer::session::{SessionDetail, SessionLog};
use liftdeck_insight::difference::{Differences, SessionDifferenceQuery, session_differences};
use liftdeck_model::GameSessionId;
use liftdeck_model::observation::PollKind;
use liftdeck_model::query::Query;
use liftdeck_model::query::check::QueryCheck;
use liftdeck_model::search::{SearchCheck, SearchQuery};
use liftdeck_operations::log_place;
use liftdeck_store::reader::freshness::Basis;
use liftdeck_store::reader::session::{GameSessionRow, SessionRequest};
use liftdeck_store::reader::window::Listed;

use crate::app::App;
use liftdeck_api::File;
use liftdeck_api::error::{AppError, ErrorKind};
use liftdeck_api::search::SearchFound;
use liftdeck_api::session::SessionQuery;

pub(crate) async fn session_list(app: &App, query: SessionQuery) -> Result<Listed<GameSessionRow>, AppError> {
    let (open, now) = (app.connection()?, app.now());
    let sort = query.sort.map(|sort| (sort.column, sort.descending));
    if let Some(search) = query.search {
        let found = open.found(search)?;
        let window = open.reader.game_sessions_among(&found, sort, query.page).await?;
        let freshness = open.reader.freshness(Basis::All(PollKind::GameSessions), now);
        return Ok(Listed::new(window, freshness, |row| row));
    }
    let parsed = Query::parse(&query.text)
        .map_err(|error| AppError::new(ErrorKind::InvalidInput, error.render(&query.text)))?;
    let request = SessionRequest {
        query: parsed,
        fleet: query.fleet_id,
        location: query.location,
        range: query.range,
        sort,
        page: query.page,
    };
    let (found, freshness) = open.reader.game_sessions(&request, now).await?;
    Ok(Listed::new(found, freshness, |row| row))
}

pub(crate) async fn session_search(app: &App, query: SearchQuery) -> Result<SearchFound, AppError> {
    let search = query.search()?;
    let (number, found) = app.connection()?.search(&query.region, &search).await?;
    Ok(SearchFound::new(number, found))
}

#[expect(clippy::needless_pass_by_value, reason = "a command owns what it is called with")]
pub(crate) fn search_check(_app: &App, filter: String, sort: String) -> Ready<Result<SearchCheck, AppError>> {
    ready(Ok(SearchCheck::of(&filter, &sort)))
}

pub(crate) async fn session_get(app: &App, id: GameSessionId) -> Result<SessionDetail, AppError> {
    let (open, now) = (app.connection()?, app.now());
    let detail = open.reader.game_session(&id, now).await?;
    let detail = detail.ok_or_else(|| AppError::not_found("game session", id.as_str()))?;
    let kept = log_place(&open.logs, &id).is_ok_and(|path| path.exists());
    let log = SessionLog::of(&detail.row, kept, now);
    Ok(SessionDetail::new(detail, log))
}

pub(crate) async fn session_difference(
    app: &App,
    query: SessionDifferenceQuery,
) -> Result<Differences, AppError> {
    let (open, now) = (app.connection()?, app.now());
    let parsed = Query::parse(&query.text)
        .map_err(|error| AppError::new(ErrorKind::InvalidInput, error.render(&query.text)))?;
    let freshness = open.reader.freshness(Basis::All(PollKind::GameSessions), now);
    Ok(session_differences(&open.reader, parsed, &query, freshness, now).await?)
}

pub(crate) async fn session_log_save(app: &App, id: GameSessionId) -> Result<File, AppError> {
    let open = app.connection()?;
    let log = Box::pin(open.guard()?.download_log(&id, &open.logs)).await?;
    let contents = tokio::fs::read(&log.path).await.map_err(|error| {
        AppError::new(ErrorKind::Refused, format!("{} could not be read: {error}.", log.path.display()))
    })?;
    Ok(File { name: format!("{}.zip", id.short()), contents })
}

pub(crate) async fn query_check(app: &App, text: String, caret: u32) -> Result<QueryCheck, AppError> {
    let vocabulary = app.connection()?.reader.vocabulary().await?;
    Ok(QueryCheck::of(&text, caret, &vocabulary))
}

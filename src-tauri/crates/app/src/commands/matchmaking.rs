//! Matchmaking: configurations, tickets and FlexMatch events.

use liftdeck_insight::answer::matchmaking::{self, MatchmakingEventRow, MatchmakingOverview};
use liftdeck_insight::answer::ticket::{TicketDetail, TicketRow, tickets};
use liftdeck_insight::difference::{Differences, ticket_differences};
use liftdeck_model::time::TimeRange;
use liftdeck_model::{Region, TicketId};
use liftdeck_store::reader::matchmaking::{MatchmakingEventRequest, TicketRequest, TicketScope};
use liftdeck_store::reader::window::{Listed, Page};

use crate::app::App;
use liftdeck_api::error::AppError;

pub(crate) async fn matchmaking_get(app: &App, range: TimeRange) -> Result<MatchmakingOverview, AppError> {
    Ok(matchmaking::matchmaking(&app.connection()?.reader, range, app.now()).await?)
}

pub(crate) async fn matchmaking_events(
    app: &App,
    configuration: Option<String>,
    range: Option<TimeRange>,
    page: Page,
) -> Result<Listed<MatchmakingEventRow>, AppError> {
    let open = app.connection()?;
    let request = MatchmakingEventRequest { configuration, range, page };
    Ok(matchmaking::matchmaking_events(&open.reader, &request, open.feed_freshness()).await?)
}

pub(crate) async fn ticket_list(app: &App, query: TicketRequest) -> Result<Listed<TicketRow>, AppError> {
    let open = app.connection()?;
    Ok(tickets(&open.reader, &query, open.feed_freshness(), app.now()).await?)
}

pub(crate) async fn ticket_difference(
    app: &App,
    scope: TicketScope,
    range: TimeRange,
    span: Option<TimeRange>,
) -> Result<Differences, AppError> {
    let open = app.connection()?;
    Ok(ticket_differences(&open.reader, &scope, range, span, open.feed_freshness()).await?)
}

pub(crate) async fn ticket_get(app: &App, id: TicketId, region: Region) -> Result<TicketDetail, AppError> {
    let (open, now) = (app.connection()?, app.now());
    let story = open.reader.ticket(&region, &id).await?;
    let unknown = || AppError::not_found("ticket", id.as_str());
    let asked = async { Ok::<_, AppError>(Box::pin(open.guard()?.ticket_now(&region, &id)).await?) };
    match (story, asked.await) {
        (None, Err(_)) if open.only_looks() => Err(unknown()),
        (None, Err(error)) => Err(error),
        (story, asked) => TicketDetail::new(story, asked.ok().flatten().as_ref(), now).ok_or_else(unknown),
    }
}

//! Matchmaking: configurations, tickets and FlexMatch events.

use liftdeck_model::{Region, TicketId};
use liftdeck_store::reader::matchmaking::{MatchmakingEventRequest, TicketRequest};

use crate::app::App;
use liftdeck_api::error::AppError;
use liftdeck_api::matchmaking::{
    MatchmakingConfigurationRow, MatchmakingEventRow, MatchmakingOverview, TicketCount, TicketDetail,
    TicketQuery, TicketRow,
};
use liftdeck_api::page::{Listed, Page};
use liftdeck_model::time::TimeRange;

pub(crate) async fn matchmaking_get(app: &App, range: TimeRange) -> Result<MatchmakingOverview, AppError> {
    let open = app.connection()?;
    let (rows, freshness) = open.reader.matchmaking_configurations(range, app.now()).await?;
    let (rules, rules_freshness) = open.reader.rule_sets(app.now()).await?;
    let row = |row: liftdeck_store::reader::matchmaking::MatchmakingConfigurationRow| {
        let configuration = &row.configuration;
        let named = configuration.rule_set_name.as_ref().and_then(|name| {
            rules.iter().find(|rules| rules.region == configuration.region && rules.name == *name)
        });
        let body = named.map(|rules| liftdeck_api::session::pretty(rules.body.clone()));
        MatchmakingConfigurationRow::new(row, body)
    };
    let tickets = open.reader.tickets_by_state(range).await?;
    let ticket = |(state, tickets)| TicketCount { state, count: tickets };
    Ok(MatchmakingOverview {
        configurations: rows.into_iter().map(row).collect(),
        tickets_by_state: tickets.into_iter().map(ticket).collect(),
        freshness: freshness.and(rules_freshness),
    })
}

pub(crate) async fn matchmaking_events(
    app: &App,
    configuration: Option<String>,
    range: Option<TimeRange>,
    page: Page,
) -> Result<Listed<MatchmakingEventRow>, AppError> {
    let open = app.connection()?;
    let request = MatchmakingEventRequest { configuration, range, page };
    let found = open.reader.matchmaking_events(&request).await?;
    Ok(Listed::new(found, open.feed_freshness()))
}

pub(crate) async fn ticket_list(app: &App, query: TicketQuery) -> Result<Listed<TicketRow>, AppError> {
    let (open, now) = (app.connection()?, app.now());
    let request = TicketRequest {
        text: query.text,
        configuration: query.configuration,
        state: query.state,
        range: query.range,
        page: query.page,
    };
    let found = open.reader.tickets(&request).await?;
    Ok(Listed {
        rows: found.rows.into_iter().map(|row| TicketRow::told(row, now)).collect(),
        total: found.total,
        total_is_exact: found.total_is_exact,
        freshness: open.feed_freshness(),
    })
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

//! Matchmaking: configurations, tickets and FlexMatch events.

use std::collections::BTreeSet;

use liftdeck_model::observation::PollKind;
use liftdeck_model::{Region, TicketId};
use liftdeck_store::reader::freshness::Basis;
use liftdeck_store::reader::matchmaking::{MatchmakingEventRequest, TicketRequest};
use tauri::State;

use crate::flight::Flight;
use crate::state::Deck;
use crate::wire::error::AppError;
use crate::wire::matchmaking::{
    MatchmakingConfigurationRow, MatchmakingEventPage, MatchmakingEventRow, MatchmakingOverview, TicketCount,
    TicketDetail, TicketPage, TicketQuery, TicketRow,
};
use crate::wire::number::count;
use crate::wire::window::{Freshness, Page, Range};

/// All configurations with how their matches went, and how tickets stand.
#[tauri::command]
#[specta::specta]
pub(crate) async fn matchmaking_get(
    deck: State<'_, Deck>,
    range: Range,
) -> Result<MatchmakingOverview, AppError> {
    let (flight, range) = (deck.flight()?, range.time_range());
    let (rows, freshness) = flight.reader.matchmaking_configurations(range, (deck.clock)()).await?;
    let regions: BTreeSet<Region> = rows.iter().map(|row| row.configuration.region.clone()).collect();
    let rules = flight.rule_sets(regions).await;
    let row = |row: liftdeck_store::reader::matchmaking::MatchmakingConfigurationRow| {
        let configuration = &row.configuration;
        let named = configuration.rule_set_name.as_ref().and_then(|name| {
            rules.iter().find(|rules| rules.region == configuration.region && rules.name == *name)
        });
        let body = named.map(|rules| crate::wire::session::pretty(rules.body.clone()));
        MatchmakingConfigurationRow::new(row, body)
    };
    let tickets = flight.reader.tickets_by_state(range).await?;
    let ticket = |(state, tickets)| TicketCount { state, count: count(tickets) };
    Ok(MatchmakingOverview {
        configurations: rows.into_iter().map(row).collect(),
        tickets_by_state: tickets.into_iter().map(ticket).collect(),
        freshness: freshness.into(),
    })
}

/// A window onto FlexMatch events, newest first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn matchmaking_events(
    deck: State<'_, Deck>,
    configuration: Option<String>,
    range: Option<Range>,
    page: Page,
) -> Result<MatchmakingEventPage, AppError> {
    let flight = deck.flight()?;
    let range = range.map(Range::time_range);
    let request = MatchmakingEventRequest { configuration, range, page: page.into() };
    let found = flight.reader.matchmaking_events(&request).await?;
    Ok(MatchmakingEventPage {
        rows: found.rows.into_iter().map(MatchmakingEventRow::from).collect(),
        total: count(found.total),
        freshness: of_the_feed(&deck, &flight),
    })
}

/// A window onto tickets, newest first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn ticket_list(deck: State<'_, Deck>, query: TicketQuery) -> Result<TicketPage, AppError> {
    let (flight, now) = (deck.flight()?, (deck.clock)());
    let request = TicketRequest {
        text: query.text,
        configuration: query.configuration,
        state: query.state,
        range: query.range.map(Range::time_range),
        page: query.page.into(),
    };
    let found = flight.reader.tickets(&request).await?;
    Ok(TicketPage {
        rows: found.rows.into_iter().map(|row| TicketRow::told(row, now)).collect(),
        total: count(found.total),
        freshness: of_the_feed(&deck, &flight),
    })
}

/// One ticket with its story; GameLift is asked how it stands, because it lists none.
#[tauri::command]
#[specta::specta]
pub(crate) async fn ticket_get(
    deck: State<'_, Deck>,
    ticket_id: String,
    region: String,
) -> Result<TicketDetail, AppError> {
    let (flight, now) = (deck.flight()?, (deck.clock)());
    let (id, region) = (TicketId::new(ticket_id), Region::new(region));
    let story = flight.reader.ticket(&region, &id).await?;
    let asked = match flight.guard() {
        Ok(guard) => Box::pin(guard.ticket_now(&region, &id)).await.map_err(AppError::from),
        Err(error) => Err(error),
    };
    match (story, asked) {
        (None, Err(error)) => Err(error),
        (story, asked) => TicketDetail::new(story, asked.ok().flatten().as_ref(), now)
            .ok_or_else(|| AppError::not_found("ticket", id.as_str())),
    }
}

fn of_the_feed(deck: &Deck, flight: &Flight) -> Freshness {
    flight.reader.freshness(Basis::All(PollKind::EventFeed), (deck.clock)()).into()
}

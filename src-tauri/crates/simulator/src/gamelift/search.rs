//! `SearchGameSessions`: the active sessions of a fleet or an alias that match an expression, in a given order.
//!
//! Parsing is in `grammar`; evaluating an expression for a session is in `evaluate`.

mod evaluate;
mod grammar;

use super::constraint::{ALIAS, FLEET, LOCATION, POSITIVE, SHORT_TEXT, TOKEN};
use super::listing::{self, Asked};
use super::lookup::{self, invalid};
use super::session::check_location;
use crate::operation::Call;
use crate::page::Page;
use crate::service::ServiceError;
use crate::wire::{Writer, input};
use liftdeck_simulated_world::SessionFilter;
use liftdeck_simulated_world::records::GameSessionStatus;

/// The largest page, whatever the limit.
const PAGE: usize = 20;

input! {
    struct SearchInput {
        fleet: Option<String> = optional("FleetId", FLEET),
        alias: Option<String> = optional("AliasId", ALIAS),
        location: Option<String> = optional("Location", LOCATION),
        filter: Option<String> = optional("FilterExpression", SHORT_TEXT),
        sort: Option<String> = optional("SortExpression", SHORT_TEXT),
        limit: Option<i64> = optional("Limit", POSITIVE),
        token: Option<String> = optional("NextToken", TOKEN),
    }
}

/// Answers `SearchGameSessions`.
pub(super) fn search(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: SearchInput = lookup::read(call)?;
    let bad = |what: &str, error: String| invalid(format!("Invalid {what} expression: {error}"));
    let filter = input.filter.as_deref().map(grammar::filter).transpose();
    let filter = filter.map_err(|error| bad("filter", error))?;
    let sort = input.sort.as_deref().map(grammar::sort).transpose();
    let sort = sort.map_err(|error| bad("sort", error))?;
    let fleet = lookup::fleet_or_alias(call, input.fleet.as_deref(), input.alias.as_deref())?;
    check_location(&fleet, input.location.as_deref())?;
    let narrowed =
        SessionFilter { location: input.location.as_deref(), status: Some(GameSessionStatus::Active) };
    let sessions = call.world.game_sessions(call.region, fleet.id(), narrowed, None);
    let mut found: Vec<_> = sessions
        .filter(|session| filter.as_ref().is_none_or(|filter| evaluate::fits(filter, session)))
        .map(|session| (session.arn(), session))
        .collect();
    if let Some(sort) = &sort {
        evaluate::order(sort, &mut found, |(_, session)| session);
    }
    let asked = Asked::new(input.limit, &input.token).at_most(PAGE);
    let page = asked.cut(call, found, |(arn, _)| arn, |_| true)?;
    let items = page.items.into_iter().map(|(_, session)| session).collect();
    listing::write(call, writer, "GameSessions", &Page { items, cursor: page.cursor });
    Ok(())
}

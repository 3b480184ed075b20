//! `liftdeck session search`: GameLift's own search for live game sessions, asked now.
//!
//! Does not look at collected data, and stores nothing of what is found.

use clap::Args;
use liftdeck_model::action::GameSessionTarget;
use liftdeck_model::game_session::{GameSession, address};
use liftdeck_model::search::{FilterExpression, GameSessionSearch, SortExpression};
use liftdeck_model::{AliasId, FleetId, Location};

use super::super::complete;
use super::super::names::Noun;
use super::super::operate::ConnectionOptions;
use super::super::show::{Column, Form, Shown, Table, Total, at, cell, data, number, words};
use super::super::{Caller, Failure, Outcome};
use liftdeck_app::clock;

const MANUAL: &str = "\
The expressions are GameLift's own: fields are gameSessionId, gameSessionName, gameSessionProperties.KEY, maximumSessions,
creationTimeMillis, playerSessionCount and hasAvailablePlayerSessions. Only ACTIVE game sessions are found; the search
reads 20 pages of 20.

Example:
  liftdeck session search --connection Live --fleet arena-eu --filter 'hasAvailablePlayerSessions=true' --sort 'creationTimeMillis DESC'";

/// What to search for, and where.
#[derive(Debug, Args)]
#[command(after_help = MANUAL)]
#[group(id = "searched", required = true, multiple = false, args = ["fleet", "alias"])]
pub(in crate::cli) struct Search {
    #[command(flatten)]
    connection: ConnectionOptions,
    /// On this fleet, by name, id or ARN
    #[arg(long, value_name = "FLEET", add = complete::of(Noun::Fleet))]
    fleet: Option<String>,
    /// On the fleet this alias points to, by name, id or ARN
    #[arg(long, value_name = "ALIAS", add = complete::of(Noun::Alias))]
    alias: Option<String>,
    /// Only those in this location of the fleet
    #[arg(long, value_name = "LOCATION")]
    location: Option<String>,
    /// Only those that match this filter expression
    #[arg(long, value_name = "EXPRESSION", value_parser = filter)]
    filter: Option<FilterExpression>,
    /// In the order of this sort expression
    #[arg(long, value_name = "EXPRESSION", value_parser = sort)]
    sort: Option<SortExpression>,
}

const FOUND: &[Column<GameSession>] = &[
    words("short_id", "SESSION").of(|it| cell(it.game_session_id.short())),
    words("name", "NAME").least(12).rank(3).of(|it| cell(&it.name)),
    words("status", "STATUS").rank(4).of(|it| cell(&it.status)),
    words("location", "LOCATION").rank(2).of(|it| cell(&it.location)),
    number("current_player_session_count", "PLAYERS").of(|it| cell(it.current_player_session_count)),
    number("maximum_player_session_count", "MAX").of(|it| cell(it.maximum_player_session_count)),
    number("creation_time", "CREATED").of(|it| at(it.creation_time)),
    words("address", "ADDRESS")
        .least(24)
        .rank(1)
        .of(|it| cell(address(&it.dns_name, &it.ip_address, it.port))),
    data("game_session_id").of(|it| cell(&it.game_session_id)),
    data("fleet_id").of(|it| cell(&it.fleet_id)),
];

/// Parses a filter. An error starts on a line of its own, so that its carets stand under the fault.
fn filter(text: &str) -> Result<FilterExpression, String> {
    let parsed = FilterExpression::parse(text).map_err(|error| format!("\n{}", error.render(text)))?;
    parsed.ok_or_else(|| EMPTY.to_owned())
}

fn sort(text: &str) -> Result<SortExpression, String> {
    let parsed = SortExpression::parse(text).map_err(|error| format!("\n{}", error.render(text)))?;
    parsed.ok_or_else(|| EMPTY.to_owned())
}

const EMPTY: &str = "an expression is needed";

pub(super) async fn run(caller: &Caller, it: Search) -> Result<Outcome, Failure> {
    let chosen = it.connection.named(caller).await?;
    let (region, target) = match (&it.fleet, &it.alias) {
        (Some(fleet), _) => {
            let (region, id) = chosen.meant(Noun::Fleet, fleet)?;
            (region, GameSessionTarget::Fleet(FleetId::from(id)))
        }
        (None, alias) => {
            let (region, id) = chosen.meant(Noun::Alias, alias.as_deref().unwrap_or_default())?;
            (region, GameSessionTarget::Alias(AliasId::from(id)))
        }
    };
    let location = it.location.map(Location::new);
    let search = GameSessionSearch { target, location, filter: it.filter, sort: it.sort };
    let aws = chosen.reader(&region).await?;
    let (mut pages, mut sessions) = (aws.search_game_sessions(&search), Vec::new());
    while let Some(page) = pages.next().await? {
        sessions.extend(page);
    }
    let table = Table::of(FOUND, &sessions);
    let noun = ("game session", "game sessions");
    let total = Total { noun, all: table.count(), is_exact: !pages.has_more() && !pages.is_cut() };
    let mut shown = Shown::list(table, total, None);
    shown.notes.extend(pages.failure().map(|failure| format!("The search was cut short: {failure}")));
    Form::of(it.connection.json).answer(caller, &shown, clock::now())?;
    Ok(if shown.notes.is_empty() { Outcome::Done } else { Outcome::Partly })
}

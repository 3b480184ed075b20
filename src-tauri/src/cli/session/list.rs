//! `liftdeck session list` and `session show`: game sessions as the screens show them.

use clap::Args;
use liftdeck_api::session::{SessionQuery, SessionSort};
use liftdeck_insight::TimelineEntry;
use liftdeck_insight::answer::session::{SessionDetail, SessionLog};
use liftdeck_model::game_session::{GameProperty, GameSessionEnding, GameSessionStatus, address};
use liftdeck_model::query::Field;
use liftdeck_model::{GameSessionId, Location};
use liftdeck_store::reader::session::GameSessionRow;
use liftdeck_store::reader::window::{Listed, Page};
use serde_json::{Value, json};

use crate::cli::fleet::{fleets, meant_fleet};
use crate::cli::look::ReadConnection;
use crate::cli::names::Noun;
use crate::cli::player_data::{WithData, with_data};
use crate::cli::show::{
    Cell, Column, Question, Sheet, Shown, Span, Table, Tone, Total, at, cell, data, length, number, words,
};
use crate::cli::{Failure, query_text};

const LANGUAGE: &str = "\
Terms next to each other must all match; `or` and parentheses combine them, `-` before one excludes it, and `+` changes nothing. \
A word without a field is looked up in names and ids.

  FIELD:VALUE        ignores case; * stands for any run of characters; a name or data need only contain it
  FIELD=VALUE        exactly this; != is anything else
  FIELD:/PATTERN/    a regular expression
  FIELD>=NUMBER      also > < <= for numbers and times
  FIELD:\"A VALUE\"    quotes take blanks, colons and stars as they are

What other query languages write as label.mode, values.mode or properties.mode is prop.mode here.
";

const EXAMPLE: &str = "
Example:
  liftdeck session list --connection Live --where 'status:active fleet:eu-* players>=8 created:<2h'";

/// The language of queries, with every field.
fn manual() -> String {
    let fields = Field::described().chain([("prop.KEY", "a game property, such as prop.mode:ranked")]);
    let fields = fields.map(|(name, meaning)| format!("  {name:<14} {meaning}\n"));
    format!("{LANGUAGE}\nFields:\n{}{EXAMPLE}", fields.collect::<String>())
}

/// Which game sessions to list.
#[derive(Debug, Args)]
#[command(after_help = manual())]
pub(in crate::cli) struct List {
    #[command(flatten)]
    span: Span,
    /// Only those that match the query
    #[arg(long = "where", value_name = "QUERY", allow_hyphen_values = true, value_parser = query_text)]
    query: Option<String>,
    /// Only those of this fleet, by id or name
    #[arg(long, value_name = "FLEET", add = crate::cli::complete::of(Noun::Fleet))]
    fleet: Option<String>,
    /// Only those in this location
    #[arg(long, value_name = "LOCATION")]
    location: Option<String>,
    /// Sort by created, ended, players, maximum, status, name, fleet or location; a leading - puts the largest first
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true, value_parser = sort)]
    sort: Option<SessionSort>,
    /// At most this many
    #[arg(long, value_name = "COUNT", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    limit: u32,
}

/// A game session to look at.
#[derive(Debug, Args)]
pub(in crate::cli) struct Show {
    /// Full ARN, or its last part
    #[arg(value_name = "SESSION")]
    session: String,
}

const SESSIONS: &[Column<GameSessionRow>] = &[
    words("short_id", "SESSION").of(|it| cell(it.game_session_id.short())),
    words("name", "NAME").least(12).rank(6).of(|it| cell(&it.name)),
    words("status", "STATUS").of(|it| cell(&it.status)),
    words("ending", "ENDING").rank(7).of(|it| cell(it.ending.map(GameSessionEnding::as_str))),
    words("fleet_name", "FLEET").least(12).rank(1).of(|it| cell(&it.fleet_name)),
    words("location", "LOCATION").rank(4).of(|it| cell(&it.location)),
    number("current_player_session_count", "PLAYERS").of(|it| cell(it.current_player_session_count)),
    number("maximum_player_session_count", "MAX").rank(3).of(|it| cell(it.maximum_player_session_count)),
    number("creation_time", "CREATED").of(|it| at(it.creation_time)),
    number("termination_time", "ENDED").rank(5).of(|it| at(it.termination_time)),
    words("address", "ADDRESS").least(24).rank(2).of(address_of),
    data("status_reason").of(|it| cell(&it.status_reason)),
    data("end_unseen").of(|it| cell(it.end_unseen)),
    data("game_session_id").of(|it| cell(&it.game_session_id)),
    data("fleet_id").of(|it| cell(&it.fleet_id)),
    data("region").of(|it| cell(&it.region)),
    data("ip_address").of(|it| cell(&it.ip_address)),
    data("dns_name").of(|it| cell(&it.dns_name)),
    data("port").of(|it| cell(it.port)),
    data("compute_name").of(|it| cell(&it.compute_name)),
    data("creator_id").of(|it| cell(&it.creator_id)),
    data("player_session_creation_policy").of(|it| cell(&it.player_session_creation_policy)),
];

const PLAYERS: &[Column<WithData>] = &[
    words("player_id", "PLAYER").of(|it| cell(&it.row.player_id)),
    words("status", "STATUS").of(|it| cell(&it.row.status)),
    number("creation_time", "JOINED").of(|it| at(it.row.creation_time)),
    number("termination_time", "LEFT").rank(1).of(|it| at(it.row.termination_time)),
    words("player_session_id", "PLAYER SESSION").rank(2).of(|it| cell(&it.row.player_session_id)),
    words("player_data", "DATA").least(12).rank(3).of(|it| cell(&it.data)),
];

const STORY: &[Column<TimelineEntry>] =
    &[number("at", "WHEN").of(|it| at(it.at)), words("text", "WHAT").least(20).of(|it| cell(&it.text))];
const PROPERTIES: &[Column<GameProperty>] =
    &[words("key", "KEY").of(|it| cell(&it.key)), words("value", "VALUE").least(20).of(|it| cell(&it.value))];

fn sort(text: &str) -> Result<SessionSort, String> {
    let largest_first = text.strip_prefix('-');
    let column = serde_json::from_value(Value::from(largest_first.unwrap_or(text)));
    let column = column.map_err(|_| "game sessions cannot be sorted by this".to_owned())?;
    Ok(SessionSort { column, descending: largest_first.is_some() })
}

impl Question for List {
    async fn answer(&self, look: &ReadConnection) -> Result<Shown, Failure> {
        let fleet_id = match &self.fleet {
            Some(fleet) => Some(meant_fleet(&fleets(look).await?, fleet, None)?.fleet_id.clone()),
            None => None,
        };
        let question = SessionQuery {
            text: self.query.clone().unwrap_or_default(),
            fleet_id,
            location: self.location.clone().map(Location::new),
            range: self.span.named(look.now())?,
            search: None,
            sort: self.sort,
            page: Page { offset: 0, limit: self.limit },
        };
        let page: Listed<GameSessionRow> = look.ask("session_list", json!({ "query": question })).await?;
        let tone = |it: &GameSessionRow| match it.status {
            _ if it.ending.is_some_and(GameSessionEnding::is_abnormal) => Tone::Bad,
            GameSessionStatus::Error => Tone::Bad,
            GameSessionStatus::Terminated => Tone::Faint,
            _ => Tone::Plain,
        };
        let total =
            Total { noun: ("game session", "game sessions"), all: page.total, is_exact: page.total_is_exact };
        Ok(Shown::list(Table::toned(SESSIONS, &page.rows, tone), total, page.freshness))
    }
}

fn address_of(row: &GameSessionRow) -> Cell {
    cell(address(&row.dns_name, &row.ip_address, row.port))
}

impl Question for Show {
    async fn answer(&self, look: &ReadConnection) -> Result<Shown, Failure> {
        let id = self.whole_id(look).await?;
        let it: SessionDetail = look.ask("session_get", json!({ "gameSessionId": id })).await?;
        let players = with_data(look, it.player_sessions.clone()).await?;
        Ok(sheet(&it, &players))
    }
}

impl Show {
    /// The full ARN of the only game session whose ARN ends with what was given.
    async fn whole_id(&self, look: &ReadConnection) -> Result<GameSessionId, Failure> {
        if self.session.starts_with("arn:") {
            return Ok(GameSessionId::new(self.session.clone()));
        }
        let text = format!("id:\"{}\"", self.session.replace('\\', "\\\\").replace('"', "\\\""));
        let question = SessionQuery {
            text,
            fleet_id: None,
            location: None,
            range: None,
            search: None,
            sort: None,
            page: Page { offset: 0, limit: 10 },
        };
        let found: Listed<GameSessionRow> = look.ask("session_list", json!({ "query": question })).await?;
        let is_it = |row: &&GameSessionRow| row.game_session_id.short() == self.session;
        let exact: Vec<&GameSessionRow> = found.rows.iter().filter(is_it).collect();
        match exact.as_slice() {
            [only] => Ok(only.game_session_id.clone()),
            [] => {
                Err(Failure::new(format!("There is no game session {} in the collected data.", self.session)))
            }
            several => {
                let ids: Vec<&str> = several.iter().map(|row| row.game_session_id.as_str()).collect();
                Err(Failure::usage(format!(
                    "Several game sessions end like this: {}. Give the ARN.",
                    ids.join(", ")
                )))
            }
        }
    }
}

fn sheet(it: &SessionDetail, players: &[WithData]) -> Shown {
    let (mut sheet, row) = (Sheet::default(), &it.row);
    sheet.fact("game_session_id", "Game session", &row.game_session_id);
    sheet.fact("name", "Name", &row.name);
    sheet.fact("status", "Status", &row.status);
    sheet.fact("status_reason", "Reason", &row.status_reason);
    sheet.fact("ending", "Ending", row.ending.map(GameSessionEnding::as_str));
    sheet.fact("fleet_name", "Fleet", &row.fleet_name);
    sheet.fact("fleet_id", "Fleet id", &row.fleet_id);
    sheet.fact("region", "Region", &row.region);
    sheet.fact("location", "Location", &row.location);
    sheet.fact("current_player_session_count", "Players", row.current_player_session_count);
    sheet.fact("maximum_player_session_count", "Maximum players", row.maximum_player_session_count);
    sheet.fact("player_session_creation_policy", "New players", &row.player_session_creation_policy);
    sheet.fact("protection_policy", "Protection", &row.protection_policy);
    sheet.fact("address", "Address", address_of(row));
    sheet.fact("compute_name", "Compute", &row.compute_name);
    sheet.fact("creator_id", "Creator", &row.creator_id);
    sheet.fact("creation_time", "Created", at(row.creation_time));
    sheet.fact(
        "termination_time",
        if row.end_unseen { "Ended by" } else { "Ended" },
        at(row.termination_time),
    );
    let lasted =
        row.termination_time.filter(|_| !row.end_unseen).map(|ended| ended.since_ms(row.creation_time));
    sheet.fact("duration_ms", "Lasted", length(lasted));
    sheet.fact("placement_id", "Placement", it.placement.as_ref().map(|placement| &placement.placement_id));
    sheet.fact(
        "log",
        "Log",
        match it.log {
            SessionLog::Available => "can be fetched",
            SessionLog::Kept => "kept on this computer",
            SessionLog::Gone => "gone: AWS keeps it for 14 days",
            SessionLog::NotYet => "not yet: the session runs",
        },
    );
    sheet.fact("game_session_data", "Game session data", &it.game_session_data);
    sheet.fact("matchmaker_data", "", &it.matchmaker_data);
    sheet.part("game_properties", "Game properties", Table::of(PROPERTIES, &it.properties));
    let tone = |it: &WithData| if it.row.termination_time.is_some() { Tone::Faint } else { Tone::Plain };
    sheet.part("player_sessions", "Players", Table::toned(PLAYERS, players, tone));
    sheet.part("timeline", "Events", Table::of(STORY, &it.timeline));
    Shown::sheet(sheet, it.freshness)
}

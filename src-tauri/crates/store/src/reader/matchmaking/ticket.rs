//! Tickets as reported by their events, found by id, player, configuration, state and time.

use liftdeck_model::matchmaking::{MatchmakingEvent, TicketPlayer};
use liftdeck_model::time::TimeRange;
use liftdeck_model::{GameSessionId, PlayerId, Region, TicketId, Timestamp};
use serde::{Deserialize, Serialize};
use specta::Type;
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Sqlite};

use super::{EVENT, event};
use crate::code::Code;
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::reader::change::push_range;
use crate::reader::classes::Having;
use crate::reader::directory::Directory;
use crate::reader::session::push_prefix;
use crate::reader::window::{List, Page, Window};
use crate::reader::{Reader, session_of};

/// Selects tickets.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TicketRequest {
    /// Only tickets whose id begins with this; if there are none at all, tickets with a player whose id does.
    pub text: String,
    /// Only of this configuration.
    pub configuration: Option<String>,
    /// Only in this state, as the API spells it.
    pub state: Option<String>,
    /// Only tickets with this value of what tickets are compared by, such as `players=4`.
    #[specta(type = Option<String>)]
    pub having: Option<Having>,
    /// When their newest event was sent.
    pub range: Option<TimeRange>,
    /// The page wanted, newest first.
    pub page: Page,
}

/// A ticket as its newest event reported it. If its last events were lost, it stays in the last reported state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TicketRow {
    /// Ticket.
    pub ticket_id: TicketId,
    /// Configuration.
    pub configuration: String,
    /// Region.
    pub region: Region,
    /// As the API spells it: `SEARCHING`, `REQUIRES_ACCEPTANCE`, `PLACING`, `COMPLETED`, `FAILED`, `CANCELLED`, `TIMED_OUT`.
    pub state: String,
    /// When it was started.
    pub started_at: Option<Timestamp>,
    /// When its newest event was sent.
    pub updated_at: Timestamp,
    /// Players, with their answers once a match asked for them.
    pub players: Vec<TicketPlayer>,
    /// Match.
    pub match_id: Option<String>,
    /// Game session created.
    pub game_session_id: Option<GameSessionId>,
    /// Why it failed, was cancelled or timed out.
    pub message: Option<String>,
}

impl TicketRow {
    /// Whether nothing more will happen to it.
    pub fn is_over(&self) -> bool {
        matches!(self.state.as_str(), "COMPLETED" | "FAILED" | "CANCELLED" | "TIMED_OUT")
    }

    /// Milliseconds from its start to its end, or to `now` while it is open.
    pub fn wait_ms(&self, now: Timestamp) -> Option<i64> {
        let until = if self.is_over() { self.updated_at } else { now };
        Some(until.since_ms(self.started_at?).max(0))
    }
}

/// A ticket with its events.
#[derive(Clone, Debug, PartialEq)]
pub struct TicketStory {
    /// The ticket as lists show it.
    pub row: TicketRow,
    /// Its events, oldest first, at most 1 000.
    pub events: Vec<MatchmakingEvent>,
}

/// Maximum number of tickets found by a text, because each is read and all are sorted. If more match, the index by
/// time finds the newest.
const FEW: i64 = 2_000;
/// Maximum number of events read for one ticket.
const STORY: i64 = 1_000;

const TICKET: &str = "SELECT t.ticket_id, t.configuration, t.region_key, t.state, t.started_at, t.updated_at, t.players, \
     t.match_id, a.prefix, t.session_id, t.message FROM ticket t \
     LEFT JOIN arn_prefix a ON a.prefix_key = t.session_prefix_key WHERE ";

const TICKETS: List = List {
    head: TICKET,
    table: "ticket t",
    order: " ORDER BY t.updated_at DESC, t.ticket_key DESC",
    counted: 50_000,
};

/// How the tickets of a request are found.
#[derive(Clone, Copy)]
enum Lead {
    /// By time; there is no text.
    Time,
    /// By ticket id: few ids begin with the text.
    Id,
    /// By time, filtered by ticket id: many ids begin with the text.
    TimeAndId,
    /// By player: few tickets have a player whose id begins with the text.
    Player,
    /// By time, filtered by player: many tickets have one.
    TimeAndPlayer,
}

impl Reader {
    /// Tickets that match, those with the newest events first, as a window.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn tickets(&self, request: &TicketRequest) -> Result<Window<TicketRow>, StoreError> {
        let Some(lead) = self.lead_to_tickets(request.text.trim()).await? else {
            return Ok(Window::empty());
        };
        let directory = self.directory().await?;
        let having = match &request.having {
            Some(having) => Some(self.tickets_having(having, &directory).await?),
            None => None,
        };
        let condition = |sql: &mut QueryBuilder<Sqlite>| {
            push_tickets(sql, request, lead);
            if let Some(having) = &having {
                having.push(sql);
            }
        };
        self.window(&TICKETS, request.page, condition, |row| ticket(row, &directory)).await
    }

    /// Chooses how to find the tickets that match `text`; `None` if there are none.
    async fn lead_to_tickets(&self, text: &str) -> Result<Option<Lead>, StoreError> {
        if text.is_empty() {
            return Ok(Some(Lead::Time));
        }
        let mut sql = QueryBuilder::new("SELECT (SELECT count(*) FROM (SELECT 1 FROM ticket t WHERE ");
        push_ids(&mut sql, "t.ticket_id", text);
        sql.push(" LIMIT ").push_bind(FEW + 1);
        sql.push(")) AS ids, (SELECT count(*) FROM (SELECT 1 FROM ticket_player p WHERE ");
        push_prefix(&mut sql, "p.player", text);
        sql.push(" LIMIT ").push_bind(FEW + 1).push(")) AS players");
        let row = sql.build().fetch_one(self.pool()).await?;
        let (ids, players): (i64, i64) = (row.read("ids")?, row.read("players")?);
        Ok(match (ids, players) {
            (0, 0) => None,
            (0, ..=FEW) => Some(Lead::Player),
            (0, _) => Some(Lead::TimeAndPlayer),
            (..=FEW, _) => Some(Lead::Id),
            _ => Some(Lead::TimeAndId),
        })
    }

    /// One ticket with its events; `None` if no event of it was received.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn ticket(&self, region: &Region, id: &TicketId) -> Result<Option<TicketStory>, StoreError> {
        let directory = self.directory().await?;
        let Some(region_key) = directory.region_key(region) else { return Ok(None) };
        let mut sql = QueryBuilder::new(TICKET);
        sql.push("t.ticket_id = ").push_bind(id.as_str().to_owned());
        sql.push(" AND t.region_key = ").push_bind(region_key);
        let Some(row) = sql.build().fetch_optional(self.pool()).await? else { return Ok(None) };
        let mut sql = QueryBuilder::new(EVENT);
        sql.push("e.event_key IN (SELECT event_key FROM matchmaking_ticket WHERE ticket_id = ");
        // The plus stops SQLite from using an index by Region, which would read every event of that Region.
        sql.push_bind(id.as_str().to_owned()).push(") AND +e.region_key = ").push_bind(region_key);
        sql.push(" ORDER BY e.event_at, e.event_key LIMIT ").push_bind(STORY);
        let events = sql.build().fetch_all(self.pool()).await?;
        let events = events.iter().map(|row| event(row, &directory)).collect::<Result<_, _>>()?;
        Ok(Some(TicketStory { row: ticket(&row, &directory)?, events }))
    }

    /// The tickets a player is in, those with the newest events first.
    pub(in crate::reader) async fn tickets_of_player(
        &self,
        player: &PlayerId,
        most: i64,
        directory: &Directory,
    ) -> Result<Vec<TicketRow>, StoreError> {
        let mut sql = QueryBuilder::new(TICKET);
        sql.push("t.ticket_key IN (SELECT p.ticket_key FROM ticket_player p WHERE p.player = ");
        sql.push_bind(Code::encode(player.as_str()));
        sql.push(") ORDER BY +t.updated_at DESC LIMIT ").push_bind(most);
        let rows = sql.build().fetch_all(self.pool()).await?;
        let mut tickets: Vec<TicketRow> =
            rows.iter().map(|row| ticket(row, directory)).collect::<Result<_, _>>()?;
        // `ticket_player` may name a player the ticket no longer has.
        tickets.retain(|ticket| ticket.players.iter().any(|of| of.player_id == *player));
        Ok(tickets)
    }

    /// The Region of a ticket; `None` if no event of it was received.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn region_of_ticket(&self, id: &TicketId) -> Result<Option<Region>, StoreError> {
        let key: Option<i64> = sqlx::query_scalar(
            "SELECT region_key FROM ticket WHERE ticket_id = ? ORDER BY region_key LIMIT 1",
        )
        .bind(id.as_str())
        .fetch_optional(self.pool())
        .await?;
        let Some(key) = key else { return Ok(None) };
        Ok(Some(self.directory().await?.region(key)))
    }

    /// Counts the tickets last updated in `range`, by state.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn tickets_by_state(&self, range: TimeRange) -> Result<Vec<(String, u64)>, StoreError> {
        let rows = sqlx::query(
            "WITH RECURSIVE known (state) AS (SELECT min(state) FROM ticket UNION ALL \
             SELECT (SELECT min(state) FROM ticket WHERE state > known.state) FROM known WHERE known.state IS NOT NULL) \
             SELECT state, tickets FROM (SELECT state, (SELECT count(*) FROM ticket INDEXED BY ticket_by_state \
             WHERE ticket.state = known.state AND updated_at >= ? AND updated_at < ?) AS tickets FROM known) \
             WHERE tickets > 0",
        )
        .bind(range.from.as_ms())
        .bind(range.to.as_ms())
        .fetch_all(self.pool())
        .await?;
        rows.iter().map(|row| Ok((row.read("state")?, row.read("tickets")?))).collect()
    }

    /// How long matched players waited: for each ticket matched in `range`, the time of the match and the seconds
    /// since the ticket's start, oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn matchmaking_waits(&self, range: TimeRange) -> Result<Vec<(Timestamp, f64)>, StoreError> {
        let rows = sqlx::query(
            "SELECT updated_at, started_at FROM ticket WHERE updated_at >= ? AND updated_at < ? AND state = 'COMPLETED' \
             AND started_at IS NOT NULL ORDER BY updated_at",
        )
        .bind(range.from.as_ms())
        .bind(range.to.as_ms())
        .fetch_all(self.pool())
        .await?;
        rows.iter()
            .map(|row| {
                let (at, start): (Timestamp, Timestamp) = (row.read("updated_at")?, row.read("started_at")?);
                Ok((at, at.since_ms(start) as f64 / 1_000.0))
            })
            .collect()
    }
}

fn push_tickets(sql: &mut QueryBuilder<Sqlite>, request: &TicketRequest, lead: Lead) {
    // A plus stops SQLite from using the index of a column that should not drive the query.
    let led_by_text = matches!(lead, Lead::Id | Lead::Player);
    let updated_at = if led_by_text { "+t.updated_at" } else { "t.updated_at" };
    sql.push(updated_at).push(" >= ");
    push_range(sql, updated_at, request.range);
    if let Some(configuration) = &request.configuration {
        sql.push(" AND t.configuration = ").push_bind(configuration.clone());
    }
    if let Some(state) = &request.state {
        sql.push(if led_by_text { " AND +t.state = " } else { " AND t.state = " }).push_bind(state.clone());
    }
    let text = request.text.trim();
    match lead {
        Lead::Time => {}
        Lead::Id | Lead::TimeAndId => {
            sql.push(" AND ");
            push_ids(sql, if matches!(lead, Lead::Id) { "t.ticket_id" } else { "+t.ticket_id" }, text);
        }
        Lead::Player | Lead::TimeAndPlayer => {
            if matches!(lead, Lead::Player) {
                sql.push(" AND t.ticket_key IN (SELECT p.ticket_key FROM ticket_player p WHERE ");
                push_prefix(sql, "p.player", text);
                sql.push(")");
            }
            // Spelled as in the stored record. A `ticket_player` row may name a player the ticket no longer has.
            let whole = format!("\"player_id\":{}", serde_json::Value::from(text));
            let begun = whole.strip_suffix('"').unwrap_or(&whole).to_owned();
            sql.push(" AND instr(t.players, ").push_bind(begun).push(") > 0");
        }
    }
}

fn push_ids(sql: &mut QueryBuilder<Sqlite>, column: &str, text: &str) {
    sql.push(column).push(" >= ").push_bind(text.to_owned());
    // Every text that begins with `text` sorts below this.
    sql.push(" AND ").push(column).push(" < ").push_bind(format!("{text}\u{10ffff}"));
}

fn ticket(row: &SqliteRow, directory: &Directory) -> Result<TicketRow, StoreError> {
    Ok(TicketRow {
        ticket_id: row.read("ticket_id")?,
        configuration: row.read("configuration")?,
        region: directory.region(row.read("region_key")?),
        state: row.read("state")?,
        started_at: row.read("started_at")?,
        updated_at: row.read("updated_at")?,
        players: row.json("players")?,
        match_id: row.read("match_id")?,
        game_session_id: session_of(row)?,
        message: row.read("message")?,
    })
}

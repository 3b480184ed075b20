//! FlexMatch: configurations with how their matches went, the events, and tickets as the events told them.

use futures::future::try_join_all;
use liftdeck_model::matchmaking::{EventTicket, MatchmakingConfiguration, MatchmakingEvent, TicketPlayer};
use liftdeck_model::observation::PollKind;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{GameSessionId, Region, TicketId, Timestamp};
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row as _, Sqlite};

use super::Reader;
use super::change::push_range;
use super::directory::Directory;
use super::freshness::{Basis, Freshness};
use super::window::{Page, Window};
use crate::code::Code;
use crate::error::StoreError;

/// A matchmaking configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchmakingConfigurationRow {
    /// The configuration.
    pub configuration: MatchmakingConfiguration,
    /// How its matches went over the range asked for.
    pub statistics: MatchmakingStatistics,
}

/// How matches of a configuration went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MatchmakingStatistics {
    /// Matches that got a game session, or were given to whoever places them.
    pub matches: u64,
    /// Matches that failed.
    pub failed: u64,
    /// Tickets that timed out, each with an event of its own.
    pub timed_out: u64,
    /// Tickets that were cancelled.
    pub cancelled: u64,
    /// Median of the milliseconds from a ticket's start to its match's success, of the newest 20 000 matched tickets.
    pub wait_p50_ms: Option<i64>,
    /// 95th percentile.
    pub wait_p95_ms: Option<i64>,
    /// Share (0 to 1) of the players asked to accept a match who did; `None` when nobody was asked.
    pub acceptance_rate: Option<f64>,
}

/// Which FlexMatch events are wanted.
#[derive(Clone, Debug)]
pub struct MatchmakingEventRequest {
    /// Only of this configuration.
    pub configuration: Option<String>,
    /// When they were sent.
    pub range: Option<TimeRange>,
    /// Which part, newest first.
    pub page: Page,
}

/// Which tickets are wanted.
#[derive(Clone, Debug)]
pub struct TicketRequest {
    /// Only tickets whose id begins with it; when there are none at all, those with a player whose id contains it.
    pub text: String,
    /// Only of this configuration.
    pub configuration: Option<String>,
    /// Only in this state, as the API spells it.
    pub state: Option<String>,
    /// When their newest event was sent.
    pub range: Option<TimeRange>,
    /// Which part, newest first.
    pub page: Page,
}

/// A ticket as its newest event told it. One whose last events were lost stays as it was last told.
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
    /// Session made.
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

/// One ticket with its story.
#[derive(Clone, Debug, PartialEq)]
pub struct TicketStory {
    /// The row of lists.
    pub row: TicketRow,
    /// Its events, oldest first, at most 1 000.
    pub events: Vec<MatchmakingEvent>,
}

/// Events or tickets counted for a window.
const COUNTED: i64 = 50_000;
/// Waits a percentile is made of: more of them would not move it, and cost.
const WAITS: i64 = 20_000;
/// Events of one ticket.
const STORY: i64 = 1_000;
/// Answers come at most this long before the phase ends (AWS: AcceptanceTimeoutSeconds is at most 600).
const ASKED_MS: i64 = 600_000;

const EVENT: &str = "SELECT e.event_id, e.event_type, e.configuration, e.region_key, e.event_at, e.match_id, e.reason, e.message, \
     e.estimated_wait_seconds, a.prefix, e.session_id, e.tickets FROM matchmaking_event e \
     LEFT JOIN arn_prefix a ON a.prefix_key = e.session_prefix_key WHERE ";

const TICKET: &str = "SELECT t.ticket_id, t.configuration, t.region_key, t.state, t.started_at, t.updated_at, t.players, \
     t.match_id, a.prefix, t.session_id, t.message FROM ticket t \
     LEFT JOIN arn_prefix a ON a.prefix_key = t.session_prefix_key WHERE ";

impl Reader {
    /// Configurations that are there, by Region and name, each with how its matches went in `range`; and their age.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn matchmaking_configurations(
        &self,
        range: TimeRange,
        now: Timestamp,
    ) -> Result<(Vec<MatchmakingConfigurationRow>, Freshness), StoreError> {
        let directory = self.directory().await?;
        let documents = self.documents::<MatchmakingConfiguration>("matchmaking_configuration", None).await?;
        let there = documents.into_iter().filter(|document| document.gone_at.is_none());
        // Each walks its own events: side by side, on as many connections as there are.
        let rows = try_join_all(there.map(|document| async {
            let configuration = document.record;
            let statistics = self
                .matchmaking_statistics(&directory, &configuration.region, &configuration.name, range)
                .await?;
            Ok::<_, StoreError>(MatchmakingConfigurationRow { configuration, statistics })
        }))
        .await?;
        let age = self.freshness(Basis::All(PollKind::MatchmakingConfigurations), now);
        Ok((rows, age.and(self.freshness(Basis::All(PollKind::EventFeed), now))))
    }

    async fn matchmaking_statistics(
        &self,
        directory: &Directory,
        region: &Region,
        configuration: &str,
        range: TimeRange,
    ) -> Result<MatchmakingStatistics, StoreError> {
        let region_key = directory.region_key(region).unwrap_or(-1);
        let acceptance_rate = self.acceptance_rate(region_key, configuration, range).await?;
        let mut statistics = MatchmakingStatistics { acceptance_rate, ..Default::default() };
        let row = sqlx::query(
            "SELECT count(*) FILTER (WHERE event_type = 'MatchmakingSucceeded'), \
             count(*) FILTER (WHERE event_type = 'MatchmakingFailed'), \
             count(*) FILTER (WHERE event_type = 'MatchmakingTimedOut'), \
             count(*) FILTER (WHERE event_type = 'MatchmakingCancelled') FROM matchmaking_event \
             INDEXED BY matchmaking_event_by_outcome WHERE region_key = ? AND configuration = ? AND event_type IN \
             ('MatchmakingSucceeded', 'MatchmakingFailed', 'MatchmakingTimedOut', 'MatchmakingCancelled') \
             AND event_at >= ? AND event_at < ?",
        )
        .bind(region_key)
        .bind(configuration)
        .bind(range.from.as_ms())
        .bind(range.to.as_ms())
        .fetch_one(self.pool())
        .await?;
        statistics.matches = count(&row, 0)?;
        statistics.failed = count(&row, 1)?;
        statistics.timed_out = count(&row, 2)?;
        statistics.cancelled = count(&row, 3)?;
        // One row: many cost more than their sum.
        let waits: String = sqlx::query_scalar(
            "SELECT json_group_array(wait) FROM (SELECT updated_at - started_at AS wait FROM ticket \
             INDEXED BY ticket_by_configuration WHERE region_key = ? AND configuration = ? AND updated_at >= ? \
             AND updated_at < ? AND state = 'COMPLETED' AND started_at IS NOT NULL ORDER BY updated_at DESC LIMIT ?)",
        )
        .bind(region_key)
        .bind(configuration)
        .bind(range.from.as_ms())
        .bind(range.to.as_ms())
        .bind(WAITS)
        .fetch_one(self.pool())
        .await?;
        let mut waits: Vec<i64> = serde_json::from_str(&waits)
            .map_err(|error| StoreError::Unreadable { what: format!("waits of {configuration}: {error}") })?;
        waits.sort_unstable();
        statistics.wait_p50_ms = super::blast::percentile(&waits, 0.50);
        statistics.wait_p95_ms = super::blast::percentile(&waits, 0.95);
        Ok(statistics)
    }

    /// Share of the players asked who accepted: each match counts with its last answers, once it is over with them.
    async fn acceptance_rate(
        &self,
        region_key: i64,
        configuration: &str,
        range: TimeRange,
    ) -> Result<Option<f64>, StoreError> {
        // Added up in SQL: a row each match would cost more than all the rest. The answers of a match are told before its
        // acceptance phase is over, so they are looked for a little earlier.
        let row = sqlx::query(
            "SELECT sum(asked), sum(accepted) FROM (SELECT \
             max(iif(event_type = 'AcceptMatchCompleted' AND event_at >= ?4, coalesce(players, 0), NULL)) AS asked, \
             max(iif(event_type = 'AcceptMatch', accepted, NULL)) AS accepted FROM matchmaking_event \
             INDEXED BY matchmaking_event_by_outcome WHERE region_key = ?1 AND configuration = ?2 \
             AND event_type IN ('AcceptMatch', 'AcceptMatchCompleted') AND event_at >= ?3 AND event_at < ?5 \
             AND match_id IS NOT NULL GROUP BY match_id) WHERE asked IS NOT NULL",
        )
        .bind(region_key)
        .bind(configuration)
        .bind(range.from.plus_ms(-ASKED_MS).as_ms())
        .bind(range.from.as_ms())
        .bind(range.to.as_ms())
        .fetch_one(self.pool())
        .await?;
        let sum = |index| Ok::<_, StoreError>(row.try_get::<Option<i64>, _>(index)?.unwrap_or(0));
        let (asked, accepted) = (sum(0)?, sum(1)?);
        Ok((asked > 0).then(|| (accepted as f64 / asked as f64).min(1.0)))
    }

    /// How many tickets with news in `range` stand in each state, by state.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn tickets_by_state(&self, range: TimeRange) -> Result<Vec<(String, u64)>, StoreError> {
        let rows = sqlx::query(
            "SELECT state, count(*) FROM ticket INDEXED BY ticket_by_time WHERE updated_at >= ? AND updated_at < ? \
             GROUP BY state ORDER BY state",
        )
        .bind(range.from.as_ms())
        .bind(range.to.as_ms())
        .fetch_all(self.pool())
        .await?;
        rows.iter().map(|row| Ok((row.try_get(0)?, count(row, 1)?))).collect()
    }

    /// FlexMatch events that match, newest first, as a window.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn matchmaking_events(
        &self,
        request: &MatchmakingEventRequest,
    ) -> Result<Window<MatchmakingEvent>, StoreError> {
        let directory = self.directory().await?;
        let filter = |sql: &mut QueryBuilder<Sqlite>| {
            if let Some(configuration) = &request.configuration {
                sql.push("e.configuration = ").push_bind(configuration.clone()).push(" AND ");
            }
            sql.push("e.event_at >= ");
            push_range(sql, "e.event_at", request.range);
        };
        let mut sql = QueryBuilder::new("SELECT count(*) FROM (SELECT 1 FROM matchmaking_event e WHERE ");
        filter(&mut sql);
        sql.push(" LIMIT ").push_bind(COUNTED + 1).push(")");
        let count: i64 = sql.build().fetch_one(self.pool()).await?.try_get(0)?;
        let mut sql = QueryBuilder::new(EVENT);
        filter(&mut sql);
        let (offset, limit) = request.page.bounds();
        sql.push(" ORDER BY e.event_at DESC, e.event_key DESC LIMIT ").push_bind(limit);
        sql.push(" OFFSET ").push_bind(offset);
        let rows = sql.build().fetch_all(self.pool()).await?;
        let rows = rows.iter().map(|row| event(row, &directory)).collect::<Result<_, _>>()?;
        Ok(Window::counted(rows, count, COUNTED))
    }

    /// Tickets that match, the ones with the newest events first, as a window.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn tickets(&self, request: &TicketRequest) -> Result<Window<TicketRow>, StoreError> {
        let directory = self.directory().await?;
        let names = self.names_tickets(&request.text).await?;
        let mut sql = QueryBuilder::new("SELECT count(*) FROM (SELECT 1 FROM ticket t WHERE ");
        push_tickets(&mut sql, request, names);
        sql.push(" LIMIT ").push_bind(COUNTED + 1).push(")");
        let count: i64 = sql.build().fetch_one(self.pool()).await?.try_get(0)?;
        let mut sql = QueryBuilder::new(TICKET);
        push_tickets(&mut sql, request, names);
        let (offset, limit) = request.page.bounds();
        sql.push(" ORDER BY t.updated_at DESC, t.ticket_key DESC LIMIT ").push_bind(limit);
        sql.push(" OFFSET ").push_bind(offset);
        let rows = sql.build().fetch_all(self.pool()).await?;
        let rows = rows.iter().map(|row| ticket(row, &directory)).collect::<Result<_, _>>()?;
        Ok(Window::counted(rows, count, COUNTED))
    }

    /// One ticket with its story; `None` when no event of it was received.
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
        // The plus keeps SQLite from an index by Region, which would walk every event of it.
        sql.push_bind(id.as_str().to_owned()).push(") AND +e.region_key = ").push_bind(region_key);
        sql.push(" ORDER BY e.event_at, e.event_key LIMIT ").push_bind(STORY);
        let events = sql.build().fetch_all(self.pool()).await?;
        let events = events.iter().map(|row| event(row, &directory)).collect::<Result<_, _>>()?;
        Ok(Some(TicketStory { row: ticket(&row, &directory)?, events }))
    }

    /// Whether a text begins the id of a ticket. If not, it can only be of a player, and that takes reading every ticket.
    async fn names_tickets(&self, text: &str) -> Result<bool, StoreError> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(false);
        }
        let named =
            sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM ticket WHERE ticket_id >= ? AND ticket_id < ?)");
        Ok(named.bind(text).bind(after(text)).fetch_one(self.pool()).await?)
    }

    /// How long matched players waited: for each ticket of a match in `range` the moment and the seconds since its
    /// start, oldest first.
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
                let (at, start): (i64, i64) = (row.try_get(0)?, row.try_get(1)?);
                Ok((Timestamp::from_ms(at), (at - start) as f64 / 1_000.0))
            })
            .collect()
    }
}

/// What every text that begins with `text` is below.
fn after(text: &str) -> String {
    format!("{text}\u{10ffff}")
}

fn push_tickets(sql: &mut QueryBuilder<Sqlite>, request: &TicketRequest, names_tickets: bool) {
    sql.push("t.updated_at >= ");
    push_range(sql, "t.updated_at", request.range);
    if let Some(configuration) = &request.configuration {
        sql.push(" AND t.configuration = ").push_bind(configuration.clone());
    }
    if let Some(state) = &request.state {
        sql.push(" AND t.state = ").push_bind(state.clone());
    }
    let text = request.text.trim();
    if text.is_empty() {
        return;
    }
    if names_tickets {
        sql.push(" AND t.ticket_id >= ").push_bind(text.to_owned());
        sql.push(" AND t.ticket_id < ").push_bind(after(text));
    } else {
        sql.push(" AND instr(t.players, ").push_bind(text.to_owned()).push(") > 0");
    }
}

fn count(row: &SqliteRow, index: usize) -> Result<u64, StoreError> {
    Ok(u64::try_from(row.try_get::<i64, _>(index)?).unwrap_or(0))
}

fn session(prefix: Option<&str>, short: Option<Code>) -> Option<GameSessionId> {
    prefix.zip(short).map(|(prefix, short)| super::session_id(prefix, &short))
}

fn event(row: &SqliteRow, directory: &Directory) -> Result<MatchmakingEvent, StoreError> {
    Ok(MatchmakingEvent {
        event_id: row.try_get::<Code, _>(0)?.decode(),
        event_type: row.try_get(1)?,
        configuration: row.try_get(2)?,
        region: directory.region(row.try_get(3)?),
        event_time: Timestamp::from_ms(row.try_get(4)?),
        match_id: row.try_get(5)?,
        reason: row.try_get(6)?,
        message: row.try_get(7)?,
        estimated_wait_seconds: row.try_get(8)?,
        game_session_id: session(row.try_get(9)?, row.try_get(10)?),
        tickets: serde_json::from_str::<Vec<EventTicket>>(row.try_get(11)?)
            .map_err(|error| StoreError::Unreadable { what: format!("tickets: {error}") })?,
    })
}

fn ticket(row: &SqliteRow, directory: &Directory) -> Result<TicketRow, StoreError> {
    let ticket_id: String = row.try_get(0)?;
    Ok(TicketRow {
        configuration: row.try_get(1)?,
        region: directory.region(row.try_get(2)?),
        state: row.try_get(3)?,
        started_at: row.try_get::<Option<i64>, _>(4)?.map(Timestamp::from_ms),
        updated_at: Timestamp::from_ms(row.try_get(5)?),
        players: serde_json::from_str(row.try_get(6)?)
            .map_err(|error| StoreError::Unreadable { what: format!("players of {ticket_id}: {error}") })?,
        match_id: row.try_get(7)?,
        game_session_id: session(row.try_get(8)?, row.try_get(9)?),
        message: row.try_get(10)?,
        ticket_id: TicketId::new(ticket_id),
    })
}

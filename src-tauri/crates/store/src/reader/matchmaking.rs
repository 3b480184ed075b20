//! FlexMatch: configurations with how their matches went, and the events. Tickets are the submodule's.

mod ticket;

use futures::future::try_join_all;
use liftdeck_model::matchmaking::{EventTicket, MatchmakingConfiguration, MatchmakingEvent};
use liftdeck_model::observation::PollKind;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{GameSessionId, Region, Timestamp};
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row as _, Sqlite};

use super::blast::percentile;
use super::change::push_range;
use super::directory::Directory;
use super::freshness::{Basis, Freshness};
use super::window::{Page, Window};
use super::{Reader, count};
use crate::code::Code;
use crate::error::StoreError;

pub use ticket::{TicketRequest, TicketRow, TicketStory};

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

/// Events counted for a window.
const COUNTED: i64 = 50_000;
/// Waits a percentile is made of: more of them would not move it, and cost.
const WAITS: i64 = 20_000;
const EVENT: &str = "SELECT e.event_id, e.event_type, e.configuration, e.region_key, e.event_at, e.match_id, e.reason, e.message, \
     e.estimated_wait_seconds, a.prefix, e.session_id, e.tickets FROM matchmaking_event e \
     LEFT JOIN arn_prefix a ON a.prefix_key = e.session_prefix_key WHERE ";

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
        // Each walks its own events and tickets: side by side, on as many connections as there are.
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
        let (outcomes, waits, acceptance_rate) = tokio::try_join!(
            self.matchmaking_outcomes(region_key, configuration, range),
            self.newest_waits(region_key, configuration, range),
            self.acceptance_rate(region_key, configuration, range),
        )?;
        Ok(MatchmakingStatistics {
            wait_p50_ms: percentile(&waits, 0.50),
            wait_p95_ms: percentile(&waits, 0.95),
            acceptance_rate,
            ..outcomes
        })
    }

    /// The counts among the statistics.
    async fn matchmaking_outcomes(
        &self,
        region_key: i64,
        configuration: &str,
        range: TimeRange,
    ) -> Result<MatchmakingStatistics, StoreError> {
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
        Ok(MatchmakingStatistics {
            matches: count(&row, 0)?,
            failed: count(&row, 1)?,
            timed_out: count(&row, 2)?,
            cancelled: count(&row, 3)?,
            ..Default::default()
        })
    }

    /// How long the newest matched tickets waited, in milliseconds, ascending.
    async fn newest_waits(
        &self,
        region_key: i64,
        configuration: &str,
        range: TimeRange,
    ) -> Result<Vec<i64>, StoreError> {
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
        Ok(waits)
    }

    /// Share of the players asked who accepted, of the matches whose acceptance phase was over in `range`.
    async fn acceptance_rate(
        &self,
        region_key: i64,
        configuration: &str,
        range: TimeRange,
    ) -> Result<Option<f64>, StoreError> {
        let (asked, accepted): (i64, i64) = sqlx::query_as(
            "SELECT coalesce(sum(asked), 0), coalesce(sum(accepted), 0) FROM match_answer \
             INDEXED BY match_answer_by_completion WHERE region_key = ? AND configuration = ? AND completed_at >= ? \
             AND completed_at < ?",
        )
        .bind(region_key)
        .bind(configuration)
        .bind(range.from.as_ms())
        .bind(range.to.as_ms())
        .fetch_one(self.pool())
        .await?;
        Ok((asked > 0).then(|| (accepted as f64 / asked as f64).min(1.0)))
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

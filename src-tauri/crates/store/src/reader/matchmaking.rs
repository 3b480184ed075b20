//! FlexMatch configurations with the results of their matches, rule sets, and events. Tickets are in the submodule.

mod difference;
mod outcome;
mod ticket;

use futures::future::try_join_all;
use liftdeck_model::matchmaking::{MatchmakingConfiguration, MatchmakingEvent, MatchmakingRuleSet};
use liftdeck_model::observation::PollKind;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{Region, Timestamp};
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Sqlite};

use super::blast::percentile;
use super::change::push_range;
use super::directory::Directory;
use super::fleet::present;
use super::freshness::{Basis, Freshness};
use super::window::{List, Page, Window};
use super::{Reader, session_of};
use crate::code::Code;
use crate::column::Columns as _;
use crate::error::StoreError;

pub use difference::TicketScope;
pub use outcome::TicketOutcomes;
pub use ticket::{TicketRequest, TicketRow, TicketStory};

/// A matchmaking configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchmakingConfigurationRow {
    /// The configuration.
    pub configuration: MatchmakingConfiguration,
    /// How its matches went over the requested range.
    pub statistics: MatchmakingStatistics,
}

/// How matches of a configuration went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MatchmakingStatistics {
    /// Matches that got a game session, or were handed over for others to place.
    pub matches: u64,
    /// Matches that failed.
    pub failed: u64,
    /// Tickets that timed out; each has its own event.
    pub timed_out: u64,
    /// Tickets that were cancelled.
    pub cancelled: u64,
    /// Median milliseconds from a ticket's start to its match's success, over the newest 20 000 matched tickets.
    pub wait_p50_ms: Option<i64>,
    /// 95th percentile.
    pub wait_p95_ms: Option<i64>,
    /// Share (0 to 1) of the players asked to accept a match who accepted; `None` when nobody was asked.
    pub acceptance_rate: Option<f64>,
}

/// Selects FlexMatch events.
#[derive(Clone, Debug)]
pub struct MatchmakingEventRequest {
    /// Only of this configuration.
    pub configuration: Option<String>,
    /// When they were sent.
    pub range: Option<TimeRange>,
    /// The page wanted, newest first.
    pub page: Page,
}

/// Maximum number of waits behind a percentile. More of them would take time without changing it.
const WAITS: i64 = 20_000;
const EVENT: &str = "SELECT e.event_id, e.event_type, e.configuration, e.region_key, e.event_at, e.match_id, e.reason, e.message, \
     e.estimated_wait_seconds, a.prefix, e.session_id, e.tickets FROM matchmaking_event e \
     LEFT JOIN arn_prefix a ON a.prefix_key = e.session_prefix_key WHERE ";
const EVENTS: List = List {
    head: EVENT,
    table: "matchmaking_event e",
    order: " ORDER BY e.event_at DESC, e.event_key DESC",
    counted: 50_000,
};

impl Reader {
    /// Existing configurations by Region and name, each with how its matches went in `range`, and their freshness.
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
        // Each reads its own events and tickets, so they run concurrently on the available connections.
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

    /// Existing configurations, by Region and name.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn configurations(&self) -> Result<Vec<MatchmakingConfiguration>, StoreError> {
        let documents = self.documents::<MatchmakingConfiguration>("matchmaking_configuration", None).await?;
        let there = documents.into_iter().filter(|document| document.gone_at.is_none());
        Ok(there.map(|document| document.record).collect())
    }

    /// Existing rule sets by Region and name, with their freshness.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn rule_sets(
        &self,
        now: Timestamp,
    ) -> Result<(Vec<MatchmakingRuleSet>, Freshness), StoreError> {
        let rule_sets = present(self.documents("matchmaking_rule_set", None).await?).collect();
        Ok((rule_sets, self.freshness(Basis::All(PollKind::MatchmakingRuleSets), now)))
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

    /// Counts the outcomes; the other statistics keep their defaults.
    async fn matchmaking_outcomes(
        &self,
        region_key: i64,
        configuration: &str,
        range: TimeRange,
    ) -> Result<MatchmakingStatistics, StoreError> {
        let row = sqlx::query(
            "SELECT count(*) FILTER (WHERE event_type = 'MatchmakingSucceeded') AS matches, \
             count(*) FILTER (WHERE event_type = 'MatchmakingFailed') AS failed, \
             count(*) FILTER (WHERE event_type = 'MatchmakingTimedOut') AS timed_out, \
             count(*) FILTER (WHERE event_type = 'MatchmakingCancelled') AS cancelled FROM matchmaking_event \
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
            matches: row.read("matches")?,
            failed: row.read("failed")?,
            timed_out: row.read("timed_out")?,
            cancelled: row.read("cancelled")?,
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
        // One row, because fetching many rows costs more than aggregating them.
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

    /// Share of the asked players who accepted, over the matches whose acceptance phase ended in `range`.
    async fn acceptance_rate(
        &self,
        region_key: i64,
        configuration: &str,
        range: TimeRange,
    ) -> Result<Option<f64>, StoreError> {
        let row = sqlx::query(
            "SELECT coalesce(sum(asked), 0) AS asked, coalesce(sum(accepted), 0) AS accepted FROM match_answer \
             INDEXED BY match_answer_by_completion WHERE region_key = ? AND configuration = ? AND completed_at >= ? \
             AND completed_at < ?",
        )
        .bind(region_key)
        .bind(configuration)
        .bind(range.from.as_ms())
        .bind(range.to.as_ms())
        .fetch_one(self.pool())
        .await?;
        let (asked, accepted): (u64, u64) = (row.read("asked")?, row.read("accepted")?);
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
        let condition = |sql: &mut QueryBuilder<Sqlite>| {
            if let Some(configuration) = &request.configuration {
                sql.push("e.configuration = ").push_bind(configuration.clone()).push(" AND ");
            }
            sql.push("e.event_at >= ");
            push_range(sql, "e.event_at", request.range);
        };
        self.window(&EVENTS, request.page, condition, |row| event(row, &directory)).await
    }
}

fn event(row: &SqliteRow, directory: &Directory) -> Result<MatchmakingEvent, StoreError> {
    Ok(MatchmakingEvent {
        event_id: row.read::<Code>("event_id")?.decode(),
        event_type: row.read("event_type")?,
        configuration: row.read("configuration")?,
        region: directory.region(row.read("region_key")?),
        event_time: row.read("event_at")?,
        match_id: row.read("match_id")?,
        reason: row.read("reason")?,
        message: row.read("message")?,
        estimated_wait_seconds: row.read("estimated_wait_seconds")?,
        game_session_id: session_of(row)?,
        tickets: row.json("tickets")?,
    })
}

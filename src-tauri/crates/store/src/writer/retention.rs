//! Retention: what is older than the policy goes, in steps small enough that nobody waits for one.
//!
//! Owns deletion. Only our own policy deletes; that AWS has forgotten something never does. Ages are counted back from time
//! that is proven (`clock.rs`), so a computer's clock set ahead deletes nothing. Each stage stands alone: what cannot be
//! read in one keeps none of the others from their work.

use std::collections::HashSet;

use liftdeck_model::matchmaking::TicketPlayer;
use sqlx::SqliteConnection;

use crate::code::Code;
use crate::error::StoreError;
use crate::list::of_list;
use crate::writer::desk::Desk;
use crate::writer::{Retained, RetentionPolicy};

const DAY_MS: i64 = 86_400_000;
/// Rows deleted in one transaction, about.
const ROWS_A_STEP: i64 = 2_000;
/// Sessions deleted in one transaction; each takes its players and transitions along.
const SESSIONS_A_STEP: i64 = 200;
/// Tickets deleted in one transaction; each takes its players along, one statement each.
const TICKETS_A_STEP: i64 = 100;
/// Pages given back to the file system in one transaction.
const PAGES_A_STEP: i64 = 500;

/// Events with what hangs on them: name of the rows, the statement that finds a step of them, and those that delete it.
const EVENTS: [(&str, &str, &[&str]); 2] = [
    (
        "placement_events",
        "SELECT event_key FROM placement_event WHERE event_at < ? LIMIT ?",
        &[
            "DELETE FROM placement_player WHERE event_key IN ({list})",
            "DELETE FROM placement_event WHERE event_key IN ({list})",
        ],
    ),
    (
        "matchmaking_events",
        "SELECT event_key FROM matchmaking_event WHERE event_at < ? LIMIT ?",
        &[
            "DELETE FROM match_answer WHERE (region_key, configuration, match_id) IN \
             (SELECT region_key, configuration, match_id FROM matchmaking_event WHERE event_key IN ({list}))",
            "DELETE FROM matchmaking_ticket WHERE event_key IN ({list})",
            "DELETE FROM matchmaking_event WHERE event_key IN ({list})",
        ],
    ),
];

/// Tables that only age: name of the rows, and the statement that deletes a step of them.
const AGEING: [(&str, &str); 5] = [
    (
        "fleet_events",
        "DELETE FROM fleet_event WHERE event_key IN (SELECT event_key FROM fleet_event WHERE event_at < ? LIMIT ?)",
    ),
    (
        "changes",
        "DELETE FROM change WHERE change_key IN (SELECT change_key FROM change WHERE seen_at < ? LIMIT ?)",
    ),
    (
        "quarantined_messages",
        "DELETE FROM quarantined_message WHERE message_key IN \
         (SELECT message_key FROM quarantined_message WHERE received_at < ? LIMIT ?)",
    ),
    (
        "resources",
        "DELETE FROM resource WHERE resource_key IN (SELECT resource_key FROM resource WHERE gone_at < ? LIMIT ?)",
    ),
    (
        "polls",
        "DELETE FROM poll WHERE (kind, region_key, resource) IN \
      (SELECT kind, region_key, resource FROM poll WHERE asked_at < ? LIMIT ?)",
    ),
];

/// What retention does, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Compaction,
    Sessions,
    Events,
    Tickets,
    Ageing,
    Activities,
    Sums,
    Chunks,
    FreePages,
}

impl Stage {
    pub(super) const FIRST: Self = Self::Compaction;
    pub(super) const ALL: [Self; 9] = [
        Self::Compaction,
        Self::Sessions,
        Self::Events,
        Self::Tickets,
        Self::Ageing,
        Self::Activities,
        Self::Sums,
        Self::Chunks,
        Self::FreePages,
    ];
}

/// The fact that proven time is kept in.
const PROVEN_TIME: &str = "proven_time";

/// The proven time an earlier run left, in milliseconds. What cannot be read proves nothing.
pub(crate) async fn kept_proven_time(connection: &mut SqliteConnection) -> Result<Option<i64>, StoreError> {
    let kept: Option<String> = sqlx::query_scalar("SELECT value FROM fact WHERE name = ?")
        .bind(PROVEN_TIME)
        .fetch_optional(connection)
        .await?;
    Ok(kept.and_then(|text| text.parse().ok()))
}

impl Retained {
    /// Notes the rows of a kind that were deleted; `false` when there were none.
    fn took(&mut self, kind: &'static str, rows: u64) -> bool {
        if rows == 0 {
            return false;
        }
        self.deleted.insert(kind, rows);
        true
    }
}

impl Desk<'_> {
    /// Keeps the proven time for the next run.
    pub(super) async fn keep_proven_time(&mut self, at_ms: Option<i64>) -> Result<(), StoreError> {
        let Some(at_ms) = at_ms else { return Ok(()) };
        sqlx::query(
            "INSERT INTO fact (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        )
        .bind(PROVEN_TIME)
        .bind(at_ms.to_string())
        .execute(self.write().await?)
        .await?;
        Ok(())
    }

    /// Does one step of a stage; the flag says whether there may be more of it. Without a horizon nothing is known to be
    /// old, and nothing is deleted.
    pub(super) async fn retain_step(
        &mut self,
        stage: Stage,
        horizon_ms: Option<i64>,
        policy: RetentionPolicy,
    ) -> Result<(Retained, bool), StoreError> {
        let mut step = Retained::default();
        let before = |now_ms: i64, days: u32| now_ms.saturating_sub(i64::from(days) * DAY_MS);
        let more = match (stage, horizon_ms) {
            (Stage::Compaction, _) => {
                let worth_it = self.memory.hot_rows > super::metric::HOT_ROWS / 4;
                step.compacted = if worth_it { self.compact_step().await? } else { 0 };
                step.compacted > 0
            }
            (Stage::FreePages, _) => self.give_back_pages().await?,
            (_, None) => false,
            (Stage::Sessions, Some(now)) => {
                self.old_sessions(before(now, policy.session_days), &mut step).await?
            }
            (Stage::Events, Some(now)) => self.old_events(before(now, policy.event_days), &mut step).await?,
            (Stage::Tickets, Some(now)) => {
                self.old_tickets(before(now, policy.event_days), &mut step).await?
            }
            (Stage::Ageing, Some(now)) => self.aged(before(now, policy.event_days), &mut step).await?,
            (Stage::Activities, Some(now)) => {
                self.old_activities(before(now, policy.activity_days), &mut step).await?
            }
            (Stage::Sums, Some(now)) => {
                self.old_sums(before(now, policy.event_days), &mut step).await?;
                false
            }
            (Stage::Chunks, Some(now)) => self.old_chunks(before(now, policy.metric_days), &mut step).await?,
        };
        Ok((step, more))
    }

    async fn aged(&mut self, before_ms: i64, step: &mut Retained) -> Result<bool, StoreError> {
        for (table, statement) in AGEING {
            let connection = self.write().await?;
            let query = sqlx::query(statement).bind(before_ms).bind(ROWS_A_STEP);
            let rows = query.execute(connection).await?.rows_affected();
            if step.took(table, rows) {
                if table == "resources" {
                    self.memory.resources.retain(|_, resource| !resource.gone);
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// All in one step: they are few, a row an hour and queue.
    async fn old_sums(&mut self, before_ms: i64, step: &mut Retained) -> Result<(), StoreError> {
        let connection = self.write().await?;
        let sums =
            sqlx::query("DELETE FROM placement_sum WHERE span_ms IN (?1, ?2) AND start_at + span_ms <= ?3")
                .bind(crate::reader::placement::HOUR_MS)
                .bind(DAY_MS)
                .bind(before_ms)
                .execute(&mut *connection)
                .await?
                .rows_affected();
        let days = sqlx::query("DELETE FROM placement_day WHERE day_at + ?1 <= ?2")
            .bind(DAY_MS)
            .bind(before_ms)
            .execute(connection)
            .await?
            .rows_affected();
        step.took("placement_sums", sums + days);
        Ok(())
    }

    async fn old_chunks(&mut self, before_ms: i64, step: &mut Retained) -> Result<bool, StoreError> {
        let connection = self.write().await?;
        let rows = sqlx::query(
            "DELETE FROM metric_chunk WHERE chunk_key IN (SELECT chunk_key FROM metric_chunk WHERE day < ? LIMIT ?)",
        )
        .bind(before_ms.div_euclid(DAY_MS))
        .bind(ROWS_A_STEP)
        .execute(connection)
        .await?
        .rows_affected();
        Ok(step.took("metric_chunks", rows))
    }

    /// A file that another program has rewritten may not be able to give pages back; SQLite then says nothing and does
    /// nothing, and the pages are used again instead.
    async fn give_back_pages(&mut self) -> Result<bool, StoreError> {
        const FREE: &str = "PRAGMA freelist_count";
        let connection = self.write().await?;
        let free: i64 = sqlx::query_scalar(FREE).fetch_one(&mut *connection).await?;
        if free <= PAGES_A_STEP {
            return Ok(false);
        }
        let statement = format!("PRAGMA incremental_vacuum({PAGES_A_STEP})");
        sqlx::query(sqlx::AssertSqlSafe(statement)).persistent(false).fetch_all(&mut *connection).await?;
        let left: i64 = sqlx::query_scalar(FREE).fetch_one(connection).await?;
        Ok(left < free && left > PAGES_A_STEP)
    }

    async fn old_sessions(&mut self, before_ms: i64, step: &mut Retained) -> Result<bool, StoreError> {
        let keys: Vec<i64> = sqlx::query_scalar(
            "SELECT session_key FROM game_session_state WHERE ended_at < ?1 UNION ALL \
             SELECT session_key FROM game_session_state WHERE gone_at < ?1 AND ended_at IS NULL LIMIT ?2",
        )
        .bind(before_ms)
        .bind(SESSIONS_A_STEP)
        .fetch_all(self.read().await?)
        .await?;
        if keys.is_empty() {
            return Ok(false);
        }
        self.unfile_properties(&keys).await?;
        for (kind, table) in [
            ("player_session_texts", "player_session_text"),
            ("player_sessions", "player_session"),
            ("game_session_changes", "game_session_change"),
            ("game_session_texts", "game_session_text"),
            ("game_session_states", "game_session_state"),
            ("game_sessions", "game_session"),
        ] {
            let statement = format!("DELETE FROM {table} WHERE session_key IN ({{list}})");
            let query = of_list(&statement, keys.iter());
            let deleted = query.execute(self.write().await?).await?.rows_affected();
            step.took(kind, deleted);
        }
        let gone: HashSet<i64> = keys.into_iter().collect();
        self.memory.sessions.retain(|_, session| !gone.contains(&session.key));
        self.memory.slots.retain(|key, _| !gone.contains(key));
        Ok(true)
    }

    /// Attempts that are settled, and runs that ended: what is open waits for its end however old it is. What was recorded
    /// after something younger is younger still, whatever a clock set back made of its moment.
    async fn old_activities(&mut self, before_ms: i64, step: &mut Retained) -> Result<bool, StoreError> {
        for (kind, keys, statements) in [
            (
                "activities",
                "SELECT activity_key FROM activity WHERE at < ?1 AND outcome IN ('done', 'failed') \
                 AND effect IS NOT 'awaited' AND NOT EXISTS (SELECT 1 FROM activity earlier \
                 WHERE earlier.activity_key < activity.activity_key AND earlier.at >= ?1) LIMIT ?2",
                [
                    "DELETE FROM activity_document WHERE activity_key IN ({list})",
                    "DELETE FROM activity WHERE activity_key IN ({list})",
                ],
            ),
            (
                "runs",
                "SELECT run_key FROM run WHERE created_at < ?1 AND state IN ('stopped', 'finished') \
                 AND NOT EXISTS (SELECT 1 FROM run earlier WHERE earlier.run_key < run.run_key \
                 AND earlier.created_at >= ?1) LIMIT ?2",
                [
                    "DELETE FROM run_plan WHERE run_key IN ({list})",
                    "DELETE FROM run WHERE run_key IN ({list})",
                ],
            ),
        ] {
            let keys: Vec<i64> = sqlx::query_scalar(keys)
                .bind(before_ms)
                .bind(ROWS_A_STEP)
                .fetch_all(self.read().await?)
                .await?;
            if keys.is_empty() {
                continue;
            }
            for statement in statements {
                let query = of_list(statement, keys.iter());
                step.deleted.insert(kind, query.execute(self.write().await?).await?.rows_affected());
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// Tickets, with the players that lead to them.
    async fn old_tickets(&mut self, before_ms: i64, step: &mut Retained) -> Result<bool, StoreError> {
        let rows: Vec<(i64, String)> =
            sqlx::query_as("SELECT ticket_key, players FROM ticket WHERE updated_at < ? LIMIT ?")
                .bind(before_ms)
                .bind(TICKETS_A_STEP)
                .fetch_all(self.read().await?)
                .await?;
        let mut deleted = 0;
        for (ticket_key, players) in rows {
            let connection = self.write().await?;
            match serde_json::from_str::<Vec<TicketPlayer>>(&players) {
                Ok(players) => {
                    for player in players {
                        sqlx::query("DELETE FROM ticket_player WHERE player = ? AND ticket_key = ?")
                            .bind(Code::encode(player.player_id.as_str()))
                            .bind(ticket_key)
                            .execute(&mut *connection)
                            .await?;
                    }
                }
                Err(error) => {
                    // Who led to it can no longer be told from the row, so all players are looked through.
                    tracing::warn!(%error, ticket_key, "The players of an old ticket could not be understood.");
                    sqlx::query("DELETE FROM ticket_player WHERE ticket_key = ?")
                        .bind(ticket_key)
                        .execute(&mut *connection)
                        .await?;
                }
            }
            let query = sqlx::query("DELETE FROM ticket WHERE ticket_key = ?").bind(ticket_key);
            deleted += query.execute(connection).await?.rows_affected();
        }
        Ok(step.took("tickets", deleted))
    }

    /// Events of the first kind that has old ones.
    async fn old_events(&mut self, before_ms: i64, step: &mut Retained) -> Result<bool, StoreError> {
        for (kind, old, statements) in EVENTS {
            let query = sqlx::query_scalar(old).bind(before_ms).bind(ROWS_A_STEP);
            let keys: Vec<i64> = query.fetch_all(self.read().await?).await?;
            if keys.is_empty() {
                continue;
            }
            for statement in statements {
                let query = of_list(statement, keys.iter());
                step.deleted.insert(kind, query.execute(self.write().await?).await?.rows_affected());
            }
            return Ok(true);
        }
        Ok(false)
    }
}

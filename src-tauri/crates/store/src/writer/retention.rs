//! Retention: deletes what is older than the policy, in steps small enough that nobody has to wait for one.
//!
//! Owns deletion. Only our own policy deletes, never the fact that AWS has forgotten something. Ages are counted back
//! from the proven time (`clock.rs`), so a computer's clock set ahead deletes nothing. The stages are independent: a
//! row that cannot be read in one does not stop the others.

use std::collections::HashSet;

use liftdeck_model::matchmaking::TicketPlayer;
use liftdeck_model::time::{DAY_MS, HOUR_MS};
use sqlx::SqliteConnection;

use crate::code::Code;
use crate::error::StoreError;
use crate::list::of_list;
use crate::writer::transaction::Transaction;
use crate::writer::{Retained, RetentionPolicy};

/// Approximate number of rows deleted in one transaction.
const ROWS_A_STEP: i64 = 2_000;
/// Sessions deleted in one transaction, each with its players and transitions.
const SESSIONS_A_STEP: i64 = 200;
/// Tickets deleted in one transaction, each with its players, which take one statement each.
const TICKETS_A_STEP: i64 = 100;
/// Pages given back to the file system in one transaction.
const PAGES_A_STEP: i64 = 500;

/// Events with their dependent rows: name of the rows, the statement that finds the events of one step, and those
/// that delete them.
const EVENTS: [(&str, &str, &[&str]); 3] = [
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
    (
        "alerts",
        "SELECT alert_key FROM alert WHERE ended_at < ? LIMIT ?",
        &[
            "DELETE FROM alert_step WHERE alert_key IN ({list})",
            "DELETE FROM told WHERE alert_key IN ({list})",
            "DELETE FROM alert WHERE alert_key IN ({list})",
        ],
    ),
];

/// Tables whose rows are deleted by age alone: name of the rows, and the statement that deletes one step of them.
const AGEING: [(&str, &str); 12] = [
    (
        "player_latencies",
        "DELETE FROM player_latency WHERE (player_key, asked_id) IN \
         (SELECT player_key, asked_id FROM player_latency WHERE at < ? LIMIT ?)",
    ),
    (
        "placements_asked",
        "DELETE FROM placement_asked WHERE placement_id IN \
         (SELECT placement_id FROM placement_asked WHERE asked_at < ? LIMIT ?)",
    ),
    (
        "fleet_events",
        "DELETE FROM fleet_event WHERE event_key IN (SELECT event_key FROM fleet_event WHERE event_at < ? LIMIT ?)",
    ),
    (
        "changes",
        "DELETE FROM change WHERE change_key IN (SELECT change_key FROM change WHERE seen_at < ? LIMIT ?)",
    ),
    (
        "trail_events",
        "DELETE FROM trail_event WHERE event_key IN (SELECT event_key FROM trail_event WHERE event_at < ? LIMIT ?)",
    ),
    (
        "trail_looks",
        "DELETE FROM trail_look WHERE (region_key, event_name, asked_at) IN \
         (SELECT region_key, event_name, asked_at FROM trail_look WHERE asked_at < ? LIMIT ?)",
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
        "notifications",
        "DELETE FROM notification WHERE notification_key IN \
         (SELECT notification_key FROM notification WHERE ended_at < ? LIMIT ?)",
    ),
    (
        "silences",
        "DELETE FROM silence WHERE silence_key IN (SELECT silence_key FROM silence WHERE ends_at < ? LIMIT ?)",
    ),
    (
        "span_notes",
        "DELETE FROM span_note WHERE note_key IN (SELECT note_key FROM span_note WHERE to_at < ? LIMIT ?)",
    ),
    (
        "polls",
        "DELETE FROM poll WHERE (kind, region_key, resource) IN \
      (SELECT kind, region_key, resource FROM poll WHERE asked_at < ? LIMIT ?)",
    ),
];

/// The stages of retention, in order.
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

/// The fact that holds the proven time.
const PROVEN_TIME: &str = "proven_time";

/// Reads the proven time of an earlier run, in milliseconds. A value that cannot be parsed proves nothing.
pub(crate) async fn kept_proven_time(connection: &mut SqliteConnection) -> Result<Option<i64>, StoreError> {
    let kept: Option<String> = sqlx::query_scalar("SELECT value FROM fact WHERE name = ?")
        .bind(PROVEN_TIME)
        .fetch_optional(connection)
        .await?;
    Ok(kept.and_then(|text| text.parse().ok()))
}

impl Retained {
    /// Records how many rows of a kind were deleted; `false` if there were none.
    fn took(&mut self, kind: &'static str, rows: u64) -> bool {
        if rows == 0 {
            return false;
        }
        self.deleted.insert(kind, rows);
        true
    }
}

impl Transaction<'_> {
    /// Stores the proven time for the next run.
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

    /// Does one step of a stage; the flag says whether there may be more of it. Without a horizon nothing is known to
    /// be old, so nothing is deleted.
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

    /// Deletes all old sums in one step, because they are few: one row per hour and queue.
    async fn old_sums(&mut self, before_ms: i64, step: &mut Retained) -> Result<(), StoreError> {
        let connection = self.write().await?;
        let sums =
            sqlx::query("DELETE FROM placement_sum WHERE span_ms IN (?1, ?2) AND start_at + span_ms <= ?3")
                .bind(HOUR_MS)
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

    /// Gives free pages back. A file that another program has rewritten may not allow it; SQLite then does nothing,
    /// without an error, and the pages are reused instead.
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
            ("game_sessions_activating", "game_session_activating"),
            ("game_sessions_unlisted", "game_session_unlisted"),
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

    /// Deletes settled attempts and ended runs; open ones stay however old they are. An attempt or run recorded after
    /// a younger one is itself younger, even if a clock that was set back gave it an earlier time.
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

    /// Deletes tickets, with the player rows that lead to them.
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
                    // The row no longer says which players led to it, so all players are searched.
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

    /// Deletes events of the first kind that has old ones.
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

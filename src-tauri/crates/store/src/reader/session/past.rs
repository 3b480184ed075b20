//! Counts the game sessions that a query selects, as of now or of an earlier moment.
//!
//! Owns what a game session was at a moment: whether it was live, and its status and players by its recorded
//! transitions. Everything else is taken as it is now. A session that was first seen after its end counts as ACTIVE
//! before it. Deliberately has no condition of its own: the query becomes SQL in `filter`, as for every list.

use liftdeck_model::query::Query;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Location, Timestamp};
use sqlx::QueryBuilder;

use super::filter::{Scope, push_query};
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::reader::Reader;

/// For how long a game session is counted after its end, in milliseconds: a day.
pub const COUNTED_AFTER_END_MS: i64 = 86_400_000;

/// The game sessions that were live, or had ended for less than [`COUNTED_AFTER_END_MS`], at some time in a range.
#[derive(Clone, Debug)]
pub struct SessionsOf {
    range: TimeRange,
    /// Their keys, as JSON.
    keys: String,
}

/// How many game sessions of a fleet in a location a query selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matching {
    /// Fleet.
    pub fleet_id: FleetId,
    /// Location.
    pub location: Location,
    /// How many it selects.
    pub matching: u64,
    /// Out of how many; as many as it selects if nothing else was asked for.
    pub of: u64,
}

impl Reader {
    /// Finds the game sessions that can be counted at moments of `range`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn sessions_of(&self, range: TimeRange) -> Result<SessionsOf, StoreError> {
        let ended_from = range.from.plus_ms(-COUNTED_AFTER_END_MS).as_ms();
        // Three parts, because each is found by an index of its own; the plus keeps the moment of creation from being
        // chosen instead, which nearly all have.
        let keys: String = sqlx::query_scalar(
            "SELECT json_group_array(session_key) FROM (\
             SELECT session_key FROM game_session_state WHERE live = 1 AND created_at <= ?1 UNION \
             SELECT session_key FROM game_session_state WHERE ended_at >= ?2 AND +created_at <= ?1 UNION \
             SELECT session_key FROM game_session_state WHERE gone_at >= ?2 AND +created_at <= ?1)",
        )
        .bind(range.to.as_ms())
        .bind(ended_from)
        .fetch_one(self.pool())
        .await?;
        Ok(SessionsOf { range, keys })
    }

    /// Counts what `query` selects among `sessions` as of `at`, by fleet and location; with `share_of`, out of what
    /// that selects. Where it selects nothing there is no row.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn count_matching(
        &self,
        sessions: &SessionsOf,
        query: &Query,
        share_of: Option<&Query>,
        at: Timestamp,
    ) -> Result<Vec<Matching>, StoreError> {
        debug_assert!(
            at >= sessions.range.from && at <= sessions.range.to,
            "these were found for other moments"
        );
        let directory = self.directory().await?;
        let queries: Vec<&Query> = [query].into_iter().chain(share_of).collect();
        let resolved = self.resolved_among(&directory, &queries, &sessions.keys).await?;
        let scope = Scope { directory: &directory, resolved: &resolved, now: at, lead: None, probing: true };
        let mut sql = QueryBuilder::new("SELECT s.fleet_key, s.location_key, count(*) AS counted");
        if share_of.is_some() {
            sql.push(", sum(coalesce(");
            push_query(&mut sql, query, &scope);
            sql.push(", 0)) AS matching");
        }
        sql.push(
            " FROM (SELECT r.session_key, r.fleet_key, r.location_key, r.created_at, r.status_reason, \
             r.maximum_player_session_count, r.player_session_creation_policy, r.protection_policy, \
             iif(r.over, r.ended_at, NULL) AS ended_at, iif(r.over, r.gone_at, NULL) AS gone_at, \
             iif(r.over, r.ending, NULL) AS ending, iif(r.over, 0, 1) AS live, \
             iif(r.over, r.status, coalesce((SELECT w.word_key FROM game_session_change c JOIN word w ON w.text = c.before \
             WHERE c.session_key = r.session_key AND c.seen_at > ",
        );
        sql.push_bind(at.as_ms());
        sql.push(
            " AND c.field = 'status' ORDER BY c.seen_at LIMIT 1), iif(r.status IN (1, 2, 3), r.status, 1))) AS status, \
             coalesce((SELECT c.before FROM game_session_change c WHERE c.session_key = r.session_key AND c.seen_at > ",
        );
        sql.push_bind(at.as_ms());
        sql.push(
            " AND c.field = 'players' ORDER BY c.seen_at LIMIT 1), r.current_player_session_count) \
             AS current_player_session_count \
             FROM (SELECT t.*, coalesce(t.ended_at, t.gone_at) IS NOT NULL AND coalesce(t.ended_at, t.gone_at) <= ",
        );
        sql.push_bind(at.as_ms());
        sql.push(" AS over FROM json_each(").push_bind(sessions.keys.clone());
        sql.push(") k CROSS JOIN game_session_state t ON t.session_key = k.value WHERE t.created_at <= ");
        sql.push_bind(at.as_ms());
        sql.push(") r WHERE NOT r.over OR coalesce(r.ended_at, r.gone_at) > ");
        sql.push_bind(at.plus_ms(-COUNTED_AFTER_END_MS).as_ms());
        sql.push(") s WHERE ");
        push_query(&mut sql, share_of.unwrap_or(query), &scope);
        sql.push(" GROUP BY s.fleet_key, s.location_key");
        let rows = sql.build().fetch_all(self.pool()).await?;
        rows.iter()
            .map(|row| {
                let fleet_key: i64 = row.read("fleet_key")?;
                let counted: u64 = row.read("counted")?;
                Ok(Matching {
                    fleet_id: directory.fleet_id(fleet_key),
                    location: directory.location_or_home(row.read("location_key")?, fleet_key),
                    matching: if share_of.is_some() { row.read("matching")? } else { counted },
                    of: counted,
                })
            })
            .collect()
    }
}

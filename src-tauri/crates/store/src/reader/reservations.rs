//! Slots that players reserved in new game sessions of a fleet, and the players who never used theirs.
//!
//! AWS: a player session is RESERVED for 60 seconds; if the player does not connect in that time it is TIMEDOUT.

use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Timestamp};
use sqlx::{QueryBuilder, Sqlite};

use super::Reader;
use super::directory::Directory;
use super::hit_player::{HitPlayer, PlayersHit, PushPlayers};
use super::window::{Page, Window};
use crate::column::Columns as _;
use crate::error::StoreError;

/// Selects reservations that were made in a range, in game sessions created in it.
#[derive(Clone, Debug)]
pub struct ReservationScope {
    /// Fleet.
    pub fleet_id: FleetId,
    /// Made in this range.
    pub range: TimeRange,
    /// Only in so many game sessions, the newest.
    pub game_sessions: u32,
}

/// Reservations made in one minute, by what became of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReservationMinute {
    /// Start of the minute.
    pub at: Timestamp,
    /// The player connected.
    pub used: u64,
    /// The player did not connect in time.
    pub timed_out: u64,
    /// In how many game sessions some timed out.
    pub game_sessions: u64,
    /// When the first that timed out was made.
    pub first_timed_out: Option<Timestamp>,
}

impl Reader {
    /// The reservations of a scope whose end is known, by minute, oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn reservations(&self, scope: &ReservationScope) -> Result<Vec<ReservationMinute>, StoreError> {
        let directory = self.directory().await?;
        let Some(timed_out) = directory.word_key("TIMEDOUT") else { return Ok(Vec::new()) };
        let mut sql = QueryBuilder::new("SELECT ps.created_at / 60000 AS minute, sum(ps.status = ");
        sql.push_bind(timed_out).push(") AS timed_out, sum(ps.status IN (");
        let mut used = sql.separated(", ");
        for status in ["ACTIVE", "COMPLETED"] {
            used.push_bind(directory.word_key(status).unwrap_or(-1));
        }
        sql.push(")) AS used, count(DISTINCT iif(ps.status = ").push_bind(timed_out);
        sql.push(", ps.session_key, NULL)) AS game_sessions, min(iif(ps.status = ").push_bind(timed_out);
        sql.push(", ps.created_at, NULL)) AS first_timed_out FROM (");
        push_reserved(&mut sql, scope, &directory);
        sql.push(" GROUP BY 1 ORDER BY 1");
        let rows = sql.build().fetch_all(self.pool()).await?;
        let minutes = rows.iter().map(|row| {
            Ok(ReservationMinute {
                at: Timestamp::from_ms(row.read::<i64>("minute")? * 60_000),
                used: row.read("used")?,
                timed_out: row.read("timed_out")?,
                game_sessions: row.read("game_sessions")?,
                first_timed_out: row.read("first_timed_out")?,
            })
        });
        minutes.collect()
    }

    /// How many players did not use their reservation.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn unused_reservations(&self, scope: &ReservationScope) -> Result<PlayersHit, StoreError> {
        let directory = self.directory().await?;
        self.count_hit(&|sql| push_unused(sql, scope, &directory)).await
    }

    /// Players who did not use their reservation, those of the newest first, with where they were at `until`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn unconnected_players(
        &self,
        scope: &ReservationScope,
        until: Timestamp,
        page: Page,
    ) -> Result<Window<HitPlayer>, StoreError> {
        let directory = self.directory().await?;
        let push: PushPlayers<'_> = &|sql| push_unused(sql, scope, &directory);
        self.hit_players(push, "ps.created_at", until, page, &directory).await
    }
}

/// Appends the rest of a FROM clause that begins with a bracket: the newest game sessions `m` of a scope and their
/// player sessions `ps` of its range.
fn push_reserved(sql: &mut QueryBuilder<Sqlite>, scope: &ReservationScope, directory: &Directory) {
    let (from, to) = (scope.range.from.as_ms(), scope.range.to.as_ms());
    sql.push(
        "SELECT session_key, fleet_key, location_key FROM game_session_state INDEXED BY game_session_by_fleet \
         WHERE fleet_key = ",
    );
    sql.push_bind(directory.fleet_key(&scope.fleet_id).unwrap_or(-1)).push(" AND created_at >= ");
    sql.push_bind(from).push(" AND created_at < ").push_bind(to);
    sql.push(" ORDER BY created_at DESC LIMIT ").push_bind(i64::from(scope.game_sessions));
    sql.push(") m CROSS JOIN player_session ps ON ps.session_key = m.session_key WHERE ps.created_at >= ");
    sql.push_bind(from).push(" AND ps.created_at < ").push_bind(to);
}

/// The same, only those that timed out.
fn push_unused(sql: &mut QueryBuilder<Sqlite>, scope: &ReservationScope, directory: &Directory) {
    push_reserved(sql, scope, directory);
    sql.push(" AND ps.status = ").push_bind(directory.word_key("TIMEDOUT").unwrap_or(-1));
}

//! Game sessions that ended as nobody wanted, and the players who were in them when they did.
//!
//! Owns who counts as cut off: whoever was still in a game session when it ended. A player who had left before, or whose
//! reservation had run out, was not. Deliberately does not judge which endings are bad: the caller names them.

use std::collections::BTreeMap;

use liftdeck_model::game_session::GameSessionEnding;
use liftdeck_model::player_session::PlayerSessionStatus;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Location, Region, Timestamp};
use sqlx::{QueryBuilder, Sqlite};

use super::Reader;
use super::directory::Directory;
use super::hit_player::{HitPlayer, PushPlayers, push_playing};
use super::player::PlayerSessionRow;
use super::session::GameSessionRow;
use super::window::{Page, Window};
use crate::column::Columns as _;
use crate::ending;
use crate::error::StoreError;

/// Most game sessions read at once.
const SESSIONS: i64 = 20_000;
/// How far apart the end of a game session and those of its player sessions may be dated, in milliseconds.
const TOGETHER_MS: i64 = 2_000;

/// Selects game sessions by how and when they ended.
#[derive(Clone, Debug)]
pub struct EndedScope {
    /// Only on these fleets; on all when `None`.
    pub fleets: Option<Vec<FleetId>>,
    /// Ended so.
    pub endings: Vec<GameSessionEnding>,
    /// Ended in this range.
    pub range: TimeRange,
}

/// A game session that ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndedSession {
    /// Fleet.
    pub fleet_id: FleetId,
    /// Where it ran.
    pub location: Location,
    /// When it ended, or was first found gone.
    pub at: Timestamp,
    /// The compute it ran on.
    pub compute_name: Option<String>,
    /// Players who were in it then.
    pub players: u64,
    /// Whether its players were ever read.
    pub is_read: bool,
}

/// Game sessions that ended, and how many players they cut off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EndedSessions {
    /// The sessions, oldest first, at most 20 000.
    pub rows: Vec<EndedSession>,
    /// False when there are more.
    pub is_exact: bool,
    /// Different players cut off.
    pub players: u64,
    /// Times that a player was cut off.
    pub times: u64,
    /// Different players by location.
    pub players_by_location: BTreeMap<Location, u64>,
}

impl Reader {
    /// Game sessions of a scope, oldest first, and how many players they cut off.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn ended_sessions(&self, scope: &EndedScope) -> Result<EndedSessions, StoreError> {
        let directory = self.directory().await?;
        let mut sql = QueryBuilder::new(
            "SELECT m.session_key, m.fleet_key, m.location_key, m.at, m.is_read, g.compute_name, \
             (SELECT count(*) FROM player_session ps WHERE ps.session_key = m.session_key AND ",
        );
        push_cut_off(&mut sql, scope, &directory);
        sql.push(") AS players FROM (");
        push_ended(&mut sql, scope, &directory);
        sql.push(
            ") m JOIN game_session g ON g.session_key = m.session_key ORDER BY m.at, m.session_key LIMIT ",
        );
        sql.push_bind(SESSIONS + 1);
        let rows = sql.build().fetch_all(self.pool()).await?;
        let most = usize::try_from(SESSIONS).unwrap_or(usize::MAX);
        let mut ended = EndedSessions { is_exact: rows.len() <= most, ..EndedSessions::default() };
        for row in rows.iter().take(most) {
            let fleet_key: i64 = row.read("fleet_key")?;
            ended.rows.push(EndedSession {
                fleet_id: directory.fleet_id(fleet_key),
                location: directory.location_or_home(row.read("location_key")?, fleet_key),
                at: row.read("at")?,
                compute_name: row.read("compute_name")?,
                players: row.read("players")?,
                is_read: row.read("is_read")?,
            });
        }
        if ended.rows.iter().all(|row| row.players == 0) {
            return Ok(ended);
        }
        self.count_cut_off(scope, &directory, &mut ended).await?;
        Ok(ended)
    }

    pub(super) async fn count_cut_off(
        &self,
        scope: &EndedScope,
        directory: &Directory,
        ended: &mut EndedSessions,
    ) -> Result<(), StoreError> {
        let hit = self.count_hit(&|sql| push_players(sql, scope, directory)).await?;
        (ended.players, ended.times) = (hit.players, hit.times);
        let mut sql = QueryBuilder::new(
            "SELECT m.fleet_key, m.location_key, count(DISTINCT ps.player_key) AS players FROM (",
        );
        push_players(&mut sql, scope, directory);
        sql.push(" GROUP BY m.fleet_key, m.location_key");
        for row in sql.build().fetch_all(self.pool()).await? {
            let location = directory.location_or_home(row.read("location_key")?, row.read("fleet_key")?);
            *ended.players_by_location.entry(location).or_default() += row.read::<u64>("players")?;
        }
        Ok(())
    }

    /// Players whom the game sessions of a scope cut off, those cut off last first, with where they were at `until`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn cut_off_players(
        &self,
        scope: &EndedScope,
        until: Timestamp,
        page: Page,
    ) -> Result<Window<HitPlayer>, StoreError> {
        let directory = self.directory().await?;
        let push: PushPlayers<'_> = &|sql| push_players(sql, scope, &directory);
        self.hit_players(push, "m.at", until, page, &directory).await
    }

    /// How many of the players whom a scope cut off were in a game session at `until`, by fleet; those in none under
    /// `None`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn cut_off_playing(
        &self,
        scope: &EndedScope,
        until: Timestamp,
    ) -> Result<BTreeMap<Option<FleetId>, u64>, StoreError> {
        let directory = self.directory().await?;
        let mut sql = QueryBuilder::new(
            "SELECT (SELECT t.fleet_key FROM game_session_state t WHERE t.session_key = w.playing) AS fleet_key, \
             count(*) AS players FROM (SELECT ",
        );
        push_playing(&mut sql, until);
        sql.push(" AS playing FROM (SELECT ps.player_key, max(m.at) AS at FROM (");
        push_players(&mut sql, scope, &directory);
        sql.push(" GROUP BY ps.player_key) w) w GROUP BY 1");
        let rows = sql.build().fetch_all(self.pool()).await?;
        rows.iter()
            .map(|row| {
                let fleet = row.read::<Option<i64>>("fleet_key")?.map(|key| directory.fleet_id(key));
                Ok((fleet, row.read("players")?))
            })
            .collect()
    }

    /// Different players in game sessions of a Region's fleets at some time in `range`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn players_of_region(&self, region: &Region, range: TimeRange) -> Result<u64, StoreError> {
        let directory = self.directory().await?;
        let here = directory.fleets.values().filter(|fleet| fleet.region == *region);
        let fleets: Vec<i64> = here.map(|fleet| fleet.key).collect();
        if fleets.is_empty() {
            return Ok(0);
        }
        let (from, to) = (range.from.as_ms(), range.to.as_ms());
        let mut sql = QueryBuilder::new(
            "SELECT count(DISTINCT ps.player_key) FROM (SELECT s.session_key FROM game_session_state s \
             INDEXED BY game_session_live WHERE s.live = 1 AND s.fleet_key IN (",
        );
        push_keys(&mut sql, &fleets);
        sql.push(") AND s.created_at < ").push_bind(to);
        sql.push(" UNION ALL SELECT s.session_key FROM game_session_state s WHERE s.ended_at >= ")
            .push_bind(from);
        sql.push(" AND s.created_at < ").push_bind(to).push(" AND +s.fleet_key IN (");
        push_keys(&mut sql, &fleets);
        sql.push(
            ")) m CROSS JOIN player_session ps ON ps.session_key = m.session_key WHERE ps.created_at < ",
        );
        sql.push_bind(to).push(" AND coalesce(ps.ended_at, ps.gone_at, ").push_bind(to).push(") >= ");
        sql.push_bind(from);
        let players: i64 = sql.build_query_scalar().fetch_one(self.pool()).await?;
        Ok(u64::try_from(players).unwrap_or(0))
    }
}

fn push_keys(sql: &mut QueryBuilder<Sqlite>, keys: &[i64]) {
    let mut list = sql.separated(", ");
    for key in keys {
        list.push_bind(*key);
    }
}

/// Appends a SELECT of the sessions of a scope: `session_key`, `fleet_key`, `location_key` and `at`, when each ended.
fn push_ended(sql: &mut QueryBuilder<Sqlite>, scope: &EndedScope, directory: &Directory) {
    for (column, more, joint) in [("ended_at", "", ""), ("gone_at", " AND s.ended_at IS NULL", " UNION ALL ")]
    {
        sql.push(joint);
        sql.push("SELECT s.session_key, s.fleet_key, s.location_key, s.").push(column);
        sql.push(" AS at, s.players_confirmed_at IS NOT NULL AS is_read FROM game_session_state s WHERE s.")
            .push(column)
            .push(" >= ");
        sql.push_bind(scope.range.from.as_ms()).push(" AND s.").push(column).push(" < ");
        sql.push_bind(scope.range.to.as_ms()).push(more).push(" AND s.ending IN (");
        push_keys(sql, &scope.endings.iter().map(|one| ending::key(*one)).collect::<Vec<_>>());
        sql.push(")");
        if let Some(fleets) = &scope.fleets {
            // The sign keeps SQLite from the index of the fleet, which has far more rows than the moment.
            sql.push(" AND +s.fleet_key IN (");
            push_keys(sql, &fleets.iter().filter_map(|id| directory.fleet_key(id)).collect::<Vec<_>>());
            sql.push(")");
        }
    }
}

/// Appends the rest of a FROM clause that begins with a bracket: sessions `m` and the player sessions `ps` they cut off.
fn push_players(sql: &mut QueryBuilder<Sqlite>, scope: &EndedScope, directory: &Directory) {
    push_ended(sql, scope, directory);
    sql.push(") m CROSS JOIN player_session ps ON ps.session_key = m.session_key WHERE ");
    push_cut_off(sql, scope, directory);
}

/// Whether a player was still in a game session when it ended: the same condition as [`push_cut_off`].
pub fn is_cut_off(player: &PlayerSessionRow, session: &GameSessionRow) -> bool {
    let (Some(ending), Some(ended_at)) = (session.ending, session.termination_time) else { return false };
    let stayed = player.termination_time.is_none_or(|left_at| ended_at.since_ms(left_at) <= TOGETHER_MS);
    let waits = ending == GameSessionEnding::ActivationTimedOut;
    stayed && (waits || player.status != PlayerSessionStatus::TimedOut)
}

/// Appends the condition that `ps` was still in the session `m` when it ended.
fn push_cut_off(sql: &mut QueryBuilder<Sqlite>, scope: &EndedScope, directory: &Directory) {
    sql.push("coalesce(ps.ended_at, ps.gone_at, m.at) >= m.at - ").push_bind(TOGETHER_MS);
    // A player who waits for a session that does not start holds a reservation to its end.
    if !scope.endings.contains(&GameSessionEnding::ActivationTimedOut)
        && let Some(key) = directory.word_key("TIMEDOUT")
    {
        sql.push(" AND ps.status <> ").push_bind(key);
    }
}

//! Live game sessions that stay in a state which others leave, or run on where others end, and how long those others
//! took.

use liftdeck_model::game_session::GameProperty;
use liftdeck_model::{FleetId, Location, Timestamp};
use sqlx::QueryBuilder;
use sqlx::sqlite::SqliteRow;

use super::Reader;
use crate::column::Columns as _;
use crate::error::StoreError;

/// Live game sessions of a fleet in one location that have been in the same state for long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lingering {
    /// Fleet.
    pub fleet_id: FleetId,
    /// Location.
    pub location: Location,
    /// How many.
    pub game_sessions: u64,
    /// When the first of them came into that state, as far as a poll saw it.
    pub first: Timestamp,
}

/// A game session that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Running {
    /// When it was created.
    pub created: Timestamp,
    /// The game property that tells its mode.
    pub mode: Option<GameProperty>,
}

/// How long a game session ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Length {
    /// Milliseconds from its creation to its end.
    pub ms: i64,
    /// The game property that tells its mode.
    pub mode: Option<GameProperty>,
}

/// The mode of a game session `newest`. Games are free in how they call this property; these are the usual names.
const MODE: &str = "(SELECT r.name || '=' || r.value FROM property_pair r JOIN game_session_property p \
     ON p.pair_key = r.pair_key AND p.session_key = newest.session_key \
     WHERE r.name IN ('mode', 'Mode', 'gameMode', 'GameMode', 'game_mode', 'gamemode') LIMIT 1)";

fn mode(row: &SqliteRow) -> Result<Option<GameProperty>, StoreError> {
    let pair: Option<String> = row.read("mode")?;
    let split = pair.as_deref().and_then(|pair| pair.split_once('='));
    Ok(split.map(|(key, value)| GameProperty { key: key.to_owned(), value: value.to_owned() }))
}

/// How many ended game sessions tell what is usual.
const EXAMPLES: i64 = 400;
/// The index of live game sessions by their state.
const LIVE: &str = "game_session_live";
/// The index of game sessions by their creation. It has all that is asked of a long-running one.
const BY_CREATION: &str = "game_session_in_order";
/// Those that the last complete listing of their fleet contained.
const LISTED: &str = "session_key NOT IN (SELECT session_key FROM game_session_unlisted)";
/// ACTIVE without a player.
const EMPTY: &str = "status = 1 AND current_player_session_count = 0";

impl Reader {
    /// ACTIVE game sessions without a player that have not changed since `before`, by fleet and
    /// location.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn empty_since(
        &self,
        fleets: &[FleetId],
        before: Timestamp,
    ) -> Result<Vec<Lingering>, StoreError> {
        self.lingering(LIVE, EMPTY, "changed_at", fleets, before).await
    }

    /// When the last player left the first of the fleet's game sessions that [`Self::empty_since`] counts, as GameLift
    /// tells it; where the end of a player session is not known, when a poll saw that none was left. `None` if there
    /// is no such game session.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn first_left(
        &self,
        fleet: &FleetId,
        before: Timestamp,
    ) -> Result<Option<Timestamp>, StoreError> {
        let directory = self.directory().await?;
        let Some(key) = directory.fleet_key(fleet) else { return Ok(None) };
        let mut sql = QueryBuilder::new(
            "SELECT min(min(s.changed_at, coalesce((SELECT CASE count(*) WHEN count(p.ended_at) THEN max(p.ended_at) END \
             FROM player_session p WHERE p.session_key = s.session_key), s.changed_at))) \
             FROM game_session_state s INDEXED BY ",
        );
        sql.push(LIVE).push(" WHERE live = 1 AND ").push(EMPTY);
        sql.push(" AND ").push(LISTED);
        sql.push(" AND changed_at < ").push_bind(before.as_ms()).push(" AND fleet_key = ").push_bind(key);
        let first: Option<i64> = sql.build_query_scalar().fetch_one(self.pool()).await?;
        Ok(first.map(Timestamp::from_ms))
    }

    /// ACTIVE game sessions created before `before`, by fleet and location, with the first creation.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn running_since(
        &self,
        fleets: &[FleetId],
        before: Timestamp,
    ) -> Result<Vec<Lingering>, StoreError> {
        self.lingering(BY_CREATION, "status = 1", "created_at", fleets, before).await
    }

    /// ACTIVE game sessions of a fleet created before `before`, oldest first; only those without a player if `is_empty`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn running(
        &self,
        fleet: &FleetId,
        before: Timestamp,
        is_empty: bool,
    ) -> Result<Vec<Running>, StoreError> {
        let directory = self.directory().await?;
        let Some(key) = directory.fleet_key(fleet) else { return Ok(Vec::new()) };
        let mut sql = QueryBuilder::new("SELECT created_at, ");
        sql.push(MODE).push(" AS mode FROM game_session_state newest INDEXED BY ").push(BY_CREATION);
        sql.push(" WHERE live = 1 AND ").push(if is_empty { EMPTY } else { "status = 1" });
        sql.push(" AND created_at < ").push_bind(before.as_ms());
        sql.push(" AND ").push(LISTED);
        sql.push(" AND fleet_key = ").push_bind(key).push(" ORDER BY created_at");
        let rows = sql.build().fetch_all(self.pool()).await?;
        rows.iter().map(|row| Ok(Running { created: row.read("created_at")?, mode: mode(row)? })).collect()
    }

    /// Game sessions ACTIVATING or TERMINATING that have not changed since `before`, by fleet and
    /// location.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn stuck_since(
        &self,
        fleets: &[FleetId],
        before: Timestamp,
    ) -> Result<Vec<Lingering>, StoreError> {
        self.lingering(LIVE, "status IN (2, 3)", "changed_at", fleets, before).await
    }

    /// Game sessions created before `before` that were ACTIVATING when last seen, by fleet and location, with the first creation.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn activating_since(
        &self,
        fleets: &[FleetId],
        before: Timestamp,
    ) -> Result<Vec<Lingering>, StoreError> {
        self.lingering(LIVE, "status = 2", "created_at", fleets, before).await
    }

    async fn lingering(
        &self,
        index: &'static str,
        state: &'static str,
        moment: &'static str,
        fleets: &[FleetId],
        before: Timestamp,
    ) -> Result<Vec<Lingering>, StoreError> {
        let directory = self.directory().await?;
        let known: Vec<i64> = fleets.iter().filter_map(|fleet| directory.fleet_key(fleet)).collect();
        if known.is_empty() {
            return Ok(Vec::new());
        }
        let mut sql = QueryBuilder::new("SELECT fleet_key, location_key, count(*) AS sessions, min(");
        sql.push(moment).push(") AS first FROM game_session_state INDEXED BY ").push(index);
        sql.push(" WHERE live = 1 AND ")
            .push(state)
            .push(" AND ")
            .push(moment)
            .push(" < ")
            .push_bind(before.as_ms())
            .push(" AND ")
            .push(LISTED)
            .push(" AND fleet_key IN (");
        let mut keys = sql.separated(", ");
        for key in known {
            keys.push_bind(key);
        }
        sql.push(") GROUP BY fleet_key, location_key");
        let rows = sql.build().fetch_all(self.pool()).await?;
        rows.iter()
            .map(|row| {
                let fleet_key = row.read("fleet_key")?;
                Ok(Lingering {
                    fleet_id: directory.fleet_id(fleet_key),
                    location: directory.location_or_home(row.read("location_key")?, fleet_key),
                    game_sessions: row.read("sessions")?,
                    first: row.read("first")?,
                })
            })
            .collect()
    }

    /// For how many milliseconds the newest ended game sessions of a fleet had been without a player when they ended,
    /// ascending. Those that had ended when first seen do not count. At most 400.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn empty_before_end_ms(&self, fleet: &FleetId) -> Result<Vec<i64>, StoreError> {
        let directory = self.directory().await?;
        let Some(key) = directory.fleet_key(fleet) else { return Ok(Vec::new()) };
        let stayed = sqlx::query_scalar(
            "SELECT max(0, newest.ended_at - coalesce((SELECT max(c.seen_at) FROM game_session_change c \
                 WHERE c.session_key = newest.session_key AND c.field = 'players' AND c.after = 0), \
                 newest.ended_at)) AS stayed \
             FROM (SELECT session_key, ended_at FROM game_session_state INDEXED BY game_session_by_fleet \
                 WHERE fleet_key = ? AND ended_at IS NOT NULL AND ended_at > (SELECT g.first_seen_at FROM game_session g \
                 WHERE g.session_key = game_session_state.session_key) ORDER BY created_at DESC LIMIT ?) newest ORDER BY 1",
        );
        Ok(stayed.bind(key).bind(EXAMPLES).fetch_all(self.pool()).await?)
    }

    /// How long each of the newest game sessions of a fleet that were created before `before` and have ended ran, the
    /// shortest first. At most 400.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn lengths(&self, fleet: &FleetId, before: Timestamp) -> Result<Vec<Length>, StoreError> {
        let directory = self.directory().await?;
        let Some(key) = directory.fleet_key(fleet) else { return Ok(Vec::new()) };
        let mut sql = QueryBuilder::new("SELECT newest.ended_at - newest.created_at AS length, ");
        sql.push(MODE).push(
            " AS mode FROM (SELECT session_key, created_at, ended_at FROM game_session_state \
             INDEXED BY game_session_by_fleet WHERE ended_at IS NOT NULL AND fleet_key = ",
        );
        sql.push_bind(key).push(" AND created_at < ").push_bind(before.as_ms());
        sql.push(" ORDER BY created_at DESC LIMIT ").push_bind(EXAMPLES).push(") newest ORDER BY 1");
        let rows = sql.build().fetch_all(self.pool()).await?;
        rows.iter().map(|row| Ok(Length { ms: row.read("length")?, mode: mode(row)? })).collect()
    }
}

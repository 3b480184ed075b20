//! Live game sessions that stay in a state which others leave, or run on where others end, and how long those others
//! took.

use liftdeck_model::{FleetId, Location, Timestamp};
use sqlx::QueryBuilder;

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

/// How many ended game sessions tell what is usual.
const EXAMPLES: i64 = 400;
/// The index of live game sessions by their state.
const LIVE: &str = "game_session_live";
/// The index of game sessions by their creation. It has all that is asked of a long-running one.
const BY_CREATION: &str = "game_session_in_order";
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

    /// ACTIVE game sessions created before `before`, by fleet and location, with the first creation; only those without
    /// a player if `is_empty`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn running_since(
        &self,
        fleets: &[FleetId],
        before: Timestamp,
        is_empty: bool,
    ) -> Result<Vec<Lingering>, StoreError> {
        let state = if is_empty { EMPTY } else { "status = 1" };
        self.lingering(BY_CREATION, state, "created_at", fleets, before).await
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

    /// How many milliseconds each of the newest game sessions of a fleet that were created before `before` and have
    /// ended ran, ascending. At most 400.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn lengths_ms(&self, fleet: &FleetId, before: Timestamp) -> Result<Vec<i64>, StoreError> {
        let directory = self.directory().await?;
        let Some(key) = directory.fleet_key(fleet) else { return Ok(Vec::new()) };
        let lengths = sqlx::query_scalar(
            "SELECT newest.ended_at - newest.created_at AS length \
             FROM (SELECT created_at, ended_at FROM game_session_state INDEXED BY game_session_by_fleet \
                 WHERE fleet_key = ? AND created_at < ? AND ended_at IS NOT NULL ORDER BY created_at DESC LIMIT ?) newest \
             ORDER BY 1",
        );
        Ok(lengths.bind(key).bind(before.as_ms()).bind(EXAMPLES).fetch_all(self.pool()).await?)
    }
}

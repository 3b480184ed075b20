//! How the game sessions of a fleet started, as polls saw it.

use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Location, Timestamp};

use super::Reader;
use crate::column::Columns as _;
use crate::error::StoreError;

/// How a game session started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// When it was created.
    pub created: Timestamp,
    /// Where.
    pub location: Location,
    /// Whether it was ACTIVATING when last seen.
    pub is_activating: bool,
    /// Whether GameLift ended it because it was not ACTIVE in time.
    pub timed_out: bool,
    /// The first poll that saw it ACTIVE; `None` if none had seen it before.
    pub active_at: Option<Timestamp>,
    /// The first poll that saw it.
    pub first_seen_at: Timestamp,
}

/// How many starts are read.
const NEWEST: i64 = 200;
/// How many game sessions tell what is usual.
const EXAMPLES: i64 = 400;

impl Reader {
    /// The newest game sessions of a fleet that were created in `range`, by creation. At most 200.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn starts(&self, fleet: &FleetId, range: TimeRange) -> Result<Vec<Start>, StoreError> {
        let directory = self.directory().await?;
        let Some(key) = directory.fleet_key(fleet) else { return Ok(Vec::new()) };
        let rows = sqlx::query(
            "SELECT created_at, location_key, status = 2 AS activating, ending IS 40 AS timed_out, \
                 (SELECT g.first_seen_at FROM game_session g WHERE g.session_key = s.session_key) AS first_seen_at, \
                 (SELECT min(c.seen_at) FROM game_session_change c WHERE c.session_key = s.session_key \
                 AND c.field = 'status' AND c.after = 'ACTIVE') AS active_at \
             FROM game_session_state s INDEXED BY game_session_by_fleet \
             WHERE fleet_key = ? AND created_at >= ? AND created_at < ? ORDER BY created_at DESC LIMIT ?",
        )
        .bind(key)
        .bind(range.from.as_ms())
        .bind(range.to.as_ms())
        .bind(NEWEST)
        .fetch_all(self.pool())
        .await?;
        rows.iter()
            .rev()
            .map(|row| {
                Ok(Start {
                    created: row.read("created_at")?,
                    location: directory.location_or_home(row.read("location_key")?, key),
                    is_activating: row.read("activating")?,
                    timed_out: row.read("timed_out")?,
                    active_at: row.read("active_at")?,
                    first_seen_at: row.read("first_seen_at")?,
                })
            })
            .collect()
    }

    /// How many milliseconds after its creation each of the newest game sessions of a fleet that were created before
    /// `before` was seen ACTIVE, ascending; 0 for those that were ACTIVE when first seen. At most 400.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn active_after_ms(&self, fleet: &FleetId, before: Timestamp) -> Result<Vec<i64>, StoreError> {
        let directory = self.directory().await?;
        let Some(key) = directory.fleet_key(fleet) else { return Ok(Vec::new()) };
        let took = sqlx::query_scalar(
            "SELECT coalesce((SELECT min(c.seen_at) FROM game_session_change c \
                 WHERE c.session_key = newest.session_key AND c.field = 'status' AND c.after = 'ACTIVE') \
                 - newest.created_at, 0) AS took \
             FROM (SELECT session_key, created_at FROM game_session_state INDEXED BY game_session_by_fleet \
                 WHERE fleet_key = ? AND created_at < ? AND status <> 2 ORDER BY created_at DESC LIMIT ?) newest \
             ORDER BY 1",
        );
        Ok(took.bind(key).bind(before.as_ms()).bind(EXAMPLES).fetch_all(self.pool()).await?)
    }
}

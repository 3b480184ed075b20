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
    /// Whether GameLift ended it because it was not ACTIVE in time.
    pub timed_out: bool,
    /// The last poll that saw it ACTIVATING; `None` if none did.
    pub activating_at: Option<Timestamp>,
    /// When the placement that created it was fulfilled, if its event was received (AWS: the game session is not active
    /// until then).
    pub placed_at: Option<Timestamp>,
}

/// How many starts are read.
const NEWEST: i64 = 200;

impl Reader {
    /// The newest game sessions of a fleet that were created in `range`, by creation. At most 200.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn starts(&self, fleet: &FleetId, range: TimeRange) -> Result<Vec<Start>, StoreError> {
        let directory = self.directory().await?;
        let Some(key) = directory.fleet_key(fleet) else { return Ok(Vec::new()) };
        let rows = sqlx::query(
            "SELECT created_at, location_key, ending IS 40 AS timed_out, \
                 coalesce((SELECT a.seen_at FROM game_session_activating a WHERE a.session_key = s.session_key), \
                 (SELECT g.first_seen_at FROM game_session g WHERE g.session_key = s.session_key \
                 AND (s.status = 2 OR EXISTS (SELECT 1 FROM game_session_change c \
                 WHERE c.session_key = s.session_key AND c.field = 'status' AND c.before = 'ACTIVATING')))) \
                 AS activating_at, \
                 (SELECT min(coalesce(p.end_at, p.event_at)) FROM game_session g \
                 CROSS JOIN placement_event p ON p.session_id = g.id AND p.session_prefix_key = g.prefix_key \
                 WHERE g.session_key = s.session_key) AS placed_at \
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
                    timed_out: row.read("timed_out")?,
                    activating_at: row.read("activating_at")?,
                    placed_at: row.read("placed_at")?,
                })
            })
            .collect()
    }
}

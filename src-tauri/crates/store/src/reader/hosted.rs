//! How many game sessions a location hosted from moment to moment, by their own times of creation and end: polls see
//! only every so often how many there are.

use std::collections::BTreeMap;

use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Location, Timestamp};

use super::Reader;
use crate::column::Columns as _;
use crate::error::StoreError;

/// How many game sessions there are from a moment on, until the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hosted {
    /// The moment.
    pub at: Timestamp,
    /// Game sessions that had been created and had not ended.
    pub game_sessions: u64,
}

impl Reader {
    /// How many game sessions a location of a fleet hosted in `range`: at its beginning, and whenever that changed.
    /// Those that GameLift no longer knew before their end was seen count until that was noticed.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn hosted(
        &self,
        fleet: &FleetId,
        location: &Location,
        range: TimeRange,
    ) -> Result<Vec<Hosted>, StoreError> {
        let directory = self.directory().await?;
        let Some(key) = directory.fleet_key(fleet) else { return Ok(Vec::new()) };
        let rows = sqlx::query(
            "SELECT location_key, created_at, NULL AS until \
                 FROM game_session_state INDEXED BY game_session_live WHERE live = 1 AND fleet_key = ?1 \
             UNION ALL SELECT location_key, created_at, ended_at \
                 FROM game_session_state INDEXED BY game_session_by_end \
                 WHERE ended_at >= ?2 AND live = 0 AND fleet_key = ?1 \
             UNION ALL SELECT location_key, created_at, gone_at \
                 FROM game_session_state INDEXED BY game_session_by_gone \
                 WHERE gone_at >= ?2 AND live = 0 AND ended_at IS NULL AND fleet_key = ?1",
        )
        .bind(key)
        .bind(range.from.as_ms())
        .fetch_all(self.pool())
        .await?;
        let mut changes = BTreeMap::from([(range.from, 0_i64)]);
        for row in rows {
            if directory.location_or_home(row.read("location_key")?, key) != *location {
                continue;
            }
            let (created, until): (Timestamp, Option<Timestamp>) =
                (row.read("created_at")?, row.read("until")?);
            *changes.entry(created.max(range.from)).or_default() += 1;
            if let Some(until) = until {
                *changes.entry(until.max(created).max(range.from)).or_default() -= 1;
            }
        }
        let mut count = 0;
        let counted = changes.into_iter().map(|(at, change)| {
            count += change;
            Hosted { at, game_sessions: u64::try_from(count).unwrap_or(0) }
        });
        Ok(counted.take_while(|hosted| hosted.at < range.to).collect())
    }
}

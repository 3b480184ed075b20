//! Computes of a fleet with the game sessions that run on each of them.

use std::collections::HashMap;

use liftdeck_model::fleet::Compute;
use liftdeck_model::observation::PollKind;
use liftdeck_model::{FleetId, Timestamp};

use super::Reader;
use super::fleet::present;
use super::freshness::{Basis, Freshness};
use crate::column::Columns as _;
use crate::error::StoreError;

/// A compute and its load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComputeRow {
    /// The compute.
    pub compute: Compute,
    /// Live game sessions on it.
    pub game_sessions: i64,
    /// Players in them.
    pub player_sessions: i64,
}

impl Reader {
    /// Existing computes of a fleet, by location and name, with their freshness.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn computes(
        &self,
        fleet: &FleetId,
        now: Timestamp,
    ) -> Result<(Vec<ComputeRow>, Freshness), StoreError> {
        let freshness = self.freshness(Basis::One(PollKind::Computes, fleet.as_str()), now);
        let Some(key) = self.directory().await?.fleet_key(fleet) else { return Ok((Vec::new(), freshness)) };
        let load: HashMap<String, (i64, i64)> = sqlx::query(
            "SELECT g.compute_name, count(*) AS sessions, sum(s.current_player_session_count) AS players \
             FROM game_session_state s INDEXED BY game_session_live JOIN game_session g USING (session_key) \
             WHERE s.fleet_key = ? AND s.live = 1 AND g.compute_name IS NOT NULL GROUP BY g.compute_name",
        )
        .bind(key)
        .fetch_all(self.pool())
        .await?
        .iter()
        .map(|row| Ok((row.read("compute_name")?, (row.read("sessions")?, row.read("players")?))))
        .collect::<Result<_, StoreError>>()?;
        let mut rows: Vec<ComputeRow> = present(self.documents::<Compute>("compute", Some(key)).await?)
            .map(|compute| {
                let by_name = load.get(&compute.compute_name);
                let found = by_name.or_else(|| load.get(compute.instance_id.as_deref()?));
                let (game_sessions, player_sessions) = found.copied().unwrap_or_default();
                ComputeRow { compute, game_sessions, player_sessions }
            })
            .collect();
        rows.sort_by(|a, b| {
            (&a.compute.location, &a.compute.compute_name)
                .cmp(&(&b.compute.location, &b.compute.compute_name))
        });
        Ok((rows, freshness))
    }
}

//! Players whom a failure hit, and where they are since.

use std::collections::BTreeMap;

use liftdeck_model::{FleetId, GameSessionId, Location, PlayerId, TicketId, Timestamp};
use serde::{Deserialize, Serialize};
use specta::Type;
use sqlx::{QueryBuilder, Sqlite};

use super::Reader;
use super::directory::Directory;
use crate::error::StoreError;

/// Most players counted.
pub(super) const PLAYERS: i64 = 100_000;

/// A player whom failures of an incident hit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct HitPlayer {
    /// Player.
    pub player_id: PlayerId,
    /// When last.
    pub at: Timestamp,
    /// How often.
    pub times: u64,
    /// What failed last.
    pub by: HitBy,
    /// Where the player was at the end of the time looked at; `None` if in no game session.
    pub playing: Option<PlayerPlace>,
}

/// What failed for a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "kind")]
pub enum HitBy {
    /// A game session ended under the player.
    GameSession {
        /// Game session.
        game_session_id: GameSessionId,
        /// Name of its fleet.
        fleet_name: String,
        /// Where it ran.
        location: Location,
        /// Address and port of it, once known.
        address: Option<String>,
    },
    /// A matchmaking ticket the player was in failed or timed out.
    Ticket {
        /// Ticket.
        ticket_id: TicketId,
    },
}

/// The game session a player is in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlayerPlace {
    /// Game session.
    pub game_session_id: GameSessionId,
    /// Fleet.
    pub fleet_id: FleetId,
    /// The fleet's name.
    pub fleet_name: String,
}

impl Reader {
    /// The places of game sessions, by their keys.
    pub(super) async fn places(
        &self,
        keys: &[i64],
        directory: &Directory,
    ) -> Result<BTreeMap<i64, PlayerPlace>, StoreError> {
        let rows = self.session_rows(keys, directory).await?;
        // The rows come in the order of the keys, each key once.
        let mut places = BTreeMap::new();
        let mut keys: Vec<i64> = keys.to_vec();
        let mut seen = std::collections::HashSet::new();
        keys.retain(|key| seen.insert(*key));
        for (key, row) in keys.into_iter().zip(rows) {
            let place = PlayerPlace {
                game_session_id: row.game_session_id,
                fleet_id: row.fleet_id,
                fleet_name: row.fleet_name,
            };
            places.insert(key, place);
        }
        Ok(places)
    }
}

/// Appends the key of the session that the player of `w` was in at `until`, after being hit at `w.at`.
pub(super) fn push_playing(sql: &mut QueryBuilder<Sqlite>, until: Timestamp) {
    let until = until.as_ms();
    sql.push(
        "(SELECT n.session_key FROM player_session n JOIN game_session_state t ON t.session_key = n.session_key \
         WHERE n.player_key = w.player_key AND n.created_at >= w.at AND n.created_at <= ",
    );
    sql.push_bind(until).push(" AND coalesce(n.ended_at, n.gone_at, ").push_bind(until).push(") >= ");
    sql.push_bind(until).push(" AND (t.live = 1 OR coalesce(t.ended_at, t.gone_at) > ").push_bind(until);
    sql.push(") ORDER BY n.created_at DESC LIMIT 1)");
}

//! Players whom a failure hit, and where they are since.

use std::collections::BTreeMap;

use liftdeck_model::{FleetId, GameSessionId, Location, PlayerId, TicketId, Timestamp};
use serde::{Deserialize, Serialize};
use specta::Type;
use sqlx::{QueryBuilder, Sqlite};

use super::directory::Directory;
use super::window::{Page, Window};
use super::{Reader, session_id};
use crate::column::Columns as _;
use crate::error::StoreError;

/// Most players counted one by one.
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
    /// A game session ended under the player, or could not be reached by the player.
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

/// How many players something hit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayersHit {
    /// Different players.
    pub players: u64,
    /// Times that a player was hit.
    pub times: u64,
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

/// Selects player sessions: appends the rest of a FROM clause that begins with a bracket, with game sessions `m`
/// (`session_key`, `fleet_key`, `location_key`) and their player sessions `ps`.
pub(super) type PushPlayers<'a> = &'a (dyn Fn(&mut QueryBuilder<Sqlite>) + Sync);

impl Reader {
    /// How many players `push` selects, and how often.
    pub(super) async fn count_hit(&self, push: PushPlayers<'_>) -> Result<PlayersHit, StoreError> {
        let mut sql =
            QueryBuilder::new("SELECT count(DISTINCT ps.player_key) AS players, count(*) AS times FROM (");
        push(&mut sql);
        let row = sql.build().fetch_one(self.pool()).await?;
        Ok(PlayersHit { players: row.read("players")?, times: row.read("times")? })
    }

    /// The players that `push` selects, those hit last first, with where they were at `until`. The column `at` tells
    /// when a player was hit.
    pub(super) async fn hit_players(
        &self,
        push: PushPlayers<'_>,
        at: &'static str,
        until: Timestamp,
        page: Page,
        directory: &Directory,
    ) -> Result<Window<HitPlayer>, StoreError> {
        let bound = page.counted(PLAYERS);
        let mut sql = QueryBuilder::new("SELECT count(*) FROM (SELECT DISTINCT ps.player_key FROM (");
        push(&mut sql);
        sql.push(" LIMIT ").push_bind(bound + 1).push(")");
        let count: i64 = sql.build_query_scalar().fetch_one(self.pool()).await?;
        let mut sql = QueryBuilder::new(
            "SELECT y.id AS player_id, w.at, w.times, a.prefix, g.id AS session_id, w.fleet_key, w.location_key, \
             g.ip_address, g.dns_name, g.port, ",
        );
        push_playing(&mut sql, until);
        sql.push(" AS playing FROM (SELECT ps.player_key, max(").push(at);
        sql.push(") AS at, count(*) AS times, m.session_key, m.fleet_key, m.location_key FROM (");
        push(&mut sql);
        sql.push(" GROUP BY ps.player_key ORDER BY 2 DESC, 1");
        page.push(&mut sql);
        sql.push(
            ") w JOIN player y ON y.player_key = w.player_key JOIN game_session g ON g.session_key = w.session_key \
             JOIN arn_prefix a ON a.prefix_key = g.prefix_key ORDER BY w.at DESC, w.player_key",
        );
        let rows = sql.build().fetch_all(self.pool()).await?;
        let mut playing: Vec<i64> = Vec::new();
        for row in &rows {
            playing.extend(row.read::<Option<i64>>("playing")?);
        }
        let places = self.places(&playing, directory).await?;
        let players = rows.iter().map(|row| {
            let fleet_key: i64 = row.read("fleet_key")?;
            let (dns, ip): (Option<String>, Option<String>) =
                (row.read("dns_name")?, row.read("ip_address")?);
            let place = row.read::<Option<i64>>("playing")?.and_then(|key| places.get(&key).cloned());
            Ok(HitPlayer {
                player_id: row.read("player_id")?,
                at: row.read("at")?,
                times: row.read("times")?,
                by: HitBy::GameSession {
                    game_session_id: session_id(row.text("prefix")?, &row.read("session_id")?),
                    fleet_name: directory.fleet_name(fleet_key),
                    location: directory.location_or_home(row.read("location_key")?, fleet_key),
                    address: liftdeck_model::game_session::address(&dns, &ip, row.read("port")?),
                },
                playing: place,
            })
        });
        Ok(Window::counted(players.collect::<Result<_, StoreError>>()?, count, bound))
    }

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

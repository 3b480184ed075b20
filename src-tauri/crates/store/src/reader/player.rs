//! Players: the sessions, placements and tickets a player was seen in, and the players of a session.

use liftdeck_model::observation::PollKind;
use liftdeck_model::player_session::PlayerSessionStatus;
use liftdeck_model::{FleetId, GameSessionId, PlayerId, PlayerSessionId, Region, Timestamp};
use serde::{Deserialize, Serialize};
use specta::Type;
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Sqlite};

use super::directory::Directory;
use super::freshness::{Basis, Freshness};
use super::placement::PlacementRow;
use super::session::push_prefix;
use super::window::{Page, Window};
use super::{Reader, session_id};
use crate::code::Code;
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::text::PackedText;

/// A player session with its game session, fleet and Region.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlayerSessionRow {
    /// Id.
    pub player_session_id: PlayerSessionId,
    /// Player.
    pub player_id: PlayerId,
    /// Game session.
    pub game_session_id: GameSessionId,
    /// Fleet.
    pub fleet_id: FleetId,
    /// The fleet's name, or its id.
    pub fleet_name: String,
    /// Home Region of the fleet.
    pub region: Region,
    /// Status. Also COMPLETED if it was live and then missing from a complete listing.
    pub status: PlayerSessionStatus,
    /// When the slot was reserved.
    pub creation_time: Timestamp,
    /// When it ended, or was first found gone.
    pub termination_time: Option<Timestamp>,
    /// True when `termination_time` is only a bound, because the end was not seen.
    pub end_unseen: bool,
    /// Whether the game attached data.
    pub has_player_data: bool,
}

/// A player found, with the newest of their player sessions and placements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlayerHit {
    /// Player.
    pub player_id: PlayerId,
    /// Newest first.
    pub player_sessions: Vec<PlayerSessionRow>,
    /// Number of their player sessions.
    pub total: u64,
    /// Placements that placed the player, and those of matches the player was in, newest first.
    pub placements: Vec<PlacementRow>,
    /// Number of their matchmaking tickets.
    pub tickets: u64,
}

/// Player sessions returned for each player found.
const SESSIONS_PER_PLAYER: i64 = 50;
/// Placements returned for each player found.
const PLACEMENTS_PER_PLAYER: i64 = 50;
/// Maximum number of players counted for a prefix.
const COUNTED: i64 = 1_000;

const COLUMNS: &str = "SELECT ps.id, y.id AS player_id, a.prefix, g.id AS session_id, g.fleet_key, ps.status, ps.created_at, \
     ps.ended_at, ps.gone_at, \
     EXISTS (SELECT 1 FROM player_session_text t WHERE t.session_key = ps.session_key AND t.id = ps.id) AS has_data ";

impl Reader {
    /// Players whose id is `text` or begins with it, the exact one first, then by id; each with their player
    /// sessions and placements, newest first. Also finds players who were only in a ticket. An empty text finds
    /// nobody.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn players(
        &self,
        text: &str,
        page: Page,
        now: Timestamp,
    ) -> Result<(Window<PlayerHit>, Freshness), StoreError> {
        let freshness = self.freshness(Basis::All(PollKind::GameSessions), now);
        let text = text.trim();
        if text.is_empty() {
            return Ok((Window::empty(), freshness));
        }
        let directory = self.directory().await?;
        let bound = page.counted(COUNTED);
        let mut sql = QueryBuilder::new("SELECT count(*) FROM (");
        push_ids(&mut sql, text, bound + 1);
        sql.push(" LIMIT ").push_bind(bound + 1).push(")");
        let count: i64 = sql.build_query_scalar().fetch_one(self.pool()).await?;
        let mut sql = QueryBuilder::new("SELECT id FROM (");
        push_ids(&mut sql, text, bound + 1);
        sql.push(") ORDER BY id = ").push_bind(Code::encode(text)).push(" DESC, id");
        page.push(&mut sql);
        let found = sql.build().fetch_all(self.pool()).await?;
        let mut hits = Vec::with_capacity(found.len());
        for row in &found {
            let player_id: PlayerId = row.read("id")?;
            let key = self.player_key(&player_id).await?;
            let (player_sessions, total) = match key {
                Some(key) => self.sessions_of_player(key, SESSIONS_PER_PLAYER, &directory).await?,
                None => (Vec::new(), 0),
            };
            let placements =
                self.placements_of_player(player_id.as_str(), PLACEMENTS_PER_PLAYER, &directory).await?;
            let tickets: i64 = sqlx::query_scalar("SELECT count(*) FROM ticket_player WHERE player = ?")
                .bind(Code::encode(player_id.as_str()))
                .fetch_one(self.pool())
                .await?;
            let tickets = u64::try_from(tickets).unwrap_or(0);
            hits.push(PlayerHit { player_id, player_sessions, total, placements, tickets });
        }
        Ok((Window::counted(hits, count, bound), freshness))
    }

    /// The newest player sessions of a player, and their number; also those whose game session was not read.
    pub(super) async fn sessions_of_player(
        &self,
        key: i64,
        most: i64,
        directory: &Directory,
    ) -> Result<(Vec<PlayerSessionRow>, u64), StoreError> {
        let mut sql = QueryBuilder::new("SELECT (SELECT count(*) FROM player_session WHERE player_key = ");
        sql.push_bind(key).push(") + (SELECT count(*) FROM ");
        push_alone(&mut sql, key);
        sql.push(")");
        let total: i64 = sql.build_query_scalar().fetch_one(self.pool()).await?;
        let mut sql = QueryBuilder::new(COLUMNS);
        sql.push(
            "FROM player_session ps JOIN player y ON y.player_key = ps.player_key \
             JOIN game_session g ON g.session_key = ps.session_key JOIN arn_prefix a ON a.prefix_key = g.prefix_key \
             WHERE ps.player_key = ",
        );
        sql.push_bind(key)
            .push(" UNION ALL SELECT n.id, y.id, a.prefix, n.session_id, n.fleet_key, n.status, ");
        sql.push("n.created_at, n.ended_at, NULL, 0 FROM ");
        push_alone(&mut sql, key);
        sql.push(
            " n JOIN player y ON y.player_key = n.player_key JOIN arn_prefix a ON a.prefix_key = n.prefix_key \
             ORDER BY 7 DESC LIMIT ",
        );
        sql.push_bind(most);
        let rows = sql.build().fetch_all(self.pool()).await?;
        let rows = rows.iter().map(|row| player_session(row, directory)).collect::<Result<_, _>>()?;
        Ok((rows, u64::try_from(total).unwrap_or(0)))
    }

    pub(super) async fn player_sessions_of(
        &self,
        session_key: i64,
        directory: &Directory,
    ) -> Result<Vec<PlayerSessionRow>, StoreError> {
        let mut rows = self.player_sessions_in(&[session_key], directory).await?;
        rows.sort_by_key(|row| row.creation_time);
        Ok(rows)
    }

    /// Player sessions of the given game sessions, in the order of the table.
    pub(crate) async fn player_sessions_in(
        &self,
        session_keys: &[i64],
        directory: &Directory,
    ) -> Result<Vec<PlayerSessionRow>, StoreError> {
        let mut sql = QueryBuilder::new(COLUMNS);
        sql.push(
            "FROM player_session ps JOIN player y ON y.player_key = ps.player_key \
             JOIN game_session g ON g.session_key = ps.session_key JOIN arn_prefix a ON a.prefix_key = g.prefix_key \
             WHERE ps.session_key IN (",
        );
        let mut list = sql.separated(", ");
        for key in session_keys {
            list.push_bind(*key);
        }
        sql.push(")");
        let rows = sql.build().fetch_all(self.pool()).await?;
        rows.iter().map(|row| player_session(row, directory)).collect()
    }
}

/// Appends a query of the ids that begin with `text`: those of players with a player session or a placement, and those
/// that only a ticket names. At most `most` of each.
pub(super) fn push_ids(sql: &mut QueryBuilder<Sqlite>, text: &str, most: i64) {
    sql.push("SELECT id FROM (SELECT y.id FROM player y WHERE ");
    push_prefix(sql, "y.id", text);
    sql.push(" ORDER BY y.id LIMIT ").push_bind(most);
    sql.push(") UNION SELECT player FROM (SELECT DISTINCT p.player FROM ticket_player p WHERE ");
    push_prefix(sql, "p.player", text);
    sql.push(" ORDER BY p.player LIMIT ").push_bind(most).push(")");
}

impl Reader {
    /// `PlayerData` of the player sessions of a game session that have any, by player session id.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn player_data(
        &self,
        game_session: &GameSessionId,
    ) -> Result<Vec<(PlayerSessionId, String)>, StoreError> {
        let Some(key) = self.session_key(game_session).await? else { return Ok(Vec::new()) };
        let rows =
            sqlx::query("SELECT id, player_data FROM player_session_text WHERE session_key = ? ORDER BY id")
                .bind(key)
                .fetch_all(self.pool())
                .await?;
        let data = |row: &SqliteRow| {
            let id: PlayerSessionId = row.read("id")?;
            let text = row.read::<PackedText>("player_data")?.unpack(&id)?;
            Ok((id, text))
        };
        rows.iter().map(data).collect()
    }
}

/// Appends a query of the player sessions of a player that are known only because GameLift was asked about the player.
fn push_alone(sql: &mut QueryBuilder<Sqlite>, key: i64) {
    sql.push("(SELECT * FROM player_session_alone n WHERE n.player_key = ").push_bind(key).push(
        " AND NOT EXISTS (SELECT 1 FROM game_session g JOIN player_session ps ON ps.session_key = g.session_key \
         AND ps.id = n.id WHERE g.id = n.session_id AND g.prefix_key = n.prefix_key))",
    );
}

fn player_session(row: &SqliteRow, directory: &Directory) -> Result<PlayerSessionRow, StoreError> {
    let fleet_key: i64 = row.read("fleet_key")?;
    let ended_at: Option<Timestamp> = row.read("ended_at")?;
    let gone_at: Option<Timestamp> = row.read("gone_at")?;
    let stored = directory.word(row.read("status")?).unwrap_or_default();
    Ok(PlayerSessionRow {
        player_session_id: row.read("id")?,
        player_id: row.read("player_id")?,
        game_session_id: session_id(row.text("prefix")?, &row.read("session_id")?),
        fleet_id: directory.fleet_id(fleet_key),
        fleet_name: directory.fleet_name(fleet_key),
        region: directory.home(fleet_key),
        status: if gone_at.is_some() {
            PlayerSessionStatus::Completed
        } else {
            PlayerSessionStatus::from(stored.as_str())
        },
        creation_time: row.read("created_at")?,
        termination_time: ended_at.or(gone_at),
        end_unseen: gone_at.is_some() && ended_at.is_none(),
        has_player_data: row.read("has_data")?,
    })
}

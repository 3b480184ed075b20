//! Players: every session a player was seen in, and who was in a session.

use liftdeck_model::observation::PollKind;
use liftdeck_model::player_session::PlayerSessionStatus;
use liftdeck_model::{FleetId, GameSessionId, PlayerId, PlayerSessionId, Region, Timestamp};
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row as _};

use super::Reader;
use super::directory::Directory;
use super::freshness::{Basis, Freshness};
use super::session::push_prefix;
use super::window::{Page, Window};
use crate::code::Code;
use crate::error::StoreError;

/// A player session with where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// Status; COMPLETED also when it was live and then gone from a complete listing.
    pub status: PlayerSessionStatus,
    /// When the slot was reserved.
    pub creation_time: Timestamp,
    /// When it ended, or was first found gone.
    pub termination_time: Option<Timestamp>,
    /// Whether the game attached data.
    pub has_player_data: bool,
}

/// A player found, with the newest of their player sessions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerHit {
    /// Player.
    pub player_id: PlayerId,
    /// Newest first.
    pub player_sessions: Vec<PlayerSessionRow>,
    /// How many there are.
    pub total: u64,
}

/// Player sessions returned for each player found.
const SESSIONS_PER_PLAYER: i64 = 50;
/// Players counted for a prefix.
const COUNTED: i64 = 1_000;

const COLUMNS: &str = "SELECT ps.id, y.id, a.prefix, g.id, g.fleet_key, ps.status, ps.created_at, ps.ended_at, ps.gone_at, \
     EXISTS (SELECT 1 FROM player_session_text t WHERE t.session_key = ps.session_key AND t.id = ps.id) ";

impl Reader {
    /// Players whose id is `text` or begins with it, the exact one first, then by id; each with their player
    /// sessions, newest first. An empty text finds nobody.
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
            return Ok((Window::counted(Vec::new(), 0, COUNTED), freshness));
        }
        let directory = self.directory().await?;
        let mut sql = QueryBuilder::new("SELECT count(*) FROM (SELECT 1 FROM player y WHERE ");
        push_prefix(&mut sql, "y.id", text);
        sql.push(" LIMIT ").push_bind(COUNTED + 1).push(")");
        let count: i64 = sql.build().fetch_one(self.pool()).await?.try_get(0)?;
        let mut sql = QueryBuilder::new("SELECT y.player_key, y.id FROM player y WHERE ");
        push_prefix(&mut sql, "y.id", text);
        let (offset, limit) = page.bounds();
        sql.push(" ORDER BY y.id = ")
            .push_bind(Code::encode(text))
            .push(" DESC, y.id LIMIT ")
            .push_bind(limit.min(COUNTED));
        sql.push(" OFFSET ").push_bind(offset);
        let found = sql.build().fetch_all(self.pool()).await?;
        let mut hits = Vec::with_capacity(found.len());
        for row in &found {
            let key: i64 = row.try_get(0)?;
            let player_id = PlayerId::new(row.try_get::<Code, _>(1)?.decode());
            let (player_sessions, total) = self.sessions_of_player(key, &directory).await?;
            hits.push(PlayerHit { player_id, player_sessions, total });
        }
        Ok((Window::counted(hits, count, COUNTED), freshness))
    }

    async fn sessions_of_player(
        &self,
        key: i64,
        directory: &Directory,
    ) -> Result<(Vec<PlayerSessionRow>, u64), StoreError> {
        let total: i64 = sqlx::query_scalar("SELECT count(*) FROM player_session WHERE player_key = ?")
            .bind(key)
            .fetch_one(self.pool())
            .await?;
        let mut sql = QueryBuilder::new(COLUMNS);
        sql.push(
            "FROM player_session ps JOIN player y ON y.player_key = ps.player_key \
             JOIN game_session g ON g.session_key = ps.session_key JOIN arn_prefix a ON a.prefix_key = g.prefix_key \
             WHERE ps.player_key = ",
        );
        sql.push_bind(key).push(" ORDER BY ps.created_at DESC LIMIT ").push_bind(SESSIONS_PER_PLAYER);
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

fn player_session(row: &SqliteRow, directory: &Directory) -> Result<PlayerSessionRow, StoreError> {
    let fleet_key: i64 = row.try_get(4)?;
    let ended_at: Option<i64> = row.try_get(7)?;
    let gone_at: Option<i64> = row.try_get(8)?;
    let stored = directory.word(row.try_get(5)?).unwrap_or_default();
    Ok(PlayerSessionRow {
        player_session_id: PlayerSessionId::new(row.try_get::<Code, _>(0)?.decode()),
        player_id: PlayerId::new(row.try_get::<Code, _>(1)?.decode()),
        game_session_id: GameSessionId::new(format!(
            "{}/{}",
            row.try_get::<&str, _>(2)?,
            row.try_get::<Code, _>(3)?.decode()
        )),
        fleet_id: directory.fleet_id(fleet_key),
        fleet_name: directory.fleet_name(fleet_key),
        region: directory
            .fleets
            .get(&fleet_key)
            .map_or_else(|| Region::new(""), |fleet| fleet.region.clone()),
        status: if gone_at.is_some() {
            PlayerSessionStatus::Completed
        } else {
            PlayerSessionStatus::from(stored.as_str())
        },
        creation_time: Timestamp::from_ms(row.try_get(6)?),
        termination_time: ended_at.or(gone_at).map(Timestamp::from_ms),
        has_player_data: row.try_get(9)?,
    })
}

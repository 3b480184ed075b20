//! Everything recorded about one player: game sessions played, placements and tickets, latencies, and who else was there.

use std::collections::BTreeMap;

use liftdeck_model::observation::PollKind;
use liftdeck_model::{PlacementId, PlayerId, Region, TicketId, Timestamp};
use serde::{Deserialize, Serialize};
use specta::Type;
use sqlx::QueryBuilder;

use super::Reader;
use super::freshness::{Basis, Freshness};
use super::matchmaking::TicketRow;
use super::placement::PlacementRow;
use super::player::PlayerSessionRow;
use super::session::GameSessionRow;
use crate::code::Code;
use crate::column::Columns as _;
use crate::error::StoreError;

/// A player session and the game session it was in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlayedSession {
    /// The player session.
    pub player_session: PlayerSessionRow,
    /// The game session; absent if it was not read.
    pub game_session: Option<GameSessionRow>,
}

/// The latencies a player had measured when a placement or a ticket was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlayerLatencies {
    /// Placement or ticket id.
    pub of: String,
    /// Whether `of` is a ticket.
    pub is_ticket: bool,
    /// When it was queued.
    pub at: Timestamp,
    /// Region or location, and milliseconds.
    pub latencies: Vec<(String, i64)>,
}

/// Another player who was in game sessions at the same time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Companion {
    /// The other player.
    pub player_id: PlayerId,
    /// In how many game sessions.
    pub game_sessions: u64,
    /// When the other player last joined such a game session.
    pub last_at: Timestamp,
}

/// What is recorded about one player, newest first.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerRecord {
    /// Player sessions, at most 200.
    pub sessions: Vec<PlayedSession>,
    /// Number of player sessions.
    pub total: u64,
    /// Placements that were to place the player, or placed a match the player was in, at most 100.
    pub placements: Vec<PlacementRow>,
    /// Matchmaking tickets of the player, at most 100.
    pub tickets: Vec<TicketRow>,
    /// Latencies, at most 20.
    pub latencies: Vec<PlayerLatencies>,
    /// Companions, those of most game sessions first, at most 50.
    pub companions: Vec<Companion>,
    /// When the game sessions were last confirmed.
    pub freshness: Freshness,
}

/// Placements and tickets of a player whose latencies were never read, by Region, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WithoutLatencies {
    /// Placements with the Region of their queue.
    pub placements: Vec<(Region, PlacementId)>,
    /// Tickets with their Region.
    pub tickets: Vec<(Region, TicketId)>,
}

const SESSIONS: i64 = 200;
const PLACEMENTS: i64 = 100;
const TICKETS: i64 = 100;
const LATENCIES: i64 = 20;
const COMPANIONS: i64 = 50;
/// Number of the newest player sessions whose companions are counted.
const ACCOMPANIED: i64 = 200;

impl Reader {
    /// Everything recorded about a player; empty if there is nothing.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn player_record(&self, player: &PlayerId, now: Timestamp) -> Result<PlayerRecord, StoreError> {
        let directory = self.directory().await?;
        let key = self.player_key(player).await?;
        let (rows, total) = match key {
            Some(key) => self.sessions_of_player(key, SESSIONS, &directory).await?,
            None => (Vec::new(), 0),
        };
        let ids: Vec<_> = rows.iter().map(|row| row.game_session_id.clone()).collect();
        let known = self.game_sessions_by_id(&ids).await?;
        let known: BTreeMap<_, _> =
            known.into_iter().map(|session| (session.game_session_id.clone(), session)).collect();
        let sessions = rows.into_iter().map(|player_session| PlayedSession {
            game_session: known.get(&player_session.game_session_id).cloned(),
            player_session,
        });
        Ok(PlayerRecord {
            sessions: sessions.collect(),
            total,
            placements: self.placements_of_player(player.as_str(), PLACEMENTS, &directory).await?,
            tickets: self.tickets_of_player(player, TICKETS, &directory).await?,
            latencies: self.latencies_of(key).await?,
            companions: self.companions_of(key).await?,
            freshness: self.freshness(Basis::All(PollKind::GameSessions), now),
        })
    }

    /// The newest placements and tickets of a player whose latencies were never read, at most `most` of each.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn without_latencies(
        &self,
        player: &PlayerId,
        most: usize,
    ) -> Result<WithoutLatencies, StoreError> {
        let directory = self.directory().await?;
        let most_rows = i64::try_from(most).unwrap_or(i64::MAX);
        let read = self.latencies_of(self.player_key(player).await?).await?;
        let is_new = |id: &str| !read.iter().any(|one| one.of == id);
        let placements = self.placements_of_player(player.as_str(), most_rows, &directory).await?;
        let tickets = self.tickets_of_player(player, most_rows, &directory).await?;
        Ok(WithoutLatencies {
            placements: placements
                .into_iter()
                .filter(|row| is_new(row.placement_id.as_str()))
                .map(|row| (row.region, row.placement_id))
                .collect(),
            tickets: tickets
                .into_iter()
                .filter(|row| is_new(row.ticket_id.as_str()))
                .map(|row| (row.region, row.ticket_id))
                .collect(),
        })
    }

    /// Placements of a Region's queues that were cancelled, timed out or failed after `since` and were never asked
    /// about, newest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn failed_placements_unasked(
        &self,
        region: &Region,
        since: Timestamp,
        most: i64,
    ) -> Result<Vec<PlacementId>, StoreError> {
        let Some(region_key) = self.directory().await?.region_key(region) else { return Ok(Vec::new()) };
        // The outcomes by their word keys, fixed by the schema; the plus keeps SQLite to the index by time.
        let ids = sqlx::query_scalar(
            "SELECT e.placement_id FROM placement_event e WHERE e.event_at >= ? AND e.event_type IN (51, 52, 53) \
             AND +e.region_key = ? AND NOT EXISTS \
             (SELECT 1 FROM placement_asked a WHERE a.placement_id = e.placement_id) ORDER BY e.event_at DESC LIMIT ?",
        )
        .bind(since.as_ms())
        .bind(region_key)
        .bind(most)
        .fetch_all(self.pool())
        .await?;
        Ok(ids.into_iter().map(|id: String| PlacementId::new(id)).collect())
    }

    pub(super) async fn player_key(&self, player: &PlayerId) -> Result<Option<i64>, StoreError> {
        Ok(sqlx::query_scalar("SELECT player_key FROM player WHERE id = ?")
            .bind(Code::encode(player.as_str()))
            .fetch_optional(self.pool())
            .await?)
    }

    async fn latencies_of(&self, player_key: Option<i64>) -> Result<Vec<PlayerLatencies>, StoreError> {
        let rows = sqlx::query(
            "SELECT asked_id, is_ticket, at, latencies FROM player_latency WHERE player_key = ? ORDER BY at DESC LIMIT ?",
        )
        .bind(player_key)
        .bind(LATENCIES)
        .fetch_all(self.pool())
        .await?;
        rows.iter()
            .map(|row| {
                Ok(PlayerLatencies {
                    of: row.read("asked_id")?,
                    is_ticket: row.read("is_ticket")?,
                    at: row.read("at")?,
                    latencies: row.json("latencies")?,
                })
            })
            .collect()
    }

    async fn companions_of(&self, player_key: Option<i64>) -> Result<Vec<Companion>, StoreError> {
        let mut sql = QueryBuilder::new(
            "SELECT y.id AS player_id, c.game_sessions, c.last_at FROM (SELECT o.player_key, \
             count(DISTINCT o.session_key) AS game_sessions, max(o.created_at) AS last_at FROM \
             (SELECT session_key, created_at, coalesce(ended_at, gone_at, 9223372036854775807) AS until \
             FROM player_session WHERE player_key = ",
        );
        sql.push_bind(player_key).push(" ORDER BY created_at DESC LIMIT ").push_bind(ACCOMPANIED);
        sql.push(
            ") mine CROSS JOIN player_session o ON o.session_key = mine.session_key AND o.player_key <> ",
        );
        sql.push_bind(player_key).push(
            " AND o.created_at < mine.until AND coalesce(o.ended_at, o.gone_at, 9223372036854775807) > mine.created_at \
             GROUP BY o.player_key ORDER BY 2 DESC, 3 DESC LIMIT ",
        );
        sql.push_bind(COMPANIONS);
        sql.push(
            ") c CROSS JOIN player y ON y.player_key = c.player_key ORDER BY c.game_sessions DESC, c.last_at DESC",
        );
        let rows = sql.build().fetch_all(self.pool()).await?;
        rows.iter()
            .map(|row| {
                Ok(Companion {
                    player_id: row.read("player_id")?,
                    game_sessions: row.read("game_sessions")?,
                    last_at: row.read("last_at")?,
                })
            })
            .collect()
    }
}

//! Players whose matchmaking tickets failed.

use std::collections::HashMap;

use liftdeck_model::time::{MINUTE_MS, TimeRange};
use liftdeck_model::{PlayerId, QueueName, Region, Timestamp};
use sqlx::{QueryBuilder, Sqlite};

use super::Reader;
use super::directory::Directory;
use super::hit_player::{HitBy, HitPlayer, PLAYERS, PlayersHit, push_playing};
use super::window::{Page, Window};
use crate::code::Code;
use crate::column::Columns as _;
use crate::error::StoreError;

/// Selects matchmaking tickets whose players got into no game session.
#[derive(Clone, Debug)]
pub enum UnmatchedScope {
    /// Those of a matchmaking configuration that failed or timed out.
    Tickets {
        /// Region of the configuration.
        region: Region,
        /// Name of the configuration.
        configuration: String,
        /// They failed in this range.
        range: TimeRange,
    },
    /// Those of matches whose placement failed or timed out. Events name the players of fulfilled placements alone. This
    /// takes the id of a placement that FlexMatch made for that of its match, which AWS does not document.
    Placements {
        /// The queues, with their Regions.
        queues: Vec<(Region, QueueName)>,
        /// They failed in this range.
        range: TimeRange,
    },
}

/// A match is complete at most so long before its placement fails (AWS: up to 600 s to accept it, and 600 s to place it).
const MATCHED_BEFORE_MS: i64 = 21 * MINUTE_MS;

impl Reader {
    /// How many players the tickets of a scope left without a match.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn unmatched(&self, scope: &UnmatchedScope) -> Result<PlayersHit, StoreError> {
        let directory = self.directory().await?;
        let mut sql = QueryBuilder::new("SELECT count(DISTINCT player) AS players, count(*) AS times FROM (");
        push_unmatched(&mut sql, scope, &directory);
        let row = sql.push(")").build().fetch_one(self.pool()).await?;
        Ok(PlayersHit { players: row.read("players")?, times: row.read("times")? })
    }

    /// Players whom the tickets of a scope left without a match, those whose ticket failed last first, with where they
    /// were at `until`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn unmatched_players(
        &self,
        scope: &UnmatchedScope,
        until: Timestamp,
        page: Page,
    ) -> Result<Window<HitPlayer>, StoreError> {
        let directory = self.directory().await?;
        let bound = page.counted(PLAYERS);
        let mut sql = QueryBuilder::new("SELECT count(*) FROM (SELECT DISTINCT player FROM (");
        push_unmatched(&mut sql, scope, &directory);
        sql.push(") LIMIT ").push_bind(bound + 1).push(")");
        let count: i64 = sql.build_query_scalar().fetch_one(self.pool()).await?;
        let mut sql =
            QueryBuilder::new("SELECT player, max(updated_at) AS at, count(*) AS times, ticket_id FROM (");
        push_unmatched(&mut sql, scope, &directory);
        sql.push(") GROUP BY player ORDER BY 2 DESC, 1");
        page.push(&mut sql);
        let rows = sql.build().fetch_all(self.pool()).await?;
        let players = rows.iter().map(|row| {
            Ok(HitPlayer {
                player_id: PlayerId::new(row.text("player")?),
                at: row.read("at")?,
                times: row.read("times")?,
                by: HitBy::Ticket { ticket_id: row.read("ticket_id")? },
                playing: None,
            })
        });
        let mut players = players.collect::<Result<Vec<HitPlayer>, StoreError>>()?;
        self.add_places(&mut players, until, &directory).await?;
        Ok(Window::counted(players, count, bound))
    }

    /// Adds in which game session each player was at `until`.
    async fn add_places(
        &self,
        players: &mut [HitPlayer],
        until: Timestamp,
        directory: &Directory,
    ) -> Result<(), StoreError> {
        if players.is_empty() {
            return Ok(());
        }
        let mut sql = QueryBuilder::new("SELECT w.id AS player_id, ");
        push_playing(&mut sql, until);
        sql.push(" AS playing FROM (SELECT y.player_key, y.id, v.column2 AS at FROM (");
        sql.push_values(players.iter(), |mut pair, one| {
            pair.push_bind(Code::encode(one.player_id.as_str())).push_bind(one.at.as_ms());
        });
        sql.push(") v CROSS JOIN player y ON y.id = v.column1) w");
        let mut playing: HashMap<PlayerId, i64> = HashMap::new();
        for row in sql.build().fetch_all(self.pool()).await? {
            if let Some(key) = row.read("playing")? {
                playing.insert(row.read("player_id")?, key);
            }
        }
        let keys: Vec<i64> = playing.values().copied().collect();
        let places = self.places(&keys, directory).await?;
        for one in players {
            one.playing = playing.get(&one.player_id).and_then(|key| places.get(key).cloned());
        }
        Ok(())
    }
}

/// Appends a SELECT of the players of the tickets of a scope: `player`, `updated_at` and `ticket_id`.
fn push_unmatched(sql: &mut QueryBuilder<Sqlite>, scope: &UnmatchedScope, directory: &Directory) {
    match scope {
        UnmatchedScope::Tickets { region, configuration, range } => {
            sql.push(
                "SELECT json_extract(one.value, '$.player_id') AS player, t.updated_at, t.ticket_id \
                 FROM ticket t INDEXED BY ticket_by_configuration, json_each(t.players) one WHERE t.region_key = ",
            );
            sql.push_bind(directory.region_key(region).unwrap_or(-1));
            sql.push(" AND t.configuration = ").push_bind(configuration.clone());
            sql.push(" AND t.updated_at >= ").push_bind(range.from.as_ms());
            sql.push(" AND t.updated_at < ").push_bind(range.to.as_ms());
            sql.push(" AND t.state IN ('TIMED_OUT', 'FAILED')");
        }
        UnmatchedScope::Placements { queues, range } => {
            sql.push(
                "SELECT DISTINCT json_extract(one.value, '$.player_id') AS player, f.event_at AS updated_at, t.ticket_id \
                 FROM matchmaking_event m INDEXED BY matchmaking_event_by_time \
                 CROSS JOIN placement_event f ON f.placement_id = m.match_id AND f.event_type IN (52, 53) \
                 CROSS JOIN matchmaking_ticket k ON k.event_key = m.event_key \
                 CROSS JOIN ticket t ON t.ticket_id = k.ticket_id AND t.region_key = m.region_key, \
                 json_each(t.players) one WHERE m.event_type = 'PotentialMatchCreated' AND m.event_at >= ",
            );
            sql.push_bind(range.from.plus_ms(-MATCHED_BEFORE_MS).as_ms());
            sql.push(" AND m.event_at < ").push_bind(range.to.as_ms());
            sql.push(" AND f.event_at >= ").push_bind(range.from.as_ms());
            sql.push(" AND f.event_at < ").push_bind(range.to.as_ms());
            sql.push(" AND (f.region_key, f.queue) IN (");
            sql.push_values(queues, |mut pair, (region, queue)| {
                pair.push_bind(directory.region_key(region).unwrap_or(-1));
                pair.push_bind(queue.as_str().to_owned());
            });
            sql.push(")");
        }
    }
}

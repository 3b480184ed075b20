//! Counts the game sessions and players a change would affect, and reads how long game sessions last. A preview and a
//! drain's estimate show these figures.
//!
//! The counts come from the recorded game sessions that were live at the last poll.

use std::collections::{BTreeMap, HashMap};

use liftdeck_model::observation::PollKind;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, GameSessionId, Location, Timestamp};
use sqlx::{QueryBuilder, Sqlite};

use super::Reader;
use super::directory::Directory;
use crate::column::Columns as _;
use crate::error::StoreError;

/// Game sessions and players that a change would affect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Blast {
    /// Game sessions that may still change.
    pub live_game_sessions: u64,
    /// Players in them, including reserved slots.
    pub live_player_sessions: u64,
    /// Live game sessions with FullProtection, where the protection is known.
    pub protected_game_sessions: u64,
    /// Live game sessions whose protection was never read.
    pub unasked_protection: u64,
    /// Live game sessions in the home Regions of the fleets concerned.
    pub region_game_sessions: u64,
    /// Players in them.
    pub region_player_sessions: u64,
    /// When the counted sessions were last confirmed; `None` if those of one of the fleets never were.
    pub as_of: Option<Timestamp>,
}

/// How long a fleet's game sessions lasted, and how old the live ones are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionLengths {
    /// Lengths in milliseconds of the sessions that ended since the given time, ascending; the newest 20 000 at most.
    pub lengths_ms: Vec<i64>,
    /// Median length.
    pub p50_ms: Option<i64>,
    /// 90th percentile.
    pub p90_ms: Option<i64>,
    /// 99th percentile.
    pub p99_ms: Option<i64>,
    /// Sessions that ended.
    pub ended: u64,
    /// Ages of the live sessions in milliseconds, oldest first.
    pub live_ages: Vec<i64>,
}

/// Live sessions of a fleet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LiveCount {
    /// Game sessions that may still change.
    pub game_sessions: u64,
    /// Players in them.
    pub player_sessions: u64,
}

/// Maximum number of lengths read.
const LENGTHS: i64 = 20_000;

const COUNTS: &str = "SELECT count(*) AS sessions, coalesce(sum(current_player_session_count), 0) AS players, \
     count(*) FILTER (WHERE protection_policy = 31) AS protected, \
     count(*) FILTER (WHERE protection_policy IS NULL) AS unasked \
     FROM game_session_state INDEXED BY game_session_live WHERE live = 1 AND fleet_key ";

impl Reader {
    /// Counts what a change to a fleet, or to one of its locations, would affect. A session without a location counts
    /// for the fleet's home Region.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn blast_of_fleet(
        &self,
        fleet: &FleetId,
        location: Option<&Location>,
    ) -> Result<Blast, StoreError> {
        let directory = self.directory().await?;
        let Some(key) = directory.fleet_key(fleet) else { return Ok(Blast::default()) };
        let mut sql = QueryBuilder::new(COUNTS);
        sql.push("= ").push_bind(key);
        if let Some(location) = location {
            let home = directory.fleets.get(&key).is_some_and(|it| it.region.as_str() == location.as_str());
            sql.push(" AND (location_key = ").push_bind(directory.location_key(location).unwrap_or(-1));
            sql.push(if home { " OR location_key IS NULL)" } else { ")" });
        }
        let mut blast = Blast::default();
        self.add_hit(&mut blast, sql).await?;
        self.add_region(&mut blast, &directory, &[key]).await?;
        blast.as_of = self.oldest_look([fleet]);
        Ok(blast)
    }

    /// Counts what a change to these game sessions would affect. Ended and unknown sessions are not counted.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn blast_of_sessions(&self, ids: &[GameSessionId]) -> Result<Blast, StoreError> {
        let directory = self.directory().await?;
        let mut blast = Blast::default();
        let mut fleets: Vec<i64> = Vec::new();
        for part in ids.chunks(500) {
            let mut sql = QueryBuilder::new("WITH wanted (id, prefix) AS (VALUES ");
            let mut list = sql.separated(", ");
            for id in part {
                let (prefix, short) = super::split_arn(id);
                list.push("(").push_bind_unseparated(short).push_unseparated(", ");
                list.push_bind_unseparated(prefix.to_owned()).push_unseparated(")");
            }
            // CROSS JOIN stops SQLite from starting with all live sessions.
            sql.push(
                ") SELECT s.fleet_key, s.current_player_session_count, s.protection_policy FROM wanted w \
                 CROSS JOIN game_session g ON g.id = w.id JOIN arn_prefix a ON a.prefix_key = g.prefix_key \
                 AND a.prefix = w.prefix JOIN game_session_state s ON s.session_key = g.session_key WHERE +s.live = 1",
            );
            for row in sql.build().fetch_all(self.pool()).await? {
                fleets.push(row.read("fleet_key")?);
                blast.live_game_sessions += 1;
                blast.live_player_sessions += row.read::<u64>("current_player_session_count")?;
                match row.read::<Option<i64>>("protection_policy")? {
                    Some(31) => blast.protected_game_sessions += 1,
                    None => blast.unasked_protection += 1,
                    Some(_) => {}
                }
            }
        }
        fleets.sort_unstable();
        fleets.dedup();
        self.add_region(&mut blast, &directory, &fleets).await?;
        let ids: Vec<FleetId> = fleets.iter().map(|key| directory.fleet_id(*key)).collect();
        blast.as_of = self.oldest_look(&ids);
        Ok(blast)
    }

    /// Lengths of a fleet's sessions that ended since `since`, and the ages of its live ones at `now`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn session_lengths(
        &self,
        fleet: &FleetId,
        since: Timestamp,
        now: Timestamp,
    ) -> Result<SessionLengths, StoreError> {
        let directory = self.directory().await?;
        let Some(key) = directory.fleet_key(fleet) else { return Ok(SessionLengths::default()) };
        // Uses the index by creation time: what ended since `since` was created at most `LONGEST_MS` earlier.
        let mut lengths: Vec<i64> = sqlx::query_scalar(
            "SELECT ended_at - created_at FROM game_session_state INDEXED BY game_session_by_fleet \
             WHERE fleet_key = ? AND created_at >= ? AND ended_at >= ? ORDER BY created_at DESC LIMIT ?",
        )
        .bind(key)
        .bind(since.plus_ms(-LONGEST_MS).as_ms())
        .bind(since.as_ms())
        .bind(LENGTHS)
        .fetch_all(self.pool())
        .await?;
        lengths.retain(|length| *length >= 0);
        lengths.sort_unstable();
        let created: Vec<i64> = sqlx::query_scalar(
            "SELECT created_at FROM game_session_state INDEXED BY game_session_live WHERE fleet_key = ? AND live = 1",
        )
        .bind(key)
        .fetch_all(self.pool())
        .await?;
        let mut live_ages: Vec<i64> = created.iter().map(|at| (now.as_ms() - at).max(0)).collect();
        live_ages.sort_unstable_by(|a, b| b.cmp(a));
        Ok(SessionLengths {
            p50_ms: percentile(&lengths, 0.50),
            p90_ms: percentile(&lengths, 0.90),
            p99_ms: percentile(&lengths, 0.99),
            ended: lengths.len() as u64,
            lengths_ms: lengths,
            live_ages,
        })
    }

    /// Game sessions created on a fleet at `since` or later, ended ones included.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn sessions_since(&self, fleet: &FleetId, since: Timestamp) -> Result<u64, StoreError> {
        self.sessions_created(fleet, TimeRange::new(since, Timestamp::from_ms(i64::MAX))).await
    }

    /// Game sessions created on a fleet in `range`, ended ones included.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn sessions_created(&self, fleet: &FleetId, range: TimeRange) -> Result<u64, StoreError> {
        let count: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM game_session_state INDEXED BY game_session_by_fleet \
             WHERE fleet_key = (SELECT fleet_key FROM fleet WHERE fleet_id = ?) AND created_at >= ? AND created_at < ?",
        )
        .bind(fleet.as_str())
        .bind(range.from.as_ms())
        .bind(range.to.as_ms())
        .fetch_one(self.pool())
        .await?;
        Ok(u64::try_from(count).unwrap_or(0))
    }

    /// Counts the live game sessions of a fleet: those created before `since`, and those created at `since` or later.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn live_around(&self, fleet: &FleetId, since: Timestamp) -> Result<(u64, u64), StoreError> {
        let row = sqlx::query(
            "SELECT count(*) FILTER (WHERE created_at < ?1) AS before, count(*) FILTER (WHERE created_at >= ?1) AS after \
             FROM game_session_state INDEXED BY game_session_live \
             WHERE live = 1 AND fleet_key = (SELECT fleet_key FROM fleet WHERE fleet_id = ?2)",
        )
        .bind(since.as_ms())
        .bind(fleet.as_str())
        .fetch_one(self.pool())
        .await?;
        Ok((row.read("before")?, row.read("after")?))
    }

    /// Live game sessions and players of each of these fleets; zero for a fleet without any.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn live_counts(&self, fleets: &[FleetId]) -> Result<BTreeMap<FleetId, LiveCount>, StoreError> {
        let directory = self.directory().await?;
        let keys: Vec<i64> = fleets.iter().filter_map(|fleet| directory.fleet_key(fleet)).collect();
        let live = self.live_by_fleet(&keys).await?;
        let count = |fleet: &FleetId| directory.fleet_key(fleet).and_then(|key| live.get(&key).copied());
        Ok(fleets.iter().map(|fleet| (fleet.clone(), count(fleet).unwrap_or_default())).collect())
    }

    /// Live game sessions and players by fleet key, in one statement; a fleet without any is absent.
    pub(super) async fn live_by_fleet(&self, keys: &[i64]) -> Result<HashMap<i64, LiveCount>, StoreError> {
        if keys.is_empty() {
            // With an empty list SQLite cannot use the index that `INDEXED BY` demands.
            return Ok(HashMap::new());
        }
        let mut sql = QueryBuilder::new(
            "SELECT fleet_key, count(*) AS sessions, sum(current_player_session_count) AS players FROM game_session_state \
             INDEXED BY game_session_live WHERE live = 1 AND fleet_key IN (",
        );
        let mut list = sql.separated(", ");
        for key in keys {
            list.push_bind(*key);
        }
        sql.push(") GROUP BY fleet_key");
        let rows = sql.build().fetch_all(self.pool()).await?;
        rows.iter()
            .map(|row| {
                let (game_sessions, player_sessions) = (row.read("sessions")?, row.read("players")?);
                Ok((row.read("fleet_key")?, LiveCount { game_sessions, player_sessions }))
            })
            .collect()
    }

    async fn add_hit(&self, blast: &mut Blast, mut sql: QueryBuilder<Sqlite>) -> Result<(), StoreError> {
        let row = sql.build().fetch_one(self.pool()).await?;
        blast.live_game_sessions += row.read::<u64>("sessions")?;
        blast.live_player_sessions += row.read::<u64>("players")?;
        blast.protected_game_sessions += row.read::<u64>("protected")?;
        blast.unasked_protection += row.read::<u64>("unasked")?;
        Ok(())
    }

    /// Counts the live game sessions and players in the home Regions of these fleets.
    async fn add_region(
        &self,
        blast: &mut Blast,
        directory: &Directory,
        fleets: &[i64],
    ) -> Result<(), StoreError> {
        if fleets.is_empty() {
            return Ok(());
        }
        let regions: Vec<i64> =
            fleets.iter().filter_map(|key| directory.fleets.get(key)).map(|it| it.region_key).collect();
        let mut sql = QueryBuilder::new(
            "SELECT count(*) AS sessions, coalesce(sum(current_player_session_count), 0) AS players \
             FROM game_session_state INDEXED BY game_session_live WHERE live = 1 AND fleet_key IN (",
        );
        let mut list = sql.separated(", ");
        let inside = directory.fleets.values().filter(|fleet| regions.contains(&fleet.region_key));
        for fleet in inside {
            list.push_bind(fleet.key);
        }
        sql.push(")");
        let row = sql.build().fetch_one(self.pool()).await?;
        blast.region_game_sessions = row.read("sessions")?;
        blast.region_player_sessions = row.read("players")?;
        Ok(())
    }

    /// The oldest confirmation of the live sessions of these fleets; `None` if one fleet has none.
    fn oldest_look<'f>(&self, fleets: impl IntoIterator<Item = &'f FleetId>) -> Option<Timestamp> {
        let lines = self.polls(PollKind::GameSessions);
        let looked = |fleet: &FleetId| {
            lines
                .iter()
                .find(|line| line.subject.resource == fleet.as_str())
                .and_then(|line| line.confirmed_at)
        };
        let moments: Option<Vec<Timestamp>> = fleets.into_iter().map(looked).collect();
        moments?.into_iter().min()
    }
}

/// The longest session life considered. AWS sets no limit, but a longer session says nothing about the others.
const LONGEST_MS: i64 = 30 * 86_400_000;

/// Returns the value at or below which `share` (0 to 1) of the values lie; `None` without values.
pub(super) fn percentile(ascending: &[i64], share: f64) -> Option<i64> {
    let rank = ((ascending.len() as f64 * share).ceil() as usize).max(1);
    ascending.get(rank - 1).copied()
}

//! What the writer remembers so that an unchanged poll does not touch SQLite.
//!
//! Owns the keys already assigned, a fingerprint of each live row, and the size limits of both. It is a cache: after
//! a failed transaction it is discarded and read again. Deliberately decides nothing.

use liftdeck_model::game_session::GameSessionEnding;
use liftdeck_model::metric::MetricSeries;
use liftdeck_model::{GameSessionId, PlayerId};
use rustc_hash::{FxHashMap, FxHashSet};
use sqlx::SqliteConnection;
use sqlx::sqlite::SqliteRow;
use xxhash_rust::xxh3::{Xxh3, xxh3_64, xxh3_128};

use crate::column::Columns as _;
use crate::ending;
use crate::error::StoreError;
use crate::writer::ending::Told;
use crate::writer::resource::ResourceKind;

/// Most game sessions remembered; beyond that ended ones are forgotten.
const SESSIONS: usize = 250_000;
/// Most players remembered; beyond that all are forgotten.
const PLAYERS: usize = 400_000;
/// Most fleet events remembered; beyond that all are forgotten.
const EVENTS: usize = 100_000;
/// Most pairs of property key and value remembered; each takes about 40 bytes.
const PAIRS: usize = 100_000;

/// First key of words that are not fixed by the schema.
const FIRST_FREE_WORD: i64 = 100;

/// What may change about a game session, words by key (0: absent).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SessionState {
    pub(super) status: i64,
    pub(super) reason: i64,
    pub(super) policy: i64,
    pub(super) protection: i64,
    pub(super) gateway: i64,
    pub(super) location: i64,
    pub(super) ended_at: Option<i64>,
    pub(super) players: i32,
    pub(super) maximum: i32,
    /// How it ended; `None` while it is live.
    pub(super) ending: Option<GameSessionEnding>,
}

/// A game session as last written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Session {
    pub(super) key: i64,
    pub(super) live: bool,
    pub(super) gone: bool,
    pub(super) state: SessionState,
    /// Fingerprint of everything that seldom changes.
    pub(super) fingerprint: u64,
    /// Fingerprint of the name and the properties, whose changes are recorded; 0: not known since the start.
    pub(super) named: u64,
}

/// A player session as last written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) id: u64,
    pub(super) state: u64,
    pub(super) live: bool,
}

/// A configuration record as last written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Resource {
    pub(super) key: i64,
    pub(super) fingerprint: u64,
    pub(super) gone: bool,
}

/// Identifies a configuration record: kind, owner, Region, id.
pub(super) type ResourceName = (ResourceKind, i64, i64, String);

/// A metric series.
#[derive(Clone, Copy, Debug)]
pub(super) struct Series {
    pub(super) key: i64,
    /// Time of the last sample in a chunk; samples up to then are merged into chunks.
    pub(super) chunked_to: i64,
    /// Newest time written to the hot table.
    pub(super) newest: i64,
    /// Number of its rows in the hot table.
    pub(super) hot: u32,
    /// Last polled value written, with its time.
    pub(super) polled: Option<(i64, u64)>,
}

#[derive(Debug, Default)]
pub(crate) struct Memory {
    pub(super) revision: u64,
    pub(super) regions: FxHashMap<String, i64>,
    pub(super) locations: FxHashMap<String, i64>,
    pub(super) words: FxHashMap<String, i64>,
    pub(super) prefixes: FxHashMap<String, i64>,
    pub(super) fleets: FxHashMap<String, i64>,
    pub(super) sessions: FxHashMap<u128, Session>,
    /// Whether every session of the file is in `sessions`, so that an unknown one is new without a query.
    pub(super) all_sessions: bool,
    /// Fleets with live sessions that were not listed.
    pub(super) unlisted: FxHashSet<i64>,
    /// Slots of the game sessions whose players were looked up, by session key.
    pub(super) slots: FxHashMap<i64, Vec<Slot>>,
    pub(super) players: FxHashMap<u128, i64>,
    pub(super) all_players: bool,
    /// Keys of pairs of property key and value, by [`pair_hash`].
    pub(super) pairs: FxHashMap<u128, i64>,
    pub(super) all_pairs: bool,
    pub(super) resources: FxHashMap<ResourceName, Resource>,
    pub(super) listings: FxHashSet<(ResourceKind, i64, i64)>,
    pub(super) capacity: FxHashMap<(i64, i64), u64>,
    pub(super) utilization: FxHashMap<(i64, i64), u64>,
    pub(super) events: FxHashSet<u64>,
    /// What fleet events have said of how sessions ended.
    pub(super) told: Told,
    pub(super) series: FxHashMap<MetricSeries, Series>,
    pub(super) hot_rows: u64,
    /// Whether events wait for something to become known.
    pub(super) has_waiting: bool,
    /// Last key assigned, by table.
    keys: FxHashMap<&'static str, i64>,
}

/// Tables whose keys the writer assigns, with the query for the last one.
const KEYED: [(&str, &str); 15] = [
    ("region", "SELECT max(region_key) FROM region"),
    ("location", "SELECT max(location_key) FROM location"),
    ("word", "SELECT max(word_key) FROM word"),
    ("arn_prefix", "SELECT max(prefix_key) FROM arn_prefix"),
    ("fleet", "SELECT max(fleet_key) FROM fleet"),
    ("resource", "SELECT max(resource_key) FROM resource"),
    ("game_session", "SELECT max(session_key) FROM game_session"),
    ("property_pair", "SELECT max(pair_key) FROM property_pair"),
    ("player", "SELECT max(player_key) FROM player"),
    ("placement_event", "SELECT max(event_key) FROM placement_event"),
    ("matchmaking_event", "SELECT max(event_key) FROM matchmaking_event"),
    ("metric_series", "SELECT max(series_key) FROM metric_series"),
    ("change", "SELECT max(change_key) FROM change"),
    ("activity", "SELECT max(activity_key) FROM activity"),
    ("run", "SELECT max(run_key) FROM run"),
];

pub(super) const SESSION_COLUMNS: &str = "session_key, prefix_key, id, live, gone_at, status, status_reason, \
    player_session_creation_policy, protection_policy, player_gateway_status, location_key, ended_at, \
    current_player_session_count, maximum_player_session_count, ending, fingerprint";

impl Memory {
    /// Reads what a running writer would remember.
    pub(crate) async fn load(connection: &mut SqliteConnection) -> Result<Self, StoreError> {
        let mut memory = Self::default();
        let revision: i64 =
            sqlx::query_scalar("SELECT value FROM revision").fetch_one(&mut *connection).await?;
        memory.revision = u64::try_from(revision).unwrap_or(0);
        for (table, statement) in KEYED {
            let last: Option<i64> = sqlx::query_scalar(statement).fetch_one(&mut *connection).await?;
            memory.keys.insert(table, last.unwrap_or(0));
        }
        let word = memory.keys.entry("word").or_insert(0);
        *word = (*word).max(FIRST_FREE_WORD - 1);
        memory.regions = names(connection, "SELECT name, region_key AS key FROM region").await?;
        memory.locations = names(connection, "SELECT name, location_key AS key FROM location").await?;
        memory.words = names(connection, "SELECT text AS name, word_key AS key FROM word").await?;
        memory.prefixes =
            names(connection, "SELECT prefix AS name, prefix_key AS key FROM arn_prefix").await?;
        memory.fleets = names(connection, "SELECT fleet_id AS name, fleet_key AS key FROM fleet").await?;
        memory.load_sessions(connection).await?;
        let unlisted: Vec<i64> = sqlx::query_scalar("SELECT DISTINCT fleet_key FROM game_session_unlisted")
            .fetch_all(&mut *connection)
            .await?;
        memory.unlisted.extend(unlisted);
        memory.told = Told::load(connection).await?;
        memory.all_players = memory.keys.get("player").is_none_or(|last| *last == 0);
        memory.load_pairs(connection).await?;
        memory.load_resources(connection).await?;
        memory.load_series(&mut *connection).await?;
        let waiting: Option<i64> =
            sqlx::query_scalar("SELECT 1 FROM quarantined_message WHERE event IS NOT NULL LIMIT 1")
                .fetch_optional(connection)
                .await?;
        memory.has_waiting = waiting.is_some();
        Ok(memory)
    }

    async fn load_sessions(&mut self, connection: &mut SqliteConnection) -> Result<(), StoreError> {
        let statement = format!(
            "SELECT {SESSION_COLUMNS} FROM game_session_state JOIN game_session USING (session_key) WHERE live = 1"
        )
        .replace("SELECT session_key", "SELECT game_session.session_key");
        let prefixes: FxHashMap<i64, String> =
            self.prefixes.iter().map(|(text, key)| (*key, text.clone())).collect();
        for row in sqlx::query(sqlx::AssertSqlSafe(statement)).fetch_all(&mut *connection).await? {
            self.remember_session(&row, &prefixes)?;
        }
        let ended: Option<i64> =
            sqlx::query_scalar("SELECT 1 FROM game_session_state WHERE live = 0 LIMIT 1")
                .fetch_optional(connection)
                .await?;
        self.all_sessions = ended.is_none();
        Ok(())
    }

    /// Remembers the session in a row of [`SESSION_COLUMNS`].
    pub(super) fn remember_session(
        &mut self,
        row: &SqliteRow,
        prefixes: &FxHashMap<i64, String>,
    ) -> Result<(), StoreError> {
        let prefix: i64 = row.read("prefix_key")?;
        let prefix = prefixes.get(&prefix).map(String::as_str).unwrap_or_default();
        let id = crate::reader::session_id(prefix, &row.read("id")?);
        let word = |name| Ok::<_, StoreError>(row.read::<Option<i64>>(name)?.unwrap_or(0));
        let session = Session {
            key: row.read("session_key")?,
            live: row.read("live")?,
            gone: row.read::<Option<i64>>("gone_at")?.is_some(),
            state: SessionState {
                status: word("status")?,
                reason: word("status_reason")?,
                policy: word("player_session_creation_policy")?,
                protection: word("protection_policy")?,
                gateway: word("player_gateway_status")?,
                location: word("location_key")?,
                ended_at: row.read("ended_at")?,
                players: row.read("current_player_session_count")?,
                maximum: row.read("maximum_player_session_count")?,
                ending: ending::of_key(row.read("ending")?),
            },
            fingerprint: row.read::<i64>("fingerprint")?.cast_unsigned(),
            named: 0,
        };
        self.sessions.insert(session_hash(&id), session);
        Ok(())
    }

    async fn load_pairs(&mut self, connection: &mut SqliteConnection) -> Result<(), StoreError> {
        let most = i64::try_from(PAIRS).unwrap_or(i64::MAX);
        let rows =
            sqlx::query("SELECT pair_key, name, value FROM property_pair ORDER BY pair_key DESC LIMIT ?")
                .bind(most)
                .fetch_all(connection)
                .await?;
        self.all_pairs = rows.len() < PAIRS;
        for row in rows {
            self.pairs.insert(pair_hash(row.text("name")?, row.text("value")?), row.read("pair_key")?);
        }
        Ok(())
    }

    async fn load_resources(&mut self, connection: &mut SqliteConnection) -> Result<(), StoreError> {
        let rows = sqlx::query(
            "SELECT kind, owner_key, region_key, id, resource_key, fingerprint, gone_at FROM resource",
        )
        .fetch_all(&mut *connection)
        .await?;
        for row in rows {
            let (kind, owner_key, region_key) = place(&row)?;
            let resource = Resource {
                key: row.read("resource_key")?,
                fingerprint: row.read::<i64>("fingerprint")?.cast_unsigned(),
                gone: row.read::<Option<i64>>("gone_at")?.is_some(),
            };
            self.resources.insert((kind, owner_key, region_key, row.read("id")?), resource);
        }
        for row in
            sqlx::query("SELECT kind, region_key, owner_key FROM listing").fetch_all(connection).await?
        {
            let (kind, owner_key, region_key) = place(&row)?;
            self.listings.insert((kind, region_key, owner_key));
        }
        Ok(())
    }

    async fn load_series(&mut self, connection: &mut SqliteConnection) -> Result<(), StoreError> {
        let regions: FxHashMap<i64, String> =
            self.regions.iter().map(|(name, key)| (*key, name.clone())).collect();
        let rows = sqlx::query(
            "SELECT series_key, region_key, source, name, statistic, dimensions, \
             (SELECT max(last_at) FROM metric_chunk WHERE metric_chunk.series_key = metric_series.series_key) AS chunked_to \
             FROM metric_series",
        )
        .fetch_all(&mut *connection)
        .await?;
        let mut hot: FxHashMap<i64, (u32, i64, i64)> = FxHashMap::default();
        // The bare column comes from the row with the maximum (SQLite documents this for a single max()).
        for row in sqlx::query(
            "SELECT series_key, count(*) AS samples, max(sample_at) AS newest, value_bits FROM metric_hot GROUP BY series_key",
        )
        .fetch_all(connection)
        .await?
        {
            let samples: u64 = row.read("samples")?;
            self.hot_rows += samples;
            let samples = u32::try_from(samples).unwrap_or(u32::MAX);
            hot.insert(row.read("series_key")?, (samples, row.read("newest")?, row.read("value_bits")?));
        }
        for row in rows {
            let region: i64 = row.read("region_key")?;
            let series = MetricSeries {
                region: regions.get(&region).cloned().unwrap_or_default().into(),
                source: row.word("source")?,
                name: row.read("name")?,
                statistic: row.read("statistic")?,
                dimensions: row.json("dimensions")?,
            };
            let key: i64 = row.read("series_key")?;
            let of_hot = hot.get(&key);
            let polled = of_hot
                .filter(|_| series.source == liftdeck_model::metric::MetricSource::Polled)
                .map(|(_, at, bits)| (*at, bits.cast_unsigned()));
            let chunked_to = row.read::<Option<i64>>("chunked_to")?.unwrap_or(i64::MIN);
            let (hot, newest) = of_hot.map_or((0, i64::MIN), |(rows, at, _)| (*rows, *at));
            self.series.insert(series, Series { key, chunked_to, newest, hot, polled });
        }
        Ok(())
    }

    /// Assigns the next key of a table of `KEYED`.
    pub(super) fn next_key(&mut self, table: &'static str) -> i64 {
        let last = self.keys.entry(table).or_insert(0);
        *last += 1;
        *last
    }

    /// Forgets all pairs; they are looked up from now on.
    pub(super) fn forget_pairs(&mut self) {
        self.pairs = FxHashMap::default();
        self.all_pairs = false;
    }

    /// Forgets what need not be remembered, so that memory stays bounded. Call it only between groups: what a group
    /// wrote is not on the disk yet.
    pub(super) fn trim(&mut self) {
        if self.sessions.len() > SESSIONS {
            self.sessions.retain(|_, session| session.live);
            self.all_sessions = false;
        }
        if self.slots.len() > SESSIONS {
            let live: FxHashSet<i64> =
                self.sessions.values().filter(|session| session.live).map(|session| session.key).collect();
            self.slots.retain(|key, _| live.contains(key));
        }
        if self.players.len() > PLAYERS {
            self.players = FxHashMap::default();
            self.all_players = false;
        }
        if self.pairs.len() > PAIRS {
            self.forget_pairs();
        }
        if self.events.len() > EVENTS {
            self.events = FxHashSet::default();
        }
        self.told.trim();
    }
}

async fn names(
    connection: &mut SqliteConnection,
    statement: &'static str,
) -> Result<FxHashMap<String, i64>, StoreError> {
    let rows = sqlx::query(statement).fetch_all(connection).await?;
    rows.iter().map(|row| Ok((row.read("name")?, row.read("key")?))).collect()
}

/// Kind, owner and Region of a record or a listing.
fn place(row: &SqliteRow) -> Result<(ResourceKind, i64, i64), StoreError> {
    let kind = ResourceKind::from_text(row.text("kind")?)?;
    Ok((kind, row.read("owner_key")?, row.read("region_key")?))
}

/// The hash that a game session is remembered by.
pub(super) fn session_hash(id: &GameSessionId) -> u128 {
    xxh3_128(id.as_str().as_bytes())
}

/// The hash that a player is remembered by.
pub(super) fn player_hash(id: &PlayerId) -> u128 {
    xxh3_128(id.as_str().as_bytes())
}

/// The hash that a player session is remembered by within its game session.
pub(super) fn slot_hash(id: &str) -> u64 {
    xxh3_64(id.as_bytes())
}

/// The hash that a pair of property key and value is remembered by.
pub(super) fn pair_hash(name: &str, value: &str) -> u128 {
    let mut hash = Xxh3::new();
    // The length keeps the two apart.
    hash.update(&(name.len() as u64).to_le_bytes());
    hash.update(name.as_bytes());
    hash.update(value.as_bytes());
    hash.digest128()
}

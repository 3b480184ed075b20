//! The floor to compare with: the same rows, schema and pragmas, through rusqlite with prepared statements.
//!
//! Does what a program written for this one task would do: interned keys in hash maps, packed texts, one row per
//! statement, as many rows per transaction as a group of the store's batches, and for the second poll a hash of each
//! row.

use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

use liftdeck_model::game_session::GameSession;
use liftdeck_store::code::Code;
use rusqlite::{Connection, ToSql, params};
use xxhash_rust::xxh3::xxh3_64;

use crate::sample::{NOW, World};

const ROWS_A_TRANSACTION: usize = 8_000;
const SCHEMA: &str = include_str!("../../migrations/0001_first_schema.sql");
const WORDS: &str = "SELECT text, word_key FROM word";

pub(crate) struct Floor {
    connection: Connection,
    words: HashMap<String, i64>,
    prefixes: HashMap<String, i64>,
    fleets: HashMap<String, i64>,
    locations: HashMap<String, i64>,
    pairs: HashMap<(String, String), i64>,
    players: HashMap<String, i64>,
    sessions: HashMap<String, (i64, u64)>,
    slots: HashMap<String, u64>,
}

struct Sql(Code);

impl ToSql for Sql {
    fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
        match &self.0 {
            Code::Packed(bytes) => bytes.to_sql(),
            Code::Text(text) => Ok(rusqlite::types::ToSqlOutput::from(&**text)),
        }
    }
}

impl Floor {
    pub(crate) fn open(path: &Path) -> Self {
        let connection = Connection::open(path).unwrap();
        connection
            .execute_batch(
                "PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; \
                 PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -65536;",
            )
            .unwrap();
        connection.execute_batch(SCHEMA).unwrap();
        connection.execute("INSERT INTO region VALUES (1, 'eu-west-1')", []).unwrap();
        let words = {
            let mut statement = connection.prepare(WORDS).unwrap();
            statement
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
                .unwrap()
                .map(Result::unwrap)
                .collect()
        };
        Self {
            connection,
            words,
            prefixes: HashMap::new(),
            fleets: HashMap::new(),
            locations: HashMap::new(),
            pairs: HashMap::new(),
            players: HashMap::new(),
            sessions: HashMap::new(),
            slots: HashMap::new(),
        }
    }

    pub(crate) fn sessions(&mut self, world: &World) -> Duration {
        let begun = Instant::now();
        let mut packer = zstd::bulk::Compressor::new(3).unwrap();
        let mut pack = |text: &Option<String>| -> rusqlite::types::Value {
            use rusqlite::types::Value;
            text.as_ref().map_or(Value::Null, |text| {
                let packed = (text.len() >= 96).then(|| packer.compress(text.as_bytes()).unwrap());
                packed
                    .filter(|packed| packed.len() < text.len())
                    .map_or_else(|| Value::Text(text.clone()), Value::Blob)
            })
        };
        let mut next = self.sessions.len() as i64;
        for part in world.sessions.chunks(ROWS_A_TRANSACTION) {
            let transaction = self.connection.transaction().unwrap();
            let key_of = |map: &mut HashMap<String, i64>, text: &str, statement: &str| -> i64 {
                if let Some(key) = map.get(text) {
                    return *key;
                }
                let key = map.len() as i64 + 1;
                transaction.execute(statement, params![key, text]).unwrap();
                map.insert(text.to_owned(), key);
                key
            };
            let mut insert = transaction
                .prepare_cached("INSERT INTO game_session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
                .unwrap();
            let mut state = transaction
                .prepare_cached(
                    "INSERT INTO game_session_state (session_key, fleet_key, location_key, created_at, ended_at, live, \
                     status, status_reason, current_player_session_count, maximum_player_session_count, \
                     player_session_creation_policy, protection_policy, player_gateway_status, changed_at, gone_at, \
                     fingerprint) VALUES (?, ?, ?, ?, ?, ?, ?, NULL, ?, ?, ?, NULL, NULL, ?, NULL, ?)",
                )
                .unwrap();
            let mut text =
                transaction.prepare_cached("INSERT INTO game_session_text VALUES (?, ?, ?, ?)").unwrap();
            let mut pair_of =
                transaction.prepare_cached("INSERT INTO property_pair VALUES (?, ?, ?)").unwrap();
            let mut property =
                transaction.prepare_cached("INSERT INTO game_session_property VALUES (?, ?)").unwrap();
            for session in part {
                let arn = session.game_session_id.as_str();
                let (prefix, id) = arn.rsplit_once('/').unwrap();
                let fleet = key_of(
                    &mut self.fleets,
                    session.fleet_id.as_str(),
                    "INSERT INTO fleet (fleet_key, region_key, fleet_id) VALUES (?, 1, ?)",
                );
                let prefix = key_of(&mut self.prefixes, prefix, "INSERT INTO arn_prefix VALUES (?, ?)");
                let location = session.location.as_ref().unwrap().as_str();
                let location = key_of(&mut self.locations, location, "INSERT INTO location VALUES (?, ?)");
                next += 1;
                let hash = session_hash(session);
                insert
                    .execute(params![
                        next,
                        Sql(Code::encode(id)),
                        prefix,
                        fleet,
                        session.name,
                        session.creator_id,
                        session.ip_address,
                        session.dns_name,
                        session.port,
                        session.compute_name,
                        NOW.as_ms()
                    ])
                    .unwrap();
                state
                    .execute(params![
                        next,
                        fleet,
                        location,
                        session.creation_time.as_ms(),
                        session.termination_time.map(|at| at.as_ms()),
                        session.status.is_live(),
                        self.words[session.status.as_str()],
                        session.current_player_session_count,
                        session.maximum_player_session_count,
                        self.words["ACCEPT_ALL"],
                        NOW.as_ms(),
                        hash.cast_signed()
                    ])
                    .unwrap();
                let pairs: Vec<(&str, &str)> = session
                    .game_properties
                    .iter()
                    .map(|pair| (pair.key.as_str(), pair.value.as_str()))
                    .collect();
                text.execute(params![
                    next,
                    serde_json::to_string(&pairs).unwrap(),
                    pack(&session.game_session_data),
                    pack(&session.matchmaker_data)
                ])
                .unwrap();
                for (key, value) in pairs {
                    let known = self.pairs.len() as i64 + 1;
                    let pair = *self.pairs.entry((key.to_owned(), value.to_owned())).or_insert_with(|| {
                        pair_of.execute(params![known, key, value]).unwrap();
                        known
                    });
                    property.execute(params![pair, next]).unwrap();
                }
                self.sessions.insert(arn.to_owned(), (next, hash));
            }
            drop((insert, state, text, pair_of, property));
            transaction.commit().unwrap();
        }
        begun.elapsed()
    }

    pub(crate) fn sessions_again(&mut self, world: &World) -> Duration {
        let begun = Instant::now();
        for part in world.sessions.chunks(ROWS_A_TRANSACTION) {
            let transaction = self.connection.transaction().unwrap();
            let mut update = transaction
                .prepare_cached(
                    "UPDATE game_session_state SET ended_at = ?, live = ?, status = ?, current_player_session_count = ?, \
                     maximum_player_session_count = ?, changed_at = ?, fingerprint = ? WHERE session_key = ?",
                )
                .unwrap();
            let mut change = transaction
                .prepare_cached("INSERT OR REPLACE INTO game_session_change VALUES (?, ?, 'players', ?, ?)")
                .unwrap();
            for session in part {
                let hash = session_hash(session);
                let known = self.sessions.get_mut(session.game_session_id.as_str()).unwrap();
                if known.1 == hash {
                    continue;
                }
                known.1 = hash;
                let count = session.current_player_session_count;
                update
                    .execute(params![
                        session.termination_time.map(|at| at.as_ms()),
                        session.status.is_live(),
                        self.words[session.status.as_str()],
                        count,
                        session.maximum_player_session_count,
                        NOW.as_ms(),
                        hash.cast_signed(),
                        known.0
                    ])
                    .unwrap();
                change.execute(params![known.0, NOW.as_ms(), count - 1, count]).unwrap();
            }
            drop((update, change));
            transaction.commit().unwrap();
        }
        begun.elapsed()
    }

    pub(crate) fn players(&mut self, world: &World) -> Duration {
        let begun = Instant::now();
        for part in world.players.chunks(ROWS_A_TRANSACTION / 4) {
            let transaction = self.connection.transaction().unwrap();
            let mut player = transaction.prepare_cached("INSERT INTO player VALUES (?, ?)").unwrap();
            let mut slot = transaction
                .prepare_cached(
                    "INSERT INTO player_session VALUES (?, ?, ?, ?, ?, ?, NULL) ON CONFLICT (session_key, id) DO UPDATE SET \
                     ended_at = excluded.ended_at, status = excluded.status",
                )
                .unwrap();
            for item in part.iter().flatten() {
                let state = xxh3_64(format!("{}{:?}", item.status, item.termination_time).as_bytes());
                let id = item.player_session_id.as_str();
                if self.slots.insert(id.to_owned(), state) == Some(state) {
                    continue;
                }
                let next = self.players.len() as i64 + 1;
                let key = *self.players.entry(item.player_id.as_str().to_owned()).or_insert_with(|| {
                    player.execute(params![next, Sql(Code::encode(item.player_id.as_str()))]).unwrap();
                    next
                });
                slot.execute(params![
                    self.sessions[item.game_session_id.as_str()].0,
                    Sql(Code::encode(id)),
                    key,
                    item.creation_time.as_ms(),
                    item.termination_time.map(|at| at.as_ms()),
                    self.words[item.status.as_str()]
                ])
                .unwrap();
            }
            drop((player, slot));
            transaction.commit().unwrap();
        }
        begun.elapsed()
    }
}

fn session_hash(session: &GameSession) -> u64 {
    let mut text = String::with_capacity(2_048);
    let empty = String::new();
    for part in [
        &session.name,
        &session.creator_id,
        &session.ip_address,
        &session.dns_name,
        &session.compute_name,
        &session.game_session_data,
        &session.matchmaker_data,
    ] {
        text.push_str(part.as_ref().unwrap_or(&empty));
        text.push('\n');
    }
    for property in &session.game_properties {
        text.push_str(&property.key);
        text.push_str(&property.value);
    }
    let mut hash = xxh3_64(text.as_bytes());
    for number in [
        i64::from(session.current_player_session_count),
        i64::from(session.maximum_player_session_count),
        session.termination_time.map_or(0, |at| at.as_ms()),
        i64::from(session.port.unwrap_or(0)),
        i64::from(session.status.is_live()),
    ] {
        hash = xxh3_64(&(hash ^ number.cast_unsigned().wrapping_mul(0x9e37_79b9_7f4a_7c15)).to_le_bytes());
    }
    hash
}

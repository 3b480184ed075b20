//! One transaction: the rows of a group of batches on their way to the disk.
//!
//! Owns when the transaction begins (with the first row, so that an unchanged poll has none), the order in which
//! gathered rows are sent, the interned keys and the tally of each batch. What the rows are is the submodules' matter.

use std::collections::BTreeSet;

use liftdeck_model::observation::{Poll, Subject};
use liftdeck_model::{FleetId, GameSessionId, Location, PlayerId, Region, Timestamp};
use rustc_hash::FxHashMap;
use sqlx::{Row, SqliteConnection};

use crate::bulk::{Bulk, Upsert, placeholders};
use crate::code::Code;
use crate::error::StoreError;
use crate::ledger::Ledger;
use crate::text::Packer;
use crate::writer::line::Line;
use crate::writer::memory::{Memory, player_hash};
use crate::writer::{Applied, Written};

/// Values of an IN list at most; longer ones are asked in turns.
pub(super) const IN_LIST: usize = 500;

/// What one batch did so far.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) written: Written,
    pub(super) subjects: BTreeSet<Subject>,
    pub(super) player_counts_changed: Vec<GameSessionId>,
    pub(super) duplicates: u64,
}

impl Tally {
    /// Counts rows of a kind that touch a subject.
    pub(super) fn count(&mut self, kind: &'static str, rows: u64, subject: Subject) {
        if rows > 0 {
            *self.written.entry(kind).or_default() += rows;
            self.subjects.insert(subject);
        }
    }

    pub(super) fn into_applied(self) -> Applied {
        Applied {
            revision: 0,
            written: self.written,
            subjects: self.subjects.into_iter().collect(),
            player_counts_changed: self.player_counts_changed,
            duplicates: self.duplicates,
        }
    }
}

/// Rows of the busy tables, sent together and parents first.
pub(super) struct Sheets {
    pub(super) sessions: Upsert,
    pub(super) states: Upsert,
    pub(super) texts: Upsert,
    pub(super) pairs: Bulk,
    pub(super) properties: Bulk,
    pub(super) session_changes: Bulk,
    pub(super) players: Bulk,
    pub(super) slots: Upsert,
    pub(super) slot_texts: Bulk,
    pub(super) changes: Bulk,
    pub(super) hot: Bulk,
}

impl Sheets {
    fn new() -> Self {
        Self {
            sessions: Upsert::new(
                "game_session (session_key, id, prefix_key, fleet_key, name, creator_id, ip_address, \
                 dns_name, port, compute_name, first_seen_at)",
                "ON CONFLICT (session_key) DO UPDATE SET name = excluded.name, creator_id = excluded.creator_id, \
                 ip_address = excluded.ip_address, dns_name = excluded.dns_name, port = excluded.port, \
                 compute_name = excluded.compute_name",
            ),
            states: Upsert::new(
                "game_session_state (session_key, fleet_key, location_key, created_at, ended_at, live, \
                 status, status_reason, current_player_session_count, maximum_player_session_count, \
                 player_session_creation_policy, protection_policy, player_gateway_status, changed_at, gone_at, \
                 fingerprint)",
                "ON CONFLICT (session_key) DO UPDATE SET location_key = excluded.location_key, \
                 ended_at = excluded.ended_at, live = excluded.live, status = excluded.status, \
                 status_reason = excluded.status_reason, \
                 current_player_session_count = excluded.current_player_session_count, \
                 maximum_player_session_count = excluded.maximum_player_session_count, \
                 player_session_creation_policy = excluded.player_session_creation_policy, \
                 protection_policy = excluded.protection_policy, \
                 player_gateway_status = excluded.player_gateway_status, changed_at = excluded.changed_at, \
                 gone_at = excluded.gone_at, fingerprint = excluded.fingerprint",
            ),
            texts: Upsert::new(
                "game_session_text (session_key, game_properties, game_session_data, matchmaker_data)",
                "ON CONFLICT (session_key) DO UPDATE SET game_properties = excluded.game_properties, \
                 game_session_data = excluded.game_session_data, matchmaker_data = excluded.matchmaker_data",
            ),
            pairs: Bulk::insert("property_pair (pair_key, name, value)"),
            properties: Bulk::upsert(
                "game_session_property (pair_key, session_key)",
                "ON CONFLICT DO NOTHING",
            ),
            session_changes: Bulk::upsert(
                "game_session_change (session_key, seen_at, field, before, after)",
                "ON CONFLICT (session_key, seen_at, field) DO UPDATE SET after = excluded.after",
            ),
            players: Bulk::insert("player (player_key, id)"),
            slots: Upsert::new(
                "player_session (session_key, id, player_key, created_at, ended_at, status, gone_at)",
                "ON CONFLICT (session_key, id) DO UPDATE SET ended_at = excluded.ended_at, status = excluded.status, \
                 gone_at = excluded.gone_at",
            ),
            slot_texts: Bulk::upsert(
                "player_session_text (session_key, id, player_data)",
                "ON CONFLICT (session_key, id) DO UPDATE SET player_data = excluded.player_data",
            ),
            changes: Bulk::insert(
                "change (change_key, seen_at, region_key, kind, resource, name, fleet_key, location_key, \
                 field, before, after)",
            ),
            hot: Bulk::upsert(
                "metric_hot (sample_at, series_key, value_bits)",
                "ON CONFLICT (sample_at, series_key) DO UPDATE SET value_bits = excluded.value_bits",
            ),
        }
    }

    fn all(&mut self) -> [&mut Bulk; 15] {
        let ([new_sessions, sessions], [new_states, states]) = (self.sessions.all(), self.states.all());
        let ([new_texts, texts], [new_slots, slots]) = (self.texts.all(), self.slots.all());
        [
            new_sessions,
            sessions,
            new_states,
            states,
            new_texts,
            texts,
            &mut self.pairs,
            &mut self.properties,
            &mut self.session_changes,
            &mut self.players,
            new_slots,
            slots,
            &mut self.slot_texts,
            &mut self.changes,
            &mut self.hot,
        ]
    }
}

/// A group of batches being written.
pub(super) struct Desk<'a> {
    line: &'a mut Line,
    pub(super) memory: &'a mut Memory,
    pub(super) ledger: &'a Ledger,
    pub(super) packer: &'a mut Packer,
    pub(super) sheets: Sheets,
    /// Properties of sessions on their way to `sheets`: session key, and pairs of key and value.
    pub(super) unfiled: Vec<(i64, Vec<(String, String)>)>,
    begun: bool,
    /// The batch being applied: its Region and moment.
    pub(super) region: Region,
    pub(super) region_key: i64,
    pub(super) at: i64,
    pub(super) tally: Tally,
    /// For the ledger once the rows are durable: a failed transaction must not make anything look confirmed.
    pub(super) polls: Vec<(Region, Poll)>,
    pub(super) confirmed: Vec<(GameSessionId, i64, Timestamp)>,
}

impl<'a> Desk<'a> {
    pub(super) fn new(
        line: &'a mut Line,
        memory: &'a mut Memory,
        ledger: &'a Ledger,
        packer: &'a mut Packer,
    ) -> Self {
        Self {
            line,
            memory,
            ledger,
            packer,
            sheets: Sheets::new(),
            unfiled: Vec::new(),
            begun: false,
            region: Region::new(""),
            region_key: 0,
            at: 0,
            tally: Tally::default(),
            polls: Vec::new(),
            confirmed: Vec::new(),
        }
    }

    /// The connection for a question; what was sent has arrived.
    pub(super) async fn read(&mut self) -> Result<&mut SqliteConnection, StoreError> {
        self.line.connection().await
    }

    /// The connection for a row; begins the transaction, and what was sent has arrived.
    pub(super) async fn write(&mut self) -> Result<&mut SqliteConnection, StoreError> {
        let connection = self.line.connection().await?;
        if !self.begun {
            sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
            self.begun = true;
        }
        Ok(connection)
    }

    /// Whether a transaction is open.
    pub(super) const fn begun(&self) -> bool {
        self.begun
    }

    /// Sends the gathered rows of every table, parents first; they are under way when this returns.
    pub(super) async fn send(&mut self) -> Result<(), StoreError> {
        if self.sheets.all().iter().all(|bulk| bulk.is_empty()) {
            return Ok(());
        }
        if !self.begun {
            self.write().await?;
        }
        let mut statements = Vec::new();
        for bulk in self.sheets.all() {
            bulk.drain_into(&mut statements);
        }
        self.line.send(statements).await
    }

    /// Sends the gathered rows when there are many.
    pub(super) async fn send_if_full(&mut self) -> Result<(), StoreError> {
        if self.sheets.all().iter().any(|bulk| bulk.is_full()) { self.send().await } else { Ok(()) }
    }

    pub(super) async fn commit(&mut self) -> Result<(), StoreError> {
        if self.begun {
            sqlx::query("COMMIT").execute(self.line.connection().await?).await?;
            self.begun = false;
        }
        Ok(())
    }

    pub(super) async fn rollback(&mut self) {
        if self.begun
            && let Err(error) = self.undo().await
        {
            // SQLite has already rolled back after a full disk or an I/O error; then there is nothing to undo.
            tracing::debug!(%error, "The transaction had been rolled back already.");
        }
        self.begun = false;
    }

    async fn undo(&mut self) -> Result<(), StoreError> {
        if let Err(error) = self.line.arrive().await {
            tracing::debug!(%error, "Rows of a failed transaction had not arrived either.");
        }
        sqlx::query("ROLLBACK").execute(self.line.connection().await?).await?;
        Ok(())
    }

    /// The key of a Region.
    pub(super) async fn region_key(&mut self, name: &str) -> Result<i64, StoreError> {
        if let Some(key) = self.memory.regions.get(name) {
            return Ok(*key);
        }
        let key = self.memory.next_key("region");
        self.insert_name("INSERT INTO region (region_key, name) VALUES (?, ?)", key, name).await?;
        self.memory.regions.insert(name.to_owned(), key);
        Ok(key)
    }

    /// The key of a location.
    pub(super) async fn location_key(&mut self, location: &Location) -> Result<i64, StoreError> {
        if let Some(key) = self.memory.locations.get(location.as_str()) {
            return Ok(*key);
        }
        let key = self.memory.next_key("location");
        self.insert_name("INSERT INTO location (location_key, name) VALUES (?, ?)", key, location.as_str())
            .await?;
        self.memory.locations.insert(location.as_str().to_owned(), key);
        Ok(key)
    }

    /// The key of a word.
    pub(super) async fn word(&mut self, text: &str) -> Result<i64, StoreError> {
        if let Some(key) = self.memory.words.get(text) {
            return Ok(*key);
        }
        let key = self.memory.next_key("word");
        self.insert_name("INSERT INTO word (word_key, text) VALUES (?, ?)", key, text).await?;
        self.memory.words.insert(text.to_owned(), key);
        Ok(key)
    }

    /// The key of a word that may be absent: 0 then.
    pub(super) async fn word_or_none(&mut self, text: Option<&str>) -> Result<i64, StoreError> {
        match text {
            Some(text) => self.word(text).await,
            None => Ok(0),
        }
    }

    /// The key of an ARN's prefix.
    pub(super) async fn prefix_key(&mut self, prefix: &str) -> Result<i64, StoreError> {
        if let Some(key) = self.memory.prefixes.get(prefix) {
            return Ok(*key);
        }
        let key = self.memory.next_key("arn_prefix");
        self.insert_name("INSERT INTO arn_prefix (prefix_key, prefix) VALUES (?, ?)", key, prefix).await?;
        self.memory.prefixes.insert(prefix.to_owned(), key);
        Ok(key)
    }

    /// The key of a fleet, listed or only named by something else.
    pub(super) async fn fleet_key(&mut self, fleet: &FleetId) -> Result<i64, StoreError> {
        if let Some(key) = self.memory.fleets.get(fleet.as_str()) {
            return Ok(*key);
        }
        let key = self.memory.next_key("fleet");
        let region_key = self.region_key;
        let connection = self.write().await?;
        sqlx::query("INSERT INTO fleet (fleet_key, region_key, fleet_id) VALUES (?, ?, ?)")
            .bind(key)
            .bind(region_key)
            .bind(fleet.as_str())
            .execute(connection)
            .await?;
        self.memory.fleets.insert(fleet.as_str().to_owned(), key);
        Ok(key)
    }

    async fn insert_name(&mut self, statement: &'static str, key: i64, name: &str) -> Result<(), StoreError> {
        let connection = self.write().await?;
        sqlx::query(statement).bind(key).bind(name).execute(connection).await?;
        Ok(())
    }

    /// Looks up the players not remembered, in few statements, and gives keys to the new ones.
    pub(super) async fn know_players(&mut self, players: Vec<&PlayerId>) -> Result<(), StoreError> {
        let mut unknown: FxHashMap<u128, &PlayerId> = FxHashMap::default();
        for player in players {
            let hash = player_hash(player);
            if !self.memory.players.contains_key(&hash) {
                unknown.insert(hash, player);
            }
        }
        if !self.memory.all_players {
            let list: Vec<&PlayerId> = unknown.values().copied().collect();
            for part in list.chunks(IN_LIST) {
                let statement =
                    format!("SELECT player_key, id FROM player WHERE id IN ({})", placeholders(part.len()));
                let mut query = sqlx::query(sqlx::AssertSqlSafe(statement)).persistent(part.len() == IN_LIST);
                for player in part {
                    query = query.bind(Code::encode(player.as_str()));
                }
                for row in query.fetch_all(self.read().await?).await? {
                    let id = PlayerId::new(row.try_get::<Code, _>(1)?.decode());
                    let hash = player_hash(&id);
                    unknown.remove(&hash);
                    self.memory.players.insert(hash, row.try_get(0)?);
                }
            }
        }
        // In the order of their index: neighbours share its pages.
        let mut new: Vec<(Code, u128)> =
            unknown.into_iter().map(|(hash, player)| (Code::encode(player.as_str()), hash)).collect();
        new.sort_unstable();
        for (code, hash) in new {
            let key = self.memory.next_key("player");
            self.sheets.players.push(key)?;
            self.sheets.players.push(code)?;
            self.memory.players.insert(hash, key);
        }
        Ok(())
    }

    /// The key of a player [`Self::know_players`] has seen.
    pub(super) fn player_key(&self, player: &PlayerId) -> Result<i64, StoreError> {
        self.memory
            .players
            .get(&player_hash(player))
            .copied()
            .ok_or_else(|| StoreError::Unreadable { what: "a player without a key".to_owned() })
    }
}

//! Names that are stored only once: Regions, locations, words, ARN prefixes, fleets and players.
//!
//! Owns their rows and the keys that stand for them; each is looked up in the writer's memory first.

use liftdeck_model::{FleetId, Location, PlayerId};
use rustc_hash::FxHashMap;

use crate::code::Code;
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::list::{PART, of_list};
use crate::writer::memory::player_hash;
use crate::writer::transaction::Transaction;

impl Transaction<'_> {
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

    /// The key of a word; 0 if it is absent.
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

    /// The key of a fleet, whether it was listed or only named by something else.
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

    /// Looks up the players that are not remembered, in few statements, and assigns keys to the new ones.
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
            for part in list.chunks(PART) {
                let query = of_list(
                    "SELECT player_key, id FROM player WHERE id IN ({list})",
                    part.iter().map(|player| Code::encode(player.as_str())),
                );
                for row in query.fetch_all(self.read().await?).await? {
                    let hash = player_hash(&row.read("id")?);
                    unknown.remove(&hash);
                    self.memory.players.insert(hash, row.read("player_key")?);
                }
            }
        }
        // In the order of their index, because neighbours share its pages.
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

    /// The key of a player that [`Self::know_players`] has looked up.
    pub(super) fn player_key(&self, player: &PlayerId) -> Result<i64, StoreError> {
        self.memory
            .players
            .get(&player_hash(player))
            .copied()
            .ok_or_else(|| StoreError::Unreadable { what: "a player without a key".to_owned() })
    }
}

//! An index of game properties for lists: which sessions have which pair of key and value.
//!
//! Owns `property_pair` and `game_session_property`. The properties of a session themselves, in the service's order,
//! are kept in its text; these rows only lead to it.

use rustc_hash::FxHashMap;

use crate::column::Columns as _;
use crate::error::StoreError;
use crate::list::{PART, placeholders};
use crate::writer::memory::pair_hash;
use crate::writer::transaction::Transaction;

/// Selects the pairs that the sessions of a list have; the list's placeholders go in the middle.
const PAIRS_OF: (&str, &str) = (
    "FROM game_session_text t CROSS JOIN json_each(t.game_properties) p CROSS JOIN property_pair r \
     ON r.name = json_extract(p.value, '$[0]') AND r.value = json_extract(p.value, '$[1]') COLLATE NOCASE \
     WHERE t.session_key IN (",
    ") AND t.game_properties IS NOT NULL",
);

impl Transaction<'_> {
    /// Moves the gathered properties into the sheets and assigns keys to new pairs.
    pub(super) async fn file_properties(&mut self) -> Result<(), StoreError> {
        let unfiled = std::mem::take(&mut self.unfiled);
        let mut unknown: FxHashMap<u128, (&str, &str)> = FxHashMap::default();
        let mut rows: Vec<(u128, i64)> = Vec::with_capacity(unfiled.len() * 4);
        for (session_key, pairs) in &unfiled {
            for (name, value) in pairs {
                let hash = pair_hash(name, value);
                if !self.memory.pairs.contains_key(&hash) {
                    unknown.insert(hash, (name, value));
                }
                rows.push((hash, *session_key));
            }
        }
        self.know_pairs(unknown).await?;
        for (hash, session_key) in rows {
            let key = self.memory.pairs.get(&hash).copied();
            let key =
                key.ok_or_else(|| StoreError::Unreadable { what: "a property without a key".to_owned() })?;
            self.sheets.properties.push(key)?;
            self.sheets.properties.push(session_key)?;
        }
        self.send_if_full().await
    }

    /// Looks up the pairs that are not remembered, in few statements, and assigns keys to the new ones.
    async fn know_pairs(&mut self, mut unknown: FxHashMap<u128, (&str, &str)>) -> Result<(), StoreError> {
        if !self.memory.all_pairs {
            let list: Vec<(&str, &str)> = unknown.values().copied().collect();
            for part in list.chunks(PART) {
                // NOCASE lets SQLite use the index; the hash then identifies the exact pair.
                let statement = format!(
                    "WITH wanted (name, value) AS (VALUES {}) SELECT r.pair_key, r.name, r.value FROM wanted w \
                     CROSS JOIN property_pair r ON r.name = w.name AND r.value = w.value COLLATE NOCASE",
                    vec!["(?, ?)"; part.len()].join(", ")
                );
                let mut query = sqlx::query(sqlx::AssertSqlSafe(statement)).persistent(part.len() == PART);
                for (name, value) in part {
                    query = query.bind(*name).bind(*value);
                }
                for row in query.fetch_all(self.read().await?).await? {
                    let hash = pair_hash(row.text("name")?, row.text("value")?);
                    unknown.remove(&hash);
                    self.memory.pairs.insert(hash, row.read("pair_key")?);
                }
            }
        }
        for (hash, (name, value)) in unknown {
            let key = self.memory.next_key("property_pair");
            self.sheets.pairs.push(key)?;
            self.sheets.pairs.push(name.to_owned())?;
            self.sheets.pairs.push(value.to_owned())?;
            self.memory.pairs.insert(hash, key);
        }
        Ok(())
    }

    /// Deletes the rows of sessions whose texts are about to change or be deleted, and the pairs that no session has
    /// any more.
    pub(super) async fn unfile_properties(&mut self, session_keys: &[i64]) -> Result<(), StoreError> {
        let list = placeholders(session_keys.len());
        let statement = format!("SELECT DISTINCT r.pair_key {}{list}{}", PAIRS_OF.0, PAIRS_OF.1);
        let mut query = sqlx::query_scalar::<_, i64>(sqlx::AssertSqlSafe(statement)).persistent(false);
        for key in session_keys {
            query = query.bind(*key);
        }
        let pairs = query.fetch_all(self.read().await?).await?;
        let mut orphans = 0;
        for part in pairs.chunks(PART) {
            let in_pairs = placeholders(part.len());
            let statements = [
                format!(
                    "DELETE FROM game_session_property WHERE pair_key IN ({in_pairs}) AND session_key IN ({list})"
                ),
                format!(
                    "DELETE FROM property_pair WHERE pair_key IN ({in_pairs}) AND NOT EXISTS \
                     (SELECT 1 FROM game_session_property q WHERE q.pair_key = property_pair.pair_key)"
                ),
            ];
            for (statement, sessions) in statements.into_iter().zip([session_keys, &[]]) {
                let mut query = sqlx::query(sqlx::AssertSqlSafe(statement)).persistent(false);
                for key in part.iter().chain(sessions) {
                    query = query.bind(*key);
                }
                let connection = self.write().await?;
                let rows = query.execute(connection).await?.rows_affected();
                orphans = if sessions.is_empty() { orphans + rows } else { orphans };
            }
        }
        if orphans > 0 {
            self.memory.forget_pairs();
        }
        Ok(())
    }
}

//! Game sessions: compares what a listing says with what is remembered.
//!
//! Owns the rows of `game_session`, its state, texts and transitions. Deliberately marks a session as gone only when
//! told so: a listing of sessions is a page, so a session missing from it proves nothing.

use liftdeck_model::game_session::{GameProperty, GameSession, GameSessionEnding, GameSessionStatus};
use liftdeck_model::observation::Subject;
use liftdeck_model::{FleetId, GameSessionId};
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::Xxh3;

use crate::bulk::Bulk;
use crate::code::Code;
use crate::column::Columns as _;
use crate::ending;
use crate::error::StoreError;
use crate::list::{PART, of_list};
use crate::reader::split_arn;
use crate::writer::memory::{SESSION_COLUMNS, Session, SessionState, session_hash};
use crate::writer::transaction::Transaction;

/// A value of a transition: a count or a text.
enum Value<'v> {
    Count(i32),
    Text(Option<&'v str>),
}

impl Transaction<'_> {
    /// Looks up the sessions that are not remembered, in few statements.
    pub(super) async fn know_sessions(&mut self, ids: &[&GameSessionId]) -> Result<(), StoreError> {
        if self.memory.all_sessions {
            return Ok(());
        }
        let unknown: Vec<Code> = ids
            .iter()
            .filter(|id| !self.memory.sessions.contains_key(&session_hash(id)))
            .map(|id| split_arn(id).1)
            .collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let prefixes: FxHashMap<i64, String> =
            self.memory.prefixes.iter().map(|(text, key)| (*key, text.clone())).collect();
        let statement = format!(
            "SELECT {SESSION_COLUMNS} FROM game_session JOIN game_session_state USING (session_key) WHERE id IN ({{list}})"
        );
        for part in unknown.chunks(PART) {
            let query = of_list(&statement, part.iter().cloned());
            for row in query.fetch_all(self.read().await?).await? {
                self.memory.remember_session(&row, &prefixes)?;
            }
        }
        Ok(())
    }

    /// Stores sessions in any state. [`Self::know_sessions`] must have looked them up.
    pub(super) async fn game_sessions(&mut self, sessions: &[GameSession]) -> Result<(), StoreError> {
        for session in sessions {
            self.game_session(session).await?;
        }
        self.file_properties().await?;
        self.settle_unexplained().await
    }

    async fn game_session(&mut self, seen: &GameSession) -> Result<(), StoreError> {
        let hash = session_hash(&seen.game_session_id);
        let known = self.memory.sessions.get(&hash).copied();
        let (fingerprint, named) = fingerprints(seen);
        let protection = match &seen.protection_policy {
            Some(policy) => self.word(policy.as_str()).await?,
            // Absent means "not asked": the value from another call still holds.
            None => known.map_or(0, |known| known.state.protection),
        };
        let told = known.and_then(|known| known.state.ending);
        let state = SessionState {
            status: self.word(seen.status.as_str()).await?,
            reason: self.word_or_none(seen.status_reason.as_ref().map(|reason| reason.as_str())).await?,
            policy: self.word_or_none(seen.player_session_creation_policy.as_deref()).await?,
            protection,
            gateway: self.word_or_none(seen.player_gateway_status.as_deref()).await?,
            location: match &seen.location {
                Some(location) => self.location_key(location).await?,
                None => 0,
            },
            ended_at: seen.termination_time.map(|at| at.as_ms()),
            players: seen.current_player_session_count,
            maximum: seen.maximum_player_session_count,
            ending: self.ending_of(seen, hash, told),
        };
        let live = seen.status.is_live();
        if let Some(known) = &known {
            if seen.status == GameSessionStatus::Activating && known.state.status == state.status {
                self.sheets.activating.push(known.key)?;
                self.sheets.activating.push(self.at)?;
            }
            if known.fingerprint == fingerprint && known.state == state && !known.gone {
                return Ok(());
            }
            let renamed = fingerprint != known.fingerprint && named != known.named;
            self.transitions(known, seen, state, renamed).await?;
        }
        let key = match &known {
            Some(known) => known.key,
            None => self.memory.next_key("game_session"),
        };
        let fleet_key = self.fleet_key(&seen.fleet_id).await?;
        if known.is_none_or(|known| known.fingerprint != fingerprint) {
            self.seldom_changing(key, fleet_key, seen, known.is_some()).await?;
        }
        let none = |key: i64| (key != 0).then_some(key);
        let states = self.sheets.states.rows(known.is_some());
        states.push(key)?;
        states.push(fleet_key)?;
        states.push(none(state.location))?;
        states.push(seen.creation_time.as_ms())?;
        states.push(state.ended_at)?;
        states.push(live)?;
        states.push(state.status)?;
        states.push(none(state.reason))?;
        states.push(state.players)?;
        states.push(state.maximum)?;
        states.push(none(state.policy))?;
        states.push(none(state.protection))?;
        states.push(none(state.gateway))?;
        states.push(self.at)?;
        states.push(None::<i64>)?;
        states.push(fingerprint.cast_signed())?;
        states.push(state.ending.map(ending::key))?;
        if state.ending == Some(GameSessionEnding::Normal) && told.is_none() {
            self.note_unexplained(fleet_key, seen);
        }
        if known.is_none_or(|known| known.state.players != state.players || known.live != live) {
            self.tally.player_counts_changed.push(seen.game_session_id.clone());
        }
        if known.is_none() {
            // A new session has no player rows, so they need not be looked up.
            self.memory.slots.insert(key, Vec::new());
        }
        self.memory.sessions.insert(hash, Session { key, live, gone: false, state, fingerprint, named });
        self.tally.count("game_sessions", 1, Subject::GameSessions);
        self.send_if_full().await
    }

    async fn seldom_changing(
        &mut self,
        key: i64,
        fleet_key: i64,
        seen: &GameSession,
        known: bool,
    ) -> Result<(), StoreError> {
        let (prefix, id) = split_arn(&seen.game_session_id);
        let prefix_key = self.prefix_key(prefix).await?;
        let sessions = self.sheets.sessions.rows(known);
        sessions.push(key)?;
        sessions.push(id)?;
        sessions.push(prefix_key)?;
        sessions.push(fleet_key)?;
        sessions.push(seen.name.clone())?;
        sessions.push(seen.creator_id.clone())?;
        sessions.push(seen.ip_address.clone())?;
        sessions.push(seen.dns_name.clone())?;
        sessions.push(seen.port)?;
        sessions.push(seen.compute_name.clone())?;
        sessions.push(self.at)?;
        let properties = properties_text(seen)?;
        if properties.is_some() {
            let pair = |property: &GameProperty| (property.key.clone(), property.value.clone());
            self.unfiled.push((key, seen.game_properties.iter().map(pair).collect()));
        }
        let data = seen.game_session_data.as_deref().map(|text| self.packer.pack(text));
        let matchmaker = seen.matchmaker_data.as_deref().map(|text| self.packer.pack(text));
        let texts = self.sheets.texts.rows(known);
        // A text that was removed must be removed here too, so a known session always writes its row.
        if known || properties.is_some() || data.is_some() || matchmaker.is_some() {
            texts.push(key)?;
            texts.push(properties)?;
            texts.push(data)?;
            texts.push(matchmaker)?;
        }
        Ok(())
    }

    async fn transitions(
        &mut self,
        known: &Session,
        seen: &GameSession,
        state: SessionState,
        renamed: bool,
    ) -> Result<(), StoreError> {
        let before = known.state;
        if before.players != state.players {
            self.transition(
                known.key,
                "players",
                &Value::Count(before.players),
                &Value::Count(state.players),
            )?;
        }
        if before.maximum != state.maximum {
            self.transition(
                known.key,
                "maximum_players",
                &Value::Count(before.maximum),
                &Value::Count(state.maximum),
            )?;
        }
        for (field, before, after) in [
            ("status", before.status, state.status),
            ("policy", before.policy, state.policy),
            ("protection", before.protection, state.protection),
        ] {
            // Only one API call returns the protection, so seeing it for the first time is not a change.
            if before != after && !(field == "protection" && before == 0) {
                let text = |key: i64| {
                    self.memory.words.iter().find(|(_, of)| **of == key).map(|(text, _)| text.clone())
                };
                let (before, after) = (text(before), text(after));
                self.transition(
                    known.key,
                    field,
                    &Value::Text(before.as_deref()),
                    &Value::Text(after.as_deref()),
                )?;
            }
        }
        if known.gone {
            self.transition(known.key, "gone", &Value::Text(Some("gone")), &Value::Text(None))?;
        }
        if renamed {
            self.named_transitions(known.key, seen).await?;
        }
        Ok(())
    }

    /// Records transitions of the name and the properties, which are not remembered, so the previous values are read
    /// from the row.
    async fn named_transitions(&mut self, key: i64, seen: &GameSession) -> Result<(), StoreError> {
        // The row may not be written yet within this group.
        self.file_properties().await?;
        self.send().await?;
        let row = sqlx::query(
            "SELECT name, game_properties FROM game_session LEFT JOIN game_session_text USING (session_key) WHERE session_key = ?",
        )
        .bind(key)
        .fetch_one(self.read().await?)
        .await?;
        let (name, properties): (Option<String>, Option<String>) =
            (row.read("name")?, row.read("game_properties")?);
        if name != seen.name {
            self.transition(key, "name", &Value::Text(name.as_deref()), &Value::Text(seen.name.as_deref()))?;
        }
        let seen_properties = properties_text(seen)?;
        if properties != seen_properties {
            self.unfile_properties(&[key]).await?;
            let after = Value::Text(seen_properties.as_deref());
            self.transition(key, "properties", &Value::Text(properties.as_deref()), &after)?;
        }
        Ok(())
    }

    fn transition(
        &mut self,
        key: i64,
        field: &'static str,
        before: &Value<'_>,
        after: &Value<'_>,
    ) -> Result<(), StoreError> {
        let changes = &mut self.sheets.session_changes;
        changes.push(key)?;
        changes.push(self.at)?;
        changes.push(field)?;
        for value in [before, after] {
            match value {
                Value::Count(count) => changes.push(*count)?,
                Value::Text(text) => changes.push(text.map(str::to_owned))?,
            }
        }
        self.tally.count("game_session_changes", 1, Subject::GameSessions);
        Ok(())
    }

    /// Replaces what was said of the live sessions of a fleet that were not listed.
    pub(super) async fn game_sessions_unlisted(
        &mut self,
        fleet: &FleetId,
        ids: &[GameSessionId],
    ) -> Result<(), StoreError> {
        let fleet_key = self.fleet_key(fleet).await?;
        if ids.is_empty() && !self.memory.unlisted.contains(&fleet_key) {
            return Ok(());
        }
        let connection = self.write().await?;
        sqlx::query("DELETE FROM game_session_unlisted WHERE fleet_key = ?")
            .bind(fleet_key)
            .execute(&mut *connection)
            .await?;
        self.memory.unlisted.remove(&fleet_key);
        let mut unlisted = Bulk::insert("game_session_unlisted (session_key, fleet_key)");
        for id in ids {
            if let Some(known) = self.memory.sessions.get(&session_hash(id)) {
                unlisted.push(known.key)?;
                unlisted.push(fleet_key)?;
                self.memory.unlisted.insert(fleet_key);
            }
        }
        unlisted.send(self.write().await?).await?;
        self.tally.count("game_sessions_unlisted", 1, Subject::GameSessions);
        Ok(())
    }

    /// Marks a session that GameLift no longer knows as ended, and its players too. When they ended was not seen.
    pub(super) async fn game_session_gone(&mut self, id: &GameSessionId) -> Result<(), StoreError> {
        let hash = session_hash(id);
        let Some(known) = self.memory.sessions.get(&hash).copied().filter(|known| known.live && !known.gone)
        else {
            return Ok(());
        };
        self.send().await?;
        self.transition(known.key, "gone", &Value::Text(None), &Value::Text(Some("gone")))?;
        let at = self.at;
        let ending = self.ending_of_gone(id);
        let connection = self.write().await?;
        sqlx::query(
            "UPDATE game_session_state SET live = 0, gone_at = ?1, changed_at = ?1, ending = ?3 WHERE session_key = ?2",
        )
        .bind(at)
        .bind(known.key)
        .bind(ending::key(ending))
        .execute(&mut *connection)
        .await?;
        let slots = sqlx::query(
            "UPDATE player_session SET gone_at = ?1 WHERE session_key = ?2 AND gone_at IS NULL AND status IN (1, 10)",
        )
        .bind(at)
        .bind(known.key)
        .execute(connection)
        .await?
        .rows_affected();
        self.memory.slots.remove(&known.key);
        let state = SessionState { ending: Some(ending), ..known.state };
        self.memory.sessions.insert(hash, Session { live: false, gone: true, state, ..known });
        self.tally.count("game_sessions", 1, Subject::GameSessions);
        self.tally.count("player_sessions", slots, Subject::PlayerSessions);
        Ok(())
    }
}

fn properties_text(seen: &GameSession) -> Result<Option<String>, StoreError> {
    if seen.game_properties.is_empty() {
        return Ok(None);
    }
    let pairs: Vec<(&str, &str)> = seen
        .game_properties
        .iter()
        .map(|property| (property.key.as_str(), property.value.as_str()))
        .collect();
    serde_json::to_string(&pairs).map(Some).map_err(|error| StoreError::Unreadable {
        what: format!("properties of {}: {error}", seen.game_session_id),
    })
}

/// Fingerprints of everything that seldom changes, and of the name and properties alone. The first is kept on the
/// disk: changing the order of fields would only cost one needless write per session.
fn fingerprints(seen: &GameSession) -> (u64, u64) {
    let mut hash = Xxh3::new();
    field(&mut hash, seen.name.as_deref());
    for property in &seen.game_properties {
        field(&mut hash, Some(&property.key));
        field(&mut hash, Some(&property.value));
    }
    // 0 means "not known".
    let named = hash.digest().max(1);
    field(&mut hash, seen.creator_id.as_deref());
    field(&mut hash, seen.ip_address.as_deref());
    field(&mut hash, seen.dns_name.as_deref());
    field(&mut hash, seen.compute_name.as_deref());
    field(&mut hash, seen.game_session_data.as_deref());
    field(&mut hash, seen.matchmaker_data.as_deref());
    hash.update(&seen.port.unwrap_or(-1).to_le_bytes());
    (hash.digest(), named)
}

fn field(hash: &mut Xxh3, text: Option<&str>) {
    // The length keeps neighbouring fields apart; an absent field differs from an empty one.
    hash.update(&text.map_or(u64::MAX, |text| text.len() as u64).to_le_bytes());
    hash.update(text.unwrap_or_default().as_bytes());
}

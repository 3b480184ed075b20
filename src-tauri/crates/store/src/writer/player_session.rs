//! Player sessions: compares the slots of one game session with those remembered.
//!
//! Owns the rows of `player_session`. A slot that is missing from a complete listing stays (AWS keeps it 30 days);
//! only if it was live is it marked as ended, with its end unseen.

use liftdeck_model::GameSessionId;
use liftdeck_model::observation::{Listing, Subject};
use liftdeck_model::player_session::{PlayerSession, PlayerSessionStatus};
use liftdeck_model::{PlayerId, Timestamp};
use rustc_hash::{FxBuildHasher, FxHashSet};
use xxhash_rust::xxh3::xxh3_64;

use crate::code::Code;
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::list::{PART, of_list, placeholders};
use crate::writer::memory::{Slot, session_hash, slot_hash};
use crate::writer::transaction::Transaction;

impl Transaction<'_> {
    /// Looks up the slots and players that listings name, in few statements. Each listing comes with the hash of its
    /// game session.
    pub(super) async fn know_slots(
        &mut self,
        listings: &[(u128, &Listing<PlayerSession>)],
    ) -> Result<(), StoreError> {
        let mut keys: Vec<i64> = listings
            .iter()
            .filter_map(|(hash, _)| self.memory.sessions.get(hash))
            .map(|session| session.key)
            .filter(|key| !self.memory.slots.contains_key(key))
            .collect();
        keys.sort_unstable();
        keys.dedup();
        for part in keys.chunks(PART) {
            let query = of_list(
                "SELECT session_key, id, status, ended_at, gone_at FROM player_session WHERE session_key IN ({list})",
                part.iter(),
            );
            let rows = query.fetch_all(self.read().await?).await?;
            for key in part {
                self.memory.slots.insert(*key, Vec::new());
            }
            for row in rows {
                let status: i64 = row.read("status")?;
                let gone = row.read::<Option<i64>>("gone_at")?.is_some();
                let slot = Slot {
                    id: slot_hash(&row.read::<Code>("id")?.decode()),
                    state: slot_state(status, row.read("ended_at")?, gone),
                    live: !gone && (status == LIVE_WORDS[0] || status == LIVE_WORDS[1]),
                };
                self.memory.slots.entry(row.read("session_key")?).or_default().push(slot);
            }
        }
        let mut players: Vec<&PlayerId> = Vec::new();
        for (hash, listing) in listings {
            let session = self.memory.sessions.get(hash);
            let slots = session.and_then(|session| self.memory.slots.get(&session.key));
            let slots = slots.map(Vec::as_slice).unwrap_or_default();
            let known = |id: u64| slots.iter().any(|slot| slot.id == id);
            players.extend(
                listing
                    .items
                    .iter()
                    .filter(|item| slots.is_empty() || !known(slot_hash(item.player_session_id.as_str())))
                    .map(|item| &item.player_id),
            );
        }
        if players.is_empty() { Ok(()) } else { self.know_players(players).await }
    }

    /// Stores the player sessions of one game session. [`Self::know_slots`] must have looked up the listing.
    pub(super) async fn player_sessions(
        &mut self,
        id: &GameSessionId,
        listing: &Listing<PlayerSession>,
    ) -> Result<(), StoreError> {
        let Some(session_key) = self.memory.sessions.get(&session_hash(id)).map(|session| session.key) else {
            if !listing.complete {
                return self.player_sessions_alone(id, listing).await;
            }
            // Players are only polled for sessions that were listed, so an unknown session was deleted by retention.
            tracing::info!(session = id.short(), "Player sessions of an unknown game session are left out.");
            return Ok(());
        };
        let mut slots = self.memory.slots.remove(&session_key).unwrap_or_default();
        let outcome = self.merge_slots(session_key, &mut slots, listing).await;
        self.memory.slots.insert(session_key, slots);
        outcome?;
        if listing.complete {
            self.confirmed.push((id.clone(), session_key, Timestamp::from_ms(self.at)));
        }
        self.send_if_full().await
    }

    async fn merge_slots(
        &mut self,
        session_key: i64,
        slots: &mut Vec<Slot>,
        listing: &Listing<PlayerSession>,
    ) -> Result<(), StoreError> {
        let mut seen: FxHashSet<u64> =
            FxHashSet::with_capacity_and_hasher(listing.items.len(), FxBuildHasher);
        for item in &listing.items {
            let status = self.word(item.status.as_str()).await?;
            let ended_at = item.termination_time.map(Timestamp::as_ms);
            let slot = Slot {
                id: slot_hash(item.player_session_id.as_str()),
                state: slot_state(status, ended_at, false),
                live: item.status.is_live(),
            };
            seen.insert(slot.id);
            let known = slots.iter_mut().find(|known| known.id == slot.id);
            let new = known.is_none();
            match known {
                Some(known) if *known == slot => continue,
                Some(known) => *known = slot,
                None => slots.push(slot),
            }
            // A slot known by its hash is only updated, and an update does not touch the player.
            let player_key = if new { self.player_key(&item.player_id)? } else { 0 };
            let code = Code::encode(item.player_session_id.as_str());
            if new && let Some(text) = &item.player_data {
                let text = self.packer.pack(text);
                let texts = &mut self.sheets.slot_texts;
                texts.push(session_key)?;
                texts.push(code.clone())?;
                texts.push(text)?;
            }
            let rows = self.sheets.slots.rows(!new);
            rows.push(session_key)?;
            rows.push(code)?;
            rows.push(player_key)?;
            rows.push(item.creation_time.as_ms())?;
            rows.push(ended_at)?;
            rows.push(status)?;
            rows.push(None::<i64>)?;
            self.tally.count("player_sessions", 1, Subject::PlayerSessions);
        }
        if listing.complete && slots.iter().any(|slot| slot.live && !seen.contains(&slot.id)) {
            self.end_unseen(session_key, slots, listing, &seen).await?;
        }
        Ok(())
    }

    /// Marks the live slots that are missing from a complete listing as ended.
    async fn end_unseen(
        &mut self,
        session_key: i64,
        slots: &mut [Slot],
        listing: &Listing<PlayerSession>,
        seen: &FxHashSet<u64>,
    ) -> Result<(), StoreError> {
        self.send().await?;
        let statement = format!(
            "UPDATE player_session SET gone_at = ? WHERE session_key = ? AND gone_at IS NULL AND status IN (1, 10) \
             AND id NOT IN ({})",
            placeholders(listing.items.len())
        );
        let mut query =
            sqlx::query(sqlx::AssertSqlSafe(statement)).persistent(false).bind(self.at).bind(session_key);
        for item in &listing.items {
            query = query.bind(Code::encode(item.player_session_id.as_str()));
        }
        let connection = self.write().await?;
        let rows = query.execute(connection).await?.rows_affected();
        for slot in slots.iter_mut().filter(|slot| slot.live && !seen.contains(&slot.id)) {
            slot.live = false;
            slot.state = GONE;
        }
        self.tally.count("player_sessions", rows, Subject::PlayerSessions);
        Ok(())
    }
}

/// Word keys of the live states, fixed by the schema: ACTIVE and RESERVED.
const LIVE_WORDS: [i64; 2] = [1, 10];
/// State of a slot whose end was not seen. It differs from the state in any listing that has the slot again.
const GONE: u64 = 0;

fn slot_state(status: i64, ended_at: Option<i64>, gone: bool) -> u64 {
    if gone {
        return GONE;
    }
    let mut bytes = [0_u8; 16];
    let (front, back) = bytes.split_at_mut(8);
    front.copy_from_slice(&status.to_le_bytes());
    back.copy_from_slice(&ended_at.unwrap_or(i64::MIN).to_le_bytes());
    xxh3_64(&bytes)
}

// SQL names these two states by word key: if the live states change, the statements must change with them.
const _: () = assert!(PlayerSessionStatus::Reserved.is_live() && PlayerSessionStatus::Active.is_live());

//! Fleet events and placement events.
//!
//! Owns their rows. Delivery is at least once, so each event is recognised by the columns that identify it (unique in
//! the schema), and a repeated one adds no row.

use std::collections::HashSet;

use liftdeck_model::fleet::FleetEvent;
use liftdeck_model::observation::Subject;
use liftdeck_model::placement::PlacementEvent;
use liftdeck_model::{FleetId, GameSessionId, Timestamp};
use xxhash_rust::xxh3::Xxh3;

use crate::bulk::Bulk;
use crate::code::Code;
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::list::{PART, of_list};
use crate::reader::split_arn;
use crate::writer::transaction::Transaction;

impl Transaction<'_> {
    pub(super) async fn fleet_events(
        &mut self,
        fleet: &FleetId,
        events: &[FleetEvent],
    ) -> Result<(), StoreError> {
        let unseen: Vec<(u64, &FleetEvent)> = events
            .iter()
            .map(|event| (event_hash(event), event))
            .filter(|(hash, _)| !self.memory.events.contains(hash))
            .collect();
        if unseen.is_empty() {
            return Ok(());
        }
        let fleet_key = self.fleet_key(fleet).await?;
        // The newest report of an event wins: its count grows while it repeats.
        let mut bulk = Bulk::upsert(
            "fleet_event (fleet_key, event_id, event_code, message, event_at, count, has_log)",
            "ON CONFLICT (fleet_key, event_id) DO UPDATE SET count = excluded.count, message = excluded.message, \
             has_log = max(has_log, excluded.has_log) WHERE count <> excluded.count OR message IS NOT excluded.message \
             OR has_log < excluded.has_log",
        );
        for (_, event) in &unseen {
            bulk.push(fleet_key)?;
            bulk.push(Code::encode(&event.event_id))?;
            bulk.push(event.event_code.as_str().to_owned())?;
            bulk.push(event.message.clone())?;
            bulk.push(event.event_time.as_ms())?;
            bulk.push(event.count)?;
            bulk.push(event.has_log)?;
        }
        let connection = self.write().await?;
        let rows = bulk.send(connection).await?;
        self.memory.events.extend(unseen.iter().map(|(hash, _)| hash));
        self.tally.count("fleet_events", rows, Subject::Events);
        let events: Vec<&FleetEvent> = unseen.into_iter().map(|(_, event)| event).collect();
        self.endings_told(fleet_key, &events).await
    }

    pub(super) async fn placement_events(&mut self, events: &[PlacementEvent]) -> Result<(), StoreError> {
        let mut present: HashSet<(String, i64)> = HashSet::new();
        for part in events.chunks(PART) {
            let query = of_list(
                "SELECT placement_id, event_type FROM placement_event WHERE placement_id IN ({list})",
                part.iter().map(|event| event.placement_id.as_str()),
            );
            for row in query.fetch_all(self.read().await?).await? {
                present.insert((row.read("placement_id")?, row.read("event_type")?));
            }
        }
        let mut new = Vec::new();
        for event in events {
            let event_type = self.word(event.event_type.as_str()).await?;
            if present.insert((event.placement_id.as_str().to_owned(), event_type)) {
                new.push((event, event_type));
            } else {
                self.tally.duplicates += 1;
            }
        }
        if new.is_empty() {
            return Ok(());
        }
        self.know_players(
            new.iter()
                .flat_map(|(event, _)| &event.placed_player_sessions)
                .map(|slot| &slot.player_id)
                .collect(),
        )
        .await?;
        let mut rows = Bulk::insert(
            "placement_event (event_key, placement_id, event_type, event_id, queue, region_key, event_at, \
             start_at, end_at, session_prefix_key, session_id, session_region, location_key, fleet_key, ip_address, \
             dns_name, port, compute_name, custom_event_data, players)",
        );
        let mut players = Bulk::upsert(
            "placement_player (event_key, player_key, player_session_id)",
            "ON CONFLICT DO NOTHING",
        );
        for (event, event_type) in &new {
            let key = self.memory.next_key("placement_event");
            let (prefix_key, session) = self.session_parts(event.game_session_id.as_ref()).await?;
            let fleet_key = match event.game_session_id.as_ref().and_then(GameSessionId::fleet_id) {
                Some(fleet) => Some(self.fleet_key(&fleet).await?),
                None => None,
            };
            let location_key = match &event.game_session_location {
                Some(location) => Some(self.location_key(location).await?),
                None => None,
            };
            rows.push(key)?;
            rows.push(event.placement_id.as_str().to_owned())?;
            rows.push(*event_type)?;
            rows.push(event.event_id.clone())?;
            rows.push(event.queue.as_str().to_owned())?;
            rows.push(self.region_key(event.region.as_str()).await?)?;
            rows.push(event.event_time.as_ms())?;
            rows.push(event.start_time.map(Timestamp::as_ms))?;
            rows.push(event.end_time.map(Timestamp::as_ms))?;
            rows.push(prefix_key)?;
            rows.push(session)?;
            rows.push(event.game_session_region.as_ref().map(|region| region.as_str().to_owned()))?;
            rows.push(location_key)?;
            rows.push(fleet_key)?;
            rows.push(event.ip_address.clone())?;
            rows.push(event.dns_name.clone())?;
            rows.push(event.port)?;
            rows.push(event.compute_name.clone())?;
            rows.push(event.custom_event_data.clone())?;
            rows.push(i64::try_from(event.placed_player_sessions.len()).unwrap_or(i64::MAX))?;
            for slot in &event.placed_player_sessions {
                players.push(key)?;
                players.push(self.player_key(&slot.player_id)?)?;
                players.push(Code::encode(slot.player_session_id.as_str()))?;
            }
        }
        let connection = self.write().await?;
        let written = rows.send(&mut *connection).await?;
        players.send(connection).await?;
        self.sum_placements(&new).await?;
        self.sum_placement_days(&new).await?;
        self.tally.count("placement_events", written, Subject::Placements);
        Ok(())
    }

    pub(super) async fn session_parts(
        &mut self,
        id: Option<&GameSessionId>,
    ) -> Result<(Option<i64>, Option<Code>), StoreError> {
        let Some(id) = id else { return Ok((None, None)) };
        let (prefix, code) = split_arn(id);
        Ok((Some(self.prefix_key(prefix).await?), Some(code)))
    }
}

fn event_hash(event: &FleetEvent) -> u64 {
    let mut hash = Xxh3::new();
    for text in [event.fleet_id.as_str(), &event.event_id, event.message.as_deref().unwrap_or_default()] {
        hash.update(&(text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    }
    hash.update(&event.count.to_le_bytes());
    hash.update(&[u8::from(event.has_log)]);
    hash.digest()
}

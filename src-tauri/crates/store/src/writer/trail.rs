//! Writes calls that CloudTrail recorded, what it was asked for, and since when values were last confirmed.

use liftdeck_model::observation::{PollKind, PollSubject, Subject};
use liftdeck_model::trail::{TrailLook, TrailMark, TrailRecord};

use crate::bulk::Bulk;
use crate::code::Code;
use crate::error::StoreError;
use crate::writer::transaction::Transaction;

impl Transaction<'_> {
    pub(super) async fn trail_records(&mut self, records: &[TrailRecord]) -> Result<(), StoreError> {
        let mut unread = 0;
        let mut rows = Bulk::upsert(
            "trail_event (region_key, event_id, event_name, event_at, seen_at, is_read, document)",
            "ON CONFLICT (event_id) DO NOTHING",
        );
        for record in records {
            let region_key = match &record.call {
                Some(call) => self.region_key(call.region.as_str()).await?,
                None => self.region_key,
            };
            unread += u64::from(record.call.is_none());
            rows.push(region_key)?;
            rows.push(Code::encode(&record.event_id))?;
            rows.push(record.event_name.clone())?;
            rows.push(record.at.as_ms())?;
            rows.push(self.at)?;
            rows.push(record.call.is_some())?;
            rows.push(self.packer.pack(&record.raw))?;
        }
        if records.is_empty() {
            return Ok(());
        }
        let new = rows.send(self.write().await?).await?;
        self.tally.duplicates += (records.len() as u64).saturating_sub(new);
        self.tally.count("trail_events", new, Subject::Changes);
        // A look-up returns the same records again; they are counted once.
        self.tally.count("unread_trail_events", unread.min(new), Subject::Changes);
        Ok(())
    }

    pub(super) async fn trail_look(&mut self, look: &TrailLook, off_ms: i64) -> Result<(), StoreError> {
        let region_key = self.region_key(look.region.as_str()).await?;
        sqlx::query(
            "INSERT INTO trail_look (region_key, event_name, asked_at, from_at, to_at, is_denied) \
             VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET from_at = min(from_at, excluded.from_at), \
             to_at = max(to_at, excluded.to_at), is_denied = excluded.is_denied",
        )
        .bind(region_key)
        .bind(&look.event_name)
        .bind(look.asked_at.plus_ms(off_ms).as_ms())
        .bind(look.range.from.as_ms())
        .bind(look.range.to.as_ms())
        .bind(look.is_denied)
        .execute(self.write().await?)
        .await?;
        self.tally.count("trail_looks", 1, Subject::Changes);
        Ok(())
    }

    pub(super) async fn trail_mark(&mut self, mark: &TrailMark) -> Result<(), StoreError> {
        let region_key = self.region_key(mark.region.as_str()).await?;
        sqlx::query(
            "INSERT INTO trail_mark (region_key, begun_at, settled_at) VALUES (?, ?, ?) \
             ON CONFLICT (region_key) DO UPDATE SET settled_at = excluded.settled_at",
        )
        .bind(region_key)
        .bind(mark.begun_at.as_ms())
        .bind(mark.settled_at.as_ms())
        .execute(self.write().await?)
        .await?;
        Ok(())
    }

    /// When the records of this kind and owner were last read completely before this batch, in milliseconds.
    pub(super) fn last_confirmed(
        &self,
        kind: &str,
        fleet_key: Option<i64>,
        location_key: Option<i64>,
    ) -> Option<i64> {
        let id = |keys: &dyn Fn() -> Option<String>| keys().unwrap_or_default();
        let fleet = || {
            id(&|| {
                let key = fleet_key?;
                self.memory.fleets.iter().find(|(_, known)| **known == key).map(|(id, _)| id.clone())
            })
        };
        let is_home = || {
            location_key.is_some() && self.memory.locations.get(self.region.as_str()).copied() == location_key
        };
        let (kind, resource) = match kind {
            "fleet" => (PollKind::Fleets, String::new()),
            "fleet_location" => (PollKind::FleetLocations, fleet()),
            // The home location of every fleet is read by one call, each remote one by a call of its own.
            "fleet_capacity" if is_home() => (PollKind::FleetCapacity, String::new()),
            "fleet_capacity" => (PollKind::FleetCapacity, fleet()),
            "scaling_policy" => (PollKind::ScalingPolicies, fleet()),
            "runtime_configuration" | "port_settings" | "fleet_deployment" => {
                (PollKind::FleetConfiguration, fleet())
            }
            "queue" => (PollKind::Queues, String::new()),
            "alias" => (PollKind::Aliases, String::new()),
            "matchmaking_configuration" => (PollKind::MatchmakingConfigurations, String::new()),
            "matchmaking_rule_set" => (PollKind::MatchmakingRuleSets, String::new()),
            "build" => (PollKind::Builds, String::new()),
            "script" => (PollKind::Scripts, String::new()),
            _ => return None,
        };
        let line = self.ledger.line(&self.region, &PollSubject { kind, resource })?;
        line.confirmed_at.map(|at| at.as_ms())
    }
}

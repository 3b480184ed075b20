//! Instance counts and utilization of fleet locations: newest row, history of the settings, polled metric samples.
//!
//! Owns `fleet_capacity` and `fleet_utilization`. Changes of the limits and the desired count are kept as history in
//! `change`; counts that change all the time are kept as metric series under CloudWatch's names.

use liftdeck_model::fleet::{FleetCapacity, FleetUtilization};
use liftdeck_model::observation::Subject;
use liftdeck_model::{FleetId, Location};
use xxhash_rust::xxh3::xxh3_64;

use crate::column::Columns as _;
use crate::error::StoreError;
use crate::writer::resource::document;
use crate::writer::transaction::Transaction;

impl Transaction<'_> {
    pub(super) async fn fleet_capacity(&mut self, seen: &FleetCapacity) -> Result<(), StoreError> {
        let counts = [
            ("DesiredInstances", seen.desired),
            ("MinInstances", seen.minimum),
            ("MaxInstances", seen.maximum),
            ("PendingInstances", seen.pending),
            ("ActiveInstances", seen.active),
            ("IdleInstances", seen.idle),
            ("TerminatingInstances", seen.terminating),
        ];
        self.polled(&seen.fleet_id, &seen.location, &counts).await?;
        let fleet_key = self.fleet_key(&seen.fleet_id).await?;
        let location_key = self.location_key(&seen.location).await?;
        let fingerprint = xxh3_64(document(seen)?.as_bytes());
        let place = (fleet_key, location_key);
        if self.memory.capacity.get(&place) == Some(&fingerprint) {
            return Ok(());
        }
        let row = sqlx::query(
            "SELECT desired, minimum, maximum, pending, active, idle, terminating, zero_capacity_strategy, container_groups \
             FROM fleet_capacity WHERE fleet_key = ? AND location_key = ?",
        )
        .bind(fleet_key)
        .bind(location_key)
        .fetch_optional(self.read().await?)
        .await?;
        let groups = match &seen.container_groups {
            Some(groups) => Some(document(groups)?),
            None => None,
        };
        if let Some(row) = row {
            let mut same = row.read::<Option<String>>("zero_capacity_strategy")?
                == seen.zero_capacity_strategy
                && row.read::<Option<String>>("container_groups")? == groups;
            let fields = ["desired", "minimum", "maximum", "pending", "active", "idle", "terminating"];
            for ((_, after), field) in counts.iter().zip(fields) {
                let before: i32 = row.read(field)?;
                same &= before == *after;
                if before != *after && matches!(field, "desired" | "minimum" | "maximum") {
                    let (resource, location) = (seen.fleet_id.as_str(), seen.location.as_str());
                    let (before, after) = (before.to_string(), after.to_string());
                    let keys = (Some(fleet_key), Some(location_key));
                    self.change_row(
                        "fleet_capacity",
                        resource,
                        Some(location),
                        keys.0,
                        keys.1,
                        field,
                        Some(&before),
                        Some(&after),
                    )?;
                }
            }
            if same {
                self.memory.capacity.insert(place, fingerprint);
                return Ok(());
            }
        }
        let at = self.at;
        let connection = self.write().await?;
        sqlx::query(
            "INSERT INTO fleet_capacity (fleet_key, location_key, desired, minimum, maximum, pending, active, idle, \
             terminating, zero_capacity_strategy, container_groups, changed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) \
             ON CONFLICT (fleet_key, location_key) DO UPDATE SET desired = excluded.desired, minimum = excluded.minimum, \
             maximum = excluded.maximum, pending = excluded.pending, active = excluded.active, idle = excluded.idle, \
             terminating = excluded.terminating, zero_capacity_strategy = excluded.zero_capacity_strategy, \
             container_groups = excluded.container_groups, changed_at = excluded.changed_at",
        )
        .bind(fleet_key)
        .bind(location_key)
        .bind(seen.desired)
        .bind(seen.minimum)
        .bind(seen.maximum)
        .bind(seen.pending)
        .bind(seen.active)
        .bind(seen.idle)
        .bind(seen.terminating)
        .bind(&seen.zero_capacity_strategy)
        .bind(groups)
        .bind(at)
        .execute(connection)
        .await?;
        self.memory.capacity.insert(place, fingerprint);
        self.tally.count("fleet_capacity", 1, Subject::Capacity);
        Ok(())
    }

    pub(super) async fn fleet_utilization(&mut self, seen: &FleetUtilization) -> Result<(), StoreError> {
        let (processes, sessions) = (seen.active_server_process_count, seen.active_game_session_count);
        let counts = [
            ("ActiveServerProcesses", processes),
            ("ActiveGameSessions", sessions),
            ("CurrentPlayerSessions", seen.current_player_session_count),
            // A process without a session is available. There may briefly be more sessions than processes.
            ("AvailableGameSessions", processes.saturating_sub(sessions).max(0)),
        ];
        self.polled(&seen.fleet_id, &seen.location, &counts).await?;
        let fleet_key = self.fleet_key(&seen.fleet_id).await?;
        let location_key = self.location_key(&seen.location).await?;
        let fingerprint = xxh3_64(document(seen)?.as_bytes());
        if self.memory.utilization.get(&(fleet_key, location_key)) == Some(&fingerprint) {
            return Ok(());
        }
        let at = self.at;
        let connection = self.write().await?;
        let rows = sqlx::query(
            "INSERT INTO fleet_utilization (fleet_key, location_key, active_server_process_count, \
             active_game_session_count, current_player_session_count, maximum_player_session_count, changed_at) \
             VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (fleet_key, location_key) DO UPDATE SET \
             active_server_process_count = excluded.active_server_process_count, \
             active_game_session_count = excluded.active_game_session_count, \
             current_player_session_count = excluded.current_player_session_count, \
             maximum_player_session_count = excluded.maximum_player_session_count, changed_at = excluded.changed_at \
             WHERE active_server_process_count <> excluded.active_server_process_count \
             OR active_game_session_count <> excluded.active_game_session_count \
             OR current_player_session_count <> excluded.current_player_session_count \
             OR maximum_player_session_count <> excluded.maximum_player_session_count",
        )
        .bind(fleet_key)
        .bind(location_key)
        .bind(processes)
        .bind(sessions)
        .bind(seen.current_player_session_count)
        .bind(seen.maximum_player_session_count)
        .bind(at)
        .execute(connection)
        .await?
        .rows_affected();
        self.memory.utilization.insert((fleet_key, location_key), fingerprint);
        self.tally.count("fleet_utilization", rows, Subject::Capacity);
        Ok(())
    }

    async fn polled(
        &mut self,
        fleet: &FleetId,
        location: &Location,
        counts: &[(&str, i32)],
    ) -> Result<(), StoreError> {
        for (name, count) in counts {
            self.polled_sample(fleet, location, name, f64::from(*count)).await?;
        }
        Ok(())
    }
}

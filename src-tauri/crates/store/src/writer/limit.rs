//! Writes the account's instance limits: each answer replaces what is kept of its location.

use std::collections::BTreeMap;

use liftdeck_model::Location;
use liftdeck_model::fleet::InstanceLimit;
use liftdeck_model::observation::Subject;

use crate::bulk::Bulk;
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::writer::transaction::Transaction;

impl Transaction<'_> {
    pub(super) async fn instance_limits(
        &mut self,
        location: &Location,
        limits: &[InstanceLimit],
    ) -> Result<(), StoreError> {
        let location_key = self.location_key(location).await?;
        let region_key = self.region_key;
        let kept = sqlx::query(
            "SELECT instance_type, current, most FROM instance_limit WHERE region_key = ? AND location_key = ?",
        )
        .bind(region_key)
        .bind(location_key)
        .fetch_all(self.read().await?)
        .await?;
        let mut before = BTreeMap::new();
        for row in &kept {
            before.insert(row.read::<String>("instance_type")?, (row.read("current")?, row.read("most")?));
        }
        let after: BTreeMap<String, (i32, i32)> = limits
            .iter()
            .filter(|limit| limit.location == *location)
            .map(|limit| (limit.instance_type.clone(), (limit.current, limit.limit)))
            .collect();
        if before == after {
            return Ok(());
        }
        let connection = self.write().await?;
        sqlx::query("DELETE FROM instance_limit WHERE region_key = ? AND location_key = ?")
            .bind(region_key)
            .bind(location_key)
            .execute(&mut *connection)
            .await?;
        let mut rows = Bulk::upsert(
            "instance_limit (region_key, location_key, instance_type, current, most)",
            "ON CONFLICT DO NOTHING",
        );
        for (instance_type, (current, most)) in &after {
            rows.push(region_key)?;
            rows.push(location_key)?;
            rows.push(instance_type.clone())?;
            rows.push(*current)?;
            rows.push(*most)?;
        }
        if !after.is_empty() {
            rows.send(connection).await?;
        }
        self.tally.count("instance_limits", after.len() as u64, Subject::Capacity);
        Ok(())
    }
}

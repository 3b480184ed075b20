//! Configuration: fleets, locations, computes, policies, queues, aliases … kept as documents, with their history.
//!
//! Owns the tables `resource`, `listing` and `change`. Seeing a record for the first time is not a change, but an alias
//! may say that it was changed shortly before. One that appears after its listing was once read to the end is an
//! addition, and only a complete listing can show that one is gone.

mod difference;
mod kind;
mod listing;

use std::collections::HashSet;

use liftdeck_model::Location;
use liftdeck_model::observation::Subject;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use self::difference::differences;
pub(super) use self::kind::ResourceKind;
use crate::error::StoreError;
use crate::writer::memory::Resource;
use crate::writer::transaction::Transaction;

/// A record as it goes into `resource`.
pub(super) struct Item<'r> {
    pub(super) id: String,
    pub(super) name: Option<&'r str>,
    pub(super) status: Option<&'r str>,
    pub(super) fleet_key: Option<i64>,
    pub(super) location: Option<&'r Location>,
    pub(super) document: String,
}

/// Returns the document of a record, as JSON.
pub(super) fn document<T: Serialize>(record: &T) -> Result<String, StoreError> {
    serde_json::to_string(record)
        .map_err(|error| StoreError::Unreadable { what: format!("a record to be kept: {error}") })
}

impl Transaction<'_> {
    /// Stores records of one kind and owner.
    pub(super) async fn resources(
        &mut self,
        kind: ResourceKind,
        owner_key: i64,
        items: &[Item<'_>],
        complete: bool,
    ) -> Result<(), StoreError> {
        let place = (kind, self.region_key, owner_key);
        let listed_before = self.memory.listings.contains(&place);
        for item in items {
            self.resource(kind, owner_key, item, listed_before).await?;
        }
        if !complete {
            return Ok(());
        }
        let present: HashSet<&str> = items.iter().map(|item| item.id.as_str()).collect();
        let region_key = self.region_key;
        let gone: Vec<(String, Resource)> = self
            .memory
            .resources
            .iter()
            .filter(|((of_kind, of_owner, of_region, id), resource)| {
                (*of_kind, *of_owner, *of_region) == (kind, owner_key, region_key)
                    && !resource.gone
                    && !present.contains(id.as_str())
            })
            .map(|((.., id), resource)| (id.clone(), *resource))
            .collect();
        for (id, resource) in gone {
            self.resource_gone(kind, owner_key, id, resource).await?;
        }
        if !listed_before {
            let at = self.at;
            let connection = self.write().await?;
            sqlx::query(
                "INSERT INTO listing (kind, region_key, owner_key, completed_at) VALUES (?, ?, ?, ?)",
            )
            .bind(kind.text())
            .bind(region_key)
            .bind(owner_key)
            .bind(at)
            .execute(connection)
            .await?;
            self.memory.listings.insert(place);
        }
        Ok(())
    }

    async fn resource(
        &mut self,
        kind: ResourceKind,
        owner_key: i64,
        item: &Item<'_>,
        listed_before: bool,
    ) -> Result<(), StoreError> {
        let name = (kind, owner_key, self.region_key, item.id.clone());
        let fingerprint = xxh3_64(item.document.as_bytes());
        let (at, region_key) = (self.at, self.region_key);
        match self.memory.resources.get(&name).copied() {
            Some(known) if known.fingerprint == fingerprint && !known.gone => return Ok(()),
            Some(known) => {
                let connection = self.write().await?;
                let before: String =
                    sqlx::query_scalar("SELECT document FROM resource WHERE resource_key = ?")
                        .bind(known.key)
                        .fetch_one(&mut *connection)
                        .await?;
                sqlx::query(
                    "UPDATE resource SET name = ?, status = ?, document = ?, fingerprint = ?, changed_at = ?, gone_at = NULL \
                     WHERE resource_key = ?",
                )
                .bind(item.name)
                .bind(item.status)
                .bind(&item.document)
                .bind(fingerprint.cast_signed())
                .bind(at)
                .bind(known.key)
                .execute(connection)
                .await?;
                if known.gone {
                    self.change(kind, item, "added", None, None).await?;
                }
                self.diff(kind, item, &before).await?;
                self.memory.resources.insert(name, Resource { fingerprint, gone: false, ..known });
            }
            None => {
                let key = self.memory.next_key("resource");
                let connection = self.write().await?;
                sqlx::query(
                    "INSERT INTO resource (resource_key, kind, region_key, owner_key, id, name, status, document, \
                     fingerprint, first_seen_at, changed_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10)",
                )
                .bind(key)
                .bind(kind.text())
                .bind(region_key)
                .bind(owner_key)
                .bind(&item.id)
                .bind(item.name)
                .bind(item.status)
                .bind(&item.document)
                .bind(fingerprint.cast_signed())
                .bind(at)
                .execute(connection)
                .await?;
                if listed_before {
                    self.change(kind, item, "added", None, None).await?;
                } else if kind == ResourceKind::Alias
                    && let Some(at) = difference::recently_updated(&item.document, at)
                {
                    self.change(kind, item, "last_updated_time", None, Some(&at)).await?;
                }
                self.memory.resources.insert(name, Resource { key, fingerprint, gone: false });
            }
        }
        if let (ResourceKind::Fleet, Some(fleet_key)) = (kind, item.fleet_key) {
            let connection = self.write().await?;
            sqlx::query(
                "UPDATE fleet SET region_key = ?, name = ?, status = ?, gone_at = NULL WHERE fleet_key = ?",
            )
            .bind(region_key)
            .bind(item.name)
            .bind(item.status)
            .bind(fleet_key)
            .execute(connection)
            .await?;
        }
        self.tally.count(kind.rows(), 1, kind.subject());
        Ok(())
    }

    async fn resource_gone(
        &mut self,
        kind: ResourceKind,
        owner_key: i64,
        id: String,
        known: Resource,
    ) -> Result<(), StoreError> {
        let at = self.at;
        let connection = self.write().await?;
        let (name, status): (Option<String>, Option<String>) =
            sqlx::query_as("UPDATE resource SET gone_at = ?1, changed_at = ?1 WHERE resource_key = ?2 RETURNING name, status")
                .bind(at)
                .bind(known.key)
                .fetch_one(&mut *connection)
                .await?;
        let mut fleet_key = (owner_key != 0).then_some(owner_key);
        if kind == ResourceKind::Fleet {
            sqlx::query("UPDATE fleet SET gone_at = ? WHERE fleet_id = ?")
                .bind(at)
                .bind(&id)
                .execute(connection)
                .await?;
            fleet_key = self.memory.fleets.get(&id).copied();
        }
        let location = (kind == ResourceKind::FleetLocation).then(|| Location::from(id.as_str()));
        let item = Item {
            name: name.as_deref(),
            status: status.as_deref(),
            fleet_key,
            location: location.as_ref(),
            document: String::new(),
            id,
        };
        self.change(kind, &item, "gone", status.as_deref(), None).await?;
        self.memory
            .resources
            .insert((kind, owner_key, self.region_key, item.id), Resource { gone: true, ..known });
        self.tally.count(kind.rows(), 1, kind.subject());
        Ok(())
    }

    /// Records which fields differ between two documents.
    async fn diff(&mut self, kind: ResourceKind, item: &Item<'_>, before: &str) -> Result<(), StoreError> {
        let found = differences(kind, before, &item.document)?;
        if let [(field, before, after)] = found.as_slice()
            && kind.is_trace(field)
        {
            return self.change(kind, item, field, before.as_deref(), after.as_deref()).await;
        }
        for (field, before, after) in found.iter().filter(|(field, ..)| !kind.restless(field)) {
            self.change(kind, item, field, before.as_deref(), after.as_deref()).await?;
        }
        Ok(())
    }

    async fn change(
        &mut self,
        kind: ResourceKind,
        item: &Item<'_>,
        field: &str,
        before: Option<&str>,
        after: Option<&str>,
    ) -> Result<(), StoreError> {
        if !kind.has_history() {
            return Ok(());
        }
        let location_key = match item.location {
            Some(location) => Some(self.location_key(location).await?),
            None => None,
        };
        let mut fleet_key = item.fleet_key;
        if kind.is_trace(field) {
            // An alias belongs to no fleet, but such a change concerns the fleet it leads to. Aliases may be read
            // before that fleet is.
            fleet_key = match difference::led_to(&item.document) {
                Some(fleet) => Some(self.fleet_key(&fleet).await?),
                None => None,
            };
        }
        self.change_row(kind.text(), &item.id, item.name, fleet_key, location_key, field, before, after)
    }

    /// Adds a row of history.
    #[expect(clippy::too_many_arguments, reason = "they are the columns of one row")]
    pub(super) fn change_row(
        &mut self,
        kind: &'static str,
        resource: &str,
        name: Option<&str>,
        fleet_key: Option<i64>,
        location_key: Option<i64>,
        field: &str,
        before: Option<&str>,
        after: Option<&str>,
    ) -> Result<(), StoreError> {
        let key = self.memory.next_key("change");
        let since = self.last_confirmed(kind, fleet_key, location_key);
        let changes = &mut self.sheets.changes;
        changes.push(key)?;
        changes.push(self.at)?;
        changes.push(self.region_key)?;
        changes.push(kind)?;
        changes.push(resource.to_owned())?;
        changes.push(name.map(str::to_owned))?;
        changes.push(fleet_key)?;
        changes.push(location_key)?;
        changes.push(field.to_owned())?;
        changes.push(before.map(str::to_owned))?;
        changes.push(after.map(str::to_owned))?;
        changes.push(since)?;
        self.tally.count("changes", 1, Subject::Changes);
        Ok(())
    }
}

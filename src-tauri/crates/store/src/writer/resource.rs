//! Configuration: fleets, locations, computes, policies, queues, aliases … kept as documents, with their history.
//!
//! Owns the tables `resource`, `listing` and `change`. The first sight of a record is not a change; one that appears
//! after its listing was once read to the end is an addition, and only a complete listing makes one gone.

use std::collections::HashSet;

use liftdeck_model::alias::Alias;
use liftdeck_model::container::FleetDeployment;
use liftdeck_model::content::{Build, Script};
use liftdeck_model::fleet::{
    Compute, Fleet, FleetLocation, IpPermission, RuntimeConfiguration, ScalingPolicy,
};
use liftdeck_model::matchmaking::MatchmakingConfiguration;
use liftdeck_model::observation::{Listing, Subject};
use liftdeck_model::queue::GameSessionQueue;
use liftdeck_model::{FleetId, Location};
use serde::Serialize;
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64;

use crate::error::StoreError;
use crate::writer::desk::Desk;
use crate::writer::memory::Resource;

/// Kinds of documents, as `resource.kind` spells them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ResourceKind {
    Fleet,
    FleetLocation,
    Compute,
    ScalingPolicy,
    RuntimeConfiguration,
    PortSettings,
    FleetDeployment,
    Queue,
    Alias,
    MatchmakingConfiguration,
    Build,
    Script,
}

impl ResourceKind {
    const ALL: [Self; 12] = [
        Self::Fleet,
        Self::FleetLocation,
        Self::Compute,
        Self::ScalingPolicy,
        Self::RuntimeConfiguration,
        Self::PortSettings,
        Self::FleetDeployment,
        Self::Queue,
        Self::Alias,
        Self::MatchmakingConfiguration,
        Self::Build,
        Self::Script,
    ];

    pub(super) const fn text(self) -> &'static str {
        match self {
            Self::Fleet => "fleet",
            Self::FleetLocation => "fleet_location",
            Self::Compute => "compute",
            Self::ScalingPolicy => "scaling_policy",
            Self::RuntimeConfiguration => "runtime_configuration",
            Self::PortSettings => "port_settings",
            Self::FleetDeployment => "fleet_deployment",
            Self::Queue => "queue",
            Self::Alias => "alias",
            Self::MatchmakingConfiguration => "matchmaking_configuration",
            Self::Build => "build",
            Self::Script => "script",
        }
    }

    pub(super) fn from_text(text: &str) -> Result<Self, StoreError> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.text() == text)
            .ok_or_else(|| StoreError::Unreadable { what: format!("resource.kind `{text}`") })
    }

    /// Name of the rows in [`crate::Written`].
    const fn rows(self) -> &'static str {
        match self {
            Self::Fleet => "fleets",
            Self::FleetLocation => "fleet_locations",
            Self::Compute => "computes",
            Self::ScalingPolicy => "scaling_policies",
            Self::RuntimeConfiguration => "runtime_configurations",
            Self::PortSettings => "port_settings",
            Self::FleetDeployment => "fleet_deployments",
            Self::Queue => "queues",
            Self::Alias => "aliases",
            Self::MatchmakingConfiguration => "matchmaking_configurations",
            Self::Build => "builds",
            Self::Script => "scripts",
        }
    }

    const fn subject(self) -> Subject {
        match self {
            Self::Queue => Subject::Queues,
            Self::Alias => Subject::Aliases,
            Self::MatchmakingConfiguration => Subject::Matchmaking,
            Self::Build | Self::Script => Subject::Builds,
            _ => Subject::Fleets,
        }
    }

    /// Whether its changes are history. Computes come and go all day; what matters of them is in the fleet events.
    const fn has_history(self) -> bool {
        !matches!(self, Self::Compute)
    }

    /// Fields that move without anybody changing a setting.
    fn restless(self, field: &str) -> bool {
        match self {
            Self::FleetLocation => field == "update_pending",
            Self::Alias => field == "last_updated_time",
            Self::ScalingPolicy => field == "update_status",
            _ => false,
        }
    }
}

/// A record as it goes into `resource`.
pub(super) struct Item<'r> {
    pub(super) id: String,
    pub(super) name: Option<&'r str>,
    pub(super) status: Option<&'r str>,
    pub(super) fleet_key: Option<i64>,
    pub(super) location: Option<&'r Location>,
    pub(super) document: String,
}

/// The document of a record.
pub(super) fn document<T: Serialize>(record: &T) -> Result<String, StoreError> {
    serde_json::to_string(record)
        .map_err(|error| StoreError::Unreadable { what: format!("a record to be kept: {error}") })
}

impl Desk<'_> {
    pub(super) async fn fleets(&mut self, listing: &Listing<Fleet>) -> Result<(), StoreError> {
        let mut items = Vec::with_capacity(listing.items.len());
        for fleet in &listing.items {
            items.push(Item {
                id: fleet.fleet_id.as_str().to_owned(),
                name: Some(fleet.display_name()),
                status: Some(fleet.status.as_str()),
                fleet_key: Some(self.fleet_key(&fleet.fleet_id).await?),
                location: None,
                document: document(fleet)?,
            });
        }
        self.resources(ResourceKind::Fleet, 0, &items, listing.complete).await
    }

    pub(super) async fn fleet_locations(
        &mut self,
        fleet: &FleetId,
        listing: &Listing<FleetLocation>,
    ) -> Result<(), StoreError> {
        let fleet_key = self.fleet_key(fleet).await?;
        let mut items = Vec::with_capacity(listing.items.len());
        for location in &listing.items {
            items.push(Item {
                id: location.location.as_str().to_owned(),
                name: Some(location.location.as_str()),
                status: Some(location.status.as_str()),
                fleet_key: Some(fleet_key),
                location: Some(&location.location),
                document: document(location)?,
            });
        }
        self.resources(ResourceKind::FleetLocation, fleet_key, &items, listing.complete).await
    }

    pub(super) async fn scaling_policies(
        &mut self,
        fleet: &FleetId,
        listing: &Listing<ScalingPolicy>,
    ) -> Result<(), StoreError> {
        let fleet_key = self.fleet_key(fleet).await?;
        let mut items = Vec::with_capacity(listing.items.len());
        for policy in &listing.items {
            items.push(Item {
                id: match &policy.location {
                    Some(location) => format!("{}@{location}", policy.name),
                    None => policy.name.clone(),
                },
                name: Some(&policy.name),
                status: policy.status.as_deref(),
                fleet_key: Some(fleet_key),
                location: policy.location.as_ref(),
                document: document(policy)?,
            });
        }
        self.resources(ResourceKind::ScalingPolicy, fleet_key, &items, listing.complete).await
    }

    pub(super) async fn runtime_configuration(
        &mut self,
        fleet: &FleetId,
        seen: &RuntimeConfiguration,
    ) -> Result<(), StoreError> {
        let fleet_key = self.fleet_key(fleet).await?;
        let item = Item {
            id: String::new(),
            name: None,
            status: None,
            fleet_key: Some(fleet_key),
            location: None,
            document: document(seen)?,
        };
        // One record a fleet, and it is never absent: nothing to call gone.
        self.resources(ResourceKind::RuntimeConfiguration, fleet_key, &[item], false).await
    }

    pub(super) async fn port_settings(
        &mut self,
        fleet: &FleetId,
        location: Option<&Location>,
        seen: &[IpPermission],
    ) -> Result<(), StoreError> {
        let fleet_key = self.fleet_key(fleet).await?;
        let item = Item {
            id: location.map(|location| location.as_str().to_owned()).unwrap_or_default(),
            name: None,
            status: None,
            fleet_key: Some(fleet_key),
            location,
            document: document(&seen)?,
        };
        self.resources(ResourceKind::PortSettings, fleet_key, &[item], false).await
    }

    pub(super) async fn computes(
        &mut self,
        fleet: &FleetId,
        listing: &Listing<Compute>,
    ) -> Result<(), StoreError> {
        let fleet_key = self.fleet_key(fleet).await?;
        let item = |seen: &Compute| {
            (seen.compute_name.clone(), Some(seen.compute_name.clone()), Some(seen.status.to_string()))
        };
        self.plain(ResourceKind::Compute, fleet_key, listing, item).await
    }

    pub(super) async fn fleet_deployments(
        &mut self,
        fleet: &FleetId,
        seen: &[FleetDeployment],
    ) -> Result<(), StoreError> {
        let fleet_key = self.fleet_key(fleet).await?;
        // Old deployments drop out of the listing; that says nothing about them.
        let listing = Listing::partial(seen.to_vec());
        let item = |seen: &FleetDeployment| (seen.deployment_id.clone(), None, Some(seen.status.clone()));
        self.plain(ResourceKind::FleetDeployment, fleet_key, &listing, item).await
    }

    pub(super) async fn queues(&mut self, listing: &Listing<GameSessionQueue>) -> Result<(), StoreError> {
        let item = |seen: &GameSessionQueue| (seen.name.to_string(), Some(seen.name.to_string()), None);
        self.plain(ResourceKind::Queue, 0, listing, item).await
    }

    pub(super) async fn aliases(&mut self, listing: &Listing<Alias>) -> Result<(), StoreError> {
        let item = |seen: &Alias| (seen.alias_id.to_string(), Some(seen.name.clone()), None);
        self.plain(ResourceKind::Alias, 0, listing, item).await
    }

    pub(super) async fn matchmaking_configurations(
        &mut self,
        listing: &Listing<MatchmakingConfiguration>,
    ) -> Result<(), StoreError> {
        let item = |seen: &MatchmakingConfiguration| (seen.name.clone(), Some(seen.name.clone()), None);
        self.plain(ResourceKind::MatchmakingConfiguration, 0, listing, item).await
    }

    pub(super) async fn builds(&mut self, listing: &Listing<Build>) -> Result<(), StoreError> {
        let item = |seen: &Build| (seen.build_id.to_string(), seen.name.clone(), Some(seen.status.clone()));
        self.plain(ResourceKind::Build, 0, listing, item).await
    }

    pub(super) async fn scripts(&mut self, listing: &Listing<Script>) -> Result<(), StoreError> {
        let item = |seen: &Script| (seen.script_id.to_string(), seen.name.clone(), None);
        self.plain(ResourceKind::Script, 0, listing, item).await
    }

    /// Takes in records that are named by an id, a name and a status alone.
    async fn plain<T: Serialize>(
        &mut self,
        kind: ResourceKind,
        owner_key: i64,
        listing: &Listing<T>,
        named: impl Fn(&T) -> (String, Option<String>, Option<String>),
    ) -> Result<(), StoreError> {
        let fleet_key = (owner_key != 0).then_some(owner_key);
        let names: Vec<_> = listing.items.iter().map(named).collect();
        let mut items = Vec::with_capacity(names.len());
        for (record, (id, name, status)) in listing.items.iter().zip(&names) {
            items.push(Item {
                id: id.clone(),
                name: name.as_deref(),
                status: status.as_deref(),
                fleet_key,
                location: None,
                document: document(record)?,
            });
        }
        self.resources(kind, owner_key, &items, listing.complete).await
    }

    /// Takes in records of one kind and owner.
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
        let parse = |text: &str| -> Result<Value, StoreError> {
            serde_json::from_str(text).map_err(|error| StoreError::Unreadable {
                what: format!("resource of kind {}: {error}", kind.text()),
            })
        };
        let mut differences = Vec::new();
        let top = if kind == ResourceKind::PortSettings { "inbound_permissions" } else { "" };
        differ(top, &parse(before)?, &parse(&item.document)?, &mut differences);
        for (field, before, after) in differences.iter().filter(|(field, ..)| !kind.restless(field)) {
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
        self.change_row(kind.text(), &item.id, item.name, item.fleet_key, location_key, field, before, after)
    }

    /// Adds a line of history.
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
        self.tally.count("changes", 1, Subject::Changes);
        Ok(())
    }
}

/// Fields compared as a whole although they are objects: their parts mean nothing alone.
const WHOLE: [&str; 1] = ["routing"];

fn differ(
    field: &str,
    before: &Value,
    after: &Value,
    out: &mut Vec<(String, Option<String>, Option<String>)>,
) {
    if before == after {
        return;
    }
    if let (Value::Object(before), Value::Object(after)) = (before, after)
        && !WHOLE.contains(&field)
    {
        let mut names: Vec<&String> = before.keys().chain(after.keys()).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let path = if field.is_empty() { name.clone() } else { format!("{field}.{name}") };
            differ(
                &path,
                before.get(name).unwrap_or(&Value::Null),
                after.get(name).unwrap_or(&Value::Null),
                out,
            );
        }
        return;
    }
    out.push((field.to_owned(), plain(before), plain(after)));
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_difference_names_the_innermost_field_and_both_values() {
        let mut found = Vec::new();
        let before = json!({"a": 1, "b": {"c": "x", "d": null}, "same": [1]});
        let after = json!({"a": 2, "b": {"c": "x", "d": "y"}, "same": [1]});
        differ("", &before, &after, &mut found);
        assert_eq!(
            found,
            [
                ("a".to_owned(), Some("1".to_owned()), Some("2".to_owned())),
                ("b.d".to_owned(), None, Some("y".to_owned())),
            ]
        );
    }

    #[test]
    fn a_routing_is_compared_whole() {
        let mut found = Vec::new();
        differ(
            "",
            &json!({"routing": {"simple": {"fleet_id": "f1"}}}),
            &json!({"routing": {"terminal": {"message": "m"}}}),
            &mut found,
        );
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].0, "routing");
    }
}

//! Turns the model's records into documents: their ids and names, and the fleet and location they belong to.

use liftdeck_model::alias::Alias;
use liftdeck_model::container::FleetDeployment;
use liftdeck_model::content::{Build, Script};
use liftdeck_model::fleet::{
    Compute, Fleet, FleetLocation, IpPermission, RuntimeConfiguration, ScalingPolicy,
};
use liftdeck_model::matchmaking::{MatchmakingConfiguration, MatchmakingRuleSet};
use liftdeck_model::observation::Listing;
use liftdeck_model::queue::GameSessionQueue;
use liftdeck_model::{FleetId, Location};
use serde::Serialize;

use super::{Item, ResourceKind, document};
use crate::error::StoreError;
use crate::writer::transaction::Transaction;

impl Transaction<'_> {
    pub(in crate::writer) async fn fleets(&mut self, listing: &Listing<Fleet>) -> Result<(), StoreError> {
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

    pub(in crate::writer) async fn fleet_locations(
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

    pub(in crate::writer) async fn scaling_policies(
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

    pub(in crate::writer) async fn runtime_configuration(
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
        // There is one record per fleet and it is never absent, so it cannot be gone.
        self.resources(ResourceKind::RuntimeConfiguration, fleet_key, &[item], false).await
    }

    pub(in crate::writer) async fn port_settings(
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

    pub(in crate::writer) async fn computes(
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

    pub(in crate::writer) async fn fleet_deployments(
        &mut self,
        fleet: &FleetId,
        seen: &[FleetDeployment],
    ) -> Result<(), StoreError> {
        let fleet_key = self.fleet_key(fleet).await?;
        // Old deployments drop out of the listing, which does not mean that they are gone.
        let listing = Listing::partial(seen.to_vec());
        let item = |seen: &FleetDeployment| (seen.deployment_id.clone(), None, Some(seen.status.clone()));
        self.plain(ResourceKind::FleetDeployment, fleet_key, &listing, item).await
    }

    pub(in crate::writer) async fn queues(
        &mut self,
        listing: &Listing<GameSessionQueue>,
    ) -> Result<(), StoreError> {
        let item = |seen: &GameSessionQueue| (seen.name.to_string(), Some(seen.name.to_string()), None);
        self.plain(ResourceKind::Queue, 0, listing, item).await
    }

    pub(in crate::writer) async fn aliases(&mut self, listing: &Listing<Alias>) -> Result<(), StoreError> {
        let item = |seen: &Alias| (seen.alias_id.to_string(), Some(seen.name.clone()), None);
        self.plain(ResourceKind::Alias, 0, listing, item).await
    }

    pub(in crate::writer) async fn matchmaking_configurations(
        &mut self,
        listing: &Listing<MatchmakingConfiguration>,
    ) -> Result<(), StoreError> {
        let item = |seen: &MatchmakingConfiguration| (seen.name.clone(), Some(seen.name.clone()), None);
        self.plain(ResourceKind::MatchmakingConfiguration, 0, listing, item).await
    }

    pub(in crate::writer) async fn matchmaking_rule_sets(
        &mut self,
        listing: &Listing<MatchmakingRuleSet>,
    ) -> Result<(), StoreError> {
        let item = |seen: &MatchmakingRuleSet| (seen.name.clone(), Some(seen.name.clone()), None);
        self.plain(ResourceKind::MatchmakingRuleSet, 0, listing, item).await
    }

    pub(in crate::writer) async fn builds(&mut self, listing: &Listing<Build>) -> Result<(), StoreError> {
        let item = |seen: &Build| (seen.build_id.to_string(), seen.name.clone(), Some(seen.status.clone()));
        self.plain(ResourceKind::Build, 0, listing, item).await
    }

    pub(in crate::writer) async fn scripts(&mut self, listing: &Listing<Script>) -> Result<(), StoreError> {
        let item = |seen: &Script| (seen.script_id.to_string(), seen.name.clone(), None);
        self.plain(ResourceKind::Script, 0, listing, item).await
    }

    /// Stores records that need only an id, a name and a status beside their document.
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
}

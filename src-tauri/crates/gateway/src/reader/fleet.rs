//! Fleets of all kinds, their locations, computes and events.

use std::collections::BTreeMap;

use aws_sdk_gamelift::primitives::DateTime;
use liftdeck_model::fleet::{Compute, ComputeKind, Fleet, FleetEvent, FleetLocation};
use liftdeck_model::{FleetId, Location, Timestamp};

use super::Reader;
use crate::error::GatewayError;
use crate::mapping::{container, fleet};
use crate::page::Reading;

impl Reader {
    /// Every fleet of the Region: managed EC2 and Anywhere (DescribeFleetAttributes) and container fleets
    /// (ListContainerFleets), each once.
    pub async fn fleets(&self) -> Reading<Fleet> {
        let region = self.region();
        let managed = self
            .list(
                "DescribeFleetAttributes",
                None,
                |token| self.gamelift().describe_fleet_attributes().set_next_token(token).send(),
                |answer| (answer.fleet_attributes, answer.next_token),
                |attributes| fleet::fleet(attributes, region),
            )
            .await;
        let containers = self
            .list(
                "ListContainerFleets",
                None,
                |token| self.gamelift().list_container_fleets().set_next_token(token).send(),
                |answer| (answer.container_fleets, answer.next_token),
                |found| container::fleet(found, region),
            )
            .await;
        let mut all = managed.and(containers);
        // The second listing has more details of a container fleet, so it wins if the first one ever includes it too.
        let unique: BTreeMap<FleetId, Fleet> =
            all.items.drain(..).map(|fleet| (fleet.fleet_id.clone(), fleet)).collect();
        all.items.extend(unique.into_values());
        all
    }

    /// One fleet of any kind; `None` when no fleet has this id.
    ///
    /// # Errors
    /// Any kind but `NotFound`.
    pub async fn fleet(&self, id: &FleetId) -> Result<Option<Fleet>, GatewayError> {
        if id.as_str().starts_with("containerfleet-") {
            let request = self.gamelift().describe_container_fleet().fleet_id(id.as_str());
            return self
                .find(
                    "DescribeContainerFleet",
                    id.as_str(),
                    || request.clone().send(),
                    |answer| answer.container_fleet,
                    |found| container::fleet(found, self.region()),
                )
                .await;
        }
        let request = self.gamelift().describe_fleet_attributes().fleet_ids(id.as_str());
        self.find(
            "DescribeFleetAttributes",
            id.as_str(),
            || request.clone().send(),
            |answer| answer.fleet_attributes.unwrap_or_default().into_iter().next(),
            |attributes| fleet::fleet(attributes, self.region()),
        )
        .await
    }

    /// Every location of a fleet, the home location included.
    pub async fn fleet_locations(&self, fleet: &FleetId) -> Reading<FleetLocation> {
        let request = self.gamelift().describe_fleet_location_attributes().fleet_id(fleet.as_str());
        self.list(
            "DescribeFleetLocationAttributes",
            Some(fleet.as_str()),
            |token| request.clone().set_next_token(token).send(),
            |answer| (answer.location_attributes, answer.next_token),
            fleet::location,
        )
        .await
    }

    /// Every compute of a fleet: DescribeInstances for managed EC2, called once per location because it covers only
    /// one; ListCompute for the others.
    pub async fn computes(
        &self,
        fleet: &FleetId,
        kind: ComputeKind,
        locations: &[Location],
    ) -> Reading<Compute> {
        match kind {
            ComputeKind::Ec2OnDemand | ComputeKind::Ec2Spot => {
                let mut all = Reading { items: Vec::new(), complete: true, failure: None };
                for location in locations {
                    all = all.and(self.instances(fleet, location).await);
                }
                all
            }
            ComputeKind::Container | ComputeKind::Anywhere => self.list_compute(fleet).await,
        }
    }

    async fn instances(&self, fleet: &FleetId, location: &Location) -> Reading<Compute> {
        // The home location is the call's default and can only be requested by leaving the location out.
        let remote = (location.as_str() != self.region().as_str()).then(|| location.as_str().to_owned());
        let request = self.gamelift().describe_instances().fleet_id(fleet.as_str()).set_location(remote);
        self.list(
            "DescribeInstances",
            Some(fleet.as_str()),
            |token| request.clone().set_next_token(token).send(),
            |answer| (answer.instances, answer.next_token),
            |instance| fleet::instance(instance, fleet, location),
        )
        .await
    }

    async fn list_compute(&self, fleet: &FleetId) -> Reading<Compute> {
        let request = self.gamelift().list_compute().fleet_id(fleet.as_str());
        let home = Location::from(self.region().as_str());
        self.list(
            "ListCompute",
            Some(fleet.as_str()),
            |token| request.clone().set_next_token(token).send(),
            |answer| (answer.compute_list, answer.next_token),
            |compute| fleet::compute(compute, fleet, &home),
        )
        .await
    }

    /// Events of a fleet since a moment, inclusive; without one, since the fleet's creation.
    pub async fn fleet_events(&self, fleet: &FleetId, since: Option<Timestamp>) -> Reading<FleetEvent> {
        let since = since.map(|since| DateTime::from_millis(since.as_ms()));
        let request = self.gamelift().describe_fleet_events().fleet_id(fleet.as_str()).set_start_time(since);
        self.list(
            "DescribeFleetEvents",
            Some(fleet.as_str()),
            |token| request.clone().set_next_token(token).send(),
            |answer| (answer.events, answer.next_token),
            |event| fleet::event(event, fleet),
        )
        .await
    }
}

//! Capacity and utilization. The fleet-wide calls cover the home Region only; each remote location needs a call of
//! its own.

use liftdeck_model::fleet::{FleetCapacity, FleetUtilization, InstanceLimit};
use liftdeck_model::{FleetId, Location};

use super::Reader;
use crate::error::{ErrorKind, GatewayError};
use crate::mapping::{Lacks, capacity};
use crate::page::Reading;

impl Reader {
    /// Home-Region capacity of every managed EC2 and container fleet of the Region.
    pub async fn fleet_capacities(&self) -> Reading<FleetCapacity> {
        let home = self.home();
        self.list(
            "DescribeFleetCapacity",
            None,
            |token| self.gamelift().describe_fleet_capacity().set_next_token(token).send(),
            |answer| (answer.fleet_capacity, answer.next_token),
            |found| capacity::capacity(found, &home),
        )
        .await
    }

    /// Capacity of one fleet in one location.
    ///
    /// # Errors
    /// Any kind; `NotFound` when the fleet has no such location.
    pub async fn fleet_location_capacity(
        &self,
        fleet: &FleetId,
        location: &Location,
    ) -> Result<FleetCapacity, GatewayError> {
        const OPERATION: &str = "DescribeFleetLocationCapacity";
        let request = self
            .gamelift()
            .describe_fleet_location_capacity()
            .fleet_id(fleet.as_str())
            .location(location.as_str());
        let answer = self.ask(OPERATION, Some(fleet.as_str()), || request.clone().send()).await?;
        answer
            .fleet_capacity
            .ok_or(Lacks("an answer", "FleetCapacity"))
            .and_then(|found| capacity::capacity(found, location))
            .map_err(|lacks| self.lacks(OPERATION, Some(fleet.as_str()), lacks))
    }

    /// Capacity of one fleet in one location, or in the home Region if none is named; `None` when there is no such
    /// fleet or location.
    ///
    /// # Errors
    /// Any kind but `NotFound`.
    pub async fn capacity(
        &self,
        fleet: &FleetId,
        location: Option<&Location>,
    ) -> Result<Option<FleetCapacity>, GatewayError> {
        let home = self.home();
        match self.fleet_location_capacity(fleet, location.unwrap_or(&home)).await {
            Ok(capacity) => Ok(Some(capacity)),
            Err(error) if error.kind == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Home-Region utilization of every managed EC2 fleet of the Region.
    pub async fn fleet_utilizations(&self) -> Reading<FleetUtilization> {
        let home = self.home();
        self.list(
            "DescribeFleetUtilization",
            None,
            |token| self.gamelift().describe_fleet_utilization().set_next_token(token).send(),
            |answer| (answer.fleet_utilization, answer.next_token),
            |found| capacity::utilization(found, &home),
        )
        .await
    }

    /// Utilization of one fleet in one location.
    ///
    /// # Errors
    /// Any kind; `NotFound` when the fleet has no such location.
    pub async fn fleet_location_utilization(
        &self,
        fleet: &FleetId,
        location: &Location,
    ) -> Result<FleetUtilization, GatewayError> {
        const OPERATION: &str = "DescribeFleetLocationUtilization";
        let request = self
            .gamelift()
            .describe_fleet_location_utilization()
            .fleet_id(fleet.as_str())
            .location(location.as_str());
        let answer = self.ask(OPERATION, Some(fleet.as_str()), || request.clone().send()).await?;
        answer
            .fleet_utilization
            .ok_or(Lacks("an answer", "FleetUtilization"))
            .and_then(|found| capacity::utilization(found, location))
            .map_err(|lacks| self.lacks(OPERATION, Some(fleet.as_str()), lacks))
    }

    /// The account's limits of every instance type in one location, for fleets of this Region.
    ///
    /// # Errors
    /// Any kind; `Decode` when a limit lacks a member.
    pub async fn instance_limits(&self, location: &Location) -> Result<Vec<InstanceLimit>, GatewayError> {
        const OPERATION: &str = "DescribeEC2InstanceLimits";
        let request = self.gamelift().describe_ec2_instance_limits().location(location.as_str());
        let answer = self.ask(OPERATION, Some(location.as_str()), || request.clone().send()).await?;
        answer
            .ec2_instance_limits
            .ok_or(Lacks("an answer", "EC2InstanceLimits"))
            .and_then(|found| {
                found.into_iter().map(|limit| capacity::instance_limit(limit, location)).collect()
            })
            .map_err(|lacks| self.lacks(OPERATION, Some(location.as_str()), lacks))
    }

    fn home(&self) -> Location {
        Location::from(self.region().as_str())
    }
}

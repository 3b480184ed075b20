//! Settings of a fleet: scaling policies, runtime configuration, ports, deployments.

use liftdeck_model::container::FleetDeployment;
use liftdeck_model::fleet::{IpPermission, RuntimeConfiguration, ScalingPolicy};
use liftdeck_model::{FleetId, Location};

use super::Reader;
use crate::error::GatewayError;
use crate::mapping::{Lacks, configuration, container};
use crate::page::Reading;

impl Reader {
    /// Scaling policies of a fleet, one record per policy and location.
    pub async fn scaling_policies(&self, fleet: &FleetId) -> Reading<ScalingPolicy> {
        let request = self.gamelift().describe_scaling_policies().fleet_id(fleet.as_str());
        self.list(
            "DescribeScalingPolicies",
            Some(fleet.as_str()),
            |token| request.clone().set_next_token(token).send(),
            |answer| (answer.scaling_policies, answer.next_token),
            |policy| configuration::scaling_policy(policy, fleet),
        )
        .await
    }

    /// How a managed EC2 fleet runs its server processes.
    ///
    /// # Errors
    /// Any kind; `Invalid` for fleets that are not managed EC2.
    pub async fn runtime_configuration(&self, fleet: &FleetId) -> Result<RuntimeConfiguration, GatewayError> {
        const OPERATION: &str = "DescribeRuntimeConfiguration";
        let request = self.gamelift().describe_runtime_configuration().fleet_id(fleet.as_str());
        let answer = self.ask(OPERATION, Some(fleet.as_str()), || request.clone().send()).await?;
        answer
            .runtime_configuration
            .ok_or(Lacks("an answer", "RuntimeConfiguration"))
            .and_then(configuration::runtime_configuration)
            .map_err(|lacks| self.lacks(OPERATION, Some(fleet.as_str()), lacks))
    }

    /// Inbound permissions of a managed EC2 fleet, at its home location or a remote one.
    ///
    /// # Errors
    /// Any kind; `Invalid` for fleets that are not managed EC2.
    pub async fn port_settings(
        &self,
        fleet: &FleetId,
        location: Option<&Location>,
    ) -> Result<Vec<IpPermission>, GatewayError> {
        const OPERATION: &str = "DescribeFleetPortSettings";
        let request = self
            .gamelift()
            .describe_fleet_port_settings()
            .fleet_id(fleet.as_str())
            .set_location(location.map(|location| location.as_str().to_owned()));
        let answer = self.ask(OPERATION, Some(fleet.as_str()), || request.clone().send()).await?;
        let permissions =
            answer.inbound_permissions.unwrap_or_default().into_iter().map(configuration::ip_permission);
        permissions
            .collect::<Result<_, _>>()
            .map_err(|lacks| self.lacks(OPERATION, Some(fleet.as_str()), lacks))
    }

    /// Deployments of a container fleet, newest first.
    pub async fn fleet_deployments(&self, fleet: &FleetId) -> Reading<FleetDeployment> {
        let request = self.gamelift().list_fleet_deployments().fleet_id(fleet.as_str());
        self.list(
            "ListFleetDeployments",
            Some(fleet.as_str()),
            |token| request.clone().set_next_token(token).send(),
            |answer| (answer.fleet_deployments, answer.next_token),
            |deployment| container::deployment(deployment, fleet),
        )
        .await
    }
}

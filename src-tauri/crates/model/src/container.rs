//! What only container fleets have: group definitions and deployments.

use serde::{Deserialize, Serialize};

use crate::fleet::IpPermission;
use crate::id::{FleetId, Location};
use crate::time::Timestamp;

/// The container part of a fleet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContainerDetails {
    /// Game server container group definition, with its version.
    pub game_server_definition_arn: Option<String>,
    /// Its name.
    pub game_server_definition_name: Option<String>,
    /// Per-instance container group definition.
    pub per_instance_definition_name: Option<String>,
    /// Game server container groups on each instance.
    pub groups_per_instance: Option<i32>,
    /// How many groups would fit.
    pub maximum_groups_per_instance: Option<i32>,
    /// Inbound permissions.
    pub inbound_permissions: Vec<IpPermission>,
    /// The latest deployment.
    pub latest_deployment_id: Option<String>,
    /// `NONE`, `CLOUDWATCH` or `S3`.
    pub log_destination: Option<String>,
    /// The remote locations with their status.
    pub locations: Vec<(Location, String)>,
}

/// A deployment of a container fleet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FleetDeployment {
    /// Id.
    pub deployment_id: String,
    /// Fleet.
    pub fleet_id: FleetId,
    /// Status.
    pub status: String,
    /// Definition rolled out.
    pub game_server_binary_arn: Option<String>,
    /// Definition to fall back to.
    pub rollback_game_server_binary_arn: Option<String>,
    /// When it began.
    pub creation_time: Option<Timestamp>,
}

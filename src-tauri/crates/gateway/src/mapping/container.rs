//! Container fleets and their deployments.

use aws_sdk_gamelift::types;
use liftdeck_model::container::{ContainerDetails, FleetDeployment};
use liftdeck_model::fleet::{ComputeKind, CreatorLimit, Fleet, FleetStatus};
use liftdeck_model::{FleetId, Location, Region};

use super::{Lacks, configuration, fleet::protection, moment, need, text};

pub(crate) fn fleet(from: types::ContainerFleet, region: &Region) -> Result<Fleet, Lacks> {
    const RECORD: &str = "a container fleet";
    let permissions = from.instance_inbound_permissions.unwrap_or_default();
    let inbound = permissions.into_iter().map(configuration::ip_permission).collect::<Result<_, _>>()?;
    let locations = from.location_attributes.unwrap_or_default().into_iter().map(|found| {
        let location = Location::new(need(found.location, RECORD, "Location")?);
        Ok((location, text(found.status).unwrap_or_default()))
    });
    Ok(Fleet {
        fleet_id: FleetId::new(need(from.fleet_id, RECORD, "FleetId")?),
        fleet_arn: from.fleet_arn,
        region: region.clone(),
        kind: ComputeKind::Container,
        name: None,
        description: from.description,
        status: FleetStatus::from(need(from.status, RECORD, "Status")?.as_str()),
        instance_type: from.instance_type,
        creation_time: from.creation_time.map(moment),
        termination_time: None,
        build_id: None,
        script_id: None,
        operating_system: None,
        new_game_session_protection_policy: protection(from.new_game_session_protection_policy.as_ref()),
        creator_limit: from.game_session_creation_limit_policy.map(|policy| CreatorLimit {
            new_game_sessions_per_creator: policy.new_game_sessions_per_creator,
            policy_period_minutes: policy.policy_period_in_minutes,
        }),
        metric_groups: from.metric_groups.unwrap_or_default(),
        stopped_actions: Vec::new(),
        instance_role_arn: from.fleet_role_arn,
        certificate_type: None,
        anywhere_cost: None,
        player_gateway_mode: text(from.player_gateway_mode),
        container: Some(ContainerDetails {
            game_server_definition_arn: from.game_server_container_group_definition_arn,
            game_server_definition_name: from.game_server_container_group_definition_name,
            per_instance_definition_name: from.per_instance_container_group_definition_name,
            groups_per_instance: from.game_server_container_groups_per_instance,
            maximum_groups_per_instance: from.maximum_game_server_container_groups_per_instance,
            inbound_permissions: inbound,
            latest_deployment_id: from.deployment_details.and_then(|found| found.latest_deployment_id),
            log_destination: from.log_configuration.and_then(|found| text(found.log_destination)),
            locations: locations.collect::<Result<_, Lacks>>()?,
        }),
    })
}

pub(crate) fn deployment(from: types::FleetDeployment, fleet: &FleetId) -> Result<FleetDeployment, Lacks> {
    const RECORD: &str = "a fleet deployment";
    Ok(FleetDeployment {
        deployment_id: need(from.deployment_id, RECORD, "DeploymentId")?,
        fleet_id: from.fleet_id.map_or_else(|| fleet.clone(), FleetId::new),
        status: need(text(from.deployment_status), RECORD, "DeploymentStatus")?,
        game_server_binary_arn: from.game_server_binary_arn,
        rollback_game_server_binary_arn: from.rollback_game_server_binary_arn,
        creation_time: from.creation_time.map(moment),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_container_fleet_is_a_fleet_with_details() {
        let place = types::ContainerFleetLocationAttributes::builder()
            .location("eu-north-1")
            .status(types::ContainerFleetLocationStatus::Active)
            .build();
        let built = types::ContainerFleet::builder()
            .fleet_id("containerfleet-1")
            .status(types::ContainerFleetStatus::Updating)
            .instance_type("c5.large")
            .location_attributes(place)
            .build();
        let fleet = fleet(built, &Region::from("eu-west-1")).unwrap();
        assert_eq!((fleet.kind, fleet.status), (ComputeKind::Container, FleetStatus::Updating));
        assert_eq!(fleet.container.unwrap().locations, [(Location::from("eu-north-1"), "ACTIVE".to_owned())]);
    }
}

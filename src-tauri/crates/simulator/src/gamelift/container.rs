//! Container fleets, their group definitions and deployments.

use super::constraint::{CONTAINER_GROUP_TYPE, DEFINITION, DEPLOYMENT, FLEET, POSITIVE, TOKEN};
use super::listing::{self, Asked};
use super::lookup::{self, invalid, names, not_found};
use crate::operation::Call;
use crate::service::ServiceError;
use crate::wire::{Integer, Pairs, Wire, Writer, in_place, input, structure};
use liftdeck_simulated_world::FleetRef;
use liftdeck_simulated_world::records::{ContainerGroupDefinition, DeploymentStatus};

input! {
    struct ListInput {
        definition: Option<String> = optional("ContainerGroupDefinitionName", DEFINITION),
        limit: Option<i64> = optional("Limit", POSITIVE),
        token: Option<String> = optional("NextToken", TOKEN),
    }

    struct DescribeInput {
        fleet: String = required("FleetId", FLEET),
        deployment: Option<String> = optional("DeploymentId", DEPLOYMENT),
    }

    struct DeploymentsInput {
        fleet: Option<String> = optional("FleetId", FLEET),
        limit: Option<i64> = optional("Limit", POSITIVE),
        token: Option<String> = optional("NextToken", TOKEN),
    }

    struct DefinitionsInput {
        kind: Option<String> = optional("ContainerGroupType", CONTAINER_GROUP_TYPE),
        limit: Option<i64> = optional("Limit", Integer::between(1, 100)),
        token: Option<String> = optional("NextToken", TOKEN),
    }

    struct DefinitionInput {
        name: String = required("Name", DEFINITION),
        version: Option<i64> = optional("VersionNumber", POSITIVE),
    }
}

/// Finds the container fleet with this id or ARN.
pub(super) fn container_fleet<'a>(call: &Call<'a>, id_or_arn: &str) -> Result<FleetRef<'a>, ServiceError> {
    let fleet = lookup::fleet(call, id_or_arn)?;
    if fleet.is_container() { Ok(fleet) } else { Err(lookup::unfit(call, fleet.id(), "EC2 or Anywhere")) }
}

/// `ListContainerFleets`.
pub(super) fn list(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: ListInput = lookup::read(call)?;
    let fleets = call.world.fleets(call.region).filter_map(|fleet| fleet.container());
    let asked = Asked::new(input.limit, &input.token);
    let page = asked.cut(
        call,
        fleets,
        |fleet| &fleet.fleet_id,
        |fleet| {
            let (name, arn) = (
                &fleet.game_server_container_group_definition_name,
                &fleet.game_server_container_group_definition_arn,
            );
            input.definition.as_deref().is_none_or(|asked| names(asked, name, arn))
        },
    )?;
    listing::write(call, writer, "ContainerFleets", &page);
    Ok(())
}

/// `DescribeContainerFleet`.
pub(super) fn describe(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: DescribeInput = lookup::read(call)?;
    let fleet = container_fleet(call, &input.fleet)?;
    in_place!({ "ContainerFleet" => fleet.container() }).write(writer);
    Ok(())
}

/// `ListFleetDeployments`: the deployments of one fleet or of all fleets, newest first.
pub(super) fn list_deployments(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: DeploymentsInput = lookup::read(call)?;
    let fleets: Vec<FleetRef<'_>> = match &input.fleet {
        Some(fleet) => vec![container_fleet(call, fleet)?],
        None => call.world.fleets(call.region).collect(),
    };
    let mut deployments: Vec<_> =
        fleets.iter().flat_map(|fleet| call.world.deployments(call.region, fleet.id())).collect();
    deployments.sort_by_key(|deployment| std::cmp::Reverse(deployment.creation_time_ms));
    let asked = Asked::new(input.limit, &input.token);
    let page = asked.cut(call, deployments, |deployment| &deployment.deployment_id, |_| true)?;
    listing::write(call, writer, "FleetDeployments", &page);
    Ok(())
}

/// The state of a deployment in one location.
struct LocationalDeployment(DeploymentStatus);

structure!(LocationalDeployment, deployment, { "DeploymentStatus" => deployment.0 });

/// `DescribeFleetDeployment`: the requested deployment, or the newest.
pub(super) fn describe_deployment(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: DescribeInput = lookup::read(call)?;
    let fleet = container_fleet(call, &input.fleet)?;
    let asked = input.deployment.as_deref();
    let found = call
        .world
        .deployments(call.region, fleet.id())
        .find(|deployment| asked.is_none_or(|asked| deployment.deployment_id == asked))
        .ok_or_else(|| not_found("Deployment", asked.unwrap_or("of the fleet")))?;
    let places: Vec<(String, LocationalDeployment)> = found
        .locational_deployments
        .iter()
        .map(|(location, status)| (location.clone(), LocationalDeployment(*status)))
        .collect();
    in_place!({ "FleetDeployment" => found, "LocationalDeployments" => Pairs(&places) }).write(writer);
    Ok(())
}

/// `ListContainerGroupDefinitions`: the latest version of each.
pub(super) fn list_definitions(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: DefinitionsInput = lookup::read(call)?;
    let all = call.world.container_group_definitions(call.region);
    let latest = |definition: &ContainerGroupDefinition| {
        let newer = |other: &ContainerGroupDefinition| {
            other.name == definition.name && other.version_number > definition.version_number
        };
        !all.iter().any(newer)
    };
    let asked = Asked::new(input.limit, &input.token);
    let page = asked.cut(
        call,
        all.iter().filter(|definition| latest(definition)),
        |definition| &definition.name,
        |definition| {
            let kind = definition.container_group_type.as_str();
            input.kind.as_deref().is_none_or(|asked| asked == kind)
        },
    )?;
    listing::write(call, writer, "ContainerGroupDefinitions", &page);
    Ok(())
}

/// `DescribeContainerGroupDefinition`: by name, or by ARN with or without a version. Without a version it returns the
/// latest.
pub(super) fn describe_definition(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: DefinitionInput = lookup::read(call)?;
    let tail = input.name.rsplit('/').next().unwrap_or(&input.name);
    let (name, of_arn) = match tail.split_once(':') {
        Some((name, version)) => (name, version.parse::<i64>().ok()),
        None => (tail, None),
    };
    if of_arn.is_some() && input.version.is_some() && of_arn != input.version {
        return Err(invalid("The version in the ARN and VersionNumber differ."));
    }
    let version = input.version.or(of_arn);
    let definitions = call.world.container_group_definitions(call.region).iter();
    let found = definitions
        .filter(|definition| definition.name == name)
        .filter(|definition| version.is_none_or(|version| i64::from(definition.version_number) == version))
        .max_by_key(|definition| definition.version_number)
        .ok_or_else(|| not_found("Container group definition", &input.name))?;
    in_place!({ "ContainerGroupDefinition" => found }).write(writer);
    Ok(())
}

//! Changes to container fleets, the versions of their group definitions, and the port mappings of their containers.

use super::choice::Choice;
use super::constraint::{
    COMPUTE, CONTAINER_GROUP_TYPE, DEFINITION, FLEET, INSTANCE, NON_EMPTY, SHORT_TEXT, TOKEN,
};
use super::container::container_fleet;
use super::fleet_part::{
    CREATOR_LIMIT, CreatorLimit, GROUPS, PERMISSIONS, PROTECTION, Permission, changed_permissions,
    creator_limit, port, small,
};
use super::listing::{self, Asked};
use super::lookup::{self, invalid, not_found};
use crate::operation::{Call, Change};
use crate::service::ServiceError;
use crate::wire::{Integer, Items, Nested, Text, Wire, Writer, in_place, input};
use liftdeck_simulated_world::FleetRef;
use liftdeck_simulated_world::records::{
    ConnectionPortRange, ContainerFleetStatus, ContainerGroupDefinition, ContainerGroupDefinitionStatus,
    ContainerGroupType, DeploymentImpairmentStrategy, DeploymentProtectionStrategy, LogConfiguration,
    LogDestination, ProtectionPolicy,
};
use liftdeck_simulated_world::steering::{AttributeChange, ContainerChange};

/// Ports reserved by the service.
const RESERVED_PORTS: std::ops::RangeInclusive<u16> = 4_092..=4_191;

static PORT: Integer = Integer::between(1, 60_000);
static PORT_RANGE: Nested<PortRange> = Nested::new();
static DEPLOYMENT: Nested<Deployment> = Nested::new();
static LOGS: Nested<Logs> = Nested::new();
static LOG_GROUP: Text = Text::matching(1, 512, r"^[a-zA-Z0-9:/\-\*]+$");
static DESTINATION: Choice<LogDestination> = Choice::new(LogDestination::ALL, LogDestination::as_str);
static STRATEGY: Choice<DeploymentProtectionStrategy> =
    Choice::new(DeploymentProtectionStrategy::ALL, DeploymentProtectionStrategy::as_str);
static IMPAIRMENT: Choice<DeploymentImpairmentStrategy> =
    Choice::new(DeploymentImpairmentStrategy::ALL, DeploymentImpairmentStrategy::as_str);
static REMOVABLE: Text = Text::one_of(&["PER_INSTANCE_CONTAINER_GROUP_DEFINITION"]);
static REMOVED: Items<'_, Text> = Items { each: &REMOVABLE, min: 1, max: 1 };
static CONTAINER: Text = Text::matching(1, 128, r"^[a-zA-Z0-9\-_]+$");

input! {
    struct PortRange {
        from: i64 = required("FromPort", PORT),
        to: i64 = required("ToPort", PORT),
    }

    struct Deployment {
        protection: Option<DeploymentProtectionStrategy> = optional("ProtectionStrategy", STRATEGY),
        healthy: Option<i64> = optional("MinimumHealthyPercentage", Integer::between(30, 75)),
        impairment: Option<DeploymentImpairmentStrategy> = optional("ImpairmentStrategy", IMPAIRMENT),
    }

    struct Logs {
        destination: Option<LogDestination> = optional("LogDestination", DESTINATION),
        bucket: Option<String> = optional("S3BucketName", NON_EMPTY),
        group: Option<String> = optional("LogGroupArn", LOG_GROUP),
    }

    struct UpdateInput {
        fleet: String = required("FleetId", FLEET),
        definition: Option<String> = optional("GameServerContainerGroupDefinitionName", DEFINITION),
        per_instance: Option<String> = optional("PerInstanceContainerGroupDefinitionName", DEFINITION),
        groups_per_instance: Option<i64> =
            optional("GameServerContainerGroupsPerInstance", Integer::between(1, 5000)),
        port_range: Option<PortRange> = optional("InstanceConnectionPortRange", PORT_RANGE),
        added: Option<Vec<Permission>> = optional("InstanceInboundPermissionAuthorizations", PERMISSIONS),
        removed: Option<Vec<Permission>> = optional("InstanceInboundPermissionRevocations", PERMISSIONS),
        deployment: Option<Deployment> = optional("DeploymentConfiguration", DEPLOYMENT),
        description: Option<String> = optional("Description", SHORT_TEXT),
        groups: Option<Vec<String>> = optional("MetricGroups", GROUPS),
        protection: Option<ProtectionPolicy> = optional("NewGameSessionProtectionPolicy", PROTECTION),
        limit: Option<CreatorLimit> = optional("GameSessionCreationLimitPolicy", CREATOR_LIMIT),
        logs: Option<Logs> = optional("LogConfiguration", LOGS),
        remove: Option<Vec<String>> = optional("RemoveAttributes", REMOVED),
    }

    struct VersionsInput {
        name: String = required("Name", DEFINITION),
        limit: Option<i64> = optional("Limit", Integer::between(1, 100)),
        token: Option<String> = optional("NextToken", TOKEN),
    }

    struct MappingsInput {
        fleet: String = required("FleetId", FLEET),
        kind: String = required("ContainerGroupType", CONTAINER_GROUP_TYPE),
        compute: Option<String> = optional("ComputeName", COMPUTE),
        instance: Option<String> = optional("InstanceId", INSTANCE),
        container: Option<String> = optional("ContainerName", CONTAINER),
    }
}

/// `UpdateContainerFleet`: changes to what the instances consist of need a deployment, other changes do not.
pub(super) fn update(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let call = change.call();
    let input: UpdateInput = lookup::read(&call)?;
    let fleet = container_fleet(&call, &input.fleet)?;
    let status = fleet.container().map(|record| record.status);
    if !matches!(status, Some(ContainerFleetStatus::Active | ContainerFleetStatus::Updating)) {
        let message = format!("Fleet {} cannot be updated yet.", fleet.id());
        return Err(ServiceError::new("NotReadyException", message));
    }
    let deployed = deployed(&call, &fleet, &input)?;
    let attributes = AttributeChange {
        description: input.description,
        protection: input.protection,
        creation_limit: creator_limit(input.limit)?,
        metric_group: input.groups.map(|groups| groups.into_iter().next()),
        ..AttributeChange::default()
    };
    let (key, id) = (fleet.key(), fleet.id().to_owned());
    change.world.change_attributes(key, attributes);
    change.world.change_container_fleet(key, &deployed);
    let call = change.call();
    let fleet = lookup::fleet(&call, &id)?;
    in_place!({ "ContainerFleet" => fleet.container() }).write(writer);
    Ok(())
}

/// Reads the part of an update that needs a deployment.
fn deployed(
    call: &Call<'_>,
    fleet: &FleetRef<'_>,
    input: &UpdateInput,
) -> Result<ContainerChange, ServiceError> {
    if let Some(asked) = &input.per_instance {
        definition(call, asked, ContainerGroupType::PerInstance)?;
    }
    let new = input.definition.as_ref();
    let new = new.map(|asked| definition(call, asked, ContainerGroupType::GameServer)).transpose()?;
    let groups = input.groups_per_instance.map(small);
    let most = fleet.container().map_or(0, |record| record.maximum_game_server_container_groups_per_instance);
    if groups.is_some_and(|groups| groups > most) {
        return Err(invalid(format!("At most {most} game server container groups fit on an instance.")));
    }
    let range = input.port_range.as_ref();
    let range =
        range.map(|range| ConnectionPortRange { from_port: port(range.from), to_port: port(range.to) });
    if let Some(range) = range {
        check_ports(range.from_port, range.to_port)?;
    }
    let ports = if input.added.is_some() || input.removed.is_some() {
        let ports = changed_permissions(fleet, input.added.clone(), input.removed.clone())?;
        for rule in ports.iter().filter(|rule| !fleet.inbound_permissions().contains(rule)) {
            check_ports(rule.from_port, rule.to_port)?;
        }
        Some(ports)
    } else {
        None
    };
    let deployment = input.deployment.as_ref();
    Ok(ContainerChange {
        definition: new.map(|definition| (definition.name.clone(), definition.version_number)),
        groups_per_instance: groups,
        port_range: range,
        ports,
        logs: input.logs.as_ref().map(logs).transpose()?,
        remove_per_instance: input.remove.is_some(),
        protection: deployment.and_then(|given| given.protection),
        minimum_healthy: deployment.and_then(|given| given.healthy).map(small),
        impairment: deployment.and_then(|given| given.impairment),
    })
}

fn check_ports(from_port: u16, to_port: u16) -> Result<(), ServiceError> {
    if from_port > to_port {
        return Err(invalid("FromPort must not be greater than ToPort."));
    }
    if from_port <= *RESERVED_PORTS.end() && to_port >= *RESERVED_PORTS.start() {
        return Err(invalid("Ports 4092-4191 are reserved by the service."));
    }
    Ok(())
}

fn logs(given: &Logs) -> Result<LogConfiguration, ServiceError> {
    let destination = given.destination.ok_or_else(|| invalid("LogConfiguration needs LogDestination."))?;
    let fits = match destination {
        LogDestination::None => given.bucket.is_none() && given.group.is_none(),
        LogDestination::CloudWatch => given.bucket.is_none() && given.group.is_some(),
        LogDestination::S3 => given.bucket.is_some() && given.group.is_none(),
    };
    if !fits {
        return Err(invalid(
            "CLOUDWATCH needs LogGroupArn, S3 needs S3BucketName, and neither takes what belongs to the other.",
        ));
    }
    Ok(LogConfiguration {
        log_destination: destination,
        log_group_arn: given.group.clone(),
        s3_bucket_name: given.bucket.clone(),
    })
}

/// Splits a name or ARN of a container group definition into its name and version.
fn name_and_version(asked: &str) -> (&str, Option<u32>) {
    let tail = asked.rsplit('/').next().unwrap_or(asked);
    match tail.split_once(':') {
        Some((name, version)) => (name, version.parse().ok()),
        None => (tail, None),
    }
}

/// Finds the definition that an update names, in its latest version unless the ARN has one.
fn definition<'a>(
    call: &Call<'a>,
    asked: &str,
    kind: ContainerGroupType,
) -> Result<&'a ContainerGroupDefinition, ServiceError> {
    let (name, version) = name_and_version(asked);
    let definitions = call.world.container_group_definitions(call.region).iter();
    let found = definitions
        .filter(|known| known.name == name)
        .filter(|known| version.is_none_or(|version| known.version_number == version))
        .max_by_key(|known| known.version_number)
        .ok_or_else(|| not_found("Container group definition", asked))?;
    if found.container_group_type != kind {
        return Err(invalid(format!("Container group definition {asked} is not of type {kind}.")));
    }
    if found.status != ContainerGroupDefinitionStatus::Ready {
        let message = format!("Container group definition {asked} is in status {}.", found.status);
        return Err(ServiceError::new("NotReadyException", message));
    }
    Ok(found)
}

/// `ListContainerGroupDefinitionVersions`: the latest version first. A version in the ARN is ignored.
pub(super) fn versions(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: VersionsInput = lookup::read(call)?;
    let (name, _) = name_and_version(&input.name);
    let definitions = call.world.container_group_definitions(call.region).iter();
    let mut versions: Vec<&ContainerGroupDefinition> =
        definitions.filter(|definition| definition.name == name).collect();
    if versions.is_empty() {
        return Err(not_found("Container group definition", &input.name));
    }
    versions.sort_by_key(|definition| std::cmp::Reverse(definition.version_number));
    let asked = Asked::new(input.limit, &input.token);
    let page =
        asked.cut(call, versions, |definition| &definition.container_group_definition_arn, |_| true)?;
    listing::write(call, writer, "ContainerGroupDefinitions", &page);
    Ok(())
}

/// `DescribeContainerGroupPortMappings`.
pub(super) fn port_mappings(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: MappingsInput = lookup::read(call)?;
    let fleet = container_fleet(call, &input.fleet)?;
    if input.kind == ContainerGroupType::PerInstance.as_str() {
        if input.compute.is_some() {
            return Err(invalid("ComputeName does not go with PER_INSTANCE."));
        }
        input.instance.as_ref().ok_or_else(|| invalid("PER_INSTANCE needs InstanceId."))?;
        return Err(not_found("A per-instance container group of fleet", fleet.id()));
    }
    let asked = input.compute.as_deref().ok_or_else(|| invalid("GAME_SERVER needs ComputeName."))?;
    let name = asked.split_once(":compute/").map_or(asked, |(_, name)| name);
    let compute = fleet.compute_named(name).ok_or_else(|| not_found("Compute", asked))?;
    if input.instance.is_some() && input.instance != compute.instance_id {
        return Err(invalid(format!("Compute {name} does not run on the instance given.")));
    }
    let mut containers = compute.container_attributes.clone();
    if let Some(wanted) = &input.container {
        containers.retain(|container| container.container_name == *wanted);
        if containers.is_empty() {
            return Err(not_found("Container", wanted));
        }
    }
    let ports = fleet.container_ports(name);
    let mappings: Vec<_> = containers
        .iter()
        .map(|container| {
            let ports: Vec<_> = ports
                .iter()
                .map(|mapped| {
                    in_place!(move {
                        "ContainerPort" => mapped.container_port,
                        "ConnectionPort" => mapped.connection_port,
                        "Protocol" => mapped.protocol,
                    })
                })
                .collect();
            in_place!(move {
                "ContainerName" => container.container_name,
                "ContainerRuntimeId" => container.container_runtime_id,
                "ContainerPortMappings" => ports,
            })
        })
        .collect();
    in_place!({
        "FleetId" => fleet.id(),
        "FleetArn" => fleet.arn(),
        "Location" => compute.location,
        "ContainerGroupDefinitionArn" => compute.game_server_container_group_definition_arn,
        "ContainerGroupType" => ContainerGroupType::GameServer,
        "ComputeName" => compute.compute_name,
        "InstanceId" => compute.instance_id,
        "ContainerGroupPortMappings" => mappings,
    })
    .write(writer);
    Ok(())
}

//! Operations that create and delete fleets.

use super::choice::Choice;
use super::constraint::{BUILD, FLEET, INSTANCE_TYPE, NON_EMPTY, SCRIPT, SHORT_TEXT};
use super::fleet_location::{
    CONFIGURATIONS, Configuration, LocationState, MOST_LOCATIONS, distinct, is_known,
};
use super::fleet_part::{
    ANYWHERE, Anywhere, CREATOR_LIMIT, CreatorLimit, GROUPS, PERMISSIONS, PROTECTION, Permission, RUNTIME,
    Runtime, check_ports, creator_limit, limit_exceeded, permissions, runtime, wrong_status,
};
use super::listing;
use super::lookup::{self, invalid, names, not_found};
use super::tag::{self, NewTag, TAGS};
use crate::operation::{Call, Change};
use crate::service::ServiceError;
use crate::wire::{Items, Nested, Text, Wire, Writer, in_place, input};
use liftdeck_simulated_world::FleetRef;
use liftdeck_simulated_world::records::{
    BuildStatus, CertificateType, ComputeType, FleetStatus, FleetType, IpPermission, ProtectionPolicy,
    RuntimeConfiguration, ServerProcess,
};
use liftdeck_simulated_world::steering::{NewContent, NewFleet, NewHosting};

/// The most fleets in a region, in any status (G2): EC2 and Anywhere.
const MOST_FLEETS: (usize, usize) = (20, 30);

static FLEET_TYPE: Choice<FleetType> = Choice::new(FleetType::ALL, FleetType::as_str);
static COMPUTE_TYPE: Choice<ComputeType> = Choice::new(ComputeType::ALL, ComputeType::as_str);
static CERTIFICATE_TYPE: Choice<CertificateType> = Choice::new(CertificateType::ALL, CertificateType::as_str);
static CERTIFICATE: Nested<Certificate> = Nested::new();
static LAUNCH_PATH: Text = Text::matching(1, 1024, r"^[A-Za-z0-9_:.+/\\\- ]+$");
static PARAMETERS: Text = Text::matching(1, 1024, r#"^[A-Za-z0-9_:.+/\\\- =@;{},?'\[\]"]+$"#);
static PROVIDER: Text = Text::one_of(&["SHARED_CREDENTIAL_FILE"]);
static GATEWAY: Text = Text::one_of(&["DISABLED", "ENABLED", "REQUIRED"]);
static GATEWAY_SETTINGS: Nested<Gateway> = Nested::new();
static GATEWAY_ADDRESSES: Text = Text::one_of(&["IPv4", "DUAL_STACK"]);
static LOG_PATHS: Items<'_, Text> = Items { each: &SHORT_TEXT, min: 0, max: usize::MAX };

input! {
    struct Certificate {
        kind: CertificateType = required("CertificateType", CERTIFICATE_TYPE),
    }

    struct Gateway {
        _addresses: Option<String> = optional("GameServerIpProtocolSupported", GATEWAY_ADDRESSES),
    }

    struct CreateInput {
        name: String = required("Name", SHORT_TEXT),
        description: Option<String> = optional("Description", SHORT_TEXT),
        build: Option<String> = optional("BuildId", BUILD),
        script: Option<String> = optional("ScriptId", SCRIPT),
        launch_path: Option<String> = optional("ServerLaunchPath", LAUNCH_PATH),
        parameters: Option<String> = optional("ServerLaunchParameters", PARAMETERS),
        instance_type: Option<String> = optional("EC2InstanceType", INSTANCE_TYPE),
        ports: Option<Vec<Permission>> = optional("EC2InboundPermissions", PERMISSIONS),
        protection: Option<ProtectionPolicy> = optional("NewGameSessionProtectionPolicy", PROTECTION),
        runtime: Option<Runtime> = optional("RuntimeConfiguration", RUNTIME),
        limit: Option<CreatorLimit> = optional("ResourceCreationLimitPolicy", CREATOR_LIMIT),
        groups: Option<Vec<String>> = optional("MetricGroups", GROUPS),
        peer_account: Option<String> = optional("PeerVpcAwsAccountId", SHORT_TEXT),
        peer_vpc: Option<String> = optional("PeerVpcId", SHORT_TEXT),
        fleet_type: Option<FleetType> = optional("FleetType", FLEET_TYPE),
        role: Option<String> = optional("InstanceRoleArn", NON_EMPTY),
        certificate: Option<Certificate> = optional("CertificateConfiguration", CERTIFICATE),
        locations: Option<Vec<Configuration>> = optional("Locations", CONFIGURATIONS),
        tags: Option<Vec<NewTag>> = optional("Tags", TAGS),
        compute_type: Option<ComputeType> = optional("ComputeType", COMPUTE_TYPE),
        anywhere: Option<Anywhere> = optional("AnywhereConfiguration", ANYWHERE),
        provider: Option<String> = optional("InstanceRoleCredentialsProvider", PROVIDER),
        gateway: Option<String> = optional("PlayerGatewayMode", GATEWAY),
        gateway_settings: Option<Gateway> = optional("PlayerGatewayConfiguration", GATEWAY_SETTINGS),
        // No longer used by the service, but still accepted.
        _log_paths: Option<Vec<String>> = optional("LogPaths", LOG_PATHS),
    }

    struct DeleteInput {
        fleet: String = required("FleetId", FLEET),
    }
}

/// `CreateFleet`, for EC2 fleets, which take some minutes, and for Anywhere fleets.
pub(super) fn create(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let call = change.call();
    let input: CreateInput = lookup::read(&call)?;
    check_offered(&input)?;
    let kind = input.compute_type.unwrap_or(ComputeType::Ec2);
    let locations = locations(&call, &input, kind)?;
    check_count(&call, kind)?;
    let hosting = match kind {
        ComputeType::Ec2 => ec2(&call, &input)?,
        ComputeType::Anywhere => anywhere(&input)?,
    };
    let new = NewFleet {
        name: input.name,
        description: input.description,
        hosting,
        protection: input.protection,
        creation_limit: creator_limit(input.limit)?,
        metric_group: input.groups.and_then(|groups| groups.into_iter().next()),
        locations,
        tags: tag::by_key(input.tags)?,
    };
    let id = change.world.create_fleet(change.region, new);
    let id = id.ok_or_else(|| invalid(format!("No fleets can be made in {}.", change.region)))?;
    let call = change.call();
    let fleet = lookup::fleet(&call, &id)?;
    // These include the home Region.
    let places = fleet.locations().into_iter();
    let states: Vec<LocationState> =
        places.map(|place| LocationState(place.location, place.status)).collect();
    in_place!({ "FleetAttributes" => fleet.attributes(), "LocationStates" => states }).write(writer);
    Ok(())
}

/// Refuses features that this world does not offer.
fn check_offered(input: &CreateInput) -> Result<(), ServiceError> {
    if input.peer_account.is_some() || input.peer_vpc.is_some() {
        return Err(invalid("VPC peering is not offered here."));
    }
    if input.gateway.as_ref().is_some_and(|mode| mode != "DISABLED") || input.gateway_settings.is_some() {
        return Err(invalid("The player gateway is not offered here."));
    }
    if input.provider.is_some() {
        return Err(invalid("InstanceRoleCredentialsProvider is not offered here."));
    }
    Ok(())
}

fn locations(call: &Call<'_>, input: &CreateInput, kind: ComputeType) -> Result<Vec<String>, ServiceError> {
    let given = input.locations.iter().flatten().map(|configuration| configuration.location.clone());
    let mut locations: Vec<String> = given.collect();
    distinct(&locations)?;
    let custom = kind == ComputeType::Anywhere;
    if let Some(unknown) = locations.iter().find(|name| !is_known(call.world, call.region, name, custom)) {
        return Err(invalid(format!("{unknown} is not a location this kind of fleet can use.")));
    }
    if custom && locations.is_empty() {
        return Err(invalid("An Anywhere fleet needs a custom location in Locations."));
    }
    // The home Region is a location of every managed fleet, so a fleet that names locations has to name it too.
    if !custom && !locations.is_empty() && !locations.iter().any(|location| location == call.region) {
        return Err(invalid(format!("Locations must include the fleet's home location {}.", call.region)));
    }
    locations.retain(|location| location != call.region);
    if locations.len() + usize::from(!custom) > MOST_LOCATIONS {
        return Err(limit_exceeded(format!("A fleet can have at most {MOST_LOCATIONS} locations.")));
    }
    Ok(locations)
}

fn check_count(call: &Call<'_>, kind: ComputeType) -> Result<(), ServiceError> {
    let anywhere = kind == ComputeType::Anywhere;
    let fleets = call.world.fleets(call.region);
    let count = fleets.filter(|fleet| !fleet.is_container() && fleet.is_anywhere() == anywhere).count();
    let most = if anywhere { MOST_FLEETS.1 } else { MOST_FLEETS.0 };
    if count >= most {
        return Err(limit_exceeded(format!(
            "The account has {count} {kind} fleets in this Region, the most it can."
        )));
    }
    Ok(())
}

fn ec2(call: &Call<'_>, input: &CreateInput) -> Result<NewHosting, ServiceError> {
    if input.anywhere.is_some() {
        return Err(invalid("AnywhereConfiguration can be set for Anywhere fleets only."));
    }
    let instance_type =
        input.instance_type.clone().ok_or_else(|| invalid("An EC2 fleet needs EC2InstanceType."))?;
    let given = input.runtime.clone().map(runtime).transpose()?;
    let legacy = input.launch_path.clone().map(|launch_path| RuntimeConfiguration {
        server_processes: vec![ServerProcess {
            launch_path,
            parameters: input.parameters.clone(),
            concurrent_executions: 1,
        }],
        max_concurrent_game_session_activations: None,
        game_session_activation_timeout_seconds: None,
    });
    Ok(NewHosting::Ec2 {
        fleet_type: input.fleet_type.unwrap_or(FleetType::OnDemand),
        instance_type,
        content: content(call, input)?,
        ports: ports(call, input)?,
        runtime: given.or(legacy).ok_or_else(|| invalid("An EC2 fleet needs RuntimeConfiguration."))?,
        role: input.role.clone(),
        certificate: input.certificate.as_ref().is_some_and(|given| given.kind == CertificateType::Generated),
    })
}

/// Reads the ports a new fleet opens; the operating system of its build restricts them.
fn ports(call: &Call<'_>, input: &CreateInput) -> Result<Vec<IpPermission>, ServiceError> {
    let rules = permissions(input.ports.clone().unwrap_or_default())?;
    let mut builds = call.world.builds(call.region).iter();
    let build = input.build.as_deref().and_then(|asked| {
        builds
            .find(|build| names(asked, &build.build_id, &build.build_arn))
            .map(|build| build.operating_system)
    });
    check_ports(&rules, build)?;
    Ok(rules)
}

fn content(call: &Call<'_>, input: &CreateInput) -> Result<NewContent, ServiceError> {
    match (&input.build, &input.script) {
        (Some(asked), None) => {
            let mut builds = call.world.builds(call.region).iter();
            let build = builds.find(|build| names(asked, &build.build_id, &build.build_arn));
            let build = build.ok_or_else(|| not_found("Build", asked))?;
            match build.status {
                BuildStatus::Ready => Ok(NewContent::Build(build.build_id.clone(), build.build_arn.clone())),
                BuildStatus::Initialized => {
                    let message = format!("Build {asked} has not been uploaded yet.");
                    Err(ServiceError::new("NotReadyException", message))
                }
                BuildStatus::Failed => Err(invalid(format!("Build {asked} has failed."))),
            }
        }
        (None, Some(asked)) => {
            let mut scripts = call.world.scripts(call.region).iter();
            let script = scripts.find(|script| names(asked, &script.script_id, &script.script_arn));
            let script = script.ok_or_else(|| not_found("Script", asked))?;
            Ok(NewContent::Script(script.script_id.clone(), script.script_arn.clone()))
        }
        _ => Err(invalid("An EC2 fleet needs exactly one of BuildId and ScriptId.")),
    }
}

fn anywhere(input: &CreateInput) -> Result<NewHosting, ServiceError> {
    let managed = input.build.is_some()
        || input.script.is_some()
        || input.instance_type.is_some()
        || input.fleet_type.is_some()
        || input.ports.is_some()
        || input.certificate.is_some();
    if managed {
        return Err(invalid(
            "An Anywhere fleet takes no build, script, instance type, fleet type, ports or certificate.",
        ));
    }
    Ok(NewHosting::Anywhere { cost: input.anywhere.as_ref().map(|anywhere| anywhere.cost.clone()) })
}

/// `DeleteFleet`, for EC2 and Anywhere fleets in status ACTIVE or ERROR without instances.
pub(super) fn delete(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let call = change.call();
    let input: DeleteInput = lookup::read(&call)?;
    let fleet = lookup::server_fleet(&call, &input.fleet)?;
    let status = fleet.status();
    if !matches!(status, FleetStatus::Active | FleetStatus::Error) {
        return Err(wrong_status(format!("Fleet {} is in status {status}.", fleet.id())));
    }
    let instances = instances(&fleet);
    if instances > 0 {
        return Err(wrong_status(format!(
            "Fleet {} still has {instances} instances; scale every location to 0 first.",
            fleet.id()
        )));
    }
    let key = fleet.key();
    change.world.delete_fleet(key);
    listing::write_empty(writer);
    Ok(())
}

/// Counts the pending and active instances of a managed fleet.
fn instances(fleet: &FleetRef<'_>) -> u32 {
    let places = fleet.locations();
    let counts = places.iter().filter_map(|place| fleet.capacity(&place.location));
    counts.map(|capacity| capacity.instance_counts).map(|count| count.pending + count.active).sum()
}

//! Builds the fleets from their plans, with policies, ports, deployments and creation events.

use super::super::fleet::{Content, Fleet, Hosting, Site};
use super::super::names::Kind;
use super::super::records::{
    ComparisonOperatorType, DeploymentImpairmentStrategy, DeploymentProtectionStrategy, DeploymentStatus,
    EventCode, FleetDeployment, FleetType, IpPermission, IpProtocol, LogConfiguration, LogDestination,
    MetricName, OperatingSystem, ResourceCreationLimitPolicy, RuntimeConfiguration, ScalingAdjustmentType,
    ServerProcess,
};
use super::super::scaling::{Law, Policy};
use super::super::{NEVER_MS, World};
use super::content::{DEFINITION, DEFINITION_VERSION};
use super::plans::{CANARY, GREEN, On, PLANS, Plan, Scales};
use super::tags;

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;

pub(super) fn add(world: &mut World) {
    for plan in &PLANS {
        add_fleet(world, plan);
    }
    if world.scenario.has_newer_fleet() {
        add_fleet(world, &GREEN);
    }
    if world.scenario.has_canary() {
        add_fleet(world, &CANARY);
    }
}

pub(super) fn add_fleet(world: &mut World, plan: &Plan<'_>) {
    let index = world.fleets.len();
    let home = world.regions[plan.region].name.clone();
    let uuid = world.names.uuid(Kind::Fleet, index as u32, 0);
    let account = world.account.clone();
    let (id, arn) = match plan.on {
        On::Container(_) => {
            let id = format!("containerfleet-{uuid}");
            let arn = format!("arn:aws:gamelift:{home}:{account}:containerfleet/{id}");
            (id, arn)
        }
        _ => {
            let id = format!("fleet-{uuid}");
            let arn = format!("arn:aws:gamelift:{home}::fleet/{id}");
            (id, arn)
        }
    };
    let created_ms = world.start_ms - plan.age_h * HOUR_MS - 517_000 - index as i64 * 61_000;
    let policies = policies(plan.scales);
    let sites = plan.sites.iter().map(|site| new_site(site, plan, policies.len())).collect();
    let hosting = hosting(world, plan);
    let (base_port, last_port) =
        if matches!(plan.on, On::Container(_)) { (4_192, 4_391) } else { (7_777, 7_876) };
    let fleet = Fleet {
        id,
        arn: arn.clone(),
        name: plan.name.to_owned(),
        description: plan.description.to_owned(),
        stem: plan.name.to_owned(),
        role: (!matches!(plan.on, On::Anywhere))
            .then(|| format!("arn:aws:iam::{account}:role/{}-instance", plan.name)),
        region: plan.region,
        home,
        hosting,
        instance_type: plan.instance_type.to_owned(),
        created_ms,
        active_ms: created_ms + 11 * MINUTE_MS,
        terminated_ms: NEVER_MS,
        gone_ms: NEVER_MS,
        runtime: runtime(plan),
        ports: vec![IpPermission {
            from_port: base_port,
            to_port: last_port,
            ip_range: "0.0.0.0/0".to_owned(),
            protocol: IpProtocol::Udp,
        }],
        ports_settle_ms: created_ms,
        protection: plan.protection,
        metric_group: plan.group.map(str::to_owned),
        creation_limit: matches!(plan.on, On::Script).then_some(ResourceCreationLimitPolicy {
            new_game_sessions_per_creator: 5,
            policy_period_in_minutes: 15,
        }),
        certificate: matches!(plan.on, On::Script),
        base_port,
        last_port,
        slots_per_instance: plan.slots,
        policies,
        sites,
        events: Vec::new(),
        sessions: Default::default(),
        live: Default::default(),
    };
    world.fleets.push(fleet);
    let stage = if plan.name.contains("canary") || plan.name.contains("qa") { "test" } else { "production" };
    let game = plan.name.split('-').next().unwrap_or_default();
    world.regions[plan.region]
        .tags
        .insert(arn, tags(&[("game", game), ("stage", stage), ("team", "live-ops")]));
    add_deployment(world, index);
    tell_of_creation(world, index, plan);
}

fn new_site(site: &(&str, u32, u32, u32), plan: &Plan<'_>, policies: usize) -> Site {
    let (name, minimum, maximum, desired) = *site;
    let stopped = matches!(plan.scales, Scales::ByHand);
    Site { stopped, has_past: true, ..Site::new(name, minimum, maximum, desired, policies) }
}

fn policies(scales: Scales) -> Vec<Policy> {
    let target = |percent| vec![Policy::new("keep-sessions-available", Law::Target { percent })];
    let rule = |name, comparison, threshold, periods, adjustment| {
        let (metric, kind) = (MetricName::AvailableGameSessions, ScalingAdjustmentType::ChangeInCapacity);
        Policy::new(name, Law::Rule { metric, comparison, threshold, periods, kind, adjustment })
    };
    match scales {
        Scales::Target(percent) => target(percent),
        Scales::ByHand => target(25.0),
        Scales::Rules => vec![
            rule("add-when-scarce", ComparisonOperatorType::LessThanThreshold, 3.0, 2, 1),
            rule("remove-when-idle", ComparisonOperatorType::GreaterThanThreshold, 9.0, 15, -1),
        ],
        Scales::Not => Vec::new(),
    }
}

fn hosting(world: &World, plan: &Plan<'_>) -> Hosting {
    let region = &world.regions[plan.region];
    match plan.on {
        On::Build(fleet_type, build) => Hosting::Ec2 {
            fleet_type,
            content: region.builds.get(build).map_or_else(
                || Content::Build(String::new(), String::new()),
                |build| Content::Build(build.build_id.clone(), build.build_arn.clone()),
            ),
            operating_system: OperatingSystem::AmazonLinux2023,
        },
        On::Script => Hosting::Ec2 {
            fleet_type: FleetType::OnDemand,
            content: region.scripts.first().map_or_else(
                || Content::Script(String::new(), String::new()),
                |script| Content::Script(script.script_id.clone(), script.script_arn.clone()),
            ),
            operating_system: OperatingSystem::AmazonLinux2023,
        },
        On::Container(billing) => Hosting::Container {
            billing,
            definition: DEFINITION.to_owned(),
            version: DEFINITION_VERSION,
            deployment: world.names.uuid(Kind::Deployment, world.fleets.len() as u32, 1),
            most_groups: plan.slots as u32 + 2,
            logs: LogConfiguration {
                log_destination: LogDestination::CloudWatch,
                log_group_arn: Some(format!(
                    "arn:aws:logs:{}:{}:log-group:{}:*",
                    region.name, world.account, plan.name
                )),
                s3_bucket_name: None,
            },
        },
        On::Anywhere => Hosting::Anywhere { cost: "0.085".to_owned() },
    }
}

fn runtime(plan: &Plan<'_>) -> RuntimeConfiguration {
    let (launch_path, parameters) = match plan.on {
        On::Script => ("expedition.js", None),
        On::Anywhere => ("/opt/arena/arena-server", Some("-log -lab")),
        _ => ("/local/game/arena-server", Some("-log -tickrate 60")),
    };
    RuntimeConfiguration {
        server_processes: vec![ServerProcess {
            launch_path: launch_path.to_owned(),
            parameters: parameters.map(str::to_owned),
            concurrent_executions: plan.slots as u32,
        }],
        max_concurrent_game_session_activations: Some(2),
        game_session_activation_timeout_seconds: Some(90),
    }
}

fn add_deployment(world: &mut World, fleet: usize) {
    let owner = &world.fleets[fleet];
    let Hosting::Container { definition, version, .. } = &owner.hosting else { return };
    let account = &world.account;
    let locations: Vec<String> = owner.sites.iter().map(|site| site.name.clone()).collect();
    let deployment = |part: u16, version: u32, at_ms: i64| FleetDeployment {
        deployment_id: world.names.uuid(Kind::Deployment, fleet as u32, part),
        fleet_id: owner.id.clone(),
        game_server_binary_arn: super::definition_arn(&owner.home, account, definition, version),
        rollback_game_server_binary_arn: (part == 1)
            .then(|| super::definition_arn(&owner.home, account, definition, version - 1)),
        deployment_status: DeploymentStatus::Complete,
        protection_strategy: DeploymentProtectionStrategy::WithProtection,
        minimum_healthy_percentage: 75,
        impairment_strategy: DeploymentImpairmentStrategy::Rollback,
        creation_time_ms: at_ms,
        locational_deployments: locations
            .iter()
            .map(|name| (name.clone(), DeploymentStatus::Complete))
            .collect(),
    };
    let later_ms = owner.created_ms + (world.start_ms - owner.created_ms) / 2;
    let both = [deployment(1, *version, later_ms), deployment(0, version - 1, owner.created_ms)];
    let region = owner.region;
    world.regions[region].deployments.extend(both);
}

fn tell_of_creation(world: &mut World, fleet: usize, plan: &Plan<'_>) {
    let steps: &[(i64, EventCode, &str)] = match plan.on {
        On::Container(_) => &[
            (0, EventCode::FleetStatePending, "PENDING"),
            (20, EventCode::FleetStateCreating, "CREATING"),
            (150, EventCode::FleetStateCreated, "CREATED"),
            (155, EventCode::FleetStateActivating, "ACTIVATING"),
            (660, EventCode::FleetStateActive, "ACTIVE"),
        ],
        On::Anywhere => &[(0, EventCode::FleetCreated, "NEW"), (5, EventCode::FleetStateActive, "ACTIVE")],
        _ => &[
            (0, EventCode::FleetCreated, "NEW"),
            (12, EventCode::FleetStateDownloading, "DOWNLOADING"),
            (65, EventCode::FleetCreationExtractingBuild, "Extracting the content."),
            (95, EventCode::FleetStateValidating, "VALIDATING"),
            (110, EventCode::FleetCreationValidatingRuntimeConfig, "Validating the runtime configuration."),
            (140, EventCode::FleetStateBuilding, "BUILDING"),
            (160, EventCode::FleetCreationRunningInstaller, "Running the installer."),
            (300, EventCode::FleetCreationCompletedInstaller, "The installer has completed."),
            (330, EventCode::FleetStateActivating, "ACTIVATING"),
            (660, EventCode::FleetStateActive, "ACTIVE"),
        ],
    };
    let (id, created_ms) = (world.fleets[fleet].id.clone(), world.fleets[fleet].created_ms);
    for (after_s, code, text) in steps {
        let is_state = text.chars().all(|c| c.is_ascii_uppercase());
        let message =
            if is_state { format!("Fleet {id} changed state to {text}") } else { (*text).to_owned() };
        let log = (!is_state && *code != EventCode::FleetCreationCompletedInstaller)
            .then(|| format!("https://fleet-logs.example.com/{id}/{after_s}.log?X-Amz-Expires=900"));
        world.fleet_event_at(fleet, *code, message, created_ms + after_s * 1_000, log);
    }
    for (code, after_s) in [(EventCode::LocationStateActivating, 340), (EventCode::LocationStateActive, 655)]
    {
        for (location, ..) in &plan.sites[1..] {
            let state = if code == EventCode::LocationStateActive { "ACTIVE" } else { "ACTIVATING" };
            let message = format!("Location {location} of fleet {id} changed state to {state}");
            world.fleet_event_at(fleet, code, message, created_ms + after_s * 1_000, None);
        }
    }
    world.fleets[fleet].events.sort_by_key(|event| event.event_time_ms);
}

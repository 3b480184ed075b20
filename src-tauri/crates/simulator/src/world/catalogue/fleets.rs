//! The fleets: what each runs, where, how large, how old, and how it scales.

use super::super::World;
use super::super::fleet::{Content, Fleet, Hosting, Site};
use super::super::names::Kind;
use super::super::records::{
    ComparisonOperatorType, ContainerFleetBillingType, DeploymentImpairmentStrategy,
    DeploymentProtectionStrategy, DeploymentStatus, EventCode, FleetDeployment, FleetType, IpPermission,
    IpProtocol, MetricName, OperatingSystem, ProtectionPolicy, ResourceCreationLimitPolicy,
    RuntimeConfiguration, ServerProcess,
};
use super::super::sample::{Counters, SampleColumns};
use super::super::scaling::Policy;
use super::content::{CANDIDATE_BUILD, CURRENT_BUILD, DEFINITION, DEFINITION_VERSION, PREVIOUS_BUILD};
use super::{LAB, tags};
use crate::scenario::Scenario;

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;

/// What a fleet runs on.
#[derive(Clone, Copy)]
enum On {
    Build(FleetType, usize),
    Script,
    Container(ContainerFleetBillingType),
    Anywhere,
}

/// How a fleet scales.
#[derive(Clone, Copy)]
enum Scales {
    /// Target tracking of PercentAvailableGameSessions.
    Target(f64),
    /// A rule that adds and one that removes instances.
    Rules,
    /// By hand: AUTO_SCALING is stopped.
    ByHand,
    /// It cannot.
    Not,
}

struct Plan {
    name: &'static str,
    region: usize,
    on: On,
    instance_type: &'static str,
    slots: usize,
    age_h: i64,
    scales: Scales,
    group: Option<&'static str>,
    protection: ProtectionPolicy,
    /// Location, minimum, maximum, first desired; the home first.
    sites: &'static [(&'static str, u32, u32, u32)],
    description: &'static str,
}

use ProtectionPolicy::{FullProtection, NoProtection};

const PLANS: [Plan; 12] = [
    Plan {
        name: "arena-prod-eu",
        region: 0,
        on: On::Build(FleetType::OnDemand, CURRENT_BUILD),
        instance_type: "c5.xlarge",
        slots: 6,
        age_h: 44,
        scales: Scales::Target(20.0),
        group: Some("arena-prod"),
        protection: FullProtection,
        sites: &[("eu-west-1", 2, 16, 6), ("eu-central-1", 2, 18, 6), ("eu-north-1", 1, 16, 3)],
        description: "Arena, all modes, Europe",
    },
    Plan {
        name: "arena-spot-eu",
        region: 0,
        on: On::Build(FleetType::Spot, CURRENT_BUILD),
        instance_type: "c5.large",
        slots: 4,
        age_h: 46,
        scales: Scales::Target(12.0),
        group: Some("arena-spot"),
        protection: NoProtection,
        sites: &[("eu-west-1", 1, 24, 5), ("eu-central-1", 1, 28, 6)],
        description: "Arena casual on Spot, Europe",
    },
    Plan {
        name: "coop-script-eu",
        region: 0,
        on: On::Script,
        instance_type: "c5.large",
        slots: 5,
        age_h: 118 * 24,
        scales: Scales::Rules,
        group: None,
        protection: NoProtection,
        sites: &[("eu-west-1", 1, 6, 2)],
        description: "Expedition on Realtime servers, Europe",
    },
    Plan {
        name: "royale-containers-eu",
        region: 0,
        on: On::Container(ContainerFleetBillingType::OnDemand),
        instance_type: "c6g.xlarge",
        slots: 4,
        age_h: 12 * 24,
        scales: Scales::Target(25.0),
        group: Some("royale"),
        protection: FullProtection,
        sites: &[("eu-west-1", 1, 6, 2), ("eu-north-1", 1, 4, 1)],
        description: "Royale in containers, Europe",
    },
    Plan {
        name: "arena-prod-us",
        region: 1,
        on: On::Build(FleetType::OnDemand, CURRENT_BUILD),
        instance_type: "c5.xlarge",
        slots: 6,
        age_h: 60,
        scales: Scales::Target(20.0),
        group: Some("arena-prod"),
        protection: FullProtection,
        sites: &[("us-east-1", 2, 16, 5), ("us-west-2", 2, 12, 4), ("sa-east-1", 1, 6, 2)],
        description: "Arena, all modes, Americas",
    },
    Plan {
        name: "arena-spot-us",
        region: 1,
        on: On::Build(FleetType::Spot, CURRENT_BUILD),
        instance_type: "c5.large",
        slots: 4,
        age_h: 58,
        scales: Scales::Target(12.0),
        group: Some("arena-spot"),
        protection: NoProtection,
        sites: &[("us-east-1", 1, 20, 4), ("us-west-2", 1, 16, 3)],
        description: "Arena casual on Spot, Americas",
    },
    Plan {
        name: "royale-containers-us",
        region: 1,
        on: On::Container(ContainerFleetBillingType::Spot),
        instance_type: "c6g.xlarge",
        slots: 4,
        age_h: 6 * 24,
        scales: Scales::Target(25.0),
        group: Some("royale"),
        protection: NoProtection,
        sites: &[("us-east-1", 1, 6, 2)],
        description: "Royale in containers, Americas",
    },
    Plan {
        name: "arena-canary-us",
        region: 1,
        on: On::Build(FleetType::OnDemand, CANDIDATE_BUILD),
        instance_type: "c5.xlarge",
        slots: 6,
        age_h: 20,
        scales: Scales::ByHand,
        group: None,
        protection: NoProtection,
        sites: &[("us-east-1", 0, 2, 1)],
        description: "Arena 1.43 release candidate for invited players",
    },
    Plan {
        name: "arena-prod-ap",
        region: 2,
        on: On::Build(FleetType::OnDemand, CURRENT_BUILD),
        instance_type: "c6i.xlarge",
        slots: 6,
        age_h: 92,
        scales: Scales::Target(20.0),
        group: Some("arena-prod"),
        protection: FullProtection,
        sites: &[("ap-northeast-1", 2, 12, 3), ("ap-northeast-2", 1, 8, 2), ("ap-southeast-1", 1, 6, 2)],
        description: "Arena, all modes, Asia Pacific",
    },
    Plan {
        name: "coop-script-ap",
        region: 2,
        on: On::Script,
        instance_type: "c5.large",
        slots: 5,
        age_h: 203 * 24,
        scales: Scales::Target(30.0),
        group: None,
        protection: NoProtection,
        sites: &[("ap-northeast-1", 1, 4, 1)],
        description: "Expedition on Realtime servers, Asia Pacific",
    },
    Plan {
        name: "qa-lab-anywhere",
        region: 2,
        on: On::Anywhere,
        instance_type: "",
        slots: 4,
        age_h: 311 * 24,
        scales: Scales::Not,
        group: None,
        protection: NoProtection,
        sites: &[(LAB, 3, 3, 3)],
        description: "The test lab's own machines",
    },
    Plan {
        name: "arena-prod-ap-blue",
        region: 2,
        on: On::Build(FleetType::OnDemand, PREVIOUS_BUILD),
        instance_type: "c6i.xlarge",
        slots: 6,
        age_h: 9 * 24,
        scales: Scales::ByHand,
        group: None,
        protection: FullProtection,
        sites: &[("ap-northeast-1", 0, 4, 0)],
        description: "The release before, kept at zero to go back to",
    },
];

/// The fleet a launch day's alias is repointed to.
const GREEN: Plan = Plan {
    name: "arena-prod-eu-green",
    region: 0,
    on: On::Build(FleetType::OnDemand, CANDIDATE_BUILD),
    instance_type: "c5.xlarge",
    slots: 6,
    age_h: 5,
    scales: Scales::Target(20.0),
    group: Some("arena-prod"),
    protection: FullProtection,
    sites: &[("eu-west-1", 3, 20, 7), ("eu-central-1", 3, 22, 8), ("eu-north-1", 2, 10, 3)],
    description: "Arena 1.43 for the launch, Europe",
};

pub(super) fn add(world: &mut World) {
    for plan in &PLANS {
        add_fleet(world, plan);
    }
    if world.scenario == Scenario::LaunchDay {
        add_fleet(world, &GREEN);
    }
}

fn add_fleet(world: &mut World, plan: &Plan) {
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
        region: plan.region,
        home,
        hosting,
        instance_type: plan.instance_type.to_owned(),
        created_ms,
        active_ms: created_ms + 11 * MINUTE_MS,
        runtime: runtime(plan),
        ports: vec![IpPermission {
            from_port: base_port,
            to_port: last_port,
            ip_range: "0.0.0.0/0".to_owned(),
            protocol: IpProtocol::Udp,
        }],
        protection: plan.protection,
        metric_group: plan.group.map(str::to_owned),
        creation_limit: matches!(plan.on, On::Script).then_some(ResourceCreationLimitPolicy {
            new_game_sessions_per_creator: 5,
            policy_period_in_minutes: 15,
        }),
        certificate: matches!(plan.on, On::Script),
        base_port,
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

fn new_site(site: &(&str, u32, u32, u32), plan: &Plan, policies: usize) -> Site {
    let (name, minimum, maximum, desired) = *site;
    Site {
        name: name.to_owned(),
        stopped: matches!(plan.scales, Scales::ByHand),
        minimum,
        maximum,
        desired,
        requested: desired,
        streaks: vec![0; policies],
        machines: Vec::new(),
        samples: SampleColumns::default(),
        counters: Counters::default(),
    }
}

fn policies(scales: Scales) -> Vec<Policy> {
    match scales {
        Scales::Target(percent) => {
            vec![Policy::Target { name: "keep-sessions-available".to_owned(), percent }]
        }
        Scales::ByHand => vec![Policy::Target { name: "keep-sessions-available".to_owned(), percent: 25.0 }],
        Scales::Rules => vec![
            Policy::Rule {
                name: "add-when-scarce".to_owned(),
                metric: MetricName::AvailableGameSessions,
                comparison: ComparisonOperatorType::LessThanThreshold,
                threshold: 3.0,
                periods: 2,
                adjustment: 1,
            },
            Policy::Rule {
                name: "remove-when-idle".to_owned(),
                metric: MetricName::AvailableGameSessions,
                comparison: ComparisonOperatorType::GreaterThanThreshold,
                threshold: 9.0,
                periods: 15,
                adjustment: -1,
            },
        ],
        Scales::Not => Vec::new(),
    }
}

fn hosting(world: &World, plan: &Plan) -> Hosting {
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
        },
        On::Anywhere => Hosting::Anywhere { cost: "0.085".to_owned() },
    }
}

fn runtime(plan: &Plan) -> RuntimeConfiguration {
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

fn tell_of_creation(world: &mut World, fleet: usize, plan: &Plan) {
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
        world.fleet_event_at(fleet, *code, message, created_ms + after_s * 1_000, None);
    }
}

//! The content that fleets run: builds, scripts and container group definitions.

use super::super::World;
use super::super::names::Kind;
use super::super::records::{
    Build, BuildStatus, ContainerGroupDefinition, ContainerGroupDefinitionStatus, ContainerGroupType,
    ContainerOperatingSystem, ContainerPortRange, GameServerContainerDefinition, IpProtocol, OperatingSystem,
    S3Location, Script, SupportContainerDefinition,
};
use super::tags;

const DAY_MS: i64 = 24 * 3_600_000;

/// Version, status, age in days, megabytes, server SDK. The game server moved to SDK 5 with 1.42.
const BUILDS: [(&str, BuildStatus, i64, u64, &str); 5] = [
    ("1.40.3", BuildStatus::Ready, 33, 812, "4.0.2"),
    ("1.41.2", BuildStatus::Ready, 12, 823, "4.0.2"),
    ("1.42.0", BuildStatus::Ready, 6, 829, "5.3.0"),
    ("1.43.0-rc.1", BuildStatus::Ready, 1, 834, "5.3.0"),
    ("1.43.0-rc.0", BuildStatus::Failed, 2, 834, "5.3.0"),
];

/// Index of the build the main fleets run.
pub(super) const CURRENT_BUILD: usize = 2;
/// Index of the build before the current one.
pub(super) const PREVIOUS_BUILD: usize = 1;
/// Index of the build being tried out.
pub(super) const CANDIDATE_BUILD: usize = 3;

/// Name of the container group definition of every container fleet.
pub(super) const DEFINITION: &str = "royale-server";

/// Latest version of that definition.
pub(super) const DEFINITION_VERSION: u32 = 4;

/// A definition whose server process ends before it is ready to host, so that deploying it fails.
pub(crate) const FAULTY_DEFINITION: &str = "royale-preview";

/// ARN of one version of a container group definition.
pub(crate) fn definition_arn(region: &str, account: &str, name: &str, version: u32) -> String {
    format!("arn:aws:gamelift:{region}:{account}:containergroupdefinition/{name}:{version}")
}

pub(super) fn add(world: &mut World) {
    for region in 0..world.regions.len() {
        add_builds(world, region);
        add_script(world, region);
        add_definitions(world, region);
    }
}

fn add_builds(world: &mut World, region: usize) {
    let name = world.regions[region].name.clone();
    for (index, (version, status, age_days, megabytes, server_sdk)) in BUILDS.iter().enumerate() {
        let build_id = format!("build-{}", world.names.uuid(Kind::Build, index as u32, region as u16));
        let build_arn = format!("arn:aws:gamelift:{name}:{}:build/{build_id}", world.account);
        world.regions[region]
            .tags
            .insert(build_arn.clone(), tags(&[("game", "arena"), ("pipeline", "release")]));
        world.regions[region].builds.push(Build {
            build_id,
            build_arn,
            name: "arena-server".to_owned(),
            version: (*version).to_owned(),
            status: *status,
            size_on_disk_bytes: megabytes * 1_048_576 + 17_213,
            operating_system: OperatingSystem::AmazonLinux2023,
            creation_time_ms: world.start_ms - age_days * DAY_MS - (region as i64) * 900_000 - 4_321_000,
            server_sdk_version: (*server_sdk).to_owned(),
        });
    }
}

fn add_script(world: &mut World, region: usize) {
    let (name, account) = (world.regions[region].name.clone(), world.account.clone());
    if name == "us-east-1" {
        return;
    }
    let script_id = format!("script-{}", world.names.uuid(Kind::Script, 0, region as u16));
    let script_arn = format!("arn:aws:gamelift:{name}:{account}:script/{script_id}");
    world.regions[region].tags.insert(script_arn.clone(), tags(&[("game", "expedition")]));
    world.regions[region].scripts.push(Script {
        script_id,
        script_arn,
        name: Some("expedition-rules".to_owned()),
        version: Some("1.8.2".to_owned()),
        size_on_disk_bytes: 218_644,
        creation_time_ms: world.start_ms - 210 * DAY_MS,
        storage_location: Some(S3Location {
            bucket: format!("game-content-{account}-{name}"),
            key: "expedition/rules.zip".to_owned(),
            role_arn: Some(format!("arn:aws:iam::{account}:role/content-reader")),
            object_version: None,
        }),
        node_js_version: "24.x".to_owned(),
    });
}

fn add_definitions(world: &mut World, region: usize) {
    if world.regions[region].name == "ap-northeast-1" {
        return;
    }
    for version in 1..=DEFINITION_VERSION {
        let made = (60 - 13 * i64::from(version)) * DAY_MS;
        add_definition(world, region, (DEFINITION, version), &format!("2.{version}.0"), made);
    }
    add_definition(world, region, (FAULTY_DEFINITION, 1), "3.0.0-rc.1", DAY_MS);
}

/// Adds a version of a definition that holds this version of the game and was created this long before the start.
fn add_definition(
    world: &mut World,
    region: usize,
    (title, version): (&str, u32),
    game: &str,
    before_start_ms: i64,
) {
    let (name, account) = (world.regions[region].name.clone(), world.account.clone());
    let digest = |part: u64| {
        let number = (u64::from(version) << 8) + part * 4 + u64::from(title == FAULTY_DEFINITION) * 64;
        let value = |n: u64| world.names.value(Kind::Container, number + n);
        format!("sha256:{:016x}{:016x}{:016x}{:016x}", value(0), value(1), value(2), value(3))
    };
    let image = |image: &str, tag: &str| format!("{account}.dkr.ecr.{name}.amazonaws.com/{image}:{tag}");
    let arn = definition_arn(&name, &account, title, version);
    let definition = ContainerGroupDefinition {
        container_group_definition_arn: arn.clone(),
        creation_time_ms: world.start_ms - before_start_ms,
        operating_system: ContainerOperatingSystem::AmazonLinux2023,
        name: title.to_owned(),
        container_group_type: ContainerGroupType::GameServer,
        total_memory_limit_mebibytes: 1_536,
        total_vcpu_limit: 1.0,
        game_server_container_definition: Some(GameServerContainerDefinition {
            container_name: format!("{title}-server"),
            image_uri: image("royale", game),
            port_configuration: vec![ContainerPortRange {
                from_port: 7_000,
                to_port: 7_010,
                protocol: IpProtocol::Udp,
            }],
            resolved_image_digest: digest(1),
            server_sdk_version: "5.3.0".to_owned(),
        }),
        support_container_definitions: vec![SupportContainerDefinition {
            container_name: "telemetry".to_owned(),
            essential: false,
            image_uri: image("telemetry", "1.7"),
            memory_hard_limit_mebibytes: 256,
            resolved_image_digest: digest(2),
            vcpu: 0.25,
        }],
        version_number: version,
        version_description: Some(format!("royale {game}")),
        status: ContainerGroupDefinitionStatus::Ready,
    };
    world.regions[region].tags.insert(arn, tags(&[("game", "royale")]));
    world.regions[region].definitions.push(definition);
}

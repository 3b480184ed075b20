//! The parts of fleets that several operations take as input: ports, server processes, creator limits, metric groups.

use std::net::IpAddr;

use super::choice::Choice;
use super::lookup::{self, invalid};
use crate::operation::Call;
use crate::service::ServiceError;
use crate::wire::{Integer, Items, Nested, Text, input};
use liftdeck_simulated_world::FleetRef;
use liftdeck_simulated_world::records::{
    FleetStatus, IpPermission, IpProtocol, OperatingSystem, ProtectionPolicy, ResourceCreationLimitPolicy,
    RuntimeConfiguration, ServerProcess,
};

/// The most server processes on an instance (G2).
const MOST_PROCESSES: i64 = 50;
/// The most inbound permissions of a fleet (A16, IpPermissionsList).
const MOST_PORTS: usize = 50;
/// The most sessions a creator may create in a period, and the longest period in minutes (G2).
const MOST_PER_CREATOR: (i64, i64) = (10, 60);

/// The lowest port for players, and the port for remote access to Linux (`IpPermission`).
const FIRST_PORT: u16 = 1_026;
const SSH_PORT: u16 = 22;

const MOST: i64 = i32::MAX as i64;

pub(super) static WHOLE: Integer = Integer::between(0, MOST);
pub(super) static PROTECTION: Choice<ProtectionPolicy> =
    Choice::new(ProtectionPolicy::ALL, ProtectionPolicy::as_str);
static PORT: Integer = Integer::between(1, 60_000);
static IP_RANGE: Text = Text::matching(0, usize::MAX, r"^[^\s]+$");
static PROTOCOL: Choice<IpProtocol> = Choice::new(IpProtocol::ALL, IpProtocol::as_str);
static PERMISSION: Nested<Permission> = Nested::new();
pub(super) static PERMISSIONS: Items<'_, Nested<Permission>> =
    Items { each: &PERMISSION, min: 0, max: MOST_PORTS };
static LAUNCH_PATH: Text = Text::matching(1, 1024, r"^[A-Za-z0-9_:.+/\\\- ]+$");
static PARAMETERS: Text = Text::matching(1, 1024, r#"^[A-Za-z0-9_:.+/\\\- =@;{},?'\[\]"]+$"#);
static PROCESS: Nested<Process> = Nested::new();
static PROCESSES: Items<'_, Nested<Process>> = Items { each: &PROCESS, min: 1, max: 50 };
pub(super) static RUNTIME: Nested<Runtime> = Nested::new();
pub(super) static CREATOR_LIMIT: Nested<CreatorLimit> = Nested::new();
static GROUP: Text = Text::length(1, 255);
pub(super) static GROUPS: Items<'_, Text> = Items { each: &GROUP, min: 0, max: 1 };
static COST: Text = Text::matching(1, 11, r"^\d{1,5}(?:\.\d{1,5})?$");
pub(super) static ANYWHERE: Nested<Anywhere> = Nested::new();

input! {
    /// `IpPermission`.
    pub(super) struct Permission {
        from_port: i64 = required("FromPort", PORT),
        to_port: i64 = required("ToPort", PORT),
        ip_range: String = required("IpRange", IP_RANGE),
        protocol: IpProtocol = required("Protocol", PROTOCOL),
    }

    /// `ServerProcess`.
    pub(super) struct Process {
        launch_path: String = required("LaunchPath", LAUNCH_PATH),
        parameters: Option<String> = optional("Parameters", PARAMETERS),
        executions: i64 = required("ConcurrentExecutions", Integer::between(1, MOST)),
    }

    /// `RuntimeConfiguration`.
    pub(super) struct Runtime {
        processes: Option<Vec<Process>> = optional("ServerProcesses", PROCESSES),
        activations: Option<i64> =
            optional("MaxConcurrentGameSessionActivations", Integer::between(1, MOST)),
        timeout_s: Option<i64> = optional("GameSessionActivationTimeoutSeconds", Integer::between(1, 600)),
    }

    /// `ResourceCreationLimitPolicy`, and `GameSessionCreationLimitPolicy` of container fleets.
    pub(super) struct CreatorLimit {
        sessions: Option<i64> = optional("NewGameSessionsPerCreator", WHOLE),
        period_min: Option<i64> = optional("PolicyPeriodInMinutes", WHOLE),
    }

    /// `AnywhereConfiguration`.
    pub(super) struct Anywhere {
        cost: String = required("Cost", COST),
    }
}

/// Converts a whole number that a constraint has kept in range.
pub(super) fn small(number: i64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Converts a port that a constraint has kept in range.
pub(super) fn port(number: i64) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

/// The error for too many of something.
pub(super) fn limit_exceeded(message: String) -> ServiceError {
    ServiceError::new("LimitExceededException", message)
}

/// The error for a fleet or location whose status forbids the operation.
pub(super) fn wrong_status(message: String) -> ServiceError {
    ServiceError::new("InvalidFleetStatusException", message)
}

/// Whether text is a range of addresses in CIDR notation, such as `10.0.0.0/8`.
fn is_cidr(text: &str) -> bool {
    let Some((address, bits)) = text.split_once('/') else { return false };
    let (Ok(address), Ok(bits)) = (address.parse::<IpAddr>(), bits.parse::<u8>()) else { return false };
    bits <= if address.is_ipv4() { 32 } else { 128 }
}

/// Refuses ports that cannot be opened on a fleet (`IpPermission`). With a Linux build, 22 and 1026 to 60000 can be
/// opened; with a Windows build, only the latter.
pub(super) fn check_ports(
    rules: &[IpPermission],
    operating_system: Option<OperatingSystem>,
) -> Result<(), ServiceError> {
    let Some(system) = operating_system else { return Ok(()) };
    let remote = !system.as_str().starts_with("WINDOWS");
    let fits = |rule: &IpPermission| {
        rule.from_port >= FIRST_PORT || (remote && (rule.from_port, rule.to_port) == (SSH_PORT, SSH_PORT))
    };
    match rules.iter().find(|rule| !fits(rule)) {
        None => Ok(()),
        Some(rule) => Err(invalid(format!(
            "Ports {}-{} cannot be opened on a fleet with {system}.",
            rule.from_port, rule.to_port
        ))),
    }
}

/// Reads the inbound permissions of an input.
pub(super) fn permissions(given: Vec<Permission>) -> Result<Vec<IpPermission>, ServiceError> {
    given
        .into_iter()
        .map(|given| {
            if given.from_port > given.to_port {
                return Err(invalid("FromPort must not be greater than ToPort."));
            }
            if !is_cidr(&given.ip_range) {
                return Err(invalid(format!("IpRange {} is not in CIDR notation.", given.ip_range)));
            }
            Ok(IpPermission {
                from_port: port(given.from_port),
                to_port: port(given.to_port),
                ip_range: given.ip_range,
                protocol: given.protocol,
            })
        })
        .collect()
}

/// Returns the permissions of a fleet after some are added and others removed. A permission to remove has to exist;
/// adding one that exists changes nothing.
pub(super) fn changed_permissions(
    fleet: &FleetRef<'_>,
    added: Option<Vec<Permission>>,
    removed: Option<Vec<Permission>>,
) -> Result<Vec<IpPermission>, ServiceError> {
    let mut rules = fleet.inbound_permissions().to_vec();
    for rule in permissions(removed.unwrap_or_default())? {
        let place = rules.iter().position(|known| *known == rule).ok_or_else(|| {
            invalid(format!(
                "Fleet {} has no inbound permission {} {}-{} {} that could be revoked.",
                fleet.id(),
                rule.protocol,
                rule.from_port,
                rule.to_port,
                rule.ip_range
            ))
        })?;
        rules.remove(place);
    }
    let added = permissions(added.unwrap_or_default())?;
    check_ports(&added, fleet.attributes().and_then(|attributes| attributes.operating_system))?;
    for rule in added {
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    if rules.len() > MOST_PORTS {
        return Err(limit_exceeded(format!("A fleet can have at most {MOST_PORTS} inbound permissions.")));
    }
    Ok(rules)
}

/// Reads the runtime configuration of an input.
pub(super) fn runtime(given: Runtime) -> Result<RuntimeConfiguration, ServiceError> {
    let processes = given.processes.unwrap_or_default();
    if processes.is_empty() {
        return Err(invalid("The runtime configuration must have at least one server process."));
    }
    let total: i64 = processes.iter().map(|process| process.executions).sum();
    if total > MOST_PROCESSES {
        let message = format!(
            "The runtime configuration starts {total} server processes; an instance runs at most {MOST_PROCESSES}."
        );
        return Err(limit_exceeded(message));
    }
    let processes = processes.into_iter().map(|process| ServerProcess {
        launch_path: process.launch_path,
        parameters: process.parameters,
        concurrent_executions: small(process.executions),
    });
    Ok(RuntimeConfiguration {
        server_processes: processes.collect(),
        max_concurrent_game_session_activations: given.activations.map(small),
        game_session_activation_timeout_seconds: given.timeout_s.map(small),
    })
}

/// Reads the creator limit of an input.
pub(super) fn creator_limit(
    given: Option<CreatorLimit>,
) -> Result<Option<ResourceCreationLimitPolicy>, ServiceError> {
    let Some(given) = given else { return Ok(None) };
    let (sessions, period_min) = (given.sessions.unwrap_or(0), given.period_min.unwrap_or(0));
    let (most_sessions, most_min) = MOST_PER_CREATOR;
    if sessions > most_sessions || period_min > most_min {
        return Err(limit_exceeded(format!(
            "A creator can be allowed at most {most_sessions} game sessions in at most {most_min} minutes."
        )));
    }
    Ok(Some(ResourceCreationLimitPolicy {
        new_game_sessions_per_creator: small(sessions),
        policy_period_in_minutes: small(period_min),
    }))
}

/// Refuses a fleet that is being deleted or has been deleted.
pub(super) fn not_leaving(fleet: &FleetRef<'_>) -> Result<(), ServiceError> {
    match fleet.status() {
        FleetStatus::Deleting | FleetStatus::Terminated => {
            Err(wrong_status(format!("Fleet {} is in status {}.", fleet.id(), fleet.status())))
        }
        _ => Ok(()),
    }
}

/// Finds the EC2 fleet with this id or ARN; no other kind offers the operation.
pub(super) fn ec2_fleet<'a>(call: &Call<'a>, id_or_arn: &str) -> Result<FleetRef<'a>, ServiceError> {
    let fleet = lookup::server_fleet(call, id_or_arn)?;
    if fleet.is_anywhere() { Err(lookup::unfit(call, fleet.id(), "Anywhere")) } else { Ok(fleet) }
}

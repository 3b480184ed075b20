//! New fleets: from NEW to ACTIVE step by step, with the events on the way, or to ERROR.

use std::collections::BTreeMap;

use super::super::engine::Transition;
use super::super::fleet::{Content, Fleet, Hosting, Site};
use super::super::names::Kind;
use super::super::records::{
    EventCode, FleetStatus, FleetType, IpPermission, OperatingSystem, ProtectionPolicy,
    ResourceCreationLimitPolicy, RuntimeConfiguration,
};
use super::super::{NEVER_MS, World};
use super::Step;

/// Port of the processes in a fleet that opens none.
const DEFAULT_PORT: u16 = 7_777;

/// A stage of a creation: seconds after the previous one, the new state, the event, and the message of an event
/// without a state.
struct Stage(i64, Option<FleetStatus>, EventCode, &'static str);

/// The creation of an EC2 fleet.
const STAGES: [Stage; 10] = [
    Stage(0, Some(FleetStatus::New), EventCode::FleetCreated, ""),
    Stage(12, Some(FleetStatus::Downloading), EventCode::FleetStateDownloading, ""),
    Stage(53, None, EventCode::FleetCreationExtractingBuild, "Extracting the content."),
    Stage(30, Some(FleetStatus::Validating), EventCode::FleetStateValidating, ""),
    Stage(15, None, EventCode::FleetCreationValidatingRuntimeConfig, "Validating the runtime configuration."),
    Stage(30, Some(FleetStatus::Building), EventCode::FleetStateBuilding, ""),
    Stage(20, None, EventCode::FleetCreationRunningInstaller, "Running the installer."),
    Stage(140, None, EventCode::FleetCreationCompletedInstaller, "The installer has completed."),
    Stage(30, Some(FleetStatus::Activating), EventCode::FleetStateActivating, ""),
    Stage(330, Some(FleetStatus::Active), EventCode::FleetStateActive, ""),
];

/// Index of the stage that looks for the launch paths.
const VALIDATION: usize = 4;

/// Where builds and scripts are installed on Linux and Windows instances. Nothing else can be started.
const ROOTS: [&str; 2] = ["/local/game/", "C:\\game\\"];

/// A fleet to create.
#[derive(Clone, Debug)]
pub struct NewFleet {
    /// Not necessarily unique.
    pub name: String,
    /// For people.
    pub description: Option<String>,
    /// Where its server processes run.
    pub hosting: NewHosting,
    /// Protection of its game sessions; none if absent.
    pub protection: Option<ProtectionPolicy>,
    /// Limit on the game sessions that one creator may create.
    pub creation_limit: Option<ResourceCreationLimitPolicy>,
    /// The metric group it belongs to.
    pub metric_group: Option<String>,
    /// Remote locations; the custom locations of an Anywhere fleet.
    pub locations: Vec<String>,
    /// Tag values by key.
    pub tags: BTreeMap<String, String>,
}

/// The hosting of a new fleet.
#[derive(Clone, Debug)]
pub enum NewHosting {
    /// Managed EC2 instances.
    Ec2 {
        /// On-Demand or Spot.
        fleet_type: FleetType,
        /// As EC2 spells it: `c5.large`.
        instance_type: String,
        /// The content that runs there.
        content: NewContent,
        /// Inbound rules.
        ports: Vec<IpPermission>,
        /// The server processes that each instance runs.
        runtime: RuntimeConfiguration,
        /// ARN of the role that its server processes may assume.
        role: Option<String>,
        /// Whether a TLS certificate is created for it.
        certificate: bool,
    },
    /// Computes of the customer.
    Anywhere {
        /// Cost of a compute, as a number in text.
        cost: Option<String>,
    },
}

/// The content of a new EC2 fleet: id and ARN.
#[derive(Clone, Debug)]
pub enum NewContent {
    /// A build.
    Build(String, String),
    /// A Realtime script.
    Script(String, String),
}

impl World {
    /// Begins to create a fleet and returns its id, or `None` if there is no such region. An Anywhere fleet is ACTIVE
    /// at once, an EC2 fleet some minutes later.
    pub fn create_fleet(&mut self, region: &str, new: NewFleet) -> Option<String> {
        let (region_index, _) = self.region(region)?;
        let (index, now_ms) = (self.fleets.len(), self.now_ms);
        let id = format!("fleet-{}", self.names.uuid(Kind::Fleet, index as u32, 0));
        let arn = format!("arn:aws:gamelift:{region}::fleet/{id}");
        let managed = matches!(new.hosting, NewHosting::Ec2 { .. });
        let built = Built::from(new.hosting);
        let (minimum, maximum, desired) = if managed { (0, 1, 1) } else { (0, 0, 0) };
        let home = managed.then(|| region.to_owned());
        let sites = home.into_iter().chain(new.locations).map(|location| Site {
            state: Some(FleetStatus::New),
            ..Site::new(&location, minimum, maximum, desired, 0)
        });
        self.fleets.push(Fleet {
            id,
            arn: arn.clone(),
            stem: new.name.clone(),
            name: new.name,
            description: new.description.unwrap_or_default(),
            role: built.role,
            region: region_index,
            home: region.to_owned(),
            hosting: built.hosting,
            instance_type: built.instance_type,
            created_ms: now_ms,
            active_ms: NEVER_MS,
            terminated_ms: NEVER_MS,
            gone_ms: NEVER_MS,
            base_port: built.ports.first().map_or(DEFAULT_PORT, |ports| ports.from_port),
            last_port: built.ports.first().map_or(DEFAULT_PORT, |ports| ports.to_port),
            slots_per_instance: slots(&built.runtime),
            runtime: built.runtime,
            ports: built.ports,
            ports_settle_ms: now_ms,
            protection: new.protection.unwrap_or(ProtectionPolicy::NoProtection),
            metric_group: new.metric_group,
            creation_limit: new.creation_limit,
            certificate: built.certificate,
            policies: Vec::new(),
            sites: sites.collect(),
            events: Vec::new(),
            sessions: Default::default(),
            live: Default::default(),
        });
        self.regions[region_index].tags.insert(arn, new.tags);
        if managed {
            self.creation_step(index, 0);
        } else {
            self.state_event(index, EventCode::FleetCreated, FleetStatus::New.as_str());
            self.become_active(index);
        }
        self.fleets.get(index).map(|fleet| fleet.id.clone())
    }

    pub(super) fn creation_step(&mut self, fleet: usize, place: usize) {
        let Some(Stage(_, state, code, words)) = STAGES.get(place) else { return };
        let id = self.fleets[fleet].id.clone();
        let missing = self.missing_launch_paths(fleet).join(", ");
        if place == VALIDATION && !missing.is_empty() {
            self.creation_failed(fleet, &missing);
            return;
        }
        match state {
            Some(FleetStatus::Active) => {
                self.become_active(fleet);
                return;
            }
            Some(state) => {
                self.set_state(fleet, *state);
                self.state_event(fleet, *code, state.as_str());
            }
            None => {
                let log = (*code != EventCode::FleetCreationCompletedInstaller)
                    .then(|| format!("https://fleet-logs.example.com/{id}/{place}.log?X-Amz-Expires=900"));
                self.fleet_event_at(fleet, *code, (*words).to_owned(), self.now_ms, log);
            }
        }
        if let Some(Stage(after_s, ..)) = STAGES.get(place + 1) {
            self.note_step(after_s * 1_000, Step::Creation(fleet, place + 1));
        }
    }

    fn become_active(&mut self, fleet: usize) {
        self.fleets[fleet].active_ms = self.now_ms;
        self.set_state(fleet, FleetStatus::Active);
        self.state_event(fleet, EventCode::FleetStateActive, FleetStatus::Active.as_str());
        for site in 1..self.fleets[fleet].sites.len() {
            self.location_event(fleet, site, EventCode::LocationStateActive, FleetStatus::Active.as_str());
        }
        self.agenda.note(self.now_ms, Transition::FleetActive(fleet));
    }

    fn set_state(&mut self, fleet: usize, state: FleetStatus) {
        self.fleets[fleet].sites.iter_mut().for_each(|site| site.state = Some(state));
    }

    /// Returns the launch paths of a fleet's runtime configuration that cannot be in its build. Scripts are named
    /// without a directory, so they are not checked.
    fn missing_launch_paths(&self, fleet: usize) -> Vec<&str> {
        let owner = &self.fleets[fleet];
        if matches!(owner.hosting, Hosting::Ec2 { content: Content::Script(..), .. }) {
            return Vec::new();
        }
        let paths = owner.runtime.server_processes.iter().map(|process| process.launch_path.as_str());
        paths.filter(|path| !ROOTS.iter().any(|root| path.starts_with(root))).collect()
    }

    fn creation_failed(&mut self, fleet: usize, missing: &str) {
        let message = format!("The launch path was not found in the build: {missing}");
        self.fleet_event(fleet, EventCode::FleetValidationLaunchPathNotFound, message);
        self.set_state(fleet, FleetStatus::Error);
        self.state_event(fleet, EventCode::FleetStateError, FleetStatus::Error.as_str());
    }
}

/// The parts of a fleet that depend on its kind.
struct Built {
    hosting: Hosting,
    instance_type: String,
    ports: Vec<IpPermission>,
    runtime: RuntimeConfiguration,
    role: Option<String>,
    certificate: bool,
}

impl From<NewHosting> for Built {
    fn from(new: NewHosting) -> Self {
        match new {
            NewHosting::Ec2 { fleet_type, instance_type, content, ports, runtime, role, certificate } => {
                let content = match content {
                    NewContent::Build(id, arn) => Content::Build(id, arn),
                    NewContent::Script(id, arn) => Content::Script(id, arn),
                };
                let operating_system = OperatingSystem::AmazonLinux2023;
                let hosting = Hosting::Ec2 { fleet_type, content, operating_system };
                Built { hosting, instance_type, ports, runtime, role, certificate }
            }
            NewHosting::Anywhere { cost } => Built {
                hosting: Hosting::Anywhere { cost: cost.unwrap_or_else(|| "0".to_owned()) },
                instance_type: String::new(),
                ports: Vec::new(),
                runtime: RuntimeConfiguration {
                    server_processes: Vec::new(),
                    max_concurrent_game_session_activations: None,
                    game_session_activation_timeout_seconds: None,
                },
                role: None,
                certificate: false,
            },
        }
    }
}

fn slots(runtime: &RuntimeConfiguration) -> usize {
    runtime.server_processes.iter().map(|process| process.concurrent_executions as usize).sum()
}

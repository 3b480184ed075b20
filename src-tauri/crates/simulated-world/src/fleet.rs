//! The state of a fleet and of its locations: instances, their server processes, limits, policies, events.
//!
//! Owns the facts and the counting. The engine's modules (`capacity`, `play`) change them, and `fleet_view` shows
//! them.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::records::{
    ContainerFleetBillingType, FleetEvent, FleetStatus, FleetType, IpPermission, LogConfiguration,
    OperatingSystem, ProtectionPolicy, ResourceCreationLimitPolicy, RuntimeConfiguration,
};
use super::sample::SampleColumns;
use super::scaling::Policy;
use super::{NEVER_MS, sample::Counters};

/// A fleet of any kind.
#[derive(Clone, Debug)]
pub(crate) struct Fleet {
    pub(crate) id: String,
    pub(crate) arn: String,
    pub(crate) name: String,
    pub(crate) description: String,
    /// The name it was created with, from which other names derive.
    pub(crate) stem: String,
    /// IAM role of its instances.
    pub(crate) role: Option<String>,
    /// Index of the home region in the world.
    pub(crate) region: usize,
    pub(crate) home: String,
    pub(crate) hosting: Hosting,
    pub(crate) instance_type: String,
    pub(crate) created_ms: i64,
    /// When the home location became ACTIVE.
    pub(crate) active_ms: i64,
    /// TERMINATED from this time on.
    pub(crate) terminated_ms: i64,
    /// No longer known from this time on.
    pub(crate) gone_ms: i64,
    pub(crate) runtime: RuntimeConfiguration,
    pub(crate) ports: Vec<IpPermission>,
    /// Until this time, a change of the ports is still being applied in the remote locations.
    pub(crate) ports_settle_ms: i64,
    pub(crate) protection: ProtectionPolicy,
    pub(crate) metric_group: Option<String>,
    pub(crate) creation_limit: Option<ResourceCreationLimitPolicy>,
    pub(crate) certificate: bool,
    pub(crate) base_port: u16,
    /// Last port on which the processes of a container fleet are reached.
    pub(crate) last_port: u16,
    /// Server processes (or container groups) on each instance.
    pub(crate) slots_per_instance: usize,
    pub(crate) policies: Vec<Policy>,
    pub(crate) sites: Vec<Site>,
    /// Oldest first.
    pub(crate) events: Vec<FleetEvent>,
    /// Every retained session by number.
    pub(crate) sessions: BTreeSet<u32>,
    /// Sessions that have not ended, by number.
    pub(crate) live: BTreeSet<u32>,
}

/// How a fleet is hosted.
#[derive(Clone, Debug)]
pub(crate) enum Hosting {
    /// EC2 instances that run a build or a Realtime script.
    Ec2 { fleet_type: FleetType, content: Content, operating_system: OperatingSystem },
    /// EC2 instances that run container groups.
    Container {
        billing: ContainerFleetBillingType,
        /// Name of the container group definition, and its version.
        definition: String,
        version: u32,
        /// Id of the latest deployment.
        deployment: String,
        /// Maximum number of container groups that fit on an instance.
        most_groups: u32,
        logs: LogConfiguration,
    },
    /// The customer's own computes.
    Anywhere { cost: String },
}

/// What an EC2 fleet runs.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// A build: id and ARN.
    Build(String, String),
    /// A Realtime script: id and ARN.
    Script(String, String),
}

impl Fleet {
    pub(crate) fn is_container(&self) -> bool {
        matches!(self.hosting, Hosting::Container { .. })
    }

    pub(crate) fn is_anywhere(&self) -> bool {
        matches!(self.hosting, Hosting::Anywhere { .. })
    }

    pub(crate) fn is_spot(&self) -> bool {
        match &self.hosting {
            Hosting::Ec2 { fleet_type, .. } => *fleet_type == FleetType::Spot,
            Hosting::Container { billing, .. } => *billing == ContainerFleetBillingType::Spot,
            Hosting::Anywhere { .. } => false,
        }
    }

    pub(crate) fn site(&self, location: &str) -> Option<(usize, &Site)> {
        self.sites.iter().enumerate().find(|(_, site)| !site.gone && site.name == location)
    }

    /// Returns how many server processes each instance is to run. There is no limit for container fleets, whose
    /// groups never change on a running instance.
    pub(crate) fn processes(&self) -> usize {
        if self.is_container() { usize::MAX } else { self.slots_per_instance }
    }

    /// Returns its locations, the home first.
    pub(crate) fn places(&self) -> impl Iterator<Item = &Site> {
        self.sites.iter().filter(|site| !site.gone)
    }

    /// Whether the fleet is visible at that time.
    pub(crate) fn exists(&self, now_ms: i64) -> bool {
        self.created_ms <= now_ms && now_ms < self.gone_ms
    }

    /// Returns the status of a location.
    pub(crate) fn status(&self, site: &Site, now_ms: i64) -> FleetStatus {
        match site.state {
            Some(status) => status,
            None if now_ms >= self.active_ms => FleetStatus::Active,
            None => FleetStatus::Activating,
        }
    }

    /// Whether game sessions can be placed in a location.
    pub(crate) fn hosts(&self, site: &Site, now_ms: i64) -> bool {
        !site.gone && self.status(site, now_ms) == FleetStatus::Active
    }
}

/// A fleet in one location.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    pub(crate) name: String,
    /// Its status since the last change by hand. `None` if it becomes ACTIVE with the fleet.
    pub(crate) state: Option<FleetStatus>,
    /// Removed from the fleet; only ended sessions still refer to it.
    pub(crate) gone: bool,
    /// Has a modelled past before its first row.
    pub(crate) has_past: bool,
    /// AUTO_SCALING is stopped here.
    pub(crate) stopped: bool,
    /// Until this time, a stop, a start or a policy is still being applied here.
    pub(crate) settles_ms: i64,
    /// The desired count was last set by hand, which may end unprotected sessions.
    pub(crate) by_hand: bool,
    /// How it scales to and from zero, if it does.
    pub(crate) zero: Option<ZeroScaling>,
    pub(crate) minimum: u32,
    pub(crate) maximum: u32,
    /// The desired count that capacity requests return.
    pub(crate) desired: u32,
    /// The count requested last, which becomes `desired` within a minute.
    pub(crate) requested: u32,
    /// State that each policy of the fleet keeps from the previous minutes.
    pub(crate) streaks: Vec<u32>,
    /// Number of the first instance it ever had.
    pub(crate) first_machine: Option<u32>,
    pub(crate) machines: Vec<Machine>,
    pub(crate) samples: SampleColumns,
    pub(crate) counters: Counters,
}

/// SCALE_TO_AND_FROM_ZERO in a location.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ZeroScaling {
    /// Minutes without a session or a request for one before the location scales to zero.
    pub(crate) after_min: u32,
    /// When a session last existed or was requested.
    pub(crate) last_use_ms: i64,
}

/// An instance, or a compute of an Anywhere fleet.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    /// Number of the instance in the world.
    pub(crate) number: u32,
    pub(crate) created_ms: i64,
    pub(crate) ready_ms: i64,
    /// Takes no new sessions from this time on (Spot notice).
    pub(crate) draining_ms: i64,
    /// TERMINATING from this time on.
    pub(crate) leaving_ms: i64,
    /// No longer known from this time on.
    pub(crate) gone_ms: i64,
    /// ARN of the container group definition it runs.
    pub(crate) binary: Option<Arc<str>>,
    pub(crate) slots: Vec<Slot>,
}

/// A server process on an instance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub(crate) session: Option<u32>,
    /// When the process reports that it is ready to host; never, if the slot is to have no process.
    pub(crate) ready_ms: i64,
}

impl Slot {
    /// Whether the slot has a process, or one is to start.
    pub(crate) fn is_kept(&self) -> bool {
        self.session.is_some() || self.ready_ms != NEVER_MS
    }
}

impl Machine {
    pub(crate) fn new(number: u32, created_ms: i64, ready_ms: i64, slots: usize) -> Self {
        Self {
            number,
            created_ms,
            ready_ms,
            draining_ms: NEVER_MS,
            leaving_ms: NEVER_MS,
            gone_ms: NEVER_MS,
            binary: None,
            slots: vec![Slot { session: None, ready_ms }; slots],
        }
    }

    pub(crate) fn is_pending(&self, now_ms: i64) -> bool {
        now_ms < self.ready_ms && now_ms < self.leaving_ms
    }

    pub(crate) fn is_active(&self, now_ms: i64) -> bool {
        self.ready_ms <= now_ms && now_ms < self.leaving_ms
    }

    pub(crate) fn is_terminating(&self, now_ms: i64) -> bool {
        self.leaving_ms <= now_ms && now_ms < self.gone_ms
    }

    /// Whether no server process can ever host here.
    pub(crate) fn is_useless(&self) -> bool {
        !self.slots.iter().any(Slot::is_kept)
    }

    pub(crate) fn sessions(&self) -> usize {
        self.slots.iter().filter(|slot| slot.session.is_some()).count()
    }

    /// Returns the index of a process that could host a session now.
    pub(crate) fn free_slot(&self, now_ms: i64) -> Option<usize> {
        if !self.is_active(now_ms) || self.draining_ms <= now_ms {
            return None;
        }
        self.slots.iter().position(|slot| slot.session.is_none() && slot.ready_ms <= now_ms)
    }
}

/// Instances and processes of a site, counted at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SiteCount {
    pub(crate) pending: u32,
    pub(crate) active: u32,
    pub(crate) idle: u32,
    pub(crate) terminating: u32,
    /// Running processes on active instances, with or without a session.
    pub(crate) processes: u32,
    /// Processes that are still starting.
    pub(crate) starting: u32,
    /// Ready processes without a session on instances that accept sessions.
    pub(crate) available: u32,
}

impl Site {
    /// Creates a location with its limits, its initial desired count and the state of `policies` policies.
    pub(crate) fn new(name: &str, minimum: u32, maximum: u32, desired: u32, policies: usize) -> Self {
        Self {
            name: name.to_owned(),
            state: None,
            gone: false,
            has_past: false,
            stopped: false,
            settles_ms: 0,
            by_hand: false,
            zero: None,
            minimum,
            maximum,
            desired,
            requested: desired,
            streaks: vec![0; policies],
            first_machine: None,
            machines: Vec::new(),
            samples: SampleColumns::default(),
            counters: Counters::default(),
        }
    }

    pub(crate) fn count(&self, now_ms: i64) -> SiteCount {
        let mut count = SiteCount::default();
        for machine in &self.machines {
            if machine.is_pending(now_ms) {
                count.pending += 1;
            } else if machine.is_terminating(now_ms) {
                count.terminating += 1;
            } else if machine.is_active(now_ms) {
                count.active += 1;
                count.idle += u32::from(machine.sessions() == 0);
                let draining = machine.draining_ms <= now_ms;
                for slot in machine.slots.iter().filter(|slot| slot.is_kept()) {
                    let runs = slot.session.is_some() || slot.ready_ms <= now_ms;
                    count.processes += u32::from(runs);
                    count.starting += u32::from(!runs);
                    count.available += u32::from(runs && slot.session.is_none() && !draining);
                }
            }
        }
        count
    }
}

//! The state of a fleet and of its locations: instances, their server processes, limits, policies, events.
//!
//! Owns the facts and the counting. What changes them lies in the engine's modules (`capacity`, `play`), how they
//! are shown in `fleet_view`.

use std::collections::BTreeSet;

use super::records::{
    ContainerFleetBillingType, FleetEvent, FleetType, IpPermission, OperatingSystem, ProtectionPolicy,
    ResourceCreationLimitPolicy, RuntimeConfiguration,
};
use super::sample::SampleColumns;
use super::scaling::Policy;
use super::{NEVER_MS, sample::Counters};

/// A fleet of any kind.
#[derive(Debug)]
pub(crate) struct Fleet {
    pub(crate) id: String,
    pub(crate) arn: String,
    pub(crate) name: String,
    pub(crate) description: String,
    /// Index of the home region in the world.
    pub(crate) region: usize,
    pub(crate) home: String,
    pub(crate) hosting: Hosting,
    pub(crate) instance_type: String,
    pub(crate) created_ms: i64,
    /// When the home location became ACTIVE.
    pub(crate) active_ms: i64,
    pub(crate) runtime: RuntimeConfiguration,
    pub(crate) ports: Vec<IpPermission>,
    pub(crate) protection: ProtectionPolicy,
    pub(crate) metric_group: Option<String>,
    pub(crate) creation_limit: Option<ResourceCreationLimitPolicy>,
    pub(crate) certificate: bool,
    pub(crate) base_port: u16,
    /// Server processes (or container groups) on each instance.
    pub(crate) slots_per_instance: usize,
    pub(crate) policies: Vec<Policy>,
    pub(crate) sites: Vec<Site>,
    /// Oldest first.
    pub(crate) events: Vec<FleetEvent>,
    /// Every retained session by number.
    pub(crate) sessions: BTreeSet<u32>,
    /// The ones that have not ended.
    pub(crate) live: BTreeSet<u32>,
}

/// What kind of hosting a fleet is.
#[derive(Clone, Debug)]
pub(crate) enum Hosting {
    /// EC2 instances that run a build or a Realtime script.
    Ec2 { fleet_type: FleetType, content: Content, operating_system: OperatingSystem },
    /// EC2 instances that run container groups.
    Container { billing: ContainerFleetBillingType, definition: String, version: u32, deployment: String },
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
        self.sites.iter().enumerate().find(|(_, site)| site.name == location)
    }
}

/// A fleet in one location.
#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) name: String,
    /// AUTO_SCALING is stopped here.
    pub(crate) stopped: bool,
    pub(crate) minimum: u32,
    pub(crate) maximum: u32,
    /// What capacity reads show.
    pub(crate) desired: u32,
    /// What was asked for last; becomes `desired` within a minute.
    pub(crate) requested: u32,
    /// What each policy of the fleet remembers of the minutes before.
    pub(crate) streaks: Vec<u32>,
    pub(crate) machines: Vec<Machine>,
    pub(crate) samples: SampleColumns,
    pub(crate) counters: Counters,
}

/// An instance, or a compute of an Anywhere fleet.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    /// Number of the instance in the world.
    pub(crate) number: u32,
    pub(crate) created_ms: i64,
    pub(crate) ready_ms: i64,
    /// No new sessions from here on (Spot notice).
    pub(crate) draining_ms: i64,
    /// TERMINATING from here on.
    pub(crate) leaving_ms: i64,
    /// Forgotten from here on.
    pub(crate) gone_ms: i64,
    pub(crate) slots: Vec<Slot>,
}

/// A server process on an instance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub(crate) session: Option<u32>,
    /// When the process has reported that it is ready to host.
    pub(crate) ready_ms: i64,
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

    pub(crate) fn sessions(&self) -> usize {
        self.slots.iter().filter(|slot| slot.session.is_some()).count()
    }

    /// A process that could take a session now.
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
    /// Processes on active instances that run, with or without a session.
    pub(crate) processes: u32,
    /// Processes that should run but are starting.
    pub(crate) starting: u32,
    /// Processes without a session, ready, on instances that take sessions.
    pub(crate) available: u32,
}

impl Site {
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
                for slot in &machine.slots {
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

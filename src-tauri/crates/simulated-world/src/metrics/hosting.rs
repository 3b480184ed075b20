//! Metrics of fleets and their locations: names, the fleets that have them, and how they derive from a minute's
//! sample.

use super::super::fleet::Fleet;
use super::super::names::mix;
use super::super::sample::{Counters, Sample};
use super::super::scaling::percent;

/// The fleets that have a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exists {
    Always,
    /// Managed fleets, with or without containers.
    Managed,
    /// Managed fleets; not aggregated over a metric group.
    Limits,
    Ec2Spot,
    ContainerSpot,
    Spot,
    Container,
}

/// A metric of fleets.
#[derive(Clone, Copy, Debug)]
pub(super) struct HostingMetric {
    pub(super) name: &'static str,
    exists: Exists,
    follows: Follows,
}

/// Computes a value from a minute.
type Follows = fn(&Sample, &Surroundings) -> Option<f64>;

/// Further input that a value may need besides the sample.
pub(super) struct Surroundings {
    /// Processes an instance can run.
    slots: u32,
    /// Reproducible noise, at least -0.5 and below 0.5; different for each minute and place.
    noise: f64,
}

const fn row(name: &'static str, exists: Exists, follows: Follows) -> HostingMetric {
    HostingMetric { name, exists, follows }
}

/// A gauge or a count straight from the sample.
macro_rules! plain {
    ($name:literal, $exists:ident, $($field:ident).+) => {
        row($name, Exists::$exists, |sample, _| Some(f64::from(sample.$($field).+)))
    };
}

/// Every metric of section E for fleets without a player gateway.
const ROWS: [HostingMetric; 43] = [
    plain!("ActiveInstances", Managed, active),
    plain!("DesiredInstances", Limits, desired),
    plain!("IdleInstances", Managed, idle),
    plain!("MaxInstances", Limits, maximum),
    plain!("MinInstances", Limits, minimum),
    row("PercentIdleInstances", Exists::Managed, |s, _| Some(percent(s.idle.into(), s.active.into()))),
    plain!("RecycledInstances", Ec2Spot, counters.recycled),
    plain!("RecycledSpotInstances", ContainerSpot, counters.recycled),
    plain!("InstanceSpotInterruptions", Spot, counters.spot_interruptions),
    row("CPUUtilization", Exists::Managed, cpu),
    row("NetworkIn", Exists::Managed, |s, around| traffic(s, around, 310_000.0)),
    row("NetworkOut", Exists::Managed, |s, around| traffic(s, around, 1_140_000.0)),
    row("DiskReadBytes", Exists::Managed, |s, around| traffic(s, around, 21_000.0)),
    row("DiskWriteBytes", Exists::Managed, |s, around| traffic(s, around, 47_000.0)),
    row("DiskReadOps", Exists::Managed, |s, around| traffic(s, around, 3.0).map(f64::round)),
    row("DiskWriteOps", Exists::Managed, |s, around| traffic(s, around, 9.0).map(f64::round)),
    plain!("ActiveServerProcesses", Always, processes),
    row("HealthyServerProcesses", Exists::Always, |s, _| Some(f64::from(healthy(s)))),
    row("PercentHealthyServerProcesses", Exists::Always, |s, _| {
        (s.processes > 0).then(|| percent(healthy(s).into(), s.processes.into()))
    }),
    plain!("ServerProcessAbnormalTerminations", Always, counters.abnormal_ends),
    plain!("ServerProcessActivations", Always, counters.process_starts),
    plain!("ServerProcessTerminations", Always, counters.process_ends),
    plain!("ActivatingGameSessions", Always, activating_sessions),
    plain!("ActiveGameSessions", Always, active_sessions),
    plain!("AvailableGameSessions", Always, available),
    // Two activations at a time on each instance that has a free process.
    row("ConcurrentActivatableGameSessions", Exists::Always, |s, _| {
        Some(f64::from(s.available.min(s.active.saturating_mul(2))))
    }),
    row("PercentAvailableGameSessions", Exists::Always, |s, _| {
        let unhealthy = s.processes - healthy(s);
        let whole = u32::from(s.active_sessions) + u32::from(s.available) + u32::from(unhealthy);
        Some(percent(s.available.into(), whole))
    }),
    plain!("GameSessionInterruptions", Spot, counters.session_interruptions),
    plain!("CurrentPlayerSessions", Always, players),
    plain!("PlayerSessionActivations", Always, counters.joins),
    plain!("ActiveGameServerContainerGroups", Container, processes),
    plain!("IdleGameServerContainerGroups", Container, available),
    row("PendingGameServerContainerGroups", Exists::Container, |s, around| {
        Some(f64::from(u32::from(s.pending) * around.slots + u32::from(s.starting)))
    }),
    row("TerminatingGameServerContainerGroups", Exists::Container, |s, around| {
        Some(f64::from(u32::from(s.terminating) * around.slots))
    }),
    row("UnhealthyGameServerContainerGroupsReplaced", Exists::Container, |_, _| Some(0.0)),
    row("ContainerCPUUtilizationPerInstance", Exists::Container, cpu),
    row("ContainerCPUReservation", Exists::Container, |_, _| Some(87.5)),
    row("ContainerMemoryReservation", Exists::Container, |_, _| Some(81.0)),
    row("ContainerMemoryUtilization", Exists::Container, |s, around| {
        cpu(s, around).map(|cpu| 30.0 + cpu / 2.0)
    }),
    row("ContainerNetworkIn", Exists::Container, |s, around| traffic(s, around, 305_000.0)),
    row("ContainerNetworkOut", Exists::Container, |s, around| traffic(s, around, 1_120_000.0)),
    row("ContainerStorageReadBytes", Exists::Container, |s, around| traffic(s, around, 18_000.0)),
    row("ContainerStorageWriteBytes", Exists::Container, |s, around| traffic(s, around, 41_000.0)),
];

impl HostingMetric {
    /// Returns the metrics of a fleet.
    pub(super) fn of(fleet: &Fleet) -> impl Iterator<Item = &'static HostingMetric> + use<'_> {
        ROWS.iter().filter(|metric| match metric.exists {
            Exists::Always => true,
            Exists::Managed | Exists::Limits => !fleet.is_anywhere(),
            Exists::Ec2Spot => fleet.is_spot() && !fleet.is_container(),
            Exists::ContainerSpot => fleet.is_spot() && fleet.is_container(),
            Exists::Spot => fleet.is_spot(),
            Exists::Container => fleet.is_container(),
        })
    }

    /// Whether it is also published for metric groups.
    pub(super) fn in_groups(&self) -> bool {
        self.exists != Exists::Limits
    }

    /// Returns its value in a minute. `place` distinguishes the fleet's locations and their total.
    pub(super) fn value(&self, fleet: &Fleet, sample: &Sample, place: usize, at_ms: i64) -> Option<f64> {
        let bits =
            mix(at_ms as u64, mix(fleet.created_ms as u64, ((place as u64) << 8) | self.name.len() as u64));
        let noise = (bits >> 11) as f64 / (1u64 << 53) as f64 - 0.5;
        (self.follows)(sample, &Surroundings { slots: fleet.slots_per_instance as u32, noise })
    }
}

fn healthy(sample: &Sample) -> u16 {
    sample.processes.saturating_sub(sample.counters.abnormal_ends)
}

fn cpu(sample: &Sample, around: &Surroundings) -> Option<f64> {
    let capacity = u32::from(sample.active) * around.slots;
    let busy = percent((sample.active_sessions + sample.activating_sessions).into(), capacity) / 100.0;
    (sample.active > 0).then(|| (4.0 + 71.0 * busy + 5.0 * around.noise).clamp(0.5, 100.0))
}

/// Returns traffic that every player causes each minute, and every instance a little.
fn traffic(sample: &Sample, around: &Surroundings, per_player: f64) -> Option<f64> {
    let sources = f64::from(sample.players) + 0.4 * f64::from(sample.active);
    (sample.active > 0).then(|| (sources * per_player * (1.0 + 0.12 * around.noise)).round())
}

/// Adds up the samples of two locations.
pub(super) fn together(a: Sample, b: Sample) -> Sample {
    let counters = Counters {
        joins: a.counters.joins + b.counters.joins,
        process_starts: a.counters.process_starts + b.counters.process_starts,
        process_ends: a.counters.process_ends + b.counters.process_ends,
        abnormal_ends: a.counters.abnormal_ends + b.counters.abnormal_ends,
        session_interruptions: a.counters.session_interruptions + b.counters.session_interruptions,
        spot_interruptions: a.counters.spot_interruptions + b.counters.spot_interruptions,
        recycled: a.counters.recycled + b.counters.recycled,
    };
    Sample {
        desired: a.desired + b.desired,
        minimum: a.minimum + b.minimum,
        maximum: a.maximum + b.maximum,
        pending: a.pending + b.pending,
        active: a.active + b.active,
        idle: a.idle + b.idle,
        terminating: a.terminating + b.terminating,
        processes: a.processes + b.processes,
        starting: a.starting + b.starting,
        available: a.available + b.available,
        activating_sessions: a.activating_sessions + b.activating_sessions,
        active_sessions: a.active_sessions + b.active_sessions,
        players: a.players + b.players,
        counters,
    }
}

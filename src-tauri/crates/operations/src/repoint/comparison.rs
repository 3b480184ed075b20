//! Two fleets side by side: where an alias points and where it would point.
//!
//! Owns what is compared and how much each difference matters. Deliberately reads nothing: what was read comes in as
//! an argument, and what was not read is shown as unknown, never as equal.

use std::collections::BTreeSet;

use liftdeck_model::fleet::{
    ComputeKind, Fleet, FleetCapacity, FleetLocation, FleetStatus, FleetUtilization, IpPermission,
    ProtectionPolicy, RuntimeConfiguration,
};
use liftdeck_model::{Location, Region};
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::words;

/// How much a difference matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum CompareSeverity {
    /// Nothing differs.
    Same,
    /// Worth knowing.
    Info,
    /// Players are likely to notice it.
    Warning,
    /// New game sessions fail, or AWS refuses.
    Bad,
}

/// One line of the comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CompareLine {
    /// What is compared.
    pub label: String,
    /// Value for the fleet the alias points to now; empty if it points to none.
    pub from: String,
    /// Value for the fleet it would point to.
    pub to: String,
    /// How much the difference matters.
    pub severity: CompareSeverity,
    /// What the difference means, in a sentence.
    pub note: Option<String>,
}

/// What was read of a fleet. `None` means that it was not read, or that this kind of fleet does not have it.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub(crate) fleet: Fleet,
    /// Name and version of its build, script or container definition.
    pub(crate) content: Option<String>,
    /// Server SDK of its build.
    pub(crate) sdk: Option<String>,
    pub(crate) locations: Option<Vec<FleetLocation>>,
    pub(crate) capacity: Option<Vec<FleetCapacity>>,
    pub(crate) utilization: Option<Vec<FleetUtilization>>,
    pub(crate) runtime: Option<RuntimeConfiguration>,
    pub(crate) ports: Option<Vec<IpPermission>>,
}

const UNKNOWN: &str = "unknown";

/// Compares two fleets; `from` is absent if the alias points to no fleet.
pub(crate) fn compare(alias_region: &Region, from: Option<&Side>, to: &Side) -> Vec<CompareLine> {
    vec![
        region(alias_region, from, to),
        status(from, to),
        kind(from, to),
        content(from, to),
        sdk(from, to),
        locations(from, to),
        active(from, to),
        maximum(from, to),
        free(from, to),
        processes(from, to),
        ports(from, to),
        certificate(from, to),
        protection(from, to),
        gateway(from, to),
    ]
}

fn line(label: &str, from: Option<String>, to: Option<String>) -> CompareLine {
    CompareLine {
        label: label.to_owned(),
        from: from.unwrap_or_default(),
        to: to.unwrap_or_else(|| UNKNOWN.to_owned()),
        severity: CompareSeverity::Same,
        note: None,
    }
}

impl CompareLine {
    /// Returns the known value of the left side; `None` if it is unknown, or if the alias points nowhere.
    fn known_before(&self) -> Option<&str> {
        (!self.from.is_empty() && self.from != UNKNOWN).then_some(self.from.as_str())
    }

    fn differs(&self) -> bool {
        self.to != UNKNOWN && self.known_before().is_some_and(|from| from != self.to)
    }

    fn weighing(mut self, severity: CompareSeverity, note: impl Into<String>) -> Self {
        self.severity = severity;
        self.note = Some(note.into());
        self
    }

    /// Adds this severity and note if both sides are known and differ.
    fn if_different(self, severity: CompareSeverity, note: &str) -> Self {
        if self.differs() {
            return self.weighing(severity, note);
        }
        self
    }
}

/// Makes a line from the same view of both sides. The left side is empty without a fleet, and unknown without a
/// value.
fn both(label: &str, from: Option<&Side>, to: &Side, view: impl Fn(&Side) -> Option<String>) -> CompareLine {
    let left = from.map(|side| view(side).unwrap_or_else(|| UNKNOWN.to_owned()));
    line(label, left, view(to))
}

fn region(alias: &Region, from: Option<&Side>, to: &Side) -> CompareLine {
    let line = both("Region", from, to, |side| Some(side.fleet.region.to_string()));
    if to.fleet.region == *alias {
        return line;
    }
    // AWS, "Edit an alias": the fleet must be in the alias's Region.
    line.weighing(
        CompareSeverity::Bad,
        format!("The alias is in {alias}: AWS lets it point only to a fleet in that Region."),
    )
}

fn status(from: Option<&Side>, to: &Side) -> CompareLine {
    let line = both("Status", from, to, |side| Some(side.fleet.status.to_string()));
    if to.fleet.status == FleetStatus::Active {
        return line;
    }
    let note = format!("A fleet that is {} takes no new game sessions.", to.fleet.status);
    line.weighing(CompareSeverity::Bad, note)
}

fn kind(from: Option<&Side>, to: &Side) -> CompareLine {
    let line = both("Type", from, to, |side| {
        let kind = match side.fleet.kind {
            ComputeKind::Ec2OnDemand => "EC2 On-Demand",
            ComputeKind::Ec2Spot => "EC2 Spot",
            ComputeKind::Container => "Container",
            ComputeKind::Anywhere => "Anywhere",
        };
        let instance = side.fleet.instance_type.as_deref();
        Some(instance.map_or(kind.to_owned(), |instance| format!("{kind}, {instance}")))
    });
    let turns_spot = to.fleet.kind == ComputeKind::Ec2Spot
        && from.is_none_or(|from| from.fleet.kind != ComputeKind::Ec2Spot);
    if turns_spot {
        return line.weighing(
            CompareSeverity::Warning,
            "AWS may reclaim Spot instances with two minutes' notice; their game sessions end.",
        );
    }
    line.if_different(CompareSeverity::Info, "A different compute type may hold more or fewer players.")
}

fn content(from: Option<&Side>, to: &Side) -> CompareLine {
    both("Build or script", from, to, |side| side.content.clone())
        .if_different(CompareSeverity::Info, "Players get different server code.")
}

fn sdk(from: Option<&Side>, to: &Side) -> CompareLine {
    let line = both("Server SDK", from, to, |side| side.sdk.clone());
    let major = |text: &str| text.split('.').next().unwrap_or_default().to_owned();
    if line.differs() && line.known_before().is_some_and(|from| major(from) != major(&line.to)) {
        return line.weighing(
            CompareSeverity::Warning,
            "A different major version of the server SDK: terminating game sessions and reaching instances work \
             differently.",
        );
    }
    line.if_different(CompareSeverity::Info, "A different version of the server SDK.")
}

fn names(side: &Side) -> Option<BTreeSet<&Location>> {
    side.locations.as_ref().map(|all| all.iter().map(|place| &place.location).collect())
}

fn listed<'a>(places: impl IntoIterator<Item = &'a Location>) -> String {
    places.into_iter().map(Location::as_str).collect::<Vec<_>>().join(", ")
}

fn locations(from: Option<&Side>, to: &Side) -> CompareLine {
    let line = both("Locations", from, to, |side| names(side).map(listed));
    let Some(here) = &to.locations else { return line };
    let lacks: Vec<&Location> = from
        .and_then(names)
        .unwrap_or_default()
        .into_iter()
        .filter(|place| here.iter().all(|other| other.location != **place))
        .collect();
    if !lacks.is_empty() {
        let note = format!("Players near {} are placed further away.", listed(lacks));
        return line.weighing(CompareSeverity::Warning, note);
    }
    let asleep: Vec<&Location> = here
        .iter()
        .filter(|place| place.status != FleetStatus::Active)
        .map(|place| &place.location)
        .collect();
    if !asleep.is_empty() {
        let note = format!("Not ACTIVE yet: {}.", listed(asleep));
        return line.weighing(CompareSeverity::Warning, note);
    }
    line.if_different(CompareSeverity::Info, "The new fleet covers more locations.")
}

fn sum(side: &Side, count: impl Fn(&FleetCapacity) -> i32) -> Option<i64> {
    side.capacity.as_ref().map(|all| all.iter().map(|place| i64::from(count(place))).sum())
}

fn active(from: Option<&Side>, to: &Side) -> CompareLine {
    let line = both("Active instances", from, to, |side| sum(side, |it| it.active).map(|n| n.to_string()));
    let (before, after) = (from.and_then(|from| sum(from, |it| it.active)), sum(to, |it| it.active));
    match (before, after) {
        (_, Some(0)) => line.weighing(
            CompareSeverity::Bad,
            "No instance is active: new game sessions fail until the fleet has grown.",
        ),
        (Some(before), Some(after)) if after < before => line.weighing(
            CompareSeverity::Warning,
            format!("{} fewer instances; starting new ones takes minutes.", before - after),
        ),
        _ => line.if_different(CompareSeverity::Info, "More active instances."),
    }
}

fn maximum(from: Option<&Side>, to: &Side) -> CompareLine {
    let line = both("Maximum instances", from, to, |side| sum(side, |it| it.maximum).map(|n| n.to_string()));
    match (from.and_then(|from| sum(from, |it| it.maximum)), sum(to, |it| it.maximum)) {
        (Some(before), Some(after)) if after < before => {
            let note = format!("Scaling stops {} instances sooner.", before - after);
            line.weighing(CompareSeverity::Warning, note)
        }
        _ => line.if_different(CompareSeverity::Info, "Scaling can go further."),
    }
}

/// Server processes without a game session, where DescribeFleetUtilization shows them.
fn free_processes(side: &Side) -> Option<i64> {
    let of = |load: &FleetUtilization| {
        i64::from((load.active_server_process_count - load.active_game_session_count).max(0))
    };
    side.utilization.as_ref().map(|all| all.iter().map(of).sum())
}

fn free(from: Option<&Side>, to: &Side) -> CompareLine {
    let line = both("Free processes", from, to, |side| free_processes(side).map(|n| n.to_string()));
    match (from.and_then(free_processes), free_processes(to)) {
        (_, Some(0)) => {
            line.weighing(CompareSeverity::Warning, "No process is free for a new game session right now.")
        }
        (Some(before), Some(after)) if after * 2 < before => {
            line.weighing(CompareSeverity::Warning, "Less than half the room for new game sessions.")
        }
        (Some(before), Some(after)) if after != before => {
            let free = words::count(before.abs_diff(after), "free process", "free processes");
            let more = if after > before { "more" } else { "fewer" };
            line.weighing(CompareSeverity::Info, format!("{free} {more}."))
        }
        _ => line,
    }
}

fn processes(from: Option<&Side>, to: &Side) -> CompareLine {
    let line = both("Processes per instance", from, to, |side| {
        side.runtime.as_ref().map(|runtime| {
            let launches = |it: &liftdeck_model::fleet::ServerProcess| {
                format!("{} × {}", it.concurrent_executions, it.launch_path)
            };
            runtime.server_processes.iter().map(launches).collect::<Vec<_>>().join(", ")
        })
    });
    let count = |side: &Side| side.runtime.as_ref().map(RuntimeConfiguration::processes_per_instance);
    match (from.and_then(count), count(to)) {
        (Some(before), Some(after)) if after < before => {
            let fewer = words::count(before.abs_diff(after), "game session", "game sessions");
            let note = format!("Each instance holds {fewer} fewer.");
            line.weighing(CompareSeverity::Warning, note)
        }
        _ => line.if_different(CompareSeverity::Info, "Server processes are set up differently."),
    }
}

fn ports(from: Option<&Side>, to: &Side) -> CompareLine {
    both("Open ports", from, to, |side| {
        side.ports.as_ref().map(|ports| {
            let open: BTreeSet<String> = ports
                .iter()
                .map(|it| format!("{} {}–{} from {}", it.protocol, it.from_port, it.to_port, it.ip_range))
                .collect();
            open.into_iter().collect::<Vec<_>>().join(", ")
        })
    })
    .if_different(CompareSeverity::Warning, "Players may not be able to reach the new fleet, or others may.")
}

fn certificate(from: Option<&Side>, to: &Side) -> CompareLine {
    both("TLS certificate", from, to, |side| side.fleet.certificate_type.clone()).if_different(
        CompareSeverity::Warning,
        "Game clients that verify the server's certificate, or that expect none, cannot connect.",
    )
}

fn protection(from: Option<&Side>, to: &Side) -> CompareLine {
    let policy = |side: &Side| side.fleet.new_game_session_protection_policy.clone();
    let line =
        both("Protection of new game sessions", from, to, |side| policy(side).map(|it| it.to_string()));
    let loses = from.and_then(policy) == Some(ProtectionPolicy::FullProtection)
        && policy(to) == Some(ProtectionPolicy::NoProtection);
    if loses {
        return line.weighing(
            CompareSeverity::Warning,
            "Scale-in may end game sessions with players in them on the new fleet.",
        );
    }
    line.if_different(CompareSeverity::Info, "Scale-in treats game sessions differently.")
}

fn gateway(from: Option<&Side>, to: &Side) -> CompareLine {
    both("Player gateway", from, to, |side| {
        Some(side.fleet.player_gateway_mode.clone().unwrap_or_else(|| "DISABLED".to_owned()))
    })
    .if_different(CompareSeverity::Warning, "Game clients connect differently.")
}

#[cfg(test)]
mod tests;

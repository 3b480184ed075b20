//! What is known of the metrics that CloudWatch has of fleets: what each is about, its unit, and the statistic that
//! says most. The source is AWS's page "Monitor Amazon GameLift Servers with Amazon CloudWatch".
//!
//! Deliberately no complete list: CloudWatch tells which metrics exist, and a name that is unknown here is shown, too.

use serde::{Deserialize, Serialize};
use specta::Type;

/// What a metric of a fleet is about, as AWS groups them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum MetricTopic {
    /// Instances.
    Instances,
    /// Server processes.
    ServerProcesses,
    /// Game sessions.
    GameSessions,
    /// Player sessions.
    PlayerSessions,
    /// Processor, network and disks of all instances in a location.
    Hardware,
    /// Containers and their groups.
    Containers,
    /// The player gateway.
    PlayerGateway,
    /// A metric that is not known here.
    Other,
}

/// The unit of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub enum MetricUnit {
    /// A number of things.
    Count,
    /// A percentage, 0 to 100.
    Percent,
    /// Bytes in the period.
    Bytes,
    /// Not known: CloudWatch tells units neither in its list of metrics nor with their values.
    Unknown,
}

/// The statistic that is read of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub enum MetricStatistic {
    /// The average over the period, for what has a level.
    Average,
    /// The sum over the period, for what happens.
    Sum,
}

impl MetricStatistic {
    /// Its name, as CloudWatch spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Average => "Average",
            Self::Sum => "Sum",
        }
    }
}

/// A metric of fleets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FleetMetric {
    /// What it is about.
    pub topic: MetricTopic,
    /// Its unit.
    pub unit: MetricUnit,
    /// The statistic that says most.
    pub statistic: MetricStatistic,
}

/// What is known of a metric by its name; of an unknown one, its average is read.
pub fn fleet_metric(name: &str) -> FleetMetric {
    let topic = topic(name);
    let unit = match name {
        _ if topic == MetricTopic::Other => MetricUnit::Unknown,
        "CPUUtilization"
        | "ContainerCPUUtilizationPerInstance"
        | "ContainerCPUReservation"
        | "ContainerMemoryReservation"
        | "ContainerMemoryUtilization" => MetricUnit::Percent,
        "NetworkIn" | "NetworkOut" | "ContainerNetworkIn" | "ContainerNetworkOut" => MetricUnit::Bytes,
        _ if name.starts_with("Percent") => MetricUnit::Percent,
        _ if name.contains("Bytes") => MetricUnit::Bytes,
        _ => MetricUnit::Count,
    };
    let happens = matches!(
        name,
        "RecycledInstances"
            | "RecycledSpotInstances"
            | "InstanceSpotInterruptions"
            | "InstanceInterruptions"
            | "ServerProcessAbnormalTerminations"
            | "ServerProcessActivations"
            | "ServerProcessTerminations"
            | "GameSessionInterruptions"
            | "PlayerSessionActivations"
            | "UnhealthyGameServerContainerGroupsReplaced"
            | "DiskReadOps"
            | "DiskWriteOps"
            | "PlayerGatewayPacketsIn"
            | "PlayerGatewayPacketsOut"
            | "PlayerGatewayPacketsThrottled"
    );
    let adds_up = happens || unit == MetricUnit::Bytes;
    let statistic = if adds_up { MetricStatistic::Sum } else { MetricStatistic::Average };
    FleetMetric { topic, unit, statistic }
}

fn topic(name: &str) -> MetricTopic {
    match name {
        "ActiveInstances"
        | "DesiredInstances"
        | "IdleInstances"
        | "MaxInstances"
        | "MinInstances"
        | "PercentIdleInstances"
        | "RecycledInstances"
        | "RecycledSpotInstances"
        | "InstanceSpotInterruptions"
        | "InstanceInterruptions" => MetricTopic::Instances,
        "CPUUtilization" | "NetworkIn" | "NetworkOut" | "DiskReadBytes" | "DiskWriteBytes"
        | "DiskReadOps" | "DiskWriteOps" => MetricTopic::Hardware,
        "ActiveServerProcesses"
        | "HealthyServerProcesses"
        | "PercentHealthyServerProcesses"
        | "ServerProcessAbnormalTerminations"
        | "ServerProcessActivations"
        | "ServerProcessTerminations" => MetricTopic::ServerProcesses,
        "ActivatingGameSessions"
        | "ActiveGameSessions"
        | "AvailableGameSessions"
        | "ConcurrentActivatableGameSessions"
        | "PercentAvailableGameSessions"
        | "GameSessionInterruptions" => MetricTopic::GameSessions,
        "CurrentPlayerSessions" | "PlayerSessionActivations" => MetricTopic::PlayerSessions,
        _ if name.starts_with("PlayerGateway") => MetricTopic::PlayerGateway,
        _ if name.contains("Container") => MetricTopic::Containers,
        _ => MetricTopic::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> (MetricTopic, MetricUnit, MetricStatistic) {
        let FleetMetric { topic, unit, statistic } = fleet_metric(name);
        (topic, unit, statistic)
    }

    #[test]
    fn what_has_a_level_is_averaged_and_what_happens_is_summed() {
        use MetricStatistic::{Average, Sum};
        use MetricTopic as T;
        use MetricUnit::{Bytes, Count, Percent};
        for (name, known) in [
            ("ActivatingGameSessions", (T::GameSessions, Count, Average)),
            ("PercentHealthyServerProcesses", (T::ServerProcesses, Percent, Average)),
            ("ServerProcessActivations", (T::ServerProcesses, Count, Sum)),
            ("PlayerSessionActivations", (T::PlayerSessions, Count, Sum)),
            ("CPUUtilization", (T::Hardware, Percent, Average)),
            ("NetworkOut", (T::Hardware, Bytes, Sum)),
            ("ContainerStorageReadBytes", (T::Containers, Bytes, Sum)),
            ("IdleGameServerContainerGroups", (T::Containers, Count, Average)),
            ("UnhealthyGameServerContainerGroupsReplaced", (T::Containers, Count, Sum)),
            ("PlayerGatewayBytesThrottled", (T::PlayerGateway, Bytes, Sum)),
            ("PlayerGatewayPlayerSessions", (T::PlayerGateway, Count, Average)),
        ] {
            assert_eq!(of(name), known, "{name}");
        }
    }

    #[test]
    fn a_metric_that_aws_adds_later_is_taken_without_a_unit() {
        assert_eq!(
            of("QuantumServerProcesses"),
            (MetricTopic::Other, MetricUnit::Unknown, MetricStatistic::Average)
        );
    }
}

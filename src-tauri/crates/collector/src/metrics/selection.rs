//! Which of the metrics GameLift publishes are kept all the time, and with which statistic.
//!
//! Deliberately a short list: CloudWatch bills each metric asked for, so only what rules watch and several screens show
//! is here. The others of a fleet are read while its Metrics tab is on screen (`demand`).

use liftdeck_model::fleet_metric::fleet_metric;

/// A figure at a moment: its average over the period.
const GAUGE: &str = "Average";
/// A count of what happened: its sum over the period.
const COUNTER: &str = "Sum";

const FLEET: &[(&str, &str)] = &[
    ("ActiveInstances", GAUGE),
    ("DesiredInstances", GAUGE),
    ("IdleInstances", GAUGE),
    ("MaxInstances", GAUGE),
    ("MinInstances", GAUGE),
    ("ActiveServerProcesses", GAUGE),
    ("HealthyServerProcesses", GAUGE),
    ("PercentHealthyServerProcesses", GAUGE),
    ("ActivatingGameSessions", GAUGE),
    ("ActiveGameSessions", GAUGE),
    ("AvailableGameSessions", GAUGE),
    ("PercentAvailableGameSessions", GAUGE),
    ("CurrentPlayerSessions", GAUGE),
    ("ServerProcessActivations", COUNTER),
    ("ServerProcessTerminations", COUNTER),
    ("ServerProcessAbnormalTerminations", COUNTER),
    ("GameSessionInterruptions", COUNTER),
    ("InstanceSpotInterruptions", COUNTER),
];

const QUEUE: &[(&str, &str)] = &[
    ("QueueDepth", GAUGE),
    ("AverageWaitTime", GAUGE),
    ("PlacementsStarted", COUNTER),
    ("PlacementsSucceeded", COUNTER),
    ("PlacementsFailed", COUNTER),
    ("PlacementsCanceled", COUNTER),
    ("PlacementsTimedOut", COUNTER),
];

const MATCHMAKING: &[(&str, &str)] = &[
    ("CurrentTickets", GAUGE),
    ("TimeToMatch", GAUGE),
    ("TimeToTicketSuccess", GAUGE),
    ("TicketsStarted", COUNTER),
    ("TicketsFailed", COUNTER),
    ("TicketsTimedOut", COUNTER),
    ("MatchesCreated", COUNTER),
    ("MatchesPlaced", COUNTER),
];

/// The statistic a metric is kept with, or `None` when it is not kept. `dimensions` are sorted by name; fleets
/// are kept as a whole and by location, queues and matchmaking configurations as a whole.
pub(crate) fn statistic_of(name: &str, dimensions: &[(String, String)]) -> Option<&'static str> {
    let names: Vec<&str> = dimensions.iter().map(|(name, _)| name.as_str()).collect();
    let kept = match names.as_slice() {
        ["FleetId"] | ["FleetId", "Location"] => FLEET,
        ["QueueName"] => QUEUE,
        ["ConfigurationName"] => MATCHMAKING,
        _ => return None,
    };
    kept.iter().find(|(kept, _)| *kept == name).map(|(_, statistic)| *statistic)
}

/// The statistic with which a metric of a fleet or a metric group is read on demand, or `None` when it is kept anyway
/// or belongs to something else. `dimensions` are sorted by name.
pub(crate) fn on_demand(name: &str, dimensions: &[(String, String)]) -> Option<&'static str> {
    let names: Vec<&str> = dimensions.iter().map(|(name, _)| name.as_str()).collect();
    let is_fleets = names.contains(&"FleetId") || names == ["MetricGroups"];
    (is_fleets && statistic_of(name, dimensions).is_none()).then(|| fleet_metric(name).statistic.name())
}

/// Whether a statistic adds up over its period.
pub(crate) fn adds_up(statistic: &str) -> bool {
    statistic == COUNTER
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dimensions(names: &[&str]) -> Vec<(String, String)> {
        names.iter().map(|name| ((*name).to_owned(), "x".to_owned())).collect()
    }

    #[test]
    fn fleets_are_kept_whole_and_by_location() {
        for names in [&["FleetId"][..], &["FleetId", "Location"]] {
            assert_eq!(statistic_of("ActiveInstances", &dimensions(names)), Some("Average"));
            assert_eq!(statistic_of("GameSessionInterruptions", &dimensions(names)), Some("Sum"));
            assert_eq!(statistic_of("CPUUtilization", &dimensions(names)), None);
        }
    }

    #[test]
    fn the_other_metrics_of_a_fleet_are_read_on_demand() {
        for names in [&["FleetId"][..], &["FleetId", "Location"], &["ContainerGroupType", "FleetId"]] {
            assert_eq!(on_demand("CPUUtilization", &dimensions(names)), Some("Average"));
            assert_eq!(on_demand("NetworkOut", &dimensions(names)), Some("Sum"));
        }
        assert_eq!(on_demand("ActiveInstances", &dimensions(&["FleetId"])), None, "it is kept all the time");
        assert_eq!(on_demand("ActiveInstances", &dimensions(&["MetricGroups"])), Some("Average"));
        assert_eq!(on_demand("Placement eu-west-1", &dimensions(&["QueueName"])), None);
    }

    #[test]
    fn what_is_kept_all_the_time_is_kept_with_the_statistic_that_says_most() {
        for (name, statistic) in FLEET {
            assert_eq!(fleet_metric(name).statistic.name(), *statistic, "{name}");
        }
    }

    #[test]
    fn a_metric_of_another_subject_is_not_kept() {
        assert_eq!(statistic_of("QueueDepth", &dimensions(&["QueueName"])), Some("Average"));
        assert_eq!(statistic_of("QueueDepth", &dimensions(&["FleetId"])), None);
        assert_eq!(statistic_of("ActiveInstances", &dimensions(&["MetricGroups"])), None);
        assert_eq!(statistic_of("ActiveInstances", &[]), None);
        assert_eq!(statistic_of("TimeToMatch", &dimensions(&["ConfigurationName"])), Some("Average"));
    }
}

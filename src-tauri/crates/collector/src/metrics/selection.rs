//! Which of the metrics GameLift publishes are kept, and with which statistic.
//!
//! Deliberately a short list: CloudWatch bills each metric asked for, so only what a screen shows is here.

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
    ("ActiveGameSessions", GAUGE),
    ("AvailableGameSessions", GAUGE),
    ("PercentAvailableGameSessions", GAUGE),
    ("CurrentPlayerSessions", GAUGE),
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
    fn a_metric_of_another_subject_is_not_kept() {
        assert_eq!(statistic_of("QueueDepth", &dimensions(&["QueueName"])), Some("Average"));
        assert_eq!(statistic_of("QueueDepth", &dimensions(&["FleetId"])), None);
        assert_eq!(statistic_of("ActiveInstances", &dimensions(&["MetricGroups"])), None);
        assert_eq!(statistic_of("ActiveInstances", &[]), None);
        assert_eq!(statistic_of("TimeToMatch", &dimensions(&["ConfigurationName"])), Some("Average"));
    }
}

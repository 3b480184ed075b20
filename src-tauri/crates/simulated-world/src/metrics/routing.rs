//! Metrics of queues, matchmakers and their rules.

use super::super::matchmaking::Spread;
use super::super::placing::QueueSample;
use super::{MetricIdentity, MetricPoint, Metrics, identity};

/// Metrics of every queue except `Placement <location>`.
const QUEUE: [&str; 11] = [
    "AverageWaitTime",
    "QueueDepth",
    "FirstChoiceNotViable",
    "FirstChoiceOutOfCapacity",
    "LowestLatencyPlacement",
    "LowestPricePlacement",
    "PlacementsStarted",
    "PlacementsSucceeded",
    "PlacementsFailed",
    "PlacementsCanceled",
    "PlacementsTimedOut",
];

const MATCHMAKER: [&str; 13] = [
    "CurrentTickets",
    "PlayersStarted",
    "TicketsStarted",
    "TicketsFailed",
    "TicketsTimedOut",
    "MatchesCreated",
    "MatchesAccepted",
    "MatchesRejected",
    "MatchesPlaced",
    "MatchAcceptancesTimedOut",
    "TimeToMatch",
    "TimeToTicketSuccess",
    "TimeToTicketCancel",
];

const RULE: [&str; 2] = ["RuleEvaluationsPassed", "RuleEvaluationsFailed"];

impl Metrics<'_> {
    pub(super) fn list_routing(&self, region: &str, all: &mut Vec<MetricIdentity>) {
        let here = self.world.region(region).map(|(index, _)| index);
        for queue in self.world.queues.iter().filter(|queue| Some(queue.region) == here) {
            let name = queue.record.name.as_str();
            all.extend(QUEUE.map(|metric| identity(metric, &[("QueueName", name)])));
            let placements = queue.locations.iter().map(|location| format!("Placement {location}"));
            all.extend(placements.map(|metric| identity(&metric, &[("QueueName", name)])));
        }
        for maker in self.world.matchmakers.iter().filter(|maker| Some(maker.region) == here) {
            let name = maker.record.name.as_str();
            all.extend(MATCHMAKER.map(|metric| identity(metric, &[("ConfigurationName", name)])));
            for rule in &maker.rules {
                all.extend(
                    RULE.map(|metric| identity(metric, &[("ConfigurationName", name), ("RuleName", rule)])),
                );
            }
        }
    }

    pub(super) fn queue_minute(&self, queue: usize, name: &str, at_ms: i64) -> Option<MetricPoint> {
        let row = self.world.queues[queue].rows.closed(at_ms)?;
        self.queue_value(queue, name, row).map(|value| MetricPoint::one(at_ms, value))
    }

    /// Returns a queue's metric from the row of a minute.
    pub(super) fn queue_value(&self, queue: usize, name: &str, row: &QueueSample) -> Option<f64> {
        let counters = &row.counters;
        let count = match name {
            "AverageWaitTime" => {
                return Some(if row.depth == 0 {
                    0.0
                } else {
                    row.waited_ms as f64 / 1_000.0 / f64::from(row.depth)
                });
            }
            "QueueDepth" => row.depth,
            "FirstChoiceNotViable" => counters.first_not_viable,
            "FirstChoiceOutOfCapacity" => counters.first_out_of_capacity,
            "LowestLatencyPlacement" => counters.lowest_latency,
            "LowestPricePlacement" => counters.lowest_price,
            "PlacementsStarted" => counters.started,
            "PlacementsSucceeded" => counters.succeeded,
            "PlacementsFailed" => counters.failed,
            "PlacementsCanceled" => counters.cancelled,
            "PlacementsTimedOut" => counters.timed_out,
            _ => {
                let location = name.strip_prefix("Placement ")?;
                let known = &self.world.queues[queue].locations;
                let index = known.iter().position(|name| name == location)?;
                counters.by_location.get(index).copied().unwrap_or(0)
            }
        };
        Some(count.into())
    }

    pub(super) fn matchmaker_minute(&self, maker: usize, name: &str, at_ms: i64) -> Option<MetricPoint> {
        let row = self.world.matchmakers[maker].rows.closed(at_ms)?;
        let counters = &row.counters;
        let count = match name {
            "CurrentTickets" => row.open,
            "PlayersStarted" => counters.players_started,
            "TicketsStarted" => counters.tickets_started,
            "TicketsFailed" => counters.tickets_failed,
            "TicketsTimedOut" => counters.tickets_timed_out,
            "MatchesCreated" => counters.matches_created,
            "MatchesAccepted" => counters.matches_accepted,
            "MatchesRejected" => counters.matches_rejected,
            "MatchesPlaced" => counters.matches_placed,
            "MatchAcceptancesTimedOut" => counters.acceptances_timed_out,
            "TimeToMatch" => return spread(at_ms, &counters.time_to_match),
            "TimeToTicketSuccess" => return spread(at_ms, &counters.time_to_success),
            "TimeToTicketCancel" => return spread(at_ms, &counters.time_to_cancel),
            _ => return None,
        };
        Some(MetricPoint::one(at_ms, count.into()))
    }

    pub(super) fn rule_minute(
        &self,
        maker: usize,
        rule: &str,
        name: &str,
        at_ms: i64,
    ) -> Option<MetricPoint> {
        let maker = &self.world.matchmakers[maker];
        let index = maker.rules.iter().position(|known| known == rule)?;
        let (passed, failed) = maker.rows.closed(at_ms)?.counters.rules.get(index).copied().unwrap_or((0, 0));
        match name {
            "RuleEvaluationsPassed" => Some(MetricPoint::one(at_ms, passed.into())),
            "RuleEvaluationsFailed" => Some(MetricPoint::one(at_ms, failed.into())),
            _ => None,
        }
    }
}

/// Returns durations in seconds; no point for a minute without any.
fn spread(start_ms: i64, spread: &Spread) -> Option<MetricPoint> {
    (spread.count > 0).then(|| MetricPoint {
        start_ms,
        sum: spread.sum_ms as f64 / 1_000.0,
        min: spread.min_ms as f64 / 1_000.0,
        max: spread.max_ms as f64 / 1_000.0,
        count: spread.count.into(),
    })
}

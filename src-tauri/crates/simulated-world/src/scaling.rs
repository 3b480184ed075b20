//! Scaling policies: the capacity that each requests, minute by minute, from the figures of a location.
//!
//! Owns the decision. Its consequences (events, new instances) are in `capacity`.

use super::fleet::{Fleet, Site, SiteCount};
use super::records::{
    ComparisonOperatorType, LocationUpdateStatus, MetricName, PolicyType, ScalingAdjustmentType,
    ScalingPolicy, ScalingStatusType,
};

/// A scaling policy of a fleet.
#[derive(Clone, Debug)]
pub struct Policy {
    /// Unique in its fleet.
    pub name: String,
    /// Until this time, it is still being applied in the locations.
    pub settles_ms: i64,
    /// How it scales.
    pub law: Law,
}

/// How a policy scales.
#[derive(Clone, Copy, Debug)]
pub enum Law {
    /// Keeps PercentAvailableGameSessions at a value.
    Target {
        /// The value to keep, percent.
        percent: f64,
    },
    /// Changes capacity when a metric has been beyond a threshold for some minutes.
    Rule {
        /// The metric to watch.
        metric: MetricName,
        /// How the metric is compared with the threshold.
        comparison: ComparisonOperatorType,
        /// In the unit of the metric.
        threshold: f64,
        /// Minutes in a row that the metric must be beyond the threshold.
        periods: u32,
        /// How `adjustment` is meant.
        kind: ScalingAdjustmentType,
        /// Instances or percent, depending on `kind`; a negative value removes instances.
        adjustment: i32,
    },
}

/// The figures that a policy evaluates.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reading {
    pub(crate) count: SiteCount,
    /// Sessions that hold a process.
    pub(crate) sessions: u32,
    /// Sessions that are ACTIVATING.
    pub(crate) activating: u32,
    /// Players ACTIVE or RESERVED.
    pub(crate) players: u32,
    /// Player slots of the sessions.
    pub(crate) player_slots: u32,
    /// Placements that wait with this fleet as their first choice.
    pub(crate) waiting: u32,
    /// The longest wait among them.
    pub(crate) longest_wait_ms: i64,
}

impl Reading {
    fn percent_available(&self) -> f64 {
        percent(self.count.available, self.count.available + self.sessions)
    }

    fn metric(&self, metric: MetricName) -> f64 {
        match metric {
            MetricName::ActivatingGameSessions => self.activating.into(),
            MetricName::ActiveGameSessions => self.sessions.saturating_sub(self.activating).into(),
            // The scaling metric counts only instances with a session (A2), unlike CloudWatch's metric.
            MetricName::ActiveInstances => self.count.active.saturating_sub(self.count.idle).into(),
            MetricName::AvailableGameSessions => self.count.available.into(),
            MetricName::AvailablePlayerSessions => self.player_slots.saturating_sub(self.players).into(),
            MetricName::CurrentPlayerSessions => self.players.into(),
            MetricName::IdleInstances => self.count.idle.into(),
            MetricName::PercentIdleInstances => percent(self.count.idle, self.count.active),
            MetricName::PercentAvailableGameSessions => self.percent_available(),
            MetricName::QueueDepth => self.waiting.into(),
            MetricName::WaitTime => self.longest_wait_ms as f64 / 1_000.0,
            MetricName::ConcurrentActivatableGameSessions => {
                self.count.available.min(self.count.active.saturating_mul(2)).into()
            }
        }
    }
}

/// Returns `part` of `whole` in percent, or 0 if `whole` is 0.
pub(crate) fn percent(part: u32, whole: u32) -> f64 {
    if whole == 0 { 0.0 } else { f64::from(part) * 100.0 / f64::from(whole) }
}

/// Minutes of surplus before target tracking scales in.
const SURPLUS_MIN: u32 = 10;

/// Capacity that is kept when scaling in, as a multiple of what is needed.
const SCALE_IN_ROOM: f64 = 1.12;

/// Upper limit of targets, because a target near 100 % would request endless instances.
const HIGHEST_TARGET: f64 = 99.0;

impl Policy {
    /// Creates a policy that is in force everywhere.
    pub fn new(name: &str, law: Law) -> Self {
        Self { name: name.to_owned(), settles_ms: 0, law }
    }

    pub(crate) fn is_target(&self) -> bool {
        matches!(self.law, Law::Target { .. })
    }

    /// Whether it watches the placements that wait in queues.
    pub(crate) fn watches_queues(&self) -> bool {
        matches!(self.law, Law::Rule { metric: MetricName::QueueDepth | MetricName::WaitTime, .. })
    }

    /// Returns the capacity that keeps the share of processes free which it is to keep, if that is how it scales.
    pub(crate) fn keeps_free(&self, sessions: u32, slots: usize) -> Option<u32> {
        match self.law {
            Law::Target { percent } => Some(needed(percent, sessions, slots).ceil() as u32),
            Law::Rule { .. } => None,
        }
    }

    /// Returns the capacity it requests now, without regard to limits. `streak` is its memory from minute to minute.
    pub(crate) fn decide(
        &self,
        reading: Reading,
        requested: u32,
        slots: usize,
        streak: &mut u32,
    ) -> Option<u32> {
        match self.law {
            Law::Target { percent } => {
                let needed = needed(percent, reading.sessions, slots);
                let wanted = needed.ceil() as u32;
                if wanted > requested {
                    *streak = 0;
                    return Some(wanted);
                }
                // Some room is kept. Otherwise the next few sessions would bring the instance back.
                let enough = (needed * SCALE_IN_ROOM).ceil() as u32;
                *streak = if enough < requested { *streak + 1 } else { 0 };
                if *streak < SURPLUS_MIN {
                    return None;
                }
                *streak = SURPLUS_MIN / 2;
                Some(requested - (requested - enough).div_ceil(3))
            }
            Law::Rule { metric, comparison, threshold, periods, kind, adjustment } => {
                let value = reading.metric(metric);
                let beyond = match comparison {
                    ComparisonOperatorType::GreaterThanOrEqualToThreshold => value >= threshold,
                    ComparisonOperatorType::GreaterThanThreshold => value > threshold,
                    ComparisonOperatorType::LessThanThreshold => value < threshold,
                    ComparisonOperatorType::LessThanOrEqualToThreshold => value <= threshold,
                };
                *streak = if beyond { *streak + 1 } else { 0 };
                if *streak < periods {
                    return None;
                }
                *streak = 0;
                Some(match kind {
                    ScalingAdjustmentType::ChangeInCapacity => requested.saturating_add_signed(adjustment),
                    ScalingAdjustmentType::ExactCapacity => adjustment.max(0).unsigned_abs(),
                    ScalingAdjustmentType::PercentChangeInCapacity => {
                        requested.saturating_add_signed(percent_step(requested, adjustment))
                    }
                })
            }
        }
    }

    pub(crate) fn record(&self, fleet: &Fleet, site: &Site, now_ms: i64) -> ScalingPolicy {
        let empty = ScalingPolicy {
            fleet_id: fleet.id.clone(),
            fleet_arn: fleet.arn.clone(),
            name: self.name.clone(),
            status: ScalingStatusType::Active,
            scaling_adjustment: None,
            scaling_adjustment_type: None,
            comparison_operator: None,
            threshold: None,
            evaluation_periods: None,
            metric_name: MetricName::PercentAvailableGameSessions,
            policy_type: PolicyType::TargetBased,
            target_value: None,
            update_status: (now_ms < self.settles_ms).then_some(LocationUpdateStatus::PendingUpdate),
            location: site.name.clone(),
        };
        match self.law {
            Law::Target { percent } => ScalingPolicy { target_value: Some(percent), ..empty },
            Law::Rule { metric, comparison, threshold, periods, kind, adjustment } => ScalingPolicy {
                scaling_adjustment: Some(adjustment),
                scaling_adjustment_type: Some(kind),
                comparison_operator: Some(comparison),
                threshold: Some(threshold),
                evaluation_periods: Some(periods),
                metric_name: metric,
                policy_type: PolicyType::RuleBased,
                ..empty
            },
        }
    }
}

/// Instances, in fractions, on which so many sessions leave `percent` of the processes free.
fn needed(percent: f64, sessions: u32, slots: usize) -> f64 {
    let used = 1.0 - percent.min(HIGHEST_TARGET) / 100.0;
    f64::from(sessions) / used / slots.max(1) as f64
}

/// Converts a change in percent to instances: at least one, with fractions cut off.
fn percent_step(requested: u32, adjustment: i32) -> i32 {
    let step = (f64::from(requested) * f64::from(adjustment) / 100.0).trunc() as i32;
    if step == 0 { adjustment.signum() } else { step }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(sessions: u32, available: u32, idle: u32) -> Reading {
        let count = SiteCount { available, idle, active: 4, ..SiteCount::default() };
        Reading { count, sessions, ..Reading::default() }
    }

    fn rule(periods: u32, kind: ScalingAdjustmentType, adjustment: i32) -> Policy {
        let law = Law::Rule {
            metric: MetricName::IdleInstances,
            comparison: ComparisonOperatorType::GreaterThanThreshold,
            threshold: 2.0,
            periods,
            kind,
            adjustment,
        };
        Policy::new("idle", law)
    }

    #[test]
    fn a_target_policy_asks_at_once_for_more_and_late_for_less() {
        let policy = Policy::new("keep", Law::Target { percent: 20.0 });
        let mut streak = 0;
        // 40 sessions must be 80 % of all: 50 processes, five instances of ten.
        assert_eq!(policy.decide(reading(40, 0, 0), 4, 10, &mut streak), Some(5));
        for _ in 0..9 {
            assert_eq!(policy.decide(reading(10, 30, 1), 5, 10, &mut streak), None);
        }
        assert_eq!(policy.decide(reading(10, 30, 1), 5, 10, &mut streak), Some(4));
    }

    #[test]
    fn a_rule_fires_only_after_all_its_periods() {
        let policy = rule(3, ScalingAdjustmentType::ChangeInCapacity, -1);
        let mut streak = 0;
        let idle: Vec<_> =
            [3, 3, 1, 3, 3, 3].map(|idle| policy.decide(reading(5, 5, idle), 4, 10, &mut streak)).to_vec();
        assert_eq!(idle, [None, None, None, None, None, Some(3)]);
    }

    #[test]
    fn a_rule_sets_adds_or_scales_capacity() {
        let asked = |kind, adjustment| rule(1, kind, adjustment).decide(reading(5, 5, 3), 12, 10, &mut 0);
        assert_eq!(asked(ScalingAdjustmentType::ExactCapacity, 7), Some(7));
        assert_eq!(asked(ScalingAdjustmentType::ChangeInCapacity, 2), Some(14));
        assert_eq!(asked(ScalingAdjustmentType::PercentChangeInCapacity, -30), Some(9));
        assert_eq!(asked(ScalingAdjustmentType::PercentChangeInCapacity, 5), Some(13));
    }
}

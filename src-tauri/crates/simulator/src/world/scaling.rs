//! Scaling policies: what they ask for, minute by minute, given what a location shows.
//!
//! Owns the decision. What follows from it (events, new instances) is for `capacity`.

use super::fleet::{Fleet, Site, SiteCount};
use super::records::{
    ComparisonOperatorType, MetricName, PolicyType, ScalingAdjustmentType, ScalingPolicy, ScalingStatusType,
};

/// A scaling policy of a fleet.
#[derive(Clone, Debug)]
pub(crate) enum Policy {
    /// Keeps PercentAvailableGameSessions at a value.
    Target { name: String, percent: f64 },
    /// Changes capacity by a step when a metric has been beyond a threshold for some minutes.
    Rule {
        name: String,
        metric: MetricName,
        comparison: ComparisonOperatorType,
        threshold: f64,
        periods: u32,
        adjustment: i32,
    },
}

/// What a policy looks at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    pub(crate) count: SiteCount,
    /// Sessions that hold a process.
    pub(crate) sessions: u32,
}

impl Reading {
    fn percent_available(&self) -> f64 {
        percent(self.count.available, self.count.available + self.sessions)
    }

    fn metric(&self, metric: MetricName) -> f64 {
        match metric {
            MetricName::IdleInstances => self.count.idle.into(),
            MetricName::ActiveInstances => self.count.active.into(),
            MetricName::AvailableGameSessions => self.count.available.into(),
            MetricName::PercentIdleInstances => percent(self.count.idle, self.count.active),
            MetricName::PercentAvailableGameSessions => self.percent_available(),
            _ => self.sessions.into(),
        }
    }
}

/// `part` of `whole` in percent; 0 of nothing is 0.
pub(crate) fn percent(part: u32, whole: u32) -> f64 {
    if whole == 0 { 0.0 } else { f64::from(part) * 100.0 / f64::from(whole) }
}

/// Minutes of surplus before target tracking lowers capacity.
const SURPLUS_MIN: u32 = 10;

/// How much more than needed is left when capacity is lowered.
const SCALE_IN_ROOM: f64 = 1.12;

impl Policy {
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Target { name, .. } | Self::Rule { name, .. } => name,
        }
    }

    /// The capacity it asks for now, within no limits; `streak` is its memory from minute to minute.
    pub(crate) fn decide(
        &self,
        reading: Reading,
        requested: u32,
        slots: usize,
        streak: &mut u32,
    ) -> Option<u32> {
        match self {
            Self::Target { percent, .. } => {
                let needed = f64::from(reading.sessions) / (1.0 - percent / 100.0) / slots as f64;
                let wanted = needed.ceil() as u32;
                if wanted > requested {
                    *streak = 0;
                    return Some(wanted);
                }
                // A little room is kept, or the next few sessions would bring the instance back.
                let enough = (needed * SCALE_IN_ROOM).ceil() as u32;
                *streak = if enough < requested { *streak + 1 } else { 0 };
                if *streak < SURPLUS_MIN {
                    return None;
                }
                *streak = SURPLUS_MIN / 2;
                Some(requested - (requested - enough).div_ceil(3))
            }
            Self::Rule { metric, comparison, threshold, periods, adjustment, .. } => {
                let value = reading.metric(*metric);
                let beyond = match comparison {
                    ComparisonOperatorType::GreaterThanOrEqualToThreshold => value >= *threshold,
                    ComparisonOperatorType::GreaterThanThreshold => value > *threshold,
                    ComparisonOperatorType::LessThanThreshold => value < *threshold,
                    ComparisonOperatorType::LessThanOrEqualToThreshold => value <= *threshold,
                };
                *streak = if beyond { *streak + 1 } else { 0 };
                if *streak < *periods {
                    return None;
                }
                *streak = 0;
                Some(requested.saturating_add_signed(*adjustment))
            }
        }
    }

    pub(crate) fn record(&self, fleet: &Fleet, site: &Site) -> ScalingPolicy {
        let empty = ScalingPolicy {
            fleet_id: fleet.id.clone(),
            fleet_arn: fleet.arn.clone(),
            name: self.name().to_owned(),
            status: ScalingStatusType::Active,
            scaling_adjustment: None,
            scaling_adjustment_type: None,
            comparison_operator: None,
            threshold: None,
            evaluation_periods: None,
            metric_name: MetricName::PercentAvailableGameSessions,
            policy_type: PolicyType::TargetBased,
            target_value: None,
            location: site.name.clone(),
        };
        match self {
            Self::Target { percent, .. } => ScalingPolicy { target_value: Some(*percent), ..empty },
            Self::Rule { metric, comparison, threshold, periods, adjustment, .. } => ScalingPolicy {
                scaling_adjustment: Some(*adjustment),
                scaling_adjustment_type: Some(ScalingAdjustmentType::ChangeInCapacity),
                comparison_operator: Some(*comparison),
                threshold: Some(*threshold),
                evaluation_periods: Some(*periods),
                metric_name: *metric,
                policy_type: PolicyType::RuleBased,
                ..empty
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(sessions: u32, available: u32, idle: u32) -> Reading {
        Reading { count: SiteCount { available, idle, active: 4, ..SiteCount::default() }, sessions }
    }

    #[test]
    fn a_target_policy_asks_at_once_for_more_and_late_for_less() {
        let policy = Policy::Target { name: "keep".into(), percent: 20.0 };
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
        let policy = Policy::Rule {
            name: "idle".into(),
            metric: MetricName::IdleInstances,
            comparison: ComparisonOperatorType::GreaterThanThreshold,
            threshold: 2.0,
            periods: 3,
            adjustment: -1,
        };
        let mut streak = 0;
        let idle: Vec<_> =
            [3, 3, 1, 3, 3, 3].map(|idle| policy.decide(reading(5, 5, idle), 4, 10, &mut streak)).to_vec();
        assert_eq!(idle, [None, None, None, None, None, Some(3)]);
    }
}

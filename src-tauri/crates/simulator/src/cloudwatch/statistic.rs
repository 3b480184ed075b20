//! Statistics of a metric: which ones are supported, and how a query for one is answered.
//!
//! Does not decide what CloudWatch keeps of a metric; the world does.

use super::window::rounded_start;
use super::{DimensionInput, NAMESPACE, invalid};
use crate::operation::Call;
use crate::service::ServiceError;
use crate::wire::Text;
use liftdeck_simulated_world::MetricPoint;

/// All units (CloudWatch API reference, StandardUnit).
pub(super) static UNIT: Text = Text::one_of(&[
    "Seconds",
    "Microseconds",
    "Milliseconds",
    "Bytes",
    "Kilobytes",
    "Megabytes",
    "Gigabytes",
    "Terabytes",
    "Bits",
    "Kilobits",
    "Megabits",
    "Gigabits",
    "Terabits",
    "Percent",
    "Count",
    "Bytes/Second",
    "Kilobytes/Second",
    "Megabytes/Second",
    "Gigabytes/Second",
    "Terabytes/Second",
    "Bits/Second",
    "Kilobits/Second",
    "Megabits/Second",
    "Gigabits/Second",
    "Terabits/Second",
    "Count/Second",
    "None",
]);

/// A statistic over the points of a period.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Statistic {
    Average,
    Sum,
    Minimum,
    Maximum,
    SampleCount,
    /// `p` and a percentage: the value that this share of the samples does not exceed.
    Percentile(f64),
}

impl Statistic {
    /// Parses the name of a statistic.
    pub(super) fn read(name: &str) -> Result<Statistic, ServiceError> {
        Ok(match name {
            "Average" => Statistic::Average,
            "Sum" => Statistic::Sum,
            "Minimum" => Statistic::Minimum,
            "Maximum" => Statistic::Maximum,
            "SampleCount" => Statistic::SampleCount,
            other => percentile(other)
                .ok_or_else(|| invalid(format!("The value {other} for parameter Stat is not supported.")))?,
        })
    }

    fn of(self, points: &[MetricPoint]) -> Option<f64> {
        let (sum, count) =
            points.iter().fold((0.0, 0.0), |(sum, count), point| (sum + point.sum, count + point.count));
        match self {
            Statistic::Average => Some(sum / count).filter(|_| count > 0.0),
            Statistic::Sum => Some(sum),
            Statistic::Minimum => points.iter().map(|point| point.min).reduce(f64::min),
            Statistic::Maximum => points.iter().map(|point| point.max).reduce(f64::max),
            Statistic::SampleCount => Some(count),
            Statistic::Percentile(share) => nearest(points, share),
        }
    }
}

/// Parses `p0` to `p100` with up to ten decimals.
fn percentile(name: &str) -> Option<Statistic> {
    let share = name.strip_prefix('p')?;
    let well_formed = share.starts_with(|first: char| first.is_ascii_digit())
        && share.chars().all(|letter| letter.is_ascii_digit() || letter == '.')
        && share.split_once('.').is_none_or(|(_, decimals)| (1..=10).contains(&decimals.len()));
    let share = share.parse().ok().filter(|share| well_formed && (0.0..=100.0).contains(share))?;
    Some(Statistic::Percentile(share))
}

/// Returns the sample at a percentile. Returns `None` if a point combines samples that differ, because CloudWatch
/// keeps no distribution of them.
fn nearest(points: &[MetricPoint], share: f64) -> Option<f64> {
    if points.iter().any(|point| point.count > 1.0 && point.min < point.max) {
        return None;
    }
    let mut samples: Vec<(f64, f64)> = points.iter().map(|point| (point.min, point.count)).collect();
    samples.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: f64 = samples.iter().map(|(_, count)| count).sum();
    let mut passed = 0.0;
    let reached = samples.iter().find(|(_, count)| {
        passed += count;
        passed * 100.0 >= share * total
    });
    reached.or(samples.last()).map(|(value, _)| *value)
}

/// The unit in which a metric is recorded.
pub(super) fn unit(name: &str) -> &'static str {
    if name.starts_with("Percent") {
        "Percent"
    } else if name.starts_with("TimeTo") || name == "AverageWaitTime" {
        "Seconds"
    } else if name.contains("Bytes") || name.starts_with("Network") {
        "Bytes"
    } else {
        "Count"
    }
}

/// A query for one metric.
#[derive(Debug, Clone, Copy)]
pub(super) struct Question<'a> {
    pub(super) namespace: Option<&'a str>,
    pub(super) name: &'a str,
    pub(super) dimensions: Option<&'a [DimensionInput]>,
    /// Asking for a unit other than the metric's own returns nothing.
    pub(super) unit: Option<&'a str>,
    pub(super) period_s: i64,
    /// Epoch milliseconds; the end is excluded.
    pub(super) start_ms: i64,
    pub(super) end_ms: i64,
}

/// Refuses a period that is not supported.
pub(super) fn check_period(period_s: i64) -> Result<(), ServiceError> {
    if period_s % 60 == 0 || [1, 5, 10, 20, 30].contains(&period_s) {
        return Ok(());
    }
    Err(invalid(format!("Period {period_s} must be 1, 5, 10, 20, 30 or a multiple of 60.")))
}

impl Question<'_> {
    fn read(&self, call: &Call<'_>, period_s: u32) -> Vec<MetricPoint> {
        let fits = self.namespace == Some(NAMESPACE)
            && self.unit.is_none_or(|asked| asked == "None" || asked == unit(self.name));
        // High-resolution periods exist for custom metrics only.
        if !fits || self.period_s < 60 {
            return Vec::new();
        }
        let dimensions: Vec<(&str, &str)> = self
            .dimensions
            .unwrap_or_default()
            .iter()
            .map(|dimension| (dimension.name.as_str(), dimension.value.as_deref().unwrap_or_default()))
            .collect();
        let from_ms = rounded_start(self.start_ms, call.world.now_ms());
        let metrics = call.world.metrics();
        let mut points = metrics.read(call.region, self.name, &dimensions, from_ms, self.end_ms, period_s);
        points.retain(|point| point.count > 0.0);
        points
    }

    /// Returns the statistic by the start of each period that has one, oldest first.
    pub(super) fn answer(&self, call: &Call<'_>, statistic: Statistic) -> Vec<(i64, f64)> {
        let period_s = u32::try_from(self.period_s).unwrap_or(u32::MAX);
        let Statistic::Percentile(_) = statistic else {
            let points = self.read(call, period_s);
            let told =
                |point: &MetricPoint| Some((point.start_ms, statistic.of(std::slice::from_ref(point))?));
            return points.iter().filter_map(told).collect();
        };
        // A percentile needs the individual samples, which are recorded per minute.
        let period_ms = i64::from(period_s) * 1_000;
        let minutes = self.read(call, 60);
        let begun = |point: &MetricPoint| point.start_ms.div_euclid(period_ms);
        minutes
            .chunk_by(|a, b| begun(a) == begun(b))
            .filter_map(|chunk| {
                let start_ms = chunk.first().map(begun)? * period_ms;
                Some((start_ms, statistic.of(chunk)?))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(values: &[f64]) -> Vec<MetricPoint> {
        let one = |(at, value): (usize, &f64)| MetricPoint {
            start_ms: at as i64 * 60_000,
            sum: *value,
            min: *value,
            max: *value,
            count: 1.0,
        };
        values.iter().enumerate().map(one).collect()
    }

    #[test]
    fn a_percentile_is_the_sample_that_so_many_do_not_exceed() {
        let of = |name: &str| Statistic::read(name).unwrap().of(&points(&[5.0, 1.0, 4.0, 2.0, 3.0]));
        for (name, value) in [("p0", 1.0), ("p50", 3.0), ("p80", 4.0), ("p80.1", 5.0), ("p100", 5.0)] {
            assert_eq!(of(name), Some(value), "{name}");
        }
    }

    #[test]
    fn samples_put_together_have_a_percentile_only_if_they_are_all_the_same() {
        let together = |min: f64, max: f64| {
            let sum = min + max;
            Statistic::Percentile(50.0).of(&[MetricPoint { start_ms: 0, sum, min, max, count: 2.0 }])
        };
        assert_eq!((together(2.0, 2.0), together(1.0, 3.0)), (Some(2.0), None));
    }

    #[test]
    fn names_that_are_no_statistic_are_refused() {
        for name in ["average", "Median", "p", "p101", "p5.", "p-1", "p1e1", "pinf", "tm99", "p1.12345678901"]
        {
            assert!(Statistic::read(name).is_err(), "{name}");
        }
    }
}

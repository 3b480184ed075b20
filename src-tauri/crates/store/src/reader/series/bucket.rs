//! Puts samples into equal buckets of time. Pure: the arithmetic behind every chart.

use liftdeck_model::Timestamp;
use liftdeck_model::metric::MetricSample;
use liftdeck_model::time::TimeRange;

use super::samples::{Kept, Source};
use super::silence::End;

/// How a bucket combines the values in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aggregate {
    /// The mean, weighted by how long each value held.
    Mean,
    /// The value at the bucket's end: for settings, whose mean was never in force.
    Last,
    /// The sum, divided by the bucket's minutes.
    PerMinute,
    /// The sum.
    Total,
}

/// Equal buckets over a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Buckets {
    /// Start of the first bucket.
    pub(super) start: Timestamp,
    pub(super) width_ms: i64,
    pub(super) count: usize,
}

/// Bucket widths that a person can read on an axis, in seconds.
const WIDTHS_S: [i64; 16] =
    [5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400];
/// How long a polled value holds without being confirmed: the writer's heartbeat of 5 minutes plus a slow poll.
pub(super) const HELD_MS: i64 = 5 * 60_000 + 90_000;
/// Longest period of stored CloudWatch values.
const LONGEST_PERIOD_MS: i64 = 3_600_000;

impl Buckets {
    /// The narrowest readable buckets of which at most `most` cover the range.
    pub(super) fn over(range: TimeRange, most: u32) -> Self {
        let most = i64::from(most.clamp(1, 20_000));
        let cover = |width_ms: i64| {
            let start = range.from.floor_to_ms(width_ms);
            (start, (range.to.since_ms(start).max(0) + width_ms - 1) / width_ms)
        };
        let readable = WIDTHS_S.iter().map(|seconds| seconds * 1_000);
        let days = (2..).map(|days| days * 86_400_000);
        let width_ms = readable.chain(days).find(|width_ms| cover(*width_ms).1 <= most).unwrap_or(86_400_000);
        let (start, count) = cover(width_ms);
        Self { start, width_ms, count: usize::try_from(count).unwrap_or(0) }
    }

    /// Buckets of `width_ms` that cover the range.
    pub(super) fn every(range: TimeRange, width_ms: i64) -> Self {
        let width_ms = width_ms.max(1_000);
        let start = range.from.floor_to_ms(width_ms);
        let count = (range.to.since_ms(start).max(0) + width_ms - 1) / width_ms;
        Self { start, width_ms, count: usize::try_from(count).unwrap_or(0) }
    }

    /// The start of each bucket.
    pub(super) fn times(self) -> Vec<Timestamp> {
        self.starts_ms().map(Timestamp::from_ms).collect()
    }

    /// The start of each bucket in epoch milliseconds.
    pub(super) fn starts_ms(self) -> impl Iterator<Item = i64> {
        (0_i64..).take(self.count).map(move |index| self.start.as_ms() + index * self.width_ms)
    }

    /// A column of gaps only.
    pub(super) fn gap(self) -> Vec<f64> {
        vec![f64::NAN; self.count]
    }

    /// The column of one series.
    pub(super) fn fill(self, series: &Kept, aggregate: Aggregate) -> Vec<f64> {
        match aggregate {
            Aggregate::PerMinute => self.sums(&series.samples, self.width_ms as f64 / 60_000.0),
            Aggregate::Total => self.sums(&series.samples, 1.0),
            _ => self.held(&series.samples, &series.ends, held_ms(series), aggregate),
        }
    }

    /// Each bucket's sum, divided by `divisor`.
    fn sums(self, samples: &[MetricSample], divisor: f64) -> Vec<f64> {
        let mut column = self.gap();
        for sample in samples {
            let index = usize::try_from(sample.at.since_ms(self.start).div_euclid(self.width_ms)).ok();
            if let Some(slot) = index.and_then(|index| column.get_mut(index)) {
                let rate = sample.value / divisor;
                *slot = if slot.is_nan() { rate } else { *slot + rate };
            }
        }
        column
    }

    /// Each value holds until the next sample, but for at most `held_ms`, or until its end in `ends` if it has one.
    fn held(self, samples: &[MetricSample], ends: &[End], held_ms: i64, aggregate: Aggregate) -> Vec<f64> {
        let mut weights = vec![0.0_f64; self.count];
        let mut column = self.gap();
        let mut next = samples.iter().skip(1);
        let mut ends = ends.iter().peekable();
        // The current bucket. Samples ascend, so it only moves on; a division for each would cost more than the rest.
        let (mut first, mut opens) = (0_usize, 0_i64);
        for sample in samples {
            let until = next.next().map_or(i64::MAX, |after| after.at.as_ms());
            let own_end = ends.next_if(|end| end.at == sample.at.as_ms()).map(|end| end.until);
            let end = until.min(own_end.unwrap_or(sample.at.as_ms().saturating_add(held_ms)));
            let from = sample.at.since_ms(self.start).max(0);
            let to = end.saturating_sub(self.start.as_ms());
            if to <= from || sample.value.is_nan() {
                continue;
            }
            while opens.saturating_add(self.width_ms) <= from && first < self.count {
                first += 1;
                opens += self.width_ms;
            }
            let mut begins = opens;
            for (slot, known) in column.iter_mut().zip(&mut weights).skip(first) {
                if begins >= to {
                    break;
                }
                let ends = begins + self.width_ms;
                let weight = (to.min(ends) - from.max(begins)) as f64;
                match aggregate {
                    Aggregate::Mean if *known > 0.0 => *slot += sample.value * weight,
                    Aggregate::Mean => *slot = sample.value * weight,
                    _ => *slot = sample.value,
                }
                *known += weight;
                begins = ends;
            }
        }
        if aggregate == Aggregate::Mean {
            for (slot, known) in column.iter_mut().zip(weights) {
                *slot /= known;
            }
        }
        column
    }
}

/// How long a value of a series holds unless another follows, in milliseconds.
pub(super) fn held_ms(series: &Kept) -> i64 {
    match series.source {
        Source::Polled => HELD_MS,
        Source::CloudWatch => period_ms(&series.samples),
    }
}

/// The period of CloudWatch values: the shortest distance between two.
fn period_ms(samples: &[MetricSample]) -> i64 {
    let distances = samples.windows(2).filter_map(|pair| match pair {
        [one, two] => Some(two.at.since_ms(one.at)),
        _ => None,
    });
    distances.filter(|distance| *distance > 0).min().unwrap_or(60_000).clamp(1_000, LONGEST_PERIOD_MS)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MINUTE: i64 = 60_000;

    fn range(minutes: i64) -> TimeRange {
        TimeRange::new(Timestamp::from_ms(0), Timestamp::from_ms(minutes * MINUTE))
    }

    fn samples(pairs: &[(i64, f64)]) -> Vec<MetricSample> {
        pairs.iter().map(|(at, value)| MetricSample { at: Timestamp::from_ms(*at), value: *value }).collect()
    }

    #[test]
    fn a_polled_value_holds_until_the_next_and_a_silence_is_a_gap() {
        let buckets = Buckets { start: Timestamp::from_ms(0), width_ms: MINUTE, count: 12 };
        let column = buckets.held(&samples(&[(0, 4.0), (2 * MINUTE, 6.0)]), &[], HELD_MS, Aggregate::Last);
        assert_eq!(&column[..3], [4.0, 4.0, 6.0]);
        assert!((column[8] - 6.0).abs() < f64::EPSILON, "held for the heartbeat");
        assert!(column[9].is_nan(), "nobody looked any more");
    }

    #[test]
    fn a_mean_weighs_each_value_by_how_long_it_held() {
        let buckets = Buckets { start: Timestamp::from_ms(0), width_ms: MINUTE, count: 1 };
        let column = buckets.held(&samples(&[(0, 10.0), (45_000, 50.0)]), &[], HELD_MS, Aggregate::Mean);
        assert!((column[0] - 20.0).abs() < 1e-9, "{column:?}");
    }

    #[test]
    fn a_value_from_before_the_range_reaches_into_it() {
        let buckets = Buckets { start: Timestamp::from_ms(10 * MINUTE), width_ms: MINUTE, count: 2 };
        let column = buckets.held(&samples(&[(9 * MINUTE, 3.0)]), &[], HELD_MS, Aggregate::Last);
        assert_eq!(column, [3.0, 3.0]);
    }

    #[test]
    fn sums_become_a_rate_whatever_their_period() {
        let buckets = Buckets { start: Timestamp::from_ms(0), width_ms: 5 * MINUTE, count: 1 };
        let each_minute: Vec<(i64, f64)> = (0..5).map(|minute| (minute * MINUTE, 10.0)).collect();
        assert!((buckets.sums(&samples(&each_minute), 5.0)[0] - 10.0).abs() < 1e-9);
        assert!((buckets.sums(&samples(&[(0, 50.0)]), 5.0)[0] - 10.0).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn never_more_rows_than_asked_for_and_the_whole_range_is_covered(
            from in 0_i64..2_000_000_000_000, minutes in 1_i64..700_000, most in 1_u32..5_000,
        ) {
            let start = Timestamp::from_ms(from);
            let wanted = TimeRange::new(start, start.plus_ms(minutes * MINUTE));
            let buckets = Buckets::over(wanted, most);
            prop_assert!(buckets.count <= most as usize);
            prop_assert!(buckets.start <= wanted.from);
            let end = buckets.start.plus_ms(buckets.width_ms * i64::try_from(buckets.count).unwrap());
            prop_assert!(end >= wanted.to);
        }

        #[test]
        fn a_mean_lies_between_the_least_and_the_greatest(values in prop::collection::vec((0_i64..600, -50.0_f64..50.0), 1..40)) {
            let mut pairs: Vec<(i64, f64)> = values.into_iter().map(|(at, value)| (at * 1_000, value)).collect();
            pairs.sort_by_key(|(at, _)| *at);
            pairs.dedup_by_key(|(at, _)| *at);
            let (least, most) = pairs.iter().fold((f64::MAX, f64::MIN), |(l, m), (_, v)| (l.min(*v), m.max(*v)));
            for value in Buckets::over(range(10), 7).held(&samples(&pairs), &[], HELD_MS, Aggregate::Mean) {
                prop_assert!(value.is_nan() || (value >= least - 1e-9 && value <= most + 1e-9));
            }
        }
    }
}

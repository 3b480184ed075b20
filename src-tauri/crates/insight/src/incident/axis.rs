//! The time axis that the lanes share: equal buckets over the range shown.

use liftdeck_model::Timestamp;
use liftdeck_model::time::TimeRange;

/// Widths to choose from, in milliseconds.
const WIDTHS_MS: [i64; 10] =
    [10_000, 30_000, 60_000, 300_000, 900_000, 3_600_000, 10_800_000, 21_600_000, 43_200_000, 86_400_000];
/// Most buckets.
const MOST: i64 = 240;

/// Equal buckets over a range; the last one reaches its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Axis {
    pub(super) range: TimeRange,
    pub(super) width_ms: i64,
}

impl Axis {
    pub(super) fn over(range: TimeRange) -> Self {
        let fits = |width: &&i64| range.length_ms() / **width < MOST;
        let widest = range.length_ms() / MOST + 1;
        Self { range, width_ms: WIDTHS_MS.iter().find(fits).copied().unwrap_or(widest) }
    }

    /// Start of each bucket.
    pub(super) fn times(self) -> Vec<Timestamp> {
        let count = self.range.length_ms() / self.width_ms + 1;
        (0..count).map(|index| self.range.from.plus_ms(index * self.width_ms)).collect()
    }

    /// The value that holds at the end of each bucket, from values with their times, ascending. A value holds until the
    /// next one; NaN is a gap.
    pub(super) fn held(self, times: &[Timestamp], values: &[f64]) -> Vec<Option<f64>> {
        let mut next = 0;
        let mut held = None;
        self.times()
            .into_iter()
            .map(|at| {
                while let Some(time) = times.get(next).filter(|time| **time <= at) {
                    let _ = time;
                    held = values.get(next).copied().filter(|value| value.is_finite());
                    next += 1;
                }
                held
            })
            .collect()
    }

    /// How many of these moments, ascending, had come by the end of each bucket.
    pub(super) fn cumulated(self, moments: &[(Timestamp, u64)]) -> Vec<u64> {
        let mut next = 0;
        let mut sum = 0;
        self.times()
            .into_iter()
            .map(|at| {
                let end = at.plus_ms(self.width_ms);
                while let Some((_, count)) = moments.get(next).filter(|(moment, _)| *moment < end) {
                    sum += count;
                    next += 1;
                }
                sum
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_holds_to_the_next_and_a_gap_is_a_gap() {
        let at = |seconds: i64| Timestamp::from_ms(seconds * 1_000);
        let axis = Axis::over(TimeRange::new(at(0), at(50)));
        assert_eq!(axis.width_ms, 10_000);
        let held = axis.held(&[at(10), at(30), at(40)], &[3.0, f64::NAN, 5.0]);
        assert_eq!(held, [None, Some(3.0), Some(3.0), None, Some(5.0), Some(5.0)]);
        assert_eq!(axis.cumulated(&[(at(5), 1), (at(12), 2), (at(59), 1)]), [1, 3, 3, 3, 3, 4]);
    }

    #[test]
    fn no_span_has_too_many_buckets() {
        let at = Timestamp::from_ms;
        for length_ms in [1, 60_000, 3_600_000, 86_400_000, 30 * 86_400_000, 4_000 * 86_400_000] {
            let axis = Axis::over(TimeRange::new(at(0), at(length_ms)));
            assert!(axis.times().len() <= 241, "{length_ms}");
        }
    }
}

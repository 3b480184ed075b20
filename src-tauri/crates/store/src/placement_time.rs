//! How long placements took, counted in fixed steps: the histogram kept in `placement_sum.times` and
//! `placement_day.times`.
//!
//! Owns the steps (the histogram's buckets) and the format of the column: pairs of step and count as LEB128 numbers,
//! in ascending order, each step as the distance from the previous one. A step is at most 8 % wide, so a percentile
//! read from its middle is at most 5 % off.

use std::collections::BTreeMap;

use crate::error::StoreError;

/// Bounds in milliseconds that no step straddles: those of the bars in the screen's histogram, and some more for very
/// long placements.
const FIXED_MS: [i64; 14] =
    [25, 100, 250, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 60_000, 180_000, 600_000, 3_600_000, 86_400_000];
/// Steps grow by the ninth root of two, that is by 8 %.
const STEPS_A_DOUBLING: f64 = 9.0;

/// Number of placements by step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Times(BTreeMap<usize, u64>);

/// Inclusive upper bounds of the steps, ascending. Longer times fall into one more step.
fn bounds() -> &'static [i64] {
    static BOUNDS: std::sync::LazyLock<Vec<i64>> = std::sync::LazyLock::new(|| {
        let mut bounds = vec![FIXED_MS[0]];
        for pair in FIXED_MS.windows(2) {
            let [low, high] = *pair else { continue };
            let ratio = high as f64 / low as f64;
            let steps = (ratio.log2() * STEPS_A_DOUBLING).ceil();
            let mut step = 1.0;
            while step < steps {
                bounds.push((low as f64 * ratio.powf(step / steps)).round() as i64);
                step += 1.0;
            }
            bounds.push(high);
        }
        bounds.dedup();
        bounds
    });
    &BOUNDS
}

impl Times {
    /// Counts one placement that took `took_ms`.
    pub(crate) fn add(&mut self, took_ms: i64) {
        let step = bounds().partition_point(|bound| *bound < took_ms);
        *self.0.entry(step).or_default() += 1;
    }

    /// Adds all counts of `other`.
    pub(crate) fn add_all(&mut self, other: &Self) {
        for (step, count) in &other.0 {
            let known = self.0.entry(*step).or_default();
            *known = known.saturating_add(*count);
        }
    }

    /// The middle of each step in milliseconds, ascending, and the number of placements in that step.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (i64, u64)> {
        self.0.iter().map(|(step, count)| {
            let bounds = bounds();
            let low = step.checked_sub(1).and_then(|below| bounds.get(below)).copied().unwrap_or(0);
            let middle = bounds.get(*step).map_or(low + 1, |high| (low + 1 + high) / 2);
            (middle, *count)
        })
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut body = Vec::with_capacity(self.0.len() * 2);
        let mut last = 0;
        for (step, count) in &self.0 {
            push_number(&mut body, (step - last) as u64);
            push_number(&mut body, *count);
            last = *step;
        }
        body
    }

    pub(crate) fn decode(body: &[u8]) -> Result<Self, StoreError> {
        let mut times = Self::default();
        times.add_encoded(body)?;
        Ok(times)
    }

    /// Adds the counts that [`Self::encode`] wrote.
    pub(crate) fn add_encoded(&mut self, body: &[u8]) -> Result<(), StoreError> {
        let damaged = || StoreError::Unreadable { what: "times of placements".to_owned() };
        let mut bytes = body.iter().copied();
        let mut step = 0_usize;
        while bytes.len() > 0 {
            let distance = number(&mut bytes).and_then(|distance| usize::try_from(distance).ok());
            step = distance.and_then(|distance| step.checked_add(distance)).ok_or_else(damaged)?;
            if step > bounds().len() {
                return Err(damaged());
            }
            let known = self.0.entry(step).or_default();
            *known = known.saturating_add(number(&mut bytes).ok_or_else(damaged)?);
        }
        Ok(())
    }
}

fn push_number(body: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        body.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    body.push(number.to_le_bytes()[0]);
}

fn number(bytes: &mut impl Iterator<Item = u8>) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let byte = bytes.next()?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_damaged_body_is_an_error() {
        for body in [&[1][..], &[0x80], &[0xff, 0xff, 0x7f, 1]] {
            assert!(Times::decode(body).is_err(), "{body:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_kept_comes_back_and_each_time_within_a_twentieth(took in prop::collection::vec(0_i64..86_400_000, 1..60)) {
            let mut times = Times::default();
            took.iter().for_each(|took| times.add(*took));
            let back = Times::decode(&times.encode()).unwrap();
            prop_assert_eq!(&back, &times);
            let mut sorted = took;
            sorted.sort_unstable();
            let counted: Vec<i64> =
                back.counts().flat_map(|(middle, count)| (0..count).map(move |_| middle)).collect();
            prop_assert_eq!(counted.len(), sorted.len());
            for (took, middle) in sorted.into_iter().zip(counted) {
                let off = (took - middle).abs();
                prop_assert!(off <= 13 || off * 20 <= took, "{} stands for {}", middle, took);
            }
        }

        #[test]
        fn no_step_straddles_a_bar(took in 1_i64..3_600_000) {
            let mut times = Times::default();
            times.add(took);
            let middle = times.counts().next().unwrap().0;
            for bound in FIXED_MS {
                prop_assert_eq!(took <= bound, middle <= bound, "{} stands for {}", middle, took);
            }
        }

        #[test]
        fn rubbish_never_panics(body in prop::collection::vec(any::<u8>(), 0..40)) {
            let _ = Times::decode(&body);
        }
    }
}

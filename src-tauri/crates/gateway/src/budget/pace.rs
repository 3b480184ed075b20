//! Weighted pacing: limits the units per second of requests that each ask for many units.
//!
//! Owns arithmetic only; time comes in as an argument, counted from any fixed origin.

use std::time::Duration;

/// Spaces requests so that their units never exceed the rate on average.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    free_at: Duration,
}

impl Pace {
    /// Books a request of `units` at the rate `per_second` and returns the moment it may begin. Idle time earns no
    /// credit.
    pub(crate) fn book(&mut self, now: Duration, units: u64, per_second: f64) -> Duration {
        let begins = self.free_at.max(now);
        self.free_at = begins.saturating_add(Duration::from_secs_f64(units as f64 / per_second.max(1.0)));
        begins
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn units_begun_never_outrun_the_rate(
            wishes in proptest::collection::vec((0_u64..500, 1_u64..100_800), 1..200),
            per_second in 1_000.0_f64..100_000.0,
        ) {
            let (mut pace, mut now) = (Pace::default(), Duration::ZERO);
            let mut begun: Vec<(Duration, u64)> = Vec::new();
            for (later_ms, units) in wishes {
                now += Duration::from_millis(later_ms);
                begun.push((pace.book(now, units, per_second), units));
            }
            for (index, (from, _)) in begun.iter().enumerate() {
                // Everything that begins between this request and a later one must fit into the time between the two.
                let mut units = 0;
                for (at, more) in &begun[index..] {
                    let room = (*at - *from).as_secs_f64() * per_second;
                    prop_assert!(units as f64 <= room + 1.0, "{units} in room for {room}");
                    units += more;
                }
            }
        }
    }
}

//! The virtual clock: converts elapsed real time into virtual time.
//!
//! Owns only the arithmetic. It never reads a real clock: the caller passes in how much real time has elapsed.

use std::time::Duration;

/// Virtual time = start + speed × elapsed real time + time added by hand.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    start_ms: i64,
    speed: f64,
    added_ms: i64,
}

impl Clock {
    /// Creates a clock that reads `start_ms` (epoch milliseconds) before any real time has elapsed and then runs at
    /// `speed` virtual seconds per real second. 0 freezes it; negative or non-finite speeds count as 0.
    pub(crate) fn new(start_ms: i64, speed: f64) -> Self {
        let speed = if speed.is_finite() { speed.max(0.0) } else { 0.0 };
        Self { start_ms, speed, added_ms: 0 }
    }

    /// Returns the virtual time in epoch milliseconds, `elapsed` of real time after the start. It never runs
    /// backwards as long as `elapsed` does not.
    pub(crate) fn now_ms(&self, elapsed: Duration) -> i64 {
        let run_ms = elapsed.as_secs_f64() * 1000.0 * self.speed;
        self.start_ms.saturating_add(self.added_ms).saturating_add(run_ms as i64)
    }

    /// Moves virtual time forward by hand.
    pub(crate) fn advance(&mut self, by: Duration) {
        let by_ms = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
        self.added_ms = self.added_ms.saturating_add(by_ms);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn virtual_time_is_start_plus_speed_times_elapsed_plus_advances() {
        let mut clock = Clock::new(1_000_000, 60.0);
        assert_eq!(clock.now_ms(Duration::ZERO), 1_000_000);
        assert_eq!(clock.now_ms(Duration::from_millis(500)), 1_030_000);
        clock.advance(Duration::from_secs(90));
        assert_eq!(clock.now_ms(Duration::from_millis(500)), 1_120_000);
    }

    #[test]
    fn a_clock_of_speed_zero_moves_only_by_hand() {
        let mut clock = Clock::new(5, 0.0);
        assert_eq!(clock.now_ms(Duration::from_secs(3600)), 5);
        clock.advance(Duration::from_secs(1));
        assert_eq!(clock.now_ms(Duration::from_secs(3600)), 1_005);
        assert_eq!(Clock::new(5, f64::NAN).now_ms(Duration::from_secs(3600)), 5);
    }
}

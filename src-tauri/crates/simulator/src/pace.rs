//! The clock that clients wait by: real time plus the time added to virtual time by hand.
//!
//! Owns the time by which request rates and messages in flight are counted. The world knows nothing about it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The time by which request rates and messages in flight are counted. Clients wait in real time whatever the world's
/// speed, and advancing the world by hand advances this time too. Copies share the same time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pace {
    added_ms: Arc<AtomicU64>,
}

impl Pace {
    fn added(&self) -> Duration {
        Duration::from_millis(self.added_ms.load(Ordering::Relaxed))
    }

    /// The current time.
    pub(crate) fn now(&self) -> Instant {
        let now = Instant::now();
        now.checked_add(self.added()).unwrap_or(now)
    }

    /// Returns when a moment of this time comes in real time, unless it is advanced by hand before.
    pub(crate) fn due(&self, moment: Instant) -> Instant {
        moment.checked_sub(self.added()).unwrap_or(moment)
    }

    /// Moves it forward by hand.
    pub(crate) fn advance(&self, by: Duration) {
        self.added_ms.fetch_add(u64::try_from(by.as_millis()).unwrap_or(u64::MAX / 2), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_is_real_time_and_what_was_added_by_hand_and_tells_when_a_moment_really_comes() {
        let (pace, before) = (Pace::default(), Instant::now());
        pace.clone().advance(Duration::from_secs(90));
        assert!(pace.now() >= before + Duration::from_secs(90));
        let due = pace.due(before + Duration::from_secs(100));
        assert_eq!(due, before + Duration::from_secs(10));
    }
}

//! Limits how many requests may be sent in any one second: the pure core of the budget.
//!
//! Owns arithmetic only; time comes in as an argument, counted from any fixed origin.

use std::collections::VecDeque;
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);
/// The full allowance is restored at most this long after the last throttle.
const RECOVERY: Duration = Duration::from_secs(60);
/// Throttles never cut the allowance below this share.
const LEAST: f64 = 1.0 / 16.0;

/// The allowance of one operation. Admits at most ⌊allowed⌋ requests in any window of one second, all at once
/// if they come at once; below one a second it admits one every `1 / allowed` seconds.
#[derive(Debug)]
pub(crate) struct Window {
    allowed_per_second: f64,
    /// Share of the allowance left right after the last throttle.
    level: f64,
    throttled_at: Option<Duration>,
    /// When the latest requests were sent, oldest first; no more than one second's worth.
    sent: VecDeque<Duration>,
}

impl Window {
    /// A window that allows `allowed_per_second` requests; it must be above zero.
    pub(crate) const fn new(allowed_per_second: f64) -> Self {
        Self { allowed_per_second, level: 1.0, throttled_at: None, sent: VecDeque::new() }
    }

    /// The rate allowed at this moment, per second.
    pub(crate) fn allowed_per_second(&self, now: Duration) -> f64 {
        self.allowed_per_second * self.share(now)
    }

    /// The share of the allowance in force. A throttle halves it; then it grows back in a straight line.
    fn share(&self, now: Duration) -> f64 {
        let Some(throttled_at) = self.throttled_at else { return 1.0 };
        let grown = now.saturating_sub(throttled_at).as_secs_f64() / RECOVERY.as_secs_f64();
        (self.level + grown).min(1.0)
    }

    /// The earliest moment at which a request may be sent, as far as is known now. Not after `now` if it may be sent
    /// at once.
    pub(crate) fn ready_at(&self, now: Duration) -> Duration {
        let (count, width) = self.admits(now);
        let Some(oldest) = self.sent.len().checked_sub(count).and_then(|index| self.sent.get(index)) else {
            return now;
        };
        let ready = oldest.saturating_add(width);
        // While the allowance grows back, a wait calculated from the current share may be too long, so look again
        // soon.
        if self.share(now) < 1.0 { ready.min(now.saturating_add(SECOND)) } else { ready }
    }

    /// Notes that a request is sent now. Call it only when `ready_at` is not after `now`.
    pub(crate) fn send(&mut self, now: Duration) {
        self.sent.push_back(now);
        let most = (self.allowed_per_second.floor() as usize).max(1);
        while self.sent.len() > most {
            self.sent.pop_front();
        }
    }

    /// Halves the allowance. Several throttles within one second count as one.
    pub(crate) fn throttle(&mut self, now: Duration) {
        if self.throttled_at.is_some_and(|at| now.saturating_sub(at) < SECOND) {
            return;
        }
        self.level = (self.share(now) / 2.0).max(LEAST);
        self.throttled_at = Some(now);
    }

    /// How many requests are admitted, and in a window of what width.
    fn admits(&self, now: Duration) -> (usize, Duration) {
        let allowed = self.allowed_per_second(now);
        if allowed >= 1.0 {
            (allowed.floor() as usize, SECOND)
        } else {
            (1, SECOND.div_f64(allowed.max(1e-6)))
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Sends at each of the given moments at which it is allowed; returns when it sent.
    fn run(window: &mut Window, wishes: &[u64], throttles: &[u64]) -> Vec<Duration> {
        let mut sent = Vec::new();
        let mut moments: Vec<(Duration, bool)> =
            wishes.iter().map(|ms| (Duration::from_millis(*ms), false)).collect();
        moments.extend(throttles.iter().map(|ms| (Duration::from_millis(*ms), true)));
        moments.sort();
        for (now, throttle) in moments {
            if throttle {
                window.throttle(now);
            } else if window.ready_at(now) <= now {
                window.send(now);
                sent.push(now);
            }
        }
        sent
    }

    fn most_in_a_second(sent: &[Duration]) -> usize {
        sent.iter()
            .map(|from| sent.iter().filter(|at| *at >= from && **at < *from + SECOND).count())
            .max()
            .unwrap_or(0)
    }

    proptest! {
        #[test]
        fn no_second_ever_sees_more_than_the_allowance(
            allowed in 0.05_f64..60.0,
            wishes in proptest::collection::vec(0_u64..20_000, 0..600),
            throttles in proptest::collection::vec(0_u64..20_000, 0..5),
        ) {
            let sent = run(&mut Window::new(allowed), &wishes, &throttles);
            prop_assert!(most_in_a_second(&sent) <= (allowed.floor() as usize).max(1));
        }

        #[test]
        fn a_throttle_at_least_halves_the_second_after_it(allowed in 2.0_f64..60.0, at in 0_u64..5_000) {
            let mut window = Window::new(allowed);
            window.throttle(Duration::from_millis(at));
            let wishes: Vec<u64> = (at..at + 1_000).flat_map(|ms| [ms; 3]).collect();
            let sent = run(&mut window, &wishes, &[]);
            prop_assert!(sent.len() as f64 <= allowed / 2.0 + allowed / 60.0 + 1.0, "{} of {allowed}", sent.len());
        }

        #[test]
        fn the_full_allowance_is_back_a_minute_after_the_last_throttle(
            allowed in 0.05_f64..60.0,
            throttles in proptest::collection::vec(0_u64..20_000, 1..20),
        ) {
            let mut window = Window::new(allowed);
            let last = throttles.iter().copied().max().unwrap_or(0);
            run(&mut window, &[], &throttles);
            let share = window.allowed_per_second(Duration::from_millis(last) + RECOVERY) / allowed;
            prop_assert!((share - 1.0).abs() < 1e-9);
        }

        #[test]
        fn a_patient_sender_gets_its_whole_allowance(allowed in 1.0_f64..60.0) {
            let mut window = Window::new(allowed);
            let mut now = Duration::ZERO;
            let mut count = 0_u32;
            while now < Duration::from_secs(10) {
                let ready = window.ready_at(now);
                if ready <= now { window.send(now); count += 1; } else { now = ready; }
            }
            prop_assert_eq!(count, allowed.floor() as u32 * 10);
        }
    }

    #[test]
    fn many_throttles_in_one_second_halve_once() {
        let mut window = Window::new(40.0);
        for ms in 0..8 {
            window.throttle(Duration::from_millis(ms));
        }
        assert!((window.allowed_per_second(Duration::ZERO) - 20.0).abs() < 0.1);
    }

    #[test]
    fn less_than_one_a_second_spreads_over_seconds() {
        let mut window = Window::new(0.25);
        window.send(Duration::ZERO);
        assert_eq!(window.ready_at(SECOND), Duration::from_secs(4));
    }
}

//! The proven time: what AWS said it is, plus the time this program has seen pass since.
//!
//! Owns the distinction between the computer's clock, which a person, a battery or a virtual machine may set to
//! anything, and time that may be acted on. Deliberately reads no wall clock: its value is passed in and not trusted.

use std::fmt;
use std::sync::Arc;

use liftdeck_model::Timestamp;
use parking_lot::RwLock;
use tokio::time::Instant;

/// The computer's clock is accepted if it is off by no more than this. AWS itself refuses requests signed further
/// off.
const TOLERANCE_MS: i64 = 300_000;

/// Returns AWS's current time, from its last response and the time since; `None` before the first response.
pub type AwsTime = Arc<dyn Fn() -> Option<Timestamp> + Send + Sync>;

/// The proven time of one database, shared by the writer's handles and its task.
#[derive(Default)]
pub(crate) struct ProvenTime {
    kept: RwLock<Option<(i64, Instant)>>,
    aws: RwLock<Option<AwsTime>>,
}

impl fmt::Debug for ProvenTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProvenTime").field("now_ms", &self.now_ms()).finish()
    }
}

impl ProvenTime {
    /// Continues from the time that an earlier run proved. It may be behind the real time, but never ahead of it.
    pub(crate) fn restore(&self, at_ms: i64) {
        *self.kept.write() = Some((at_ms, Instant::now()));
    }

    /// Takes AWS's time from `aws` from now on.
    pub(crate) fn listen_to(&self, aws: AwsTime) {
        *self.aws.write() = Some(aws);
    }

    /// AWS's time, if it was received in this run.
    fn aws_ms(&self) -> Option<i64> {
        let aws = self.aws.read();
        aws.as_ref().and_then(|ask| ask()).map(Timestamp::as_ms)
    }

    /// The proven time; `None` if AWS's time was never received.
    pub(crate) fn now_ms(&self) -> Option<i64> {
        if let Some(heard) = self.aws_ms() {
            return Some(heard);
        }
        let kept = *self.kept.read();
        kept.map(|(at, since)| {
            at.saturating_add(i64::try_from(since.elapsed().as_millis()).unwrap_or(i64::MAX))
        })
    }

    /// The time from which ages are counted back for deletion: the computer's clock or the proven time, whichever is
    /// earlier. `None`: nothing is known to be old.
    pub(crate) fn horizon_ms(&self, clock: Timestamp) -> Option<i64> {
        self.now_ms().map(|proven| proven.min(clock.as_ms()))
    }

    /// The timestamp to record for what was seen when the computer's clock said `clock`. A clock that AWS contradicts
    /// is corrected. One that is behind the time proven in an earlier run is moved up to it.
    pub(crate) fn stamp_ms(&self, clock: Timestamp) -> i64 {
        let clock = clock.as_ms();
        let off = |proven: i64| clock.saturating_sub(proven);
        match (self.aws_ms(), self.now_ms()) {
            (Some(aws), _) if off(aws).abs() > TOLERANCE_MS => aws,
            (None, Some(proven)) if off(proven) < -TOLERANCE_MS => proven,
            _ => clock,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const T0: Timestamp = Timestamp::from_ms(1_795_203_000_000);
    const YEAR_MS: i64 = 365 * 86_400_000;

    fn told(at: Timestamp) -> ProvenTime {
        let time = ProvenTime::default();
        time.listen_to(Arc::new(move || Some(at)));
        time
    }

    #[test]
    fn without_a_word_of_aws_nothing_is_known_to_be_old_and_the_clock_is_written_as_it_is() {
        let time = ProvenTime::default();
        assert_eq!((time.horizon_ms(T0), time.stamp_ms(T0)), (None, T0.as_ms()));
    }

    #[test]
    fn the_horizon_follows_the_slower_of_clock_and_proof() {
        let time = told(T0);
        assert_eq!(time.horizon_ms(T0.plus_ms(3 * YEAR_MS)), Some(T0.as_ms()));
        assert_eq!(time.horizon_ms(T0.plus_ms(-YEAR_MS)), Some(T0.as_ms() - YEAR_MS));
    }

    #[test]
    fn a_clock_that_aws_contradicts_is_corrected_both_ways_and_small_differences_are_left() {
        let time = told(T0);
        for off in [3 * YEAR_MS, -3 * YEAR_MS, TOLERANCE_MS + 1, -TOLERANCE_MS - 1] {
            assert_eq!(time.stamp_ms(T0.plus_ms(off)), T0.as_ms(), "{off}");
        }
        for off in [0, TOLERANCE_MS, -TOLERANCE_MS] {
            assert_eq!(time.stamp_ms(T0.plus_ms(off)), T0.as_ms() + off, "{off}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_an_earlier_run_proved_grows_only_by_what_is_seen_to_pass() {
        let time = ProvenTime::default();
        time.restore(T0.as_ms());
        tokio::time::advance(Duration::from_hours(1)).await;
        let proven = T0.plus_ms(3_600_000);
        assert_eq!(time.horizon_ms(T0.plus_ms(YEAR_MS)), Some(proven.as_ms()));
        assert_eq!(time.stamp_ms(T0.plus_ms(-YEAR_MS)), proven.as_ms(), "a clock set back is pulled up");
        let hardly = proven.plus_ms(-TOLERANCE_MS);
        assert_eq!(time.stamp_ms(hardly), hardly.as_ms(), "small differences are left");
        assert!(format!("{time:?}").contains(&proven.as_ms().to_string()));
        let later = T0.plus_ms(YEAR_MS);
        assert_eq!(time.stamp_ms(later), later.as_ms(), "the program may have been off for a year");
    }
}

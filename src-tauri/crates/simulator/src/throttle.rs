//! Request rates: one token bucket per region and operation, and one per region for all calls to GameLift.
//!
//! Runs on real time, because clients back off in real time, and is advanced together with a world that is advanced
//! by hand. The caller passes in the current time.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::service::Service;

/// A published rate: how many requests at once, and how many per second after that.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rate {
    /// The size of the bucket.
    pub(crate) burst: f64,
    /// Requests per second that refill it.
    pub(crate) per_second: f64,
}

impl Rate {
    /// A rate whose burst equals its steady value.
    pub(crate) const fn even(per_second: f64) -> Rate {
        Rate { burst: per_second, per_second }
    }
}

/// The rate of a whole account in one region (GameLift API limits: 500/500).
const ACCOUNT: Rate = Rate::even(500.0);

#[derive(Debug)]
struct Bucket {
    tokens: f64,
    filled_at: Instant,
}

impl Bucket {
    fn refill(&mut self, rate: Rate, now: Instant) {
        let passed = now.saturating_duration_since(self.filled_at).as_secs_f64();
        self.tokens = (self.tokens + passed * rate.per_second).min(rate.burst);
        self.filled_at = self.filled_at.max(now);
    }
}

/// Operations that the game's own backend polls.
const POLLED: [&str; 9] = [
    "CreateGameSession",
    "DescribeGameSessionDetails",
    "DescribeGameSessionPlacement",
    "DescribeGameSessions",
    "DescribeMatchmaking",
    "DescribePlayerSessions",
    "SearchGameSessions",
    "StartGameSessionPlacement",
    "StartMatchmaking",
];

/// A game's own backend that calls the service in waves and so leaves other callers only part of the published rates.
#[derive(Debug)]
struct Backend {
    region: String,
    since: Instant,
}

impl Backend {
    /// Seconds from one wave to the next, and how many of them a wave lasts.
    const PERIOD_S: f64 = 30.0;
    const WAVE_S: f64 = 20.0;
    /// The share left to others during a wave and between waves.
    const IN_WAVE: f64 = 0.04;
    const BETWEEN: f64 = 0.5;

    fn leaves(&self, region: &str, operation: &str, now: Instant) -> f64 {
        if region != self.region || !POLLED.contains(&operation) {
            return 1.0;
        }
        let within_s = now.saturating_duration_since(self.since).as_secs_f64() % Self::PERIOD_S;
        if within_s < Self::WAVE_S { Self::IN_WAVE } else { Self::BETWEEN }
    }
}

/// The buckets of one account.
#[derive(Debug, Default)]
pub(crate) struct Throttle {
    buckets: Mutex<HashMap<(String, Service, &'static str), Bucket>>,
    backend: Option<Backend>,
}

impl Throttle {
    /// Creates the buckets of an account whose backend uses up the rates in a region.
    pub(crate) fn shared_with_backend(region: &str, since: Instant) -> Throttle {
        Throttle { backend: Some(Backend { region: region.to_owned(), since }), ..Throttle::default() }
    }

    /// Whether a request may pass at `now`. A refused request takes nothing from either bucket.
    pub(crate) fn admit(
        &self,
        region: &str,
        service: Service,
        operation: &'static str,
        rate: Rate,
        now: Instant,
    ) -> bool {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let left = self.backend.as_ref().map_or(1.0, |backend| backend.leaves(region, operation, now));
        let rate = Rate { burst: (rate.burst * left).max(1.0), per_second: rate.per_second * left };
        let mut wanted = vec![(operation, rate)];
        if service == Service::GameLift {
            wanted.push(("", ACCOUNT));
        }
        for (name, rate) in &wanted {
            let bucket = buckets
                .entry((region.to_owned(), service, name))
                .or_insert(Bucket { tokens: rate.burst, filled_at: now });
            bucket.refill(*rate, now);
            if bucket.tokens < 1.0 {
                return false;
            }
        }
        for (name, _) in wanted {
            if let Some(bucket) = buckets.get_mut(&(region.to_owned(), service, name)) {
                bucket.tokens -= 1.0;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn passed(throttle: &Throttle, operation: &'static str, rate: f64, count: usize, now: Instant) -> usize {
        let ask = || throttle.admit("eu-west-1", Service::GameLift, operation, Rate::even(rate), now);
        (0..count).filter(|_| ask()).count()
    }

    #[test]
    fn the_burst_passes_and_the_rest_waits_for_the_refill() {
        let (throttle, start) = (Throttle::default(), Instant::now());
        assert_eq!(passed(&throttle, "ListFleets", 30.0, 100, start), 30);
        assert_eq!(passed(&throttle, "ListFleets", 30.0, 100, start + Duration::from_millis(500)), 15);
        assert_eq!(passed(&throttle, "ListFleets", 30.0, 100, start + Duration::from_secs(60)), 30);
    }

    #[test]
    fn operations_and_regions_do_not_share_a_bucket() {
        let (throttle, start) = (Throttle::default(), Instant::now());
        assert_eq!(passed(&throttle, "ListFleets", 30.0, 100, start), 30);
        assert_eq!(passed(&throttle, "ListAliases", 30.0, 100, start), 30);
        assert!(throttle.admit("us-east-1", Service::GameLift, "ListFleets", Rate::even(30.0), start));
    }

    #[test]
    fn a_backend_leaves_others_little_of_what_it_polls_and_nothing_less_elsewhere() {
        let start = Instant::now();
        let throttle = Throttle::shared_with_backend("eu-west-1", start);
        let passed_of_a_minute = |operation| -> usize {
            let throttle = Throttle::shared_with_backend("eu-west-1", start);
            let tenths = (0..600).map(|tenth| start + Duration::from_millis(100 * tenth));
            tenths.map(|now| passed(&throttle, operation, 20.0, 1, now)).sum()
        };
        let polled = passed_of_a_minute("DescribeGameSessions");
        assert!((150..300).contains(&polled), "{polled} of 600");
        assert_eq!(passed_of_a_minute("ListFleets"), 600);
        let wave = start + Duration::from_secs(62);
        assert!(passed(&throttle, "DescribeGameSessions", 20.0, 20, wave) <= 2);
        let elsewhere =
            throttle.admit("us-east-1", Service::GameLift, "DescribeGameSessions", Rate::even(20.0), wave);
        assert!(elsewhere);
    }

    #[test]
    fn the_account_as_a_whole_has_a_rate_too() {
        let (throttle, start) = (Throttle::default(), Instant::now());
        assert_eq!(passed(&throttle, "DescribePlayerSessions", 200.0, 300, start), 200);
        assert_eq!(passed(&throttle, "DescribeMatchmaking", 200.0, 300, start), 200);
        assert_eq!(passed(&throttle, "CreatePlayerSession", 200.0, 300, start), 100);
    }
}

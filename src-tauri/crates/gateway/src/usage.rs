//! Counts the requests to AWS: the figures behind the health display and the cost meter.
//!
//! Owns counters since the connection was opened. Deliberately keeps nothing across restarts: the store does.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use liftdeck_model::Region;
use parking_lot::Mutex;
use tokio::time::Instant;

/// The period over which the share of the published rate is measured.
const LOOK_BACK: Duration = Duration::from_secs(60);

/// What a connection has requested from AWS since it was opened.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Usage {
    /// One entry per Region and operation that was ever called, in that order.
    pub operations: Vec<OperationUsage>,
    /// Metrics requested from CloudWatch, counted as they are billed: up to five statistics of one metric count as
    /// one.
    pub cloudwatch_metrics_requested: u64,
}

impl Usage {
    /// The operation of a Region that uses the largest share of its published rate.
    pub fn busiest(&self, region: &Region) -> Option<&OperationUsage> {
        self.operations
            .iter()
            .filter(|usage| usage.region == *region && usage.published_share > 0.0)
            .max_by(|a, b| a.published_share.total_cmp(&b.published_share))
    }
}

/// The counts of one operation in one Region.
#[derive(Clone, Debug, PartialEq)]
pub struct OperationUsage {
    /// Region.
    pub region: Region,
    /// Operation.
    pub operation: &'static str,
    /// Whether it is one of GameLift's, whose limits the game shares.
    pub is_gamelift: bool,
    /// Requests sent, retries included.
    pub calls: u64,
    /// Of these, repeats of a failed attempt.
    pub retries: u64,
    /// Of these, answered with "slow down".
    pub throttles: u64,
    /// Calls that failed for good.
    pub errors: u64,
    /// Rate the budget allows now, per second; `None` where AWS publishes no rate.
    pub allowed_per_second: Option<f64>,
    /// Rate AWS allows, per second; `None` where AWS publishes no rate.
    pub published_per_second: Option<f64>,
    /// Requests of the last minute as a share of the published rate, 0 to 1.
    pub published_share: f64,
}

/// Counts the calls of one Region.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    operations: Mutex<BTreeMap<&'static str, Count>>,
    metrics_requested: AtomicU64,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Count {
    pub(crate) calls: u64,
    pub(crate) retries: u64,
    pub(crate) throttles: u64,
    pub(crate) errors: u64,
    /// Requests of the last minute, grouped by second.
    recent: VecDeque<(Instant, u32)>,
}

impl Count {
    fn note_call(&mut self, now: Instant) {
        self.calls += 1;
        self.forget(now);
        match self.recent.back_mut() {
            Some((begun, count)) if now.duration_since(*begun) < Duration::from_secs(1) => *count += 1,
            _ => self.recent.push_back((now, 1)),
        }
    }

    fn forget(&mut self, now: Instant) {
        while self.recent.front().is_some_and(|(begun, _)| now.duration_since(*begun) >= LOOK_BACK) {
            self.recent.pop_front();
        }
    }

    /// Requests per second, averaged over the last minute.
    pub(crate) fn per_second(&self, now: Instant) -> f64 {
        let recent = self.recent.iter().filter(|(begun, _)| now.duration_since(*begun) < LOOK_BACK);
        recent.map(|(_, count)| f64::from(*count)).sum::<f64>() / LOOK_BACK.as_secs_f64()
    }
}

impl Meter {
    /// Counts an attempt that is sent.
    pub(crate) fn attempt(&self, operation: &'static str, retry: bool) {
        let now = Instant::now();
        self.with(operation, |count| {
            count.note_call(now);
            count.retries += u64::from(retry);
        });
    }

    /// Counts an attempt that was throttled.
    pub(crate) fn throttle(&self, operation: &'static str) {
        self.with(operation, |count| count.throttles += 1);
    }

    /// Counts a call that failed for good.
    pub(crate) fn error(&self, operation: &'static str) {
        self.with(operation, |count| count.errors += 1);
    }

    /// Counts metrics requested from CloudWatch.
    pub(crate) fn metrics(&self, count: u64) {
        self.metrics_requested.fetch_add(count, Ordering::Relaxed);
    }

    /// Takes back the count of a request that CloudWatch refused.
    pub(crate) fn metrics_refused(&self, count: u64) {
        self.metrics_requested.fetch_sub(count, Ordering::Relaxed);
    }

    pub(crate) fn metrics_requested(&self) -> u64 {
        self.metrics_requested.load(Ordering::Relaxed)
    }

    /// A copy of the counters by operation.
    pub(crate) fn counts(&self) -> BTreeMap<&'static str, Count> {
        self.operations.lock().clone()
    }

    fn with(&self, operation: &'static str, change: impl FnOnce(&mut Count)) {
        // This lock is not poisoned by a panicking thread, so the counters stay usable.
        let mut operations = self.operations.lock();
        change(operations.entry(operation).or_default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_rate_looks_back_one_minute() {
        let meter = Meter::default();
        for _ in 0..120 {
            meter.attempt("ListAliases", false);
        }
        let rate = |meter: &Meter| meter.counts()["ListAliases"].per_second(Instant::now());
        assert!((rate(&meter) - 2.0).abs() < 1e-9);
        tokio::time::advance(Duration::from_secs(61)).await;
        assert!(rate(&meter).abs() < 1e-9);
        assert_eq!(meter.counts()["ListAliases"].calls, 120);
    }
}

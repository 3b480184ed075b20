//! What a collection did: rows, calls, failures, time.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use liftdeck_gateway::Usage;
use liftdeck_model::Region;
use liftdeck_model::observation::PollKind;
use liftdeck_model::watch::Down;
use liftdeck_store::Written;
use serde::Serialize;

use crate::health::{FeedHealth, Health};
use crate::verdict::sentence;

/// Calls of one operation over all Regions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Calls {
    /// Requests sent, retries included.
    pub calls: u64,
    /// Of these, repeats of a failed attempt.
    pub retries: u64,
    /// Of these, throttled.
    pub throttles: u64,
    /// Calls that failed for good.
    pub errors: u64,
}

/// One kind of thing that could not be read completely.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// Region.
    pub region: Region,
    /// Kind.
    pub kind: PollKind,
    /// How many resources of the kind are affected.
    pub resources: u64,
    /// The first failure, in words with code and request id.
    pub message: String,
    /// What to do about it.
    pub remedy: Option<String>,
    /// Whether the database or Liftdeck itself failed, not a call to AWS.
    #[serde(skip)]
    pub is_own: bool,
}

/// States it in a sentence, and what to do about it.
impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&sentence(&self.message, self.remedy.as_deref()))
    }
}

/// What a complete pass did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Rows written by kind; kinds without any are absent.
    pub rows: BTreeMap<String, u64>,
    /// Calls by operation, in this pass only.
    pub calls: BTreeMap<String, Calls>,
    /// Throttled calls in all.
    pub throttles: u64,
    /// Calls that failed for good, in all.
    pub errors: u64,
    /// CloudWatch metrics requested.
    pub cloudwatch_metrics: u64,
    /// How draining each event queue went.
    pub feeds: Vec<FeedHealth>,
    /// What could not be read, by Region and kind; empty when the pass is complete.
    pub failures: Vec<Failure>,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
}

impl Summary {
    /// Whether everything asked for was read.
    pub fn is_complete(&self) -> bool {
        self.failures.is_empty()
    }

    pub(crate) fn add_rows(&mut self, written: &Written) {
        for (kind, rows) in written {
            *self.rows.entry((*kind).to_owned()).or_default() += rows;
        }
    }

    /// Adds the calls made between two readings of the gateway's meter.
    pub(crate) fn add_calls(&mut self, before: &Usage, after: &Usage) {
        for usage in &after.operations {
            let earlier = before
                .operations
                .iter()
                .find(|earlier| earlier.operation == usage.operation && earlier.region == usage.region);
            let since = |now: u64, then: fn(&liftdeck_gateway::OperationUsage) -> u64| {
                now.saturating_sub(earlier.map_or(0, then))
            };
            let calls = self.calls.entry(usage.operation.to_owned()).or_default();
            calls.calls += since(usage.calls, |usage| usage.calls);
            calls.retries += since(usage.retries, |usage| usage.retries);
            let throttles = since(usage.throttles, |usage| usage.throttles);
            let errors = since(usage.errors, |usage| usage.errors);
            calls.throttles += throttles;
            calls.errors += errors;
            self.throttles += throttles;
            self.errors += errors;
        }
        self.calls.retain(|_, calls| calls.calls > 0 || calls.errors > 0);
        self.cloudwatch_metrics +=
            after.cloudwatch_metrics_requested.saturating_sub(before.cloudwatch_metrics_requested);
    }

    pub(crate) fn set_took(&mut self, took: Duration) {
        self.took_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    }
}

/// What a continuous collection asked of AWS, and its state at the end.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Collected {
    /// The state.
    pub state: &'static str,
    /// The store's revision.
    pub revision: u64,
    /// Calls by operation.
    pub calls: BTreeMap<String, Calls>,
    /// Throttled calls in all.
    pub throttles: u64,
    /// Calls that failed for good, in all.
    pub errors: u64,
    /// CloudWatch metrics requested.
    pub cloudwatch_metrics: u64,
    /// Tasks that were not running at the end.
    pub down: Vec<Down>,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
    /// Each event queue.
    pub feeds: Vec<FeedHealth>,
}

impl Collected {
    /// What was asked according to the gateway's meter, and the health at the end.
    pub fn of(health: &Health, usage: &Usage, took: Duration) -> Self {
        let mut summary = Summary::default();
        summary.add_calls(&Usage::default(), usage);
        summary.set_took(took);
        Self {
            state: health.state.into(),
            revision: health.revision,
            calls: summary.calls,
            throttles: summary.throttles,
            errors: summary.errors,
            cloudwatch_metrics: summary.cloudwatch_metrics,
            down: health.down.clone(),
            took_ms: summary.took_ms,
            feeds: health.feeds.clone(),
        }
    }
}

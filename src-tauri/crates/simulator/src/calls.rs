//! Counts of how often each operation was called, throttled and refused, by region, for tests to compare with a
//! client's own counts.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

/// The counts of one operation in one region.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct CallCount {
    /// All requests that reached the operation.
    pub calls: u64,
    /// Requests answered with a throttling error, because of a rate or the fault plan.
    pub throttled: u64,
    /// Requests answered with any other error.
    pub errors: u64,
    /// Requests hit by a fault of the plan.
    pub faults: u64,
}

/// Counts by region and IAM action, for example `eu-west-1` and `gamelift:ListFleets`.
pub type CallCounts = BTreeMap<String, BTreeMap<String, CallCount>>;

/// The recorded counts.
#[derive(Debug, Default)]
pub(crate) struct Calls(Mutex<CallCounts>);

impl Calls {
    /// Changes the count of one action.
    pub(crate) fn note(&self, region: &str, action: &str, change: impl FnOnce(&mut CallCount)) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(region).and_then(|actions| actions.get_mut(action)) {
            change(count);
        } else {
            change(counts.entry(region.to_owned()).or_default().entry(action.to_owned()).or_default());
        }
    }

    /// All counts so far.
    pub(crate) fn counts(&self) -> CallCounts {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

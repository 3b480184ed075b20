//! Decides which CloudWatch series to keep, which time window of them to request next, and what that costs.
//!
//! Pure. Deliberately sends no requests: `poll::metrics` does.

pub(crate) mod book;
pub(crate) mod demand;
pub(crate) mod plan;
pub mod price;
pub(crate) mod selection;

/// Limits on the use of CloudWatch.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricsPolicy {
    /// Whether CloudWatch is used at all.
    pub enabled: bool,
    /// Maximum cost of metric requests per UTC day, in US dollars; nothing is requested beyond it.
    pub daily_cap_usd: f64,
    /// Days of history to read when a series is first seen: the first 15 at one minute, up to 63 at five minutes and
    /// up to 455 at one hour (AWS: CloudWatch retention).
    pub backfill_days: u16,
}

impl Default for MetricsPolicy {
    fn default() -> Self {
        Self { enabled: true, daily_cap_usd: 1.0, backfill_days: 15 }
    }
}

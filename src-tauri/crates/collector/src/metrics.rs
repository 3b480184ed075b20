//! Which CloudWatch series to keep, which window of them to ask next and what that costs.
//!
//! Pure. Deliberately does not ask: `poll::metrics` does.

pub(crate) mod book;
pub(crate) mod plan;
pub mod price;
pub(crate) mod selection;

/// What may be asked of CloudWatch.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricsPolicy {
    /// Whether CloudWatch is asked at all.
    pub enabled: bool,
    /// At most so many US dollars of metric requests a UTC day; nothing is asked beyond.
    pub daily_cap_usd: f64,
    /// How many days of history a series gets when it is first seen: at most 15 at one minute, 63 at five
    /// minutes, 455 at one hour (AWS: CloudWatch retention), each tier continuing the one before.
    pub backfill_days: u16,
}

impl Default for MetricsPolicy {
    fn default() -> Self {
        Self { enabled: true, daily_cap_usd: 1.0, backfill_days: 15 }
    }
}

//! The price meter: what was requested from CloudWatch today, what it costs and how much more may be requested.
//!
//! AWS bills GetMetricData by metric requested (floors §1). Up to five statistics of one metric in one request count
//! once, which the gateway's count already allows for. Deliberately persists nothing: the store does.

use liftdeck_model::Timestamp;
use liftdeck_model::time::DAY_MS;

/// US dollars for each metric requested: $0.01 per 1 000.
pub const USD_PER_METRIC: f64 = 0.000_01;

/// What was requested on one UTC day.
#[derive(Clone, Debug, PartialEq)]
pub struct Meter {
    cap_usd: f64,
    day: Timestamp,
    requested: u64,
}

impl Meter {
    /// A meter that already counted `requested` metrics on the UTC day of `now`.
    pub fn new(cap_usd: f64, requested: u64, now: Timestamp) -> Self {
        Self { cap_usd, day: day_of(now), requested }
    }

    /// Counts metrics requested at `now`; a new UTC day starts from zero.
    pub fn count(&mut self, metrics: u64, now: Timestamp) {
        self.turn_over(now);
        self.requested = self.requested.saturating_add(metrics);
    }

    /// Replaces the count `expected` before a request with what was billed for it.
    pub fn settle(&mut self, expected: u64, billed: u64, now: Timestamp) {
        self.turn_over(now);
        self.requested = self.requested.saturating_sub(expected).saturating_add(billed);
    }

    /// How many metrics may still be requested today.
    pub fn left(&mut self, now: Timestamp) -> u64 {
        self.turn_over(now);
        cap_metrics(self.cap_usd).saturating_sub(self.requested)
    }

    /// Metrics requested on the day of `now`.
    pub fn requested(&mut self, now: Timestamp) -> u64 {
        self.turn_over(now);
        self.requested
    }

    /// Their price in US dollars.
    pub fn cost_usd(&mut self, now: Timestamp) -> f64 {
        self.requested(now) as f64 * USD_PER_METRIC
    }

    /// The cap in US dollars.
    pub const fn cap_usd(&self) -> f64 {
        self.cap_usd
    }

    /// The shortest interval at which this many `series` can be requested all day within the cap, but at least
    /// `wanted_ms`. An eighth of the cap is reserved for what is on screen and for initial reads of history.
    pub fn sustainable_ms(&self, series: usize, wanted_ms: i64) -> i64 {
        let asked_a_day = cap_metrics(self.cap_usd) as f64 * 0.875;
        if asked_a_day < 1.0 {
            return DAY_MS;
        }
        let interval_ms = (DAY_MS as f64 * series as f64 / asked_a_day).ceil();
        wanted_ms.max((interval_ms as i64).min(DAY_MS))
    }

    fn turn_over(&mut self, now: Timestamp) {
        let day = day_of(now);
        // A clock set back must not grant the day's cap a second time.
        if day > self.day {
            self.day = day;
            self.requested = 0;
        }
    }
}

/// The start of the UTC day a moment falls on.
pub(crate) const fn day_of(moment: Timestamp) -> Timestamp {
    moment.floor_to_ms(DAY_MS)
}

fn cap_metrics(cap_usd: f64) -> u64 {
    // Rounded because 0.29 / 0.00001 is a hair below a whole number; saturates on nonsense.
    (cap_usd.max(0.0) / USD_PER_METRIC).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: Timestamp = Timestamp::from_ms(1_772_625_600_000);

    #[test]
    fn a_thousand_metrics_cost_a_cent() {
        let mut meter = Meter::new(1.0, 0, NOON);
        meter.count(1_000, NOON);
        assert!((meter.cost_usd(NOON) - 0.01).abs() < 1e-12);
        assert_eq!(meter.left(NOON), 99_000);
    }

    #[test]
    fn a_request_is_counted_before_it_is_sent_and_settled_after() {
        let mut meter = Meter::new(0.01, 0, NOON);
        meter.count(500, NOON);
        assert_eq!(meter.left(NOON), 500);
        meter.settle(500, 0, NOON);
        assert_eq!(meter.left(NOON), 1_000, "a refused request costs nothing");
    }

    #[test]
    fn the_cap_holds_across_a_restart_and_ends_with_the_utc_day() {
        let mut meter = Meter::new(0.29, 29_000, NOON);
        assert_eq!(meter.left(NOON), 0);
        assert_eq!(meter.left(NOON.plus_ms(DAY_MS / 2)), 29_000, "midnight begins a new day");
        meter.count(10, NOON.plus_ms(DAY_MS / 2));
        assert_eq!(meter.left(NOON), 28_990, "a clock set back gives no new cap");
    }

    #[test]
    fn polling_stretches_until_a_day_fits_the_cap() {
        let meter = Meter::new(1.0, 0, NOON);
        assert_eq!(meter.sustainable_ms(10, 300_000), 300_000);
        let stretched = meter.sustainable_ms(4_000, 300_000);
        let asked_a_day = 4_000 * DAY_MS / stretched;
        assert!(stretched > 300_000 && (87_000..=87_500).contains(&asked_a_day), "{asked_a_day}");
        assert_eq!(Meter::new(0.0, 0, NOON).sustainable_ms(10, 300_000), DAY_MS);
    }

    #[test]
    fn no_cap_below_nought_and_no_overflow_above() {
        assert_eq!(Meter::new(-1.0, 0, NOON).left(NOON), 0);
        assert_eq!(Meter::new(f64::NAN, 0, NOON).left(NOON), 0);
        assert_eq!(Meter::new(f64::INFINITY, 5, NOON).left(NOON), u64::MAX - 5);
    }
}

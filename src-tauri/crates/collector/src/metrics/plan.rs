//! Computes which windows of a series are missing and how they are combined into requests.
//!
//! AWS charges per metric requested, whatever the window, and limits responses by data points. So recent windows are
//! short and shared by many series (charts fill at once), while older ones are long with few series per request.

use liftdeck_model::Timestamp;
use liftdeck_model::time::{DAY_MS, HOUR_MS, MINUTE_MS, TimeRange};

/// AWS: maximum number of metrics in a GetMetricData request.
pub(crate) const QUERIES_A_REQUEST: usize = 500;
/// AWS: maximum number of data points in a response before it is paged.
const POINTS_A_REQUEST: i64 = 100_800;
/// CloudWatch completes the latest minutes late, so this much is always requested again.
pub(crate) const OVERLAP_MS: i64 = 180_000;

/// How many days CloudWatch keeps a resolution, and that resolution in seconds (AWS).
const TIERS: [(u16, i32); 3] = [(15, 60), (63, 300), (455, 3_600)];
/// Windows stop this far short of their tier's limit, so that they do not fall out of the tier while waiting.
const SLACK_MS: i64 = HOUR_MS;

/// The greatest age requested from a tier that is kept for `days`, in milliseconds.
const fn reach_ms(days: u16) -> i64 {
    days as i64 * DAY_MS - SLACK_MS
}

/// A time window to request with one period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Window {
    /// First moment inside.
    pub(crate) from: Timestamp,
    /// First moment after.
    pub(crate) to: Timestamp,
    /// Seconds per sample.
    pub(crate) period_s: i32,
}

impl Window {
    /// Number of samples of one series in the window.
    pub(crate) const fn points(self) -> i64 {
        self.to.since_ms(self.from) / (self.period_s as i64 * 1_000) + 1
    }

    /// How many series to request together for this window, so that the response fits one page.
    pub(crate) fn series_a_request(self) -> usize {
        usize::try_from(POINTS_A_REQUEST / self.points().max(1)).unwrap_or(1).clamp(1, QUERIES_A_REQUEST)
    }

    /// The window as a range.
    pub(crate) fn range(self) -> TimeRange {
        TimeRange::new(self.from, self.to)
    }
}

/// Returns the window from `known_until` to now, in whole minutes. It starts earlier by the overlap, but no earlier
/// than one-minute samples are kept. `None` if it contains no whole minute.
pub(crate) fn recent(known_until: Timestamp, now: Timestamp) -> Option<Window> {
    let oldest = now.plus_ms(-reach_ms(TIERS[0].0));
    let from = known_until.plus_ms(-OVERLAP_MS).max(oldest).floor_to_ms(MINUTE_MS);
    let to = now.floor_to_ms(MINUTE_MS);
    (from < to).then_some(Window { from, to, period_s: 60 })
}

/// Returns the windows from `days` before `now` up to `until`, newest first, each with the finest period CloudWatch
/// still has. The newest is 3 h (500 series in one response), then the rest of the day, then the rest of each tier.
pub(crate) fn history(until: Timestamp, now: Timestamp, days: u16) -> Vec<Window> {
    let oldest = now.plus_ms(-i64::from(days) * DAY_MS);
    let mut windows = Vec::new();
    let mut to = until.floor_to_ms(MINUTE_MS);
    // A tier is needed only if `days` exceeds what the finer tier keeps.
    let finer = [0].into_iter().chain(TIERS.map(|(days, _)| days));
    let tiers = finer.zip(TIERS).filter(|(finer, _)| days > *finer).map(|(_, (kept, s))| (reach_ms(kept), s));
    let edges = [3 * HOUR_MS, DAY_MS].into_iter().map(|age_ms| (age_ms, 60)).chain(tiers);
    for (age_ms, period_s) in edges {
        let period_ms = i64::from(period_s) * 1_000;
        let edge = now.plus_ms(-age_ms).max(oldest);
        // Rounded inwards, because CloudWatch would round a start outside its tier for the whole request.
        let from = edge.plus_ms(period_ms - 1).floor_to_ms(period_ms);
        if from < to {
            windows.push(Window { from, to, period_s });
            to = from;
        }
    }
    windows
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NOW: Timestamp = Timestamp::from_ms(1_772_619_330_123);

    #[test]
    fn history_comes_newest_first_and_without_a_gap() {
        let windows = history(NOW, NOW, 455);
        assert_eq!(windows.iter().map(|w| w.period_s).collect::<Vec<_>>(), [60, 60, 60, 300, 3_600]);
        assert_eq!(windows[0].to, NOW.floor_to_ms(MINUTE_MS));
        assert!(windows.windows(2).all(|pair| pair[0].from == pair[1].to));
        assert_eq!(windows[0].series_a_request(), 500);
        assert_eq!(windows[2].series_a_request(), 5, "14 days at a minute are 20 000 samples a series");
    }

    #[test]
    fn fewer_days_ask_for_less_and_none_for_nothing() {
        let windows = history(NOW, NOW, 1);
        assert_eq!(windows.len(), 2);
        assert!(NOW.since_ms(windows[1].from) <= DAY_MS);
        assert_eq!(history(NOW, NOW, 0), []);
    }

    #[test]
    fn only_the_missing_part_is_asked_with_an_overlap() {
        let window = recent(NOW.plus_ms(-300_000), NOW).unwrap();
        assert_eq!(window.to, NOW.floor_to_ms(MINUTE_MS));
        assert_eq!(window.from, NOW.plus_ms(-480_000).floor_to_ms(MINUTE_MS));
        assert_eq!(recent(NOW.plus_ms(OVERLAP_MS + MINUTE_MS), NOW), None);
    }

    proptest! {
        #[test]
        fn every_window_fits_an_answer_and_its_tier(days in 0..500u16, later_ms in 0..2 * DAY_MS) {
            for window in history(NOW, NOW, days) {
                let queries = window.series_a_request();
                prop_assert!(window.points() * queries as i64 <= POINTS_A_REQUEST || queries == 1);
                prop_assert!(window.from < window.to);
                prop_assert_eq!(window.from.as_ms() % (i64::from(window.period_s) * 1_000), 0);
                prop_assert!(NOW.since_ms(window.from) <= i64::from(days) * DAY_MS);
            }
            if let Some(window) = recent(NOW, NOW.plus_ms(later_ms)) {
                prop_assert!(window.from < window.to);
            }
        }
    }
}

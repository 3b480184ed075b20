//! Which windows of a series are missing and how they are put together into requests.
//!
//! Cost is by metric requested, whatever the window; answers are limited by data points. So recent windows are
//! short and shared by many series (charts fill at once), older ones long with few series a request.

use liftdeck_model::Timestamp;
use liftdeck_model::time::TimeRange;

/// AWS: at most so many metrics a GetMetricData request.
pub(crate) const QUERIES_A_REQUEST: usize = 500;
/// AWS: at most so many data points in an answer before it is paged.
const POINTS_A_REQUEST: i64 = 100_800;
/// CloudWatch completes the latest minutes late; they are asked again so often.
pub(crate) const OVERLAP_MS: i64 = 180_000;

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 86_400_000;

/// How many days CloudWatch keeps a resolution, and that resolution in seconds (AWS).
const TIERS: [(u16, i32); 3] = [(15, 60), (63, 300), (455, 3_600)];
/// Windows end so much before their tier does, so that they do not fall off while they wait their turn.
const SLACK_MS: i64 = HOUR_MS;

/// The greatest age of a sample in a tier that is kept for `days`, in milliseconds.
const fn reach_ms(days: u16) -> i64 {
    days as i64 * DAY_MS - SLACK_MS
}

/// A window to ask with one period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Window {
    /// First moment asked.
    pub(crate) from: Timestamp,
    /// First moment not asked.
    pub(crate) to: Timestamp,
    /// Seconds a sample.
    pub(crate) period_s: i32,
}

impl Window {
    /// Samples of one series in it.
    pub(crate) const fn points(self) -> i64 {
        self.to.since_ms(self.from) / (self.period_s as i64 * 1_000) + 1
    }

    /// How many series are asked for it in one request, so that the answer fits one page.
    pub(crate) fn series_a_request(self) -> usize {
        usize::try_from(POINTS_A_REQUEST / self.points().max(1)).unwrap_or(1).clamp(1, QUERIES_A_REQUEST)
    }

    /// The window as a range.
    pub(crate) fn range(self) -> TimeRange {
        TimeRange::new(self.from, self.to)
    }
}

/// The window from what is known to now: with the overlap, whole minutes, and never older than one-minute samples
/// are kept. `None` when there is no whole minute in it.
pub(crate) fn recent(known_until: Timestamp, now: Timestamp) -> Option<Window> {
    let oldest = now.plus_ms(-reach_ms(TIERS[0].0));
    let from = known_until.plus_ms(-OVERLAP_MS).max(oldest).floor_to_ms(MINUTE_MS);
    let to = now.floor_to_ms(MINUTE_MS);
    (from < to).then_some(Window { from, to, period_s: 60 })
}

/// The windows that cover `days` before `until`, newest first, each with the finest period CloudWatch still has.
/// The newest is 3 h (500 series in one answer), then the rest of the day, then the rest of each tier.
pub(crate) fn history(until: Timestamp, now: Timestamp, days: u16) -> Vec<Window> {
    let oldest = now.plus_ms(-i64::from(days) * DAY_MS);
    let mut windows = Vec::new();
    let mut to = until.floor_to_ms(MINUTE_MS);
    // A tier is only needed by who wants more days than the one before it has.
    let finer = [0].into_iter().chain(TIERS.map(|(days, _)| days));
    let tiers = finer.zip(TIERS).filter(|(finer, _)| days > *finer).map(|(_, (kept, s))| (reach_ms(kept), s));
    let edges = [3 * HOUR_MS, DAY_MS].into_iter().map(|age_ms| (age_ms, 60)).chain(tiers);
    for (age_ms, period_s) in edges {
        let period_ms = i64::from(period_s) * 1_000;
        let edge = now.plus_ms(-age_ms).max(oldest);
        // Rounded inwards: outside its tier CloudWatch would round the start for the whole request.
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

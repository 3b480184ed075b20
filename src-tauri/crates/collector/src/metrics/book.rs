//! Tracks what has been read of each series and chooses the next request. Pure: `poll::metrics` sends requests and
//! writes.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use liftdeck_model::Timestamp;
use liftdeck_model::metric::MetricSeries;
use liftdeck_model::time::{DAY_MS, TimeRange};

use super::plan::{self, QUERIES_A_REQUEST, Window};

/// Longer gaps are filled like history: newest first and few series per request.
const LONGEST_RECENT_MS: i64 = DAY_MS;

/// Series to request together, with one window.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Request {
    /// The window.
    pub(crate) window: Window,
    /// The series.
    pub(crate) series: Vec<MetricSeries>,
}

/// How often the newest samples of a series are requested, and which series are on screen.
#[derive(Clone, Debug)]
pub(crate) struct Pace {
    /// Fleets on screen; `None` when no CloudWatch charts are shown.
    pub(crate) on_screen: Option<BTreeSet<String>>,
    /// Interval for series on screen, in milliseconds.
    pub(crate) on_screen_ms: i64,
    /// Interval for all other series, in milliseconds.
    pub(crate) otherwise_ms: i64,
}

#[derive(Clone, Debug)]
struct State {
    /// Samples before this moment have been requested.
    asked_until: Timestamp,
    asked_at: Option<Timestamp>,
    history: VecDeque<Window>,
}

impl State {
    /// Returns the moment up to which samples were requested. If it lies in the future, the clock was set ahead and
    /// there was nothing to read yet, so the last day is requested again.
    fn known_until(&self, now: Timestamp) -> Timestamp {
        if self.asked_until.since_ms(now) > plan::OVERLAP_MS {
            now.plus_ms(-LONGEST_RECENT_MS)
        } else {
            self.asked_until
        }
    }
}

/// The series of a Region.
#[derive(Clone, Debug, Default)]
pub(crate) struct MetricsBook {
    series: BTreeMap<MetricSeries, State>,
    discovered_at: Option<Timestamp>,
    windows: u64,
    windows_done: u64,
}

impl MetricsBook {
    /// When series were last discovered.
    pub(crate) const fn discovered_at(&self) -> Option<Timestamp> {
        self.discovered_at
    }

    /// Whether a series is known.
    pub(crate) fn knows(&self, series: &MetricSeries) -> bool {
        self.series.contains_key(series)
    }

    /// How many series there are.
    pub(crate) fn len(&self) -> usize {
        self.series.len()
    }

    /// Notes that discovery ended at `now`. Series no longer published are forgotten; their samples stay in the
    /// store.
    pub(crate) fn discovered(&mut self, listed: &BTreeSet<MetricSeries>, now: Timestamp) {
        self.discovered_at = Some(now);
        self.keep_only(listed);
    }

    /// Forgets all other series.
    pub(crate) fn keep_only(&mut self, listed: &BTreeSet<MetricSeries>) {
        let mut dropped = 0;
        self.series.retain(|series, state| {
            let keep = listed.contains(series);
            dropped += if keep { 0 } else { state.history.len() as u64 };
            keep
        });
        self.windows_done += dropped;
    }

    /// Adds a series with the range the store has of it. New samples are requested from the end of that range on.
    /// `complete` says whether the history of all series has been read once; until then, history continues backwards
    /// from the start of that range.
    pub(crate) fn add(
        &mut self,
        series: MetricSeries,
        coverage: Option<TimeRange>,
        complete: bool,
        days: u16,
        now: Timestamp,
    ) {
        let known_until = coverage.map(|range| range.to.min(now));
        let mut history = Vec::new();
        let recent_from = match known_until {
            Some(until) if now.since_ms(until) <= LONGEST_RECENT_MS => until,
            Some(until) => {
                let missing_days = now.since_ms(until) / DAY_MS + 1;
                history = plan::history(now, now, u16::try_from(missing_days).unwrap_or(u16::MAX).min(days));
                now
            }
            None => now,
        };
        if !(complete && coverage.is_some()) {
            let until = coverage.map_or(now, |range| range.from.min(now));
            history.extend(plan::history(until, now, days));
        }
        self.windows += history.len() as u64;
        let state = State { asked_until: recent_from, asked_at: None, history: history.into() };
        self.series.insert(series, state);
    }

    /// The next request for newest samples, of at most `most` series; `None` when none is due.
    pub(crate) fn recent(&self, pace: &Pace, most: u64, now: Timestamp) -> Option<Request> {
        let mut due: Vec<(&MetricSeries, &State)> = self
            .series
            .iter()
            .filter(|(series, state)| {
                let interval_ms =
                    if pace.is_on_screen(series) { pace.on_screen_ms } else { pace.otherwise_ms };
                state.asked_at.is_none_or(|at| now < at || now.since_ms(at) >= interval_ms)
            })
            .filter(|(_, state)| plan::recent(state.known_until(now), now).is_some())
            .collect();
        // Sorts similar windows together, because a request uses the longest window of its series.
        due.sort_by_key(|(series, state)| (!pace.is_on_screen(series), Reverse(state.asked_until)));
        let most = usize::try_from(most).unwrap_or(usize::MAX).min(QUERIES_A_REQUEST);
        let mut request: Option<Request> = None;
        for (series, state) in due.into_iter().take(most) {
            let Some(window) = plan::recent(state.known_until(now), now) else { continue };
            match &mut request {
                None => request = Some(Request { window, series: vec![series.clone()] }),
                Some(request) => {
                    let wider = Window { from: request.window.from.min(window.from), ..window };
                    if request.series.len() >= wider.series_a_request() {
                        break;
                    }
                    request.window = wider;
                    request.series.push(series.clone());
                }
            }
        }
        request
    }

    /// The next request for history, newest windows first, of at most `most` series.
    pub(crate) fn history(&self, most: u64) -> Option<Request> {
        let window = *self.series.values().filter_map(|state| state.history.front()).max_by_key(|w| w.to)?;
        let most = usize::try_from(most).unwrap_or(usize::MAX).min(window.series_a_request());
        let series: Vec<MetricSeries> = self
            .series
            .iter()
            .filter(|(_, state)| state.history.front() == Some(&window))
            .map(|(series, _)| series.clone())
            .take(most)
            .collect();
        (!series.is_empty()).then_some(Request { window, series })
    }

    /// Notes that the newest samples of a request's series were read.
    pub(crate) fn recent_read(&mut self, request: &Request, now: Timestamp) {
        for series in &request.series {
            if let Some(state) = self.series.get_mut(series) {
                state.asked_until = state.known_until(now).max(request.window.to);
                state.asked_at = Some(now);
            }
        }
    }

    /// Notes that a window of history was read.
    pub(crate) fn history_read(&mut self, request: &Request) {
        for series in &request.series {
            if let Some(state) = self.series.get_mut(series)
                && state.history.front() == Some(&request.window)
            {
                state.history.pop_front();
                self.windows_done += 1;
            }
        }
    }

    /// Windows of history read, and their total number.
    pub(crate) const fn progress(&self) -> (u64, u64) {
        (self.windows_done, self.windows)
    }
}

impl Pace {
    fn is_on_screen(&self, series: &MetricSeries) -> bool {
        self.on_screen.as_ref().is_some_and(|fleets| match series.dimension("FleetId") {
            Some(fleet) => fleets.contains(fleet),
            // Series of queues and matchmaking belong to no fleet and are few.
            None => true,
        })
    }
}

#[cfg(test)]
mod tests {
    use liftdeck_model::Region;
    use liftdeck_model::metric::MetricSource;

    use super::*;

    const NOW: Timestamp = Timestamp::from_ms(1_772_619_330_000);
    const ALL: Pace = Pace { on_screen: None, on_screen_ms: 60_000, otherwise_ms: 300_000 };

    fn series(fleet: usize) -> MetricSeries {
        MetricSeries {
            region: Region::from("eu-west-1"),
            source: MetricSource::CloudWatch,
            name: "ActiveInstances".to_owned(),
            dimensions: vec![("FleetId".to_owned(), format!("fleet-{fleet:03}"))],
            statistic: "Average".to_owned(),
        }
    }

    fn book(count: usize, days: u16) -> MetricsBook {
        let mut book = MetricsBook::default();
        for n in 0..count {
            book.add(series(n), None, false, days, NOW);
        }
        book
    }

    #[test]
    fn a_clock_set_ahead_and_back_leaves_no_minute_unasked() {
        let mut book = book(1, 0);
        let ahead = NOW.plus_ms(3 * 365 * DAY_MS);
        for now in [NOW, ahead] {
            let request = book.recent(&ALL, u64::MAX, now);
            if let Some(request) = request {
                book.recent_read(&request, now);
            }
        }
        let back = NOW.plus_ms(600_000);
        let request = book.recent(&ALL, u64::MAX, back).expect("what passed meanwhile is missing");
        assert!(request.window.from <= NOW && request.window.to <= back, "{request:?}");
    }

    #[test]
    fn a_new_series_gets_its_history_newest_first_in_few_requests() {
        let mut book = book(40, 15);
        let mut requests = Vec::new();
        while let Some(request) = book.history(u64::MAX) {
            book.history_read(&request);
            requests.push(request);
        }
        assert_eq!(
            requests.len(),
            1 + 1 + 8,
            "3 h and the day in one request each, 14 days five series at a time"
        );
        assert!(requests.windows(2).all(|pair| pair[0].window.to >= pair[1].window.to));
        assert_eq!(book.progress(), (120, 120));
    }

    #[test]
    fn the_newest_samples_are_asked_again_only_after_the_interval() {
        let mut book = book(600, 0);
        let later = NOW.plus_ms(600_000);
        let first = book.recent(&ALL, u64::MAX, later).unwrap();
        assert_eq!(first.series.len(), 500);
        book.recent_read(&first, later);
        let second = book.recent(&ALL, u64::MAX, later).unwrap();
        assert_eq!(second.series.len(), 100);
        book.recent_read(&second, later);
        assert_eq!(book.recent(&ALL, u64::MAX, later.plus_ms(299_000)), None);
        let third = book.recent(&ALL, u64::MAX, later.plus_ms(300_000)).unwrap();
        assert!(third.window.range().length_ms() <= 300_000 + plan::OVERLAP_MS + 60_000);
    }

    #[test]
    fn what_is_on_screen_is_asked_sooner() {
        let mut book = book(10, 0);
        let pace = Pace { on_screen: Some(BTreeSet::from(["fleet-003".to_owned()])), ..ALL };
        let later = NOW.plus_ms(600_000);
        book.recent_read(&book.recent(&pace, u64::MAX, later).unwrap(), later);
        let request = book.recent(&pace, u64::MAX, later.plus_ms(60_000)).unwrap();
        assert_eq!(request.series, [series(3)]);
    }

    #[test]
    fn the_daily_cap_limits_each_request() {
        let book = book(10, 1);
        assert_eq!(book.history(4).unwrap().series.len(), 4);
        assert_eq!(book.history(0), None);
        assert_eq!(book.recent(&ALL, 0, NOW.plus_ms(600_000)), None);
    }

    #[test]
    fn after_a_restart_only_the_gap_is_asked() {
        let mut book = MetricsBook::default();
        let coverage = TimeRange::new(NOW.plus_ms(-10 * DAY_MS), NOW.plus_ms(-1_800_000));
        book.add(series(1), Some(coverage), true, 15, NOW);
        assert_eq!(book.history(u64::MAX), None);
        let request = book.recent(&ALL, u64::MAX, NOW).unwrap();
        assert_eq!(request.window.from, NOW.plus_ms(-1_800_000 - plan::OVERLAP_MS).floor_to_ms(60_000));
    }

    #[test]
    fn a_history_broken_off_goes_on_where_it_stopped() {
        let mut book = MetricsBook::default();
        let coverage = TimeRange::new(NOW.plus_ms(-DAY_MS), NOW);
        book.add(series(1), Some(coverage), false, 15, NOW);
        assert_eq!(book.history(u64::MAX).unwrap().window.to, coverage.from.floor_to_ms(60_000));
    }

    #[test]
    fn a_long_absence_is_filled_like_history() {
        let mut book = MetricsBook::default();
        let coverage = TimeRange::new(NOW.plus_ms(-30 * DAY_MS), NOW.plus_ms(-5 * DAY_MS));
        book.add(series(1), Some(coverage), true, 15, NOW);
        let newest = book.history(u64::MAX).unwrap();
        assert_eq!(newest.window.to, NOW.floor_to_ms(60_000));
        assert_eq!(book.progress(), (0, 3));
    }

    #[test]
    fn a_series_no_longer_published_takes_its_history_with_it() {
        let mut book = book(2, 15);
        book.discovered(&BTreeSet::from([series(0)]), NOW);
        assert_eq!((book.len(), book.progress()), (1, (3, 6)));
    }
}

//! The past of the figures by hour, read from the store and kept in memory for a while.
//!
//! Owns how far back to read and how long what was read is good for. Weeks of metrics take long to unpack, and a screen
//! asks again with every poll, so a [`Memory`] belongs to whoever asks for longer than one answer.

use std::sync::{Arc, Mutex, PoisonError};

use liftdeck_model::Timestamp;
use liftdeck_model::time::TimeRange;
use liftdeck_store::reader::placement::Funnel;
use liftdeck_store::reader::series::{SeriesName, SeriesRequest, SeriesScope};
use liftdeck_store::{Reader, StoreError};

use super::count::{Counted, Part, UsualCount, usual_count, usual_part};
use super::season::{LEAST_DAYS, MOST_WEEKS, past_days};
use super::{BLIND_MS, HOUR_MS, History};

const DAY_MS: i64 = 24 * HOUR_MS;
const WEEK_MS: i64 = 7 * DAY_MS;
/// How long what was read is good for. Past hours change only while CloudWatch's history is still being fetched.
const GOOD_FOR_MS: i64 = 10 * 60_000;
/// The same while too little is known: history is being fetched, and there is little to read.
const LEARNING_MS: i64 = 60_000;
/// How many answers are kept: a few screens, each with its scope and range.
const MOST_KEPT: usize = 16;

/// The whole days that what is usual in `range` is learnt from, and those of the range itself.
fn days_behind(range: TimeRange) -> TimeRange {
    let from = range.from.plus_ms(-(MOST_WEEKS * WEEK_MS + DAY_MS)).floor_to_ms(DAY_MS);
    TimeRange::new(from, range.to.floor_to_ms(DAY_MS).plus_ms(DAY_MS))
}

/// What was read of the past, kept for ten minutes, or for one while too little is known. Cheap to make and empty at first.
#[derive(Debug, Default)]
pub struct Memory {
    metrics: Kept<(SeriesScope, Vec<SeriesName>, TimeRange), Vec<History>>,
    placements: Kept<(Option<String>, TimeRange), PlacementHours>,
    waits: Kept<TimeRange, History>,
}

impl Memory {
    /// The past of `names`, for judging `range`. In the order of `names`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn metrics(
        &self,
        reader: &Reader,
        scope: &SeriesScope,
        names: &[SeriesName],
        range: TimeRange,
        now: Timestamp,
    ) -> Result<Arc<Vec<History>>, StoreError> {
        let days = days_behind(range);
        let key = (scope.clone(), names.to_vec(), days);
        if let Some(known) = self.metrics.get(&key, now) {
            return Ok(known);
        }
        let read = read_metrics(reader, scope, names, days).await?;
        let is_known = read.iter().any(|one| one.is_known_at(range.to));
        Ok(self.metrics.keep(key, now, read, is_known))
    }

    /// The past of the placements of one queue or all, for judging `range`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn placements(
        &self,
        reader: &Reader,
        queue: Option<&str>,
        range: TimeRange,
        now: Timestamp,
    ) -> Result<Arc<PlacementHours>, StoreError> {
        let days = days_behind(range);
        let key = (queue.map(str::to_owned), days);
        if let Some(known) = self.placements.get(&key, now) {
            return Ok(known);
        }
        let hours = reader.placement_rate(queue, days, HOUR_MS).await?;
        let hours = PlacementHours::new(days.from, &hours);
        let is_known = hours.per_minute().is_known_at(range.to);
        Ok(self.placements.keep(key, now, hours, is_known))
    }

    /// The past of the 95th percentile of waits for a match, in seconds, for judging `range`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn waits(
        &self,
        reader: &Reader,
        range: TimeRange,
        now: Timestamp,
    ) -> Result<Arc<History>, StoreError> {
        let key = days_behind(range);
        if let Some(known) = self.waits.get(&key, now) {
            return Ok(known);
        }
        let hours = reader.ticket_outcomes(None, key, HOUR_MS).await?;
        let seconds = hours.iter().map(|hour| hour.wait_p95_ms.map_or(f64::NAN, |ms| ms as f64 / 1_000.0));
        let past = History::new(key.from, seconds.collect());
        let is_known = past.is_known_at(range.to);
        Ok(self.waits.keep(key, now, past, is_known))
    }
}

async fn read_metrics(
    reader: &Reader,
    scope: &SeriesScope,
    names: &[SeriesName],
    days: TimeRange,
) -> Result<Vec<History>, StoreError> {
    let mut columns: Vec<Vec<f64>> = vec![Vec::new(); names.len()];
    let mut from = days.from;
    // A week at a time, because the samples of all weeks together may not fit into memory.
    while from < days.to {
        let to = from.plus_ms(WEEK_MS).min(days.to);
        let hours = (to.since_ms(from) / HOUR_MS).unsigned_abs();
        let request = SeriesRequest {
            scope: scope.clone(),
            names: names.to_vec(),
            range: TimeRange::new(from, to),
            // As many as there are hours in whole days, so a bucket is an hour.
            max_points: u32::try_from(hours).unwrap_or(u32::MAX),
        };
        let table = reader.series(&request).await?;
        for (known, column) in columns.iter_mut().zip(table.columns) {
            known.extend(column);
        }
        from = to;
    }
    Ok(columns.into_iter().map(|values| History::new(days.from, values)).collect())
}

/// The outcomes of placements in each past hour.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacementHours {
    first: i64,
    hours: Vec<Option<Funnel>>,
}

impl PlacementHours {
    /// Outcomes of consecutive hours from the start of a day. A day without any placement counts as a gap: more
    /// likely nobody received its events than that nobody played.
    fn new(from: Timestamp, hours: &[Funnel]) -> Self {
        let days = hours.chunks(24).flat_map(|day| {
            let heard = day.iter().any(|hour| hour.total() > 0);
            day.iter().map(move |hour| heard.then_some(*hour))
        });
        Self { first: from.as_ms().div_euclid(HOUR_MS), hours: days.collect() }
    }

    /// Placements ended per minute.
    #[must_use]
    pub fn per_minute(&self) -> History {
        let rate = |hour: &Option<Funnel>| hour.map_or(f64::NAN, |funnel| funnel.total() as f64 / 60.0);
        let from = Timestamp::from_ms(self.first * HOUR_MS);
        History::new(from, self.hours.iter().map(rate).collect())
    }

    /// How many of `all` placements around `at` usually fail or time out; `None` while too few days are known.
    #[must_use]
    pub fn usual_failed(&self, at: Timestamp, all: u64) -> Option<UsualCount> {
        let part = |funnels: [Funnel; 3]| {
            let sum = total(funnels);
            Part { some: sum.failed + sum.timed_out, all: sum.total() }
        };
        let past: Vec<Part> = self.days(at).map(part).collect();
        usual_part(&past, all, LEAST_DAYS)
    }

    /// How many placements usually fail or time out in `minutes` around `at`; `None` while too few days are known.
    #[must_use]
    pub fn usual_failures(&self, at: Timestamp, minutes: f64) -> Option<UsualCount> {
        let counted = |funnels: [Funnel; 3]| {
            let sum = total(funnels);
            Counted { events: sum.failed + sum.timed_out, length: 180.0 }
        };
        let past: Vec<Counted> = self.days(at).map(counted).collect();
        usual_count(&past, minutes, LEAST_DAYS)
    }

    /// The hour of `at` with the hours before and after it, on past days of the same kind.
    fn days(&self, at: Timestamp) -> impl Iterator<Item = [Funnel; 3]> {
        let known_to = at.plus_ms(-BLIND_MS).as_ms().div_euclid(HOUR_MS);
        let hour = at.as_ms().div_euclid(HOUR_MS);
        let known = |hour: i64| {
            let index = usize::try_from(hour - self.first).ok()?;
            self.hours.get(index).copied().flatten()
        };
        past_days(hour)
            .filter(move |hour| *hour + 1 < known_to)
            .filter_map(move |hour| Some([known(hour - 1)?, known(hour)?, known(hour + 1)?]))
    }
}

fn total(funnels: [Funnel; 3]) -> Funnel {
    let mut sum = Funnel::default();
    funnels.into_iter().for_each(|funnel| sum.add_all(funnel));
    sum
}

/// Answers, the newest last.
#[derive(Debug)]
struct Kept<K, V>(Mutex<Vec<One<K, V>>>);

#[derive(Debug)]
struct One<K, V> {
    key: K,
    read_at: Timestamp,
    good_for_ms: i64,
    value: Arc<V>,
}

impl<K, V> One<K, V> {
    /// A clock that was set back makes nothing good for longer.
    const fn is_good(&self, now: Timestamp) -> bool {
        now.since_ms(self.read_at).unsigned_abs() < self.good_for_ms.unsigned_abs()
    }
}

impl<K, V> Default for Kept<K, V> {
    fn default() -> Self {
        Self(Mutex::new(Vec::new()))
    }
}

impl<K: PartialEq, V> Kept<K, V> {
    fn get(&self, key: &K, now: Timestamp) -> Option<Arc<V>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|one| one.key == *key && one.is_good(now)).map(|one| Arc::clone(&one.value))
    }

    fn keep(&self, key: K, now: Timestamp, value: V, is_known: bool) -> Arc<V> {
        let value = Arc::new(value);
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|one| one.key != key && one.is_good(now));
        if kept.len() >= MOST_KEPT {
            kept.remove(0);
        }
        let good_for_ms = if is_known { GOOD_FOR_MS } else { LEARNING_MS };
        kept.push(One { key, read_at: now, good_for_ms, value: Arc::clone(&value) });
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn funnel(fulfilled: u64, failed: u64) -> Funnel {
        Funnel { fulfilled, failed, ..Funnel::default() }
    }

    /// 2026-03-02T00:00:00Z, a Monday.
    const MONDAY: Timestamp = Timestamp::from_ms(1_772_409_600_000);

    #[test]
    fn a_day_without_placements_is_a_gap_and_a_quiet_hour_is_not() {
        let mut hours = vec![funnel(60, 0); 24];
        hours[3] = Funnel::default();
        hours.extend(vec![Funnel::default(); 24]);
        let past = PlacementHours::new(MONDAY, &hours);
        assert_eq!((past.hours[3], past.hours[30]), (Some(Funnel::default()), None));
    }

    #[test]
    fn failures_are_judged_by_the_same_hours_of_days_before() {
        let mut hours = vec![funnel(97, 3); 4 * 24];
        // The hours just before do not count, however bad.
        hours.extend(vec![funnel(0, 100); 12]);
        let past = PlacementHours::new(MONDAY, &hours);
        let noon = MONDAY.plus_ms(4 * DAY_MS + 12 * HOUR_MS);
        let usual = past.usual_failed(noon, 100).unwrap();
        assert!(usual.low <= 3 && (4..=12).contains(&usual.high), "{usual:?}");
        let in_ten_minutes = past.usual_failures(noon, 10.0).unwrap();
        assert!(in_ten_minutes.high <= 4, "{in_ten_minutes:?}");
        assert_eq!(past.usual_failed(MONDAY.plus_ms(DAY_MS), 100), None, "one day is too few");
    }

    #[test]
    fn what_was_read_is_good_for_ten_minutes_and_few_answers_are_kept() {
        let kept: Kept<usize, usize> = Kept::default();
        for key in 0..MOST_KEPT + 3 {
            kept.keep(key, MONDAY, key, true);
        }
        assert_eq!((kept.get(&2, MONDAY), kept.get(&5, MONDAY).as_deref()), (None, Some(&5)));
        assert_eq!(kept.get(&5, MONDAY.plus_ms(GOOD_FOR_MS)), None);
        kept.keep(5, MONDAY.plus_ms(GOOD_FOR_MS), 50, false);
        assert_eq!(kept.0.lock().unwrap().len(), 1, "what is old goes");
        let soon = MONDAY.plus_ms(GOOD_FOR_MS + LEARNING_MS);
        assert_eq!(kept.get(&5, soon), None, "while learning it is read again after a minute");
    }
}

//! The past of the figures by hour, read from the store and kept in memory for a while.
//!
//! Owns how far back to read. Weeks of metrics take long to unpack, and a screen
//! asks again with every poll, so a [`Memory`] belongs to whoever asks for longer than one answer.

use std::collections::BTreeMap;
use std::sync::Arc;

use liftdeck_model::time::{DAY_MS, HOUR_MS, TimeRange};
use liftdeck_model::{FleetId, Timestamp};
use liftdeck_store::reader::placement::{Funnel, PlacementScope};
use liftdeck_store::reader::series::{SeriesName, SeriesRequest, SeriesScope};
use liftdeck_store::{Reader, StoreError};

use super::count::{Counted, Part, UsualCount, UsualShare, usual_count, usual_part};
use super::events::EventHours;
use super::kept::Kept;
use super::season::{LEAST_DAYS, MOST_DAYS, MOST_WEEKS, past_days};
use super::{BLIND_MS, History};
use crate::verdict::CRASHES;

const WEEK_MS: i64 = 7 * DAY_MS;
/// The whole days that what is usual in `range` is learnt from, and those of the range itself.
fn days_behind(range: TimeRange) -> TimeRange {
    let from = range.from.plus_ms(-(MOST_WEEKS * WEEK_MS + DAY_MS)).floor_to_ms(DAY_MS);
    TimeRange::new(from, range.to.floor_to_ms(DAY_MS).plus_ms(DAY_MS))
}

/// The days to read, in pieces of at most a week, because the samples of all weeks together may not fit into memory.
/// Of the older weeks only the days that have the hours of the range are needed.
fn pieces(days: TimeRange, range: TimeRange) -> Vec<TimeRange> {
    // The whole day of each end is judged, because an answer is kept for all ranges of the same days.
    let judged = TimeRange::new(range.from.floor_to_ms(DAY_MS), days.to);
    // The hours before and after lend their spread, and a band lies between two hours.
    let around = |back_ms: i64| {
        let (from, to) =
            (judged.from.plus_ms(-back_ms - 2 * HOUR_MS), judged.to.plus_ms(2 * HOUR_MS - back_ms));
        TimeRange::new(from.floor_to_ms(DAY_MS), to.plus_ms(DAY_MS - 1).floor_to_ms(DAY_MS).min(days.to))
    };
    let recent = TimeRange::new(around(MOST_DAYS * DAY_MS).from, days.to);
    let windows: Vec<TimeRange> =
        (1..=MOST_WEEKS).map(|week| around(week * WEEK_MS)).chain([recent]).collect();
    let mut pieces: Vec<TimeRange> = Vec::new();
    let mut day = days.from;
    while day < days.to {
        let next = day.plus_ms(DAY_MS);
        if windows.iter().any(|window| window.contains(day)) {
            match pieces.last_mut().filter(|last| last.to == day && last.length_ms() < WEEK_MS) {
                Some(last) => last.to = next,
                None => pieces.push(TimeRange::new(day, next)),
            }
        }
        day = next;
    }
    pieces
}

/// What was read of the past, kept for ten minutes, or for one while too little is known. Cheap to make and empty at first.
#[derive(Debug, Default)]
pub struct Memory {
    metrics: Kept<(SeriesScope, Vec<SeriesName>, TimeRange), Vec<History>>,
    placements: Kept<(PlacementScope, TimeRange), PlacementHours>,
    waits: Kept<TimeRange, History>,
    crashes: Kept<TimeRange, EventHours>,
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
        let read = read_metrics(reader, scope, names, days, range).await?;
        let is_known = read.iter().any(|one| one.is_known_at(range.to));
        Ok(self.metrics.keep(key, now, read, is_known))
    }

    /// The past of the placements in a scope, for judging `range`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn placements(
        &self,
        reader: &Reader,
        scope: &PlacementScope,
        range: TimeRange,
        now: Timestamp,
    ) -> Result<Arc<PlacementHours>, StoreError> {
        let days = days_behind(range);
        let key = (scope.clone(), days);
        if let Some(known) = self.placements.get(&key, now) {
            return Ok(known);
        }
        let hours = reader.placement_rate(scope, days, HOUR_MS).await?;
        let hours = PlacementHours::new(days.from, &hours);
        let is_known = hours.per_minute().is_known_at(range.to);
        Ok(self.placements.keep(key, now, hours, is_known))
    }

    /// The past of crashes of server processes, for judging `at`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) async fn crashes(
        &self,
        reader: &Reader,
        at: Timestamp,
        now: Timestamp,
    ) -> Result<Arc<EventHours>, StoreError> {
        let to = at.floor_to_ms(DAY_MS).plus_ms(DAY_MS);
        let days = TimeRange::new(to.plus_ms(-(MOST_DAYS + 1) * DAY_MS), to);
        if let Some(known) = self.crashes.get(&days, now) {
            return Ok(known);
        }
        let counts = reader.fleet_event_counts(&CRASHES, days, HOUR_MS).await?;
        // Events alone do not tell a day without crashes from one on which nobody looked.
        let sampled = reader.sampled_locations(None, days).await?;
        let thin = thin_days(&sampled);
        let is_seen = |day| sampled.contains_key(&day) && !thin.contains(&day);
        let hours = EventHours::new(days.from, &counts, is_seen);
        let is_known = hours.usual_at(at, 1.0).is_ok();
        Ok(self.crashes.keep(days, now, hours, is_known))
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
    range: TimeRange,
) -> Result<Vec<History>, StoreError> {
    let hours = |part: TimeRange| usize::try_from(part.length_ms() / HOUR_MS).unwrap_or(0);
    let mut columns: Vec<Vec<f64>> = vec![vec![f64::NAN; hours(days)]; names.len()];
    let sampled = reader.sampled_locations(fleet_of(scope), days).await?;
    let has_samples = |piece: &TimeRange| {
        let day = |at: Timestamp| at.as_ms().div_euclid(DAY_MS);
        sampled.range(day(piece.from)..day(piece.to)).next().is_some()
    };
    for piece in pieces(days, range).into_iter().filter(has_samples) {
        let request = SeriesRequest {
            scope: scope.clone(),
            names: names.to_vec(),
            range: piece,
            // As many as there are hours in whole days, so a bucket is an hour.
            max_points: u32::try_from(hours(piece)).unwrap_or(u32::MAX),
        };
        let table = reader.series(&request).await?;
        let first = hours(TimeRange::new(days.from, piece.from));
        for (known, column) in columns.iter_mut().zip(table.columns) {
            known.iter_mut().skip(first).zip(column).for_each(|(slot, value)| *slot = value);
        }
    }
    for day in thin_days(&sampled) {
        let first = (day * 24 - days.from.as_ms().div_euclid(HOUR_MS)).max(0);
        let first = usize::try_from(first).unwrap_or(usize::MAX);
        for column in &mut columns {
            column.iter_mut().skip(first).take(24).for_each(|value| *value = f64::NAN);
        }
    }
    Ok(columns.into_iter().map(|values| History::new(days.from, values)).collect())
}

const fn fleet_of(scope: &SeriesScope) -> Option<&FleetId> {
    match scope {
        SeriesScope::Fleet { fleet_id, .. } => Some(fleet_id),
        _ => None,
    }
}

/// Days on which fewer locations of fleets have samples than on the fullest: fleets were created since, or their
/// history has not been read yet. A sum over them is no example of what is usual now.
fn thin_days(sampled: &BTreeMap<i64, u64>) -> Vec<i64> {
    /// Share of the fullest day's locations from which the sums are alike.
    const ALIKE: f64 = 0.9;
    let most = sampled.values().copied().max().unwrap_or(0) as f64;
    sampled.iter().filter(|(_, count)| (**count as f64) < ALIKE * most).map(|(day, _)| *day).collect()
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

    /// The share (0 to 1) of placements that failed or timed out around `at` on the past days that count, and the shares
    /// that are usual among as many as come in `minutes`; `None` while too few days are known, or where none come.
    #[must_use]
    pub fn usual_failed_share(&self, at: Timestamp, minutes: f64) -> Option<(f64, UsualShare)> {
        let sum = total(self.days(at).map(total));
        let hours = 3 * self.days(at).count();
        let come = (sum.total() as f64 / hours.max(1) as f64 * minutes / 60.0).round().max(1.0) as u64;
        let usual = self.usual_failed(at, come)?.shares_of(come)?;
        Some((sum.failed_share()?, usual))
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

fn total(funnels: impl IntoIterator<Item = Funnel>) -> Funnel {
    let mut sum = Funnel::default();
    funnels.into_iter().for_each(|funnel| sum.add_all(funnel));
    sum
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
    fn only_the_days_that_count_are_read_and_each_once() {
        let monday_noon = MONDAY.plus_ms(12 * HOUR_MS);
        let last_hours = TimeRange::new(monday_noon.plus_ms(-3 * HOUR_MS), monday_noon);
        let days = days_behind(last_hours);
        let read = pieces(days, last_hours);
        let has = |day: i64| read.iter().any(|piece| piece.contains(MONDAY.plus_ms(day * DAY_MS)));
        assert!((-14..=0).all(&has), "{read:?}");
        assert!([-21, -28, -35].into_iter().all(&has), "{read:?}");
        assert!(!has(-25) && !has(-32), "{read:?}");
        assert!(read.windows(2).all(|pair| pair[0].to <= pair[1].from));
        assert!(read.iter().all(|piece| piece.length_ms() <= WEEK_MS));
        let month = TimeRange::new(monday_noon.plus_ms(-30 * DAY_MS), monday_noon);
        let all: i64 = pieces(days_behind(month), month).iter().map(|piece| piece.length_ms() / DAY_MS).sum();
        assert!(all >= 65, "a long range needs every day: {all}");
    }

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
}

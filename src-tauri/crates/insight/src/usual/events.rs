//! How many events are usual at an hour: for events so rare that a median would be 0. Pure.

use liftdeck_model::Timestamp;
use liftdeck_model::time::HOUR_MS;

use super::count::{Counted, usual_count};
use super::season::{LEAST_DAYS, past_days};
use super::{BLIND_MS, Learning, Season, Usual};

/// Counts of past hours.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct EventHours {
    first: i64,
    hours: Vec<Option<u64>>,
}

impl EventHours {
    /// Counts of consecutive hours from the start of a day. `is_known` tells for a day (UTC, since 1970) whether
    /// anybody looked.
    pub(super) fn new(from: Timestamp, counts: &[u64], is_known: impl Fn(i64) -> bool) -> Self {
        let first = from.as_ms().div_euclid(HOUR_MS);
        let hours =
            (first..).zip(counts).map(|(hour, count)| is_known(hour.div_euclid(24)).then_some(*count));
        Self { first, hours: hours.collect() }
    }

    /// How many events are usual in a stretch of `hours` around `at`, judged by the same time of past days.
    ///
    /// # Errors
    /// How many days are known, when they are too few.
    pub(crate) fn usual_at(&self, at: Timestamp, hours: f64) -> Result<Usual, Learning> {
        let known_to = at.plus_ms(-BLIND_MS).as_ms().div_euclid(HOUR_MS);
        let past: Vec<Counted> = past_days(at.as_ms().div_euclid(HOUR_MS))
            .filter(|hour| hour + 1 < known_to)
            .filter_map(|hour| {
                let around = [self.count(hour - 1)?, self.count(hour)?, self.count(hour + 1)?];
                Some(Counted { events: around.iter().sum(), length: 3.0 })
            })
            .collect();
        let days = u32::try_from(past.len()).unwrap_or(u32::MAX);
        let learning = Learning { days, of_days: u32::try_from(LEAST_DAYS).unwrap_or(u32::MAX) };
        let usual = usual_count(&past, hours, LEAST_DAYS).ok_or(learning)?;
        let (low, high) = (usual.low as f64, usual.high as f64);
        Ok(Usual {
            low,
            high,
            median: f64::midpoint(low, high),
            season: Season::HourOfDay,
            learnt_from: days,
        })
    }

    fn count(&self, hour: i64) -> Option<u64> {
        self.hours.get(usize::try_from(hour - self.first).ok()?).copied().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 24;
    /// 2026-03-06T12:00:00Z, a Friday.
    const NOON: Timestamp = Timestamp::from_ms(1_772_798_400_000);

    fn past(days: i64, per_hour: u64) -> EventHours {
        let from = NOON.floor_to_ms(DAY * HOUR_MS).plus_ms(-days * DAY * HOUR_MS);
        let counts = vec![per_hour; usize::try_from((days + 1) * DAY).unwrap()];
        EventHours::new(from, &counts, |_| true)
    }

    #[test]
    fn a_dozen_crashes_in_a_quarter_of_an_hour_are_unusual_where_one_an_hour_is_usual() {
        let usual = past(4, 1).usual_at(NOON, 0.25).unwrap();
        assert_eq!(usual.low, 0.0);
        assert!((1.0..=4.0).contains(&usual.high), "{usual:?}");
        assert_eq!(usual.learnt_from, 4);
    }

    #[test]
    fn days_on_which_nobody_looked_teach_nothing() {
        let from = NOON.floor_to_ms(DAY * HOUR_MS).plus_ms(-4 * DAY * HOUR_MS);
        let unseen = EventHours::new(from, &[0; 5 * 24], |_| false);
        assert_eq!(unseen.usual_at(NOON, 0.25), Err(Learning { days: 0, of_days: 3 }));
    }
}

//! Which past hours count for an hour of the week, and how far their values lie apart. Pure.

use super::{Learning, Season};

/// Weeks looked back.
pub const MOST_WEEKS: i64 = 5;
/// Weeks needed for a season of a week.
pub const LEAST_WEEKS: usize = 3;
/// Days looked back for a season of a day. Long enough to hold three days of weekends.
pub const MOST_DAYS: i64 = 14;
/// Days of the same kind needed for a season of a day.
pub const LEAST_DAYS: usize = 3;

const DAY_HOURS: i64 = 24;
const WEEK_HOURS: i64 = 7 * DAY_HOURS;

/// Values of consecutive hours, counted from the epoch; NaN is a gap.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Hours {
    /// The first hour.
    pub(super) first: i64,
    pub(super) values: Vec<f64>,
}

/// The past values that count for one hour.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Slot {
    pub(super) season: Season,
    pub(super) values: Vec<f64>,
}

impl Hours {
    fn value(&self, hour: i64) -> Option<f64> {
        let index = usize::try_from(hour.checked_sub(self.first)?).ok()?;
        self.values.get(index).copied().filter(|value| value.is_finite())
    }

    /// The past values for `hour`, of the longest season that is known well enough. Only hours before `known_to` count.
    pub(super) fn slot(&self, hour: i64, known_to: i64) -> Result<Slot, Learning> {
        for season in [Season::HourOfWeek, Season::HourOfDay] {
            if let Some(values) = self.season_values(season, hour, known_to) {
                return Ok(Slot { season, values });
            }
        }
        let days = self.values_of(past_days(hour), known_to).len();
        Err(Learning {
            days: u32::try_from(days).unwrap_or(u32::MAX),
            of_days: u32::try_from(LEAST_DAYS).unwrap_or(u32::MAX),
        })
    }

    /// The past values for `hour` in one season; `None` if too few are known.
    pub(super) fn season_values(&self, season: Season, hour: i64, known_to: i64) -> Option<Vec<f64>> {
        let (values, least) = match season {
            Season::HourOfWeek => (self.values_of(past_weeks(hour), known_to), LEAST_WEEKS),
            Season::HourOfDay => (self.values_of(past_days(hour), known_to), LEAST_DAYS),
        };
        (values.len() >= least).then_some(values)
    }

    fn values_of(&self, hours: impl Iterator<Item = i64>, known_to: i64) -> Vec<f64> {
        hours.filter(|hour| *hour < known_to).filter_map(|hour| self.value(hour)).collect()
    }
}

/// The same hour of the week, in the weeks before.
pub(super) fn past_weeks(hour: i64) -> impl Iterator<Item = i64> {
    (1..=MOST_WEEKS).map(move |weeks| hour - weeks * WEEK_HOURS)
}

/// The same hour on the days before that are of the same kind: working days or weekends.
pub(super) fn past_days(hour: i64) -> impl Iterator<Item = i64> {
    let weekend = is_weekend(hour);
    (1..=MOST_DAYS).map(move |days| hour - days * DAY_HOURS).filter(move |then| is_weekend(*then) == weekend)
}

/// Whether an hour since the epoch lies on a Saturday or Sunday (UTC).
const fn is_weekend(hour: i64) -> bool {
    // 1970-01-01 was a Thursday.
    matches!((hour.div_euclid(DAY_HOURS) + 4).rem_euclid(7), 0 | 6)
}

/// The middle value; the mean of the two in the middle of an even number.
pub(super) fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let upper = *values.get(values.len() / 2)?;
    match values.len() % 2 {
        0 => Some(f64::midpoint(*values.get(values.len() / 2 - 1)?, upper)),
        _ => Some(upper),
    }
}

/// How far each value lies from the median. Of an odd number the median itself is left out: its distance of zero says
/// nothing, and among three values it would hide how far the other two are apart.
pub(super) fn distances(mut values: Vec<f64>) -> Vec<f64> {
    let Some(middle) = median(&mut values) else { return Vec::new() };
    if values.len() % 2 == 1 {
        values.remove(values.len() / 2);
    }
    values.into_iter().map(|value| (value - middle).abs()).collect()
}

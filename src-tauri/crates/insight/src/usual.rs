//! What is usual for a figure at an hour of the week, learnt from its own past.
//!
//! Owns the statistics: a band around the median by season ([`History`]), and the counts and shares that are usual
//! ([`count`]). Pure but for [`past`] and [`chart`], which read the past from
//! the store. Deliberately does not say what is wrong: a
//! figure outside its band is unusual, not bad.
//!
//! # When enough is known
//! - By hour of the week (UTC weekday and hour): at least [`LEAST_WEEKS`] of the last [`MOST_WEEKS`] weeks have a value
//!   for that hour.
//! - Otherwise by hour of the day, with working days (Monday to Friday, UTC) and weekends apart: at least
//!   [`LEAST_DAYS`] such days of the last [`MOST_DAYS`] have a value for that hour.
//! - Otherwise nothing is claimed.
//!
//! An hour without data counts neither as zero nor as known. The last [`BLIND_MS`] before the moment in question are
//! left out, because an incident must not be judged by itself.

pub mod chart;
pub mod count;
mod events;
mod kept;
pub mod past;
mod season;

use liftdeck_model::Timestamp;
use liftdeck_model::time::HOUR_MS;
use serde::{Deserialize, Serialize};
use specta::Type;

use self::count::{Counted, usual_count};
use self::season::{Hours, Slot, median};
pub use self::season::{LEAST_DAYS, LEAST_WEEKS, MOST_DAYS, MOST_WEEKS};

/// How long before the moment in question values do not count: longer than most incidents last.
pub const BLIND_MS: i64 = 6 * HOUR_MS;
/// Half the width of a band, in standard deviations: under a normal distribution 99.7 % of the values lie inside.
const WIDTH: f64 = 3.0;
/// Makes the median absolute deviation an estimate of the standard deviation, under a normal distribution.
const DEVIATION: f64 = 1.4826;

/// The season that a band was learnt from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Season {
    /// The same hour of the week, in several weeks.
    HourOfWeek,
    /// The same hour of the day, on several working days or several days of weekends.
    HourOfDay,
}

/// What is usual for a figure at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Usual {
    /// Lower end of the band, in the figure's own unit.
    pub low: f64,
    /// Upper end of the band.
    pub high: f64,
    /// The middle of what was seen.
    pub median: f64,
    /// The season it was learnt from.
    pub season: Season,
    /// How many weeks (by hour of the week) or days (by hour of the day) it was learnt from.
    pub learnt_from: u32,
}

/// How far learning has come while too little is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Learning {
    /// Days of the same kind (working day or weekend) that have a value for this hour.
    pub days: u32,
    /// Days needed.
    pub of_days: u32,
}

/// How a value stands to what is usual.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Standing {
    /// Below the band.
    Below,
    /// Inside the band.
    Within,
    /// Above the band.
    Above,
    /// What is usual is not known yet.
    Learning(Learning),
    /// The value itself is unknown.
    Unknown,
}

impl Usual {
    /// How `value` stands to the band.
    #[must_use]
    pub fn standing(&self, value: f64) -> Standing {
        match value {
            below if below < self.low => Standing::Below,
            above if above > self.high => Standing::Above,
            _ => Standing::Within,
        }
    }
}

impl Standing {
    /// How a value stands to what is known to be usual.
    #[must_use]
    pub fn of(value: Option<f64>, usual: Result<Usual, Learning>) -> Self {
        match (value, usual) {
            (None, _) => Self::Unknown,
            (Some(value), Ok(usual)) => usual.standing(value),
            (Some(_), Err(learning)) => Self::Learning(learning),
        }
    }
}

/// The least standard deviation assumed. Without it, a figure that stood still for weeks would be unusual at its first
/// step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Floor {
    /// In the figure's own unit.
    pub absolute: f64,
    /// As a share (0 to 1) of the median.
    pub relative: f64,
    /// For rates: the minutes over which the judged rate is counted. A rate counted over few minutes varies by chance
    /// alone (Poisson).
    pub counted_minutes: Option<f64>,
}

impl Floor {
    /// For counts that last, such as players and instances: 2 % of the median, and half of one.
    pub const COUNT: Self = Self { absolute: 0.5, relative: 0.02, counted_minutes: None };
    /// For waits in seconds: 5 % of the median, and half a second.
    pub const WAIT: Self = Self { absolute: 0.5, relative: 0.05, counted_minutes: None };

    /// For waits in milliseconds: the same.
    pub const WAIT_MS: Self = Self { absolute: 500.0, ..Self::WAIT };
    /// For percentages (0 to 100): one percentage point.
    pub const PERCENT: Self = Self { absolute: 1.0, relative: 0.0, counted_minutes: None };

    /// For rates per minute, each judged over `minutes`.
    #[must_use]
    pub const fn rate(minutes: f64) -> Self {
        Self { absolute: 0.0, relative: 0.02, counted_minutes: Some(minutes) }
    }

    fn deviation(self, median: f64) -> f64 {
        let chance = self.counted_minutes.map_or(0.0, |minutes| {
            // At least one event, or a figure that was always 0 would be unusual at its first event.
            (median * minutes).max(1.0).sqrt() / minutes.max(f64::MIN_POSITIVE)
        });
        self.absolute.max(self.relative * median.abs()).max(chance)
    }
}

/// The past of a figure: its mean for each hour.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    hours: Hours,
}

impl History {
    /// Values of consecutive hours (UTC), the first at or after the epoch hour that holds `from`; NaN is a gap.
    #[must_use]
    pub fn new(from: Timestamp, values: Vec<f64>) -> Self {
        Self { hours: Hours { first: from.as_ms().div_euclid(HOUR_MS), values } }
    }

    /// What is usual at `at`, judged only by what was known [`BLIND_MS`] before.
    ///
    /// Between the middles of two hours the band goes straight from one to the other.
    ///
    /// # Errors
    /// How many days are known, when they are too few.
    pub fn usual_at(&self, at: Timestamp, floor: Floor) -> Result<Usual, Learning> {
        let known_to = at.plus_ms(-BLIND_MS).as_ms().div_euclid(HOUR_MS);
        // Values are means over an hour, so they are true in its middle.
        let shifted = at.as_ms() - HOUR_MS / 2;
        let hour = shifted.div_euclid(HOUR_MS);
        let share = shifted.rem_euclid(HOUR_MS) as f64 / HOUR_MS as f64;
        let slot = |hour| self.usual_of(hour, known_to, floor);
        match (slot(hour), slot(hour + 1)) {
            (Ok(before), Ok(after)) => Ok(between(before, after, share)),
            (Ok(known), Err(_)) | (Err(_), Ok(known)) => Ok(known),
            (Err(one), Err(other)) => Err(if one.days >= other.days { one } else { other }),
        }
    }

    /// Whether enough is known to say what is usual at `at`.
    pub(crate) fn is_known_at(&self, at: Timestamp) -> bool {
        self.usual_at(at, Floor::COUNT).is_ok()
    }

    /// Of a history of events per minute: the mean around `at` on past days of the same kind, and the least and the most
    /// that chance makes of it when events are counted over `minutes` (Poisson); all per minute.
    pub(crate) fn usual_events(&self, at: Timestamp, minutes: f64) -> Option<(f64, f64, f64)> {
        let known_to = at.plus_ms(-BLIND_MS).as_ms().div_euclid(HOUR_MS);
        let hour = at.as_ms().div_euclid(HOUR_MS);
        let near = (hour - 1..=hour + 1)
            .filter_map(|near| self.hours.season_values(Season::HourOfDay, near, known_to));
        let past: Vec<Counted> = near
            .flatten()
            .map(|per_minute| Counted { events: (per_minute * 60.0).round().max(0.0) as u64, length: 60.0 })
            .collect();
        let usual = usual_count(&past, minutes, LEAST_DAYS)?;
        let mean = past.iter().map(|hour| hour.events as f64 / hour.length).sum::<f64>() / past.len() as f64;
        Some((mean, usual.low as f64 / minutes, usual.high as f64 / minutes))
    }

    fn usual_of(&self, hour: i64, known_to: i64, floor: Floor) -> Result<Usual, Learning> {
        let Slot { season, mut values } = self.hours.slot(hour, known_to)?;
        let learnt_from = u32::try_from(values.len()).unwrap_or(u32::MAX);
        let middle = median(&mut values).unwrap_or(f64::NAN);
        // Few values say little about how much they vary, so the hours before and after lend theirs.
        let mut apart: Vec<f64> = (hour - 1..=hour + 1)
            .filter_map(|near| self.hours.season_values(season, near, known_to))
            .flat_map(season::distances)
            .collect();
        let seen = median(&mut apart).unwrap_or(0.0) * DEVIATION;
        let half = WIDTH * seen.max(floor.deviation(middle));
        Ok(Usual {
            low: if middle >= 0.0 { (middle - half).max(0.0) } else { middle - half },
            high: middle + half,
            median: middle,
            season,
            learnt_from,
        })
    }
}

fn between(before: Usual, after: Usual, share: f64) -> Usual {
    let mix = |one: f64, other: f64| one + (other - one) * share;
    let less = if before.learnt_from <= after.learnt_from { before } else { after };
    let season = if before.season == after.season { before.season } else { Season::HourOfDay };
    Usual {
        low: mix(before.low, after.low),
        high: mix(before.high, after.high),
        median: mix(before.median, after.median),
        season,
        learnt_from: if before.season == after.season {
            less.learnt_from
        } else if before.season == season {
            before.learnt_from
        } else {
            after.learnt_from
        },
    }
}

#[cfg(test)]
mod tests;

//! Moments and ranges. Deliberately has no clock: the current time comes in as an argument.

use std::fmt;
use std::str::FromStr;

use jiff::SignedDuration;
use serde::{Deserialize, Deserializer, Serialize};
use specta::Type;

/// A minute, in milliseconds.
pub const MINUTE_MS: i64 = 60_000;
/// An hour, in milliseconds.
pub const HOUR_MS: i64 = 60 * MINUTE_MS;
/// Twenty-four hours, in milliseconds.
pub const DAY_MS: i64 = 24 * HOUR_MS;

/// A moment in epoch milliseconds, UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Default, Type)]
#[serde(transparent)]
pub struct Timestamp(i64);

/// A text that is neither RFC 3339 nor an age such as `15m`, `24h`, `7d`.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is neither a time such as 2026-03-04T10:15:00Z nor an age such as 15m, 24h or 7d")]
pub struct ParseTimeError(String);

impl Timestamp {
    /// From epoch milliseconds.
    pub const fn from_ms(ms: i64) -> Self {
        Self(ms)
    }

    /// From epoch seconds with a fraction, as AWS JSON and CBOR carry time; rounded to milliseconds.
    pub fn from_secs_f64(seconds: f64) -> Self {
        Self((seconds * 1000.0).round() as i64)
    }

    /// Epoch milliseconds.
    pub const fn as_ms(self) -> i64 {
        self.0
    }

    /// Epoch seconds with a fraction.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1000.0
    }

    /// This moment moved by `ms` milliseconds, saturating.
    #[must_use]
    pub const fn plus_ms(self, ms: i64) -> Self {
        Self(self.0.saturating_add(ms))
    }

    /// Milliseconds from `earlier` to this moment; negative if it lies later.
    pub const fn since_ms(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }

    /// The start of the bucket of `width_ms` this moment falls into.
    #[must_use]
    pub const fn floor_to_ms(self, width_ms: i64) -> Self {
        Self(self.0 - self.0.rem_euclid(width_ms))
    }

    /// RFC 3339 in UTC with milliseconds; moments outside the calendar are written as their milliseconds.
    pub fn to_rfc3339(self) -> String {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(moment) => format!("{moment:.3}"),
            Err(_) => self.0.to_string(),
        }
    }

    /// `2026-11-22 14:02:11 UTC`, for sentences.
    pub fn in_utc(self) -> String {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(moment) => moment.strftime("%Y-%m-%d %H:%M:%S UTC").to_string(),
            Err(_) => self.0.to_string(),
        }
    }

    /// Reads RFC 3339, or an age before `now`: `90s`, `15m`, `24h`, `7d`, `2w`.
    ///
    /// # Errors
    /// When the text is neither.
    pub fn parse(text: &str, now: Self) -> Result<Self, ParseTimeError> {
        text.parse::<Moment>().map(|moment| moment.at(now))
    }
}

/// A moment as people write it: RFC 3339, or an age, which moves with the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// This moment.
    At(Timestamp),
    /// This many milliseconds before now.
    Ago(i64),
}

impl Moment {
    /// The moment it is at `now`.
    pub const fn at(self, now: Timestamp) -> Timestamp {
        match self {
            Self::At(moment) => moment,
            Self::Ago(age_ms) => now.plus_ms(-age_ms),
        }
    }
}

impl FromStr for Moment {
    type Err = ParseTimeError;

    fn from_str(text: &str) -> Result<Self, ParseTimeError> {
        let text = text.trim();
        if let Some(age_ms) = parse_age_ms(text) {
            return Ok(Self::Ago(age_ms));
        }
        text.parse::<jiff::Timestamp>()
            .map(|moment| Self::At(Timestamp(moment.as_millisecond())))
            .map_err(|_| ParseTimeError(text.to_owned()))
    }
}

/// JavaScript computes times as floats, so a range brushed in a chart has fractions of a millisecond.
impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        f64::deserialize(deserializer).map(|ms| Self(ms.round() as i64))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_rfc3339())
    }
}

/// Reads a length of time such as `90s`, `15m`, `24h`, `7d`, `2w` into milliseconds; `None` for anything else.
pub fn parse_age_ms(text: &str) -> Option<i64> {
    let unit_at = text.find(|c: char| !c.is_ascii_digit())?;
    let (digits, unit) = text.split_at(unit_at);
    let count: i64 = digits.parse().ok()?;
    let unit_ms = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        "w" => 604_800_000,
        _ => return None,
    };
    count.checked_mul(unit_ms)
}

/// Formats a length of time for people: `45 s`, `3 min 02 s`, `2 h 10 min`, `4 d 3 h`.
pub fn in_words(ms: i64) -> String {
    let seconds = SignedDuration::from_millis(ms.saturating_abs()).as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        3_600..86_400 => format!("{} h {:02} min", seconds / 3_600, seconds % 3_600 / 60),
        _ => format!("{} d {} h", seconds / 86_400, seconds % 86_400 / 3_600),
    }
}

/// From `from` (inclusive) to `to` (exclusive).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Type)]
pub struct TimeRange {
    /// First moment inside.
    pub from: Timestamp,
    /// First moment after.
    pub to: Timestamp,
}

impl<'de> Deserialize<'de> for TimeRange {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Ends {
            from: Timestamp,
            to: Timestamp,
        }
        Ends::deserialize(deserializer).map(|ends| Self::new(ends.from, ends.to))
    }
}

impl TimeRange {
    /// The range between two moments, swapped if they come in the wrong order.
    pub fn new(from: Timestamp, to: Timestamp) -> Self {
        if from <= to { Self { from, to } } else { Self { from: to, to: from } }
    }

    /// Its length in milliseconds.
    pub const fn length_ms(self) -> i64 {
        self.to.since_ms(self.from)
    }

    /// Whether `moment` lies inside.
    pub fn contains(self, moment: Timestamp) -> bool {
        self.from <= moment && moment < self.to
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_ms(1_700_000_000_000);

    #[test]
    fn a_time_computed_by_javascript_is_rounded_to_the_millisecond() {
        let range: TimeRange =
            serde_json::from_str(r#"{ "from": 1700000000000.6, "to": 1699999999999 }"#).unwrap();
        assert_eq!(range.from, NOW.plus_ms(-1));
        assert_eq!(serde_json::to_string(&range.to).unwrap(), "1700000000001");
    }

    #[test]
    fn rfc3339_round_trips_to_the_millisecond() {
        let moment = Timestamp::from_ms(1_700_000_000_123);
        assert_eq!(moment.to_rfc3339(), "2023-11-14T22:13:20.123Z");
        assert_eq!(Timestamp::parse(&moment.to_rfc3339(), NOW).unwrap(), moment);
        assert_eq!(moment.in_utc(), "2023-11-14 22:13:20 UTC");
    }

    #[test]
    fn an_age_is_counted_back_from_now() {
        assert_eq!(Timestamp::parse("15m", NOW).unwrap(), NOW.plus_ms(-900_000));
        assert_eq!(Timestamp::parse("7d", NOW).unwrap(), NOW.plus_ms(-604_800_000));
    }

    #[test]
    fn an_age_moves_with_the_clock_and_a_time_does_not() {
        let later = NOW.plus_ms(60_000);
        assert_eq!("15m".parse::<Moment>().unwrap().at(later), later.plus_ms(-900_000));
        assert_eq!(NOW.to_rfc3339().parse::<Moment>().unwrap().at(later), NOW);
    }

    #[test]
    fn rubbish_is_refused_with_what_would_be_accepted() {
        for text in ["", "m", "15", "15y", "yesterday", "99999999999999999999d", "2026-13-01T00:00:00Z"] {
            let error = Timestamp::parse(text, NOW).expect_err(text);
            assert!(error.to_string().contains("15m"), "{error}");
        }
    }

    #[test]
    fn lengths_read_like_speech() {
        assert_eq!(in_words(45_000), "45 s");
        assert_eq!(in_words(182_000), "3 min 02 s");
        assert_eq!(in_words(7_800_000), "2 h 10 min");
        assert_eq!(in_words(100 * 3_600_000), "4 d 4 h");
    }

    #[test]
    fn buckets_start_at_or_before_the_moment_even_before_1970() {
        assert_eq!(Timestamp::from_ms(61_000).floor_to_ms(60_000).as_ms(), 60_000);
        assert_eq!(Timestamp::from_ms(-1).floor_to_ms(60_000).as_ms(), -60_000);
    }
}

//! How a course of values stands against a rule's two thresholds at a moment. Pure.
//!
//! A value beyond the one threshold begins it, one back at the other ends it, and between the two it stays what it
//! was. Where there is no value nothing changes, and after too long without one nothing is known.

use liftdeck_model::Timestamp;
use liftdeck_model::custom_rule::{CustomRule, Watched};
use liftdeck_model::time::{DAY_MS, MINUTE_MS};

/// How far back a course that is wrong already when it is first seen is followed to its beginning.
pub const BACK_MS: i64 = DAY_MS;
/// How old the newest value of a figure may be that comes with every poll. It holds for minutes by itself.
const POLLED_MS: i64 = 4 * MINUTE_MS;
/// How old the newest value may be that only CloudWatch tells.
const LATE_MS: i64 = 15 * MINUTE_MS;

/// What was seen at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Seen {
    /// A value, in the rule's unit.
    Value(f64),
    /// There is nothing that it could be a share of: nothing is wrong with nothing.
    Nothing,
}

/// What was seen, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The beginning of its minute.
    pub at: Timestamp,
    /// What.
    pub seen: Seen,
}

/// How a course stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Standing {
    /// Nothing is wrong.
    Well,
    /// It is wrong.
    Wrong {
        /// When it crossed its threshold, as far as the values tell.
        since: Timestamp,
        /// Whether it was wrong from the first value on, so that it may have begun earlier.
        is_older: bool,
        /// The newest value.
        value: f64,
    },
    /// There is no value that is new enough.
    Unknown {
        /// The end of the last minute that is known.
        since: Timestamp,
    },
}

/// How old the newest value of a rule may be, in milliseconds; no older one is needed to judge it.
pub(super) const fn window_ms(rule: &CustomRule) -> i64 {
    match &rule.watched {
        Watched::Metric { figure, .. } if figure.comes_late() => LATE_MS,
        _ => POLLED_MS,
    }
}

/// The values that judge a rule as of `now`: those of the minutes that were over, and new enough. `points` are in
/// order of time, and may go on after `now`.
pub fn recent<'a>(rule: &CustomRule, points: &'a [Point], now: Timestamp) -> &'a [Point] {
    let to = now.floor_to_ms(MINUTE_MS);
    let end = points.partition_point(|point| point.at.plus_ms(MINUTE_MS) <= to);
    let from = to.plus_ms(-window_ms(rule));
    let begin = points.partition_point(|point| point.at < from);
    points.get(begin.min(end)..end).unwrap_or_default()
}

/// Judges the recent values of a course as of `now`. `is_in_force` says whether it was wrong before them.
pub fn standing(rule: &CustomRule, recent: &[Point], is_in_force: bool, now: Timestamp) -> Standing {
    let Some(newest) = recent.last() else {
        let last = now.floor_to_ms(MINUTE_MS).plus_ms(-window_ms(rule));
        return Standing::Unknown { since: last };
    };
    let mut wrong = is_in_force.then_some(newest.at);
    let mut is_older = is_in_force;
    for (index, point) in recent.iter().enumerate() {
        match (point.seen, wrong) {
            (Seen::Value(value), None) if rule.raises(value) => {
                wrong = Some(point.at);
                is_older = index == 0;
            }
            (Seen::Value(value), Some(_)) if rule.clears(value) => wrong = None,
            (Seen::Nothing, _) => wrong = None,
            (Seen::Value(_), _) => {}
        }
    }
    match (wrong, newest.seen) {
        (Some(since), Seen::Value(value)) => Standing::Wrong { since, is_older, value },
        _ => Standing::Well,
    }
}

/// Follows a course that is wrong at `since` back to the moment it crossed its threshold. `earlier` are values before
/// that, in order of time.
pub fn dated(rule: &CustomRule, earlier: &[Point], since: Timestamp) -> Timestamp {
    let mut found = since;
    for point in earlier.iter().rev().filter(|point| point.at < since) {
        match point.seen {
            Seen::Value(value) if rule.raises(value) => found = point.at,
            Seen::Value(value) if rule.clears(value) => break,
            Seen::Value(_) => {}
            Seen::Nothing => break,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use liftdeck_model::Severity;
    use liftdeck_model::custom_rule::{Compare, MetricSubject};
    use liftdeck_model::series_name::SeriesName;

    use super::*;

    fn rule() -> CustomRule {
        CustomRule {
            name: "Few instances".to_owned(),
            watched: Watched::Metric {
                figure: SeriesName::ActiveInstances,
                of: MetricSubject::EachFleet,
                relative: None,
                over_minutes: 1,
            },
            compare: Compare::Below,
            raise: 4.0,
            clear: 6.0,
            pending_ms: 0,
            severity: Severity::Warning,
            is_off: false,
        }
    }

    fn at(minute: i64) -> Timestamp {
        Timestamp::from_ms(minute * MINUTE_MS)
    }

    /// A value a minute from minute 0 on; NaN is a gap, infinity nothing to be a share of.
    fn points(values: &[f64]) -> Vec<Point> {
        let seen = |value: f64| if value.is_infinite() { Seen::Nothing } else { Seen::Value(value) };
        let all = (0_i64..).zip(values).filter(|(_, value)| !value.is_nan());
        all.map(|(minute, value)| Point { at: at(minute), seen: seen(*value) }).collect()
    }

    fn now(values: &[f64], is_in_force: bool) -> Standing {
        let now = at(i64::try_from(values.len()).unwrap());
        standing(&rule(), recent(&rule(), &points(values), now), is_in_force, now)
    }

    fn wrong(minute: i64, is_older: bool, value: f64) -> Standing {
        Standing::Wrong { since: at(minute), is_older, value }
    }

    #[test]
    fn it_begins_below_the_one_threshold_and_ends_at_the_other() {
        assert_eq!(now(&[8.0, 5.0], false), Standing::Well);
        assert_eq!(now(&[8.0, 3.0, 5.0], false), wrong(1, false, 5.0));
        assert_eq!(now(&[3.0, 5.0, 6.0], true), Standing::Well);
        assert_eq!(now(&[5.0, 5.0], true), wrong(1, true, 5.0), "between the two it stays what it was");
    }

    #[test]
    fn a_gap_changes_nothing_and_after_a_longer_one_nothing_is_known() {
        let gap = f64::NAN;
        assert_eq!(now(&[8.0, 3.0, gap, gap], false), wrong(1, false, 3.0));
        assert_eq!(now(&[8.0, 3.0, gap, gap, gap, gap], false), Standing::Unknown { since: at(2) });
        assert_eq!(now(&[], true), Standing::Unknown { since: at(-4) });
    }

    #[test]
    fn nothing_is_wrong_with_a_share_of_nothing() {
        assert_eq!(now(&[3.0, f64::INFINITY], true), Standing::Well);
    }

    #[test]
    fn a_minute_that_is_not_over_does_not_count() {
        let points = points(&[8.0, 3.0]);
        let half_past = at(1).plus_ms(30_000);
        assert_eq!(recent(&rule(), &points, half_past).len(), 1);
    }

    #[test]
    fn what_was_wrong_before_it_was_seen_is_dated_by_the_values_before() {
        let earlier = points(&[3.0, 9.0, 5.0, 3.0, f64::NAN, 5.0, 3.0]);
        assert_eq!(dated(&rule(), &earlier, at(6)), at(3));
        assert_eq!(dated(&rule(), &points(&[1.0, 1.0]), at(9)), at(0));
        assert_eq!(dated(&rule(), &[], at(9)), at(9));
    }
}

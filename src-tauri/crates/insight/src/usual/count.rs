//! What is usual for counts and shares so small that chance decides: failed placements, crashes, timed-out tickets.
//! Pure.
//!
//! A median of small counts is mostly 0 and their deviation too, so a band around it would call every failure unusual.
//! Instead the past gives a rate, and a Poisson or binomial distribution how far chance alone takes a count from it. A
//! past incident does not become usual: counts that chance does not explain are left out before the rate is taken.

use serde::{Deserialize, Serialize};
use specta::Type;
use statrs::distribution::{Beta, Binomial, ContinuousCDF as _, DiscreteCDF as _, Gamma, Poisson};

/// Share of the counts that chance leaves on either side of the band.
const TAIL: f64 = 0.005;
/// How far the true rate may lie from the one seen: the band is as wide as the rates between these two quantiles ask
/// for. Few past events say little about the rate.
const UNSURE: f64 = 0.05;

/// Events in a stretch of the past.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counted {
    /// How many.
    pub events: u64,
    /// How long the stretch was, in any unit, the same for all.
    pub length: f64,
}

/// How many of a number, in a stretch of the past.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// How many, for example failed placements.
    pub some: u64,
    /// Of how many.
    pub all: u64,
}

/// Counts that are usual.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct UsualCount {
    /// The least.
    pub low: u64,
    /// The most.
    pub high: u64,
}

impl UsualCount {
    /// The counts as shares (0 to 1) of `all`; `None` of nothing.
    #[must_use]
    pub fn shares_of(self, all: u64) -> Option<UsualShare> {
        let share = |some: u64| some as f64 / all as f64;
        (all > 0).then(|| UsualShare { low: share(self.low), high: share(self.high) })
    }
}

/// Shares (0 to 1) that are usual.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct UsualShare {
    /// The least.
    pub low: f64,
    /// The most.
    pub high: f64,
}

/// How many events are usual in a stretch of `length`, judged by at least `least` stretches of the past (Poisson).
/// `None` if fewer are known.
#[must_use]
pub fn usual_count(past: &[Counted], length: f64, least: usize) -> Option<UsualCount> {
    let mut known: Vec<Counted> = past.iter().copied().filter(|one| one.length > 0.0).collect();
    if known.len() < least.max(1) || length <= 0.0 || !length.is_finite() {
        return None;
    }
    known.sort_by(|one, two| (one.events as f64 / one.length).total_cmp(&(two.events as f64 / two.length)));
    let of = |kept: &[Counted], length: f64| {
        let events: u64 = kept.iter().map(|one| one.events).sum();
        expected_count(events, kept.iter().map(|one| one.length).sum(), length)
    };
    let first = middle_half(&known).to_vec();
    known.retain(|one| of(&first, one.length).is_some_and(|usual| within(usual, one.events)));
    of(if known.is_empty() { &first } else { &known }, length)
}

/// How many of `all` are usual, judged by at least `least` stretches of the past (binomial). `None` if fewer are known.
#[must_use]
pub fn usual_part(past: &[Part], all: u64, least: usize) -> Option<UsualCount> {
    let mut known: Vec<Part> =
        past.iter().copied().filter(|one| one.all > 0 && one.some <= one.all).collect();
    if known.len() < least.max(1) || all == 0 {
        return None;
    }
    known.sort_by(|one, two| {
        (one.some as f64 / one.all as f64).total_cmp(&(two.some as f64 / two.all as f64))
    });
    let of = |kept: &[Part], all: u64| {
        let sum = kept.iter().fold(Part::default(), |sum, one| Part {
            some: sum.some.saturating_add(one.some),
            all: sum.all.saturating_add(one.all),
        });
        expected_part(sum, all)
    };
    let first = middle_half(&known).to_vec();
    known.retain(|one| of(&first, one.all).is_some_and(|usual| within(usual, one.some)));
    of(if known.is_empty() { &first } else { &known }, all)
}

const fn within(usual: UsualCount, count: u64) -> bool {
    usual.low <= count && count <= usual.high
}

/// The sorted values without the lowest and the highest quarter.
fn middle_half<T>(sorted: &[T]) -> &[T] {
    let cut = sorted.len().div_ceil(4).min(sorted.len().saturating_sub(1) / 2);
    sorted.get(cut..sorted.len() - cut).unwrap_or(sorted)
}

/// Counts in `length` after `events` in `past`: the rate between two quantiles of its posterior (Jeffreys' prior).
fn expected_count(events: u64, past: f64, length: f64) -> Option<UsualCount> {
    let rate = Gamma::new(events as f64 + 0.5, past).ok()?;
    let counts =
        |quantile: f64| Poisson::new((rate.inverse_cdf(quantile) * length).max(f64::MIN_POSITIVE)).ok();
    Some(UsualCount {
        low: counts(UNSURE)?.inverse_cdf(TAIL),
        high: counts(1.0 - UNSURE)?.inverse_cdf(1.0 - TAIL),
    })
}

/// The same for some of `all`, after a part of the past.
fn expected_part(past: Part, all: u64) -> Option<UsualCount> {
    let share = Beta::new(past.some as f64 + 0.5, (past.all - past.some) as f64 + 0.5).ok()?;
    let parts = |quantile: f64| Binomial::new(share.inverse_cdf(quantile).clamp(0.0, 1.0), all).ok();
    Some(UsualCount {
        low: parts(UNSURE)?.inverse_cdf(TAIL),
        high: parts(1.0 - UNSURE)?.inverse_cdf(1.0 - TAIL),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twelve stretches with 100 placements each; one of them may have had an incident.
    fn past(usual: u64, incident: u64) -> Vec<Part> {
        let mut parts = vec![Part { some: usual, all: 100 }; 11];
        parts.push(Part { some: incident, all: 100 });
        parts
    }

    #[test]
    fn a_share_seen_for_days_is_usual_and_chance_is_allowed_for() {
        let usual = usual_part(&past(3, 3), 100, 3).unwrap();
        assert!(usual.low == 0 && (6..=10).contains(&usual.high), "{usual:?}");
        let few = usual_part(&past(3, 3), 10, 3).unwrap();
        assert!((1..=3).contains(&few.high), "two of ten may be chance: {few:?}");
    }

    #[test]
    fn an_incident_of_the_past_is_not_usual() {
        assert_eq!(usual_part(&past(2, 90), 100, 3), usual_part(&past(2, 90)[..11], 100, 3));
        let calm = vec![Counted { events: 1, length: 1.0 }; 9];
        let one = Counted { events: 200, length: 1.0 };
        assert_eq!(usual_count(&[&calm[..], &[one]].concat(), 1.0, 3), usual_count(&calm, 1.0, 3));
    }

    #[test]
    fn one_failure_after_few_successes_may_be_chance_and_after_many_it_is_not() {
        let never = |all| vec![Part { some: 0, all }; 4];
        assert!(usual_part(&never(5), 20, 3).unwrap().high >= 1);
        let many = usual_part(&never(10_000), 20, 3).unwrap();
        assert_eq!((many.low, many.high), (0, 0));
    }

    #[test]
    fn a_share_that_sinks_is_unusual_too() {
        let half = vec![Part { some: 500, all: 1_000 }; 4];
        let usual = usual_part(&half, 100, 3).unwrap();
        assert!(usual.low > 30 && usual.high < 70, "{usual:?}");
    }

    #[test]
    fn a_count_is_judged_by_how_long_it_was_counted() {
        let past = vec![Counted { events: 40, length: 60.0 }; 6];
        let hour = usual_count(&past, 60.0, 3).unwrap();
        let quarter = usual_count(&past, 15.0, 3).unwrap();
        assert!((20..40).contains(&hour.low) && (41..70).contains(&hour.high), "{hour:?}");
        assert!(quarter.low < 10 && (15..25).contains(&quarter.high), "{quarter:?}");
    }

    #[test]
    fn too_little_past_claims_nothing() {
        assert_eq!(usual_part(&[Part { some: 1, all: 9 }; 2], 10, 3), None);
        assert_eq!(
            usual_part(&[Part { some: 0, all: 0 }; 5], 10, 3),
            None,
            "a stretch without any says nothing"
        );
        assert_eq!(usual_part(&[Part { some: 1, all: 9 }; 5], 0, 3), None);
        assert_eq!(usual_count(&[Counted { events: 1, length: 0.0 }; 5], 1.0, 3), None);
        assert_eq!(usual_count(&[], 1.0, 0), None);
        assert_eq!(usual_count(&[Counted { events: 1, length: 1.0 }; 5], f64::NAN, 3), None);
    }
}

//! Tells a raised failure rate from bad luck, and dates its beginning: the cumulative sum of log-likelihood ratios
//! (Page's CUSUM) over a stream of outcomes.
//!
//! Each failure adds `ln(raised / usual)`, each success `ln((1 - raised) / (1 - usual))`, which is negative; the sum
//! never falls below zero. It reaches [`ALARM`] only when failures are far more frequent than usual. That began no
//! earlier than the moment it last left zero; from which failure on is told by the share of failures that is seen:
//! an everyday failure shortly before is not the first. Deliberately knows nothing of what failed.

use liftdeck_model::time::MINUTE_MS;
use liftdeck_model::{Severity, Timestamp};
use liftdeck_store::reader::outcomes::Outcomes;

use super::Alone;

/// Sum from which the rate counts as raised. By chance alone it is reached once in more than `e^9`, about 8 000,
/// outcomes (Lorden's bound), and in practice far more rarely, because the usual rate is below the one assumed.
pub(super) const ALARM: f64 = 9.0;
/// Sum from which the rate may be raised: enough since a change that fits, and far too little otherwise.
const SUSPICION: f64 = 4.5;
/// Likelihood ratio, as a logarithm, from which the rate may be raised as well: two placements that fail one after the
/// other come to 7.
const LIKELY: f64 = 6.0;
/// Sum that is never exceeded, so that a long trouble is over soon after its end.
const CEILING: f64 = 2.0 * ALARM;

/// After this long without a failure it is over.
const QUIET_MS: i64 = 10 * 60_000;

/// The failure rates, 0 to 1, between which is decided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rates {
    pub(super) usual: f64,
    pub(super) raised: f64,
}

impl Rates {
    /// Rates for a stream that usually fails as often as in its own past, and at least as often as `least`.
    pub(super) fn of_past(failed: u64, all: u64, least: f64) -> Self {
        /// How many outcomes the assumption `least` weighs as much as.
        const WEIGHT: f64 = 100.0;
        let seen = (failed as f64 + least * WEIGHT) / (all as f64 + WEIGHT);
        Self::of_usual(seen.clamp(least, 0.6))
    }

    /// Rates for a stream that usually fails so often.
    pub(super) fn of_usual(usual: f64) -> Self {
        Self { usual, raised: (usual * 3.0).max(usual + 0.15).min(0.95) }
    }

    /// What one failure and one success add to the sum.
    fn steps(self) -> (f64, f64) {
        ((self.raised / self.usual).ln(), ((1.0 - self.raised) / (1.0 - self.usual)).ln())
    }

    /// The sum over outcomes that are independent of each other.
    pub(super) fn sum(self, failed: u64, succeeded: u64) -> f64 {
        let (up, down) = self.steps();
        up * failed as f64 + down * succeeded as f64
    }
}

/// A raised failure rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Excursion {
    /// When its first failure was.
    pub(super) since: Timestamp,
    /// When its last failure was.
    pub(super) last: Timestamp,
    /// Failures since then, or since it began.
    pub(super) failed: u64,
    /// Outcomes since then, or since it began.
    pub(super) all: u64,
    /// The sum now.
    pub(super) sum: f64,
    /// By how much likelier the outcomes since then are with the share that failed than with the usual one, as a
    /// logarithm.
    pub(super) likelihood: f64,
    /// Whether the sum was above zero from the first outcome on, so that it may have begun earlier.
    pub(super) from_the_start: bool,
    /// Whether anything went well after the minute of its last failure.
    pub(super) has_success_since: bool,
}

impl Excursion {
    /// Bad from the share of failures on that players notice.
    pub(super) fn severity(&self, bad_share: f64) -> Severity {
        let share = self.failed as f64 / self.all.max(1) as f64;
        if share >= bad_share { Severity::Bad } else { Severity::Warning }
    }

    /// What it is worth as news; `None` if that is too little, or too long ago. What has begun (`began`) is over only
    /// when the sum is back at zero.
    pub(super) fn worth(&self, began: Option<Timestamp>, now: Timestamp) -> Option<Alone> {
        if now.since_ms(self.last) > QUIET_MS {
            return None;
        }
        if began.is_some() || self.sum >= ALARM {
            return Some(Alone::Stands);
        }
        self.is_suspicious().then_some(Alone::Nothing)
    }

    /// Whether the rate may be raised.
    pub(super) fn is_suspicious(&self) -> bool {
        self.sum >= SUSPICION || self.likelihood >= LIKELY
    }
}

/// The excursion that reaches the end of the stream; `None` when the sum is zero there. `outcomes` are in order of
/// time. What is known to have begun earlier is counted from then on: a trouble that pauses or grows is still that one.
pub(super) fn excursion(outcomes: &[Outcomes], rates: Rates, began: Option<Timestamp>) -> Option<Excursion> {
    let Cumulated { since: earliest, last, sum, from_the_start } = cumulated(outcomes, rates)?;
    let raised = &outcomes[outcomes.partition_point(|here| here.at < earliest)..];
    let Beginning { since, likelihood } = beginning(raised, rates.usual)?;
    let counted = began.map_or(since, |began| began.floor_to_ms(MINUTE_MS).min(since));
    let (mut failed, mut all) = (0, 0);
    for here in outcomes.iter().filter(|here| here.at >= counted) {
        failed += here.failed;
        all += here.failed + here.succeeded;
    }
    let has_success_since = raised.iter().any(|here| here.at > last && here.succeeded > 0);
    Some(Excursion { since, last, failed, all, sum, likelihood, from_the_start, has_success_since })
}

/// The most likely beginning of a raised rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Beginning {
    /// Its first failure.
    pub(super) since: Timestamp,
    /// See [`Excursion::likelihood`].
    likelihood: f64,
}

/// When the rate was raised: with the failure from which on the share that failed is least likely to be `usual`, as the
/// likelihood ratio against that very share tells.
pub(super) fn beginning(outcomes: &[Outcomes], usual: f64) -> Option<Beginning> {
    /// No share is certain.
    const MOST: f64 = 0.99;
    // What goes well after the last failure belongs to the recovery.
    let end = outcomes.iter().rposition(|here| here.failed > 0)? + 1;
    let (mut failed, mut succeeded) = (0, 0);
    let mut best: Option<Beginning> = None;
    for here in outcomes[..end].iter().rev() {
        failed += here.failed;
        // What went well in the same minute may have come before.
        let share = (failed as f64 / (failed + succeeded).max(1) as f64).clamp(usual, MOST);
        let likelihood = Rates { usual, raised: share }.sum(failed, succeeded);
        // Of equals the earlier.
        if here.failed > 0 && best.is_none_or(|best| likelihood >= best.likelihood) {
            best = Some(Beginning { since: here.at, likelihood });
        }
        succeeded += here.succeeded;
    }
    best
}

/// How long before a trouble a failure may be its first: one that takes longer to grow is dated by when it was there.
pub(super) const FORERUN_MS: i64 = 5 * MINUTE_MS;

/// The first of the failures shortly before `since` that belong to it: a trouble that grows begins with a few, which the
/// likelihood cannot tell from everyday ones. `everyday` is the share that failed in the past, 0 to 1.
pub(super) fn with_forerunners(outcomes: &[Outcomes], since: Timestamp, everyday: f64) -> Timestamp {
    let shortly = outcomes.partition_point(|here| here.at < since.plus_ms(-FORERUN_MS));
    first_of_run(&outcomes[shortly..], since, everyday)
}

/// How many everyday failures may be expected where there is one that is hardly chance.
const CHANCE: f64 = 0.1;

/// The first failure of outcomes that begin with a change which explains those since `since`: the first of all if an
/// everyday one would rarely come so soon, else that of [`first_of_run`].
pub(super) fn first_after_change(outcomes: &[Outcomes], since: Timestamp, everyday: f64) -> Timestamp {
    let first = outcomes.iter().position(|here| here.failed > 0);
    let soon = first.filter(|first| {
        let until: u64 = outcomes[..=*first].iter().map(|here| here.failed + here.succeeded).sum();
        everyday * until as f64 <= CHANCE
    });
    soon.map_or_else(|| first_of_run(outcomes, since, everyday), |first| outcomes[first].at)
}

/// The first of the failures before `since` between which too few went well for everyday ones.
pub(super) fn first_of_run(outcomes: &[Outcomes], since: Timestamp, everyday: f64) -> Timestamp {
    let before = outcomes.iter().rev().filter(|here| here.at < since);
    let (mut first, mut between) = (since, 0);
    for here in before {
        between += here.failed + here.succeeded;
        if everyday * between as f64 > CHANCE {
            break;
        }
        if here.failed > 0 {
            (first, between) = (here.at, 0);
        }
    }
    first
}

/// The first failure from `since` on after which they follow each other as fast as they do now: one on any day, long
/// before, is not the first.
pub(super) fn without_stragglers(outcomes: &[Outcomes], since: Timestamp, now: Timestamp) -> Timestamp {
    /// So many failures would have come in a pause of that length.
    const MISSING: f64 = 8.0;
    /// Shorter is no time to tell how fast they come.
    const SHORTEST_MS: i64 = 30_000;
    let failures = outcomes.iter().filter(|here| here.failed > 0 && here.at >= since);
    let mut left: u64 = failures.clone().map(|here| here.failed).sum();
    let mut first = since;
    for (here, next) in failures.clone().zip(failures.skip(1)) {
        left -= here.failed;
        let pause_ms = next.at.since_ms(here.at) as f64;
        let per_ms = left as f64 / now.since_ms(next.at).max(SHORTEST_MS) as f64;
        if pause_ms * per_ms < MISSING {
            break;
        }
        first = next.at;
    }
    first
}

/// What the cumulative sum tells of an excursion.
#[derive(Clone, Copy)]
struct Cumulated {
    /// When the sum left zero: it began no earlier.
    since: Timestamp,
    /// See [`Excursion::last`].
    last: Timestamp,
    /// See [`Excursion::sum`].
    sum: f64,
    /// See [`Excursion::from_the_start`].
    from_the_start: bool,
}

/// The cumulative sum at the end of the stream; `None` when it is zero there.
fn cumulated(outcomes: &[Outcomes], rates: Rates) -> Option<Cumulated> {
    let (up, down) = rates.steps();
    let mut now: Option<Cumulated> = None;
    let mut succeeded_since = 0;
    for (index, here) in outcomes.iter().enumerate() {
        if here.failed > 0 {
            // What failed and then went well for so long is over: another failure begins anew.
            let is_over = |known: &Cumulated| succeeded_since > 0 && here.at.since_ms(known.last) > QUIET_MS;
            now = now.filter(|known| !is_over(known));
            succeeded_since = 0;
        }
        succeeded_since += here.succeeded;
        let before = now.map_or(0.0, |known| known.sum);
        // Within a minute the order is not known, so the ceiling holds at its end: by then much may have gone well.
        let sum = (before + up * here.failed as f64 + down * here.succeeded as f64).min(CEILING);
        if sum <= 0.0 {
            now = None;
            continue;
        }
        let known =
            now.unwrap_or(Cumulated { since: here.at, last: here.at, sum, from_the_start: index == 0 });
        let last = if here.failed > 0 { here.at } else { known.last };
        now = Some(Cumulated { sum, last, ..known });
    }
    now
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(minutes: &[(u64, u64)]) -> Vec<Outcomes> {
        let at = |minute: i64| Timestamp::from_ms(minute * 60_000);
        (0..)
            .zip(minutes)
            .map(|(minute, &(failed, succeeded))| Outcomes { at: at(minute), failed, succeeded })
            .collect()
    }

    fn excursion(outcomes: &[Outcomes], rates: Rates) -> Option<Excursion> {
        super::excursion(outcomes, rates, None)
    }

    const RATES: Rates = Rates { usual: 0.01, raised: 0.2 };

    fn minute_of(at: Timestamp) -> i64 {
        at.as_ms() / 60_000
    }

    #[test]
    fn a_burst_of_failures_is_dated_by_its_first() {
        let calm = [(0, 20); 30];
        let found = excursion(&stream(&[&calm[..], &[(1, 2), (2, 1), (2, 3)]].concat()), RATES).unwrap();
        assert!(found.sum >= ALARM, "{found:?}");
        assert_eq!((minute_of(found.since), found.failed, found.all), (30, 5, 11));
        assert!(!found.from_the_start);
    }

    #[test]
    fn what_fails_three_times_as_often_stands_out_however_busy_the_stream() {
        let rates = Rates::of_past(100, 1_000, 0.1);
        for busy in [20, 1_000] {
            let of_ten = |failed: u64| (failed * busy / 10, (10 - failed) * busy / 10);
            let found = excursion(&stream(&[of_ten(1), of_ten(1), of_ten(4), of_ten(4)]), rates).unwrap();
            assert!(found.sum >= ALARM, "{busy} a minute: {found:?}");
            assert_eq!(minute_of(found.since), 2);
        }
    }

    #[test]
    fn an_everyday_failure_shortly_before_is_not_the_first() {
        let calm = [(0, 4); 30];
        let outage = [(2, 1), (3, 1), (4, 0), (3, 1)];
        let found = excursion(&stream(&[&calm[..], &[(1, 2), (0, 4)], &outage].concat()), RATES).unwrap();
        assert_eq!((minute_of(found.since), found.failed, found.all), (32, 12, 15));
        let slow = [(1, 3), (1, 2), (2, 2), (2, 3), (2, 2)];
        let found = excursion(&stream(&[&calm[..], &slow].concat()), RATES).unwrap();
        assert_eq!((minute_of(found.since), found.failed), (30, 8), "some fail from the start on");
    }

    #[test]
    fn a_failure_long_before_many_is_a_straggler() {
        let at = |second: i64| Timestamp::from_ms(second * 1_000);
        let stream = |seconds: &[i64]| -> Vec<Outcomes> {
            seconds.iter().map(|&second| Outcomes { at: at(second), failed: 1, succeeded: 0 }).collect()
        };
        let first = |seconds: &[i64], now| without_stragglers(&stream(seconds), at(seconds[0]), at(now));
        assert_eq!(first(&[0, 113, 114, 114, 115, 118, 118], 120), at(113));
        assert_eq!(first(&[0, 200, 330, 331, 332, 332, 333, 333], 335), at(330), "two of them");
        assert_eq!(first(&[0, 37, 161, 200], 200), at(0), "they come slowly");
        assert_eq!(first(&[0], 90), at(0));
    }

    #[test]
    fn a_failure_just_before_many_is_a_forerunner_where_failures_are_rare() {
        let at = |second: i64| Timestamp::from_ms(second * 1_000);
        // One succeeds every 5 s, one of them fails at second 120, and many fail from second 200 on.
        let outcomes: Vec<Outcomes> = (0..60)
            .map(|step| {
                let failed = u64::from(step == 24 || step >= 40);
                Outcomes { at: at(step * 5), failed, succeeded: 1 - failed }
            })
            .collect();
        assert_eq!(with_forerunners(&outcomes, at(200), 0.001), at(120));
        assert_eq!(with_forerunners(&outcomes, at(200), 0.02), at(200), "such failures are everyday");
        assert_eq!(with_forerunners(&outcomes, at(600), 0.0), at(600), "too long before");
        assert_eq!(with_forerunners(&outcomes[30..], at(200), 0.0), at(200), "none before");
    }

    #[test]
    fn what_began_earlier_is_counted_from_then_on() {
        let stream = stream(&[&[(0, 4); 30][..], &[(2, 1), (0, 9), (0, 1), (3, 0)]].concat());
        let began = Some(stream[30].at.plus_ms(20_000));
        let found = super::excursion(&stream, RATES, began).unwrap();
        assert_eq!((minute_of(found.since), found.failed, found.all), (33, 5, 16));
    }

    #[test]
    fn what_goes_well_at_the_end_does_not_change_when_it_began() {
        let begun = [&[(0, 20); 30][..], &[(3, 1), (4, 0), (2, 2), (3, 1)]].concat();
        let recovering = [&begun[..], &[(0, 2); 3]].concat();
        let since = |minutes: &[(u64, u64)]| excursion(&stream(minutes), RATES).unwrap().since;
        assert_eq!(since(&begun), since(&recovering));
    }

    #[test]
    fn single_failures_among_many_successes_are_everyday() {
        let everyday: Vec<_> = (0..600).map(|minute| (u64::from(minute % 10 == 0), 12)).collect();
        let worst = (1..everyday.len())
            .filter_map(|end| excursion(&stream(&everyday[..end]), RATES))
            .map(|found| found.sum)
            .fold(0.0, f64::max);
        assert!(worst < ALARM, "{worst}");
    }

    #[test]
    fn only_what_goes_well_in_a_later_minute_speaks_against_the_last_failure() {
        let has_success = |after: &[(u64, u64)]| {
            let minutes = [&[(0, 20); 30][..], &[(3, 1), (2, 2)], after].concat();
            excursion(&stream(&minutes), RATES).unwrap().has_success_since
        };
        assert!(!has_success(&[]), "which came first within the minute is not known");
        assert!(!has_success(&[(0, 0); 9]));
        assert!(has_success(&[(0, 0), (0, 1)]));
    }

    #[test]
    fn failures_after_a_long_quiet_time_begin_anew() {
        let found = excursion(&stream(&[&[(9, 0)], &[(0, 1); 30][..], &[(6, 0)]].concat()), RATES).unwrap();
        assert_eq!((minute_of(found.since), found.failed, found.all), (31, 6, 6));
        let rare: Vec<_> = (0..60).map(|minute| (u64::from(minute % 15 == 0), 0)).collect();
        let found = excursion(&stream(&rare), RATES).unwrap();
        assert_eq!((minute_of(found.since), found.failed), (0, 4), "nothing went well in between");
    }

    #[test]
    fn it_is_over_soon_after_successes_return_however_long_it_lasted() {
        let long = vec![(10, 1); 300];
        assert!(excursion(&stream(&long), RATES).is_some());
        let recovered = [long, vec![(0, 30); 4]].concat();
        assert_eq!(excursion(&stream(&recovered), RATES), None);
    }

    #[test]
    fn a_stream_that_fails_often_anyway_needs_more_to_stand_out() {
        let rates = Rates::of_past(120, 1_000, 0.02);
        assert!((0.10..0.13).contains(&rates.usual), "{rates:?}");
        let usual: Vec<_> = (0..60).map(|minute| (u64::from(minute % 4 == 0), 2)).collect();
        assert!(excursion(&stream(&usual), rates).is_none_or(|found| found.sum < ALARM));
        let raised = vec![(2, 1); 20];
        assert!(excursion(&stream(&[usual, raised].concat()), rates).unwrap().sum >= ALARM);
    }
}

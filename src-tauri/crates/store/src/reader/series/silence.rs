//! Decides how long polled values hold after polling stops. Pure.
//!
//! An unchanged value is written again only every few minutes, so the last samples of several series may lie minutes
//! apart although one poll confirmed them all. If each held for its own time, they would end one by one, and a sum
//! over them would fall in steps to a figure that never existed. So in a silence of all of them, the first to end
//! ends all.

use super::bucket::HELD_MS;
use super::samples::{Kept, Source};

/// A silence of all series longer than this cannot be the wait for a slow poll.
const QUIET_MS: i64 = 90_000;

/// The last sample before a silence and the moment until which its value holds, both in epoch milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct End {
    pub(super) at: i64,
    pub(super) until: i64,
}

/// A time without samples: from the last sample before it to the first after it.
type Silence = (i64, i64);

/// Sets where each polled series ends in silences shared by all; `to` is the end of the requested range.
pub(super) fn settle(kept: &mut [Kept], to: i64) {
    let polled = kept.iter().filter(|one| one.source == Source::Polled);
    let shared = polled.map(|one| silences(one, to)).reduce(|known, more| common(&known, &more));
    for (from, until) in shared.unwrap_or_default() {
        if until < to && until.saturating_sub(from) <= HELD_MS {
            continue;
        }
        let polled = kept.iter().filter(|one| one.source == Source::Polled);
        let first = polled.filter_map(|one| last_holding(one, from)).min();
        let Some(until) = first.map(|at| at.saturating_add(HELD_MS)) else { continue };
        for one in kept.iter_mut().filter(|one| one.source == Source::Polled) {
            if let Some(at) = last_holding(one, from) {
                one.ends.push(End { at, until });
            }
        }
    }
}

/// Time of the last sample at or before `moment`, if its value still holds then.
fn last_holding(one: &Kept, moment: i64) -> Option<i64> {
    let before = one.samples.partition_point(|sample| sample.at.as_ms() <= moment);
    let last = one.samples.get(before.checked_sub(1)?)?.at.as_ms();
    (last.saturating_add(HELD_MS) >= moment).then_some(last)
}

/// The silences of a series: those between samples longer than `QUIET_MS`, and those before and after all samples.
fn silences(one: &Kept, to: i64) -> Vec<Silence> {
    let Some((first, last)) = one.samples.first().zip(one.samples.last()) else {
        return vec![(i64::MIN, to)];
    };
    let mut found = vec![(i64::MIN, first.at.as_ms())];
    for pair in one.samples.windows(2) {
        if let [one, two] = pair
            && two.at.since_ms(one.at) > QUIET_MS
        {
            found.push((one.at.as_ms(), two.at.as_ms()));
        }
    }
    found.push((last.at.as_ms(), to));
    found
}

/// The common parts of two lists of silences, both ascending.
fn common(one: &[Silence], two: &[Silence]) -> Vec<Silence> {
    let mut both = Vec::new();
    let (mut left, mut right) = (one.iter().peekable(), two.iter().peekable());
    while let (Some((from, until)), Some((other_from, other_until))) = (left.peek(), right.peek()) {
        let (begin, end) = (*from.max(other_from), *until.min(other_until));
        if end.saturating_sub(begin) > QUIET_MS {
            both.push((begin, end));
        }
        if until <= other_until {
            left.next()
        } else {
            right.next()
        };
    }
    both
}

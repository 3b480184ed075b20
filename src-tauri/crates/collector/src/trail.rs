//! Which look-ups in CloudTrail are due, for changes that are still without their maker.
//!
//! Pure. Nothing is asked while nothing changed. One look-up by the name of a call serves every change that such a call
//! can have caused; CloudTrail delivers late, so it is asked again until the maker is named or nothing more is to be
//! expected. What was there when a Region was first seen may have changed just before: for that the calls that matter
//! most are asked for once more.

use std::collections::BTreeMap;

use liftdeck_model::Timestamp;
use liftdeck_model::activity::Activity;
use liftdeck_model::time::TimeRange;
use liftdeck_model::trail::{HISTORY_MS, LOOKS_AFTER_MS, TrailCall, TrailLook, TrailMark};
use liftdeck_store::reader::change::ChangeRow;

/// At most one look-up of a name in a Region within this time.
const NAME_EVERY_MS: i64 = 5 * 60_000;
/// How often to ask again whether this program may ask.
const DENIED_EVERY_MS: i64 = 6 * 3_600_000;
/// How far back to look from the moment a Region was first seen.
const BEFORE_FIRST_MS: i64 = 24 * 3_600_000;
/// A change we made is seen at most this long after it.
const OURS_MS: i64 = 10 * 60_000;

/// Calls asked for when a Region is first seen, those that most often explain trouble first.
const AT_FIRST: [&str; 12] = [
    "UpdateAlias",
    "UpdateFleetCapacity",
    "UpdateMatchmakingConfiguration",
    "StopFleetActions",
    "UpdateGameSessionQueue",
    "UpdateScript",
    "PutScalingPolicy",
    "DeleteScalingPolicy",
    "UpdateRuntimeConfiguration",
    "UpdateContainerFleet",
    "StartFleetActions",
    "CreateFleet",
];

/// What is known when look-ups are planned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known<'a> {
    /// Changes of the Region that are not settled.
    pub(crate) changes: &'a [ChangeRow],
    /// Calls recorded so far.
    pub(crate) calls: &'a [TrailCall],
    /// What this installation changed.
    pub(crate) ours: &'a [Activity],
    /// Look-ups of the Region.
    pub(crate) looks: &'a [TrailLook],
    /// Where the Region stands.
    pub(crate) mark: &'a TrailMark,
    /// Whether what happened before the Region was first seen is asked for.
    pub(crate) is_first_asked: bool,
}

/// Look-ups that are due, and where the Region stands without them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    /// Name and window of each, the most useful first.
    pub(crate) asks: Vec<(&'static str, TimeRange)>,
    /// Changes seen before this moment need no look-up any more.
    pub(crate) settled_at: Timestamp,
}

/// Something whose maker is looked for.
struct Wanted {
    names: &'static [&'static str],
    window: TimeRange,
    seen_at: Timestamp,
}

/// Plans the look-ups that are due at `now`.
pub(crate) fn plan(known: Known<'_>, now: Timestamp) -> Plan {
    let newest = known.looks.last();
    if newest.is_some_and(|look| look.is_denied && now.since_ms(look.asked_at) < DENIED_EVERY_MS) {
        return Plan { asks: Vec::new(), settled_at: known.mark.settled_at };
    }
    let mut windows: BTreeMap<&'static str, TimeRange> = BTreeMap::new();
    let mut settled_at = now;
    for wanted in wanted(known, now) {
        let mut is_settled = true;
        for name in wanted.names {
            let passed = LOOKS_AFTER_MS.iter().rev().find(|after| now.since_ms(wanted.seen_at) >= **after);
            let from = wanted.seen_at.plus_ms(passed.copied().unwrap_or_default());
            let was_asked =
                |from: Timestamp| known.looks.iter().any(|look| look.covers(name, wanted.window, from));
            let last_ms = LOOKS_AFTER_MS.last().copied().unwrap_or_default();
            is_settled &= was_asked(wanted.seen_at.plus_ms(last_ms));
            if was_asked(from) {
                continue;
            }
            let window = windows.entry(name).or_insert(wanted.window);
            *window = TimeRange::new(window.from.min(wanted.window.from), window.to.max(wanted.window.to));
        }
        if !is_settled {
            settled_at = settled_at.min(wanted.seen_at);
        }
    }
    let is_rested = |name: &&str| {
        let last = known.looks.iter().rev().find(|look| look.event_name == **name);
        last.is_none_or(|last| !(0..NAME_EVERY_MS).contains(&now.since_ms(last.asked_at)))
    };
    let mut asks: Vec<(&'static str, TimeRange)> =
        windows.into_iter().filter(|(name, _)| is_rested(name)).collect();
    let oldest = now.plus_ms(-HISTORY_MS);
    for (_, window) in &mut asks {
        *window = TimeRange::new(window.from.max(oldest), window.to.max(oldest));
    }
    let place = |name: &str| AT_FIRST.iter().position(|first| *first == name).unwrap_or(AT_FIRST.len());
    asks.sort_by_key(|(name, _)| place(name));
    Plan { asks, settled_at }
}

fn wanted(known: Known<'_>, now: Timestamp) -> Vec<Wanted> {
    let is_old = |window: TimeRange| now.since_ms(window.to) > HISTORY_MS;
    let begun = known.mark.begun_at;
    let first = Wanted {
        names: &AT_FIRST,
        window: TimeRange::new(begun.plus_ms(-BEFORE_FIRST_MS), begun),
        seen_at: begun,
    };
    let is_first = known.is_first_asked && known.mark.settled_at <= begun;
    let nameless = known.changes.iter().filter(|row| {
        !known.calls.iter().any(|call| row.is_made_by(call))
            && !known.ours.iter().any(|one| is_ours(row, one))
    });
    let of_change = |row: &ChangeRow| {
        let window = row.made_in();
        Wanted { names: row.footprint().calls(), window, seen_at: row.seen_at }
    };
    let wanted = nameless.map(of_change).chain(is_first.then_some(first));
    wanted.filter(|it| !it.names.is_empty() && !is_old(it.window)).collect()
}

/// Whether this installation changed the resource shortly before. Whether it made this very change is for others to
/// say; nobody else needs to be looked for until then.
fn is_ours(row: &ChangeRow, activity: &Activity) -> bool {
    let done = activity.ended_at.unwrap_or(activity.at);
    let resource = activity.action.request.resource();
    let is_it = row.resource == resource.id
        || row.fleet_id.as_ref().is_some_and(|fleet| fleet.as_str() == resource.id)
        || activity.made.as_deref() == Some(row.resource.as_str());
    let calls = row.footprint().calls();
    row.region == activity.region
        && is_it
        && calls.contains(&activity.action.request.operation())
        && row.seen_at >= activity.at
        && row.seen_at.since_ms(done) <= OURS_MS
}

#[cfg(test)]
mod tests;

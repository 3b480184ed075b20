//! What is known, and as of when: without fresh data about a Region nothing can be called well there.
//!
//! Owns the judgement whether there is data. Deliberately judges nothing else, and looks at the poll ledger alone, so
//! that it holds for every host, whether or not anything is being collected.

use std::collections::{BTreeMap, BTreeSet};

use liftdeck_model::observation::{PollKind, PollSubject};
use liftdeck_model::time::DAY_MS;
use liftdeck_model::{Region, Timestamp};
use liftdeck_store::reader::freshness::late_after_ms;
use liftdeck_store::{Judged, LedgerLine, Reader};
use serde::{Deserialize, Serialize};
use specta::Type;

/// Where data about a Region comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Source {
    /// Attributes of fleets.
    Fleets,
    /// Locations of fleets.
    Locations,
    /// Capacity of fleets.
    Capacity,
    /// Utilization of fleets: their server processes.
    Utilization,
    /// Scaling policies.
    ScalingPolicies,
    /// The account's instance limits.
    InstanceLimits,
    /// Game sessions.
    GameSessions,
    /// Events of fleets.
    FleetEvents,
    /// Queues.
    Queues,
    /// Aliases.
    Aliases,
    /// Events of placements and matches, from an event queue.
    EventQueue,
}

impl Source {
    /// Every source, in the order they are shown.
    pub const ALL: [Self; 11] = [
        Self::Fleets,
        Self::Locations,
        Self::Capacity,
        Self::Utilization,
        Self::ScalingPolicies,
        Self::InstanceLimits,
        Self::GameSessions,
        Self::FleetEvents,
        Self::Queues,
        Self::Aliases,
        Self::EventQueue,
    ];

    pub(crate) const fn poll(self) -> PollKind {
        match self {
            Self::Fleets => PollKind::Fleets,
            Self::Locations => PollKind::FleetLocations,
            Self::Capacity => PollKind::FleetCapacity,
            Self::Utilization => PollKind::FleetUtilization,
            Self::ScalingPolicies => PollKind::ScalingPolicies,
            Self::InstanceLimits => PollKind::InstanceLimits,
            Self::GameSessions => PollKind::GameSessions,
            Self::FleetEvents => PollKind::FleetEvents,
            Self::Queues => PollKind::Queues,
            Self::Aliases => PollKind::Aliases,
            Self::EventQueue => PollKind::EventFeed,
        }
    }
}

/// What is known from one source about one Region.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SourceKnown {
    /// Source.
    pub source: Source,
    /// The oldest confirmation of what it consists of; `None` while some of it was never read.
    pub as_of: Option<Timestamp>,
    /// Whether it is too old, or was never read.
    pub is_late: bool,
    /// Whether some of it is still to be read for the first time, such as a new fleet.
    pub is_unread: bool,
    /// Why it could not be read, if that failed.
    pub failure: Option<String>,
}

/// What is known about one Region.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RegionKnown {
    /// Region.
    pub region: Region,
    /// When anything of it was last read; `None` if never.
    pub last_read: Option<Timestamp>,
    /// Since when nothing of it can be read; `None` while something can.
    pub blind_since: Option<Timestamp>,
    /// Why, if it is blind.
    pub failure: Option<String>,
    /// How many things could not be read since.
    pub failed: u32,
    /// Each source there is.
    pub sources: Vec<SourceKnown>,
}

/// What is known about all Regions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Knowledge {
    /// Each Region that was ever asked about.
    pub regions: Vec<RegionKnown>,
    /// Since when nothing can be read of any Region; `None` while something can.
    pub blind_since: Option<Timestamp>,
    /// When alerts were last judged; `None` if never.
    pub judged_at: Option<Timestamp>,
    /// Whether everything is fresh and was judged as such: only then may anything be called well.
    pub is_complete: bool,
}

impl Knowledge {
    /// Whether there is fresh data from every source of every Region.
    #[must_use]
    pub fn is_fresh(&self) -> bool {
        let is_fresh = |region: &RegionKnown| {
            region.blind_since.is_none()
                && region.sources.iter().all(|source| !source.is_late && !source.is_unread)
        };
        !self.regions.is_empty() && self.regions.iter().all(is_fresh)
    }

    /// Whether AWS has never answered anything: no list is then known to be empty.
    #[must_use]
    pub fn is_never_read(&self) -> bool {
        self.regions.iter().all(|region| region.last_read.is_none())
    }
}

/// A Region whose calls fail counts as blind this long after the last answer. Long enough for one retry, short enough
/// that nobody is told all is well for long.
const BLIND_MS: i64 = 10_000;
/// Calls that are under way together end within this time.
const AT_ONCE_MS: i64 = 15_000;
/// If only one thing fails, it may be its own fault for this long.
const ONE_FAILS_MS: i64 = 20_000;
/// Alerts are judged every few seconds. After this they are not judged any more.
const JUDGED_MS: i64 = 60_000;

/// Reads from the poll ledger what is known at `now`.
pub fn knowledge(reader: &Reader, now: Timestamp) -> Knowledge {
    of_lines(reader.ledger(), reader.unread(), reader.judged(), now)
}

/// What was asked for in a Region, and the kinds of what will be and never was.
#[derive(Debug, Default)]
struct Known {
    lines: Vec<LedgerLine>,
    unread: BTreeSet<PollKind>,
}

fn of_lines(
    ledger: Vec<LedgerLine>,
    unread: Vec<(Region, PollSubject)>,
    judged: Judged,
    now: Timestamp,
) -> Knowledge {
    let mut by_region: BTreeMap<Region, Known> = BTreeMap::new();
    for line in ledger {
        by_region.entry(line.region.clone()).or_default().lines.push(line);
    }
    for (region, subject) in unread {
        by_region.entry(region).or_default().unread.insert(subject.kind);
    }
    let regions: Vec<RegionKnown> =
        by_region.into_iter().map(|(region, known)| of_region(region, &known, now)).collect();
    let blind_since = regions
        .iter()
        .map(|region| region.blind_since)
        .collect::<Option<Vec<_>>>()
        .and_then(|all| all.into_iter().max());
    let is_judged = judged.is_whole && judged.at.is_some_and(|at| now.since_ms(at) <= JUDGED_MS);
    let known = Knowledge { regions, blind_since, judged_at: judged.at, is_complete: false };
    Knowledge { is_complete: is_judged && known.is_fresh(), ..known }
}

fn of_region(region: Region, known: &Known, now: Timestamp) -> RegionKnown {
    let lines = &known.lines;
    // Queues and CloudTrail are read by other services, which may answer while GameLift does not.
    let elsewhere = |kind: PollKind| matches!(kind, PollKind::EventFeed | PollKind::Trail);
    let asked = || lines.iter().filter(|line| !elsewhere(line.subject.kind));
    let last_read = asked().filter_map(|line| line.confirmed_at).max();
    // What failed long before the last answer has a reason of its own, such as a missing permission. Calls under way
    // when an endpoint dies may end in any order.
    let failing: Vec<&LedgerLine> = asked()
        .filter(|line| {
            let began = |since: Timestamp| last_read.is_none_or(|read| read.since_ms(since) <= AT_ONCE_MS);
            line.failing_since.is_some_and(began)
        })
        .collect();
    let first_failure = failing.iter().filter_map(|line| line.failing_since).min();
    let silent_ms = now.since_ms(last_read.or(first_failure).unwrap_or(now));
    let lasts = first_failure.is_some_and(|first| now.since_ms(first) >= ONE_FAILS_MS);
    let nothing_answers = silent_ms >= BLIND_MS && (failing.len() > 1 || lasts);
    let nobody_looks = last_read.is_some_and(|read| now.since_ms(read) > late_after_ms(PollKind::Fleets));
    let is_blind = nothing_answers || nobody_looks;
    // Always the same one, so that what is kept of it does not change with each call that fails.
    let first = failing.iter().min_by_key(|line| (line.failing_since, &line.subject.resource));
    let sources: Vec<SourceKnown> =
        Source::ALL.into_iter().filter_map(|source| of_source(source, known, now)).collect();
    RegionKnown {
        region,
        last_read,
        blind_since: is_blind.then(|| last_read.or(first_failure).unwrap_or(now)),
        failure: first.filter(|_| is_blind).and_then(|line| line.failure.clone()),
        failed: u32::try_from(failing.len()).unwrap_or(u32::MAX),
        sources,
    }
}

/// `None` when the Region has no such source, as one without fleets or without an event queue.
fn of_source(source: Source, known: &Known, now: Timestamp) -> Option<SourceKnown> {
    /// A line last asked this long ago belongs to something that is gone.
    const FORGOTTEN_MS: i64 = DAY_MS;
    let kind = source.poll();
    let is_unread = known.unread.contains(&kind);
    let of_kind: Vec<&LedgerLine> = known
        .lines
        .iter()
        .filter(|line| line.subject.kind == kind && now.since_ms(line.asked_at) <= FORGOTTEN_MS)
        .collect();
    if of_kind.is_empty() && !is_unread && source != Source::Fleets {
        return None;
    }
    let as_of = of_kind.iter().map(|line| line.confirmed_at).min().flatten();
    let failing = of_kind.iter().filter(|line| line.failing_since.is_some());
    let is_late = as_of.is_none_or(|as_of| now.since_ms(as_of) > late_after_ms(kind));
    Some(SourceKnown {
        source,
        as_of,
        is_late,
        is_unread,
        failure: failing.max_by_key(|line| line.asked_at).and_then(|line| line.failure.clone()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_ms(1_772_618_400_000);

    fn line(region: &str, kind: PollKind, confirmed_s: Option<i64>, failing_s: Option<i64>) -> LedgerLine {
        let ago = |seconds: i64| NOW.plus_ms(-seconds * 1_000);
        LedgerLine {
            region: region.into(),
            subject: PollSubject { kind, resource: String::new() },
            asked_at: failing_s.map_or_else(|| ago(confirmed_s.unwrap_or(0)), |_| ago(1)),
            confirmed_at: confirmed_s.map(ago),
            took_ms: 10,
            failure: failing_s.map(|_| "no answer".to_owned()),
            failing_since: failing_s.map(ago),
            watched_since: None,
        }
    }

    fn fresh(region: &str) -> Vec<LedgerLine> {
        let kinds = [PollKind::Fleets, PollKind::FleetCapacity, PollKind::GameSessions];
        kinds.into_iter().map(|kind| line(region, kind, Some(4), None)).collect()
    }

    /// Judged just now, with nothing missing.
    const WHOLE: Judged = Judged { at: Some(NOW), is_whole: true };

    fn judged(lines: &[LedgerLine]) -> Knowledge {
        of_lines(lines.to_vec(), Vec::new(), WHOLE, NOW)
    }

    #[test]
    fn what_was_judged_while_something_was_missing_or_long_ago_is_not_complete() {
        let before = NOW.plus_ms(-120_000);
        for (at, is_whole) in [(NOW, false), (before, true)] {
            let known = of_lines(fresh("eu-west-1"), Vec::new(), Judged { at: Some(at), is_whole }, NOW);
            assert!(known.is_fresh() && !known.is_complete, "{known:?}");
            assert_eq!(known.judged_at, Some(at));
        }
    }

    #[test]
    fn what_is_still_to_be_read_for_the_first_time_is_missing() {
        let (old, new) = ("eu-west-1", "us-east-1");
        for (kind, region) in
            [(PollKind::GameSessions, old), (PollKind::EventFeed, old), (PollKind::Fleets, new)]
        {
            let unread = (region.into(), PollSubject { kind, resource: "new".to_owned() });
            let known = of_lines(fresh("eu-west-1"), vec![unread], WHOLE, NOW);
            let region = known.regions.iter().find(|known| known.region.as_str() == region).expect("known");
            let source = region.sources.iter().find(|known| known.source.poll() == kind).expect("known");
            assert!(source.is_unread && source.failure.is_none(), "{source:?}");
            assert!(!known.is_complete, "{known:?}");
        }
    }

    #[test]
    fn everything_fresh_and_judged_is_complete() {
        let known = judged(&[fresh("eu-west-1"), fresh("us-east-1")].concat());
        assert!(known.is_complete, "{known:?}");
        assert_eq!((known.blind_since, known.regions.len()), (None, 2));
    }

    #[test]
    fn before_the_first_answer_nothing_is_known() {
        assert!(!judged(&[]).is_complete);
        let never = vec![line("eu-west-1", PollKind::Fleets, None, Some(2))];
        let known = judged(&never);
        assert!(!known.is_complete);
        assert_eq!(known.regions[0].last_read, None);
    }

    #[test]
    fn an_endpoint_that_answers_nothing_makes_a_region_blind_within_seconds() {
        let mut lines = fresh("eu-west-1");
        lines[0] = line("eu-west-1", PollKind::Fleets, Some(20), Some(12));
        lines[1] = line("eu-west-1", PollKind::FleetCapacity, Some(15), Some(11));
        lines[2] = line("eu-west-1", PollKind::GameSessions, Some(18), None);
        let known = judged(&[lines, fresh("us-east-1")].concat());
        let blind = &known.regions[0];
        assert_eq!(blind.blind_since, Some(NOW.plus_ms(-15_000)), "since the last answer");
        assert_eq!((blind.failed, blind.failure.as_deref()), (2, Some("no answer")));
        assert!(!known.is_complete);
        assert_eq!(known.blind_since, None, "the other Region answers");
    }

    #[test]
    fn calls_that_ended_well_just_after_the_first_failure_hide_nothing() {
        let mut lines = fresh("eu-west-1");
        lines[0] = line("eu-west-1", PollKind::Fleets, Some(60), Some(16));
        lines[1] = line("eu-west-1", PollKind::FleetCapacity, Some(60), Some(16));
        lines[2] = line("eu-west-1", PollKind::GameSessions, Some(15), None);
        let known = judged(&lines);
        assert_eq!(known.blind_since, Some(NOW.plus_ms(-15_000)));
    }

    #[test]
    fn one_call_that_fails_while_others_work_blinds_nothing() {
        let mut lines = fresh("eu-west-1");
        lines[1] = line("eu-west-1", PollKind::FleetCapacity, Some(40), Some(30));
        let known = judged(&lines);
        assert_eq!(known.regions[0].blind_since, None);
    }

    #[test]
    fn a_database_nobody_collects_into_is_blind_since_its_last_answer() {
        let old = |kind| line("eu-west-1", kind, Some(3_600), None);
        let known = judged(&[old(PollKind::Fleets), old(PollKind::GameSessions)]);
        assert_eq!(known.blind_since, Some(NOW.plus_ms(-3_600_000)));
        assert_eq!(known.regions[0].failure, None);
    }
}

//! How old what is shown is: the poll ledger read as an age. Deliberately knows no schedule; how late is too late
//! follows from the slowest pace each kind is asked at.

use liftdeck_model::Timestamp;
use liftdeck_model::observation::PollKind;
use serde::{Deserialize, Serialize};
use specta::Type;

use super::Reader;

/// When rows were last confirmed against AWS, and whether that is late.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Freshness {
    /// The oldest of the confirmations the rows rest on; `None` when one of them never came, or when it lies ahead of the
    /// computer's clock, so that its age cannot be told.
    pub as_of: Option<Timestamp>,
    /// Whether a confirmation is overdue.
    pub stale: bool,
}

/// Which ledger lines rows rest on.
#[derive(Clone, Copy, Debug)]
pub enum Basis<'a> {
    /// Every resource of the kind.
    All(PollKind),
    /// One fleet, game session, queue URL or series.
    One(PollKind, &'a str),
}

/// Age in milliseconds from which a confirmation of that kind is overdue: three times the pace at which the
/// collector asks for what nobody looks at.
pub const fn late_after_ms(kind: PollKind) -> i64 {
    match kind {
        PollKind::FleetEvents => 2 * 60_000,
        PollKind::Fleets
        | PollKind::FleetCapacity
        | PollKind::FleetUtilization
        | PollKind::GameSessions
        | PollKind::EventFeed => 3 * 60_000,
        PollKind::FleetLocations | PollKind::Aliases => 6 * 60_000,
        PollKind::Computes | PollKind::ScalingPolicies | PollKind::Queues => 9 * 60_000,
        PollKind::PlayerSessions
        | PollKind::FleetConfiguration
        | PollKind::MatchmakingConfigurations
        | PollKind::MatchmakingRuleSets
        | PollKind::Builds
        | PollKind::Scripts
        | PollKind::Metrics => 15 * 60_000,
        PollKind::EndedGameSessions => 3 * 86_400_000,
    }
}

/// A confirmation may lie so far ahead of the moment a question was asked at; further, one of the two clocks was wrong.
const AHEAD_MS: i64 = 60_000;

impl Freshness {
    /// The freshness of rows that rest on confirmations of one kind.
    pub(super) fn of(kind: PollKind, as_of: Option<Timestamp>, now: Timestamp) -> Self {
        let as_of = as_of.filter(|as_of| as_of.since_ms(now) <= AHEAD_MS);
        let stale = as_of.is_none_or(|as_of| now.since_ms(as_of) > late_after_ms(kind));
        Self { as_of, stale }
    }

    /// The freshness of rows that rest on both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let as_of = match (self.as_of, other.as_of) {
            (Some(one), Some(two)) => Some(one.min(two)),
            _ => None,
        };
        Self { as_of, stale: self.stale || other.stale }
    }
}

impl Reader {
    /// How old the rows are that rest on `basis`: the oldest confirmation of its ledger lines. A line that has
    /// failed for a day (a deleted fleet's) no longer counts.
    pub fn freshness(&self, basis: Basis<'_>, now: Timestamp) -> Freshness {
        const FORGOTTEN_MS: i64 = 86_400_000;
        let (kind, resource) = match basis {
            Basis::All(kind) => (kind, None),
            Basis::One(kind, resource) => (kind, Some(resource)),
        };
        let mut oldest: Option<Option<Timestamp>> = None;
        for line in self.polls(kind) {
            if resource.is_some_and(|wanted| wanted != line.subject.resource) {
                continue;
            }
            let forgotten = now.since_ms(line.asked_at) > FORGOTTEN_MS
                || line.failing_since.is_some_and(|since| now.since_ms(since) > FORGOTTEN_MS);
            if resource.is_none() && forgotten {
                continue;
            }
            oldest = Some(match oldest {
                None => line.confirmed_at,
                Some(known) => known.zip(line.confirmed_at).map(|(one, two)| one.min(two)),
            });
        }
        Freshness::of(kind, oldest.flatten(), now)
    }
}

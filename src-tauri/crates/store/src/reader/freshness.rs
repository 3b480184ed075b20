//! The age of displayed data, read from the poll ledger. Deliberately knows no schedule: when a kind is overdue
//! follows from the slowest pace at which it is polled.

use liftdeck_model::Timestamp;
use liftdeck_model::observation::PollKind;
use liftdeck_model::time::DAY_MS;
use serde::{Deserialize, Serialize};
use specta::Type;

use super::Reader;

/// When rows were last confirmed against AWS, and whether that is late.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Freshness {
    /// The oldest of the confirmations the rows depend on. `None` if one of them is missing, or if it lies ahead of
    /// the computer's clock, so that its age is unknown.
    pub as_of: Option<Timestamp>,
    /// Whether a confirmation is overdue.
    pub stale: bool,
}

/// For how long a resource has been watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watched {
    /// Since when it has been read completely again and again, without a long break.
    pub since: Timestamp,
    /// When the last complete poll began.
    pub read_from: Timestamp,
}

/// The ledger lines that rows depend on.
#[derive(Clone, Copy, Debug)]
pub enum Basis<'a> {
    /// Every resource of the kind.
    All(PollKind),
    /// One fleet, game session, queue URL or series.
    One(PollKind, &'a str),
}

/// Age in milliseconds from which a confirmation of that kind is overdue: three times the interval at which the
/// collector polls data nobody is looking at.
pub const fn late_after_ms(kind: PollKind) -> i64 {
    match kind {
        PollKind::FleetEvents => 2 * 60_000,
        PollKind::Fleets
        | PollKind::FleetCapacity
        | PollKind::FleetUtilization
        | PollKind::GameSessions
        | PollKind::Queues
        | PollKind::Aliases
        | PollKind::EventFeed => 3 * 60_000,
        PollKind::FleetLocations | PollKind::MatchmakingConfigurations => 6 * 60_000,
        PollKind::Computes | PollKind::ScalingPolicies => 9 * 60_000,
        PollKind::PlayerSessions
        | PollKind::FleetConfiguration
        | PollKind::MatchmakingRuleSets
        | PollKind::InstanceLimits
        | PollKind::Builds
        | PollKind::Scripts
        | PollKind::Metrics
        | PollKind::Trail
        | PollKind::FailedPlacements => 15 * 60_000,
        PollKind::EndedGameSessions => 3 * 86_400_000,
    }
}

/// How far a confirmation may lie ahead of the time of the query. Beyond this, one of the two clocks was wrong.
const AHEAD_MS: i64 = 60_000;

impl Freshness {
    /// The freshness of rows that depend on confirmations of one kind.
    pub(super) fn of(kind: PollKind, as_of: Option<Timestamp>, now: Timestamp) -> Self {
        let as_of = as_of.filter(|as_of| as_of.since_ms(now) <= AHEAD_MS);
        let stale = as_of.is_none_or(|as_of| now.since_ms(as_of) > late_after_ms(kind));
        Self { as_of, stale }
    }

    /// The freshness of rows that depend on both.
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
    /// From when on a resource has been read again and again, and when the last complete poll of it began: what lists
    /// show may have been read since then. `None` if it was never read.
    pub fn watched(&self, kind: PollKind, resource: &str) -> Option<Watched> {
        let line = self.ledger.line_of(kind, resource)?;
        let read_from = line.confirmed_at?.plus_ms(-line.took_ms);
        Some(Watched { since: line.watched_since.unwrap_or(read_from), read_from })
    }

    /// The freshness of rows that depend on `basis`: the oldest confirmation of its ledger lines. For a whole kind, a
    /// line that has failed for a day or was last asked a day ago (a deleted fleet's) no longer counts.
    pub fn freshness(&self, basis: Basis<'_>, now: Timestamp) -> Freshness {
        const FORGOTTEN_MS: i64 = DAY_MS;
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

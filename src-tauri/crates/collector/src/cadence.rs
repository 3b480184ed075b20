//! How often each kind of data is polled. Deliberately holds numbers only: `schedule` decides what is due.

use std::collections::BTreeMap;

use liftdeck_model::observation::PollKind;

/// Polling intervals of one kind: milliseconds between the starts of two polls of the same resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// While the resource is on screen.
    pub on_screen_ms: i64,
    /// Otherwise. Also the age beyond which displayed data counts as stale.
    pub otherwise_ms: i64,
}

impl Pace {
    const fn seconds(on_screen: i64, otherwise: i64) -> Self {
        Self { on_screen_ms: on_screen * 1_000, otherwise_ms: otherwise * 1_000 }
    }

    /// The interval to use, depending on whether the resource is on screen.
    pub const fn interval_ms(self, on_screen: bool) -> i64 {
        if on_screen { self.on_screen_ms } else { self.otherwise_ms }
    }
}

/// The pace of every kind.
///
/// By default, live figures are polled every 20 s on screen and every minute otherwise: AWS shows a change of
/// capacity within a minute, and 50 fleets in a Region then stay within 20 % of the published rates (reference, G1).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cadence {
    own: BTreeMap<PollKind, Pace>,
}

impl Cadence {
    /// Overrides the pace of one kind. Intervals below 1 s are raised to 1 s.
    #[must_use]
    pub fn with(mut self, kind: PollKind, pace: Pace) -> Self {
        let pace =
            Pace { on_screen_ms: pace.on_screen_ms.max(1_000), otherwise_ms: pace.otherwise_ms.max(1_000) };
        self.own.insert(kind, pace);
        self
    }

    /// The pace of a kind.
    pub fn pace(&self, kind: PollKind) -> Pace {
        self.own.get(&kind).copied().unwrap_or_else(|| default_pace(kind))
    }
}

const fn default_pace(kind: PollKind) -> Pace {
    match kind {
        PollKind::Fleets => Pace::seconds(60, 60),
        PollKind::FleetCapacity | PollKind::FleetUtilization | PollKind::GameSessions => {
            Pace::seconds(20, 60)
        }
        PollKind::FleetEvents => Pace::seconds(30, 30),
        PollKind::Computes => Pace::seconds(30, 180),
        PollKind::FleetLocations => Pace::seconds(60, 120),
        // One call or a few: what people change here is often why players wait.
        PollKind::Queues | PollKind::Aliases => Pace::seconds(60, 60),
        PollKind::MatchmakingConfigurations => Pace::seconds(60, 120),
        PollKind::ScalingPolicies => Pace::seconds(60, 180),
        PollKind::FleetConfiguration => Pace::seconds(120, 300),
        // Every minute it looks whether a location lacks instances; else it asks every fifth.
        PollKind::InstanceLimits => Pace::seconds(60, 60),
        PollKind::MatchmakingRuleSets | PollKind::Builds | PollKind::Scripts => Pace::seconds(300, 300),
        PollKind::Metrics => Pace::seconds(60, 300),
        // Nothing is sent unless a change is without its maker.
        PollKind::Trail => Pace::seconds(30, 30),
        // Nothing is sent unless a placement failed.
        PollKind::FailedPlacements => Pace::seconds(10, 10),
        // Player sessions and feeds are driven by changes; this is their slowest pace.
        PollKind::PlayerSessions | PollKind::EventFeed => Pace::seconds(5, 5),
        // Once at the first connection, then daily, for sessions that began and ended between two polls.
        PollKind::EndedGameSessions => Pace::seconds(86_400, 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_on_screen_is_never_asked_less_often() {
        for kind in
            [PollKind::Fleets, PollKind::GameSessions, PollKind::Metrics, PollKind::FleetConfiguration]
        {
            let pace = Cadence::default().pace(kind);
            assert!(pace.interval_ms(true) <= pace.interval_ms(false), "{kind:?}");
        }
    }

    #[test]
    fn a_pace_of_ones_own_holds_but_not_below_a_second() {
        let cadence =
            Cadence::default().with(PollKind::Fleets, Pace { on_screen_ms: 10, otherwise_ms: 5_000 });
        assert_eq!(cadence.pace(PollKind::Fleets), Pace { on_screen_ms: 1_000, otherwise_ms: 5_000 });
        assert_eq!(cadence.pace(PollKind::Builds), default_pace(PollKind::Builds));
    }
}

//! Scenarios: the incidents that the world can play, by name.
//!
//! Owns the list, the names and what an operator should notice. The script of a scenario, which the world reads,
//! defines what it does to demand and capacity.

use std::fmt;
use std::str::FromStr;

/// A scripted course of events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scenario {
    /// A normal day without incident.
    #[default]
    Quiet,
    /// Several times the usual number of players arrive; capacity follows late.
    LaunchDay,
    /// A busy fleet has reached its own maximum.
    CappedFleet,
    /// A new build crashes its server processes.
    BadBuild,
    /// Spot interrupts most instances of the Spot fleets at once.
    SpotStorm,
    /// Events no longer reach the queues as they should.
    FeedBroken,
    /// The game's own backend uses up the request rates.
    Throttled,
    /// As many resources as a very large account has.
    Huge,
}

impl Scenario {
    /// Every scenario, in the order they are listed to people.
    pub const ALL: &[Scenario] = &[
        Scenario::Quiet,
        Scenario::LaunchDay,
        Scenario::CappedFleet,
        Scenario::BadBuild,
        Scenario::SpotStorm,
        Scenario::FeedBroken,
        Scenario::Throttled,
        Scenario::Huge,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Quiet => "quiet",
            Self::LaunchDay => "launch-day",
            Self::CappedFleet => "capped-fleet",
            Self::BadBuild => "bad-build",
            Self::SpotStorm => "spot-storm",
            Self::FeedBroken => "feed-broken",
            Self::Throttled => "throttled",
            Self::Huge => "huge",
        }
    }

    /// Whether the first region has a newer fleet beside its main one, to which its alias can be repointed.
    pub(crate) fn has_newer_fleet(self) -> bool {
        matches!(self, Self::LaunchDay | Self::BadBuild)
    }

    /// What an operator should notice.
    pub fn description(self) -> &'static str {
        match self {
            Self::Quiet => {
                "A normal day: sessions and players follow the daily curve, capacity scales up and down, with a few \
                 crashes, interruptions and timed-out placements."
            }
            Self::LaunchDay => {
                "Demand climbs to several times normal within minutes. Free processes run out before new \
                 instances are ready; placements queue up, some time out. The live alias of eu-west-1 was \
                 repointed to a new fleet shortly before, and the Realtime script was updated."
            }
            Self::CappedFleet => {
                "The main fleet of eu-west-1 is at its maximum with no free process. Scaling cannot help: \
                 placements of its queue time out until the maximum is raised."
            }
            Self::BadBuild => {
                "The live alias of eu-west-1 was repointed to a fleet with build 1.43.0-rc.1 a few minutes ago. \
                 Most of its server processes crash within a minute and a half of a session's start: crash events \
                 every few seconds, sessions that end at once, abnormal terminations in the metrics. The \
                 previous fleet still exists; the alias can be pointed back."
            }
            Self::SpotStorm => {
                "Spot gives notice to most instances of the Spot fleets of eu-west-1 and us-east-1 within minutes. \
                 Their sessions end as INTERRUPTED two minutes after the notice, the fleets start instances that \
                 are interrupted again, and placements fall back to the On-Demand fleets."
            }
            Self::FeedBroken => {
                "Everything plays as on a quiet day, but events do not arrive: in eu-west-1 the queue is no longer \
                 subscribed to its topics, in ap-northeast-1 the queue's policy no longer lets them in, and in \
                 us-east-1 messages other than events arrive. Placements and matches go on unseen."
            }
            Self::Throttled => {
                "The game's own backend polls sessions, placements and tickets in eu-west-1 up to the published \
                 rates, in waves of twenty seconds. Everyone else's calls are refused with ThrottlingException \
                 most of the time; other regions answer as usual."
            }
            Self::Huge => {
                "Ten regions with two hundred fleets, about 50 000 active sessions and 400 000 players. Nothing is \
                 wrong; everything has to stay quick. Sessions that ended before the last hour are not kept."
            }
        }
    }
}

impl fmt::Display for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for a name that is not a scenario.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no scenario '{name}'; known are {}", known())]
pub struct UnknownScenario {
    /// The name that was given.
    pub name: String,
}

fn known() -> String {
    Scenario::ALL.iter().map(|scenario| scenario.name()).collect::<Vec<_>>().join(", ")
}

impl FromStr for Scenario {
    type Err = UnknownScenario;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .iter()
            .copied()
            .find(|scenario| scenario.name() == name)
            .ok_or_else(|| UnknownScenario { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scenario_is_found_by_its_own_name() {
        for &scenario in Scenario::ALL {
            assert_eq!(scenario.to_string().parse(), Ok(scenario));
            assert!(scenario.description().len() > 40);
        }
    }

    #[test]
    fn an_unknown_name_is_refused_with_the_known_ones() {
        let error = "noisy".parse::<Scenario>().unwrap_err().to_string();
        assert!(error.contains("'noisy'") && error.contains("launch-day"), "{error}");
    }
}

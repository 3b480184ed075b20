//! Scenarios: the incidents that the world can play, by name.
//!
//! Owns the list, the names, which two can be played at once, and what an operator should notice. The script of a
//! scenario, which the world reads, defines what it does to demand and capacity.

mod mixture;

use std::fmt;
use std::str::FromStr;

pub use mixture::Mixture;

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
    /// The live alias of eu-west-1 was repointed to a fleet that is far too small.
    WrongAlias,
    /// The maximum of a busy location was lowered.
    LoweredMax,
    /// The account has no more instances of a type in a location.
    Limit,
    /// A matchmaking configuration uses a rule set that no match satisfies.
    BadRules,
    /// Game sessions take far too long to become ACTIVE in one Region.
    SlowRegion,
    /// Server processes do not end their game sessions.
    Leak,
    /// One incident of every kind after the other, for ten days.
    Incidents,
    /// As many resources as a very large account has.
    Huge,
    /// Two of the others at once.
    Mixture(&'static Mixture),
}

impl Scenario {
    /// Every scenario, in the order they are listed to people. Mixtures are not listed.
    pub const ALL: &[Scenario] = &[
        Scenario::Quiet,
        Scenario::LaunchDay,
        Scenario::CappedFleet,
        Scenario::BadBuild,
        Scenario::SpotStorm,
        Scenario::FeedBroken,
        Scenario::Throttled,
        Scenario::WrongAlias,
        Scenario::LoweredMax,
        Scenario::Limit,
        Scenario::BadRules,
        Scenario::SlowRegion,
        Scenario::Leak,
        Scenario::Incidents,
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
            Self::WrongAlias => "wrong-alias",
            Self::LoweredMax => "lowered-max",
            Self::Limit => "limit",
            Self::BadRules => "bad-rules",
            Self::SlowRegion => "slow-region",
            Self::Leak => "leak",
            Self::Incidents => "incidents",
            Self::Huge => "huge",
            Self::Mixture(mixture) => mixture.name(),
        }
    }

    /// The scenarios it plays: itself, or the two of a mixture in the order of [`Scenario::ALL`].
    pub fn parts(&self) -> &[Scenario] {
        match self {
            Self::Mixture(mixture) => mixture.parts(),
            one => std::slice::from_ref(one),
        }
    }

    /// Whether it plays this scenario, alone or with another.
    pub fn plays(self, part: Scenario) -> bool {
        self.parts().contains(&part)
    }

    /// Whether the first region has a newer fleet beside its main one, to which its alias can be repointed.
    pub(crate) fn has_newer_fleet(self) -> bool {
        [Self::LaunchDay, Self::BadBuild, Self::Incidents].into_iter().any(|part| self.plays(part))
    }

    /// Whether the first region has a small fleet for invited players beside its main one.
    pub(crate) fn has_canary(self) -> bool {
        self.plays(Self::WrongAlias) || self.plays(Self::Incidents)
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
            Self::WrongAlias => {
                "A colleague repointed the live alias of eu-west-1 from the main fleet to the canary fleet, which has \
                 one small instance. The canary fleet is full, placements of the ranked queue time out and ranked \
                 matches fail, casual sessions move to Spot, while the main fleet empties. Pointing the alias back \
                 mends it."
            }
            Self::LoweredMax => {
                "A colleague lowered the maximum of location sa-east-1 of the main fleet of us-east-1, just before \
                 demand in South America rose. The location stands at its maximum without a free process; ranked \
                 players there have no other location within their latency, and their placements time out."
            }
            Self::Limit => {
                "The account's limit of c5.xlarge instances in eu-central-1 is reached while demand rises. The \
                 desired count of the main fleet of eu-west-1 grows there, but no instance is started: ACTIVE and \
                 PENDING stay below DESIRED. No fleet event says so; DescribeEC2InstanceLimits does."
            }
            Self::BadRules => {
                "The ranked matchmaking configuration of eu-west-1 was given a new rule set whose latency rule has \
                 lost a digit. Tickets search until they time out, no match is made, and ranked placements cease, \
                 while the fleets have room."
            }
            Self::SlowRegion => {
                "In location us-east-1 game sessions take half a minute and more to become ACTIVE, and about a \
                 third never do: activation timeouts in the fleet events, placements that fail, instances that \
                 start slowly. Other locations are as fast as usual."
            }
            Self::Leak => {
                "Server processes of the main fleet of ap-northeast-1 have not ended their game sessions for three \
                 hours. Empty sessions stay ACTIVE, older than any game. The fleet grows towards its maximum, \
                 although no more players come, until free processes run out."
            }
            Self::Incidents => {
                "Ten days with an incident every few hours, each of 10 to 90 minutes, in a random place: crashes, \
                 interruptions, caps, limits, mistakes of colleagues and slow servers, seldom two at once. \
                 Somebody puts each right, or it ceases. The truth names every one."
            }
            Self::Huge => {
                "Ten regions with two hundred fleets, about 50 000 active sessions and 400 000 players. Nothing is \
                 wrong; everything has to stay quick. Sessions that ended before the last hour are not kept."
            }
            Self::Mixture(mixture) => mixture.description(),
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
pub enum UnknownScenario {
    /// A scenario, or one of a mixture, does not exist.
    #[error("there is no scenario '{name}'; known are {}, and two of them joined by '+'", known())]
    Unknown {
        /// The name that was given.
        name: String,
    },
    /// Both exist, but not at once.
    #[error("'{first}' and '{second}' cannot be played at once: {reason}")]
    Unmixable {
        /// The first of the two.
        first: &'static str,
        /// The second of the two.
        second: &'static str,
        /// Why not.
        reason: String,
    },
}

fn known() -> String {
    Scenario::ALL.iter().map(|scenario| scenario.name()).collect::<Vec<_>>().join(", ")
}

fn single(name: &str) -> Result<Scenario, UnknownScenario> {
    let found = Scenario::ALL.iter().copied().find(|scenario| scenario.name() == name);
    found.ok_or_else(|| UnknownScenario::Unknown { name: name.to_owned() })
}

impl FromStr for Scenario {
    type Err = UnknownScenario;

    /// Reads a name, or two names joined by `+`.
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name.split_once('+') {
            None => single(name),
            Some((first, second)) => Mixture::of(single(first)?, single(second)?).map(Self::Mixture),
        }
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
            assert_eq!(scenario.parts(), [scenario]);
        }
    }

    #[test]
    fn an_unknown_name_is_refused_with_the_known_ones() {
        for name in ["noisy", "noisy+leak", "leak+noisy"] {
            let error = name.parse::<Scenario>().unwrap_err().to_string();
            assert!(error.contains("'noisy'") && error.contains("launch-day"), "{error}");
        }
    }
}

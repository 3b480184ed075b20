//! Scenarios: which incident the world plays, by name.
//!
//! Owns the list, the names and what an operator should notice. What a scenario does to demand and capacity is
//! its script, read by the world.

use std::fmt;
use std::str::FromStr;

/// A scripted course of events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scenario {
    /// A normal day without incident.
    #[default]
    Quiet,
    /// Players arrive in several times the usual number; capacity follows late.
    LaunchDay,
    /// A busy fleet has reached its own maximum.
    CappedFleet,
}

impl Scenario {
    /// Every scenario, in the order they are listed to people.
    pub const ALL: &[Scenario] = &[Scenario::Quiet, Scenario::LaunchDay, Scenario::CappedFleet];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Quiet => "quiet",
            Self::LaunchDay => "launch-day",
            Self::CappedFleet => "capped-fleet",
        }
    }

    /// What an operator should notice.
    pub fn description(self) -> &'static str {
        match self {
            Self::Quiet => {
                "A normal day: sessions and players follow the daily curve, scaling breathes, a few crashes, \
                 interruptions and timed-out placements."
            }
            Self::LaunchDay => {
                "Demand climbs to several times normal within minutes. Free processes run out before new \
                 instances are ready; placements queue up, some time out. The live alias of eu-west-1 was \
                 repointed to a new fleet shortly before, and the Realtime script was updated."
            }
            Self::CappedFleet => {
                "The main fleet of eu-west-1 stands at desired = max with no free process. Scaling cannot help, \
                 placements of its queue time out until the maximum is raised."
            }
        }
    }
}

impl fmt::Display for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no scenario.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no scenario '{name}'; known are {}", known())]
pub struct UnknownScenario {
    /// What was asked for.
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

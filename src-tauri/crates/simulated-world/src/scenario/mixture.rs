//! Two scenarios played at once: which two, and what they are called.

use std::sync::LazyLock;

use super::{Scenario, UnknownScenario};

/// Two scenarios that are played at once. There is one value of each, so that a [`Scenario`] can hold it and still be
/// copied.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Mixture {
    parts: [Scenario; 2],
    name: String,
    description: String,
}

/// Every mixture that makes sense, under both orders of its names.
static MIXTURES: LazyLock<Vec<Mixture>> = LazyLock::new(|| {
    let pairs =
        Scenario::ALL.iter().flat_map(|first| Scenario::ALL.iter().map(move |second| (first, second)));
    pairs.filter(|(first, second)| objection(**first, **second).is_none()).map(mixed).collect()
});

fn mixed((first, second): (&Scenario, &Scenario)) -> Mixture {
    let place = |part: &Scenario| Scenario::ALL.iter().position(|known| known == part);
    let mut parts = [*first, *second];
    parts.sort_by_key(place);
    Mixture {
        parts,
        name: format!("{first}+{second}"),
        description: format!("{} At the same time: {}", first.description(), second.description()),
    }
}

/// What a scenario changes in a way that leaves no room for another.
fn stakes(scenario: Scenario) -> &'static [&'static str] {
    const ALIAS: &str = "the live alias of eu-west-1";
    const DEMAND: &str = "the demand of eu-west-1";
    match scenario {
        Scenario::LaunchDay => &[ALIAS, DEMAND, "the demand of us-east-1"],
        Scenario::BadBuild | Scenario::WrongAlias => &[ALIAS],
        Scenario::CappedFleet | Scenario::Limit => &[DEMAND],
        Scenario::LoweredMax => &["the demand of us-east-1"],
        _ => &[],
    }
}

/// Returns why two scenarios cannot be played at once, if they cannot.
fn objection(first: Scenario, second: Scenario) -> Option<String> {
    if first == second {
        return Some("they are the same".to_owned());
    }
    let alone = [Scenario::Quiet, Scenario::Incidents, Scenario::Huge];
    if let Some(one) = [first, second].into_iter().find(|one| alone.contains(one)) {
        return Some(format!("'{one}' is played alone"));
    }
    let shared = stakes(first).iter().find(|stake| stakes(second).contains(stake));
    shared.map(|stake| format!("both change {stake}"))
}

impl Mixture {
    /// Returns the mixture of two scenarios.
    ///
    /// # Errors
    /// When they are the same, one is played alone, or both change the same thing.
    pub fn of(first: Scenario, second: Scenario) -> Result<&'static Mixture, UnknownScenario> {
        let name = format!("{first}+{second}");
        MIXTURES.iter().find(|mixture| mixture.name == name).ok_or_else(|| UnknownScenario::Unmixable {
            first: first.name(),
            second: second.name(),
            reason: objection(first, second).unwrap_or_else(|| "they are not single scenarios".to_owned()),
        })
    }

    /// The name on the command line.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its two scenarios, in the order of [`Scenario::ALL`].
    pub fn parts(&self) -> &[Scenario] {
        &self.parts
    }

    /// What an operator should notice.
    pub fn description(&self) -> &str {
        &self.description
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mixture_is_read_in_either_order_and_keeps_its_name() {
        for name in ["wrong-alias+spot-storm", "spot-storm+wrong-alias", "leak+throttled", "bad-rules+limit"]
        {
            let scenario: Scenario = name.parse().unwrap();
            assert_eq!(scenario.name(), name);
            assert!(scenario.parts().iter().all(|part| scenario.plays(*part)));
            assert!(scenario.description().contains("At the same time"));
        }
        let [one, other] = ["wrong-alias+spot-storm", "spot-storm+wrong-alias"]
            .map(|name| name.parse::<Scenario>().unwrap());
        assert_eq!(one.parts(), other.parts());
    }

    #[test]
    fn two_that_make_no_sense_together_are_refused_with_the_reason() {
        for (name, reason) in [
            ("leak+leak", "they are the same"),
            ("quiet+leak", "'quiet' is played alone"),
            ("limit+incidents", "'incidents' is played alone"),
            ("huge+limit", "'huge' is played alone"),
            ("launch-day+wrong-alias", "both change the live alias of eu-west-1"),
            ("capped-fleet+limit", "both change the demand of eu-west-1"),
        ] {
            let error = name.parse::<Scenario>().unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
        assert!("leak+limit+bad-rules".parse::<Scenario>().is_err());
    }
}

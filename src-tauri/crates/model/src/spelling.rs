//! How people write small values in one word: `map=arena`, `eu-west-1=35`, `80:30`, `ada=red`.
//!
//! Owns these grammars and what is said of a word that follows none. Deliberately does not know what the service
//! accepts: the rules of the actions do.

use std::str::FromStr;

use crate::action::{AttributeValue, LatencyPolicy, MatchPlayer, PlayerAttribute, RegionLatency};
use crate::game_session::GameProperty;

/// A word that does not follow its grammar: what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SpellingError(&'static str);

/// `KEY=VALUE`; the value may be empty or contain further `=`.
impl FromStr for GameProperty {
    type Err = SpellingError;

    fn from_str(text: &str) -> Result<Self, SpellingError> {
        let parts = text.split_once('=').filter(|(key, _)| !key.is_empty());
        let (key, value) =
            parts.ok_or(SpellingError("expected two parts joined by =, the first not empty"))?;
        Ok(Self { key: key.to_owned(), value: value.to_owned() })
    }
}

/// `NAME=VALUE`; a value that looks like a number is one.
impl FromStr for PlayerAttribute {
    type Err = SpellingError;

    fn from_str(text: &str) -> Result<Self, SpellingError> {
        let GameProperty { key, value } = text.parse()?;
        let value = match value.parse::<f64>() {
            Ok(number) if number.is_finite() => AttributeValue::Number(number),
            _ => AttributeValue::Text(value),
        };
        Ok(Self { name: key, value })
    }
}

/// `REGION=MILLISECONDS`, with or without `ms`.
impl FromStr for RegionLatency {
    type Err = SpellingError;

    fn from_str(text: &str) -> Result<Self, SpellingError> {
        let read = || {
            let (region, ms) = text.split_once('=')?;
            let ms = ms.strip_suffix("ms").unwrap_or(ms);
            Some(Self { region: region.to_owned(), latency_ms: ms.parse().ok()? })
        };
        read().ok_or(SpellingError("a latency is written REGION=MILLISECONDS, such as eu-west-1=35"))
    }
}

/// `MS` to the end, or `MS:SECONDS` for a while.
impl FromStr for LatencyPolicy {
    type Err = SpellingError;

    fn from_str(text: &str) -> Result<Self, SpellingError> {
        let (ms, seconds) = text.split_once(':').map_or((text, None), |(ms, seconds)| (ms, Some(seconds)));
        let number = |text: &str| {
            let expected = "a latency policy is written MS or MS:SECONDS, such as 80:30";
            text.parse().map_err(|_| SpellingError(expected))
        };
        Ok(Self {
            maximum_individual_player_latency_ms: Some(number(ms)?),
            policy_duration_seconds: seconds.map(number).transpose()?,
        })
    }
}

/// A player written `ID` or, for a backfill, `ID=TEAM`; attributes and latencies are not part of the word.
impl From<&str> for MatchPlayer {
    fn from(text: &str) -> Self {
        let (id, team) = text.split_once('=').map_or((text, None), |(id, team)| (id, Some(team)));
        Self {
            player_id: id.into(),
            team: team.map(str::to_owned),
            attributes: Vec::new(),
            latencies: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_read_and_what_is_none_is_refused() {
        let property = |text: &str| text.parse::<GameProperty>();
        assert_eq!(property("a=b=c").unwrap().value, "b=c");
        assert_eq!(property("a=").unwrap().value, "");
        assert!(property("a").is_err() && property("=b").is_err());
        let latency = |text: &str| text.parse::<RegionLatency>();
        assert_eq!(latency("eu-west-1=35ms").unwrap().latency_ms, 35);
        assert!(latency("eu-west-1").is_err() && latency("eu-west-1=near").is_err());
    }

    #[test]
    fn a_latency_policy_holds_for_a_while_or_to_the_end() {
        let read = |text: &str| {
            let policy = text.parse::<LatencyPolicy>()?;
            Ok((policy.maximum_individual_player_latency_ms, policy.policy_duration_seconds))
        };
        assert_eq!(read("80:30"), Ok((Some(80), Some(30))));
        assert_eq!(read("120"), Ok((Some(120), None)));
        let wrong: [Result<_, SpellingError>; 2] = [read("near"), read("80:soon")];
        assert!(wrong.iter().all(Result::is_err));
    }

    #[test]
    fn a_player_may_have_a_team_and_an_attribute_is_a_number_if_it_looks_like_one() {
        assert_eq!(MatchPlayer::from("ada").team, None);
        let player = MatchPlayer::from("bo=red");
        assert_eq!((player.player_id.as_str(), player.team.as_deref()), ("bo", Some("red")));
        let value = |text: &str| text.parse::<PlayerAttribute>().unwrap().value;
        assert_eq!(value("skill=23"), AttributeValue::Number(23.0));
        assert_eq!(value("clan=x"), AttributeValue::Text("x".to_owned()));
        assert_eq!(value("rank=inf"), AttributeValue::Text("inf".to_owned()));
    }
}

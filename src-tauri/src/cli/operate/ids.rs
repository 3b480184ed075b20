//! Ids and pairs as written on a command line.

use liftdeck_model::Region;
use liftdeck_model::action::RegionLatency;
use liftdeck_model::game_session::GameProperty;

use super::{Caller, Failure};

/// A key and value, as clap reads them.
pub(in crate::cli) type Property = GameProperty;
/// A Region and a latency, as clap reads them.
pub(in crate::cli) type Latency = RegionLatency;

/// Returns the ids given, each once; `-` stands for ids from stdin, one per line.
pub(in crate::cli) fn several(caller: &Caller, given: &[String]) -> Result<Vec<String>, Failure> {
    let mut ids = Vec::new();
    for id in given {
        if id == "-" {
            ids.extend(caller.terminal.lines()?);
        } else {
            ids.push(id.clone());
        }
    }
    if ids.is_empty() {
        return Err(Failure::usage("No id was given: standard input is empty."));
    }
    let mut seen = std::collections::BTreeSet::new();
    ids.retain(|id| seen.insert(id.clone()));
    Ok(ids)
}

/// The id in an ARN of a fleet, an alias, a queue or a script; any other text unchanged.
pub(in crate::cli) fn id_of(text: &str) -> &str {
    if text.starts_with("arn:") { text.rsplit('/').next().unwrap_or(text) } else { text }
}

/// The Region an ARN names.
pub(super) fn region_of(text: &str) -> Option<Region> {
    let region = text.strip_prefix("arn:")?.split(':').nth(2)?;
    (!region.is_empty()).then(|| Region::from(region))
}

/// Reads `KEY=VALUE`.
pub(in crate::cli) fn property(text: &str) -> Result<Property, String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => {
            Ok(Property { key: key.to_owned(), value: value.to_owned() })
        }
        _ => Err("expected two parts joined by =, the first not empty".to_owned()),
    }
}

/// Reads `REGION=MILLISECONDS`.
pub(in crate::cli) fn latency(text: &str) -> Result<Latency, String> {
    let read = || {
        let (region, ms) = text.split_once('=')?;
        let ms = ms.strip_suffix("ms").unwrap_or(ms);
        Some(Latency { region: region.to_owned(), latency_ms: ms.parse().ok()? })
    };
    read().ok_or_else(|| "a latency is written REGION=MILLISECONDS, such as eu-west-1=35".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arn_names_its_region_and_its_id() {
        let arn = "arn:aws:gamelift:eu-west-1::fleet/fleet-1";
        assert_eq!((id_of(arn), region_of(arn)), ("fleet-1", Some(Region::from("eu-west-1"))));
        assert_eq!((id_of("fleet-1"), region_of("fleet-1")), ("fleet-1", None));
        assert_eq!(region_of("arn:aws:gamelift"), None);
    }

    #[test]
    fn pairs_are_read_and_what_is_none_is_refused() {
        assert_eq!(property("a=b=c").unwrap().value, "b=c");
        assert_eq!(property("a=").unwrap().value, "");
        assert!(property("a").is_err() && property("=b").is_err());
        assert_eq!(latency("eu-west-1=35ms").unwrap().latency_ms, 35);
        assert!(latency("eu-west-1").is_err() && latency("eu-west-1=near").is_err());
    }

    #[test]
    fn an_id_named_twice_is_changed_once() {
        let ids = ["a", "b", "a"].map(str::to_owned);
        assert_eq!(several(&Caller::own(), &ids).unwrap(), ["a", "b"]);
    }
}

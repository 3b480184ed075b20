//! The algorithm of a rule set: which settings exist and which can be combined (FlexMatch developer guide, rule set
//! property definitions).
//!
//! Describes what is wrong with an algorithm. Does not decide how tickets are combined.

use serde_json::Value;

use super::{BTreeMap, list};

/// Maximum number of players in a match that is formed by exhaustive search.
const MOST_SEARCHED: usize = 40;

/// Rejects an algorithm that cannot be used with a rule set that declares these attributes (name and type) and whose
/// matches have up to `most_players` players.
pub(super) fn check(
    body: &Value,
    declared: &BTreeMap<String, String>,
    most_players: usize,
) -> Result<(), String> {
    let none = Value::Object(serde_json::Map::new());
    let algorithm = body.get("algorithm").unwrap_or(&none);
    if !algorithm.is_object() {
        return Err("algorithm is not an object".to_owned());
    }
    let balanced = choice(algorithm, "strategy", &["exhaustiveSearch", "balanced"])? == Some("balanced");
    if !balanced && most_players > MOST_SEARCHED {
        return Err(format!("a match of more than {MOST_SEARCHED} players needs the strategy 'balanced'"));
    }
    let preferences: &[&str] =
        if balanced { &["largestPopulation", "fastestRegion"] } else { &["random", "sorted"] };
    let preference = choice(algorithm, "batchingPreference", preferences)?;
    choice(algorithm, "expansionAgeSelection", &["newest", "oldest"])?;
    choice(algorithm, "backfillPriority", &["normal", "low", "high"])?;
    if balanced {
        let name = algorithm.get("balancedAttribute").and_then(Value::as_str).unwrap_or_default();
        if declared.get(name).is_none_or(|kind| kind != "number") {
            return Err(
                "the strategy 'balanced' needs a balancedAttribute that is declared as a number".to_owned()
            );
        }
    }
    let sorted_by = list(algorithm, "sortByAttributes")?;
    if preference == Some("sorted") && sorted_by.is_empty() {
        return Err("the batchingPreference 'sorted' needs sortByAttributes".to_owned());
    }
    let known = |name: &Value| name.as_str().is_some_and(|name| declared.contains_key(name));
    match sorted_by.iter().find(|name| !known(name)) {
        Some(name) => Err(format!("sortByAttributes names the attribute {name}, which is not declared")),
        None => Ok(()),
    }
}

/// Returns the value of a setting that allows only these choices.
fn choice<'a>(algorithm: &'a Value, member: &str, choices: &[&str]) -> Result<Option<&'a str>, String> {
    let Some(given) = algorithm.get(member) else { return Ok(None) };
    match given.as_str().filter(|text| choices.contains(text)) {
        Some(text) => Ok(Some(text)),
        None => Err(format!("{member} is {given}, not one of {}", choices.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check_with(algorithm: &Value, most_players: usize) -> Result<(), String> {
        let declared = [("skill", "number"), ("side", "string")];
        let declared = declared.map(|(name, kind)| (name.to_owned(), kind.to_owned())).into();
        check(&json!({ "algorithm": algorithm }), &declared, most_players)
    }

    #[test]
    fn settings_that_go_together_are_accepted() {
        let large = json!({ "strategy": "balanced", "balancedAttribute": "skill",
            "batchingPreference": "largestPopulation" });
        let small = json!({ "strategy": "exhaustiveSearch", "batchingPreference": "sorted",
            "sortByAttributes": ["side"], "expansionAgeSelection": "oldest", "backfillPriority": "high" });
        assert_eq!(check_with(&large, 200), Ok(()));
        assert_eq!(check_with(&small, 40), Ok(()));
        assert_eq!(check_with(&json!({}), 40), Ok(()));
    }

    #[test]
    fn settings_that_do_not_are_named() {
        for (algorithm, says) in [
            (json!([]), "not an object"),
            (json!({ "strategy": "luck" }), "strategy is \"luck\""),
            (json!({ "strategy": "balanced" }), "needs a balancedAttribute"),
            (json!({ "strategy": "balanced", "balancedAttribute": "side" }), "declared as a number"),
            (json!({ "batchingPreference": "largestPopulation" }), "not one of random, sorted"),
            (json!({ "batchingPreference": "sorted" }), "needs sortByAttributes"),
            (json!({ "sortByAttributes": ["rank"] }), "\"rank\", which is not declared"),
            (json!({ "expansionAgeSelection": "middle" }), "expansionAgeSelection"),
            (json!({ "backfillPriority": 1 }), "backfillPriority"),
        ] {
            let problem = check_with(&algorithm, 10).unwrap_err();
            assert!(problem.contains(says), "{algorithm}: {problem}");
        }
        assert!(check_with(&json!({}), 41).unwrap_err().contains("more than 40 players"));
    }
}

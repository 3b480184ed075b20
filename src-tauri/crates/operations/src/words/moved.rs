//! Changed facts, and lists of anything, in words.

use liftdeck_model::activity::FactChange;

/// Changed facts named in a sentence; any more are counted.
const NAMED: usize = 3;

/// Joins the items, with `between` in between.
pub(crate) fn joined(all: &[impl ToString], between: &str) -> String {
    all.iter().map(ToString::to_string).collect::<Vec<_>>().join(between)
}

/// Returns the value, or a word for none.
pub(crate) fn or_nothing(value: &Option<String>) -> &str {
    value.as_deref().unwrap_or("nothing")
}

/// States that a fact has changed.
pub(crate) fn moved(fact: &FactChange) -> String {
    format!("{} was {} and is now {}.", fact.label, or_nothing(&fact.before), or_nothing(&fact.after))
}

/// States which facts have changed.
pub(crate) fn in_words(facts: &[FactChange]) -> String {
    let mut said: Vec<String> = facts.iter().take(NAMED).map(moved).collect();
    match facts.len().saturating_sub(NAMED) {
        0 => {}
        1 => said.push("One more has changed.".to_owned()),
        more => said.push(format!("{more} more have changed.")),
    }
    said.join(" ")
}

//! What has moved, and lists of anything, as people read them.

use liftdeck_model::activity::FactChange;

/// Moves named in a sentence; more are counted.
const NAMED: usize = 3;

/// One after the other.
pub(crate) fn joined(all: &[impl ToString], between: &str) -> String {
    all.iter().map(ToString::to_string).collect::<Vec<_>>().join(between)
}

/// A value, where there is one.
pub(crate) fn or_nothing(value: &Option<String>) -> &str {
    value.as_deref().unwrap_or("nothing")
}

/// That a fact stands otherwise than it did.
pub(crate) fn moved(fact: &FactChange) -> String {
    format!("{} was {} and is {} now.", fact.label, or_nothing(&fact.before), or_nothing(&fact.after))
}

/// What has moved, as people are told.
pub(crate) fn in_words(facts: &[FactChange]) -> String {
    let mut said: Vec<String> = facts.iter().take(NAMED).map(moved).collect();
    match facts.len().saturating_sub(NAMED) {
        0 => {}
        1 => said.push("One more has changed.".to_owned()),
        more => said.push(format!("{more} more have changed.")),
    }
    said.join(" ")
}

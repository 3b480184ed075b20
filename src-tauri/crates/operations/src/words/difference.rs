//! What is different from when it was previewed, and its wording.

use liftdeck_model::activity::FactChange;

use super::moved::joined;
use super::skip::SkipFact;

/// What is different from when it was previewed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Difference {
    /// A fact; among many, `of` names its resource.
    Fact { of: Option<String>, label: String, was: Option<String>, is: Option<String> },
    /// AWS would now refuse it.
    Refused { why: Vec<SkipFact> },
    /// The number of changes.
    Changes { were: usize, are: usize },
    /// Game sessions affected.
    GameSessions { were: u64, are: u64 },
    /// Players affected.
    Players { were: u64, are: u64 },
}

impl From<Difference> for FactChange {
    fn from(difference: Difference) -> Self {
        let counted = |label: &str, were: u64, are: u64| {
            let (before, after) = (Some(were.to_string()), Some(are.to_string()));
            Self { label: label.to_owned(), before, after }
        };
        match difference {
            Difference::Fact { of, label, was, is } => {
                let label = of.map_or(label.clone(), |of| format!("{of}: {label}"));
                Self { label, before: was, after: is }
            }
            Difference::Refused { why } => {
                let label = "AWS would refuse it".to_owned();
                Self { label, before: None, after: Some(joined(&why, " ")) }
            }
            Difference::Changes { were, are } => counted("Changes", were as u64, are as u64),
            Difference::GameSessions { were, are } => counted("Game sessions hit", were, are),
            Difference::Players { were, are } => counted("Players hit", were, are),
        }
    }
}

//! Placements or tickets in classes: those that have every value in common are counted together, so that they can be
//! compared by any dimension, within any value, and by which values repeat each other.

use std::collections::BTreeSet;

use liftdeck_model::time::TimeRange;
use serde::{Deserialize, Serialize};

use super::session::difference::{Counts, Dimension, Tally};

/// A value of a class.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClassValue {
    /// The dimension.
    pub dimension: Dimension,
    /// The value: an id, a name or a number.
    pub value: String,
    /// The value as a person knows it.
    pub label: String,
}

impl ClassValue {
    pub(super) fn new(dimension: Dimension, value: impl Into<String>) -> Self {
        let value = value.into();
        Self { dimension, label: value.clone(), value }
    }
}

/// Those that have all these values in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Class {
    /// The values; of one dimension there may be several, such as the fleets a queue leads to.
    pub values: BTreeSet<ClassValue>,
    /// Bad ones.
    pub bad: u64,
    /// All, including the bad ones.
    pub all: u64,
}

impl Class {
    /// Whether it has a value.
    pub fn has(&self, dimension: &Dimension, value: &str) -> bool {
        self.values.iter().any(|one| one.dimension == *dimension && one.value == value)
    }
}

impl Counts {
    /// Counts classes by every dimension. The term of a value is a [`Having`] as text.
    pub fn of_classes<'c>(classes: impl IntoIterator<Item = &'c Class>) -> Self {
        let (mut counts, mut tally) = (Self::default(), Tally::default());
        for class in classes {
            counts.bad += class.bad;
            counts.all += class.all;
            for one in &class.values {
                let value = (one.value.clone(), one.label.clone());
                tally.add(one.dimension.clone(), value, class.bad, class.all);
            }
        }
        counts.dimensions = tally.dimensions(|dimension, value| {
            Some(Having { dimension: dimension.clone(), value: value.to_owned() }.into())
        });
        counts
    }
}

/// Which placements or tickets are the bad ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bad {
    /// Those that failed or timed out.
    Failed,
    /// Those that ended in this range, however they ended.
    Within(TimeRange),
}

/// Selects those with a value of a dimension, written `fleet=fleet-1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Having {
    /// The dimension.
    pub dimension: Dimension,
    /// The value.
    pub value: String,
}

/// The dimensions by the word before the sign; a game property is `prop.KEY`.
const WORDS: [(&str, Dimension); 12] = [
    ("build", Dimension::Build),
    ("script", Dimension::Script),
    ("fleet", Dimension::Fleet),
    ("location", Dimension::Location),
    ("instance_type", Dimension::InstanceType),
    ("queue", Dimension::Queue),
    ("region", Dimension::Region),
    ("max", Dimension::Size),
    ("compute", Dimension::Compute),
    ("configuration", Dimension::Configuration),
    ("rule_set", Dimension::RuleSet),
    ("players", Dimension::Players),
];

impl From<Having> for String {
    fn from(having: Having) -> Self {
        let word = WORDS.iter().find(|(_, dimension)| *dimension == having.dimension);
        match (word, having.dimension) {
            (Some((word, _)), _) => format!("{word}={}", having.value),
            // A sign in the key would be read as the end of it.
            (None, Dimension::Property(key)) => {
                format!("prop.{}={}", key.replace('%', "%25").replace('=', "%3D"), having.value)
            }
            (None, _) => Self::new(),
        }
    }
}

impl From<String> for Having {
    fn from(text: String) -> Self {
        let (word, value) = text.split_once('=').unwrap_or((&text, ""));
        let known = WORDS.iter().find(|(known, _)| *known == word);
        // What is no dimension is read as a property that nothing has: it selects nothing.
        let dimension = known.map_or_else(
            || {
                let key = word.strip_prefix("prop.").unwrap_or(word);
                Dimension::Property(key.replace("%3D", "=").replace("%25", "%"))
            },
            |(_, dimension)| dimension.clone(),
        );
        Self { dimension, value: value.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_selects_a_value_is_read_as_it_was_written() {
        let property = |key: &str| Dimension::Property(key.to_owned());
        for (dimension, text) in [
            (Dimension::Fleet, "fleet=a=b"),
            (Dimension::InstanceType, "instance_type=a=b"),
            (Dimension::Players, "players=a=b"),
            (property("map"), "prop.map=a=b"),
            (property("100 %3D=x"), "prop.100 %253D%3Dx=a=b"),
        ] {
            let having = Having { dimension, value: "a=b".to_owned() };
            assert_eq!(String::from(having.clone()), text);
            assert_eq!(Having::from(text.to_owned()), having);
        }
        assert_eq!(Having::from("what".to_owned()).dimension, property("what"));
    }
}

//! Names on a command line: what `liftdeck_insight::names` says of them, in words for stderr.

use liftdeck_insight::SharedName;
use liftdeck_insight::names::one_of;
pub(crate) use liftdeck_insight::{Named, Names, Noun};
use liftdeck_model::arn::id_of;

use super::Failure;

impl From<SharedName> for Failure {
    fn from(shared: SharedName) -> Self {
        let choose = match shared.noun {
            Noun::Queue => "Choose one with --region",
            Noun::Fleet | Noun::Alias | Noun::Script => "Give the id, or the Region with --region",
        };
        Self::usage(format!("{shared} {choose}."))
    }
}

/// Finds the collected resource with this id, ARN or exact name; `words` returns the id, name and Region of each.
///
/// # Errors
/// `usage` when several have this name, and when there is none.
pub(crate) fn collected<'a, T>(
    noun: Noun,
    all: &'a [T],
    words: impl Fn(&T) -> [&str; 3],
    text: &str,
    region: Option<&str>,
) -> Result<&'a T, Failure> {
    one_of(noun, all, words, id_of(text), region)?.ok_or_else(|| {
        let one = noun.one();
        Failure::new(format!(
            "There is no {one} {text} in the collected data. `liftdeck {one} list` lists them all."
        ))
    })
}

//! Help for the query language: the mistakes in a text, and completions at the caret.

use serde::{Deserialize, Serialize};
use specta::Type;

use super::{Query, QueryError, Vocabulary, completions};

/// A mistake in a query, and the characters it spans.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct QueryProblem {
    /// What is wrong.
    pub message: String,
    /// First character, counted in UTF-16 code units as in JavaScript.
    pub start: u32,
    /// First character after.
    pub end: u32,
}

/// Text that could be inserted at the caret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Completion {
    /// Replaces the word before the caret.
    pub insert: String,
    /// What the list of completions shows.
    pub label: String,
    /// What it means.
    pub detail: Option<String>,
}

/// Whether a query parses, and completions at the caret.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct QueryCheck {
    /// The mistake, if the text has one.
    pub problem: Option<QueryProblem>,
    /// What could stand at the caret.
    pub completions: Vec<Completion>,
}

impl QueryProblem {
    /// Describes an error in `text`, with its position as JavaScript counts.
    pub fn new(text: &str, error: &QueryError) -> Self {
        Self {
            message: error.message.clone(),
            start: utf16_place(text, error.span.start),
            end: utf16_place(text, error.span.end),
        }
    }
}

impl QueryCheck {
    /// Checks whether `text` parses, and completes it at `caret`, a position in UTF-16 code units as in JavaScript.
    pub fn of(text: &str, caret: u32, vocabulary: &Vocabulary) -> Self {
        let problem = Query::parse(text).err().map(|error| QueryProblem::new(text, &error));
        let found = completions(text, byte_place(text, caret), vocabulary);
        Self {
            problem,
            completions: found.into_iter().filter_map(|found| for_the_word(text, found)).collect(),
        }
    }
}

/// Converts a completion for the window, which replaces the whole word before the caret, back to a blank or a
/// bracket. Returns `None` if it would have to replace more than that word, inside a quoted value.
fn for_the_word(text: &str, found: super::Completion) -> Option<Completion> {
    let head = text.get(..found.replaces.end)?;
    let ends = |letter: char| letter.is_whitespace() || matches!(letter, '(' | ')');
    let word_at = head.char_indices().rev().find(|(_, letter)| ends(*letter));
    let word_at = word_at.map_or(0, |(at, letter)| at + letter.len_utf8());
    let kept = text.get(word_at..found.replaces.start)?;
    Some(Completion { insert: format!("{kept}{}", found.insert), label: found.label, detail: found.detail })
}

fn utf16_place(text: &str, byte: usize) -> u32 {
    let units: usize =
        text.char_indices().take_while(|(at, _)| *at < byte).map(|(_, letter)| letter.len_utf16()).sum();
    u32::try_from(units).unwrap_or(u32::MAX)
}

fn byte_place(text: &str, caret: u32) -> usize {
    let mut units = 0;
    for (at, letter) in text.char_indices() {
        if units >= caret {
            return at;
        }
        units += letter.len_utf16() as u32;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_as_javascript_counts_them() {
        let text = "é𝄞x";
        assert_eq!(utf16_place(text, 0), 0);
        assert_eq!(utf16_place(text, 2), 1);
        assert_eq!(utf16_place(text, 6), 3);
        assert_eq!(byte_place(text, 1), 2);
        assert_eq!(byte_place(text, 3), 6);
        assert_eq!(byte_place(text, 99), text.len());
    }

    #[test]
    fn a_query_that_does_not_parse_says_where() {
        let check = QueryCheck::of("status:", 7, &Vocabulary::default());
        let problem = check.problem.unwrap();
        assert!(problem.start <= 7 && problem.end >= problem.start, "{problem:?}");
        assert!(!check.completions.is_empty());
        assert_eq!(QueryCheck::of("status:active", 0, &Vocabulary::default()).problem, None);
    }

    #[test]
    fn a_completion_replaces_the_whole_word_at_the_caret() {
        let insert = |text: &str| {
            let check = QueryCheck::of(text, u32::try_from(text.len()).unwrap(), &Vocabulary::default());
            check.completions.into_iter().map(|completion| completion.insert).collect::<Vec<_>>()
        };
        assert!(insert("players>=2 -status:act").contains(&"-status:active".to_owned()));
        assert!(insert("(stat").contains(&"status:".to_owned()));
        assert!(insert("fleet:\"my fl").is_empty());
    }
}

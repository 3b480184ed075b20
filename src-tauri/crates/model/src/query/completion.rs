//! Completions for the text at the caret. Deliberately works on text that does not parse yet.

use super::Span;
use super::field::{Field, FieldKind, NAMED};
use super::value::ABNORMAL;
use crate::game_session::GameSessionEnding;

/// Values that currently exist, offered where a field takes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vocabulary {
    /// Names of fleets.
    pub fleets: Vec<String>,
    /// Regions of the connection.
    pub regions: Vec<String>,
    /// Locations fleets run in.
    pub locations: Vec<String>,
    /// Builds, by name or id.
    pub builds: Vec<String>,
    /// Scripts, by name or id.
    pub scripts: Vec<String>,
    /// Queues.
    pub queues: Vec<String>,
    /// Instance types of fleets.
    pub instance_types: Vec<String>,
    /// Keys of game properties, each with the values it has.
    pub properties: Vec<(String, Vec<String>)>,
}

/// A text that could be put at the caret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The text that replaces `replaces`.
    pub insert: String,
    /// What to show.
    pub label: String,
    /// What it means.
    pub detail: Option<String>,
    /// The part of the text it replaces; empty at the caret when it only adds text.
    pub replaces: Span,
}

/// Most completions offered at once.
const MOST: usize = 16;

/// Returns completions for the word that ends at `caret`, a byte offset. Offsets inside a character or beyond the
/// text are moved back to the nearest valid one.
pub fn completions(text: &str, caret: usize, vocabulary: &Vocabulary) -> Vec<Completion> {
    let caret = (0..=caret.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let head = text.get(..caret).unwrap_or_default();
    let word_at = word_start(head);
    let word = head.get(word_at..).unwrap_or_default();
    match word.find([':', '=', '<', '>', '!']) {
        Some(operator_at) => {
            let (name, rest) = word.split_at(operator_at);
            let value = rest.trim_start_matches([':', '=', '<', '>', '!']);
            let replaces = Span { start: caret - value.len(), end: caret };
            values(name, value.trim_start_matches('"'), replaces, vocabulary)
        }
        None => fields(word, Span { start: word_at, end: caret }, vocabulary),
    }
}

/// Where the word before the caret begins: after the last blank, bracket or leading sign outside quotes.
fn word_start(head: &str) -> usize {
    let (mut start, mut quoted) = (0, false);
    for (at, c) in head.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '(' | ')' if !quoted => start = at + 1,
            '-' | '+' if !quoted && at == start => start = at + 1,
            c if c.is_whitespace() && !quoted => start = at + c.len_utf8(),
            _ => {}
        }
    }
    start
}

fn fields(word: &str, replaces: Span, vocabulary: &Vocabulary) -> Vec<Completion> {
    let lower = word.to_lowercase();
    let known = NAMED.iter().map(|(name, field, detail)| {
        let sign = if field.kind() == FieldKind::Count { ">=" } else { ":" };
        (format!("{name}{sign}"), (*name).to_owned(), (*detail).to_owned())
    });
    let keys = vocabulary.properties.iter().map(|(key, _)| {
        let plain = key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-'));
        let name = if plain { format!("prop.{key}") } else { format!("prop.\"{key}\"") };
        (format!("{name}:"), name, "game property".to_owned())
    });
    known
        .chain(keys)
        .filter(|(insert, ..)| insert.to_lowercase().starts_with(&lower))
        .take(MOST)
        .map(|(insert, label, detail)| Completion { insert, label, detail: Some(detail), replaces })
        .collect()
}

fn values(name: &str, value: &str, replaces: Span, vocabulary: &Vocabulary) -> Vec<Completion> {
    let words = |words: &[&str]| words.iter().map(|word| word.to_lowercase()).collect::<Vec<_>>();
    let Some(field) = Field::named(name) else {
        let of_key = name.strip_prefix("prop.").map(|key| key.trim_matches('"'));
        let known = vocabulary.properties.iter().find(|(key, _)| Some(key.as_str()) == of_key);
        return matching(known.map(|(_, values)| values.as_slice()).unwrap_or_default(), value, replaces);
    };
    let offered = match &field {
        Field::Fleet => vocabulary.fleets.clone(),
        Field::Region => vocabulary.regions.clone(),
        Field::Location => vocabulary.locations.clone(),
        Field::Build => vocabulary.builds.clone(),
        Field::Script => vocabulary.scripts.clone(),
        Field::Queue => vocabulary.queues.clone(),
        Field::InstanceType => vocabulary.instance_types.clone(),
        Field::Created => words(&["15m", "1h", "24h", "7d"]),
        Field::Ended => {
            let ways = GameSessionEnding::all().map(GameSessionEnding::as_str);
            ["none", ABNORMAL, "15m", "1h", "24h", "7d"].into_iter().chain(ways).map(str::to_owned).collect()
        }
        Field::Duration => words(&["5m", "30m", "1h", "6h"]),
        other => words(other.words()),
    };
    matching(&offered, value, replaces)
}

/// The offered words that contain `value`, as completions.
fn matching(offered: &[String], value: &str, replaces: Span) -> Vec<Completion> {
    let lower = value.to_lowercase();
    let mut found: Vec<&String> =
        offered.iter().filter(|word| word.to_lowercase().contains(&lower)).collect();
    // What begins with the typed text comes first; the sort is stable, so the given order holds otherwise.
    found.sort_by_key(|word| !word.to_lowercase().starts_with(&lower));
    let completion = |word: &String| Completion {
        insert: quoted_if_needed(word),
        label: word.clone(),
        detail: None,
        replaces,
    };
    found.into_iter().take(MOST).map(completion).collect()
}

fn quoted_if_needed(word: &str) -> String {
    let special = |c: char| c.is_whitespace() || matches!(c, '"' | '(' | ')' | '*' | '/');
    if word.contains(special) || word.is_empty() { super::quoted(word) } else { word.to_owned() }
}

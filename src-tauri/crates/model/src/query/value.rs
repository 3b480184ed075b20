//! What a field is compared with. Deliberately typed at parse time, so that a wrong value is an error with a
//! place in the text and never an empty result.

use std::fmt;

use super::field::{Field, FieldKind};
use super::{QueryError, Span};
use crate::game_session::GameSessionEnding;
use crate::time::{TimeRange, Timestamp, parse_age_ms};

/// The word that stands for every abnormal ending.
pub(super) const ABNORMAL: &str = "abnormal";

/// How two numbers or moments are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `=` or `:`.
    Equal,
    /// `<`.
    Less,
    /// `<=`.
    LessEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterEqual,
}

/// What a field must satisfy. `!=` is kept as the negation of `Equal`.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// A text.
    Text(TextTest),
    /// A whole number.
    Count(Comparison, i64),
    /// An age in milliseconds: `Less` is younger.
    Age(Comparison, i64),
    /// A moment as precise as it was written: a day, or a second. `Less` is before it began.
    Moment(Comparison, TimeRange),
    /// A length of time in milliseconds.
    Length(Comparison, i64),
    /// The field has no value.
    Absent,
    /// It ended in one of these ways.
    Ending(Vec<GameSessionEnding>),
}

/// What a text must satisfy.
#[derive(Clone, Debug, PartialEq)]
pub enum TextTest {
    /// Exactly equal.
    Exact(String),
    /// Equal, case ignored.
    Is(String),
    /// Contains it, case ignored.
    Contains(String),
    /// Matches as a whole, case ignored; `*` stands for any run of characters.
    Glob(String),
    /// A part of it matches.
    Regex(Pattern),
}

impl TextTest {
    /// Whether `text` satisfies it.
    pub fn matches(&self, text: &str) -> bool {
        match self {
            Self::Exact(wanted) => wanted == text,
            Self::Is(wanted) => wanted.to_lowercase() == text.to_lowercase(),
            Self::Contains(part) => text.to_lowercase().contains(&part.to_lowercase()),
            Self::Glob(glob) => glob_matches(&glob.to_lowercase(), &text.to_lowercase()),
            Self::Regex(pattern) => pattern.is_match(text),
        }
    }
}

/// Each piece between stars must follow the one before; the first and the last are tied to the ends.
fn glob_matches(glob: &str, text: &str) -> bool {
    let Some((first, rest)) = glob.split_once('*') else { return glob == text };
    let Some(mut text) = text.strip_prefix(first) else { return false };
    let mut pieces: Vec<&str> = rest.split('*').collect();
    let last = pieces.pop().unwrap_or_default();
    for piece in pieces {
        match text.find(piece) {
            Some(at) => text = text.get(at + piece.len()..).unwrap_or_default(),
            None => return false,
        }
    }
    text.ends_with(last)
}

/// A regular expression that compiles within bounds.
#[derive(Clone)]
pub struct Pattern(regex::Regex);

/// Maximum size of a compiled expression in bytes, so that a hostile pattern is refused instead of exhausting memory.
const MAX_COMPILED_BYTES: usize = 256 * 1024;

impl Pattern {
    fn new(source: &str, span: Span) -> Result<Self, QueryError> {
        regex::RegexBuilder::new(source)
            .size_limit(MAX_COMPILED_BYTES)
            .dfa_size_limit(MAX_COMPILED_BYTES)
            .nest_limit(32)
            .build()
            .map(Self)
            .map_err(|error| {
                let why = error.to_string();
                let last = why.lines().last().unwrap_or("it does not parse");
                let reason = last.strip_prefix("error: ").unwrap_or(last);
                QueryError::new(format!("not a regular expression: {reason}"), span)
            })
    }

    /// The expression as it was written.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Whether a part of `text` matches.
    pub fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text)
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/{}/", self.as_str())
    }
}

/// An operator as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Matches,
    NotEqual,
    Compare(Comparison),
}

/// A value as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Written {
    Bare(String),
    Quoted(String),
    Regex(String),
}

impl Written {
    fn text(&self) -> &str {
        match self {
            Self::Bare(text) | Self::Quoted(text) | Self::Regex(text) => text,
        }
    }
}

/// Builds the test of a term.
pub(super) fn test(
    field: &Field,
    operator: Operator,
    value: &Written,
    span: Span,
) -> Result<Test, QueryError> {
    let comparison = match operator {
        Operator::Matches | Operator::NotEqual => Comparison::Equal,
        Operator::Compare(comparison) => comparison,
    };
    if matches!(value, Written::Regex(_))
        && field.kind() != FieldKind::Text
        && field.kind() != FieldKind::Word
    {
        return Err(QueryError::new(format!("{} takes no regular expression", field.name()), span));
    }
    match field.kind() {
        FieldKind::Text | FieldKind::Word => text(field, operator, value, span).map(Test::Text),
        FieldKind::Count => match value.text().parse::<i64>() {
            Ok(count) => Ok(Test::Count(comparison, count)),
            Err(_) => Err(QueryError::new(format!("{} needs a whole number", field.name()), span)),
        },
        FieldKind::Length => match parse_age_ms(value.text()) {
            Some(length_ms) => Ok(Test::Length(comparison, length_ms)),
            None => Err(QueryError::new("needs a length of time such as 90s, 15m, 2h or 7d", span)),
        },
        FieldKind::Moment => moment(field, operator, comparison, value.text(), span),
    }
}

fn text(field: &Field, operator: Operator, value: &Written, span: Span) -> Result<TextTest, QueryError> {
    let exact = match operator {
        Operator::Matches => false,
        Operator::NotEqual | Operator::Compare(Comparison::Equal) => true,
        Operator::Compare(_) => {
            let message = format!("{} cannot be compared by order: use `:`, `=` or `!=`", field.name());
            return Err(QueryError::new(message, span));
        }
    };
    match value {
        Written::Regex(source) => Pattern::new(source, span).map(TextTest::Regex),
        Written::Bare(text) if text.contains('*') => Ok(TextTest::Glob(text.clone())),
        Written::Bare(text) | Written::Quoted(text) if field.kind() == FieldKind::Word => {
            word(field, text, span)
        }
        Written::Bare(text) | Written::Quoted(text) if exact => Ok(TextTest::Exact(text.clone())),
        Written::Bare(text) | Written::Quoted(text) if field.finds_parts() => {
            Ok(TextTest::Contains(text.clone()))
        }
        Written::Bare(text) | Written::Quoted(text) => Ok(TextTest::Is(text.clone())),
    }
}

fn word(field: &Field, text: &str, span: Span) -> Result<TextTest, QueryError> {
    match field.words().iter().find(|word| word.eq_ignore_ascii_case(text)) {
        Some(word) => Ok(TextTest::Exact((*word).to_owned())),
        None => {
            let known = field.words().join(", ").to_lowercase();
            Err(QueryError::new(format!("{} is one of {known}", field.name()), span))
        }
    }
}

/// The ways of ending that a word after `ended:` stands for.
fn endings(word: &str) -> Vec<GameSessionEnding> {
    let is_abnormal = word.eq_ignore_ascii_case(ABNORMAL);
    GameSessionEnding::all()
        .filter(|one| one.as_str().eq_ignore_ascii_case(word) || is_abnormal && one.is_abnormal())
        .collect()
}

fn moment(
    field: &Field,
    operator: Operator,
    comparison: Comparison,
    text: &str,
    span: Span,
) -> Result<Test, QueryError> {
    if text.eq_ignore_ascii_case("none") && comparison == Comparison::Equal {
        return Ok(Test::Absent);
    }
    if *field == Field::Ended && comparison == Comparison::Equal {
        let endings = endings(text);
        if !endings.is_empty() {
            return Ok(Test::Ending(endings));
        }
    }
    if let Some(age_ms) = parse_age_ms(text) {
        // `created:2h` means the same as `created:<=2h`: exactly two hours old is never meant.
        let meant = if operator == Operator::Matches { Comparison::LessEqual } else { comparison };
        return Ok(Test::Age(meant, age_ms));
    }
    let (at, width_ms) = if let Ok(at) = text.parse::<jiff::Timestamp>() {
        (Timestamp::from_ms(at.as_millisecond()), 1_000)
    } else if let Ok(day) = text.parse::<jiff::civil::Date>().and_then(|date| date.in_tz("UTC")) {
        (Timestamp::from_ms(day.timestamp().as_millisecond()), 86_400_000)
    } else {
        let mut message = "needs an age such as 15m, 24h or 7d, a day such as 2026-03-04, or a time such as \
                           2026-03-04T10:15:00Z"
            .to_owned();
        if *field == Field::Ended {
            let ways: Vec<&str> = GameSessionEnding::all().map(GameSessionEnding::as_str).collect();
            message.push_str(&format!("; or how it ended: {ABNORMAL}, {}", ways.join(", ")));
        }
        return Err(QueryError::new(message, span));
    };
    Ok(Test::Moment(comparison, TimeRange::new(at, at.plus_ms(width_ms))))
}

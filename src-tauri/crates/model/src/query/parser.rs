//! The grammar: text to tree. Deliberately reads in one pass and bounds length, depth and number of terms, so
//! that no text can make it slow or exhaust the stack.

use winnow::LocatingSlice;
use winnow::Parser as _;
use winnow::combinator::alt;
use winnow::error::EmptyError;
use winnow::stream::Location as _;
use winnow::token::{take_till, take_while};

use super::field::{Field, NAMED};
use super::value::{Comparison, Operator, Written, test};
use super::{MAX_DEPTH, MAX_TERMS, MAX_TEXT_BYTES, Node, Query, QueryError, Span, Term};

type Input<'t> = LocatingSlice<&'t str>;
type Read<T> = Result<T, EmptyError>;

struct Parser<'t> {
    input: Input<'t>,
    terms: usize,
}

/// Reads a whole query.
pub(super) fn parse(text: &str) -> Result<Query, QueryError> {
    if text.len() > MAX_TEXT_BYTES {
        let span = Span { start: 0, end: text.len() };
        return Err(QueryError::new(format!("longer than {MAX_TEXT_BYTES} bytes"), span));
    }
    let mut parser = Parser { input: LocatingSlice::new(text), terms: 0 };
    parser.skip_space();
    if parser.at_end() {
        return Ok(Query::everything());
    }
    let root = parser.alternatives(0)?;
    parser.skip_space();
    if parser.at_end() {
        return Ok(Query { root: Some(root) });
    }
    let start = parser.at();
    Err(QueryError::new("this `)` has no matching `(`", Span { start, end: start + 1 }))
}

impl Parser<'_> {
    fn alternatives(&mut self, depth: usize) -> Result<Node, QueryError> {
        let mut parts = vec![self.conjunction(depth)?];
        while let Some(span) = self.keyword("or") {
            if self.at_term_end() {
                return Err(QueryError::new("`or` needs a term after it", span));
            }
            parts.push(self.conjunction(depth)?);
        }
        Ok(one_or(parts, Node::Or))
    }

    fn conjunction(&mut self, depth: usize) -> Result<Node, QueryError> {
        let mut parts = Vec::new();
        loop {
            while let Some(span) = self.keyword("and") {
                if parts.is_empty() || self.at_term_end() || self.peek_keyword("or") {
                    return Err(QueryError::new("`and` needs a term on both sides", span));
                }
            }
            if self.at_term_end() || self.peek_keyword("or") {
                break;
            }
            parts.push(self.negation(depth)?);
        }
        if parts.is_empty() {
            let start = self.at();
            let message =
                if self.peek_keyword("or") { "`or` needs a term before it" } else { "a term is missing" };
            return Err(QueryError::new(
                message,
                Span { start, end: (start + 1).min(start + self.rest().len()) },
            ));
        }
        Ok(one_or(parts, Node::And))
    }

    fn negation(&mut self, depth: usize) -> Result<Node, QueryError> {
        let start = self.at();
        if depth >= MAX_DEPTH {
            let message = format!("nested deeper than {MAX_DEPTH}");
            return Err(QueryError::new(message, Span { start, end: start }));
        }
        if self.take("-") {
            if self.rest().starts_with(char::is_whitespace) || self.at_term_end() {
                return Err(QueryError::new(
                    "`-` needs a term right after it",
                    Span { start, end: start + 1 },
                ));
            }
            return Ok(Node::Not(Box::new(self.negation(depth + 1)?)));
        }
        // All terms must hold anyway, so a `+` before one adds nothing; alone it is a text.
        let after_plus = self.rest().strip_prefix('+').and_then(|rest| rest.chars().next());
        if after_plus.is_some_and(|next| !next.is_whitespace() && next != ')') {
            self.take("+");
            return self.negation(depth + 1);
        }
        if self.take("(") {
            let inside = self.alternatives(depth + 1)?;
            self.skip_space();
            if !self.take(")") {
                return Err(QueryError::new("this `(` is not closed", Span { start, end: start + 1 }));
            }
            return Ok(inside);
        }
        self.term()
    }

    fn term(&mut self) -> Result<Node, QueryError> {
        let start = self.at();
        self.terms += 1;
        if self.terms > MAX_TERMS {
            return Err(QueryError::new(format!("more than {MAX_TERMS} terms"), Span { start, end: start }));
        }
        let (field, operator) = self.field()?.unwrap_or((Field::Text, Operator::Matches));
        let value_start = self.at();
        let value = self.value()?;
        if let (Field::Text, Some(Written::Bare(text))) = (&field, &value) {
            no_field_was_meant(text, value_start)?;
        }
        let span = Span { start, end: self.at() };
        let Some(value) = value else {
            return Err(QueryError::new(format!("{} needs a value", field.name()), span));
        };
        let test = test(&field, operator, &value, Span { start: value_start, end: span.end })?;
        let term = Node::Term(Term { field, test, span });
        Ok(if operator == Operator::NotEqual { Node::Not(Box::new(term)) } else { term })
    }

    /// Reads a field with its operator, if the text begins with one.
    fn field(&mut self) -> Result<Option<(Field, Operator)>, QueryError> {
        let (begin, start) = (self.input, self.at());
        let word: Read<&str> = take_while(1.., |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-'))
            .parse_next(&mut self.input);
        let name = word.unwrap_or_default().to_owned();
        let named = Span { start, end: self.at() };
        let quoted_key = if name.eq_ignore_ascii_case("prop.") && self.rest().starts_with('"') {
            match self.value()? {
                Some(Written::Quoted(key)) => Some(key),
                _ => None,
            }
        } else {
            None
        };
        let starts_field = name.starts_with(|c: char| c.is_ascii_alphabetic());
        let operator = if starts_field { self.operator() } else { None };
        let Some(operator) = operator else {
            self.input = begin;
            return Ok(None);
        };
        if name.eq_ignore_ascii_case("arn") {
            self.input = begin;
            return Ok(None);
        }
        let key = quoted_key.or_else(|| {
            let (prefix, key) = name.split_at_checked(5)?;
            prefix.eq_ignore_ascii_case("prop.").then(|| key.to_owned())
        });
        match key {
            Some(key) if key.is_empty() => {
                Err(QueryError::new("prop. needs a key, such as prop.mode", named))
            }
            Some(key) => Ok(Some((Field::Property(key), operator))),
            None => match Field::named(&name) {
                Some(field) => Ok(Some((field, operator))),
                None => Err(QueryError::new(unknown(&name), named)),
            },
        }
    }

    fn operator(&mut self) -> Option<Operator> {
        let colon = self.take(":");
        let compared: Read<Operator> = alt((
            "!=".value(Operator::NotEqual),
            "<=".value(Operator::Compare(Comparison::LessEqual)),
            ">=".value(Operator::Compare(Comparison::GreaterEqual)),
            "<".value(Operator::Compare(Comparison::Less)),
            ">".value(Operator::Compare(Comparison::Greater)),
            "=".value(Operator::Compare(Comparison::Equal)),
        ))
        .parse_next(&mut self.input);
        compared.ok().or(colon.then_some(Operator::Matches))
    }

    fn value(&mut self) -> Result<Option<Written>, QueryError> {
        let start = self.at();
        if self.take("\"") {
            return self
                .enclosed('"', start, "this quote is not closed")
                .map(|text| Some(Written::Quoted(text)));
        }
        // A lone slash begins a path or a name, so only a closed pair is an expression.
        if self.rest().starts_with('/') && self.rest().get(1..).is_some_and(|rest| rest.contains('/')) {
            self.take("/");
            return self
                .enclosed('/', start, "this expression is not closed")
                .map(|text| Some(Written::Regex(text)));
        }
        let bare: Read<&str> =
            take_till(1.., |c: char| c.is_whitespace() || matches!(c, '(' | ')')).parse_next(&mut self.input);
        Ok(bare.ok().map(|text| Written::Bare(text.to_owned())))
    }

    /// Reads text up to `close`. A backslash escapes the next `close`, and in quotes also a backslash.
    fn enclosed(&mut self, close: char, start: usize, unclosed: &str) -> Result<String, QueryError> {
        let mut text = String::new();
        let mut escaped = false;
        let length = self.rest().char_indices().find_map(|(at, c)| {
            if escaped {
                if c != close && !(close == '"' && c == '\\') {
                    text.push('\\');
                }
                text.push(c);
                escaped = false;
            } else if c == '\\' {
                escaped = true;
            } else if c == close {
                return Some(at + c.len_utf8());
            } else {
                text.push(c);
            }
            None
        });
        match length {
            Some(length) => {
                self.advance(length);
                Ok(text)
            }
            None => Err(QueryError::new(unclosed, Span { start, end: start + 1 })),
        }
    }

    fn keyword(&mut self, word: &str) -> Option<Span> {
        self.skip_space();
        let start = self.at();
        self.peek_keyword(word).then(|| {
            self.advance(word.len());
            Span { start, end: self.at() }
        })
    }

    fn peek_keyword(&mut self, word: &str) -> bool {
        self.skip_space();
        let rest = self.rest();
        let matches = rest.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
        let after = rest.get(word.len()..).and_then(|tail| tail.chars().next());
        matches && after.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | ')'))
    }

    fn take(&mut self, text: &str) -> bool {
        let taken: Read<&str> = winnow::token::literal(text).parse_next(&mut self.input);
        taken.is_ok()
    }

    fn advance(&mut self, bytes: usize) {
        let _: Read<&str> =
            winnow::token::take(self.rest().get(..bytes).map_or(0, |part| part.chars().count()))
                .parse_next(&mut self.input);
    }

    fn skip_space(&mut self) {
        let _: Read<&str> = take_while(0.., char::is_whitespace).parse_next(&mut self.input);
    }

    fn at_term_end(&mut self) -> bool {
        self.skip_space();
        self.at_end() || self.rest().starts_with(')')
    }

    fn at_end(&self) -> bool {
        self.rest().is_empty()
    }

    fn at(&self) -> usize {
        self.input.current_token_start()
    }

    fn rest(&self) -> &str {
        self.input.as_ref()
    }
}

/// Refuses a bare word that contains an operator but names no field: looked for as text, it would silently find
/// nothing. An ARN, a path and an address with a port count as text.
fn no_field_was_meant(text: &str, start: usize) -> Result<(), QueryError> {
    let Some(at) = text.find([':', '=', '<', '>']) else { return Ok(()) };
    let head = text.get(..at).unwrap_or_default();
    let head = head.strip_suffix('!').unwrap_or(head);
    let is_text = head.starts_with(|c: char| c.is_ascii_digit()) || head.contains('/');
    if is_text || head.eq_ignore_ascii_case("arn") {
        return Ok(());
    }
    if head.is_empty() {
        let end = start + text.find(|c: char| !":=<>!".contains(c)).unwrap_or(text.len());
        let message = "a field must come right before this, without a space, as in players>=8";
        return Err(QueryError::new(message, Span { start, end }));
    }
    let name = head.trim_start_matches(|c: char| !c.is_alphanumeric());
    let mut message = match Field::named(name) {
        Some(_) => format!("there is no field `{head}`; did you mean `{name}`?"),
        None => unknown(name),
    };
    message.push_str(" (put text with such a character in quotes)");
    Err(QueryError::new(message, Span { start, end: start + head.len() }))
}

fn one_or(mut parts: Vec<Node>, many: fn(Vec<Node>) -> Node) -> Node {
    if parts.len() == 1 { parts.remove(0) } else { many(parts) }
}

/// First words of game properties in other query languages, such as Nakama's `label.mode`.
const OTHERS_PROPERTIES: [&str; 6] = ["label", "props", "property", "properties", "value", "values"];

fn unknown(name: &str) -> String {
    let lower = name.to_lowercase();
    if let Some((first, key)) = name.split_once('.')
        && OTHERS_PROPERTIES.iter().any(|other| first.eq_ignore_ascii_case(other))
        && let Some(key) = key.rsplit('.').next().filter(|key| !key.is_empty())
    {
        return format!("there is no field `{name}`; did you mean the game property `prop.{key}`?");
    }
    match nearest(&lower) {
        Some(known) => format!("there is no field `{name}`; did you mean `{known}`?"),
        None => {
            let names: Vec<&str> = NAMED.iter().map(|(name, ..)| *name).collect();
            format!("there is no field `{name}`; fields are {} and prop.<key>", names.join(", "))
        }
    }
}

/// The field that a misspelt name most likely means: one that it begins or that begins it, else one that differs by a
/// letter or two.
fn nearest(lower: &str) -> Option<&'static str> {
    let names = || NAMED.iter().map(|(known, ..)| *known);
    names().find(|known| known.starts_with(lower) || lower.starts_with(known)).or_else(|| {
        let differs = |known: &str| strsim::osa_distance(known, lower);
        names().min_by_key(|known| differs(known)).filter(|known| differs(known) * 3 <= known.len())
    })
}

//! The grammar of filter and sort expressions, read in one pass to find the first mistake and its place.
//!
//! Precedence is left to the service; here AND and OR only have to stand between conditions. Nesting is bounded, so
//! that no text can exhaust the stack.

use crate::query::{QueryError, Span};

/// Operands with a fixed name; properties follow a prefix.
const OPERANDS: [(&str, Kind); 6] = [
    ("gameSessionName", Kind::Text),
    ("gameSessionId", Kind::Text),
    ("maximumSessions", Kind::Number),
    ("creationTimeMillis", Kind::Number),
    ("playerSessionCount", Kind::Number),
    ("hasAvailablePlayerSessions", Kind::Boolean),
];
const PROPERTY: &str = "gameSessionProperties";
/// Longest first, so that `<=` is not read as `<`.
const COMPARATORS: [&str; 6] = ["<>", "<=", ">=", "<", ">", "="];
const MAX_DEPTH: usize = 64;

/// What an operand is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Number,
    Boolean,
    /// Compared as a string, however the value is written.
    Property,
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

/// Finds the first mistake in a filter expression.
pub(super) fn filter(text: &str) -> Result<(), QueryError> {
    let mut scanner = Scanner { text, at: 0 };
    scanner.conditions(0)?;
    if scanner.rest().is_empty() {
        return Ok(());
    }
    let word = scanner.word();
    Err(if scanner.rest().starts_with(')') {
        wrong("this `)` has no matching `(`", word)
    } else {
        wrong("a condition is followed by AND, OR or the end", word)
    })
}

/// Finds the first mistake in a sort expression.
pub(super) fn sort(text: &str) -> Result<(), QueryError> {
    let mut scanner = Scanner { text, at: 0 };
    scanner.operand()?;
    if scanner.keyword("ASC").is_none() && scanner.keyword("DESC").is_none() {
        return Err(wrong("ASC or DESC is missing after the field", scanner.word()));
    }
    scanner.skip_space();
    if scanner.rest().is_empty() {
        return Ok(());
    }
    Err(wrong("GameLift sorts by one field only", Span { start: scanner.at, end: text.trim_end().len() }))
}

fn wrong(message: impl Into<String>, span: Span) -> QueryError {
    QueryError { message: message.into(), span }
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '.'
}

impl<'t> Scanner<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn span_of(&self, length: usize) -> Span {
        Span { start: self.at, end: self.at + length }
    }

    /// The span of the next word, or of one character; empty at the end of the text.
    fn word(&mut self) -> Span {
        self.skip_space();
        let rest = self.rest();
        let end = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
        let length = if end > 0 { end } else { rest.chars().next().map_or(0, char::len_utf8) };
        self.span_of(length)
    }

    /// Takes a keyword, ignoring case.
    fn keyword(&mut self, keyword: &str) -> Option<Span> {
        let span = self.word();
        let found = self.text.get(span.start..span.end)?;
        found.eq_ignore_ascii_case(keyword).then(|| {
            self.at = span.end;
            span
        })
    }

    fn conditions(&mut self, depth: usize) -> Result<(), QueryError> {
        self.condition(depth)?;
        while self.keyword("AND").is_some() || self.keyword("OR").is_some() {
            self.condition(depth)?;
        }
        Ok(())
    }

    fn condition(&mut self, depth: usize) -> Result<(), QueryError> {
        let at = self.word();
        if depth > MAX_DEPTH {
            return Err(wrong("nested too deeply", at));
        }
        if self.keyword("NOT").is_some() {
            return self.condition(depth + 1);
        }
        if !self.rest().starts_with('(') {
            return self.comparison();
        }
        self.at += 1;
        self.conditions(depth + 1)?;
        self.skip_space();
        if self.rest().starts_with(')') {
            self.at += 1;
            return Ok(());
        }
        if self.rest().is_empty() {
            return Err(wrong("this `(` is not closed", at));
        }
        Err(wrong("a condition is followed by AND, OR or `)`", self.word()))
    }

    fn comparison(&mut self) -> Result<(), QueryError> {
        let (kind, name) = self.operand()?;
        self.skip_space();
        let Some(comparator) = COMPARATORS.into_iter().find(|sign| self.rest().starts_with(sign)) else {
            let found = self.rest().starts_with("!=") || self.rest().starts_with("==");
            let span = if found { self.span_of(2) } else { self.word() };
            return Err(wrong(format!("`{name}` is followed by =, <>, <, >, <= or >="), span));
        };
        let sign = self.span_of(comparator.len());
        self.at = sign.end;
        let (written, value) = self.value()?;
        let fits = match kind {
            Kind::Property => true,
            Kind::Text | Kind::Number | Kind::Boolean => kind == written,
        };
        if !fits {
            let wanted = match kind {
                Kind::Number => "a number",
                Kind::Boolean => "true or false",
                Kind::Text | Kind::Property => "a text in single quotes",
            };
            return Err(wrong(format!("`{name}` is compared with {wanted}"), value));
        }
        let ordered = comparator != "=" && comparator != "<>";
        if ordered && kind != Kind::Number {
            return Err(wrong("text and booleans are compared with = or <> only", sign));
        }
        Ok(())
    }

    /// Takes an operand; returns its kind and name.
    fn operand(&mut self) -> Result<(Kind, &'t str), QueryError> {
        let span = self.word();
        let word = self.text.get(span.start..span.end).unwrap_or_default();
        if let Some(rest) = self.rest().strip_prefix(PROPERTY).and_then(|rest| rest.strip_prefix('.')) {
            return self.property(span.start, rest);
        }
        if let Some((name, kind)) = OPERANDS.into_iter().find(|(name, _)| *name == word) {
            self.at = span.end;
            return Ok((kind, name));
        }
        let close = OPERANDS.into_iter().map(|(name, _)| name).find(|name| name.eq_ignore_ascii_case(word));
        let message = match close {
            _ if word.eq_ignore_ascii_case(PROPERTY) => format!("a property is written {PROPERTY}.its-key"),
            Some(name) => format!("written `{name}`"),
            None if word.is_empty() => "a condition is missing".to_owned(),
            None => {
                let names = OPERANDS.map(|(name, _)| name).join(", ");
                format!("GameLift searches {names} and {PROPERTY}.key")
            }
        };
        Err(wrong(message, span))
    }

    fn property(&mut self, start: usize, rest: &'t str) -> Result<(Kind, &'t str), QueryError> {
        let ends = |letter: char| letter.is_whitespace() || "=<>()".contains(letter);
        let key = rest.split(ends).next().unwrap_or_default();
        let name_length = PROPERTY.len() + 1 + key.len();
        let span = Span { start, end: start + name_length };
        if key.is_empty() {
            return Err(wrong("the property's key is missing", span));
        }
        if key.contains('.') {
            return Err(wrong("GameLift cannot search a property whose key has a dot", span));
        }
        self.at = span.end;
        Ok((Kind::Property, self.text.get(start..span.end).unwrap_or_default()))
    }

    fn value(&mut self) -> Result<(Kind, Span), QueryError> {
        let span = self.word();
        let rest = self.rest();
        if let Some(quote) = rest.chars().next().filter(|letter| matches!(letter, '\'' | '"')) {
            return self.quoted(quote);
        }
        let ends = |letter: char| letter.is_whitespace() || "=<>()'\"".contains(letter);
        let written = rest.split(ends).next().unwrap_or_default();
        let value = self.span_of(written.len());
        let kind = match written {
            "true" | "false" => Kind::Boolean,
            // Words such as `inf` would parse as numbers, but are not numbers here.
            number if number.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first)) => {
                if !number.parse::<f64>().is_ok_and(f64::is_finite) {
                    return Err(wrong("this is not a number", value));
                }
                Kind::Number
            }
            "" => return Err(wrong("a value is missing", span)),
            _ => return Err(wrong("text goes in single quotes: 'like this'", value)),
        };
        self.at = value.end;
        Ok((kind, value))
    }

    /// Takes quoted text, in which a backslash escapes special characters.
    fn quoted(&mut self, quote: char) -> Result<(Kind, Span), QueryError> {
        let mut escaped = false;
        for (at, letter) in self.rest().char_indices().skip(1) {
            match letter {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                _ if letter == quote => {
                    let span = self.span_of(at + 1);
                    self.at = span.end;
                    return Ok((Kind::Text, span));
                }
                _ => {}
            }
        }
        Err(wrong("this quote is not closed", self.span_of(1)))
    }
}

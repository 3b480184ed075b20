//! The local query language: one grammar for the search box, the command line and alert rules.
//!
//! `status:active fleet:eu-prod* players>=8 prop.mode:ranked name:/season.+/ created:<2h -region:us-east-1`
//!
//! Owns the grammar, what each field may be compared with, the errors and the completions. Deliberately knows nothing
//! of SQL or of rows: the store turns the tree into statements. Pure: ages stay ages here and are compared with a
//! clock only when a query is run.
//!
//! Adjacent terms must all hold; `or` binds less tightly; `-` negates a term or a group, and `+` before one changes
//! nothing; parentheses group. Text without a field is looked for in names and ids.

pub mod check;
mod completion;
mod error;
mod field;
mod parser;
#[cfg(test)]
mod tests;
mod value;

pub use completion::{Completion, Vocabulary, completions};
pub use error::QueryError;
pub use field::{Field, FieldKind};
pub use value::{Comparison, Pattern, Test, TextTest};

/// Longest query text accepted, in bytes: nobody types more, and it bounds the work.
pub const MAX_TEXT_BYTES: usize = 4_096;
/// Deepest nesting of groups and negations accepted.
pub const MAX_DEPTH: usize = 24;
/// Most terms accepted in one query; SQLite limits the depth of an expression to 1000.
pub const MAX_TERMS: usize = 64;

/// A range of the query text, in bytes, on character boundaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// First byte after.
    pub end: usize,
}

impl Span {
    /// The span from the start of this one to the end of `other`.
    #[must_use]
    pub const fn to(self, other: Self) -> Self {
        Self { start: self.start, end: other.end }
    }
}

/// A parsed query.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// What must hold; `None` when the text is blank and everything matches.
    pub root: Option<Node>,
}

/// A part of a query.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// All of them hold.
    And(Vec<Node>),
    /// At least one holds.
    Or(Vec<Node>),
    /// It does not hold.
    Not(Box<Node>),
    /// One comparison.
    Term(Term),
}

/// One comparison of a field.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// The field that is compared.
    pub field: Field,
    /// What it must satisfy.
    pub test: Test,
    /// Where the term is in the text.
    pub span: Span,
}

impl Query {
    /// The query that matches everything.
    pub const fn everything() -> Self {
        Self { root: None }
    }

    /// Reads a query.
    ///
    /// # Errors
    /// When the text does not parse, names an unknown field, or compares a field with something it cannot be compared
    /// with. The error says where.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        parser::parse(text)
    }

    /// The query that matches what both match. Spans of the two stay as they were in their own texts.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let parts: Vec<Node> = [self.root, other.root].into_iter().flatten().collect();
        Self { root: if parts.len() > 1 { Some(Node::And(parts)) } else { parts.into_iter().next() } }
    }

    /// The parts that must all hold, in the order of the text.
    pub fn parts(self) -> Vec<Self> {
        match self.root {
            Some(Node::And(parts)) => parts.into_iter().map(|part| Self { root: Some(part) }).collect(),
            Some(part) => vec![Self { root: Some(part) }],
            None => Vec::new(),
        }
    }

    /// Every term of the query, in the order of the text.
    pub fn terms(&self) -> Vec<&Term> {
        let mut found = Vec::new();
        if let Some(root) = &self.root {
            root.collect(&mut found);
        }
        found
    }
}

/// A value as it is written in a query, in quotes, so that it is taken as it is.
pub fn quoted(value: &str) -> String {
    format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
}

impl Node {
    fn collect<'a>(&'a self, into: &mut Vec<&'a Term>) {
        match self {
            Self::And(parts) | Self::Or(parts) => parts.iter().for_each(|part| part.collect(into)),
            Self::Not(part) => part.collect(into),
            Self::Term(term) => into.push(term),
        }
    }
}

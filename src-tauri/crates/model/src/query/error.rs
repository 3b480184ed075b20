//! What is wrong with a query, where, and how to show it. Deliberately holds words for people, no codes.

use super::Span;

/// A query that does not parse.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct QueryError {
    /// What is wrong and what would be accepted.
    pub message: String,
    /// Where.
    pub span: Span,
}

impl QueryError {
    pub(super) fn new(message: impl Into<String>, span: Span) -> Self {
        Self { message: message.into(), span }
    }

    /// Renders the query with a line of carets under the error and the message after them.
    ///
    /// ```
    /// let error = liftdeck_model::query::Query::parse("players>=many").unwrap_err();
    /// assert!(error.render("players>=many").contains("         ^^^^"));
    /// ```
    pub fn render(&self, text: &str) -> String {
        let width = |from: usize, to: usize| text.get(from..to).map_or(0, |part| part.chars().count());
        let before = " ".repeat(width(0, self.span.start));
        let carets = "^".repeat(width(self.span.start, self.span.end).max(1));
        let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        format!("{line}\n{before}{carets} {}", self.message)
    }
}

//! A search for game sessions by GameLift itself, in the grammar of SearchGameSessions.
//!
//! Owns which expressions are worth sending: what the service's documented rules would refuse is refused here, with
//! the place of the mistake. Deliberately does not evaluate expressions: the service searches.

mod expression;
#[cfg(test)]
mod tests;
mod written;

use crate::Location;
use crate::action::GameSessionTarget;
use crate::query::{QueryError, Span};

pub use self::written::{SearchCheck, SearchMistake, SearchQuery};

/// Longest expression in characters (AWS: NonZeroAndMaxString).
pub const MAX_EXPRESSION_CHARS: usize = 1_024;

/// A request to SearchGameSessions, which finds only ACTIVE game sessions and whose index lags behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSessionSearch {
    /// The fleet to search, directly or through an alias. AWS: exactly one of the two.
    pub target: GameSessionTarget,
    /// Location to search; all locations of the fleet if absent.
    pub location: Option<Location>,
    /// Which sessions to find; all if absent.
    pub filter: Option<FilterExpression>,
    /// Order of the results; if absent, the service's own, which is random.
    pub sort: Option<SortExpression>,
}

/// A filter such as `hasAvailablePlayerSessions=true AND maximumSessions>=8`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterExpression(String);

/// An order such as `creationTimeMillis DESC`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortExpression(String);

impl FilterExpression {
    /// Reads a filter; `None` when the text is blank.
    ///
    /// # Errors
    /// When the service would refuse it. The error says where.
    pub fn parse(text: &str) -> Result<Option<Self>, QueryError> {
        Ok(checked(text, expression::filter)?.map(Self))
    }

    /// The expression as it is sent.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl SortExpression {
    /// Reads an order; `None` when the text is blank.
    ///
    /// # Errors
    /// When the service would refuse it. The error says where.
    pub fn parse(text: &str) -> Result<Option<Self>, QueryError> {
        Ok(checked(text, expression::sort)?.map(Self))
    }

    /// The expression as it is sent.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn checked(
    text: &str,
    check: impl FnOnce(&str) -> Result<(), QueryError>,
) -> Result<Option<String>, QueryError> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    if let Some((start, _)) = text.char_indices().nth(MAX_EXPRESSION_CHARS) {
        let message = format!("longer than the {MAX_EXPRESSION_CHARS} characters GameLift takes");
        return Err(QueryError { message, span: Span { start, end: text.len() } });
    }
    check(text)?;
    Ok(Some(text.trim().to_owned()))
}

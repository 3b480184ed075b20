//! A question for GameLift's own search of game sessions, in the grammar of SearchGameSessions.
//!
//! Owns which expressions are worth sending: what the service would refuse by its documented rules is refused here, with
//! the place of the mistake. Deliberately knows neither sessions nor what an expression yields: the service searches.

mod expression;
#[cfg(test)]
mod tests;

use crate::Location;
use crate::action::GameSessionTarget;
use crate::query::{QueryError, Span};

/// Longest expression in characters (AWS: NonZeroAndMaxString).
pub const MAX_EXPRESSION_CHARS: usize = 1_024;

/// What is asked of SearchGameSessions. It finds ACTIVE game sessions only, and its index lags behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSessionSearch {
    /// The fleet searched, itself or through an alias. AWS: one of both.
    pub target: GameSessionTarget,
    /// Only there; all locations of the fleet without one.
    pub location: Option<Location>,
    /// Which sessions; every one without.
    pub filter: Option<FilterExpression>,
    /// In which order; without one the service's own, which is random.
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
    /// When the service would refuse it. The error knows where.
    pub fn parse(text: &str) -> Result<Option<Self>, QueryError> {
        Ok(checked(text, expression::filter)?.map(Self))
    }

    /// As it is sent.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl SortExpression {
    /// Reads an order; `None` when the text is blank.
    ///
    /// # Errors
    /// When the service would refuse it. The error knows where.
    pub fn parse(text: &str) -> Result<Option<Self>, QueryError> {
        Ok(checked(text, expression::sort)?.map(Self))
    }

    /// As it is sent.
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

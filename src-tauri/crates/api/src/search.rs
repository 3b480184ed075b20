//! GameLift's own search of game sessions: the query, its mistakes and its results.

use liftdeck_collector::Found;
use liftdeck_gateway::MAX_SEARCH_PAGES;
use liftdeck_model::action::GameSessionTarget;
use liftdeck_model::query::check::QueryProblem;
use liftdeck_model::search::{FilterExpression, GameSessionSearch, SortExpression};
use liftdeck_model::{AliasId, FleetId, Location, Timestamp};
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::error::{AppError, ErrorKind};

/// A query for SearchGameSessions.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SearchQuery {
    pub region: String,
    /// The fleet to search; absent if an alias is given.
    pub fleet_id: Option<String>,
    pub alias_id: Option<String>,
    /// One location of the fleet; all of them if absent.
    pub location: Option<String>,
    /// In the service's own grammar; blank for all game sessions.
    pub filter: String,
    /// In the service's own grammar; blank for no particular order.
    pub sort: String,
}

/// What is wrong with the two expressions, as far as the service's rules are known.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SearchCheck {
    pub filter: Option<QueryProblem>,
    pub sort: Option<QueryProblem>,
}

/// The result of a search.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SearchFound {
    /// The number by which a query for game sessions refers to this search.
    pub search: u32,
    pub asked_at: Timestamp,
    pub found: usize,
    /// Whether GameLift has more results than the pages read.
    pub more: bool,
    /// The maximum number of pages read, with 20 game sessions each.
    pub pages_at_most: usize,
    /// The error that ended the search after its first page, if any.
    pub failure: Option<AppError>,
}

impl SearchQuery {
    /// Returns the search if both expressions are valid.
    pub fn search(&self) -> Result<GameSessionSearch, AppError> {
        let target = match (&self.fleet_id, &self.alias_id) {
            (Some(fleet), None) => GameSessionTarget::Fleet(FleetId::new(fleet.clone())),
            (None, Some(alias)) => GameSessionTarget::Alias(AliasId::new(alias.clone())),
            _ => return Err(AppError::new(ErrorKind::InvalidInput, "Choose a fleet or an alias to search.")),
        };
        let invalid = |what: &str, message: String| {
            AppError::new(ErrorKind::InvalidInput, format!("Nothing was sent. {what}:\n{message}"))
        };
        Ok(GameSessionSearch {
            target,
            location: self.location.clone().map(Location::new),
            filter: FilterExpression::parse(&self.filter)
                .map_err(|error| invalid("The filter", error.render(&self.filter)))?,
            sort: SortExpression::parse(&self.sort)
                .map_err(|error| invalid("The order", error.render(&self.sort)))?,
        })
    }
}

impl SearchCheck {
    /// Checks the two expressions.
    pub fn of(filter: &str, sort: &str) -> Self {
        Self {
            filter: FilterExpression::parse(filter).err().map(|error| QueryProblem::new(filter, &error)),
            sort: SortExpression::parse(sort).err().map(|error| QueryProblem::new(sort, &error)),
        }
    }
}

impl SearchFound {
    /// The result that is kept under the number `search`.
    pub fn new(search: u32, found: Found) -> Self {
        Self {
            search,
            asked_at: found.asked_at,
            found: found.sessions.len(),
            more: found.more,
            pages_at_most: MAX_SEARCH_PAGES,
            failure: found.failure.map(AppError::from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(fleet: Option<&str>, alias: Option<&str>, filter: &str) -> SearchQuery {
        SearchQuery {
            region: "eu-west-1".to_owned(),
            fleet_id: fleet.map(str::to_owned),
            alias_id: alias.map(str::to_owned),
            location: None,
            filter: filter.to_owned(),
            sort: String::new(),
        }
    }

    #[test]
    fn one_fleet_or_one_alias_is_searched() {
        assert!(query(Some("fleet-1"), None, "").search().is_ok());
        assert!(query(None, Some("alias-1"), "").search().is_ok());
        assert!(query(None, None, "").search().is_err());
        assert!(query(Some("fleet-1"), Some("alias-1"), "").search().is_err());
    }

    #[test]
    fn a_mistake_is_pointed_at_and_nothing_is_sent() {
        let error = query(Some("fleet-1"), None, "players > 1").search().unwrap_err();
        assert!(error.message.contains("players > 1\n^^^^^^^"), "{error}");
        let check = SearchCheck::of("é = 1", "creationTimeMillis");
        assert_eq!(check.filter.map(|problem| (problem.start, problem.end)), Some((0, 1)));
        assert_eq!(check.sort.map(|problem| problem.start), Some(18));
    }
}

//! A search as a person writes it: the two expressions as text, with what is wrong with them.

use serde::{Deserialize, Serialize};
use specta::Type;

use super::{FilterExpression, GameSessionSearch, SortExpression};
use crate::action::GameSessionTarget;
use crate::query::check::QueryProblem;
use crate::{AliasId, FleetId, Location, Region};

/// A query for SearchGameSessions.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SearchQuery {
    /// The Region to search in.
    pub region: Region,
    /// The fleet to search; absent if an alias is given.
    pub fleet_id: Option<FleetId>,
    /// The alias whose fleet to search; absent if a fleet is given.
    pub alias_id: Option<AliasId>,
    /// One location of the fleet; all of them if absent.
    pub location: Option<Location>,
    /// In the service's own grammar; blank for all game sessions.
    pub filter: String,
    /// In the service's own grammar; blank for no particular order.
    pub sort: String,
}

/// Why a [`SearchQuery`] cannot be sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchMistake {
    /// Neither a fleet nor an alias is given, or both are.
    #[error("Choose a fleet or an alias to search.")]
    Target,
    /// The filter; the text marks the place.
    #[error("Nothing was sent. The filter:\n{0}")]
    Filter(String),
    /// The order; the text marks the place.
    #[error("Nothing was sent. The order:\n{0}")]
    Sort(String),
}

/// What is wrong with the two expressions, as far as the service's rules are known.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SearchCheck {
    /// What is wrong with the filter.
    pub filter: Option<QueryProblem>,
    /// What is wrong with the order.
    pub sort: Option<QueryProblem>,
}

impl SearchQuery {
    /// Returns the search.
    ///
    /// # Errors
    /// When there is not exactly one target, or the service would refuse an expression.
    pub fn search(&self) -> Result<GameSessionSearch, SearchMistake> {
        let target = match (&self.fleet_id, &self.alias_id) {
            (Some(fleet), None) => GameSessionTarget::Fleet(fleet.clone()),
            (None, Some(alias)) => GameSessionTarget::Alias(alias.clone()),
            _ => return Err(SearchMistake::Target),
        };
        Ok(GameSessionSearch {
            target,
            location: self.location.clone(),
            filter: FilterExpression::parse(&self.filter)
                .map_err(|error| SearchMistake::Filter(error.render(&self.filter)))?,
            sort: SortExpression::parse(&self.sort)
                .map_err(|error| SearchMistake::Sort(error.render(&self.sort)))?,
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

#[cfg(test)]
mod tests {
    use super::*;

    fn query(fleet: Option<&str>, alias: Option<&str>, filter: &str) -> SearchQuery {
        SearchQuery {
            region: "eu-west-1".into(),
            fleet_id: fleet.map(FleetId::from),
            alias_id: alias.map(AliasId::from),
            location: None,
            filter: filter.to_owned(),
            sort: String::new(),
        }
    }

    #[test]
    fn one_fleet_or_one_alias_is_searched() {
        assert!(query(Some("fleet-1"), None, "").search().is_ok());
        assert!(query(None, Some("alias-1"), "").search().is_ok());
        assert_eq!(query(None, None, "").search(), Err(SearchMistake::Target));
        assert_eq!(query(Some("fleet-1"), Some("alias-1"), "").search(), Err(SearchMistake::Target));
    }

    #[test]
    fn a_mistake_is_pointed_at_and_nothing_is_sent() {
        let error = query(Some("fleet-1"), None, "players > 1").search().unwrap_err().to_string();
        assert!(error.contains("players > 1\n^^^^^^^"), "{error}");
        let check = SearchCheck::of("é = 1", "creationTimeMillis");
        assert_eq!(check.filter.map(|problem| (problem.start, problem.end)), Some((0, 1)));
        assert_eq!(check.sort.map(|problem| problem.start), Some(18));
    }
}

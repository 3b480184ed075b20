//! What GameLift's own search of game sessions found.

use liftdeck_collector::Found;
use liftdeck_gateway::MAX_SEARCH_PAGES;
use liftdeck_model::Timestamp;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::error::AppError;

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

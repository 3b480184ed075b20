//! What GameLift answered when a person asked it: its own search of game sessions, and everything it has of a player.

use liftdeck_collector::{Found, PlayerFound};
use liftdeck_gateway::MAX_SEARCH_PAGES;
use liftdeck_model::{Region, Timestamp};
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

/// What GameLift answered in one Region when it was asked about a player. What it told is in the database.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlayerAsked {
    pub region: Region,
    pub asked_at: Timestamp,
    /// Number of player sessions GameLift has of the player. AWS: they are kept until 30 days after their game session
    /// ended.
    pub player_sessions: u64,
    /// Number of their game sessions that were not read: too many, or GameLift has them no longer.
    pub unread: u64,
    /// Why the answer is missing or not whole.
    pub failure: Option<AppError>,
}

impl From<PlayerFound> for PlayerAsked {
    fn from(found: PlayerFound) -> Self {
        let PlayerFound { region, asked_at, player_sessions, unread, failure } = found;
        Self { region, asked_at, player_sessions, unread, failure: failure.map(AppError::from) }
    }
}

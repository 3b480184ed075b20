//! Searches on demand: results of GameLift's own search are handled like those of a poll.
//!
//! Owns the entry point for searches between the Regions' polls. `poll::search` does the reading and writing.

use std::fmt;
use std::sync::Arc;

use liftdeck_gateway::GatewayError;
use liftdeck_model::search::GameSessionSearch;
use liftdeck_model::{GameSessionId, Region, Timestamp};
use liftdeck_store::StoreError;

use crate::poll::Poller;

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// When the search began.
    pub asked_at: Timestamp,
    /// The game sessions, in the order returned by the service.
    pub sessions: Vec<GameSessionId>,
    /// Whether there are more than one search reads.
    pub more: bool,
    /// The failure that broke it off after its first page, if any.
    pub failure: Option<GatewayError>,
}

/// Why a search found nothing at all.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// This connection does not cover the Region.
    #[error("this connection does not cover the Region {0}")]
    Region(Region),
    /// AWS could not be reached, or refused.
    #[error(transparent)]
    Gateway(#[from] GatewayError),
    /// What was found could not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Searches within the request budget of a running collection.
#[derive(Clone)]
pub struct Searcher {
    pollers: Arc<[Arc<Poller>]>,
}

impl fmt::Debug for Searcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.pollers.iter().map(|poller| &poller.region)).finish()
    }
}

impl Searcher {
    pub(crate) fn new(pollers: Vec<Arc<Poller>>) -> Self {
        Self { pollers: pollers.into() }
    }

    /// Searches with GameLift, writes what it finds and returns the ids. Sessions it does not find are not treated as
    /// gone.
    ///
    /// # Errors
    /// When the Region is not covered, the first page could not be read, or what was read could not be written.
    pub async fn search(&self, region: &Region, search: &GameSessionSearch) -> Result<Found, SearchError> {
        let poller = self.pollers.iter().find(|poller| poller.region == *region);
        poller.ok_or_else(|| SearchError::Region(region.clone()))?.search(search).await
    }
}

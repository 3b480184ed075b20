//! Searches on demand: what a person asks of GameLift's own search goes the way of every poll.
//!
//! Owns who may ask between the Regions' polls. What a search reads and writes is `poll::search`'s.

use std::fmt;
use std::sync::Arc;

use liftdeck_gateway::GatewayError;
use liftdeck_model::search::GameSessionSearch;
use liftdeck_model::{GameSessionId, Region, Timestamp};
use liftdeck_store::StoreError;

use crate::poll::Poller;

/// Pages of one search at most, 20 game sessions each.
pub const MAX_SEARCH_PAGES: usize = 20;

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// When it was asked.
    pub asked_at: Timestamp,
    /// The game sessions, in the order of the service.
    pub sessions: Vec<GameSessionId>,
    /// Whether there is more than [`MAX_SEARCH_PAGES`] hold.
    pub more: bool,
    /// What broke it off after its first page.
    pub failure: Option<GatewayError>,
}

/// Why a search found nothing at all.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// This connection collects nothing there.
    #[error("this connection does not cover the Region {0}")]
    Region(Region),
    /// AWS could not be asked, or refused.
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

    /// Asks GameLift, writes what it finds and answers with its ids. What it does not find is not taken for gone.
    ///
    /// # Errors
    /// When the first page could not be read, or what was read could not be written.
    pub async fn search(&self, region: &Region, search: &GameSessionSearch) -> Result<Found, SearchError> {
        let poller = self.pollers.iter().find(|poller| poller.region == *region);
        poller.ok_or_else(|| SearchError::Region(region.clone()))?.search(search).await
    }
}

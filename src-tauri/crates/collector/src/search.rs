//! Searches on demand: results of GameLift's own search are handled like those of a poll.
//!
//! Owns the entry point for searches between the Regions' polls, and what the latest ones found. `poll::search` and
//! `poll::player` do the reading and writing.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use futures::future::join_all;
use liftdeck_gateway::GatewayError;
use liftdeck_model::player_session::PlayerSession;
use liftdeck_model::search::GameSessionSearch;
use liftdeck_model::{GameSessionId, PlayerId, PlayerSessionId, Region, Timestamp};
use liftdeck_store::StoreError;
use parking_lot::Mutex;

use crate::poll::Poller;

/// Number of searches kept; an older one must be run again.
const KEPT: usize = 16;

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

/// What GameLift answered in one Region when it was asked about a player.
#[derive(Debug)]
pub struct PlayerFound {
    /// Region.
    pub region: Region,
    /// When it was asked.
    pub asked_at: Timestamp,
    /// Number of player sessions GameLift has of the player.
    pub player_sessions: u64,
    /// Number of their game sessions that could not be read as well; GameLift may no longer have them.
    pub unread: u64,
    /// Why the answer is missing or not whole.
    pub failure: Option<SearchError>,
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

impl Searcher {
    /// Asks GameLift in every Region for all sessions of a player, with their game sessions and the latencies the
    /// player had measured, and writes what it answers, the newest first.
    pub async fn player(&self, player: &PlayerId) -> Vec<PlayerFound> {
        join_all(self.pollers.iter().map(|poller| poller.look_up_player(player))).await
    }

    /// Asks GameLift in every Region for a player session, and writes it; `None` if no Region has it.
    ///
    /// # Errors
    /// When no Region has it and one could not be asked, or what was read could not be written.
    pub async fn player_session(&self, id: &PlayerSessionId) -> Result<Option<PlayerSession>, SearchError> {
        let mut failure = None;
        for answer in join_all(self.pollers.iter().map(|poller| poller.look_up_player_session(id))).await {
            match answer {
                Ok(Some(found)) => return Ok(Some(found)),
                Ok(None) => {}
                Err(error) => failure = Some(error),
            }
        }
        failure.map_or(Ok(None), Err)
    }
}

/// The results of the latest searches. Only ids are kept: the details of a game session always come from the store.
#[derive(Debug, Default)]
pub struct Searches(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    last: u32,
    found: VecDeque<(u32, Arc<[GameSessionId]>)>,
}

impl Searches {
    /// Keeps what a search found, under the number it returns.
    pub fn keep(&self, found: &Found) -> u32 {
        let mut kept = self.0.lock();
        kept.last = kept.last.wrapping_add(1);
        if kept.found.len() == KEPT {
            kept.found.pop_front();
        }
        let number = kept.last;
        kept.found.push_back((number, found.sessions.as_slice().into()));
        number
    }

    /// What the search with this number found; `None` if it is no longer kept.
    pub fn found(&self, search: u32) -> Option<Arc<[GameSessionId]>> {
        let kept = self.0.lock();
        kept.found.iter().find(|(number, _)| *number == search).map(|(_, found)| Arc::clone(found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_searches_are_kept_and_older_ones_forgotten() {
        let searches = Searches::default();
        let found = |index| Found {
            asked_at: Timestamp::from_ms(0),
            sessions: vec![format!("s-{index}").into()],
            more: false,
            failure: None,
        };
        let numbers: Vec<u32> = (0..20).map(|index| searches.keep(&found(index))).collect();
        assert_eq!(numbers.iter().filter(|number| searches.found(**number).is_some()).count(), KEPT);
        assert_eq!(searches.found(numbers[3]), None);
        assert_eq!(searches.found(numbers[4]).unwrap()[0].as_str(), "s-4");
        assert_eq!(searches.found(numbers[19]).unwrap()[0].as_str(), "s-19");
    }
}

//! GameLift's own search for game sessions, read page by page.
//!
//! Owns how far one search reads, and that no game session is found twice.

use std::collections::HashSet;

use liftdeck_model::GameSessionId;
use liftdeck_model::game_session::GameSession;
use liftdeck_model::search::GameSessionSearch;

use super::Reader;
use crate::error::GatewayError;
use crate::page::PageToken;

/// Maximum number of pages of one search, with 20 game sessions each.
pub const MAX_SEARCH_PAGES: usize = 20;

/// A search whose pages are being read.
#[derive(Debug)]
pub struct SearchPages<'a> {
    reader: &'a Reader,
    search: &'a GameSessionSearch,
    from: Option<PageToken>,
    read: usize,
    is_over: bool,
    seen: HashSet<GameSessionId>,
    failure: Option<GatewayError>,
    is_cut: bool,
}

impl Reader {
    /// Searches for ACTIVE game sessions.
    pub fn search_game_sessions<'a>(&'a self, search: &'a GameSessionSearch) -> SearchPages<'a> {
        SearchPages {
            reader: self,
            search,
            from: None,
            read: 0,
            is_over: false,
            seen: HashSet::new(),
            failure: None,
            is_cut: false,
        }
    }
}

impl SearchPages<'_> {
    /// The game sessions of the next page that no earlier page had; `None` after the last page. Without a sort order,
    /// pages can repeat game sessions when others come and go between requests.
    ///
    /// # Errors
    /// When the first page cannot be read. A later failure ends the search instead: see [`Self::failure`].
    pub async fn next(&mut self) -> Result<Option<Vec<GameSession>>, GatewayError> {
        if self.is_over || self.read == MAX_SEARCH_PAGES {
            return Ok(None);
        }
        let page = match self.reader.search_game_sessions_page(self.search, self.from.take()).await {
            Ok(page) => page,
            Err(failure) if self.read == 0 => return Err(failure),
            Err(failure) => {
                (self.is_over, self.is_cut) = (true, true);
                self.failure = Some(failure);
                return Ok(None);
            }
        };
        self.read += 1;
        self.failure = self.failure.take().or(page.flaw);
        self.from = page.next;
        self.is_over = self.from.is_none();
        let mut sessions = page.items;
        sessions.retain(|session| self.seen.insert(session.game_session_id.clone()));
        Ok(Some(sessions))
    }

    /// Whether GameLift has more than the [`MAX_SEARCH_PAGES`] pages that one search reads.
    pub const fn has_more(&self) -> bool {
        !self.is_over && self.read == MAX_SEARCH_PAGES
    }

    /// Whether a failure ended the search after its first page.
    pub const fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// What could not be read, if anything.
    pub fn failure(self) -> Option<GatewayError> {
        self.failure
    }
}

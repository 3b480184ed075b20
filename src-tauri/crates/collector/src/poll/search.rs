//! A search for game sessions: page by page, each written as it arrives.

use std::collections::HashSet;

use liftdeck_gateway::Priority;
use liftdeck_model::observation::Observation;
use liftdeck_model::search::GameSessionSearch;

use super::Poller;
use crate::players::Reason;
use crate::search::{Found, MAX_SEARCH_PAGES, SearchError};

impl Poller {
    pub(crate) async fn search(&self, search: &GameSessionSearch) -> Result<Found, SearchError> {
        let aws = self.aws.with_priority(Priority::OnScreen);
        let mut found = Found { asked_at: self.now(), sessions: Vec::new(), more: false, failure: None };
        let mut seen = HashSet::new();
        let mut from = None;
        for number in 1..=MAX_SEARCH_PAGES {
            let page = match aws.search_game_sessions_page(search, from).await {
                Ok(page) => page,
                Err(failure) if number == 1 => return Err(failure.into()),
                Err(failure) => {
                    found.failure = Some(failure);
                    break;
                }
            };
            let ids: Vec<_> = page.items.iter().map(|session| session.game_session_id.clone()).collect();
            // The search index lags behind, and an ended game session never runs again, so those known to have ended
            // are not written.
            let ended = self.store.ended_game_sessions(&ids).await?;
            let mut sessions = page.items;
            sessions.retain(|session| !ended.contains(&session.game_session_id));
            if !sessions.is_empty() {
                let applied = self.write(vec![Observation::GameSessions(sessions)]).await?;
                self.ask_players(applied.player_counts_changed, Reason::Changed);
            }
            // Without a sort order, pages may repeat sessions while the world changes.
            found.sessions.extend(ids.into_iter().filter(|id| seen.insert(id.clone())));
            found.failure = found.failure.or(page.flaw);
            from = page.next;
            if from.is_none() {
                break;
            }
            found.more = number == MAX_SEARCH_PAGES;
        }
        Ok(found)
    }
}

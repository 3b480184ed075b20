//! A search for game sessions: page by page, each written as it arrives.

use liftdeck_gateway::Priority;
use liftdeck_model::observation::Observation;
use liftdeck_model::search::GameSessionSearch;

use super::Poller;
use crate::players::Reason;
use crate::search::{Found, SearchError};

impl Poller {
    pub(crate) async fn search(&self, search: &GameSessionSearch) -> Result<Found, SearchError> {
        let aws = self.aws.with_priority(Priority::OnScreen);
        let mut found = Found { asked_at: self.now(), sessions: Vec::new(), more: false, failure: None };
        let mut pages = aws.search_game_sessions(search);
        while let Some(mut sessions) = pages.next().await? {
            let ids: Vec<_> = sessions.iter().map(|session| session.game_session_id.clone()).collect();
            // The search index lags behind, and an ended game session never runs again, so those known to have ended
            // are not written.
            let ended = self.store.ended_game_sessions(&ids).await?;
            sessions.retain(|session| !ended.contains(&session.game_session_id));
            if !sessions.is_empty() {
                let applied = self.write(vec![Observation::GameSessions(sessions)]).await?;
                self.ask_players(applied.player_counts_changed, Reason::Changed);
            }
            found.sessions.extend(ids);
        }
        found.more = pages.has_more();
        found.failure = pages.failure();
        Ok(found)
    }
}

//! Everything GameLift knows of one player, asked for by a person: player sessions, their game sessions, latencies.
//!
//! Owns the order: player sessions are written page by page, because they already say where the player was and when.
//! What they only point to follows, the newest first.

use std::collections::BTreeMap;

use liftdeck_gateway::{Priority, Reader as Gateway};
use liftdeck_model::observation::{Listing, Observation};
use liftdeck_model::player_session::PlayerSession;
use liftdeck_model::{GameSessionId, PlayerId, PlayerSessionId};

use super::Poller;
use crate::search::{PlayerFound, SearchError};

/// Game sessions read in one look-up, by two operations at once: about ten seconds at a fifth of AWS's rates.
const GAME_SESSIONS: usize = 100;
/// The newest placements and tickets whose latencies are read.
const LATENCIES: usize = 5;

impl Poller {
    /// Asks for the sessions of a player in this Region, and for what they point to.
    pub(crate) async fn look_up_player(&self, player: &PlayerId) -> PlayerFound {
        let mut found = PlayerFound {
            region: self.region.clone(),
            asked_at: self.now(),
            player_sessions: 0,
            unread: 0,
            failure: None,
        };
        found.failure = self.look_up_into(player, &mut found).await.err();
        found
    }

    /// Asks for one player session in this Region, and writes it with its game session; `None` if GameLift has none of
    /// this id here.
    pub(crate) async fn look_up_player_session(
        &self,
        id: &PlayerSessionId,
    ) -> Result<Option<PlayerSession>, SearchError> {
        let aws = self.aws.with_priority(Priority::OnScreen);
        let Some(found) = aws.player_session(id).await? else { return Ok(None) };
        let session = found.game_session_id.clone();
        let unknown = self.store.unknown_game_sessions(&[session]).await?;
        self.read_game_sessions(&aws, unknown).await?;
        self.write(observed(by_game_session(vec![found.clone()]))).await?;
        Ok(Some(found))
    }

    async fn look_up_into(&self, player: &PlayerId, found: &mut PlayerFound) -> Result<(), SearchError> {
        let aws = self.aws.with_priority(Priority::OnScreen);
        let (mut next, mut flaw, mut sessions) = (None, None, Vec::new());
        loop {
            let page = aws.player_sessions_of_page(player, next).await?;
            found.player_sessions += page.items.len() as u64;
            let seen = by_game_session(page.items);
            sessions.extend(seen.iter().cloned());
            self.write(observed(seen)).await?;
            flaw = flaw.or(page.flaw);
            next = page.next;
            if next.is_none() {
                break;
            }
        }
        sessions.sort_by_key(|(_, of_player)| {
            std::cmp::Reverse(of_player.iter().map(|one| one.creation_time).max())
        });
        let ids: Vec<GameSessionId> = sessions.iter().map(|(id, _)| id.clone()).collect();
        let mut unknown = self.store.unknown_game_sessions(&ids).await?;
        unknown.truncate(GAME_SESSIONS);
        let read = self.read_game_sessions(&aws, unknown).await?;
        // The player sessions belong to rows only now.
        sessions.retain(|(id, _)| read.contains(id));
        self.write(observed(sessions)).await?;
        found.unread = self.store.unknown_game_sessions(&ids).await?.len() as u64;
        self.look_up_latencies(&aws, player).await?;
        flaw.map_or(Ok(()), |flaw| Err(flaw.into()))
    }

    /// Reads game sessions and returns the ids of those GameLift still has.
    async fn read_game_sessions(
        &self,
        aws: &Gateway,
        ids: Vec<GameSessionId>,
    ) -> Result<Vec<GameSessionId>, SearchError> {
        let seen = self.look_up_by_both(aws, aws, ids.clone()).await?;
        if !seen.observations.is_empty() {
            self.write(seen.observations).await?;
        }
        if let Some(failure) = seen.failure {
            return Err(failure.into());
        }
        let unread = self.store.unknown_game_sessions(&ids).await?;
        Ok(ids.into_iter().filter(|id| !unread.contains(id)).collect())
    }

    /// Reads the latencies of the player's newest placements and tickets of this Region, unless they are known.
    async fn look_up_latencies(&self, aws: &Gateway, player: &PlayerId) -> Result<(), SearchError> {
        let lacking = self.store.without_latencies(player, LATENCIES).await?;
        let mut observations = Vec::new();
        for (_, id) in lacking.placements.into_iter().filter(|(region, _)| *region == self.region) {
            let told = aws.placement(&id).await?;
            observations.push(Observation::PlacementAsked(id, told));
        }
        let tickets = lacking.tickets.into_iter().filter(|(region, _)| *region == self.region);
        let tickets: Vec<_> = tickets.map(|(_, id)| id).collect();
        if !tickets.is_empty() {
            let told = aws.tickets(&tickets).await;
            observations.extend(told.items.into_iter().map(Observation::TicketAsked));
        }
        if !observations.is_empty() {
            self.write(observations).await?;
        }
        Ok(())
    }
}

/// Player sessions with their game session.
type OfGameSession = (GameSessionId, Vec<PlayerSession>);

fn by_game_session(found: Vec<PlayerSession>) -> Vec<OfGameSession> {
    let mut sessions: BTreeMap<GameSessionId, Vec<PlayerSession>> = BTreeMap::new();
    for one in found {
        sessions.entry(one.game_session_id.clone()).or_default().push(one);
    }
    sessions.into_iter().collect()
}

/// Others may be in these game sessions too, so the listings are partial.
fn observed(seen: Vec<OfGameSession>) -> Vec<Observation> {
    seen.into_iter().map(|(id, players)| Observation::PlayerSessions(id, Listing::partial(players))).collect()
}

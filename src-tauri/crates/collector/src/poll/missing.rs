//! Game sessions that are live in the store, but that a complete listing of their fleet lacks: most have ended. How and
//! when is asked of each by its id.
//!
//! Owns how many are asked for in one poll, and by which operations.

use std::collections::HashSet;
use std::vec::IntoIter;

use liftdeck_gateway::{GatewayError, Priority, Reader as Gateway};
use liftdeck_model::game_session::GameSession;
use liftdeck_model::observation::Observation;
use liftdeck_model::{FleetId, GameSessionId};
use liftdeck_store::StoreError;
use parking_lot::Mutex;

use super::{Poller, Seen};
use crate::players::Reason;
use crate::trouble::Trouble;

/// Looked up in one poll; more wait for the next poll, so that this one comes to an end.
const A_POLL: usize = 200;
/// As many take seconds at the rate of one operation. For more, a second one is used as well.
const A_FEW: usize = 20;
/// Observations written at once.
const A_BATCH: usize = 25;

/// The operation that looks up a game session. Each has a rate of its own.
#[derive(Clone, Copy, Debug)]
enum By {
    /// DescribeGameSessionDetails, which polls use for nothing else.
    Details,
    /// DescribeGameSessions, as far as listings leave room.
    Listing,
}

impl By {
    async fn look_up(self, aws: &Gateway, id: &GameSessionId) -> Result<Option<GameSession>, GatewayError> {
        match self {
            Self::Details => aws.game_session(id).await,
            Self::Listing => aws.game_session_without_protection(id).await,
        }
    }
}

impl Poller {
    /// Asks for the final state of sessions that are live in the store but were not listed.
    pub(super) async fn settle_missing(
        &self,
        aws: &Gateway,
        fleet: &FleetId,
        listed: &HashSet<GameSessionId>,
    ) -> Result<Seen, Trouble> {
        let live = self.store.live_game_sessions(fleet).await?;
        let mut missing: Vec<_> = live.into_iter().filter(|id| !listed.contains(id)).collect();
        let unlisted = missing.split_off(missing.len().min(A_POLL));
        let mut seen = if missing.len() > A_FEW {
            self.look_up_by_both(aws, &aws.with_priority(Priority::Rest), missing).await?
        } else {
            self.look_up(aws, By::Details, &Mutex::new(missing.into_iter())).await?
        };
        if seen.failure.is_none() {
            seen.observations.push(Observation::GameSessionsUnlisted(fleet.clone(), unlisted));
        }
        Ok(seen)
    }

    /// Looks up sessions by both operations, each with its own priority.
    pub(super) async fn look_up_by_both(
        &self,
        details: &Gateway,
        listing: &Gateway,
        ids: Vec<GameSessionId>,
    ) -> Result<Seen, StoreError> {
        let line = Mutex::new(ids.into_iter());
        let (mut seen, also) = futures::future::try_join(
            self.look_up(details, By::Details, &line),
            self.look_up(listing, By::Listing, &line),
        )
        .await?;
        seen.observations.extend(also.observations);
        seen.note(also.failure);
        Ok(seen)
    }

    /// Looks up one session after the other until none is left in the line, or one cannot be read.
    async fn look_up(
        &self,
        aws: &Gateway,
        by: By,
        line: &Mutex<IntoIter<GameSessionId>>,
    ) -> Result<Seen, StoreError> {
        let mut seen = Seen::default();
        while let Some(id) = take(line) {
            match by.look_up(aws, &id).await {
                Ok(Some(session)) => {
                    if !session.status.is_live() {
                        self.ask_players([id], Reason::Ended);
                    }
                    seen.observations.push(Observation::GameSessions(vec![session]));
                }
                Ok(None) => seen.observations.push(Observation::GameSessionGone(id)),
                Err(failure) => {
                    seen.note(Some(failure));
                    *line.lock() = Vec::new().into_iter();
                }
            }
            if seen.observations.len() >= A_BATCH {
                self.write(std::mem::take(&mut seen.observations)).await?;
            }
        }
        Ok(seen)
    }
}

/// The next in the line, which is not held while it is looked up.
fn take(line: &Mutex<IntoIter<GameSessionId>>) -> Option<GameSessionId> {
    line.lock().next()
}

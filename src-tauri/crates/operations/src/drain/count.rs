//! The wait: live game sessions counted until none is left.
//!
//! Owns the countdown. Needs no leave to change anything, so a connection that locks meanwhile does not end it; a read
//! that fails is made again.

use std::time::Duration;

use liftdeck_gateway::{GameSessionFilter, GatewayError};
use liftdeck_model::game_session::{GameSession, GameSessionStatus};
use liftdeck_model::observation::{Batch, Observation};
use liftdeck_model::time::in_words;

use super::estimate;
use super::step::Count;
use crate::follow::STRAGGLERS_MS;
use crate::intent::DrainPlan;
use crate::run::{Halt, Runner};

/// Between two counts. The request budget paces large fleets further.
const EVERY: Duration = Duration::from_secs(5);
/// How far back ended sessions speak for how long live ones will last.
const LENGTHS_OF_MS: i64 = 14 * 86_400_000;
/// In the order a session lives: one that moves on while they are listed is seen at least once.
const LIVE: [GameSessionStatus; 3] =
    [GameSessionStatus::Activating, GameSessionStatus::Active, GameSessionStatus::Terminating];

impl Runner {
    /// Counts until the fleet is empty, and no straggler can come any more.
    ///
    /// # Errors
    /// When a person pauses or stops it, or the program is closed.
    pub(super) async fn wait_until_empty(
        &mut self,
        plan: &DrainPlan,
        at: usize,
    ) -> Result<Option<String>, Halt> {
        loop {
            if let Some(halt) = self.ordered() {
                return Err(halt);
            }
            let detail = match self.live(plan).await {
                Ok(sessions) => {
                    let count = self.counted(plan, &sessions).await;
                    let detail = told(&count);
                    let empty = count.game_sessions == 0;
                    if let Some(drain) = &mut self.state.drain {
                        // The first count is by AWS; what was taken for the start came from the store.
                        if drain.count.estimate_text.is_empty() {
                            drain.start_game_sessions = count.game_sessions;
                        }
                        drain.count = count;
                    }
                    match self.stragglers_left_ms() {
                        0 if empty => return Ok(Some("The fleet is empty.".to_owned())),
                        left if empty => format!(
                            "Empty. New placements may still come for {}, because the alias was moved just now.",
                            in_words(left)
                        ),
                        _ => detail,
                    }
                }
                Err(error) => format!("It cannot be counted: {error}. It is tried again."),
            };
            if let Some(step) = self.state.drain.as_mut().and_then(|drain| drain.steps.get_mut(at)) {
                step.detail = Some(detail);
            }
            if let Err(error) = self.write().await {
                tracing::error!(%error, "How far a drain is could not be recorded.");
            }
            self.rest(EVERY).await;
        }
    }

    /// For how long new sessions may still come although they are led elsewhere.
    fn stragglers_left_ms(&self) -> i64 {
        let routed_at = self.state.drain.as_ref().and_then(|drain| drain.routed_at);
        routed_at.map_or(0, |at| (STRAGGLERS_MS - self.core.now().since_ms(at)).max(0))
    }

    /// All live sessions of the fleet; what was seen goes to the store.
    async fn live(&self, plan: &DrainPlan) -> Result<Vec<GameSession>, String> {
        let aws = self.core.reader(&plan.region).map_err(|error| error.to_string())?;
        let mut found: Vec<GameSession> = Vec::new();
        for status in LIVE {
            let filter = GameSessionFilter { location: None, status: Some(status) };
            let (listing, failure) = aws.game_sessions(&plan.fleet_id, &filter).await.into_listing();
            if let Some(failure) = failure {
                return Err(said(&failure));
            }
            found.extend(listing.items);
        }
        let mut seen = std::collections::HashSet::new();
        // The later listing knows the later status.
        found.reverse();
        found.retain(|session| seen.insert(session.game_session_id.clone()));
        if !found.is_empty() {
            let observations = vec![Observation::GameSessions(found.clone())];
            let observed_at = self.core.now();
            let batch = Batch { region: plan.region.clone(), observed_at, observations };
            if let Err(error) = self.core.writer.apply(batch).await {
                tracing::error!(%error, "What a drain counted could not be written.");
            }
        }
        Ok(found)
    }

    async fn counted(&self, plan: &DrainPlan, live: &[GameSession]) -> Count {
        let now = self.core.now();
        let routed_at = self.state.drain.as_ref().and_then(|drain| drain.routed_at);
        let new_game_sessions = match routed_at {
            Some(since) => self.core.store.sessions_since(&plan.fleet_id, since).await.unwrap_or(0),
            None => 0,
        };
        let since = now.plus_ms(-LENGTHS_OF_MS);
        let lengths = self.core.store.session_lengths(&plan.fleet_id, since, now).await;
        let lengths = lengths.map(|lengths| lengths.lengths_ms).unwrap_or_default();
        let ages: Vec<i64> = live.iter().map(|session| now.since_ms(session.creation_time)).collect();
        let estimate = estimate::remaining(&lengths, &ages);
        let players =
            |session: &GameSession| u64::try_from(session.current_player_session_count).unwrap_or(0);
        Count {
            game_sessions: live.len() as u64,
            player_sessions: live.iter().map(players).sum(),
            new_game_sessions,
            estimate_ms: estimate.as_ref().ok().map(|remaining| remaining.p50_ms),
            estimate_text: estimate::in_a_sentence(&estimate, live.len() as u64),
        }
    }
}

fn said(error: &GatewayError) -> String {
    error.to_string()
}

fn told(count: &Count) -> String {
    let sessions = match count.game_sessions {
        1 => "1 game session".to_owned(),
        many => format!("{many} game sessions"),
    };
    let players = match count.player_sessions {
        1 => "1 player".to_owned(),
        many => format!("{many} players"),
    };
    format!("{sessions} with {players} left")
}

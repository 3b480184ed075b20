//! The wait: counts live game sessions until none is left.
//!
//! Owns the countdown. It needs no permission to change anything, so a connection that locks meanwhile does not end
//! it. A read that fails is repeated.

use std::collections::HashSet;
use std::time::Duration;

use liftdeck_gateway::{GameSessionFilter, Priority};
use liftdeck_model::GameSessionId;
use liftdeck_model::game_session::{GameSession, GameSessionStatus};
use liftdeck_model::observation::{Batch, Observation};
use liftdeck_model::time::in_words;
use tokio::time::Instant;

use super::estimate;
use super::step::Count;
use crate::intent::DrainPlan;
use crate::outcome::follow::STRAGGLERS_MS;
use crate::send::run::runner::{Halt, Runner};
use crate::words;

/// The pause between two counts. The request budget paces large fleets further.
const EVERY: Duration = Duration::from_secs(5);
/// The time between two empty counts, so that a game session being created at the first shows at the second.
const APART: Duration = Duration::from_secs(10);
/// How far back ended sessions are used to estimate how long live ones will last.
const LENGTHS_OF_MS: i64 = 14 * 86_400_000;
/// The most ended sessions read after a count; others wait for the next one.
const ENDED_A_COUNT: usize = 10;
/// In the order of a session's life: one that changes status during the listing is seen at least once.
const LIVE: [GameSessionStatus; 3] =
    [GameSessionStatus::Activating, GameSessionStatus::Active, GameSessionStatus::Terminating];

impl Runner {
    /// Counts until no more stragglers can come and the fleet was empty twice. The second look begins a while after
    /// the first.
    ///
    /// # Errors
    /// If a person pauses or stops it, or the program is closed.
    pub(super) async fn wait_until_empty(
        &mut self,
        plan: &DrainPlan,
        at: usize,
    ) -> Result<Option<String>, Halt> {
        let mut empty_since: Option<Instant> = None;
        loop {
            if let Some(halt) = self.ordered() {
                return Err(halt);
            }
            let began = Instant::now();
            let live = tokio::select! {
                live = self.live(plan) => live,
                () = self.interrupted() => continue,
            };
            self.state.progress.message = match self.needs_leave(plan) {
                Some(message) => Some(message),
                None => self.still_come(plan).await,
            };
            let detail = match live {
                Ok(sessions) => {
                    let count = self.counted(plan, &sessions).await;
                    let detail = told(&count);
                    let empty = count.game_sessions == 0;
                    if let Some(drain) = &mut self.state.drain {
                        // The first count is from AWS. The number assumed at the start came from the store.
                        if !drain.count.is_counted() {
                            drain.start_game_sessions = count.game_sessions;
                        }
                        drain.count = count;
                    }
                    let left = self.stragglers_left_ms();
                    if !empty || left > 0 {
                        empty_since = None;
                    } else if empty_since.is_some_and(|since| began.duration_since(since) >= APART) {
                        return Ok(Some("The fleet is empty, counted twice.".to_owned()));
                    }
                    match left {
                        _ if !empty => detail,
                        0 => {
                            empty_since.get_or_insert_with(Instant::now);
                            "Empty. It is counted once more, in case a game session was just being created."
                                .to_owned()
                        }
                        left => format!(
                            "Empty. New placements may still come for {}, because the routing was just changed.",
                            in_words(left)
                        ),
                    }
                }
                Err(error) => {
                    empty_since = None;
                    format!("It cannot be counted: {error}. It is tried again.")
                }
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

    /// Tells a person who locked the connection, or let it lock, what to know while the drain waits.
    fn needs_leave(&self, plan: &DrainPlan) -> Option<String> {
        (plan.scale_to_zero && self.sender.gate.grant().is_err()).then(|| {
            "The connection is read-only. The wait goes on; unlock the connection before the fleet is empty, or the \
             drain will pause then."
                .to_owned()
        })
    }

    /// Tells a person what to know if new sessions come that are not stragglers.
    async fn still_come(&self, plan: &DrainPlan) -> Option<String> {
        let routed_at = self.state.drain.as_ref().and_then(|drain| drain.routed_at)?;
        let since = routed_at.plus_ms(STRAGGLERS_MS);
        let come = self
            .sender
            .connection
            .store
            .sessions_since(&plan.fleet_id, since)
            .await
            .ok()
            .filter(|come| *come > 0)?;
        Some(format!(
            "{} created here {} and later after new ones were sent elsewhere: an alias, a queue or a game backend \
             still uses the fleet.",
            words::count(come, "game session was", "game sessions were"),
            in_words(STRAGGLERS_MS)
        ))
    }

    /// How long new sessions may still come although they are sent elsewhere.
    fn stragglers_left_ms(&self) -> i64 {
        let routed_at = self.state.drain.as_ref().and_then(|drain| drain.routed_at);
        routed_at.map_or(0, |at| (STRAGGLERS_MS - self.sender.connection.now().since_ms(at)).max(0))
    }

    /// Reads all live sessions of the fleet, and writes what was seen to the store.
    pub(super) async fn live(&self, plan: &DrainPlan) -> Result<Vec<GameSession>, String> {
        let aws = self.sender.connection.reader(&plan.region).map_err(|error| error.to_string())?;
        let mut found: Vec<GameSession> = Vec::new();
        for status in LIVE {
            let filter = GameSessionFilter { location: None, status: Some(status) };
            let (listing, failure) = aws.game_sessions(&plan.fleet_id, &filter).await.into_listing();
            if let Some(failure) = failure {
                return Err(failure.to_string());
            }
            found.extend(listing.items);
        }
        let mut seen = HashSet::new();
        // The later listing has the later status.
        found.reverse();
        found.retain(|session| seen.insert(session.game_session_id.clone()));
        let mut observations = self.ended(plan, &seen).await;
        observations.push(Observation::GameSessions(found.clone()));
        let batch =
            Batch { region: plan.region.clone(), observed_at: self.sender.connection.now(), observations };
        if let Err(error) = self.sender.connection.writer.apply(batch).await {
            tracing::error!(%error, "What a drain counted could not be written.");
        }
        Ok(found)
    }

    /// Reads the final state of some sessions that are live in the store but no longer listed. How they ended and how
    /// long they lasted improves the estimate.
    async fn ended(&self, plan: &DrainPlan, listed: &HashSet<GameSessionId>) -> Vec<Observation> {
        let Ok(aws) = self.sender.connection.reader(&plan.region) else { return Vec::new() };
        let aws = aws.with_priority(Priority::Stale);
        let known = self.sender.connection.store.live_game_sessions(&plan.fleet_id).await.unwrap_or_default();
        let mut seen = Vec::new();
        for id in known.into_iter().filter(|id| !listed.contains(id)).take(ENDED_A_COUNT) {
            match aws.game_session(&id).await {
                Ok(Some(session)) => seen.push(Observation::GameSessions(vec![session])),
                Ok(None) => seen.push(Observation::GameSessionGone(id)),
                // The next count or the collector asks again.
                Err(_) => break,
            }
        }
        seen
    }

    async fn counted(&self, plan: &DrainPlan, live: &[GameSession]) -> Count {
        let now = self.sender.connection.now();
        let routed_at = self.state.drain.as_ref().and_then(|drain| drain.routed_at);
        let new_game_sessions = match routed_at {
            Some(since) => {
                self.sender.connection.store.sessions_since(&plan.fleet_id, since).await.unwrap_or(0)
            }
            None => 0,
        };
        let since = now.plus_ms(-LENGTHS_OF_MS);
        let lengths = self.sender.connection.store.session_lengths(&plan.fleet_id, since, now).await;
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

fn told(count: &Count) -> String {
    let sessions = words::count(count.game_sessions, "game session", "game sessions");
    let players = words::count(count.player_sessions, "player", "players");
    format!("{sessions} with {players} left")
}

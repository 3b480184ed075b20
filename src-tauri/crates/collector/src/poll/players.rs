//! Reads player sessions of the waiting game sessions, a few at a time.

use std::collections::VecDeque;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use liftdeck_gateway::{ErrorKind, GatewayError, Priority};
use liftdeck_model::GameSessionId;
use liftdeck_model::observation::{Listing, Observation};
use liftdeck_model::player_session::PlayerSession;

use super::{Outcome, Poller};
use crate::players::Reason;
use crate::trouble::Trouble;

/// Game sessions asked for in one poll, written together.
const SESSIONS_A_POLL: usize = 48;
/// Concurrent calls.
const CALLS_AT_ONCE: usize = 8;
/// How old the players of a game session on screen may get.
const ON_SCREEN_AFTER_MS: i64 = 15_000;

/// The result for one game session taken from the line.
struct Answer {
    session: GameSessionId,
    reason: Reason,
    players: Listing<PlayerSession>,
    failure: Option<GatewayError>,
    /// The game session itself, read as well when it is on screen: only that call returns its protection.
    details: Option<Observation>,
}

impl Answer {
    /// Whether asking again would give the same answer.
    fn is_final(&self) -> bool {
        self.failure.as_ref().is_none_or(|failure| !failure.retryable())
    }
}

impl Poller {
    pub(super) async fn player_sessions(&self) -> Result<Outcome, Trouble> {
        self.ask_on_screen().await?;
        let turns = self.players.lock().take(SESSIONS_A_POLL);
        if turns.is_empty() {
            return Ok(Outcome::Idle);
        }
        let answers = self.answers(turns).await;
        let mut observations = Vec::new();
        let mut trouble = None;
        for answer in answers {
            observations.extend(answer.details);
            match answer.failure {
                None => observations.push(Observation::PlayerSessions(answer.session, answer.players)),
                Some(failure) if failure.kind == ErrorKind::NotFound => {
                    observations.push(Observation::GameSessionGone(answer.session));
                }
                Some(failure) => {
                    // It goes back into the line; what was read is kept as partial.
                    if !answer.players.items.is_empty() {
                        observations
                            .push(Observation::PlayerSessions(answer.session.clone(), answer.players));
                    }
                    self.ask_players([answer.session], answer.reason);
                    trouble = trouble.or(Some(failure));
                }
            }
        }
        if !observations.is_empty() {
            self.apply(observations).await?;
        }
        trouble.map_or(Ok(Outcome::Read), |failure| Err(failure.into()))
    }

    /// Asks for the players of game sessions, several at once. While there are only failures that may pass, no
    /// further call is started: with a hanging service, each would have to wait. Sessions not asked for go back into
    /// the line.
    async fn answers(&self, turns: Vec<(GameSessionId, Reason)>) -> Vec<Answer> {
        let mut waiting = VecDeque::from(turns);
        let mut asked = FuturesUnordered::new();
        let mut answers: Vec<Answer> = Vec::new();
        loop {
            let is_answered = answers.is_empty() || answers.iter().any(Answer::is_final);
            while is_answered && asked.len() < CALLS_AT_ONCE {
                let Some((session, reason)) = waiting.pop_front() else { break };
                asked.push(self.players_of(session, reason));
            }
            let Some(answer) = asked.next().await else { break };
            answers.push(answer);
        }
        for (session, reason) in waiting {
            self.ask_players([session], reason);
        }
        answers
    }

    async fn players_of(&self, session: GameSessionId, reason: Reason) -> Answer {
        let aws = self.aws.with_priority(match reason {
            Reason::OnScreen => Priority::OnScreen,
            Reason::Ended | Reason::Changed => Priority::Stale,
            Reason::Sweep => Priority::Rest,
        });
        let details = match reason {
            Reason::OnScreen => aws.game_session(&session).await.ok().flatten(),
            Reason::Ended | Reason::Changed | Reason::Sweep => None,
        };
        let (players, failure) = aws.player_sessions(&session).await.into_listing();
        let details = details.map(|session| Observation::GameSessions(vec![session]));
        Answer { session, reason, players, failure, details }
    }

    /// Adds the game sessions on screen to the line when their players are out of date.
    async fn ask_on_screen(&self) -> Result<(), Trouble> {
        let older_than = self.now().plus_ms(-ON_SCREEN_AFTER_MS);
        for session in &self.focus().game_sessions {
            if self.is_home_of(session)
                && self.store.players_confirmed(session).await?.is_none_or(|at| at < older_than)
            {
                self.ask_players([session.clone()], Reason::OnScreen);
            }
        }
        Ok(())
    }
}

//! One attempt: recorded, sent, recorded again.
//!
//! Owns the order of these three steps. Nothing is sent before it is durably recorded as `sending`. Once it is sent,
//! the answer is recorded even if the caller goes away. Deliberately asks for no consent: the confirmation did.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use liftdeck_gateway::{GatewayError, Made, Sent};
use liftdeck_model::FleetId;
use liftdeck_model::action::{Action, Request};
use liftdeck_model::activity::{Activity, ActivityId, ActivityOutcome, FactChange, RunId};
use liftdeck_store::{ActivityEnd, StoreError};

use crate::error::OperationError;
use crate::outcome::attempts::InFlight;
use crate::outcome::{follow, settle};
use crate::preview::draft::Draft;
use crate::preview::zip_bytes;
use crate::send::Sender;
use crate::words::advice;

/// Pauses in seconds before an outcome that could not be recorded is written again, the last one repeated for ever.
const WRITTEN_AGAIN_S: [u64; 5] = [1, 2, 5, 10, 30];

/// A change that was previewed and may be sent, with everything that is recorded about it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Planned {
    pub(crate) action: Action,
    /// Name of the resource.
    pub(crate) name: Option<String>,
    /// The fleet concerned, if any; for an alias, the one it points to.
    pub(crate) fleet_id: Option<FleetId>,
    pub(crate) facts: Vec<FactChange>,
    pub(crate) undo: Vec<Action>,
    pub(crate) undo_of: Option<ActivityId>,
    /// The run, and the place in it.
    pub(crate) run: Option<(RunId, u32)>,
}

impl Planned {
    /// Makes a single change from its draft.
    pub(crate) fn of(draft: Draft, undo_of: Option<ActivityId>) -> Self {
        Self {
            action: draft.action,
            name: draft.name,
            fleet_id: draft.fleet_id,
            facts: draft.facts,
            undo: draft.undo,
            undo_of,
            run: None,
        }
    }
}

impl Sender {
    /// Records the attempt, sends it and records the outcome, even if the caller stops waiting. The outcome is in the
    /// activity: `Err` means that nothing was sent.
    ///
    /// # Errors
    /// `ReadOnly` without a grant, `Gateway` if it is not proven that the change would go to the connection's account
    /// as the identity that unlocked it, `Refused` if a file is not the one inspected, `Store` if the attempt cannot
    /// be recorded.
    pub(crate) async fn attempt(self: &Arc<Self>, planned: Planned) -> Result<Activity, OperationError> {
        let sender = Arc::clone(self);
        let sending = self.connection.spawn(async move { sender.attempt_here(planned).await });
        sending.await.unwrap_or_else(|_| {
            Err(OperationError::Refused(
                "Liftdeck failed while sending the change. Activity shows what became of it.".to_owned(),
            ))
        })
    }

    #[allow(clippy::disallowed_methods, reason = "this is the one place from which changes are sent")]
    async fn attempt_here(self: &Arc<Self>, planned: Planned) -> Result<Activity, OperationError> {
        let grant = self.gate.grant()?;
        let operator = self.connection.gateway.operator(&planned.action.region, &grant).await;
        self.gate.lock_if_ended(&grant);
        let operator = operator?;
        let attachment = attachment(&planned.action.request).await?;
        let mut activity = self.recorded(planned);
        let in_flight = self.outcomes.attempts.begin(&activity.id);
        self.connection.writer.begin_activity(activity.clone()).await?;
        let answer = operator.send(&activity.action.request, attachment).await;
        self.gate.lock_if_ended(&grant);
        let end = self.end_of(&activity, answer, Some(grant.caller().arn.clone()));
        if end.outcome == ActivityOutcome::Done {
            activity.effect = follow::awaited(&activity.action.request, self.connection.now());
        }
        end.clone().apply(&mut activity);
        match self.write_end(&activity, &end).await {
            Ok(()) => self.landed(in_flight, &activity),
            Err(error) => {
                tracing::error!(%error, "The outcome of a change could not be recorded. It is tried again.");
                let said = activity.message.take().unwrap_or_default();
                let lost = format!(
                    "This could not be recorded, and is written as soon as the database can be written again: {error}"
                );
                activity.message = Some([said, lost].join(" ").trim().to_owned());
                let (sender, activity) = (Arc::clone(self), activity.clone());
                self.connection.spawn(async move { sender.write_end_again(in_flight, activity, end).await });
            }
        }
        Ok(activity)
    }

    /// Records an outcome, and before it the effect to follow. A crash between the two leaves the attempt `sending`,
    /// which is looked into, and never a change that nobody follows.
    async fn write_end(&self, activity: &Activity, end: &ActivityEnd) -> Result<(), StoreError> {
        if let Some(effect) = &activity.effect {
            self.connection.writer.note_effect(&activity.id, effect.clone()).await?;
        }
        self.connection.writer.end_activity(&activity.id, end.clone()).await
    }

    /// Keeps an outcome until it can be recorded. Until then the attempt counts as under way, so that nobody settles
    /// what is known.
    async fn write_end_again(self: &Arc<Self>, in_flight: InFlight, activity: Activity, end: ActivityEnd) {
        for number in 0.. {
            let pause = WRITTEN_AGAIN_S.get(number).copied().unwrap_or(30);
            let goes_on = self.connection.pause(Duration::from_secs(pause)).await;
            match self.write_end(&activity, &end).await {
                Ok(()) => return self.landed(in_flight, &activity),
                Err(error) if goes_on => {
                    tracing::info!(%error, "The outcome of a change is not recorded yet.")
                }
                // The next start finds the attempt `sending` and asks AWS.
                Err(error) => {
                    tracing::error!(%error, "The outcome of a change was lost when the program ended.");
                    return;
                }
            }
        }
    }

    /// Continues after an outcome was recorded.
    fn landed(self: &Arc<Self>, in_flight: InFlight, activity: &Activity) {
        drop(in_flight);
        match activity.outcome {
            ActivityOutcome::Done => follow::begin(&self.outcomes, activity),
            ActivityOutcome::Unknown => settle::watch::begin(&self.outcomes, &activity.id),
            ActivityOutcome::Sending | ActivityOutcome::Failed => {}
        }
    }

    /// Makes the record of an attempt that is about to be sent.
    fn recorded(&self, planned: Planned) -> Activity {
        let (run, item) = planned.run.unzip();
        Activity {
            run,
            item,
            fleet_id: planned.fleet_id,
            name: planned.name,
            facts: planned.facts,
            undo: planned.undo,
            undo_of: planned.undo_of,
            source: self.connection.options.source,
            ..Activity::sending(
                ActivityId::new(self.connection.new_id()),
                self.connection.now(),
                planned.action,
            )
        }
    }

    fn end_of(
        &self,
        activity: &Activity,
        answer: Result<Sent, GatewayError>,
        caller_arn: Option<String>,
    ) -> ActivityEnd {
        let ended_at = self.connection.now();
        match answer {
            Ok(sent) => {
                let (made, made_player_sessions) = made(&sent.made, &activity.action.request);
                ActivityEnd {
                    request_id: Some(sent.request_id),
                    message: advice::of_success(&sent.made),
                    made,
                    made_player_sessions,
                    caller_arn,
                    ..ActivityEnd::new(ActivityOutcome::Done, ended_at)
                }
            }
            Err(error) => {
                let unknown = error.may_have_happened();
                let outcome = if unknown { ActivityOutcome::Unknown } else { ActivityOutcome::Failed };
                ActivityEnd {
                    given_up_aws_at: self.connection.gateway.aws_now().filter(|_| unknown),
                    request_id: error.request_id.clone(),
                    aws_code: error.code.clone(),
                    message: Some(advice::of_failure(&activity.action.request, &error)),
                    caller_arn,
                    ..ActivityEnd::new(outcome, ended_at)
                }
            }
        }
    }
}

/// Returns the id of what was made, and the slots that were made.
fn made(made: &Made, request: &Request) -> (Option<String>, Vec<(String, String)>) {
    match (made, request) {
        (Made::GameSession(session), Request::CreateGameSession(_)) => {
            (Some(session.game_session_id.as_str().to_owned()), Vec::new())
        }
        (Made::Placement(placement), Request::StartGameSessionPlacement(_)) => {
            (placement.game_session_id.as_ref().map(|id| id.as_str().to_owned()), Vec::new())
        }
        (Made::Alias(alias), Request::CreateAlias(_)) => {
            (Some(alias.alias_id.as_str().to_owned()), Vec::new())
        }
        (Made::Ticket(ticket), Request::StartMatchmaking(_) | Request::StartMatchBackfill(_)) => {
            (Some(ticket.ticket_id.as_str().to_owned()), Vec::new())
        }
        (Made::PlayerSessions(reserved), _) => {
            let pair = |slot: &liftdeck_gateway::ReservedPlayerSession| {
                (slot.player_id.as_str().to_owned(), slot.player_session_id.as_str().to_owned())
            };
            (None, reserved.iter().map(pair).collect())
        }
        _ => (None, Vec::new()),
    }
}

/// Reads the bytes that go with a request: for a script, exactly the zip that was inspected.
async fn attachment(request: &Request) -> Result<Option<Bytes>, OperationError> {
    match request {
        Request::UpdateScript(script) => match &script.zip_file {
            Some(zip) => zip_bytes(zip).await.map(Some),
            None => Ok(None),
        },
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests;

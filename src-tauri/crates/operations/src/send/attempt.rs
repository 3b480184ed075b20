//! One attempt: recorded, sent, recorded again.
//!
//! Owns the order of the three. Nothing is sent that is not durable as `sending` first, and once it is sent, whoever
//! asked may go away: the answer is recorded all the same. Deliberately asks nobody: the confirmation did.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use liftdeck_gateway::{GatewayError, Made, Sent};
use liftdeck_model::FleetId;
use liftdeck_model::action::{Action, Request};
use liftdeck_model::activity::{Activity, ActivityId, ActivityOutcome, FactChange, RunId};
use liftdeck_store::{ActivityEnd, StoreError};

use crate::error::OperationError;
use crate::outcome::attempts::Flight;
use crate::outcome::{follow, settle};
use crate::preview::draft::Draft;
use crate::preview::zip_bytes;
use crate::send::Sender;
use crate::words::advice;

/// Pauses in seconds before an outcome that could not be recorded is written again, the last one for ever after.
const WRITTEN_AGAIN_S: [u64; 5] = [1, 2, 5, 10, 30];

/// A change that was looked at and may be sent, with all that is recorded of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Planned {
    pub(crate) action: Action,
    /// What the resource is called.
    pub(crate) name: Option<String>,
    /// The fleet concerned, where one is; that of an alias is the one it leads to.
    pub(crate) fleet_id: Option<FleetId>,
    pub(crate) facts: Vec<FactChange>,
    pub(crate) undo: Vec<Action>,
    pub(crate) undo_of: Option<ActivityId>,
    /// The run and the place in it.
    pub(crate) run: Option<(RunId, u32)>,
}

impl Planned {
    /// A single change, as it was looked at.
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
    /// Records, sends and records the outcome, also when whoever asked stops waiting. The outcome is in the activity:
    /// `Err` means that nothing was sent.
    ///
    /// # Errors
    /// `ReadOnly` without a grant, `Gateway` when it is not proven that it would go to the connection's account in the name
    /// of who unlocked it, `Refused` when a file is not what was looked at, `Store` when the attempt cannot be recorded.
    pub(crate) async fn attempt(self: &Arc<Self>, planned: Planned) -> Result<Activity, OperationError> {
        let sender = Arc::clone(self);
        let sending = self.connection.spawn(async move { sender.attempt_here(planned).await });
        sending.await.unwrap_or_else(|_| {
            Err(OperationError::Refused(
                "The program failed while it sent the change. See under Activity what became of it."
                    .to_owned(),
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
        let flight = self.outcomes.attempts.takes_off(&activity.id);
        self.connection.writer.begin_activity(activity.clone()).await?;
        let answer = operator.send(&activity.action.request, attachment).await;
        self.gate.lock_if_ended(&grant);
        let end = self.end_of(&activity, answer, Some(grant.caller().arn.clone()));
        if end.outcome == ActivityOutcome::Done {
            activity.effect = follow::awaited(&activity.action.request, self.connection.now());
        }
        end.clone().apply(&mut activity);
        match self.write_end(&activity, &end).await {
            Ok(()) => self.landed(flight, &activity),
            Err(error) => {
                tracing::error!(%error, "The outcome of a change could not be recorded. It is tried again.");
                let said = activity.message.take().unwrap_or_default();
                let lost = format!(
                    "This could not be recorded, and is written as soon as the database can be written again: {error}"
                );
                activity.message = Some([said, lost].join(" ").trim().to_owned());
                let (sender, activity) = (Arc::clone(self), activity.clone());
                self.connection.spawn(async move { sender.write_end_again(flight, activity, end).await });
            }
        }
        Ok(activity)
    }

    /// Records an outcome, and before it what is to be followed: a crash between the two leaves `sending`, which is looked
    /// into, never a change that nobody follows.
    async fn write_end(&self, activity: &Activity, end: &ActivityEnd) -> Result<(), StoreError> {
        if let Some(effect) = &activity.effect {
            self.connection.writer.note_effect(&activity.id, effect.clone()).await?;
        }
        self.connection.writer.end_activity(&activity.id, end.clone()).await
    }

    /// Keeps an outcome until it can be recorded. Until then the attempt counts as under way: nobody settles what is known.
    async fn write_end_again(self: &Arc<Self>, flight: Flight, activity: Activity, end: ActivityEnd) {
        for number in 0.. {
            let pause = WRITTEN_AGAIN_S.get(number).copied().unwrap_or(30);
            let goes_on = self.connection.pause(Duration::from_secs(pause)).await;
            match self.write_end(&activity, &end).await {
                Ok(()) => return self.landed(flight, &activity),
                Err(error) if goes_on => {
                    tracing::info!(%error, "The outcome of a change is not recorded yet.")
                }
                // The next start finds it `sending` and asks AWS.
                Err(error) => {
                    tracing::error!(%error, "The outcome of a change is lost with the end of the program.");
                    return;
                }
            }
        }
    }

    /// Goes on after an outcome that is on record.
    fn landed(self: &Arc<Self>, flight: Flight, activity: &Activity) {
        drop(flight);
        match activity.outcome {
            ActivityOutcome::Done => follow::begin(&self.outcomes, activity),
            ActivityOutcome::Unknown => settle::watch::begin(&self.outcomes, &activity.id),
            ActivityOutcome::Sending | ActivityOutcome::Failed => {}
        }
    }

    /// The record of an attempt that is about to be sent.
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

/// Id of what was made, and the slots that were.
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

/// The bytes that go with a request: of a script the very zip that was looked at.
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

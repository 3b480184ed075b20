//! What became of attempts without an answer.
//!
//! Owns what is recorded of a look: what was seen, never who did it. What is looked at is in
//! `settle::evidence`, what that tells in `settle::trace`, until when a request can still arrive in `settle::arrival`,
//! when to look again in `settle::watch`. Deliberately never sends a change again: that is a person's decision, from
//! what is known.

mod arrival;
mod evidence;
mod trace;
pub(crate) mod watch;

use std::sync::Arc;

use liftdeck_model::Timestamp;
use liftdeck_model::activity::{Activity, ActivityId, ActivityOutcome, Effect, EffectState, Proof};
use liftdeck_store::ActivityEnd;

use crate::error::OperationError;
use crate::outcome::Outcomes;
use crate::outcome::follow;
use crate::words::{Settled, Sight};

use self::trace::Evidence;

/// How an attempt stands after a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stand {
    /// Its outcome is known.
    Settled,
    /// It can still arrive, or AWS may show more.
    Open,
    /// It can no longer arrive, and what AWS shows does not tell: looking again would not either.
    NothingMore,
}

/// Asks AWS what became of an attempt, and records what was found.
///
/// # Errors
/// `Unknown` for no such attempt, `Refused` while it is being sent, `Gateway` when AWS cannot be asked.
pub(crate) async fn settle(outcomes: &Arc<Outcomes>, id: &ActivityId) -> Result<Activity, OperationError> {
    Ok(look(outcomes, id).await?.0)
}

async fn look(outcomes: &Arc<Outcomes>, id: &ActivityId) -> Result<(Activity, Stand), OperationError> {
    let activity = unsettled(outcomes, id).await?;
    if is_settled(&activity) {
        return Ok((activity, Stand::Settled));
    }
    // Asked before the look: what it shows is the last word only if nothing could arrive any more when it began.
    let mut is_over = arrival::is_over(outcomes, &activity);
    let mut evidence = Box::pin(evidence::of(&outcomes.connection, &activity)).await?;
    if !is_over && matches!(evidence, Evidence::NoTrace(_)) && arrival::is_over(outcomes, &activity) {
        // AWS has just told its time.
        is_over = true;
        evidence = Box::pin(evidence::of(&outcomes.connection, &activity)).await?;
    }
    record(outcomes, id, evidence, is_over).await
}

/// The attempt as it is on record.
async fn unsettled(outcomes: &Outcomes, id: &ActivityId) -> Result<Activity, OperationError> {
    // In this order: what is no longer under way has its answer on record, if there was one.
    let is_in_flight = outcomes.attempts.is_in_flight(id);
    let activity = outcomes.connection.activity(id).await?;
    if is_in_flight && !is_settled(&activity) {
        return Err(OperationError::Refused(
            "It is being sent right now, or its answer is being recorded. Wait for its outcome.".to_owned(),
        ));
    }
    Ok(activity)
}

const fn is_settled(activity: &Activity) -> bool {
    matches!(activity.outcome, ActivityOutcome::Done | ActivityOutcome::Failed)
}

/// Writes down what a look found, unless another one has settled the attempt meanwhile.
async fn record(
    outcomes: &Arc<Outcomes>,
    id: &ActivityId,
    evidence: Evidence,
    is_over: bool,
) -> Result<(Activity, Stand), OperationError> {
    let _turn = outcomes.attempts.settling.lock().await;
    let mut activity = unsettled(outcomes, id).await?;
    if is_settled(&activity) {
        return Ok((activity, Stand::Settled));
    }
    let clocks = Clocks { here: outcomes.connection.now(), aws: outcomes.connection.gateway.aws_now() };
    let (end, stand) = outcome(&activity, evidence, is_over, clocks);
    if is_known(&activity, &end) {
        return Ok((activity, stand));
    }
    // As when it is sent: what is to be followed is noted before the outcome.
    let effect = match end.outcome {
        ActivityOutcome::Done => follow::awaited(&activity.action.request, outcomes.connection.now()),
        ActivityOutcome::Failed if activity.effect.is_some() => Some(Effect {
            state: EffectState::Missed,
            text: Sight::NotCarriedOut.to_string(),
            at: outcomes.connection.now(),
        }),
        _ => None,
    };
    if let Some(effect) = effect {
        outcomes.connection.writer.note_effect(id, effect.clone()).await?;
        activity.effect = Some(effect);
    }
    outcomes.connection.writer.end_activity(id, end.clone()).await?;
    end.apply(&mut activity);
    if activity.outcome == ActivityOutcome::Done {
        follow::begin(outcomes, &activity);
    }
    Ok((activity, stand))
}

/// Whether the record says already what a look came to.
fn is_known(activity: &Activity, end: &ActivityEnd) -> bool {
    end.outcome == activity.outcome
        && end.message == activity.message
        && (end.given_up_aws_at.is_none() || end.given_up_aws_at == activity.given_up_aws_at)
}

/// The time of a look, by this computer's clock and by AWS's, once it has told.
#[derive(Clone, Copy)]
struct Clocks {
    here: Timestamp,
    aws: Option<Timestamp>,
}

/// What the evidence comes to.
fn outcome(activity: &Activity, evidence: Evidence, is_over: bool, clocks: Clocks) -> (ActivityEnd, Stand) {
    let given_up = activity.ended_at.unwrap_or(activity.at);
    let unknown = |said: Settled| ActivityEnd {
        message: Some(said.to_string()),
        aws_code: activity.aws_code.clone(),
        proof: activity.proof,
        // The first time AWS tells is later than the last signing, which is all that counts.
        given_up_aws_at: activity.given_up_aws_at.or(clocks.aws),
        ..ActivityEnd::new(ActivityOutcome::Unknown, given_up)
    };
    match evidence {
        Evidence::Done { trace, proof, made, slots } => {
            let said = match proof {
                Proof::Answered | Proof::Own => Settled::CarriedOut { trace },
                Proof::Seen => Settled::Seen { trace },
            };
            let end = ActivityEnd {
                proof,
                message: Some(said.to_string()),
                made,
                made_player_sessions: slots,
                ..ActivityEnd::new(ActivityOutcome::Done, clocks.here)
            };
            (end, Stand::Settled)
        }
        Evidence::NoTrace(trace) if is_over => {
            let said = Settled::NotArrived { trace };
            let end = ActivityEnd {
                proof: Proof::Seen,
                message: Some(said.to_string()),
                ..ActivityEnd::new(ActivityOutcome::Failed, clocks.here)
            };
            (end, Stand::Settled)
        }
        Evidence::NoTrace(trace) => {
            let minutes = arrival::WAIT.as_secs().div_ceil(60);
            let said = Settled::NotKnownYet { trace, minutes };
            (unknown(said), Stand::Open)
        }
        Evidence::Unclear(trace) if is_over => (unknown(Settled::NeverKnown { trace }), Stand::NothingMore),
        Evidence::Unclear(trace) => (unknown(Settled::NotKnownStill { trace }), Stand::Open),
    }
}

#[cfg(test)]
mod tests;

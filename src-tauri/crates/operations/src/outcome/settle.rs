//! Finds out what became of attempts without an answer.
//!
//! Owns what is recorded of a look: what was seen, never who did it. `settle::evidence` knows what to look at,
//! `settle::trace` what that proves, `settle::arrival` until when a request can still arrive, and `settle::watch`
//! when to look again. Deliberately never sends a change again: that is for a person to decide, from what is known.

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

/// The state of an attempt after a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stand {
    /// Its outcome is known.
    Settled,
    /// The request can still arrive, or AWS may show more.
    Open,
    /// The request can no longer arrive, and what AWS shows proves nothing. Looking again would not help.
    NothingMore,
}

/// Asks AWS what became of an attempt, and records what was found.
///
/// # Errors
/// `Unknown` if there is no such attempt, `Refused` while it is being sent, `Gateway` if AWS cannot be asked.
pub(crate) async fn settle(outcomes: &Arc<Outcomes>, id: &ActivityId) -> Result<Activity, OperationError> {
    Ok(look(outcomes, id).await?.0)
}

async fn look(outcomes: &Arc<Outcomes>, id: &ActivityId) -> Result<(Activity, Stand), OperationError> {
    let activity = unsettled(outcomes, id).await?;
    if is_settled(&activity) {
        return Ok((activity, Stand::Settled));
    }
    // Checked before the look, which is conclusive only if nothing could arrive any more when it began.
    let mut is_over = arrival::is_over(outcomes, &activity);
    let mut evidence = Box::pin(evidence::of(&outcomes.connection, &activity)).await?;
    if !is_over && matches!(evidence, Evidence::NoTrace(_)) && arrival::is_over(outcomes, &activity) {
        // The look has made AWS's own time known, so a second look is conclusive.
        is_over = true;
        evidence = Box::pin(evidence::of(&outcomes.connection, &activity)).await?;
    }
    record(outcomes, id, evidence, is_over).await
}

/// Reads the attempt from its record.
async fn unsettled(outcomes: &Outcomes, id: &ActivityId) -> Result<Activity, OperationError> {
    // The order matters: an attempt that is no longer under way has its answer on record, if there was one.
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

/// Records what a look found, unless the attempt was settled meanwhile.
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
    // As when sending, what is to be followed is noted before the outcome.
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

/// Whether the record already says what a look found.
fn is_known(activity: &Activity, end: &ActivityEnd) -> bool {
    end.outcome == activity.outcome
        && end.message == activity.message
        && (end.given_up_aws_at.is_none() || end.given_up_aws_at == activity.given_up_aws_at)
}

/// The time of a look, by this computer's clock and by AWS's, once AWS has told it.
#[derive(Clone, Copy)]
struct Clocks {
    here: Timestamp,
    aws: Option<Timestamp>,
}

/// Draws the conclusion from the evidence.
fn outcome(activity: &Activity, evidence: Evidence, is_over: bool, clocks: Clocks) -> (ActivityEnd, Stand) {
    let given_up = activity.ended_at.unwrap_or(activity.at);
    let unknown = |said: Settled| ActivityEnd {
        message: Some(said.to_string()),
        aws_code: activity.aws_code.clone(),
        proof: activity.proof,
        // The first time AWS tells is later than the last signing, and nothing else matters.
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

//! What became of attempts without an answer.
//!
//! Owns when to look and what is recorded of it. What a look tells is in `settle::evidence`. Deliberately never sends a
//! change again: that is a person's decision, from what is known.

mod evidence;

use std::sync::Arc;
use std::time::Duration;

use liftdeck_model::action::Request;
use liftdeck_model::activity::{Activity, ActivityId, ActivityOutcome, Effect, EffectState};
use liftdeck_store::ActivityEnd;

use crate::core::Core;
use crate::error::OperationError;
use crate::follow;
use crate::send::merge;

use self::evidence::Evidence;

/// Pauses between looks. Whoever waits longer presses the button.
const PAUSES: [Duration; 6] = [
    Duration::from_secs(1),
    Duration::from_secs(5),
    Duration::from_secs(10),
    Duration::from_secs(45),
    Duration::from_secs(120),
    Duration::from_secs(600),
];

/// How long after it was given up a request that left no trace surely never arrived, in milliseconds.
const fn traceless_ms(request: &Request) -> i64 {
    match request {
        // AWS: up to a minute until it shows (H5).
        Request::UpdateFleetCapacity(_) | Request::StopFleetActions(_) | Request::StartFleetActions(_) => {
            75_000
        }
        _ => 5_000,
    }
}

/// Takes up what an earlier process left without an answer: it is `unknown` until AWS was asked.
pub(crate) async fn reopen(core: &Arc<Core>) -> Result<(), OperationError> {
    for activity in core.store.unsettled().await? {
        if activity.outcome == ActivityOutcome::Sending {
            let message = "The program ended before the answer came: it may or may not have been carried out. It is \
                           not sent again by itself; Liftdeck looks on AWS for what became of it.";
            let end = ActivityEnd {
                outcome: ActivityOutcome::Unknown,
                ended_at: core.now(),
                request_id: None,
                aws_code: None,
                message: Some(message.to_owned()),
                made: None,
                made_player_sessions: Vec::new(),
                caller_arn: None,
            };
            core.writer.end_activity(&activity.id, end).await?;
        }
        begin(core, &activity.id);
    }
    Ok(())
}

/// Looks in the background for what became of an attempt, a few times.
pub(crate) fn begin(core: &Arc<Core>, id: &ActivityId) {
    let (task, id) = (Arc::clone(core), id.clone());
    core.spawn(async move {
        for pause in PAUSES {
            if !task.pause(pause).await {
                return;
            }
            match settle(&task, &id).await {
                Ok(activity) if activity.outcome == ActivityOutcome::Unknown => {}
                Ok(_) => return,
                Err(error) => tracing::debug!(%error, "What became of a change could not be looked up."),
            }
        }
    });
}

/// Asks AWS what became of an attempt, and records what was found.
///
/// # Errors
/// `Unknown` for no such attempt, `Refused` while it is being sent, `Gateway` when AWS cannot be asked.
pub(crate) async fn settle(core: &Arc<Core>, id: &ActivityId) -> Result<Activity, OperationError> {
    let found = core.store.activity(id).await?;
    let mut activity =
        found.ok_or_else(|| OperationError::Unknown { what: "activity", id: id.to_string() })?;
    match activity.outcome {
        ActivityOutcome::Done | ActivityOutcome::Failed => return Ok(activity),
        ActivityOutcome::Sending if core.is_in_flight(id) => {
            return Err(OperationError::Refused(
                "It is being sent at this moment. Wait for its outcome.".to_owned(),
            ));
        }
        ActivityOutcome::Sending | ActivityOutcome::Unknown => {}
    }
    let evidence = Box::pin(evidence::of(core, &activity)).await?;
    let given_up = activity.ended_at.unwrap_or(activity.at);
    let left_ms = traceless_ms(&activity.action.request) - core.now().since_ms(given_up);
    let mut end = ActivityEnd {
        outcome: ActivityOutcome::Unknown,
        ended_at: given_up,
        request_id: None,
        aws_code: None,
        message: None,
        made: None,
        made_player_sessions: Vec::new(),
        caller_arn: None,
    };
    match evidence {
        Evidence::Done { text, made, slots } => {
            end.outcome = ActivityOutcome::Done;
            end.message = Some(format!("No answer came, but it was carried out: {text}"));
            end.made = made;
            end.made_player_sessions = slots;
        }
        Evidence::NoTrace(text) if left_ms > 0 => {
            end.aws_code.clone_from(&activity.aws_code);
            end.message = Some(format!(
                "Not known yet: {text} AWS may take a while to show it; look again in {} s.",
                left_ms.div_euclid(1_000) + 1
            ));
        }
        Evidence::NoTrace(text) => {
            end.outcome = ActivityOutcome::Failed;
            end.message = Some(format!("It did not arrive: {text} Nothing was changed by it."));
        }
        Evidence::Unclear(text) => {
            end.aws_code.clone_from(&activity.aws_code);
            end.message = Some(format!("Still not known: {text}"));
        }
    }
    if end.outcome == activity.outcome && end.message == activity.message {
        return Ok(activity);
    }
    // As when it is sent: what is to be followed is noted before the outcome.
    let effect = match end.outcome {
        ActivityOutcome::Done => follow::awaited(&activity.action.request, core.now()),
        ActivityOutcome::Failed if activity.effect.is_some() => Some(Effect {
            state: EffectState::Missed,
            text: "It was not carried out.".to_owned(),
            at: core.now(),
        }),
        _ => None,
    };
    if let Some(effect) = effect {
        core.writer.note_effect(id, effect.clone()).await?;
        activity.effect = Some(effect);
    }
    core.writer.end_activity(id, end.clone()).await?;
    merge(&mut activity, &end);
    if activity.outcome == ActivityOutcome::Done {
        follow::begin(core, &activity);
    }
    Ok(activity)
}

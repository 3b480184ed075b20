//! After AWS accepted a change: looks for its effect until it is seen, missed or given up.
//!
//! Owns when to look and what to keep of a look: the effect in the record, and what was seen in the store, so that
//! screens update. What a look means is in the submodules, one file per subject. After a restart the program goes on
//! looking for the same effects. Deliberately changes nothing on AWS.

mod fleet;
mod look;
mod matching;
mod routing;
mod session;
mod verdict;

use std::sync::Arc;
use std::time::Duration;

use liftdeck_gateway::{ErrorKind, Priority};
use liftdeck_model::Timestamp;
use liftdeck_model::action::Request;
use liftdeck_model::activity::{Activity, ActivityId, ActivityOutcome, Effect, EffectState};
use liftdeck_model::observation::Batch;
use tokio::sync::watch;

use self::look::Look;
use self::verdict::{Verdict, patience_ms};
use crate::error::OperationError;
use crate::outcome::Outcomes;
use crate::words::Sight;

pub(crate) use self::routing::{STRAGGLERS_MS, is_made_as};

/// Pauses between looks in milliseconds, the last one repeated for ever: most effects show within seconds.
const PAUSES_MS: [u64; 8] = [500, 1_000, 1_000, 2_000, 3_000, 5_000, 8_000, 12_000];
/// How often a caller that waits for an effect receives an update.
const TOLD_EVERY: Duration = Duration::from_millis(250);

/// Returns the first effect of a change that was just accepted.
pub(crate) fn awaited(request: &Request, at: Timestamp) -> Option<Effect> {
    let sight = match request {
        Request::CreateGameSession(_) => Sight::SessionBeingStarted,
        Request::StartGameSessionPlacement(_) => Sight::PlaceLookedFor,
        Request::TerminateGameSession(_) => Sight::SessionBeingEnded,
        Request::UpdateFleetCapacity(_) => Sight::CapacityTakesAMinute,
        Request::StartMatchmaking(_) | Request::StartMatchBackfill(_) => Sight::MatchLookedFor,
        _ => Sight::Accepted,
    };
    Some(Effect { state: EffectState::Awaited, text: sight.to_string(), at })
}

/// Looks for the effect of an accepted change in the background.
pub(crate) fn begin(outcomes: &Arc<Outcomes>, activity: &Activity) {
    let task = format!("The check for the effect of {}", activity.action.request.operation());
    let (owned, activity) = (Arc::clone(outcomes), activity.clone());
    outcomes.connection.carry(task, move || {
        let (outcomes, activity) = (Arc::clone(&owned), activity.clone());
        async move { pursue(&outcomes, activity).await }
    });
}

/// Looks again for the effects that were awaited when the program ended.
///
/// # Errors
/// When the store cannot be read.
pub(crate) async fn reopen(outcomes: &Arc<Outcomes>) -> Result<(), OperationError> {
    for activity in outcomes.connection.store.awaited().await? {
        begin(outcomes, &activity);
    }
    Ok(())
}

/// Watches an attempt until nothing about it changes any more.
///
/// # Errors
/// `Unknown` if there is no such attempt.
pub(crate) async fn watch(
    outcomes: &Arc<Outcomes>,
    id: &ActivityId,
) -> Result<watch::Receiver<Activity>, OperationError> {
    let activity = outcomes.connection.activity(id).await?;
    let over = is_over(&activity);
    let (told, receiver) = watch::channel(activity);
    if over {
        return Ok(receiver);
    }
    let (owned, id, told) = (Arc::clone(outcomes), id.clone(), Arc::new(told));
    outcomes.connection.carry("The updates on a change".to_owned(), move || {
        let (outcomes, id, told) = (Arc::clone(&owned), id.clone(), Arc::clone(&told));
        async move { tell(&outcomes, &id, &told).await }
    });
    Ok(receiver)
}

/// Sends updates on an attempt until nothing about it changes any more, or nobody listens.
async fn tell(outcomes: &Outcomes, id: &ActivityId, told: &watch::Sender<Activity>) {
    // The record is authoritative, whoever writes it, and reading it by id costs next to nothing.
    while !told.is_closed() && outcomes.connection.pause(TOLD_EVERY).await {
        let Ok(Some(activity)) = outcomes.connection.store.activity(id).await else { continue };
        let over = is_over(&activity);
        told.send_if_modified(|known| {
            let moved = *known != activity;
            *known = activity;
            moved
        });
        if over {
            return;
        }
    }
}

/// Whether nothing about an attempt will change by itself any more.
pub(crate) fn is_over(activity: &Activity) -> bool {
    match activity.outcome {
        ActivityOutcome::Sending | ActivityOutcome::Unknown => false,
        ActivityOutcome::Failed => true,
        ActivityOutcome::Done => !activity.awaits_effect(),
    }
}

async fn pursue(outcomes: &Arc<Outcomes>, mut activity: Activity) {
    let mut pauses = PAUSES_MS.into_iter();
    let mut pause_ms = PAUSES_MS[0];
    // After many changes at once, the first looks would come before anything can be seen.
    if activity.run.is_some() {
        pauses.by_ref().nth(3);
    }
    loop {
        pause_ms = pauses.next().unwrap_or(pause_ms);
        if !outcomes.connection.pause(Duration::from_millis(pause_ms)).await {
            return;
        }
        let Some(effect) = glance(outcomes, &activity).await else { return };
        let moved = activity
            .effect
            .as_ref()
            .is_none_or(|known| (&known.state, &known.text) != (&effect.state, &effect.text));
        let over = effect.state != EffectState::Awaited;
        if moved
            && let Err(error) = outcomes.connection.writer.note_effect(&activity.id, effect.clone()).await
        {
            tracing::error!(%error, "The effect of a change could not be recorded.");
        }
        activity.effect = Some(effect);
        if over {
            return;
        }
    }
}

/// Looks once; `None` if the guard is being closed.
async fn glance(outcomes: &Arc<Outcomes>, activity: &Activity) -> Option<Effect> {
    let turns = if activity.run.is_some() { &outcomes.turns.runs } else { &outcomes.turns.singles };
    let turn = tokio::select! {
        turn = turns.acquire() => turn.ok()?,
        () = outcomes.connection.closing.cancelled() => return None,
    };
    let age_ms = outcomes.connection.now().since_ms(activity.ended_at.unwrap_or(activity.at)).max(0);
    let patience_ms = patience_ms(&activity.action.request);
    let looked = match outcomes.connection.reader(&activity.region) {
        // Somebody waits for a single change. For those of a run, what somebody sees on a screen comes first.
        Ok(aws) => {
            let rank = if activity.run.is_some() { Priority::Stale } else { Priority::OnScreen };
            let aws = aws.with_priority(rank);
            let look = Look { aws: &aws, activity, age_ms, now: outcomes.connection.now() };
            tokio::select! {
                looked = look.at(&activity.action.request) => looked.map_err(OperationError::from),
                () = outcomes.connection.closing.cancelled() => return None,
            }
        }
        Err(error) => Err(error),
    };
    drop(turn);
    let now = outcomes.connection.now();
    Some(match looked {
        Ok(glance) => {
            if !glance.observations.is_empty() {
                let batch = Batch {
                    region: activity.region.clone(),
                    observed_at: now,
                    observations: glance.observations,
                };
                if let Err(error) = outcomes.connection.writer.apply(batch).await {
                    tracing::error!(%error, "What was seen after a change could not be written.");
                }
            }
            glance.verdict.into_effect(now, age_ms, patience_ms)
        }
        Err(error) => unseen(&error, activity).into_effect(now, age_ms, patience_ms),
    })
}

/// The verdict of a look that failed. It states the error, but a passing one keeps what was seen before.
fn unseen(error: &OperationError, activity: &Activity) -> Verdict {
    match error {
        OperationError::Gateway(gateway) if gateway.kind == ErrorKind::Denied => {
            Verdict::Awaited(Sight::NotAllowed { error: error.to_string() })
        }
        OperationError::Gateway(_) => {
            let known = activity.effect.as_ref().map(|effect| Sight::AsBefore { text: effect.text.clone() });
            Verdict::Awaited(known.unwrap_or_else(|| Sight::NotRead { error: error.to_string() }))
        }
        _ => Verdict::Awaited(Sight::NotRead { error: error.to_string() }),
    }
}

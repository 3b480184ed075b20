//! After AWS said yes: every change is looked at until its effect is seen, missed or given up.
//!
//! Owns when to look and what is kept of a look: the effect in the record, what was seen in the store, so that screens
//! move. What a look means is in the submodules, a file a subject. A program that was ended takes up at the next start
//! what it was looking for. Deliberately changes nothing on AWS.

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
use tokio::sync::{Semaphore, watch};

use self::look::Look;
use self::verdict::{Verdict, patience_ms};
use crate::core::Core;
use crate::error::OperationError;
use crate::guard::Guard;

pub(crate) use self::routing::STRAGGLERS_MS;

/// Looks under way at once, for single changes and for those of runs each; the request budget paces them further.
const LOOKS: usize = 4;
/// Pauses between looks in milliseconds, the last one for ever after: most effects are there within seconds.
const PAUSES_MS: [u64; 8] = [500, 1_000, 1_000, 2_000, 3_000, 5_000, 8_000, 12_000];
/// How often somebody who waits for an effect is told of it.
const TOLD_EVERY: Duration = Duration::from_millis(250);

/// What all followers of a connection share.
pub(crate) struct Follows {
    singles: Semaphore,
    /// Apart, so that hundreds of changes of a run do not hold up the one somebody waits for.
    runs: Semaphore,
}

impl Default for Follows {
    fn default() -> Self {
        Self { singles: Semaphore::new(LOOKS), runs: Semaphore::new(LOOKS) }
    }
}

/// The effect a change that was just accepted begins with.
pub(crate) fn awaited(request: &Request, at: Timestamp) -> Option<Effect> {
    let text = match request {
        Request::CreateGameSession(_) => "The game session is being started.",
        Request::StartGameSessionPlacement(_) => "A place is being looked for.",
        Request::TerminateGameSession(_) => "The game session is being ended.",
        Request::UpdateFleetCapacity(_) => "AWS: capacity takes up to a minute to show.",
        Request::StartMatchmaking(_) | Request::StartMatchBackfill(_) => "A match is being looked for.",
        _ => "Accepted, not seen yet.",
    };
    Some(Effect { state: EffectState::Awaited, text: text.to_owned(), at })
}

/// Looks for the effect of an accepted change in the background.
pub(crate) fn begin(core: &Arc<Core>, activity: &Activity) {
    let task = format!("The look for the effect of {}", activity.action.request.operation());
    let (owned, activity) = (Arc::clone(core), activity.clone());
    core.carry(task, move || {
        let (core, activity) = (Arc::clone(&owned), activity.clone());
        async move { pursue(&core, activity).await }
    });
}

/// Takes up what was looked for when the program ended.
///
/// # Errors
/// When the store cannot be read.
pub(crate) async fn reopen(core: &Arc<Core>) -> Result<(), OperationError> {
    for activity in core.store.awaited().await? {
        begin(core, &activity);
    }
    Ok(())
}

impl Guard {
    /// An attempt and each move of it, until its effect is seen, missed or given up: then the sender is gone.
    ///
    /// # Errors
    /// `Unknown` when there is no such attempt.
    pub async fn follow(&self, id: &ActivityId) -> Result<watch::Receiver<Activity>, OperationError> {
        watch(&self.core, id).await
    }
}

/// The attempt and each move of it; ends with the first state that stays.
///
/// # Errors
/// `Unknown` when there is no such attempt.
async fn watch(core: &Arc<Core>, id: &ActivityId) -> Result<watch::Receiver<Activity>, OperationError> {
    let known = core.store.activity(id).await?;
    let activity = known.ok_or_else(|| OperationError::Unknown { what: "activity", id: id.to_string() })?;
    let over = is_over(&activity);
    let (told, receiver) = watch::channel(activity);
    if over {
        return Ok(receiver);
    }
    let (owned, id, told) = (Arc::clone(core), id.clone(), Arc::new(told));
    core.carry("What tells how a change stands".to_owned(), move || {
        let (core, id, told) = (Arc::clone(&owned), id.clone(), Arc::clone(&told));
        async move { tell(&core, &id, &told).await }
    });
    Ok(receiver)
}

/// Tells of an attempt until nothing about it moves any more, or nobody listens.
async fn tell(core: &Core, id: &ActivityId, told: &watch::Sender<Activity>) {
    // The record is the truth, whoever writes it; asking it by id costs next to nothing.
    while !told.is_closed() && core.pause(TOLD_EVERY).await {
        let Ok(Some(activity)) = core.store.activity(id).await else { continue };
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

/// Whether nothing about an attempt will move by itself any more.
pub(crate) fn is_over(activity: &Activity) -> bool {
    match activity.outcome {
        ActivityOutcome::Sending | ActivityOutcome::Unknown => false,
        ActivityOutcome::Failed => true,
        ActivityOutcome::Done => {
            activity.effect.as_ref().is_none_or(|effect| effect.state != EffectState::Awaited)
        }
    }
}

async fn pursue(core: &Arc<Core>, mut activity: Activity) {
    let mut pauses = PAUSES_MS.into_iter();
    let mut pause_ms = PAUSES_MS[0];
    // Of many changes at once the first looks would come before anything can be seen.
    if activity.run.is_some() {
        pauses.by_ref().nth(3);
    }
    loop {
        pause_ms = pauses.next().unwrap_or(pause_ms);
        if !core.pause(Duration::from_millis(pause_ms)).await {
            return;
        }
        let Some(effect) = glance(core, &activity).await else { return };
        let moved = activity
            .effect
            .as_ref()
            .is_none_or(|known| (&known.state, &known.text) != (&effect.state, &effect.text));
        let over = effect.state != EffectState::Awaited;
        if moved && let Err(error) = core.writer.note_effect(&activity.id, effect.clone()).await {
            tracing::error!(%error, "The effect of a change could not be recorded.");
        }
        activity.effect = Some(effect);
        if over {
            return;
        }
    }
}

/// One look; `None` when the guard is being closed.
async fn glance(core: &Arc<Core>, activity: &Activity) -> Option<Effect> {
    let turns = if activity.run.is_some() { &core.follows.runs } else { &core.follows.singles };
    let turn = tokio::select! {
        turn = turns.acquire() => turn.ok()?,
        () = core.closing.cancelled() => return None,
    };
    let age_ms = core.now().since_ms(activity.ended_at.unwrap_or(activity.at)).max(0);
    let patience_ms = patience_ms(&activity.action.request);
    let looked = match core.reader(&activity.region) {
        // Somebody waits for a single change; of many, screens in front of somebody come first.
        Ok(aws) => {
            let rank = if activity.run.is_some() { Priority::Stale } else { Priority::OnScreen };
            let aws = aws.with_priority(rank);
            let look = Look { aws: &aws, activity, age_ms, now: core.now() };
            tokio::select! {
                looked = look.at(&activity.action.request) => looked.map_err(OperationError::from),
                () = core.closing.cancelled() => return None,
            }
        }
        Err(error) => Err(error),
    };
    drop(turn);
    let now = core.now();
    Some(match looked {
        Ok(glance) => {
            if !glance.observations.is_empty() {
                let batch = Batch {
                    region: activity.region.clone(),
                    observed_at: now,
                    observations: glance.observations,
                };
                if let Err(error) = core.writer.apply(batch).await {
                    tracing::error!(%error, "What was seen after a change could not be written.");
                }
            }
            glance.verdict.into_effect(now, age_ms, patience_ms)
        }
        Err(error) => unseen(&error, activity).into_effect(now, age_ms, patience_ms),
    })
}

/// What a look that failed leaves: a sentence that says so, unless it only was too early.
fn unseen(error: &OperationError, activity: &Activity) -> Verdict {
    match error {
        OperationError::Gateway(gateway) if gateway.kind == ErrorKind::Denied => {
            Verdict::Awaited(format!("It cannot be looked for: {error}"))
        }
        OperationError::Gateway(_) => {
            let known = activity.effect.as_ref().map(|effect| effect.text.clone());
            Verdict::Awaited(known.unwrap_or_else(|| error.to_string()))
        }
        _ => Verdict::Awaited(error.to_string()),
    }
}

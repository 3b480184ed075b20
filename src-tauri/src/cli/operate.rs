//! What every command that changes something has in common: where, how, and the way through the guard.
//!
//! Owns the common options and the order of things: form → consent → preview → confirm → outcome → effect. One file a
//! noun beside this folder makes the changes from arguments. Deliberately sends nothing itself: the guard does.

mod desk;
mod ids;
mod known;
mod place;
mod preview;
mod result;

use std::future::pending;
use std::time::{Duration, Instant};

use clap::Args;
use futures::future::Either;
use liftdeck_model::action::Action;
use liftdeck_model::activity::{Activity, ActivityId, EffectState, RunId};
use liftdeck_model::visible::is_typed;
use liftdeck_operations::{
    Guard, Intent, LEAST_MINUTES, MOST_MINUTES, OperationError, Preview, Receipt, Run,
};
use liftdeck_store::RunState;
use serde_json::json;

use super::{Caller, Failure, Outcome};
pub(super) use desk::Desk;
pub(super) use ids::{Latency, Property, id_of, latency, property, several};
pub(super) use place::{Place, Where, by_name};

/// The longest a command waits for an effect.
const PATIENCE: Duration = Duration::from_secs(600);
/// How often a run that is waited for says how far it is, at most.
const TELLS_EVERY: Duration = Duration::from_secs(5);
/// Changes a minute a run surely makes within the request budget.
const CHANGES_A_MINUTE: usize = 60;

/// How a change is made.
#[derive(Debug, Args)]
pub(super) struct How {
    #[command(flatten)]
    pub(super) place: Where,
    /// Show what it would do and the equivalent aws command; send nothing
    #[arg(long, conflicts_with_all = ["yes", "confirm"])]
    dry_run: bool,
    /// Do not ask; needed where nobody can be asked
    #[arg(long, short = 'y')]
    yes: bool,
    /// What has to be typed where a change asks for it: the connection's or the alias's name
    #[arg(long, value_name = "TEXT")]
    confirm: Option<String>,
    /// Return once AWS has accepted the change, whatever its effect
    #[arg(long, overrides_with = "wait")]
    no_wait: bool,
    /// Follow the change until its effect is seen, ten minutes at most (the default)
    #[arg(long, overrides_with = "no_wait")]
    wait: bool,
}

/// Makes these changes, or shows what they would do.
pub(super) async fn make(
    caller: &Caller,
    how: &How,
    place: Place,
    actions: Vec<Action>,
) -> Result<Outcome, Failure> {
    well_formed(&actions)?;
    consent_is_possible(caller, how)?;
    let regions = actions.iter().map(|action| action.region.clone()).collect();
    let desk = place.open(&caller.terminal, regions).await?;
    let made = intend(caller, how, &desk, Intent::Actions(actions)).await;
    desk.close().await;
    made
}

/// Refuses what the service would refuse by its form alone, with the field named.
pub(super) fn well_formed(actions: &[Action]) -> Result<(), Failure> {
    let wrong: Vec<String> = actions
        .iter()
        .enumerate()
        .flat_map(|(item, action)| {
            let many = actions.len() > 1;
            let named = move |field: String| if many { format!("item {}, {field}", item + 1) } else { field };
            let errors = action.request.check().into_iter();
            errors.map(move |error| format!("{}: {}", named(error.field), error.message))
        })
        .collect();
    if wrong.is_empty() {
        return Ok(());
    }
    Err(Failure::usage(format!("Nothing was sent. {}", wrong.join(" "))))
}

/// Without a person and without `--yes` nobody could agree, so nobody is asked in the first place.
pub(super) fn consent_is_possible(caller: &Caller, how: &How) -> Result<(), Failure> {
    if how.dry_run || how.yes || caller.terminal.is_person_there() {
        return Ok(());
    }
    Err(Failure::refused(
        "Nothing was sent: nobody is there to be asked. Add --yes to go ahead (and --confirm TEXT where something has to \
         be typed), or --dry-run to see what it would do.",
    ))
}

/// Takes an intent through the guard.
pub(super) async fn intend(
    caller: &Caller,
    how: &How,
    desk: &Desk,
    intent: Intent,
) -> Result<Outcome, Failure> {
    let json = how.place.json;
    // These go on until they are paused, or for as long as a fleet takes to run empty.
    let is_long = matches!(intent, Intent::Drain(_) | Intent::Resume(_));
    let preview = Box::pin(desk.guard.preview(intent)).await?;
    let is_run = is_long || preview.items.len() > 1;
    if how.dry_run || !preview.confirmable {
        let document = || json!({ "preview": preview::json(&preview) });
        caller.terminal.answer_as(json, document, || preview::text(&preview))?;
        let outcome = previewed(&preview)?;
        // What would stand against sending it stands against it now.
        unopposed(&desk.guard)?;
        return Ok(outcome);
    }
    unopposed(&desk.guard)?;
    if !json {
        caller.terminal.answer(&preview::text(&preview))?;
    } else if !how.yes {
        // Whoever is asked has to see it; stdout is for the one document.
        caller.terminal.say(preview::text(&preview).to_string().trim_end());
    }
    let typed = agree(caller, how, preview.must_type.as_deref(), "Go ahead?").await?;
    unlock(&desk.guard, &preview, is_long).await?;
    // A run sends from its confirmation on: whoever asks it to stop at that moment is heard.
    let asked = if is_run { Either::Left(caller.terminal.interrupted()?) } else { Either::Right(pending()) };
    let receipt = Box::pin(desk.guard.confirm(&preview.id, typed.as_deref())).await?;
    let skipped = receipt.skipped().to_vec();
    let (activities, run) = follow(caller, how, desk, receipt, asked).await?;
    desk.guard.lock();
    let connections = result::connections(desk, &activities).await;
    let told = result::Told {
        activities: &activities,
        run: run.as_ref(),
        connections: &connections,
        skipped: &skipped,
    };
    let document = || json!({ "preview": preview::json(&preview), "result": told.json() });
    caller.terminal.answer_as(json, document, || told.text_before_the_verdict())?;
    match told.outcome(caller, !how.no_wait)? {
        // What was asked for and not sent is no part of what was done.
        Outcome::Done if preview.left_out.is_some() => Ok(Outcome::Partly),
        outcome => Ok(outcome),
    }
}

/// What a preview alone comes to: whether all of it would be sent, a part, or nothing.
fn previewed(preview: &Preview) -> Result<Outcome, Failure> {
    match &preview.left_out {
        None => Ok(Outcome::Done),
        Some(_) if preview.confirmable => Ok(Outcome::Partly),
        Some(left_out) => Err(Failure::refused(format!("Nothing is sent: {}.", left_out.sentence))),
    }
}

/// Told before anybody is asked: the guard would not be unlocked.
fn unopposed(guard: &Guard) -> Result<(), Failure> {
    (guard.options().objection)().map_or(Ok(()), |objection| Err(Failure::refused(objection)))
}

/// What was typed, once the person has agreed.
async fn agree(
    caller: &Caller,
    how: &How,
    must_type: Option<&str>,
    question: &str,
) -> Result<Option<String>, Failure> {
    let asks = |text: &str| {
        Failure::refused(format!("Nothing was sent: it has to be confirmed with --confirm '{text}'."))
    };
    match (must_type, &how.confirm) {
        (Some(text), Some(typed)) if is_typed(typed, text) => Ok(how.confirm.clone()),
        (Some(text), Some(_)) => Err(asks(text)),
        (Some(text), None) if caller.terminal.is_person_there() => {
            match caller.terminal.ask(&format!("Type {text} to go ahead: ")).await? {
                typed if is_typed(&typed, text) => Ok(Some(typed)),
                _ => Err(Failure::refused("Nothing was sent: what was typed is something else.")),
            }
        }
        (Some(text), None) => Err(asks(text)),
        (None, _) if how.yes => Ok(None),
        (None, _) if caller.terminal.agrees(question).await? => Ok(None),
        (None, _) => Err(Failure::refused("Nothing was sent.")),
    }
}

/// Unlocks for as long as this command may need. Who named the connection on the command line has typed its name.
async fn unlock(guard: &Guard, preview: &Preview, is_long: bool) -> Result<(), Failure> {
    if is_long {
        guard.unlock(MOST_MINUTES, Some(&guard.options().connection_name)).await?;
        return Ok(());
    }
    let takes = u32::try_from(preview.items.len() / CHANGES_A_MINUTE).unwrap_or(MOST_MINUTES);
    let minutes = takes.saturating_add(LEAST_MINUTES).min(MOST_MINUTES);
    guard.unlock(minutes, Some(&guard.options().connection_name)).await?;
    Ok(())
}

/// Waits for what a confirmation set off.
async fn follow(
    caller: &Caller,
    how: &How,
    desk: &Desk,
    receipt: Receipt,
    asked: impl Future<Output = ()>,
) -> Result<(Vec<Activity>, Option<Run>), Failure> {
    if let Some(run) = &receipt.run {
        let run = watch_run(caller, desk, run, asked).await?;
        return Ok((desk.of_run(&run.id).await?, Some(run)));
    }
    let mut activities = Vec::with_capacity(receipt.activities.len());
    for activity in receipt.activities {
        let wait = !how.no_wait && awaits(&activity);
        activities.push(if wait { effect(caller, desk, &activity.id).await? } else { activity });
    }
    Ok((activities, None))
}

fn awaits(activity: &Activity) -> bool {
    activity.effect.as_ref().is_some_and(|effect| effect.state == EffectState::Awaited)
}

/// The attempt once its effect is seen, missed or given up, or as it stands when patience ends.
async fn effect(caller: &Caller, desk: &Desk, id: &ActivityId) -> Result<Activity, Failure> {
    let mut told = desk.guard.follow(id).await?;
    let ended = tokio::time::timeout(PATIENCE, async {
        while awaits(&told.borrow_and_update()) {
            if told.changed().await.is_err() {
                return;
            }
        }
    });
    if ended.await.is_err() {
        caller
            .terminal
            .say("The effect was not seen in ten minutes. `liftdeck activity list` shows how it stands.");
    }
    let activity = told.borrow().clone();
    Ok(activity)
}

/// The run once it has come to rest. Asked to stop, it is paused: what is under way is still answered and recorded.
async fn watch_run(
    caller: &Caller,
    desk: &Desk,
    id: &RunId,
    asked: impl Future<Output = ()>,
) -> Result<liftdeck_operations::Run, Failure> {
    tokio::pin!(asked);
    let mut told = desk.guard.run_watch(id).await?;
    let mut told_at: Option<Instant> = None;
    loop {
        let run = told.borrow_and_update().clone();
        if run.state != RunState::Running {
            return Ok(run);
        }
        if told_at.is_none_or(|at| at.elapsed() >= TELLS_EVERY) {
            caller.terminal.say(&result::progress(&run));
            told_at = Some(Instant::now());
        }
        tokio::select! {
            moved = told.changed() => if moved.is_err() {
                return Ok(Run::get(&desk.reader, id).await?);
            },
            () = &mut asked => return match desk.guard.run_pause(id).await {
                Ok(run) => {
                    caller.terminal.say(&format!("Paused. Go on with `liftdeck activity resume {id}`, or end it with `liftdeck activity stop {id}`."));
                    Ok(run)
                }
                // It came to its end at that very moment.
                Err(OperationError::Refused(_)) => Ok(Run::get(&desk.reader, id).await?),
                Err(error) => Err(error.into()),
            },
        }
    }
}

pub(super) use preview::fact_text;
pub(super) use result::Told;

impl From<OperationError> for Failure {
    fn from(error: OperationError) -> Self {
        let message = error.to_string();
        match error {
            OperationError::ReadOnly
            | OperationError::NotTyped { .. }
            | OperationError::Moved { .. }
            | OperationError::Expired
            | OperationError::Refused(_) => Self::refused(message),
            OperationError::Invalid(_) => Self::usage(message),
            OperationError::Unknown { .. } => Self::new(message),
            OperationError::Gateway(error) => error.into(),
            OperationError::Store(error) => error.into(),
        }
    }
}

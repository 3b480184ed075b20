//! What all commands that change something have in common: where, how, and the way through the guard.
//!
//! Owns the common options and the order of the steps: form → consent → preview → confirm → outcome → effect. Beside
//! this folder, one file per noun builds the changes from arguments. Deliberately sends nothing itself: the guard
//! does.

mod chosen;
mod guarded;
mod ids;
mod known;
mod preview;
mod result;

use std::future::pending;
use std::time::{Duration, Instant};

use clap::Args;
use futures::future::Either;
use liftdeck_model::action::Action;
use liftdeck_model::activity::{Activity, RunId};
use liftdeck_model::visible::is_typed;
use liftdeck_operations::{Conclusion, Guard, Intent, OperationError, Receipt, Run};
use liftdeck_store::RunState;
use serde_json::json;

use super::{Caller, Failure, Outcome};
pub(super) use chosen::{ChosenConnection, ConnectionOptions, by_name};
pub(super) use guarded::GuardedConnection;
pub(super) use ids::several;

/// The longest a command waits for an effect.
const PATIENCE: Duration = Duration::from_secs(600);
/// The shortest time between two progress reports of a run.
const TELLS_EVERY: Duration = Duration::from_secs(5);
/// How a change is made.
#[derive(Debug, Args)]
pub(super) struct ChangeOptions {
    #[command(flatten)]
    pub(super) connection: ConnectionOptions,
    /// Show what it would do and the equivalent aws command; send nothing
    #[arg(long, conflicts_with_all = ["yes", "confirm"])]
    dry_run: bool,
    /// Do not ask; needed when there is nobody to ask
    #[arg(long, short = 'y')]
    yes: bool,
    /// The name that has to be typed to confirm: the connection's or the alias's
    #[arg(long, value_name = "TEXT")]
    confirm: Option<String>,
    /// Return once AWS has accepted the change, without waiting for its effect
    #[arg(long, overrides_with = "wait")]
    no_wait: bool,
    /// Follow the change until its effect is seen, ten minutes at most (the default)
    #[arg(long, overrides_with = "no_wait")]
    wait: bool,
}

/// Makes these changes, or shows what they would do.
pub(super) async fn make(
    caller: &Caller,
    options: &ChangeOptions,
    chosen: ChosenConnection,
    actions: Vec<Action>,
) -> Result<Outcome, Failure> {
    well_formed(&actions)?;
    consent_is_possible(caller, options)?;
    let regions = actions.iter().map(|action| action.region.clone()).collect();
    let connection = chosen.open(&caller.terminal, regions).await?;
    connection.carry_out(caller, options, Intent::Actions(actions)).await
}

/// Refuses what AWS would refuse for its form alone, and names the field.
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

/// Refuses early if there is neither a person nor `--yes`, because then nobody could agree.
pub(super) fn consent_is_possible(caller: &Caller, options: &ChangeOptions) -> Result<(), Failure> {
    if options.dry_run || options.yes || caller.terminal.is_person_there() {
        return Ok(());
    }
    Err(Failure::refused(
        "Nothing was sent: there is nobody to ask. Add --yes to go ahead (and --confirm TEXT where something has to \
         be typed), or --dry-run to see what it would do.",
    ))
}

impl GuardedConnection {
    /// Takes an intent through the guard, and closes the connection.
    pub(super) async fn carry_out(
        self,
        caller: &Caller,
        options: &ChangeOptions,
        intent: Intent,
    ) -> Result<Outcome, Failure> {
        let outcome = Box::pin(intend(caller, options, &self, intent)).await;
        self.close().await;
        outcome
    }
}

/// Takes an intent through the guard.
async fn intend(
    caller: &Caller,
    options: &ChangeOptions,
    connection: &GuardedConnection,
    intent: Intent,
) -> Result<Outcome, Failure> {
    let json = options.connection.json;
    let is_open_ended = intent.is_open_ended();
    let preview = Box::pin(connection.guard.preview(intent)).await?;
    let is_run = is_open_ended || preview.items.len() > 1;
    if options.dry_run || !preview.confirmable {
        let document = || json!({ "preview": preview::json(&preview) });
        caller.terminal.answer_as(json, document, || preview::text(&preview))?;
        let outcome = result::concluded(caller, Conclusion::of_preview(&preview))?;
        // An objection that would prevent sending is reported for a preview too.
        unopposed(&connection.guard)?;
        return Ok(outcome);
    }
    unopposed(&connection.guard)?;
    if !json {
        caller.terminal.answer(&preview::text(&preview))?;
    } else if !options.yes {
        // The person must see the preview before answering, and stdout carries only the JSON document.
        caller.terminal.say(preview::text(&preview).to_string().trim_end());
    }
    let typed = agree(caller, options, preview.must_type.as_deref(), "Go ahead?").await?;
    // Naming the connection on the command line counts as typing its name.
    let named = &connection.guard.options().connection_name;
    connection.guard.unlock_for(&preview.id, Some(named)).await?;
    // A run starts sending as soon as it is confirmed, so listen for a request to stop before that.
    let asked = if is_run { Either::Left(caller.terminal.interrupted()?) } else { Either::Right(pending()) };
    let receipt = Box::pin(connection.guard.confirm(&preview.id, typed.as_deref())).await?;
    let skipped = receipt.skipped().to_vec();
    let (activities, run) = follow(caller, options, connection, receipt, asked).await?;
    connection.guard.lock();
    let joined = match activities.as_slice() {
        [only] => connection.guard.joined(only).await,
        _ => None,
    };
    let told = result::ChangeResults {
        activities: &activities,
        run: run.as_ref(),
        joined: joined.as_ref(),
        skipped: &skipped,
    };
    let document = || json!({ "preview": preview::json(&preview), "result": told.json() });
    caller.terminal.answer_as(json, document, || told.text_before_the_verdict())?;
    match told.outcome(caller, !options.no_wait)? {
        // Changes that were asked for but left out make the outcome partial.
        Outcome::Done if preview.left_out.is_some() => Ok(Outcome::Partly),
        outcome => Ok(outcome),
    }
}

/// Reports an objection before anybody is asked, because the guard would refuse to unlock.
fn unopposed(guard: &Guard) -> Result<(), Failure> {
    (guard.options().objection)().map_or(Ok(()), |objection| Err(Failure::refused(objection)))
}

/// Returns what was typed, once the person has agreed.
async fn agree(
    caller: &Caller,
    options: &ChangeOptions,
    must_type: Option<&str>,
    question: &str,
) -> Result<Option<String>, Failure> {
    let asks = |text: &str| {
        Failure::refused(format!("Nothing was sent: it has to be confirmed with --confirm '{text}'."))
    };
    match (must_type, &options.confirm) {
        (Some(text), Some(typed)) if is_typed(typed, text) => Ok(options.confirm.clone()),
        (Some(text), Some(_)) => Err(asks(text)),
        (Some(text), None) if caller.terminal.is_person_there() => {
            match caller.terminal.ask(&format!("Type {text} to go ahead: ")).await? {
                typed if is_typed(&typed, text) => Ok(Some(typed)),
                _ => Err(Failure::refused("Nothing was sent: what was typed does not match.")),
            }
        }
        (Some(text), None) => Err(asks(text)),
        (None, _) if options.yes => Ok(None),
        (None, _) if caller.terminal.agrees(question).await? => Ok(None),
        (None, _) => Err(Failure::refused("Nothing was sent.")),
    }
}

/// Waits for what a confirmation started.
async fn follow(
    caller: &Caller,
    options: &ChangeOptions,
    connection: &GuardedConnection,
    receipt: Receipt,
    asked: impl Future<Output = ()>,
) -> Result<(Vec<Activity>, Option<Run>), Failure> {
    if let Some(run) = &receipt.run {
        let run = watch_run(caller, connection, run, asked).await?;
        return Ok((connection.reader.activities_of_run(&run.id).await?, Some(run)));
    }
    let mut activities = Vec::with_capacity(receipt.activities.len());
    for activity in receipt.activities {
        let waits = !options.no_wait && activity.awaits_effect();
        activities.push(if waits { effect(caller, connection, activity).await? } else { activity });
    }
    Ok((activities, None))
}

/// Returns the attempt once its effect is seen, missed or given up, or as it stands after the longest wait.
async fn effect(
    caller: &Caller,
    connection: &GuardedConnection,
    activity: Activity,
) -> Result<Activity, Failure> {
    if let Ok(followed) = tokio::time::timeout(PATIENCE, connection.guard.followed(&activity.id)).await {
        return Ok(followed?);
    }
    caller
        .terminal
        .say("The effect was not seen in ten minutes. `liftdeck activity list` shows how it stands.");
    Ok(connection.reader.activity(&activity.id).await?.unwrap_or(activity))
}

/// Returns the run once it is no longer running. A request to stop pauses it: what is under way is still answered and
/// recorded.
async fn watch_run(
    caller: &Caller,
    connection: &GuardedConnection,
    id: &RunId,
    asked: impl Future<Output = ()>,
) -> Result<Run, Failure> {
    tokio::pin!(asked);
    let mut told = connection.guard.run_watch(id).await?;
    let mut told_at: Option<Instant> = None;
    loop {
        let run = told.borrow_and_update().clone();
        if run.state != RunState::Running {
            return Ok(run);
        }
        if told_at.is_none_or(|at| at.elapsed() >= TELLS_EVERY) {
            caller.terminal.say(&run.progress_text());
            told_at = Some(Instant::now());
        }
        tokio::select! {
            moved = told.changed() => if moved.is_err() {
                return Ok(Run::get(&connection.reader, id).await?);
            },
            () = &mut asked => return match connection.guard.run_pause(id).await {
                Ok(run) => {
                    caller.terminal.say(&format!("Paused. Go on with `liftdeck activity resume {id}`, or end it with `liftdeck activity stop {id}`."));
                    Ok(run)
                }
                // The run ended at that very moment.
                Err(OperationError::Refused(_)) => Ok(Run::get(&connection.reader, id).await?),
                Err(error) => Err(error.into()),
            },
        }
    }
}

pub(super) use result::ChangeResults;

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

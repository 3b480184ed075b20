//! From a wish to what is sent: previews that are held, and their confirmation.
//!
//! Owns what binds the two. A confirmed preview is made anew from fresh reads; only if it says the same is anything
//! sent. Deliberately knows no rule of a single resource.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use liftdeck_gateway::ErrorKind;
use liftdeck_model::action::{Action, FieldError, Request};
use liftdeck_model::activity::{ActivityId, FactChange};
use liftdeck_model::visible::{is_typed, phrase};
use liftdeck_model::{Location, Timestamp};
use tokio::time::Instant;

use crate::core::Core;
use crate::error::OperationError;
use crate::guard::Receipt;
use crate::intent::Intent;
use crate::preview::draft::Draft;
use crate::preview::{self, Preview, PreviewId, Regard};
use crate::send::Planned;
use crate::{drain, run, undo};

/// How long a preview can be confirmed, in milliseconds.
const HOLDS_MS: i64 = 5 * 60_000;
/// How long a preview insists while AWS throttles what it has to read.
const PATIENCE: Duration = Duration::from_secs(45);
/// The pause before it reads again, beyond those of the single reads.
const BREATH: Duration = Duration::from_secs(2);
/// A blast may grow by this many, or by a tenth, before it is another one.
const GROWTH: u64 = 5;

/// Previews that can still be confirmed.
#[derive(Default)]
pub(crate) struct Previews {
    held: Mutex<HashMap<PreviewId, Held>>,
}

/// A preview with what it rests on.
#[derive(Clone)]
struct Held {
    intent: Intent,
    preview: Preview,
    drafts: Vec<Draft>,
}

impl Previews {
    fn hold(&self, held: Held, now: Timestamp) {
        let mut all = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, held| now < held.preview.expires_at);
        all.insert(held.preview.id.clone(), held);
    }

    fn look(&self, id: &PreviewId, now: Timestamp) -> Option<Held> {
        let all = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(id).filter(|held| now < held.preview.expires_at).cloned()
    }

    /// Takes it away, once: a second confirmation finds nothing.
    fn take(&self, id: &PreviewId) -> bool {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).remove(id).is_some()
    }
}

/// What AWS would refuse for its form alone, as (item, field).
pub(crate) fn check(actions: &[Action]) -> Vec<(usize, FieldError)> {
    let one = |(item, action): (usize, &Action)| {
        action.request.check().into_iter().map(move |error| (item, error)).collect::<Vec<_>>()
    };
    actions.iter().enumerate().flat_map(one).collect()
}

/// The first change that another one of the same run already makes, or makes otherwise.
fn twice(actions: &[Action]) -> Option<&Action> {
    let mut seen = HashSet::new();
    actions.iter().find(|action| target(&action.request).is_some_and(|of| !seen.insert((&action.region, of))))
}

/// What a change sets, such that two changes of the same target contradict each other; `None` where each makes another.
fn target(request: &Request) -> Option<(&'static str, String, String)> {
    let place = |location: &Option<Location>| location.as_ref().map(ToString::to_string).unwrap_or_default();
    let part = match request {
        Request::CreateAlias(_) | Request::CreatePlayerSessions(_) | Request::AcceptMatch(_) => return None,
        Request::CreateGameSession(it) => it.idempotency_token.clone(),
        Request::UpdateFleetCapacity(it) => place(&it.location),
        Request::StopFleetActions(it) | Request::StartFleetActions(it) => place(&it.location),
        Request::PutScalingPolicy(it) => it.name.clone(),
        Request::DeleteScalingPolicy(it) => it.name.clone(),
        _ => String::new(),
    };
    Some((request.operation(), request.resource().id, part))
}

/// Holds what was typed to the name that must be, as it is typed on any keyboard.
pub(crate) fn typed(must_type: Option<&str>, typed: Option<&str>) -> Result<(), OperationError> {
    match must_type {
        Some(name) if !typed.is_some_and(|typed| is_typed(typed, name)) => {
            Err(OperationError::NotTyped { must_type: phrase(name) })
        }
        _ => Ok(()),
    }
}

/// Previews an intent and holds it for its confirmation.
pub(crate) async fn preview(core: &Arc<Core>, intent: Intent) -> Result<Preview, OperationError> {
    let held = look(core, intent).await?;
    let preview = held.preview.clone();
    core.previews.hold(held, core.now());
    Ok(preview)
}

/// Reads the present and says what the intent would do to it. Reads that AWS throttles are made again for a while: a
/// game asks in waves, and nothing has been sent yet.
async fn look(core: &Arc<Core>, intent: Intent) -> Result<Held, OperationError> {
    let gives_up = Instant::now() + PATIENCE;
    loop {
        match Box::pin(look_once(core, intent.clone())).await {
            Err(OperationError::Gateway(error))
                if error.kind == ErrorKind::Throttled
                    && Instant::now() < gives_up
                    && core.pause(BREATH).await => {}
            looked => return looked,
        }
    }
}

async fn look_once(core: &Arc<Core>, intent: Intent) -> Result<Held, OperationError> {
    let (actions, regard) = match &intent {
        Intent::Actions(actions) => (actions.clone(), Regard::Change),
        Intent::Undo(id) => {
            let undone = undo::of(core, id).await?;
            (undone.undo.clone(), Regard::Undo(Box::new(undone)))
        }
        Intent::Drain(plan) => {
            (drain::actions(core, plan).await?, Regard::Drain(Box::new(drain::regard(core, plan).await?)))
        }
    };
    if actions.is_empty() {
        return Err(OperationError::Refused("Nothing is to be changed.".to_owned()));
    }
    if let Some(twice) = twice(&actions) {
        return Err(OperationError::Refused(format!(
            "{} of {} is in it twice. Changes of one run are sent side by side, so the last one would not surely win: \
             leave one out.",
            twice.request.operation(),
            twice.request.resource().id
        )));
    }
    let wrong = check(&actions);
    if !wrong.is_empty() {
        return Err(OperationError::Invalid(wrong));
    }
    let drafts = preview::draft::all(core, &actions).await?;
    let preview = preview::compose(core, &drafts, &regard, core.now().plus_ms(HOLDS_MS)).await?;
    Ok(Held { intent, preview, drafts })
}

/// Does what the preview says, if it still says so.
pub(crate) async fn confirm(
    core: &Arc<Core>,
    id: &PreviewId,
    text: Option<&str>,
) -> Result<Receipt, OperationError> {
    core.gate.grant()?;
    let held = core.previews.look(id, core.now()).ok_or(OperationError::Expired)?;
    typed(held.preview.must_type.as_deref(), text)?;
    if !core.previews.take(id) {
        return Err(OperationError::Expired);
    }
    // Of two who undo the same at once, the second finds it undone.
    let _turn = match held.intent {
        Intent::Undo(_) => Some(core.undos.lock().await),
        Intent::Actions(_) | Intent::Drain(_) => None,
    };
    let now = match look(core, held.intent.clone()).await {
        Ok(now) => now,
        Err(error) => {
            // Nothing was sent, and the preview says what it said: it may be confirmed once AWS can be asked again.
            core.previews.hold(held, core.now());
            return Err(error);
        }
    };
    let what = moved(&held, &now);
    if !what.is_empty() {
        let preview = Box::new(now.preview.clone());
        core.previews.hold(now, core.now());
        return Err(OperationError::Moved { what, preview });
    }
    send(core, now).await
}

async fn send(core: &Arc<Core>, held: Held) -> Result<Receipt, OperationError> {
    let undo_of: Option<ActivityId> = match &held.intent {
        Intent::Undo(id) => Some(id.clone()),
        Intent::Actions(_) | Intent::Drain(_) => None,
    };
    let title = held.preview.title;
    let mut planned: Vec<Planned> =
        held.drafts.into_iter().map(|draft| draft.into_planned(undo_of.clone())).collect();
    if let Intent::Drain(plan) = held.intent {
        let run = drain::begin(core, plan, title, planned).await?;
        return Ok(Receipt { run: Some(run), activities: Vec::new() });
    }
    if planned.len() == 1
        && let Some(single) = planned.pop()
    {
        return Ok(Receipt { run: None, activities: vec![core.attempt(single).await?] });
    }
    let run = run::begin(core, title, planned).await?;
    Ok(Receipt { run: Some(run), activities: Vec::new() })
}

/// What is not as previewed any more, as (previewed, now).
fn moved(before: &Held, now: &Held) -> Vec<FactChange> {
    let mut what = Vec::new();
    let many = before.drafts.len() > 1;
    let is_drain = matches!(before.intent, Intent::Drain(_));
    for (old, new) in before.drafts.iter().zip(&now.drafts) {
        // Capacity moves by itself until scaling is suspended, and a drain looks at it anew before it sets it.
        if is_drain && matches!(old.action.request, Request::UpdateFleetCapacity(_)) {
            continue;
        }
        let prefix = if many { old.named() } else { String::new() };
        for (label, was, is) in old.differs_from(new, many) {
            let label = if prefix.is_empty() { label } else { format!("{prefix}: {label}") };
            what.push(FactChange { label, before: was, after: is });
        }
    }
    if before.drafts.len() != now.drafts.len() {
        let count = |held: &Held| Some(held.drafts.len().to_string());
        what.push(FactChange { label: "Changes".to_owned(), before: count(before), after: count(now) });
    }
    let (old, new) = (&before.preview.blast, &now.preview.blast);
    for (label, was, is) in [
        ("Game sessions hit", old.game_sessions, new.game_sessions),
        ("Players hit", old.player_sessions, new.player_sessions),
    ] {
        // A drain ends nobody, however many they are.
        if !is_drain && is > was + GROWTH.max(was / 10) {
            let (before, after) = (Some(was.to_string()), Some(is.to_string()));
            what.push(FactChange { label: label.to_owned(), before, after });
        }
    }
    what
}

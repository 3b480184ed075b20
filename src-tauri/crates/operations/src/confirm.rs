//! From a wish to what is sent: previews that are held, and their confirmation.
//!
//! Owns what binds the two. A confirmed preview is made anew from fresh reads; only if it says the same is anything
//! sent. Deliberately knows no rule of a single resource.

mod contradiction;
mod difference;
mod held;

use std::sync::Arc;
use std::time::Duration;

use liftdeck_gateway::ErrorKind;
use liftdeck_model::action::{Action, FieldError};
use liftdeck_model::activity::RunId;
use liftdeck_model::visible::{is_typed, phrase};
use tokio::time::Instant;

use self::contradiction::twice;
use self::difference::{left_out, moved};
pub(crate) use self::held::Previews;
use self::held::{Held, is_drain};
use crate::core::Core;
use crate::error::OperationError;
use crate::guard::Receipt;
use crate::intent::Intent;
use crate::preview::draft::Draft;
use crate::preview::skip::Skip;
use crate::preview::{self, Preview, PreviewId, Regard, Resumed};
use crate::run::{self, Berth, Item};
use crate::{drain, ended, undo};

/// How long a preview can be confirmed, in milliseconds.
const HOLDS_MS: i64 = 5 * 60_000;
/// How long a preview insists while AWS throttles what it has to read.
const PATIENCE: Duration = Duration::from_secs(45);
/// The pause before it reads again, beyond those of the single reads.
const BREATH: Duration = Duration::from_secs(2);

/// What AWS would refuse for its form alone, as (item, field).
pub(crate) fn check(actions: &[Action]) -> Vec<(usize, FieldError)> {
    let one = |(item, action): (usize, &Action)| {
        action.request.check().into_iter().map(move |error| (item, error)).collect::<Vec<_>>()
    };
    actions.iter().enumerate().flat_map(one).collect()
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
    if let Intent::Resume(id) = &intent {
        run::at_rest(core, id)?;
    }
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
                if is_asked_again(error.kind, gives_up) && core.pause(BREATH).await => {}
            looked => return looked,
        }
    }
}

fn is_asked_again(kind: ErrorKind, gives_up: Instant) -> bool {
    kind == ErrorKind::Throttled && Instant::now() < gives_up
}

async fn look_once(core: &Arc<Core>, intent: Intent) -> Result<Held, OperationError> {
    let looked_at = core.now();
    let mut rest = None;
    let (actions, mut regard) = match &intent {
        Intent::Actions(actions) => (actions.clone(), Regard::Change),
        Intent::Undo(id) => {
            let undone = undo::of(core, id).await?;
            (undone.undo.clone(), Regard::Undo(Box::new(undone)))
        }
        Intent::Drain(plan) => {
            (drain::actions(core, plan).await?, Regard::Drain(Box::new(drain::regard(core, plan).await?)))
        }
        Intent::Resume(id) => {
            let found = run::rest(core, id).await?;
            let drained = match found.drain() {
                Some(plan) => Some(drain::resumed(core, id, plan).await?),
                None => None,
            };
            let resumed = Resumed { title: found.title().to_owned(), moved: Vec::new(), drained };
            let actions = found.actions();
            rest = Some(found);
            (actions, Regard::Resume(Box::new(resumed)))
        }
    };
    if actions.is_empty() && rest.is_none() {
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
    let mut drafts = preview::draft::all(core, &actions).await?;
    if is_drain(&intent, rest.as_ref()) {
        drain::whole(&mut drafts)?;
    }
    if let (Some(rest), Regard::Resume(resumed)) = (&rest, &mut regard) {
        rest.hold_to_what_was_agreed(&mut drafts);
        resumed.moved = rest.moved(&drafts);
    }
    let preview = preview::compose(core, &drafts, &regard, core.now().plus_ms(HOLDS_MS)).await?;
    Ok(Held { intent, preview, drafts, looked_at, rest })
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
    if !held.preview.confirmable {
        let left_out = preview::left_out(&held.preview.skipped).unwrap_or_default();
        return Err(OperationError::Refused(format!("There is nothing to send: {left_out}.")));
    }
    if !core.previews.take(id) {
        return Err(OperationError::Expired);
    }
    // Of two who undo the same at once, the second finds it undone; of two who drain the same fleet, drained.
    let _turn = match held.intent {
        Intent::Undo(_) => Some(core.undos.lock().await),
        Intent::Drain(_) | Intent::Resume(_) => Some(core.drains.lock().await),
        Intent::Actions(_) => None,
    };
    let berth = match &held.intent {
        Intent::Resume(id) => Some(run::berth(core, id)?),
        Intent::Actions(_) | Intent::Undo(_) | Intent::Drain(_) => None,
    };
    let now = match look(core, held.intent.clone()).await {
        Ok(now) => now,
        Err(error) => {
            // Nothing was sent, and the preview says what it said: it may be confirmed once AWS can be asked again.
            core.previews.hold(held, core.now());
            return Err(error);
        }
    };
    let left_out = left_out(&held, &now);
    let what = moved(&held, &now, &left_out);
    if !what.is_empty() {
        let preview = Box::new(now.preview.clone());
        core.previews.hold(now, core.now());
        return Err(OperationError::Moved { what, preview });
    }
    send(core, held, now, left_out, berth).await
}

async fn send(
    core: &Arc<Core>,
    before: Held,
    now: Held,
    left_out: Vec<Option<Skip>>,
    berth: Option<Berth>,
) -> Result<Receipt, OperationError> {
    let Held { intent, drafts, looked_at, rest, .. } = now;
    let title = before.preview.title;
    let run = |id: RunId| Receipt { run: Some(id), activities: Vec::new(), skipped: Vec::new() };
    let undo_of = match intent {
        Intent::Resume(_) => {
            let (Some(rest), Some(berth)) = (rest, berth) else { return Err(OperationError::Expired) };
            let drafts = drafts.into_iter().zip(left_out).collect();
            return Ok(run(run::carry_on(core, berth, rest, drafts).await?));
        }
        Intent::Drain(plan) => {
            let items = drafts.into_iter().map(|draft| Item::of(draft, looked_at, None)).collect();
            return Ok(run(drain::begin(core, plan, title, items).await?));
        }
        Intent::Undo(id) => Some(id),
        Intent::Actions(_) => None,
    };
    // What the preview left out already is no part of what was confirmed.
    let confirmed = before.drafts.iter().map(|draft| draft.skip.is_none());
    let mut changes: Vec<(Draft, Option<Skip>)> = drafts
        .into_iter()
        .zip(left_out)
        .zip(confirmed)
        .filter_map(|(change, confirmed)| confirmed.then_some(change))
        .collect();
    if changes.len() == 1
        && let Some((draft, skip)) = changes.pop()
    {
        if let Some(skip) = skip {
            return Ok(Receipt { run: None, activities: Vec::new(), skipped: vec![draft.left_out(&skip)] });
        }
        let activity = core.attempt(draft.into_planned(undo_of)).await?;
        let activity = ended::look_into(core, activity).await;
        return Ok(Receipt { run: None, activities: vec![activity], skipped: Vec::new() });
    }
    let item = |(draft, skip): (Draft, Option<Skip>)| {
        let skipped = skip.map(|skip| draft.left_out(&skip));
        (Item::of(draft, looked_at, undo_of.clone()), skipped)
    };
    Ok(run(run::begin(core, title, changes.into_iter().map(item).collect()).await?))
}

#[cfg(test)]
mod fixtures {
    use liftdeck_model::Timestamp;
    use liftdeck_model::action::Action;

    use super::Held;
    use crate::intent::Intent;
    use crate::preview::draft::Draft;
    use crate::preview::{Blast, Preview, PreviewId, PreviewItem, UndoOffer};

    /// A preview of these changes, each of which is sent unless its draft says otherwise.
    pub(super) fn held(drafts: Vec<Draft>) -> Held {
        let sent = drafts.iter().filter(|draft| draft.skip.is_none());
        let items: Vec<PreviewItem> = sent
            .map(|draft| PreviewItem {
                action: draft.action.clone(),
                resource_name: draft.name.clone(),
                facts: draft.facts.clone(),
            })
            .collect();
        let actions: Vec<Action> = drafts.iter().map(|draft| draft.action.clone()).collect();
        let preview = Preview {
            id: PreviewId::new("first"),
            title: "A change".to_owned(),
            confirmable: !items.is_empty(),
            items,
            skipped: Vec::new(),
            blast: Blast::default(),
            warnings: Vec::new(),
            undo: UndoOffer::Exact,
            must_type: None,
            commands: Vec::new(),
            expires_at: Timestamp::from_ms(300_000),
        };
        let looked_at = Timestamp::from_ms(0);
        Held { intent: Intent::Actions(actions), preview, drafts, looked_at, rest: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_is_throttled_is_asked_again_until_its_time_is_over_and_nothing_else_is() {
        let gives_up = Instant::now() + PATIENCE;
        assert!(is_asked_again(ErrorKind::Throttled, gives_up));
        assert!(!is_asked_again(ErrorKind::Denied, gives_up));
        tokio::time::advance(PATIENCE - Duration::from_millis(1)).await;
        assert!(is_asked_again(ErrorKind::Throttled, gives_up));
        tokio::time::advance(Duration::from_millis(1)).await;
        assert!(!is_asked_again(ErrorKind::Throttled, gives_up));
    }
}

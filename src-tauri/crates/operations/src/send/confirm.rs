//! From an intent to what is sent: holding previews, and confirming them.
//!
//! Owns what binds the two. A confirmed preview is made again from fresh reads, and changes are sent only if it still
//! says the same. Deliberately knows no rules about single resources.

mod contradiction;
mod difference;
mod held;

use std::sync::Arc;
use std::time::Duration;

use liftdeck_gateway::ErrorKind;
use liftdeck_model::action::{Action, FieldError};
use liftdeck_model::activity::{Activity, FactChange, RunId};
use liftdeck_model::visible::{is_typed, phrase};
use tokio::time::Instant;

use self::contradiction::twice;
use self::difference::{left_out, moved};
pub(crate) use self::held::Previews;
use self::held::{Held, is_drain};
use super::attempt::Planned;
use super::run::item::Item;
use super::run::resume::{self, at_rest, slot};
use super::run::slot::RunSlot;
use super::{Sender, run};
use crate::error::OperationError;
use crate::fact::{LeftOut, Preview, PreviewId, Skip, Skipped};
use crate::intent::Intent;
use crate::outcome::ended;
use crate::preview::compose::{Regard, Resumed, compose};
use crate::preview::draft::Draft;
use crate::preview::{change, drain, undo};

/// How long a preview can be confirmed, in milliseconds.
const HOLDS_MS: i64 = 5 * 60_000;
/// How long a preview keeps trying while AWS throttles its reads.
const PATIENCE: Duration = Duration::from_secs(45);
/// The pause before it reads again, in addition to the pauses of the single reads.
const BREATH: Duration = Duration::from_secs(2);

/// The result of a confirmation.
#[derive(Clone, Debug, PartialEq)]
pub struct Receipt {
    /// The run that goes on in the background, if there was more than one change.
    pub run: Option<RunId>,
    /// The attempt with its outcome if there was one change, or the attempts made so far of a run.
    pub activities: Vec<Activity>,
    /// The single change, if it was not sent because its target had ended since the preview.
    pub left_out: Option<LeftOut>,
}

impl Receipt {
    /// Returns the changes left out, one by one.
    pub fn skipped(&self) -> &[Skipped] {
        self.left_out.as_ref().map_or(&[], |left_out| &left_out.rows)
    }
}

/// Lists the fields whose form AWS would refuse, as (item, field).
pub(crate) fn check(actions: &[Action]) -> Vec<(usize, FieldError)> {
    let one = |(item, action): (usize, &Action)| {
        action.request.check().into_iter().map(move |error| (item, error)).collect::<Vec<_>>()
    };
    actions.iter().enumerate().flat_map(one).collect()
}

/// Compares what was typed with the name to type, in the form that any keyboard can type.
pub(crate) fn typed(must_type: Option<&str>, typed: Option<&str>) -> Result<(), OperationError> {
    match must_type {
        Some(name) if !typed.is_some_and(|typed| is_typed(typed, name)) => {
            Err(OperationError::NotTyped { must_type: phrase(name) })
        }
        _ => Ok(()),
    }
}

/// Previews an intent and holds it for its confirmation.
pub(crate) async fn preview(
    sender: &Arc<Sender>,
    previews: &Previews,
    intent: Intent,
) -> Result<Preview, OperationError> {
    if let Intent::Resume(id) = &intent {
        at_rest(sender, id)?;
    }
    let held = look(sender, intent).await?;
    let preview = held.preview.clone();
    previews.hold(held, sender.connection.now());
    Ok(preview)
}

/// Reads the current state and works out what the intent would do to it. Reads that AWS throttles are repeated for a
/// while: a game calls AWS in waves, and nothing has been sent yet.
async fn look(sender: &Arc<Sender>, intent: Intent) -> Result<Held, OperationError> {
    let gives_up = Instant::now() + PATIENCE;
    loop {
        match Box::pin(look_once(sender, intent.clone())).await {
            Err(OperationError::Gateway(error))
                if is_asked_again(error.kind, gives_up) && sender.connection.pause(BREATH).await => {}
            looked => return looked,
        }
    }
}

fn is_asked_again(kind: ErrorKind, gives_up: Instant) -> bool {
    kind == ErrorKind::Throttled && Instant::now() < gives_up
}

async fn look_once(sender: &Arc<Sender>, intent: Intent) -> Result<Held, OperationError> {
    let looked_at = sender.connection.now();
    let mut rest = None;
    let (actions, mut regard) = match &intent {
        Intent::Actions(actions) => (actions.clone(), Regard::Change),
        Intent::Undo(id) => {
            let undone = undo::of(&sender.connection, id).await?;
            (undone.undo.clone(), Regard::Undo(Box::new(undone)))
        }
        Intent::Drain(plan) => (
            drain::actions(&sender.connection, plan).await?,
            Regard::Drain(Box::new(drain::regard(&sender.connection, plan).await?)),
        ),
        Intent::Resume(id) => {
            let found = resume::rest(sender, id).await?;
            let drained = match found.drain() {
                Some(plan) => Some(drain::resumed(&sender.connection, id, plan).await?),
                None => None,
            };
            let resumed = Resumed { title: found.title().to_owned(), moved: Vec::new(), drained };
            let actions = found.actions();
            rest = Some(found);
            (actions, Regard::Resume(Box::new(resumed)))
        }
    };
    if actions.is_empty() && rest.is_none() {
        return Err(OperationError::Refused("Nothing would change.".to_owned()));
    }
    if let Some(twice) = twice(&actions) {
        return Err(OperationError::Refused(format!(
            "The run contains {} of {} twice. Changes of one run are sent side by side, so either could come last: \
             leave one out.",
            twice.request.operation(),
            twice.request.resource().id
        )));
    }
    let wrong = check(&actions);
    if !wrong.is_empty() {
        return Err(OperationError::Invalid(wrong));
    }
    let mut drafts = change::all(&sender.connection, &actions).await?;
    if is_drain(&intent, rest.as_ref()) {
        drain::whole(&mut drafts)?;
    }
    if let (Some(rest), Regard::Resume(resumed)) = (&rest, &mut regard) {
        rest.hold_to_what_was_agreed(&mut drafts);
        resumed.moved = rest.moved(&drafts);
    }
    let preview =
        compose(&sender.connection, &drafts, &regard, sender.connection.now().plus_ms(HOLDS_MS)).await?;
    Ok(Held { intent, preview, drafts, looked_at, rest })
}

/// Carries out a preview, if it still says the same.
pub(crate) async fn confirm(
    sender: &Arc<Sender>,
    previews: &Previews,
    id: &PreviewId,
    text: Option<&str>,
) -> Result<Receipt, OperationError> {
    sender.gate.grant()?;
    let held = previews.look(id, sender.connection.now()).ok_or(OperationError::Expired)?;
    typed(held.preview.must_type.as_deref(), text)?;
    if !held.preview.confirmable {
        let left_out = held.preview.left_out.map(|left_out| left_out.sentence).unwrap_or_default();
        return Err(OperationError::Refused(format!("There is nothing to send: {left_out}.")));
    }
    if !previews.take(id) {
        return Err(OperationError::Expired);
    }
    // If two undo the same attempt at once, the second finds it undone; if two drain the same fleet, the second finds
    // it drained.
    let _turn = match held.intent {
        Intent::Undo(_) => Some(sender.undos.lock().await),
        Intent::Drain(_) | Intent::Resume(_) => Some(sender.drains.lock().await),
        Intent::Actions(_) => None,
    };
    let slot = match &held.intent {
        Intent::Resume(id) => Some(slot(sender, id)?),
        Intent::Actions(_) | Intent::Undo(_) | Intent::Drain(_) => None,
    };
    let now = match look(sender, held.intent.clone()).await {
        Ok(now) => now,
        Err(error) => {
            // Nothing was sent and the preview still holds, so it can be confirmed once AWS can be asked again.
            previews.hold(held, sender.connection.now());
            return Err(error);
        }
    };
    let left_out = left_out(&held, &now);
    let what = moved(&held, &now, &left_out);
    if !what.is_empty() {
        let preview = Box::new(now.preview.clone());
        previews.hold(now, sender.connection.now());
        let what = what.into_iter().map(FactChange::from).collect();
        return Err(OperationError::Moved { what, preview });
    }
    send(sender, held, now, left_out, slot).await
}

async fn send(
    sender: &Arc<Sender>,
    before: Held,
    now: Held,
    left_out: Vec<Option<Skip>>,
    slot: Option<RunSlot>,
) -> Result<Receipt, OperationError> {
    let Held { intent, drafts, looked_at, rest, .. } = now;
    let title = before.preview.title;
    let run = |id: RunId| Receipt { run: Some(id), activities: Vec::new(), left_out: None };
    let undo_of = match intent {
        Intent::Resume(_) => {
            let (Some(rest), Some(slot)) = (rest, slot) else { return Err(OperationError::Expired) };
            let drafts = drafts.into_iter().zip(left_out).collect();
            return Ok(run(resume::carry_on(sender, slot, rest, drafts).await?));
        }
        Intent::Drain(plan) => {
            let items = drafts.into_iter().map(|draft| Item::of(draft, looked_at, None)).collect();
            return Ok(run(run::begin_drain(sender, plan, title, items).await?));
        }
        Intent::Undo(id) => Some(id),
        Intent::Actions(_) => None,
    };
    // What the preview already left out was not confirmed.
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
            let left_out = LeftOut::of(vec![draft.left_out(&skip)]);
            return Ok(Receipt { run: None, activities: Vec::new(), left_out });
        }
        let activity = sender.attempt(Planned::of(draft, undo_of)).await?;
        let activity = ended::look_into(&sender.connection, activity).await;
        return Ok(Receipt { run: None, activities: vec![activity], left_out: None });
    }
    let item = |(draft, skip): (Draft, Option<Skip>)| {
        let skipped = skip.map(|skip| draft.left_out(&skip));
        (Item::of(draft, looked_at, undo_of.clone()), skipped)
    };
    Ok(run(run::begin(sender, title, changes.into_iter().map(item).collect()).await?))
}

#[cfg(test)]
mod fixtures {
    use liftdeck_model::Timestamp;
    use liftdeck_model::action::Action;

    use super::Held;
    use crate::fact::{Blast, Preview, PreviewId, PreviewItem, UndoOffer};
    use crate::intent::Intent;
    use crate::preview::draft::Draft;

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
            left_out: None,
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

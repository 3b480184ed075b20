//! What of a paused run is not as previewed any more.
//!
//! Owns the look before a run goes on: between its preview and now may lie days. Deliberately decides nothing: what has
//! moved is written into the plan, so that records and undo lead back to what is there, and a person is asked again.

use liftdeck_model::action::{Action, Request};
use liftdeck_model::activity::FactChange;

use super::{Item, ItemState, Plan, Progress};
use crate::core::Core;
use crate::error::OperationError;
use crate::preview::draft;

/// Moves named in a sentence; more are counted.
const NAMED: usize = 3;

/// Looks anew at what was not sent yet and refreshes the plan; what has moved, as previewed and as it is now.
///
/// # Errors
/// `Gateway` when the present cannot be read.
pub(super) async fn refresh(
    core: &Core,
    plan: &mut Plan,
    progress: &Progress,
) -> Result<Vec<FactChange>, OperationError> {
    let is_drain = plan.drain.is_some();
    let waiting: Vec<usize> = (0..plan.items.len())
        .filter(|at| u32::try_from(*at).is_ok_and(|item| progress.state(item) == ItemState::Waiting))
        .filter(|at| plan.items.get(*at).is_some_and(|item| matters(&item.action.request, is_drain)))
        .collect();
    let actions: Vec<Action> =
        waiting.iter().filter_map(|at| plan.items.get(*at)).map(|item| item.action.clone()).collect();
    let drafts = draft::all(core, &actions).await?;
    let mut moved = Vec::new();
    for (at, draft) in waiting.into_iter().zip(drafts) {
        let named = draft.named();
        let fresh = Item::from(draft.into_planned(None));
        let Some(known) = plan.items.get_mut(at) else { continue };
        let differences = differences(known, &fresh, &named);
        if !differences.is_empty() {
            *known = Item { undo_of: known.undo_of.clone(), ..fresh };
            moved.extend(differences);
        }
    }
    Ok(moved)
}

/// Sessions end all the time, and one that has ended is not ended twice; a drain looks at capacity itself when its turn
/// comes.
const fn matters(request: &Request, is_drain: bool) -> bool {
    !(matches!(request, Request::TerminateGameSession(_))
        || is_drain && matches!(request, Request::UpdateFleetCapacity(_)))
}

/// What stands otherwise than when it was looked at. What is gone is AWS's to refuse: nothing of it is overwritten.
fn differences(known: &Item, fresh: &Item, named: &str) -> Vec<FactChange> {
    let differs = |fact: &FactChange| {
        let now = fresh.facts.iter().find(|other| other.label == fact.label)?;
        (now.before != fact.before).then(|| FactChange {
            label: format!("{named}: {}", fact.label),
            before: fact.before.clone(),
            after: now.before.clone(),
        })
    };
    known.facts.iter().filter_map(differs).collect()
}

/// What a person is told who wanted to go on.
pub(super) fn in_words(moved: &[FactChange]) -> String {
    let or_nothing = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
    let one = |fact: &FactChange| {
        format!("{} was {} and is {} now.", fact.label, or_nothing(&fact.before), or_nothing(&fact.after))
    };
    let mut said: Vec<String> = moved.iter().take(NAMED).map(one).collect();
    match moved.len().saturating_sub(NAMED) {
        0 => {}
        1 => said.push("One more has changed.".to_owned()),
        more => said.push(format!("{more} more have changed.")),
    }
    format!(
        "It has changed since the preview. {} Resume once more to change it all the same, or stop.",
        said.join(" ")
    )
}

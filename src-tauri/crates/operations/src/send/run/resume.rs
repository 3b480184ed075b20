//! Resuming a paused run: what is left of it, who that affects now, and beginning again.
//!
//! Owns the look behind a preview of the rest, and what its confirmation records. A resumed run takes the path of
//! every change: it is previewed, confirmed, and only then sent.

use std::sync::Arc;

use liftdeck_model::action::{Action, Request};
use liftdeck_model::activity::{ActivityOutcome, FactChange, RunId};
use liftdeck_store::{RunKind, RunRecord, RunState};

use super::item::Item;
use super::plan::{Plan, SavedDrain, State};
use super::record::{json, progress_of, put, read_plan, read_state, record};
use super::slot::RunSlot;
use super::view::{Run, over};
use super::{go, stale};
use crate::error::OperationError;
use crate::fact::Skip;
use crate::fact::Warning;
use crate::intent::DrainPlan;
use crate::outcome::settle;
use crate::preview::draft::Draft;
use crate::send::Sender;
use crate::words::WarningFact;

/// What is left of a paused run.
#[derive(Clone, Debug)]
pub(crate) struct Rest {
    record: RunRecord,
    plan: Plan,
    state: State,
    /// The items not sent yet, by their place in the run.
    items: Vec<u32>,
}

/// Takes the run's place. If two resume it at once, only one gets it.
///
/// # Errors
/// `Refused` while it is under way.
pub(crate) fn slot(sender: &Arc<Sender>, id: &RunId) -> Result<RunSlot, OperationError> {
    RunSlot::take(&sender.runs, id).ok_or_else(|| under_way(id))
}

/// Ensures that a run is not under way.
///
/// # Errors
/// `Refused` while it is under way.
pub(crate) fn at_rest(sender: &Sender, id: &RunId) -> Result<(), OperationError> {
    if sender.runs.has(id) { Err(under_way(id)) } else { Ok(()) }
}

fn under_way(id: &RunId) -> OperationError {
    OperationError::Refused(format!("The run {id} is already under way."))
}

/// Works out what is left of a run. Unknown outcomes are looked into first, and what was answered is never sent
/// again.
///
/// # Errors
/// `Unknown` if there is no such run, `Refused` if it is over, or if another drain of its fleet is under way.
pub(crate) async fn rest(sender: &Arc<Sender>, id: &RunId) -> Result<Rest, OperationError> {
    let connection = &sender.connection;
    let record = record(&connection.store, id).await?;
    match record.state {
        RunState::Running | RunState::Paused => {}
        RunState::Stopped | RunState::Finished => {
            return Err(over(&Run::of(&connection.store, &record).await?));
        }
    }
    let plan = read_plan(&record)?;
    let mut state = read_state(&record)?;
    for row in connection.store.activities_of_run(id).await? {
        if row.outcome == ActivityOutcome::Unknown {
            settle::settle(&sender.outcomes, &row.id).await?;
        }
    }
    let message = state.progress.message.take();
    state.progress = progress_of(&connection.store, id, &plan, &state.progress).await?;
    state.progress.message = message;
    if let Some(drain) = &mut state.drain {
        drain.try_failed_again(&mut state.progress);
    }
    let all: Vec<u32> = (0..).take(plan.items.len()).collect();
    let items = state.progress.waiting_of(&all).collect();
    Ok(Rest { record, plan, state, items })
}

impl Rest {
    pub(crate) fn title(&self) -> &str {
        &self.record.title
    }

    pub(crate) fn is_drain(&self) -> bool {
        self.record.kind == RunKind::Drain
    }

    pub(crate) fn drain(&self) -> Option<&DrainPlan> {
        self.plan.drain.as_ref().map(|SavedDrain(plan)| plan)
    }

    /// Returns the changes left to send.
    pub(crate) fn actions(&self) -> Vec<Action> {
        self.known().map(|item| item.action.clone()).collect()
    }

    fn known(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter_map(|item| self.plan.items.get(*item as usize))
    }

    /// Leaves out the drafts that nobody agreed to: their sessions were empty when agreed to, and are not empty now.
    pub(crate) fn hold_to_what_was_agreed(&self, drafts: &mut [Draft]) {
        for (known, draft) in self.known().zip(drafts) {
            if draft.skip.is_none() && !self.looks_itself(draft) {
                draft.skip = stale::filled(stale::players(known), draft);
            }
        }
    }

    /// Whether the run checks it again when its turn comes: a drain sets no capacity while anybody is there.
    fn looks_itself(&self, draft: &Draft) -> bool {
        self.is_drain() && matches!(draft.action.request, Request::UpdateFleetCapacity(_))
    }

    /// Warns the person who is asked again of what has changed since it was agreed to.
    pub(crate) fn moved(&self, drafts: &[Draft]) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let mut moved: Vec<FactChange> = Vec::new();
        let (mut were, mut are) = (0, 0);
        let told = |draft: &Draft| draft.skip.is_none() && !self.looks_itself(draft);
        for (known, draft) in self.known().zip(drafts).filter(|(_, draft)| told(draft)) {
            were += stale::players(known);
            are += draft.hit.player_sessions;
            let named = draft.named();
            moved.extend(
                stale::differences(known, draft)
                    .into_iter()
                    .map(|fact| FactChange { label: format!("{named}: {}", fact.label), ..fact }),
            );
        }
        if are > were {
            warnings.push(Warning::caution(WarningFact::HitsMore { players: are, were }));
        }
        if !moved.is_empty() {
            warnings.push(Warning::caution(WarningFact::MovedSinceConfirmed { differences: moved }));
        }
        warnings
    }
}

/// Begins the run again with what was confirmed: the drafts of what is left, and why some of them are left out.
///
/// # Errors
/// `Store` if it cannot be recorded; then nothing is sent.
pub(crate) async fn carry_on(
    sender: &Arc<Sender>,
    slot: RunSlot,
    rest: Rest,
    drafts: Vec<(Draft, Option<Skip>)>,
) -> Result<RunId, OperationError> {
    let connection = &sender.connection;
    let Rest { record, mut plan, mut state, items } = rest;
    for (item, (draft, skip)) in items.into_iter().zip(drafts) {
        match (skip, plan.items.get_mut(item as usize)) {
            (Some(skip), _) => state.progress.leave_out(item, draft.left_out(&skip)),
            (None, Some(known)) => *known = Item::of(draft, connection.now(), known.undo_of.take()),
            (None, None) => {}
        }
    }
    let record = RunRecord { plan: json(&plan)?, ..record };
    let record = put(connection, &record, RunState::Running, &state).await?;
    let id = record.id.clone();
    go(sender, slot, record, plan, state);
    Ok(id)
}

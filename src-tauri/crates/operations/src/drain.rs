//! The drain of a fleet: no new sessions, the live ones end by themselves, then no instances.
//!
//! Owns the order of the steps and when each is over. Every change is recorded and sent as every other, with an undo of
//! its own; before a step sends anything, what it is going to send is on record. A drain that was paused, or whose
//! program was killed, goes on where its records say it stands. Ending game sessions is no part of it.

mod count;
mod estimate;
mod leads;
mod protection;
mod step;

use std::sync::Arc;

use liftdeck_model::Location;
use liftdeck_model::action::{
    Action, Protection, Request, SetFleetActions, UpdateFleetAttributes, UpdateFleetCapacity,
};
use liftdeck_model::activity::RunId;
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::fleet::ProtectionPolicy;
use liftdeck_store::{RunKind, RunRecord, RunState};

use crate::core::Core;
use crate::error::OperationError;
use crate::intent::DrainPlan;
use crate::preview::draft::{self, Draft};
use crate::preview::present::Present;
use crate::preview::skip::Skip;
use crate::preview::{Drained, Warning, crowd, words};
use crate::run::{self, Halt, Item, ItemState, Plan, Progress, Runner, State};

pub(crate) use self::step::DrainState;
pub use self::step::{DrainProgress, DrainStep, DrainStepKey, DrainStepState};

/// The changes of a drain in order, but for the sessions that are protected one by one when their step comes.
///
/// # Errors
/// `Refused` for a plan that makes no sense, `Gateway` when the fleet cannot be read.
pub(crate) async fn actions(core: &Arc<Core>, plan: &DrainPlan) -> Result<Vec<Action>, OperationError> {
    only_one(core, plan, None).await?;
    let aws = core.reader(&plan.region)?;
    let fleet = aws
        .fleet(&plan.fleet_id)
        .await?
        .ok_or_else(|| OperationError::Unknown { what: "fleet", id: plan.fleet_id.to_string() })?;
    let mut actions = routes(plan)?;
    let act = |request| Action { region: plan.region.clone(), request };
    let fleet_id = || plan.fleet_id.clone();
    if plan.protect && fleet.new_game_session_protection_policy != Some(ProtectionPolicy::FullProtection) {
        actions.push(act(Request::UpdateFleetAttributes(UpdateFleetAttributes {
            fleet_id: fleet_id(),
            new_game_session_protection_policy: Protection::FullProtection,
        })));
    }
    if !fleet.kind.has_capacity() || !(plan.suspend_scaling || plan.scale_to_zero) {
        return Ok(actions);
    }
    let (locations, failure) = aws.fleet_locations(&plan.fleet_id).await.into_listing();
    if let Some(failure) = failure {
        return Err(failure.into());
    }
    // The home location is the calls' default and named by leaving it out.
    let named = |place: &Location| Some(place.clone()).filter(|place| place.as_str() != plan.region.as_str());
    if plan.suspend_scaling {
        actions.extend(locations.items.iter().filter(|place| !place.scaling_suspended).map(|place| {
            let location = named(&place.location);
            act(Request::StopFleetActions(SetFleetActions { fleet_id: fleet_id(), location }))
        }));
    }
    if plan.scale_to_zero {
        actions.extend(locations.items.iter().map(|place| {
            act(Request::UpdateFleetCapacity(UpdateFleetCapacity {
                fleet_id: fleet_id(),
                location: named(&place.location),
                desired_instances: Some(0),
                min_size: Some(0),
                max_size: Some(0),
            }))
        }));
    }
    Ok(actions)
}

/// What a drain is about besides its changes, by fresh reads.
///
/// # Errors
/// `Gateway` when the present cannot be read.
pub(crate) async fn regard(core: &Arc<Core>, plan: &DrainPlan) -> Result<Drained, OperationError> {
    let mut present = Present::new(core);
    let fleet = present.fleet(&plan.region, &plan.fleet_id).await?;
    Ok(Drained {
        fleet: words::fleet(&plan.fleet_id, fleet.as_ref()),
        still_leads: leads::still(&mut present, plan).await?,
        crowd: crowd::on_fleet(&present, &plan.region, &plan.fleet_id, None).await?,
    })
}

/// What the rest of a paused drain is about besides its changes.
///
/// # Errors
/// `Refused` while another drain of the fleet is under way, `Gateway` when the present cannot be read.
pub(crate) async fn resumed(
    core: &Arc<Core>,
    id: &RunId,
    plan: &DrainPlan,
) -> Result<Drained, OperationError> {
    only_one(core, plan, Some(id)).await?;
    regard(core, plan).await
}

/// A fleet has one drain at a time: two would count, and scale, past each other. Beside a paused one none is begun; of
/// two that are paused already, one may go on.
///
/// Whoever begins one holds `Core::drains` from this look until it is on record, so that of two at once the second is
/// refused.
async fn only_one(core: &Arc<Core>, plan: &DrainPlan, resumed: Option<&RunId>) -> Result<(), OperationError> {
    let open = core.store.runs(true).await?;
    let other = open.iter().find(|run| {
        run.kind == RunKind::Drain
            && run.fleet_id.as_ref() == Some(&plan.fleet_id)
            && resumed.is_none_or(|id| *id != run.id && run.state == RunState::Running)
    });
    let Some(other) = other else { return Ok(()) };
    let advice = if other.state == RunState::Running {
        "Let it go on, or stop it first."
    } else {
        "It is paused: resume it, or stop it first."
    };
    Err(OperationError::Refused(format!(
        "The fleet is being drained already, by the run {}. {advice}",
        other.id
    )))
}

/// Holds a drain to being carried out whole: what AWS would refuse of it now is not left out, the drain is refused. Its
/// capacities are looked at when their turn comes, and a game session that is gone needs no protection.
///
/// # Errors
/// `Refused` with what AWS would refuse.
pub(crate) fn whole(drafts: &mut [Draft]) -> Result<(), OperationError> {
    for draft in drafts {
        let Some(skip) = draft.skip.take() else { continue };
        match (&draft.action.request, skip.reason) {
            (Request::UpdateFleetCapacity(_), _) => draft.warnings.push(Warning::bad(skip.text)),
            (Request::UpdateGameSession(_), _) => draft.skip = Some(Skip::ended(skip.text)),
            _ => {
                return Err(OperationError::Refused(format!(
                    "The drain cannot be carried out: {}",
                    skip.text
                )));
            }
        }
    }
    Ok(())
}

/// The changes that lead new sessions elsewhere, held to being just that.
fn routes(plan: &DrainPlan) -> Result<Vec<Action>, OperationError> {
    let refuse = |text: String| Err(OperationError::Refused(text));
    for route in &plan.routes {
        match &route.request {
            Request::UpdateAlias(it) => {
                if it.routing.is_none() {
                    return refuse(format!(
                        "A drain changes where the alias {} leads. Name another fleet, or a message.",
                        it.alias_id
                    ));
                }
                if it.routing == Some(RoutingStrategy::Simple { fleet_id: plan.fleet_id.clone() }) {
                    return refuse(format!(
                        "The alias {} would lead to the very fleet that is drained. Choose another fleet.",
                        it.alias_id
                    ));
                }
            }
            Request::UpdateGameSessionQueue(it) => {
                if it.destinations.is_none() {
                    return refuse(format!(
                        "A drain changes where the queue {} places. Name the destinations that remain.",
                        it.name
                    ));
                }
                let here = |arn: &String| arn.ends_with(&format!("/{}", plan.fleet_id));
                if it.destinations.iter().flatten().any(here) {
                    return refuse(format!(
                        "The queue {} would still place on the fleet that is drained. Take it out of the destinations.",
                        it.name
                    ));
                }
            }
            other => {
                return refuse(format!(
                    "A drain leads new sessions elsewhere by aliases and queues, not by {}.",
                    other.operation()
                ));
            }
        }
    }
    Ok(plan.routes.clone())
}

/// Records a drain and begins it.
///
/// # Errors
/// `Store` when it cannot be recorded; then nothing is sent.
pub(crate) async fn begin(
    core: &Arc<Core>,
    plan: DrainPlan,
    title: String,
    items: Vec<Item>,
) -> Result<RunId, OperationError> {
    let live = core.store.live_counts(std::slice::from_ref(&plan.fleet_id)).await?;
    let live = live.get(&plan.fleet_id).map_or(0, |count| count.game_sessions);
    let drain = DrainState::new(&plan, &items, live);
    let state = State { progress: Progress::new(items.len()), drain: Some(drain) };
    let (region, fleet) = (Some(plan.region.clone()), Some(plan.fleet_id.clone()));
    let plan = Plan { items, drain: Some(plan) };
    let record = run::new_record(core, RunKind::Drain, title, &plan, &state)?;
    let record = RunRecord { region, fleet_id: fleet, ..record };
    let id = record.id.clone();
    core.writer.put_run(record.clone()).await?;
    run::set_off(core, record, plan, state);
    Ok(id)
}

impl Runner {
    /// Goes from step to step.
    ///
    /// # Errors
    /// What halted it.
    pub(crate) async fn drain(&mut self, plan: &DrainPlan) -> Result<(), Halt> {
        // What was counted before a pause says nothing of now: somebody may have led new sessions back.
        let mut is_empty = false;
        while let Some((at, key)) = self.current_step() {
            if key == DrainStepKey::Scale && !is_empty {
                self.wait_anew().await?;
                is_empty = true;
                continue;
            }
            self.step(at, DrainStepState::Running, None).await?;
            let detail = match key {
                DrainStepKey::Route => {
                    let detail = self.send_step(at).await?;
                    self.routed();
                    detail
                }
                DrainStepKey::Protect => {
                    self.plan_protection(plan, at).await?;
                    self.send_step(at).await?
                }
                DrainStepKey::Suspend => self.send_step(at).await?,
                DrainStepKey::Wait => {
                    is_empty = true;
                    self.wait_until_empty(plan, at).await?
                }
                DrainStepKey::Scale => match self.scale(plan, at).await? {
                    Some(detail) => detail,
                    None => {
                        self.step(at, DrainStepState::Waiting, None).await?;
                        is_empty = false;
                        continue;
                    }
                },
            };
            self.step(at, DrainStepState::Done, detail).await?;
        }
        Ok(())
    }

    fn current_step(&self) -> Option<(usize, DrainStepKey)> {
        let drain = self.state.drain.as_ref()?;
        let at = drain.current()?;
        Some((at, drain.steps.get(at)?.key))
    }

    /// Begins the wait for an empty fleet once more.
    async fn wait_anew(&mut self) -> Result<(), Halt> {
        let steps = self.state.drain.as_ref().map(|drain| drain.steps.as_slice()).unwrap_or_default();
        match steps.iter().position(|step| step.key == DrainStepKey::Wait) {
            Some(wait) => self.step(wait, DrainStepState::Waiting, None).await,
            None => Ok(()),
        }
    }

    /// Puts a step into a state, on record.
    async fn step(&mut self, at: usize, to: DrainStepState, detail: Option<String>) -> Result<(), Halt> {
        if let Some(drain) = &mut self.state.drain {
            drain.set(at, to, detail);
        }
        self.write().await.map_err(|error| unrecorded(&error))
    }

    fn routed(&mut self) {
        let now = self.core.now();
        if let Some(drain) = &mut self.state.drain {
            drain.routed_at = Some(now);
        }
    }

    /// Sends the changes of a step, which is done only when each of them is.
    ///
    /// # Errors
    /// When it was halted, when a change failed, or when of one nobody knows what became of it.
    async fn send_step(&mut self, at: usize) -> Result<Option<String>, Halt> {
        let step = self.state.drain.as_ref().and_then(|drain| drain.steps.get(at));
        let (items, title) = step.map(|step| (step.items.clone(), step.title.clone())).unwrap_or_default();
        self.send(&items).await?;
        let find = |state: ItemState| items.iter().find(|item| self.state.progress.state(**item) == state);
        let moved = find(ItemState::Skipped).and_then(|item| self.state.progress.why_left_out(*item));
        let why = if find(ItemState::Unknown).is_some() {
            "what became of a change is not known. Liftdeck looks on AWS for it; resume when it is settled"
                .to_owned()
        } else if find(ItemState::Failed).is_some() {
            "a change failed. Look at it in Activity; it is made again when you resume".to_owned()
        } else if let Some(skipped) = moved {
            format!(
                "{} of {} was not sent. {} Resume to change it all the same",
                skipped.operation,
                skipped.name.as_ref().unwrap_or(&skipped.resource),
                skipped.text
            )
        } else {
            return Ok(Some(changes(items.len())));
        };
        self.step(at, DrainStepState::Failed, Some(why.clone())).await?;
        Err(Halt::Paused(format!("{title}: {why}.")))
    }

    /// Sets every location to no instances; `None` when somebody has come meanwhile, and nothing more is to be sent.
    ///
    /// What the changes change is worked out anew before: since they were previewed the fleet has run empty, and their
    /// undo must lead back to what is there now.
    async fn scale(&mut self, plan: &DrainPlan, at: usize) -> Result<Option<Option<String>>, Halt> {
        let step = self.state.drain.as_ref().and_then(|drain| drain.steps.get(at));
        let items = step.map(|step| step.items.clone()).unwrap_or_default();
        let waiting: Vec<u32> = self.state.progress.waiting_of(&items).collect();
        for item in waiting {
            let Some(known) = self.plan.items.get(item as usize) else { continue };
            let now = self.core.now();
            let fresh = draft::single(&self.core, &known.action).await.map_err(|error| halted(&error))?;
            if let Some(known) = self.plan.items.get_mut(item as usize) {
                *known = Item::of(fresh, now, None);
            }
        }
        self.write_plan().await.map_err(|error| unrecorded(&error))?;
        // What cannot be counted is not taken for empty.
        if !self.live(plan).await.is_ok_and(|live| live.is_empty()) {
            return Ok(None);
        }
        self.send(&items).await?;
        let came = items.iter().any(|item| self.state.progress.state(*item) == ItemState::Skipped);
        if came {
            for item in items.iter().copied() {
                if self.state.progress.state(item) == ItemState::Skipped {
                    self.state.progress.retry(item);
                }
            }
            return Ok(None);
        }
        self.send_step(at).await.map(Some)
    }
}

fn changes(count: usize) -> String {
    words::count(count as u64, "change", "changes")
}

fn unrecorded(error: &OperationError) -> Halt {
    Halt::Paused(format!("Nothing more is sent, because it cannot be recorded: {error}"))
}

fn halted(error: &OperationError) -> Halt {
    Halt::Paused(format!("{error} Resume it when that is settled."))
}

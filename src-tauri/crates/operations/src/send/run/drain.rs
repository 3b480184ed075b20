//! The drain of a fleet: no new sessions, then the live ones end by themselves, then no instances.
//!
//! Owns the order of the steps, and when each is over. Every change is recorded and sent like any other, with an undo
//! of its own. Before a step sends anything, what it is going to send is on record. A drain that was paused, or whose
//! program was killed, continues where its records say it stood. Ending game sessions is not part of it.

mod count;
mod estimate;
mod protection;
pub(crate) mod step;

use self::step::{DrainStepKey, DrainStepState};
use super::item::Item;
use super::progress::ItemState;
use super::runner::{Halt, Runner};
use crate::error::OperationError;
use crate::intent::DrainPlan;
use crate::preview::change;
use crate::words;

impl Runner {
    /// Carries out step after step.
    ///
    /// # Errors
    /// What halted it.
    pub(crate) async fn drain(&mut self, plan: &DrainPlan) -> Result<(), Halt> {
        // A count from before a pause says nothing about now: somebody may have sent new sessions here again.
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

    /// Waits once more for an empty fleet.
    async fn wait_anew(&mut self) -> Result<(), Halt> {
        let steps = self.state.drain.as_ref().map(|drain| drain.steps.as_slice()).unwrap_or_default();
        match steps.iter().position(|step| step.key == DrainStepKey::Wait) {
            Some(wait) => self.step(wait, DrainStepState::Waiting, None).await,
            None => Ok(()),
        }
    }

    /// Sets and records the state of a step.
    async fn step(&mut self, at: usize, to: DrainStepState, detail: Option<String>) -> Result<(), Halt> {
        if let Some(drain) = &mut self.state.drain {
            drain.set(at, to, detail);
        }
        self.write().await.map_err(|error| unrecorded(&error))
    }

    fn routed(&mut self) {
        let now = self.sender.connection.now();
        if let Some(drain) = &mut self.state.drain {
            drain.routed_at = Some(now);
        }
    }

    /// Sends the changes of a step. The step is done only when each of them is.
    ///
    /// # Errors
    /// If it was halted, a change failed, or it is not known what became of one.
    async fn send_step(&mut self, at: usize) -> Result<Option<String>, Halt> {
        let step = self.state.drain.as_ref().and_then(|drain| drain.steps.get(at));
        let (items, title) = step.map(|step| (step.items.clone(), step.title.clone())).unwrap_or_default();
        self.send(&items).await?;
        let find = |state: ItemState| items.iter().find(|item| self.state.progress.state(**item) == state);
        let moved = find(ItemState::Skipped).and_then(|item| self.state.progress.why_left_out(*item));
        let why = if find(ItemState::Unknown).is_some() {
            "what became of a change is not known. Liftdeck checks on AWS; resume when it is settled"
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

    /// Sets every location to no instances; `None` if sessions have come meanwhile and nothing more is to be sent.
    ///
    /// What each change does is worked out again first: since the preview the fleet has become empty, and the undo
    /// must lead back to what is there now.
    async fn scale(&mut self, plan: &DrainPlan, at: usize) -> Result<Option<Option<String>>, Halt> {
        let step = self.state.drain.as_ref().and_then(|drain| drain.steps.get(at));
        let items = step.map(|step| step.items.clone()).unwrap_or_default();
        let waiting: Vec<u32> = self.state.progress.waiting_of(&items).collect();
        for item in waiting {
            let Some(known) = self.plan.items.get(item as usize) else { continue };
            let now = self.sender.connection.now();
            let fresh = change::single(&self.sender.connection, &known.action)
                .await
                .map_err(|error| halted(&error))?;
            if let Some(known) = self.plan.items.get_mut(item as usize) {
                *known = Item::of(fresh, now, None);
            }
        }
        self.write_plan().await.map_err(|error| unrecorded(&error))?;
        // What cannot be counted does not count as empty.
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
    Halt::Paused(format!("{error} Resume once that is settled."))
}

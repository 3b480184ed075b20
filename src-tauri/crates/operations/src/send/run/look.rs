//! The look right before sending: what of a run was looked at long ago is looked at again, and left out if it moved.
//!
//! Owns how many are looked at together. Game sessions are read by the pages of their fleets where that takes fewer calls
//! than asking for each.

use std::time::Duration;

use liftdeck_gateway::ErrorKind;
use liftdeck_model::action::Action;
use tokio::time::Instant;

use super::item::{Item, Seen};
use super::runner::{Halt, Runner};
use super::stale;
use crate::error::OperationError;
use crate::preview::change;

/// A look that takes longer is too long for so many: what was seen first would be old before it is sent.
const LONG: Duration = Duration::from_secs(10);

impl Runner {
    /// The next of `items` that was not begun, looked at lately; `None` when there is none, or AWS asks to slow down.
    ///
    /// # Errors
    /// What halts the run: an order, or a present that cannot be read.
    pub(super) async fn next_fresh(&mut self, items: &[u32]) -> Result<Option<u32>, Halt> {
        while !self.rests() {
            if let Some(halt) = self.ordered() {
                return Err(halt);
            }
            let Some(item) = self.state.progress.waiting_of(items).next() else { return Ok(None) };
            let now = self.sender.connection.now();
            if self.plan.items.get(item as usize).is_some_and(|known| !stale::is_stale(known, now)) {
                return Ok(Some(item));
            }
            self.look_before_sending(items).await?;
        }
        Ok(None)
    }

    async fn look_before_sending(&mut self, items: &[u32]) -> Result<(), Halt> {
        let now = self.sender.connection.now();
        let is_stale =
            |item: &u32| self.plan.items.get(*item as usize).is_none_or(|known| stale::is_stale(known, now));
        let next: Vec<u32> =
            self.state.progress.waiting_of(items).filter(is_stale).take(self.together).collect();
        let actions: Vec<Action> = next
            .iter()
            .filter_map(|item| Some(self.plan.items.get(*item as usize)?.action.clone()))
            .collect();
        let begun = Instant::now();
        let drafts = tokio::select! {
            drafts = Box::pin(change::all(&self.sender.connection, &actions)) => drafts,
            () = self.interrupted() => return Ok(()),
        };
        let drafts = match drafts {
            Ok(drafts) => drafts,
            Err(OperationError::Gateway(error)) if error.kind == ErrorKind::Throttled => {
                return self.slow_down(&error.to_string()).map_or(Ok(()), Err);
            }
            Err(error) => {
                return Err(Halt::Paused(format!(
                    "What is next could not be looked at again, so it is not sent. {error} Resume it when that is settled."
                )));
            }
        };
        // A single look counts from its end, so that a slow AWS never keeps the run looking for ever.
        let seen_at = if next.len() == 1 { self.sender.connection.now() } else { now };
        if begun.elapsed() > LONG {
            self.together = (self.together / 2).max(1);
        }
        let is_drain = self.plan.drain.is_some();
        for (item, fresh) in next.into_iter().zip(drafts) {
            let Some(known) = self.plan.items.get_mut(item as usize) else { continue };
            if let Some(skip) = stale::moved(known, &fresh, is_drain) {
                self.state.progress.leave_out(item, fresh.left_out(&skip));
                continue;
            }
            // Whom it hits stays what was agreed to: many small steps are no leave for a large one.
            let agreed = known.seen.take();
            let mut again = Item::of(fresh, seen_at, known.undo_of.take());
            if let (Some(seen), Some(agreed)) = (&mut again.seen, agreed) {
                *seen = Seen { at: seen.at, ground: std::mem::take(&mut seen.ground), ..agreed };
            }
            *known = again;
        }
        Ok(())
    }
}

//! The look right before sending: changes that were looked at long ago are looked at again, and left out if they
//! differ.
//!
//! Owns how many are looked at together. Game sessions are read by listing their fleets where that takes fewer calls
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

/// If a look takes longer, it covers too many changes: what was seen first would be old before it is sent.
const LONG: Duration = Duration::from_secs(10);

impl Runner {
    /// Returns the next of `items` that is not begun and was looked at recently; `None` if there is none, or AWS asks
    /// to slow down.
    ///
    /// # Errors
    /// What halts the run: an order, or a current state that cannot be read.
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
                    "The next item could not be read again, so it is not sent. {error} Resume once that is settled."
                )));
            }
        };
        // A look at a single change counts from its end, so that a slow AWS cannot keep the run looking for ever.
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
            // The number affected stays as it was agreed to: consent to many small increases is not consent to a
            // large one.
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

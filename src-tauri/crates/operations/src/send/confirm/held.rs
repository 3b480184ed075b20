//! Previews that wait to be confirmed.
//!
//! Owns until when a preview can be confirmed, and that it is confirmed only once. Deliberately knows nothing of its
//! content.

use std::collections::HashMap;

use liftdeck_model::Timestamp;
use parking_lot::Mutex;

use crate::fact::{Preview, PreviewId};
use crate::intent::Intent;
use crate::mode::{LEAST_MINUTES, MOST_MINUTES};
use crate::preview::draft::Draft;
use crate::send::run::resume::Rest;

/// The changes per minute that a run is sure to make within the request budget.
const CHANGES_A_MINUTE: usize = 60;

/// Previews that can still be confirmed.
#[derive(Default)]
pub(crate) struct Previews {
    held: Mutex<HashMap<PreviewId, Held>>,
}

/// A preview with what it depends on.
#[derive(Clone, Debug)]
pub(super) struct Held {
    pub(super) intent: Intent,
    pub(super) preview: Preview,
    /// Each change in order, including those left out.
    pub(super) drafts: Vec<Draft>,
    /// When the first read was made.
    pub(super) looked_at: Timestamp,
    /// What is left of the run that is being resumed.
    pub(super) rest: Option<Rest>,
}

impl Held {
    pub(super) fn is_drain(&self) -> bool {
        is_drain(&self.intent, self.rest.as_ref())
    }

    /// For how many minutes the connection has to be unlocked to carry it out.
    fn minutes(&self) -> u32 {
        if self.intent.is_open_ended() {
            return MOST_MINUTES;
        }
        let takes = u32::try_from(self.preview.items.len() / CHANGES_A_MINUTE).unwrap_or(MOST_MINUTES);
        takes.saturating_add(LEAST_MINUTES).min(MOST_MINUTES)
    }
}

/// Whether an intent drains a fleet, either as a drain or as the rest of one.
pub(super) fn is_drain(intent: &Intent, rest: Option<&Rest>) -> bool {
    matches!(intent, Intent::Drain(_)) || rest.is_some_and(Rest::is_drain)
}

impl Previews {
    pub(super) fn hold(&self, held: Held, now: Timestamp) {
        let mut all = self.held.lock();
        all.retain(|_, held| now < held.preview.expires_at);
        all.insert(held.preview.id.clone(), held);
    }

    pub(super) fn look(&self, id: &PreviewId, now: Timestamp) -> Option<Held> {
        let all = self.held.lock();
        all.get(id).filter(|held| now < held.preview.expires_at).cloned()
    }

    /// For how many minutes the connection has to be unlocked to carry out a preview; `None` if it cannot be confirmed
    /// any more.
    pub(crate) fn minutes(&self, id: &PreviewId, now: Timestamp) -> Option<u32> {
        self.look(id, now).map(|held| held.minutes())
    }

    /// Removes a preview, so that a second confirmation finds nothing.
    pub(super) fn take(&self, id: &PreviewId) -> bool {
        self.held.lock().remove(id).is_some()
    }
}

#[cfg(test)]
mod tests {
    use liftdeck_model::action::{Action, DeleteAlias, Request};

    use super::*;
    use crate::fact::PreviewItem;
    use crate::send::confirm::fixtures::held;

    #[test]
    fn a_preview_is_there_until_the_moment_it_expires() {
        let previews = Previews::default();
        let held = held(Vec::new());
        let (id, end) = (held.preview.id.clone(), held.preview.expires_at);
        previews.hold(held, end.plus_ms(-1));
        assert!(previews.look(&id, end.plus_ms(-1)).is_some());
        assert!(previews.look(&id, end).is_none());
        assert!(previews.look(&PreviewId::new("other"), end.plus_ms(-1)).is_none());
    }

    #[test]
    fn expired_previews_are_dropped_when_another_one_is_held() {
        let previews = Previews::default();
        let first = held(Vec::new());
        let end = first.preview.expires_at;
        let mut second = first.clone();
        second.preview.id = PreviewId::new("second");
        second.preview.expires_at = end.plus_ms(1);
        previews.hold(first.clone(), end.plus_ms(-1));
        previews.hold(second, end.plus_ms(-1));
        assert!(previews.look(&first.preview.id, end.plus_ms(-1)).is_some(), "it has a millisecond left");
        let mut third = first.clone();
        third.preview.id = PreviewId::new("third");
        previews.hold(third, end);
        assert!(previews.look(&first.preview.id, end.plus_ms(-1)).is_none(), "it was dropped");
        assert!(previews.look(&PreviewId::new("second"), end).is_some());
    }

    #[test]
    fn the_more_there_is_to_send_the_longer_it_needs_and_a_drain_needs_a_shift() {
        let mut few = held(Vec::new());
        assert_eq!(few.minutes(), LEAST_MINUTES);
        let request = Request::DeleteAlias(DeleteAlias { alias_id: "alias-1".into() });
        let action = Action { region: "eu-west-1".into(), request };
        let item = PreviewItem { action, resource_name: None, facts: Vec::new() };
        few.preview.items = vec![item; 600];
        assert_eq!(few.minutes(), LEAST_MINUTES + 10);
        few.intent = Intent::Resume("run-1".into());
        assert_eq!(few.minutes(), MOST_MINUTES);
    }

    #[test]
    fn a_preview_is_taken_once() {
        let previews = Previews::default();
        let held = held(Vec::new());
        let id = held.preview.id.clone();
        previews.hold(held, Timestamp::from_ms(0));
        assert!(previews.take(&id));
        assert!(!previews.take(&id));
    }
}

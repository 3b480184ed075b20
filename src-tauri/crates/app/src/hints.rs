//! Hints that hosts receive without asking: what changed, and the state of collection.
//!
//! Hints are small and their rate is bounded; a host's screens fetch what they show. A lost hint only delays an
//! update and never makes a result wrong: a listener that falls behind is told that everything may have changed, and
//! lost hints are counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use liftdeck_api::changed::Changed;
use liftdeck_collector::Health;
use liftdeck_model::observation::Subject;
use liftdeck_store::Notice;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};

use crate::open::OpenConnection;

/// At most four [`Hint::Changed`] a second.
const CHANGED_EVERY: Duration = Duration::from_millis(250);
/// At most one [`Hint::Health`] a second.
const HEALTH_EVERY: Duration = Duration::from_secs(1);
/// Hints buffered for a slow listener before it is told that everything may have changed.
const KEPT: usize = 64;

/// A message that a host receives without asking.
#[derive(Clone, Debug, PartialEq)]
pub enum Hint {
    /// Data changed; a screen that shows it queries again.
    Changed(Changed),
    /// The state of collection.
    Health(Box<Health>),
}

/// The sending side of hints.
#[derive(Clone, Debug)]
pub(crate) struct Teller {
    told: broadcast::Sender<Hint>,
    lost: Arc<AtomicU64>,
}

/// The receiving side of hints, for one host.
#[derive(Debug)]
pub struct Hints {
    heard: broadcast::Receiver<Hint>,
    lost: Arc<AtomicU64>,
}

impl Teller {
    pub(crate) fn new() -> Self {
        Self { told: broadcast::channel(KEPT).0, lost: Arc::default() }
    }

    pub(crate) fn listen(&self) -> Hints {
        Hints { heard: self.told.subscribe(), lost: Arc::clone(&self.lost) }
    }

    /// Tells hosts that the state of the program changed: another connection or other settings.
    pub(crate) fn settings_changed(&self) {
        self.tell(Hint::Changed(Changed { revision: 0, subjects: vec![Subject::Settings] }));
    }

    /// Adds the number of hints that hosts missed.
    pub(crate) fn with_lost(&self, health: Health) -> Health {
        let lost = self.lost.load(Ordering::Relaxed);
        Health { dropped_notices: health.dropped_notices + lost, ..health }
    }

    /// A hint without listeners is not lost: a host that connects later queries everything it shows.
    fn tell(&self, hint: Hint) {
        let _ = self.told.send(hint);
    }

    /// Sends hints about an open connection until its store is closed.
    pub(crate) async fn tell_of(self, open: Arc<OpenConnection>) {
        let Some(mut notices) = open.notices().await else { return };
        // An earlier run of this task may have missed changes.
        let mut pending = Notice::of_everything();
        let mut next = Instant::now();
        let mut pulse = interval(HEALTH_EVERY);
        pulse.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut told = None;
        let mut mode = open.mode();
        loop {
            tokio::select! {
                notice = notices.recv() => match notice {
                    Ok(notice) => pending.add(notice),
                    // The writer counts the lost notices.
                    Err(RecvError::Lagged(_)) => pending.add(Notice::of_everything()),
                    Err(RecvError::Closed) => return,
                },
                () = sleep_until(next), if !pending.subjects.is_empty() => {
                    if let Some(changed) = taken(&mut pending) {
                        self.tell(Hint::Changed(changed));
                    }
                    next = Instant::now() + CHANGED_EVERY;
                }
                () = mode.changed() => self.settings_changed(),
                _ = pulse.tick() => {
                    let health = self.with_lost(open.health());
                    if told.as_ref() != Some(&health) {
                        self.tell(Hint::Health(Box::new(health.clone())));
                        told = Some(health);
                    }
                }
            }
        }
    }
}

impl Hints {
    /// Waits for the next hint; `None` when the program ends.
    pub async fn next(&mut self) -> Option<Hint> {
        match self.heard.recv().await {
            Ok(hint) => Some(hint),
            Err(RecvError::Lagged(lost)) => {
                self.lost.fetch_add(lost, Ordering::Relaxed);
                tracing::info!(lost, "A listener fell behind and was told that everything may have changed.");
                Some(Hint::Changed(everything()))
            }
            Err(RecvError::Closed) => None,
        }
    }
}

fn everything() -> Changed {
    let subjects = Subject::OF_THE_STORE.into_iter().chain([Subject::Settings]).collect();
    Changed { revision: 0, subjects }
}

/// What changed since this was last called, for the next hint; `None` if nothing did.
fn taken(pending: &mut Notice) -> Option<Changed> {
    let subjects = std::mem::take(&mut pending.subjects);
    (!subjects.is_empty()).then_some(Changed { revision: pending.revision, subjects })
}

#[cfg(test)]
mod tests {
    use liftdeck_model::Timestamp;

    use super::*;

    #[test]
    fn the_largest_hint_stays_below_a_kilobyte() {
        let mut pending = Notice { revision: u64::MAX, ..Notice::of_everything() };
        let json = serde_json::to_string(&taken(&mut pending).unwrap()).unwrap();
        assert!(json.len() < 1_024, "{} bytes", json.len());
        assert_eq!(taken(&mut pending), None);
    }

    #[tokio::test]
    async fn a_listener_that_fell_behind_is_told_that_everything_may_have_moved_and_it_is_counted() {
        let teller = Teller::new();
        let mut hints = teller.listen();
        for _ in 0..=KEPT {
            teller.settings_changed();
        }
        assert_eq!(hints.next().await, Some(Hint::Changed(everything())));
        let health = Health::starting(Timestamp::from_ms(0));
        assert_eq!(teller.with_lost(health).dropped_notices, 1);
    }
}

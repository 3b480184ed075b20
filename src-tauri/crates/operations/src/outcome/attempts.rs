//! What this process alone knows of attempts: which have no recorded outcome yet, since when those without an answer wait,
//! and which are being looked into.
//!
//! Owns that memory, shared by all guards of a connection. Deliberately decides nothing: the records are the truth.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use liftdeck_model::activity::ActivityId;
use parking_lot::Mutex;
use tokio::sync::Semaphore;

/// Looks under way at once for what became of attempts nobody waits for; the request budget paces them further.
const LOOKS: usize = 2;

/// The attempts of a connection.
pub(crate) struct Attempts {
    known: Mutex<Known>,
    /// Held while an outcome is read and written over.
    pub(crate) settling: tokio::sync::Mutex<()>,
    pub(crate) looks: Semaphore,
}

#[derive(Default)]
struct Known {
    in_flight: HashSet<ActivityId>,
    given_up: HashMap<ActivityId, Duration>,
    watched: HashSet<ActivityId>,
}

impl Default for Attempts {
    fn default() -> Self {
        Self {
            known: Mutex::default(),
            settling: tokio::sync::Mutex::default(),
            looks: Semaphore::new(LOOKS),
        }
    }
}

impl Attempts {
    /// Notes that an attempt is under way, until what is given back is dropped: nobody may settle it before.
    pub(crate) fn takes_off(self: &Arc<Self>, id: &ActivityId) -> Flight {
        self.known.lock().in_flight.insert(id.clone());
        Flight { attempts: Arc::clone(self), id: id.clone() }
    }

    /// Whether an attempt of this process has no recorded outcome yet.
    pub(crate) fn is_in_flight(&self, id: &ActivityId) -> bool {
        self.known.lock().in_flight.contains(id)
    }

    /// Since when, by a clock nobody can set, an attempt is known to be signed no more. The first moment told stays.
    pub(crate) fn given_up(&self, id: &ActivityId, now: Duration) -> Duration {
        *self.known.lock().given_up.entry(id.clone()).or_insert(now)
    }

    /// Takes on the watch over an attempt; `None` while somebody has it.
    pub(crate) fn watch(self: &Arc<Self>, id: &ActivityId) -> Option<Watch> {
        let is_new = self.known.lock().watched.insert(id.clone());
        is_new.then(|| Watch { attempts: Arc::clone(self), id: id.clone(), rests: AtomicBool::new(false) })
    }
}

/// An attempt under way.
pub(crate) struct Flight {
    attempts: Arc<Attempts>,
    id: ActivityId,
}

impl Drop for Flight {
    fn drop(&mut self) {
        self.attempts.known.lock().in_flight.remove(&self.id);
    }
}

/// The watch over an attempt without an answer.
pub(crate) struct Watch {
    attempts: Arc<Attempts>,
    id: ActivityId,
    rests: AtomicBool,
}

impl Watch {
    /// Ends it for good: looking again would tell nothing new.
    pub(crate) fn rest(&self) {
        self.rests.store(true, Ordering::Relaxed);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let mut known = self.attempts.known.lock();
        if !self.rests.load(Ordering::Relaxed) {
            known.watched.remove(&self.id);
        }
    }
}

//! What only this process knows about attempts: which have no recorded outcome yet, since when the unanswered ones
//! have been waiting, and which are being looked into.
//!
//! Owns that memory, which all guards of a connection share. Deliberately decides nothing: the records are
//! authoritative.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use liftdeck_model::activity::ActivityId;
use parking_lot::Mutex;
use tokio::sync::Semaphore;

/// The most looks at once for the outcome of attempts nobody waits for. The request budget paces them further.
const LOOKS: usize = 2;

/// The attempts of a connection.
pub(crate) struct Attempts {
    known: Mutex<Known>,
    /// Held while an outcome is read and overwritten.
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
    /// Notes that an attempt is under way until the returned value is dropped. Nobody may settle it before.
    pub(crate) fn begin(self: &Arc<Self>, id: &ActivityId) -> InFlight {
        self.known.lock().in_flight.insert(id.clone());
        InFlight { attempts: Arc::clone(self), id: id.clone() }
    }

    /// Whether an attempt of this process has no recorded outcome yet.
    pub(crate) fn is_in_flight(&self, id: &ActivityId) -> bool {
        self.known.lock().in_flight.contains(id)
    }

    /// Returns since when, by a clock nobody can set, an attempt is known not to be signed again. The first time
    /// noted stays.
    pub(crate) fn given_up(&self, id: &ActivityId, now: Duration) -> Duration {
        *self.known.lock().given_up.entry(id.clone()).or_insert(now)
    }

    /// Takes on the watch over an attempt; `None` while another task has it.
    pub(crate) fn watch(self: &Arc<Self>, id: &ActivityId) -> Option<Watch> {
        let is_new = self.known.lock().watched.insert(id.clone());
        is_new.then(|| Watch { attempts: Arc::clone(self), id: id.clone(), rests: AtomicBool::new(false) })
    }
}

/// An attempt under way.
pub(crate) struct InFlight {
    attempts: Arc<Attempts>,
    id: ActivityId,
}

impl Drop for InFlight {
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
    /// Ends the watch for good, because looking again would show nothing new.
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

//! The records of each Region, when they arrive, and which of them are on their way to EventBridge.
//!
//! Memory is bounded: a Region keeps its last [`MOST_READS`] reads and its last [`MOST_CHANGES`] changes, the latter
//! for 90 days at most. A real account keeps every event for 90 days.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use super::record::{Call, Record};
use crate::fault::Faults;
use crate::options::TrailOptions;
use liftdeck_simulated_world::World;

/// The most reads a Region keeps. A client that polls makes many.
const MOST_READS: usize = 2_000;

/// The most changes a Region keeps.
const MOST_CHANGES: usize = 5_000;

/// The event history: 90 days.
pub(super) const HISTORY_MS: i64 = 90 * 24 * 3_600_000;

const MINUTE_MS: f64 = 60_000.0;

/// The share of events that arrive late, and when. CloudTrail promises nothing: about 5 minutes on average, and a
/// public project measured an event that was absent after 25 minutes and present after 85.
const LATE: f64 = 0.03;
const LATE_MIN: (f64, f64) = (25.0, 85.0);

/// When the other events arrive: on average after 5 minutes.
const USUAL_MIN: (f64, f64) = (1.0, 15.0);

/// The share of events that never arrive, unless an option or the fault plan says otherwise.
const LOST: f64 = 0.002;

/// Seconds until EventBridge delivers a record, most of them soon.
const BRIDGE_S: (f64, f64) = (4.0, 240.0);

/// The records of a Region, oldest first.
#[derive(Debug, Default)]
struct Kept {
    reads: VecDeque<Arc<Record>>,
    changes: VecDeque<Arc<Record>>,
    noted: u64,
    /// The last deed that is on its way to EventBridge.
    deed: u64,
}

/// Changes on their way to EventBridge: when they arrive and their id, with Region and record.
type Bound = BTreeMap<(i64, String), (String, Arc<Record>)>;

/// The records of the account.
#[derive(Debug)]
pub(crate) struct Trail {
    seed: u64,
    account: String,
    options: TrailOptions,
    kept: Mutex<BTreeMap<String, Kept>>,
    bound: Mutex<Bound>,
}

impl Trail {
    /// Creates the empty history of an account.
    pub(crate) fn new(seed: u64, account: &str, options: TrailOptions) -> Trail {
        let account = account.to_owned();
        Trail { seed, account, options, kept: Mutex::default(), bound: Mutex::default() }
    }

    /// The account.
    pub(super) fn account(&self) -> &str {
        &self.account
    }

    /// Records a call in a Region.
    pub(crate) fn note(&self, region: &str, call: Call, faults: &Faults) {
        let record = {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            let kept = kept.entry(region.to_owned()).or_default();
            kept.noted += 1;
            let name = format!("{} {region} {}", self.seed, kept.noted);
            let since_ms = call.at_ms - HISTORY_MS;
            let record = Arc::new(Record::new(call, &name));
            let (ring, most) = match record.call.read_only {
                true => (&mut kept.reads, MOST_READS),
                false => (&mut kept.changes, MOST_CHANGES),
            };
            while ring.len() >= most || ring.front().is_some_and(|oldest| oldest.call.at_ms < since_ms) {
                ring.pop_front();
            }
            ring.push_back(record.clone());
            record
        };
        self.send(region, record, faults);
    }

    /// Puts the deeds of the world that are new on their way to EventBridge.
    pub(crate) fn follow(&self, world: &World, faults: &Faults) {
        if !self.options.event_bridge {
            return;
        }
        for region in world.regions() {
            let last = {
                let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
                let kept = kept.entry(region.to_owned()).or_default();
                let last = kept.deed;
                kept.deed = world.deeds(region).next_back().map_or(last, |deed| deed.number);
                last
            };
            for deed in world.deeds(region).filter(|deed| deed.number > last) {
                self.send(region, Arc::new(Record::of_deed(deed, self.seed)), faults);
            }
        }
    }

    /// Puts a change of GameLift on its way to EventBridge, if there is a trail and the change is not lost. Read-only
    /// calls are not sent, as in EventBridge by default.
    fn send(&self, region: &str, record: Arc<Record>, faults: &Faults) {
        if !self.options.event_bridge || record.call.read_only || record.call.service != "gamelift" {
            return;
        }
        let (lost, delay) = record.lots.bridge;
        let planned = faults.on_trail(region, &record.action(), lost);
        if planned.lost || lost < self.options.missing.unwrap_or(LOST) {
            return;
        }
        let usual_s = BRIDGE_S.0 + (BRIDGE_S.1 - BRIDGE_S.0) * delay.powi(6);
        let delay_ms = match planned.delay_s.or(self.options.delay_s) {
            Some(delay_s) => i64::from(delay_s) * 1_000,
            None => (usual_s * 1_000.0) as i64,
        };
        let mut bound = self.bound.lock().unwrap_or_else(PoisonError::into_inner);
        bound.insert((record.call.at_ms + delay_ms, record.id.clone()), (region.to_owned(), record));
    }

    /// Takes the changes that EventBridge delivers by that time: when, in which Region, and the record.
    pub(crate) fn due(&self, now_ms: i64) -> Vec<(i64, String, Arc<Record>)> {
        let mut bound = self.bound.lock().unwrap_or_else(PoisonError::into_inner);
        let later = bound.split_off(&(now_ms + 1, String::new()));
        let due = std::mem::replace(&mut *bound, later);
        due.into_iter().map(|((at_ms, _), (region, record))| (at_ms, region, record)).collect()
    }

    /// Everything recorded in a Region, without the calls of the game's own backend, that has arrived by that time and is not too old, in no order.
    pub(super) fn arrived(
        &self,
        world: &World,
        region: &str,
        faults: &Faults,
        now_ms: i64,
    ) -> Vec<Arc<Record>> {
        let deeds = world.deeds(region).map(|deed| Arc::new(Record::of_deed(deed, self.seed)));
        let mut all: Vec<Arc<Record>> = deeds.collect();
        {
            let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            let kept = kept.get(region).into_iter();
            all.extend(kept.flat_map(|kept| kept.reads.iter().chain(&kept.changes)).cloned());
        }
        all.retain(|record| self.has(record, region, faults, now_ms));
        all
    }

    /// Whether a record has arrived in the event history by that time and is not too old.
    pub(super) fn has(&self, record: &Record, region: &str, faults: &Faults, now_ms: i64) -> bool {
        record.call.at_ms >= now_ms - HISTORY_MS
            && self.arrives_ms(record, region, faults).is_some_and(|at_ms| at_ms <= now_ms)
    }

    /// When a record arrives in the event history; `None` if it never does.
    fn arrives_ms(&self, record: &Record, region: &str, faults: &Faults) -> Option<i64> {
        let lots = record.lots;
        let planned = faults.on_trail(region, &record.action(), lots.lost);
        if planned.lost || lots.lost < self.options.missing.unwrap_or(LOST) {
            return None;
        }
        if let Some(delay_s) = planned.delay_s.or(self.options.delay_s) {
            return Some(record.call.at_ms + i64::from(delay_s) * 1_000);
        }
        // The power makes the mean of the usual delays 5 minutes.
        let ((low, high), part) =
            if lots.late < LATE { (LATE_MIN, lots.delay) } else { (USUAL_MIN, lots.delay.powf(2.5)) };
        Some(record.call.at_ms + ((low + (high - low) * part) * MINUTE_MS) as i64)
    }
}

#[cfg(test)]
mod tests;

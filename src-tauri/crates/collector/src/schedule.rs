//! Decides what to poll next: tasks with due times, and the order among them.
//!
//! Pure: time comes in as an argument and no requests are sent. Deliberately knows nothing of request budgets: a task
//! that waits for its budget occupies a place, and places are limited per kind so that one waiting kind never holds
//! up the others.

use std::collections::{BTreeMap, BTreeSet};

use liftdeck_model::Timestamp;
use liftdeck_model::observation::{PollKind, PollSubject};

use crate::cadence::Cadence;

/// How urgent a task is: decides its order, and its priority in the request budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rank {
    /// It is on screen, or has waited so long that it comes first.
    OnScreen,
    /// Older than its target allows.
    Stale,
    /// Due, but neither of the above.
    Rest,
}

/// A task to run now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// What to ask.
    pub subject: PollSubject,
    /// How urgent it is.
    pub rank: Rank,
}

/// How many tasks may run at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    /// In total.
    pub total: usize,
    /// Of one kind.
    pub per_kind: usize,
}

impl Default for Places {
    fn default() -> Self {
        Self { total: 24, per_kind: 4 }
    }
}

/// After this many missed targets a task goes first, whatever is on screen, so that nothing starves.
const STARVED_AFTER: i64 = 4;
/// A failed task waits at most this long, or its own interval if that is longer, before it is tried again.
const LONGEST_RETRY_MS: i64 = 300_000;
const FIRST_RETRY_MS: i64 = 5_000;

#[derive(Clone, Debug)]
struct Entry {
    due: Timestamp,
    started: Option<Timestamp>,
    last_success: Option<Timestamp>,
    known_since: Timestamp,
    failures: u32,
    turns: u64,
}

/// The tasks of one Region.
#[derive(Clone, Debug)]
pub struct Schedule {
    entries: BTreeMap<(PollKind, String), Entry>,
    on_screen: BTreeSet<String>,
    closely: BTreeSet<String>,
    metrics_on_screen: bool,
    cadence: Cadence,
    places: Places,
    seed: u64,
}

impl Schedule {
    /// Creates an empty schedule. `seed` spreads the due times of similar tasks, so that they do not all coincide.
    pub fn new(cadence: Cadence, places: Places, seed: u64) -> Self {
        Self {
            entries: BTreeMap::new(),
            on_screen: BTreeSet::new(),
            closely: BTreeSet::new(),
            metrics_on_screen: false,
            cadence,
            places,
            seed,
        }
    }

    /// Adds a task unless it exists. It is due at once without `last_success`, else one interval after it.
    pub fn add(&mut self, subject: PollSubject, last_success: Option<Timestamp>, now: Timestamp) {
        let interval_ms = self.interval_ms(subject.kind, &subject.resource);
        self.entries.entry((subject.kind, subject.resource)).or_insert_with(|| Entry {
            // A time in the future could keep the task from ever running.
            due: last_success.map_or(now, |at| at.min(now).plus_ms(interval_ms)),
            started: None,
            last_success,
            known_since: now,
            failures: 0,
            turns: 0,
        });
    }

    /// Whether the task exists.
    pub fn contains(&self, subject: &PollSubject) -> bool {
        self.entries.contains_key(&(subject.kind, subject.resource.clone()))
    }

    /// Removes every task for which `keep` returns false; a running one ends without being scheduled again.
    pub fn retain(&mut self, keep: impl Fn(PollKind, &str) -> bool) {
        self.entries.retain(|(kind, resource), _| keep(*kind, resource));
    }

    /// Sets what is on screen: fleets by id, and whether CloudWatch charts are shown. Tasks on screen that are older
    /// than the on-screen pace allows become due at once.
    pub fn focus(&mut self, fleets: BTreeSet<String>, metrics: bool, now: Timestamp) {
        self.on_screen = fleets;
        self.metrics_on_screen = metrics;
        let due: Vec<_> = self
            .entries
            .iter()
            .filter(|((kind, resource), entry)| entry.failures == 0 && self.is_on_screen(*kind, resource))
            .filter_map(|(key, entry)| {
                let interval_ms = self.cadence.pace(key.0).interval_ms(true);
                let due = entry.last_success?.plus_ms(interval_ms).max(now);
                (due < entry.due).then(|| (key.clone(), due))
            })
            .collect();
        for (key, due) in due {
            if let Some(entry) = self.entries.get_mut(&key) {
                entry.due = due;
            }
        }
    }

    /// Sets which fleets are read as often as if they were on screen, from their next turn on. It makes nothing urgent.
    pub fn watch_closely(&mut self, fleets: BTreeSet<String>) {
        self.closely = fleets;
    }

    /// Makes every task that waits after a failure due at once, or every task if `all` is set.
    pub fn hurry(&mut self, all: bool, now: Timestamp) {
        for entry in self.entries.values_mut() {
            if all || entry.failures > 0 {
                entry.due = entry.due.min(now);
            }
        }
    }

    /// The next task to run, marked as running; `None` when nothing is due or no place is free.
    pub fn next(&mut self, now: Timestamp) -> Option<Turn> {
        self.mend(now);
        let mut running: BTreeMap<PollKind, usize> = BTreeMap::new();
        for ((kind, _), entry) in &self.entries {
            *running.entry(*kind).or_default() += usize::from(entry.started.is_some());
        }
        if running.values().sum::<usize>() >= self.places.total {
            return None;
        }
        let (rank, _, key) = self
            .entries
            .iter()
            .filter(|(_, entry)| entry.started.is_none() && entry.due <= now)
            .filter(|((kind, _), _)| running.get(kind).is_none_or(|count| *count < self.places.per_kind))
            .map(|(key, entry)| (self.rank(key, entry, now), entry.due, key.clone()))
            .min()?;
        self.entries.get_mut(&key)?.started = Some(now);
        Some(Turn { subject: PollSubject { kind: key.0, resource: key.1 }, rank })
    }

    /// Makes one task due at once, because it has more to do.
    pub fn hasten(&mut self, subject: &PollSubject, now: Timestamp) {
        if let Some(entry) = self.entries.get_mut(&(subject.kind, subject.resource.clone()))
            && entry.failures == 0
        {
            entry.due = entry.due.min(now);
        }
    }

    /// Notes that a task ended and schedules it again. Failed tasks wait longer each time, up to five minutes or
    /// their own interval, whichever is longer.
    pub fn finished(&mut self, subject: &PollSubject, success: bool, now: Timestamp) {
        let interval_ms = self.interval_ms(subject.kind, &subject.resource);
        let key = (subject.kind, subject.resource.clone());
        let seed = self.seed;
        let Some(entry) = self.entries.get_mut(&key) else { return };
        let started = entry.started.take().unwrap_or(now);
        entry.turns += 1;
        if success {
            entry.failures = 0;
            entry.last_success = Some(now);
            entry.due = started.plus_ms(jittered_ms(interval_ms, seed, &key, entry.turns)).max(now);
        } else {
            entry.failures += 1;
            let wait_ms = FIRST_RETRY_MS
                .saturating_mul(1 << entry.failures.min(10).saturating_sub(1))
                .min(LONGEST_RETRY_MS.max(interval_ms));
            entry.due = now.plus_ms(jittered_ms(wait_ms, seed, &key, entry.turns));
        }
    }

    /// When the next task that is not running becomes due; `None` when every task is running.
    pub fn next_due(&self) -> Option<Timestamp> {
        self.entries.values().filter(|entry| entry.started.is_none()).map(|entry| entry.due).min()
    }

    /// By how many milliseconds the oldest live figure exceeds the age allowed; 0 when all are on time. Only live
    /// figures count: the initial read of history takes as long as it takes.
    pub fn behind_ms(&self, now: Timestamp) -> i64 {
        self.entries
            .iter()
            .filter(|((kind, _), _)| is_live_figure(*kind))
            .map(|((kind, _), entry)| {
                let target_ms = self.cadence.pace(*kind).otherwise_ms;
                // Jitter and the duration of one poll do not count as delay.
                let allowed_ms = target_ms + target_ms / 2;
                now.since_ms(entry.last_success.unwrap_or(entry.known_since)) - allowed_ms
            })
            .max()
            .unwrap_or(0)
            .max(0)
    }

    /// The resources that have a task of a kind.
    pub fn resources(&self, kind: PollKind) -> Vec<String> {
        self.entries.keys().filter(|(of, _)| *of == kind).map(|(_, resource)| resource.clone()).collect()
    }

    /// The resources whose task of a kind has not ended yet, and never did before.
    pub fn unread(&self, kind: PollKind) -> Vec<String> {
        let is_unread = |entry: &Entry| entry.turns == 0 && entry.last_success.is_none();
        self.entries
            .iter()
            .filter(|((of, _), entry)| *of == kind && is_unread(entry))
            .map(|((_, resource), _)| resource.clone())
            .collect()
    }

    /// How many tasks of a kind have succeeded at least once, and how many there are.
    pub fn first_reads(&self, kind: PollKind) -> (u64, u64) {
        let of_kind = || self.entries.iter().filter(|((of, _), _)| *of == kind);
        let done = of_kind().filter(|(_, entry)| entry.last_success.is_some()).count();
        (done as u64, of_kind().count() as u64)
    }

    /// How many tasks there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no tasks.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Corrects due times that lie further ahead than any wait can be, because the clock was set back. The age of
    /// what was read before that is unknown, so it no longer counts as fresh.
    fn mend(&mut self, now: Timestamp) {
        for ((kind, _), entry) in &mut self.entries {
            if is_live_figure(*kind) && entry.last_success.is_some_and(|at| at > now) {
                entry.last_success = None;
                entry.known_since = now;
            }
            let mut longest_ms = self.cadence.pace(*kind).otherwise_ms;
            if entry.failures > 0 {
                longest_ms = longest_ms.max(LONGEST_RETRY_MS);
            }
            entry.due = entry.due.min(now.plus_ms(longest_ms + longest_ms / 10));
        }
    }

    fn rank(&self, key: &(PollKind, String), entry: &Entry, now: Timestamp) -> Rank {
        let target_ms = self.cadence.pace(key.0).otherwise_ms;
        let late_ms = now.since_ms(entry.due);
        if self.is_on_screen(key.0, &key.1) || late_ms >= target_ms.saturating_mul(STARVED_AFTER) {
            Rank::OnScreen
        } else if key.0 != PollKind::EndedGameSessions
            && entry.last_success.is_none_or(|at| now.since_ms(at) > target_ms + target_ms / 2)
        {
            Rank::Stale
        } else {
            Rank::Rest
        }
    }

    fn interval_ms(&self, kind: PollKind, resource: &str) -> i64 {
        if kind == PollKind::Metrics && resource.is_empty() {
            // One task asks for all series of a Region, each at its own pace.
            return self.cadence.pace(kind).on_screen_ms / 2;
        }
        let often = self.is_on_screen(kind, resource) || concerns(&self.closely, kind, resource);
        self.cadence.pace(kind).interval_ms(often)
    }

    fn is_on_screen(&self, kind: PollKind, resource: &str) -> bool {
        match kind {
            // The first read of history is never urgent.
            PollKind::Metrics => self.metrics_on_screen && resource.is_empty(),
            _ => concerns(&self.on_screen, kind, resource),
        }
    }
}

/// Whether a task reads one of these fleets.
fn concerns(fleets: &BTreeSet<String>, kind: PollKind, resource: &str) -> bool {
    match kind {
        // One call covers the home locations of all fleets.
        PollKind::FleetCapacity | PollKind::FleetUtilization if resource.is_empty() => !fleets.is_empty(),
        PollKind::EndedGameSessions => false,
        _ => fleets.contains(resource),
    }
}

const fn is_live_figure(kind: PollKind) -> bool {
    matches!(
        kind,
        PollKind::Fleets
            | PollKind::FleetCapacity
            | PollKind::FleetUtilization
            | PollKind::FleetEvents
            | PollKind::GameSessions
    )
}

/// Shifts `length_ms` by up to a tenth either way; the same seed, task and turn give the same result.
fn jittered_ms(length_ms: i64, seed: u64, key: &(PollKind, String), turn: u64) -> i64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    (seed, key, turn).hash(&mut hasher);
    let tenth = (length_ms / 10).max(1);
    let offset = i64::try_from(hasher.finish() % (2 * tenth.unsigned_abs() + 1)).unwrap_or(0);
    length_ms - tenth + offset
}

#[cfg(test)]
mod tests;

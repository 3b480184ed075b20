//! Supervision of tasks: one that ends unexpectedly is restarted, and is listed on a roll until it runs again.
//!
//! Owns this rule and the roll. Clock and sleep come in as arguments, so this runs nothing by itself and knows no
//! runtime. A panic ends only the task it happens in.

use std::collections::BTreeMap;
use std::fmt;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::Timestamp;

/// The pause before an ended task is restarted; doubled each time it ends again before it has run that long.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// The longest such pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// A sleep of the runtime.
pub type Pause = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A task that is not running, or has not run long enough since its restart to be trusted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Down {
    /// What it does, in words for people.
    pub task: String,
    /// When it first ended.
    pub since: Timestamp,
    /// Why it last ended.
    pub why: String,
    /// When it will be restarted; `None` once it has been.
    pub next_try: Option<Timestamp>,
}

/// States it in two sentences: what stopped, and when it is restarted.
impl fmt::Display for Down {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} stopped at {}: {}. ", self.task, self.since, self.why)?;
        match self.next_try {
            Some(at) => write!(out, "It starts again at {at}."),
            None => out.write_str("It has started again."),
        }
    }
}

/// The tasks of one part of the program that are not running. Clones share it.
#[derive(Clone)]
pub struct Roll {
    clock: Arc<dyn Fn() -> Timestamp + Send + Sync>,
    sleep: fn(Duration) -> Pause,
    down: Arc<Mutex<Lines>>,
}

#[derive(Default)]
struct Lines {
    next: u64,
    down: BTreeMap<u64, Down>,
    /// The last time the clock returned, used if the clock panics: supervision must not fail because of a clock.
    now: Timestamp,
}

impl fmt::Debug for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Roll").field(&self.down()).finish()
    }
}

impl Roll {
    /// An empty roll.
    pub fn new(clock: Arc<dyn Fn() -> Timestamp + Send + Sync>, sleep: fn(Duration) -> Pause) -> Self {
        Self { clock, sleep, down: Arc::default() }
    }

    /// Returns the tasks that are not running now.
    pub fn down(&self) -> Vec<Down> {
        self.lines().down.values().cloned().collect()
    }

    /// Keeps a task running until it is told to stop: it is restarted whenever it ends earlier, by a panic or not.
    /// `stopped` resolves once the task may end.
    pub async fn keep<F, S>(&self, task: impl Into<String>, stopped: impl Fn() -> S, begin: impl FnMut() -> F)
    where
        F: Future<Output = ()>,
        S: Future<Output = ()>,
    {
        self.run(task.into(), stopped, begin, false).await;
    }

    /// Runs a task to its end: it is restarted only if it panics.
    pub async fn carry<F, S>(
        &self,
        task: impl Into<String>,
        stopped: impl Fn() -> S,
        begin: impl FnMut() -> F,
    ) where
        F: Future<Output = ()>,
        S: Future<Output = ()>,
    {
        self.run(task.into(), stopped, begin, true).await;
    }

    async fn run<F, S>(
        &self,
        task: String,
        stopped: impl Fn() -> S,
        mut begin: impl FnMut() -> F,
        may_end: bool,
    ) where
        F: Future<Output = ()>,
        S: Future<Output = ()>,
    {
        let entry = self.entry();
        let line = entry.line;
        let mut pause = FIRST_PAUSE;
        // A restarted task is on trial until it has run as long as the pause before it; until then it may end again
        // at once.
        let mut trial = None;
        loop {
            let ended = self.watched(caught(&mut begin), &mut trial, line, &mut pause).await;
            let why = match ended {
                Ok(()) if may_end => break,
                Ok(()) => "it ended unexpectedly".to_owned(),
                Err(panic) => format!("it failed: {panic}"),
            };
            if is_ready(stopped()).await {
                break;
            }
            let now = self.now();
            let next_try = Some(now.plus_ms(i64::try_from(pause.as_millis()).unwrap_or(i64::MAX)));
            let since = self.lines().down.get(&line).map_or(now, |down| down.since);
            self.lines().down.insert(line, Down { task: task.clone(), since, why, next_try });
            if first((self.sleep)(pause), stopped()).await {
                break;
            }
            if let Some(down) = self.lines().down.get_mut(&line) {
                down.next_try = None;
            }
            trial = Some((self.sleep)(pause));
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Reserves a line of its own for a task.
    fn entry(&self) -> Entry<'_> {
        let mut lines = self.lines();
        lines.next += 1;
        Entry { roll: self, line: lines.next }
    }

    /// Waits for a task to end, and takes it off the roll once its trial is over.
    async fn watched(
        &self,
        work: impl Future<Output = Result<(), String>>,
        trial: &mut Option<Pause>,
        line: u64,
        pause: &mut Duration,
    ) -> Result<(), String> {
        let mut work = pin!(work);
        poll_fn(|context| {
            if let Poll::Ready(ended) = work.as_mut().poll(context) {
                return Poll::Ready(ended);
            }
            if trial.as_mut().is_some_and(|trial| trial.as_mut().poll(context).is_ready()) {
                *trial = None;
                *pause = FIRST_PAUSE;
                self.lines().down.remove(&line);
            }
            Poll::Pending
        })
        .await
    }

    fn now(&self) -> Timestamp {
        let told = catch_unwind(AssertUnwindSafe(|| (self.clock)()));
        let mut lines = self.lines();
        lines.now = told.unwrap_or(lines.now);
        lines.now
    }

    fn lines(&self) -> MutexGuard<'_, Lines> {
        self.down.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A task's line on a roll, removed when the task is no longer kept running.
struct Entry<'a> {
    roll: &'a Roll,
    line: u64,
}

impl Drop for Entry<'_> {
    fn drop(&mut self) {
        self.roll.lines().down.remove(&self.line);
    }
}

/// Runs the task that `begin` starts; turns a panic into an error message.
async fn caught<F: Future<Output = ()>>(begin: &mut impl FnMut() -> F) -> Result<(), String> {
    let begun = catch_unwind(AssertUnwindSafe(|| Box::pin(begin())));
    let mut work = begun.map_err(in_words)?;
    let ended = poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(context))) {
        Ok(Poll::Pending) => Poll::Pending,
        Ok(Poll::Ready(())) => Poll::Ready(Ok(())),
        Err(panic) => Poll::Ready(Err(in_words(panic))),
    })
    .await;
    // Dropping the task may panic too.
    let dropped = catch_unwind(AssertUnwindSafe(|| drop(work))).map_err(in_words);
    ended.and(dropped)
}

/// Returns the message of a panic.
#[expect(clippy::needless_pass_by_value, reason = "a panic is handed over by value")]
pub fn in_words(panic: Box<dyn std::any::Any + Send>) -> String {
    let text = panic.downcast_ref::<&str>().copied().map(str::to_owned);
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "the cause is unknown".to_owned())
}

async fn is_ready(what: impl Future<Output = ()>) -> bool {
    let mut what = pin!(what);
    poll_fn(|context| Poll::Ready(what.as_mut().poll(context).is_ready())).await
}

/// Waits for the earlier of two; returns whether it was the second.
async fn first(one: impl Future<Output = ()>, other: impl Future<Output = ()>) -> bool {
    let (mut one, mut other) = (pin!(one), pin!(other));
    poll_fn(|context| {
        if other.as_mut().poll(context).is_ready() {
            return Poll::Ready(true);
        }
        one.as_mut().poll(context).map(|()| false)
    })
    .await
}

#[cfg(test)]
mod tests;

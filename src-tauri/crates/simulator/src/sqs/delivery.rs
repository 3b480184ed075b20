//! One queue shared by concurrent callers, and waiting for a message in it.
//!
//! Owns the lock around each queue and the wake-up of long polls; the rules of a queue are in `queue`.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use crate::pace::Pace;
use crate::policy::{self, Sender};

use super::queue::{Queue, Received, Sent};
use super::settings::Settings;

/// A queue that callers can wait on.
#[derive(Debug)]
pub(crate) struct Delivery {
    name: String,
    url: String,
    arn: String,
    created_ms: i64,
    pace: Pace,
    state: Mutex<State>,
    arrived: Notify,
}

#[derive(Debug)]
struct State {
    queue: Queue,
    settings: Settings,
    /// Cached decisions of the policy about senders, by service and source.
    verdicts: BTreeMap<(String, String), bool>,
    modified_ms: i64,
    purged: Option<Instant>,
}

impl State {
    /// Adds a message and drops those that are too old by then; otherwise a queue that nobody reads would keep
    /// everything.
    fn take(&mut self, message: Sent, delay: Duration, now: Instant) {
        self.queue.forget(message.at_ms, self.settings.retention_ms());
        self.queue.send(message, delay, now);
    }
}

impl Delivery {
    /// An empty queue.
    pub(super) fn new(
        name: &str,
        url: String,
        arn: String,
        settings: Settings,
        at_ms: i64,
        pace: Pace,
    ) -> Delivery {
        let state = State {
            queue: Queue::default(),
            settings,
            verdicts: BTreeMap::new(),
            modified_ms: at_ms,
            purged: None,
        };
        let (state, arrived) = (Mutex::new(state), Notify::new());
        Delivery { name: name.to_owned(), url, arn, created_ms: at_ms, pace, state, arrived }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The name.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The URL by which clients name the queue.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// The ARN.
    pub(super) fn arn(&self) -> &str {
        &self.arn
    }

    /// When it was created and last changed, in virtual time.
    pub(super) fn times_ms(&self) -> (i64, i64) {
        (self.created_ms, self.state().modified_ms)
    }

    /// Reads its attributes.
    pub(super) fn settings<R>(&self, look: impl FnOnce(&Settings) -> R) -> R {
        look(&self.state().settings)
    }

    /// Whether it is a FIFO queue.
    pub(crate) fn is_fifo(&self) -> bool {
        self.settings(Settings::is_fifo)
    }

    /// Whether it takes messages with the same content for the same message.
    pub(crate) fn deduplicates_by_content(&self) -> bool {
        self.settings(Settings::deduplicates_by_content)
    }

    /// Replaces its attributes.
    pub(super) fn change(&self, settings: Settings, at_ms: i64) {
        let mut state = self.state();
        (state.settings, state.modified_ms) = (settings, at_ms);
        state.verdicts.clear();
    }

    /// Deletes all messages and returns true, unless that was done less than `pause` ago.
    pub(super) fn purge(&self, now: Instant, pause: Duration) -> bool {
        let mut state = self.state();
        if state.purged.is_some_and(|before| now < before + pause) {
            return false;
        }
        state.purged = Some(now);
        state.queue.clear();
        true
    }

    /// Adds messages and wakes the long polls. Without a delay, the queue's own applies.
    pub(crate) fn send(&self, messages: Vec<Sent>, delay: Option<Duration>) {
        if messages.is_empty() {
            return;
        }
        let now = self.pace.now();
        let mut state = self.state();
        let delay = delay.unwrap_or_else(|| state.settings.delay());
        for message in messages {
            state.take(message, delay, now);
        }
        drop(state);
        self.arrived.notify_waiters();
    }

    /// Adds a message, unless this is a FIFO queue that received the same one within the last five minutes. Returns
    /// the id and the sequence of the message in the queue. Concurrent senders of the same message get the same
    /// result.
    pub(super) fn take(&self, message: Sent, delay: Option<Duration>) -> (String, u64) {
        let now = self.pace.now();
        let mut state = self.state();
        let order = message.order.as_ref();
        if let Some(before) = order.and_then(|order| state.queue.sent_before(&order.deduplication, now)) {
            return before;
        }
        let taken = (message.id.clone(), state.queue.next_sequence());
        let delay = delay.unwrap_or_else(|| state.settings.delay());
        state.take(message, delay, now);
        drop(state);
        self.arrived.notify_waiters();
        taken
    }

    /// Whether the policy admits a sender. Decisions are cached, because reading a policy costs more than delivering
    /// a message and the same few senders send all of them.
    fn lets_send(&self, sender: Sender<'_>) -> bool {
        let mut state = self.state();
        let key = (sender.service.to_owned(), sender.source.to_owned());
        if let Some(verdict) = state.verdicts.get(&key) {
            return *verdict;
        }
        let verdict = policy::allows(state.settings.policy(), "sqs:SendMessage", &self.arn, sender);
        state.verdicts.insert(key, verdict);
        verdict
    }

    /// Adds a message from an AWS service if the queue's policy admits it; returns whether it did.
    pub(crate) fn accept(&self, message: Sent, sender: Sender<'_>) -> bool {
        let lets = self.lets_send(sender);
        if lets {
            self.take(message, None);
        }
        lets
    }

    /// Runs `act` on the queue at the current time.
    pub(super) fn with<R>(&self, act: impl FnOnce(&mut Queue, Instant) -> R) -> R {
        let result = act(&mut self.state().queue, self.pace.now());
        // Whatever was done may have made a message visible to a waiting caller.
        self.arrived.notify_waiters();
        result
    }

    /// How many messages wait to be received.
    #[cfg(test)]
    pub(crate) fn waiting(&self) -> usize {
        self.with(|messages, _| messages.depth().0)
    }

    /// Makes callers that wait for a message check again.
    pub(super) fn look_again(&self) {
        self.arrived.notify_waiters();
    }

    /// Receives messages, waiting up to `wait` for the first; advancing time by hand shortens the wait. Messages received too often go to `dead`.
    pub(super) async fn receive(
        &self,
        most: usize,
        visibility: Duration,
        wait: Duration,
        dead: Option<(&Delivery, u32)>,
        virtual_ms: impl Fn() -> i64,
    ) -> Vec<Received> {
        let deadline = self.pace.now() + wait;
        loop {
            let arrived = self.arrived.notified();
            let (received, spent, next) = {
                let mut state = self.state();
                let retention_ms = state.settings.retention_ms();
                let (now, virtual_ms) = (self.pace.now(), virtual_ms());
                state.queue.settle(now, virtual_ms, retention_ms);
                let spent = dead.map(|(_, most)| state.queue.take_spent(most)).unwrap_or_default();
                let is_fifo = state.settings.is_fifo();
                let received = state.queue.receive(most, visibility, now, virtual_ms, is_fifo);
                (received, spent, state.queue.next_visible())
            };
            if let Some((target, _)) = dead {
                let from = |sent| Sent { source: Some(self.arn.clone()), ..sent };
                target.send(spent.into_iter().map(from).collect(), Some(Duration::ZERO));
            }
            if !received.is_empty() || self.pace.now() >= deadline {
                return received;
            }
            let until = self.pace.due(next.map_or(deadline, |next| next.min(deadline)));
            tokio::select! {
                () = arrived => {}
                () = tokio::time::sleep_until(until.into()) => {}
            }
        }
    }
}

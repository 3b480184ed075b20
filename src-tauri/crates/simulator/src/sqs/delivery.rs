//! The queues of the simulator, and waiting for a message in one.
//!
//! Owns the lock around each queue and the wake-up of long polls; the rules of a queue are `queue`'s.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::manage::settings_of;
use super::policy::{self, Sender};
use super::queue::{Queue, Received, Sent};
use super::settings::Settings;

/// A queue others can wait for.
#[derive(Debug)]
pub(crate) struct Delivery {
    name: String,
    url: String,
    arn: String,
    created_ms: i64,
    state: Mutex<State>,
    arrived: Notify,
}

#[derive(Debug)]
struct State {
    queue: Queue,
    settings: Settings,
    /// What the policy said of senders so far, by service and source.
    verdicts: BTreeMap<(String, String), bool>,
    modified_ms: i64,
    purged: Option<Instant>,
}

impl Delivery {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The name.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The URL clients name the queue by.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// The ARN.
    pub(super) fn arn(&self) -> &str {
        &self.arn
    }

    /// When it was made and last changed, in virtual time.
    pub(super) fn times_ms(&self) -> (i64, i64) {
        (self.created_ms, self.state().modified_ms)
    }

    /// Looks at its attributes.
    pub(super) fn settings<R>(&self, look: impl FnOnce(&Settings) -> R) -> R {
        look(&self.state().settings)
    }

    /// Gives it other attributes.
    pub(super) fn change(&self, settings: Settings, at_ms: i64) {
        let mut state = self.state();
        (state.settings, state.modified_ms) = (settings, at_ms);
        state.verdicts.clear();
    }

    /// Deletes all messages, unless that was done less than `pause` ago.
    pub(super) fn purge(&self, now: Instant, pause: Duration) -> bool {
        let mut state = self.state();
        if state.purged.is_some_and(|before| now < before + pause) {
            return false;
        }
        state.purged = Some(now);
        state.queue.clear();
        true
    }

    /// Takes messages in and wakes the long polls; a delay that is not given is the queue's own.
    pub(crate) fn send(&self, messages: Vec<Sent>, delay: Option<Duration>) {
        if messages.is_empty() {
            return;
        }
        let now = Instant::now();
        let mut state = self.state();
        let delay = delay.unwrap_or_else(|| state.settings.delay());
        let retention_ms = state.settings.retention_ms();
        for message in messages {
            // A queue that nobody reads would otherwise keep everything.
            state.queue.forget(message.at_ms, retention_ms);
            state.queue.send(message, delay, now);
        }
        drop(state);
        self.arrived.notify_waiters();
    }

    /// Reading a policy costs more than delivering a message, and the same few senders send all of them.
    fn lets_send(&self, sender: Sender<'_>) -> bool {
        let mut state = self.state();
        let key = (sender.service.to_owned(), sender.source.to_owned());
        if let Some(verdict) = state.verdicts.get(&key) {
            return *verdict;
        }
        let verdict = policy::lets_send(state.settings.policy(), &self.arn, sender);
        state.verdicts.insert(key, verdict);
        verdict
    }

    /// Takes in what a service of AWS sends, if the queue's policy lets it; says whether it did.
    pub(crate) fn accept(&self, message: Sent, sender: Sender<'_>) -> bool {
        let lets = self.lets_send(sender);
        // What a FIFO queue has had within five minutes it takes and drops.
        let repeated =
            message.order.as_ref().is_some_and(|order| self.sent_before(&order.deduplication).is_some());
        if lets && !repeated {
            self.send(vec![message], None);
        }
        lets
    }

    /// The sequence a message has that was sent before to a FIFO queue with the same deduplication id.
    pub(super) fn sent_before(&self, deduplication: &str) -> Option<(String, u64)> {
        self.state().queue.sent_before(deduplication, Instant::now())
    }

    /// The sequence the next message will have.
    pub(super) fn next_sequence(&self) -> u64 {
        self.state().queue.next_sequence()
    }

    /// Does something with the queue at the present instant.
    pub(super) fn with<R>(&self, act: impl FnOnce(&mut Queue, Instant) -> R) -> R {
        let result = act(&mut self.state().queue, Instant::now());
        // Whatever was done may have made a message visible to someone who waits.
        self.arrived.notify_waiters();
        result
    }

    /// Receives messages, waiting up to `wait` of real time for the first. What was received too often goes to `dead`.
    pub(super) async fn receive(
        &self,
        most: usize,
        visibility: Duration,
        wait: Duration,
        dead: Option<(&Delivery, u32)>,
        virtual_ms: impl Fn() -> i64,
    ) -> Vec<Received> {
        let deadline = Instant::now() + wait;
        loop {
            let arrived = self.arrived.notified();
            let (received, spent, next) = {
                let mut state = self.state();
                let retention_ms = state.settings.retention_ms();
                let (now, virtual_ms) = (Instant::now(), virtual_ms());
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
            if !received.is_empty() || Instant::now() >= deadline {
                return received;
            }
            let until = next.map_or(deadline, |next| next.min(deadline));
            tokio::select! {
                () = arrived => {}
                () = tokio::time::sleep_until(until.into()) => {}
            }
        }
    }
}

/// All queues, by region and name.
#[derive(Debug)]
pub(crate) struct Queues {
    account: String,
    endpoint: String,
    all: RwLock<BTreeMap<(String, String), Arc<Delivery>>>,
    /// When queues were deleted, by region and name.
    deleted: Mutex<BTreeMap<(String, String), Instant>>,
}

/// The name of the queue of a region that a connection's events come through.
fn event_queue(region: &str) -> String {
    format!("liftdeck-events-{region}")
}

impl Queues {
    /// An event queue for each region, which lets its topics and rules in unless the region is named as shut.
    pub(crate) fn new<'a>(
        endpoint: &str,
        account: &str,
        regions: impl Iterator<Item = &'a str>,
        shut: Option<&str>,
        at_ms: i64,
    ) -> Queues {
        let queues = Queues {
            account: account.to_owned(),
            endpoint: endpoint.to_owned(),
            all: RwLock::default(),
            deleted: Mutex::default(),
        };
        for region in regions {
            let name = event_queue(region);
            let arn = format!("arn:aws:sqs:{region}:{account}:{name}");
            let rules = vec![format!("arn:aws:events:{region}:{account}:rule/*")];
            let topics = vec![format!("arn:aws:sns:{region}:{account}:*")];
            let mut senders = vec![("events.amazonaws.com", rules), ("sns.amazonaws.com", topics)];
            if shut == Some(region) {
                senders.clear();
            }
            let settings = settings_of(&[("Policy", policy::letting(&arn, &senders))]);
            queues.add(region, &name, settings, at_ms);
        }
        queues
    }

    /// Makes a queue.
    pub(super) fn add(&self, region: &str, name: &str, settings: Settings, at_ms: i64) -> Arc<Delivery> {
        let state = State {
            queue: Queue::default(),
            settings,
            verdicts: BTreeMap::new(),
            modified_ms: at_ms,
            purged: None,
        };
        let delivery = Arc::new(Delivery {
            name: name.to_owned(),
            url: format!("{}/{}/{name}", self.endpoint, self.account),
            arn: format!("arn:aws:sqs:{region}:{}:{name}", self.account),
            created_ms: at_ms,
            state: Mutex::new(state),
            arrived: Notify::new(),
        });
        let mut all = self.all.write().unwrap_or_else(PoisonError::into_inner);
        all.insert((region.to_owned(), name.to_owned()), delivery.clone());
        delivery
    }

    /// Deletes a queue.
    pub(super) fn remove(&self, region: &str, name: &str, now: Instant) {
        let key = (region.to_owned(), name.to_owned());
        let mut all = self.all.write().unwrap_or_else(PoisonError::into_inner);
        if all.remove(&key).is_some() {
            self.deleted.lock().unwrap_or_else(PoisonError::into_inner).insert(key, now);
        }
    }

    /// Whether a queue of that name was deleted less than a pause ago.
    pub(super) fn was_deleted(&self, region: &str, name: &str, now: Instant, pause: Duration) -> bool {
        let mut deleted = self.deleted.lock().unwrap_or_else(PoisonError::into_inner);
        deleted.retain(|_, at| now.saturating_duration_since(*at) < pause);
        deleted.contains_key(&(region.to_owned(), name.to_owned()))
    }

    fn get(&self, region: &str, name: &str) -> Option<Arc<Delivery>> {
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        all.get(&(region.to_owned(), name.to_owned())).cloned()
    }

    /// The event queue of a region.
    pub(crate) fn events(&self, region: &str) -> Option<Arc<Delivery>> {
        self.get(region, &event_queue(region))
    }

    /// The queues of a region, by name.
    pub(super) fn of(&self, region: &str) -> Vec<Arc<Delivery>> {
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        all.iter().filter(|((own, _), _)| own == region).map(|(_, queue)| queue.clone()).collect()
    }

    /// The queue of a URL, or of a bare name, as seen from a region. SQS looks at the path only, so do we.
    pub(super) fn find(&self, region: &str, url_or_name: &str) -> Option<Arc<Delivery>> {
        let path = url_or_name.split_once("://").map_or(url_or_name, |(_, rest)| rest);
        let mut parts = path.rsplit('/');
        let name = parts.next()?;
        let account_fits = parts.next().is_none_or(|account| account == self.account);
        self.get(region, name).filter(|_| account_fits)
    }

    /// The queue with that ARN.
    pub(crate) fn with_arn(&self, arn: &str) -> Option<Arc<Delivery>> {
        let mut parts = arn.strip_prefix("arn:aws:sqs:")?.splitn(3, ':');
        let (region, account, name) = (parts.next()?, parts.next()?, parts.next()?);
        self.get(region, name).filter(|_| account == self.account)
    }

    /// The regions and the URLs of their event queues.
    pub(crate) fn urls(&self) -> BTreeMap<String, String> {
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        let events = all.iter().filter(|((region, name), _)| *name == event_queue(region));
        events.map(|((region, _), queue)| (region.clone(), queue.url.clone())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deleted_queue_s_name_rests_for_its_pause_and_no_longer() {
        let (queues, now, pause) = (
            Queues::new("http://here", "1", ["r"].into_iter(), None, 0),
            Instant::now(),
            Duration::from_secs(60),
        );
        queues.remove("r", "never-there", now);
        assert!(!queues.was_deleted("r", "never-there", now, pause));
        queues.remove("r", &event_queue("r"), now);
        let rests = |after: Duration| queues.was_deleted("r", &event_queue("r"), now + after, pause);
        assert!(rests(Duration::ZERO) && rests(pause - Duration::from_millis(1)) && !rests(pause));
    }

    #[test]
    fn a_queue_nobody_reads_keeps_messages_no_longer_than_one_that_is_read() {
        let queues = Queues::new("http://here", "1", ["r"].into_iter(), None, 0);
        let queue = queues.events("r").unwrap();
        let sent = |at_ms: i64| Sent {
            id: at_ms.to_string(),
            body: "x".into(),
            attributes: BTreeMap::new(),
            at_ms,
            order: None,
            source: None,
        };
        let kept_ms = queue.settings(Settings::retention_ms);
        queue.send(vec![sent(0), sent(1), sent(kept_ms)], None);
        assert_eq!(queue.with(|messages, _| messages.depth()), (2, 0, 0));
    }
}

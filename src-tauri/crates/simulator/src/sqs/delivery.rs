//! The queues of the simulator, and waiting for a message in one.
//!
//! Owns the lock around each queue and the wake-up of long polls; the rules of a queue are `queue`'s.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::queue::{Queue, Received, Sent};

/// A queue others can wait for.
#[derive(Debug)]
pub(crate) struct Delivery {
    name: String,
    url: String,
    queue: Mutex<Queue>,
    arrived: Notify,
}

impl Delivery {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The name.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The URL clients name the queue by.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Takes messages in and wakes the long polls.
    pub(crate) fn send(&self, messages: Vec<Sent>, delay: Duration) {
        if messages.is_empty() {
            return;
        }
        let now = Instant::now();
        let mut queue = self.queue();
        for message in messages {
            queue.send(message, delay, now);
        }
        drop(queue);
        self.arrived.notify_waiters();
    }

    /// Does something with the queue at the present instant.
    pub(super) fn with<R>(&self, act: impl FnOnce(&mut Queue, Instant) -> R) -> R {
        let result = act(&mut self.queue(), Instant::now());
        // Whatever was done may have made a message visible to someone who waits.
        self.arrived.notify_waiters();
        result
    }

    /// Receives messages, waiting up to `wait` of real time for the first.
    pub(super) async fn receive(
        &self,
        most: usize,
        visibility: Duration,
        wait: Duration,
        virtual_ms: impl Fn() -> i64,
    ) -> Vec<Received> {
        let deadline = Instant::now() + wait;
        loop {
            let arrived = self.arrived.notified();
            let (received, next) = {
                let mut queue = self.queue();
                (queue.receive(most, visibility, Instant::now(), virtual_ms()), queue.next_visible())
            };
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

/// All queues, by region.
#[derive(Debug)]
pub(crate) struct Queues {
    account: String,
    by_region: BTreeMap<String, Delivery>,
}

impl Queues {
    /// One queue a region, at an endpoint.
    pub(crate) fn new<'a>(endpoint: &str, account: &str, regions: impl Iterator<Item = &'a str>) -> Queues {
        let by_region = regions.map(|region| {
            let name = format!("liftdeck-events-{region}");
            let url = format!("{endpoint}/{account}/{name}");
            let delivery = Delivery { name, url, queue: Mutex::default(), arrived: Notify::new() };
            (region.to_owned(), delivery)
        });
        Queues { account: account.to_owned(), by_region: by_region.collect() }
    }

    /// The queue of a region.
    pub(crate) fn of(&self, region: &str) -> Option<&Delivery> {
        self.by_region.get(region)
    }

    /// The queue of a URL, or of a bare name, as seen from a region. SQS looks at the path only, so do we.
    pub(super) fn find(&self, region: &str, url_or_name: &str) -> Option<&Delivery> {
        let path = url_or_name.split_once("://").map_or(url_or_name, |(_, rest)| rest);
        let mut parts = path.rsplit('/');
        let name = parts.next()?;
        let account_fits = parts.next().is_none_or(|account| account == self.account);
        self.of(region).filter(|delivery| account_fits && delivery.name == name)
    }

    /// The regions and the URLs of their queues.
    pub(crate) fn urls(&self) -> BTreeMap<String, String> {
        let all = self.by_region.iter();
        all.map(|(region, delivery)| (region.clone(), delivery.url.clone())).collect()
    }
}

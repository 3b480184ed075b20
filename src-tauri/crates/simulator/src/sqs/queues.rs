//! The queues of the simulator by region and name: the event queues, and those that callers create.
//!
//! Owns which queues exist and how long the name of a deleted one is blocked; how a queue behaves is up to
//! `delivery`.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use crate::pace::Pace;
use crate::policy;

use super::delivery::Delivery;
use super::manage::settings_of;
use super::settings::Settings;

/// All queues, by region and name.
#[derive(Debug)]
pub(crate) struct Queues {
    account: String,
    endpoint: String,
    /// The clock for hidden messages and blocked names.
    pace: Pace,
    all: RwLock<BTreeMap<(String, String), Arc<Delivery>>>,
    /// When queues were deleted, by region and name.
    deleted: Mutex<BTreeMap<(String, String), Instant>>,
}

/// The name of a region's event queue, from which a connection receives its events.
fn event_queue(region: &str) -> String {
    format!("liftdeck-events-{region}")
}

impl Queues {
    /// Creates an event queue for each region, which admits the region's topics and rules except in the region
    /// `shut`.
    pub(crate) fn new<'a>(
        endpoint: &str,
        account: &str,
        regions: impl Iterator<Item = &'a str>,
        shut: Option<&str>,
        at_ms: i64,
        pace: Pace,
    ) -> Queues {
        let queues = Queues {
            account: account.to_owned(),
            endpoint: endpoint.to_owned(),
            pace,
            all: RwLock::default(),
            deleted: Mutex::default(),
        };
        for region in regions {
            let name = event_queue(region);
            let arn = queues.arn_of_events(region);
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

    /// Creates a queue.
    pub(super) fn add(&self, region: &str, name: &str, settings: Settings, at_ms: i64) -> Arc<Delivery> {
        let url = format!("{}/{}/{name}", self.endpoint, self.account);
        let arn = format!("arn:aws:sqs:{region}:{}:{name}", self.account);
        let delivery = Arc::new(Delivery::new(name, url, arn, settings, at_ms, self.pace.clone()));
        let mut all = self.all.write().unwrap_or_else(PoisonError::into_inner);
        all.insert((region.to_owned(), name.to_owned()), delivery.clone());
        delivery
    }

    /// The current time.
    pub(super) fn now(&self) -> Instant {
        self.pace.now()
    }

    /// Makes callers that wait for a message check again, because time was advanced by hand.
    pub(crate) fn look_again(&self) {
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        all.values().for_each(|queue| queue.look_again());
    }

    /// Deletes a queue.
    pub(super) fn remove(&self, region: &str, name: &str, now: Instant) {
        let key = (region.to_owned(), name.to_owned());
        let mut all = self.all.write().unwrap_or_else(PoisonError::into_inner);
        if all.remove(&key).is_some() {
            self.deleted.lock().unwrap_or_else(PoisonError::into_inner).insert(key, now);
        }
    }

    /// Whether a queue with that name was deleted less than `pause` ago.
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

    /// The ARN of the event queue of a region.
    pub(crate) fn arn_of_events(&self, region: &str) -> String {
        format!("arn:aws:sqs:{region}:{}:{}", self.account, event_queue(region))
    }

    /// The queues of a region, by name.
    pub(super) fn of(&self, region: &str) -> Vec<Arc<Delivery>> {
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        all.iter().filter(|((own, _), _)| own == region).map(|(_, queue)| queue.clone()).collect()
    }

    /// Finds the queue in a region by URL or by bare name. SQS looks only at the path of a URL, and so does this.
    pub(super) fn find(&self, region: &str, url_or_name: &str) -> Option<Arc<Delivery>> {
        let path = url_or_name.split_once("://").map_or(url_or_name, |(_, rest)| rest);
        let mut parts = path.rsplit('/');
        let name = parts.next()?;
        let account_fits = parts.next().is_none_or(|account| account == self.account);
        self.get(region, name).filter(|_| account_fits)
    }

    /// Finds the queue with this ARN.
    pub(crate) fn with_arn(&self, arn: &str) -> Option<Arc<Delivery>> {
        let mut parts = arn.strip_prefix("arn:aws:sqs:")?.splitn(3, ':');
        let (region, account, name) = (parts.next()?, parts.next()?, parts.next()?);
        self.get(region, name).filter(|_| account == self.account)
    }

    /// The URL of each region's event queue.
    pub(crate) fn urls(&self) -> BTreeMap<String, String> {
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        let events = all.iter().filter(|((region, name), _)| *name == event_queue(region));
        events.map(|((region, _), queue)| (region.clone(), queue.url().to_owned())).collect()
    }
}

#[cfg(test)]
mod tests;

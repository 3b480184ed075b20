//! SNS: topics, their subscriptions, and the messages published on them, in the Query protocol.
//!
//! Owns the subscriptions. Only subscriptions with the protocol `sqs` are delivered. Whether a queue accepts a
//! message is up to the queue's policy; what a message says is up to its publisher.

mod action;
mod filter;

use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

pub(crate) use action::{Request, operation, operations};

use crate::notification::{Publication, identifier, wrapped};
use crate::policy::{self, Sender};
use crate::service::ServiceError;
use crate::sqs::{Queues, Sent};

/// The topics of each region that the game's queues and matchmakers publish on, and whether their messages are
/// delivered raw to the event queue.
const TOPICS: [(&str, bool); 3] =
    [("gamelift-placements", false), ("gamelift-placements-raw", true), ("gamelift-matchmaking", true)];

/// The suffix of the names of FIFO topics and queues.
const FIFO: &str = ".fifo";

/// Whether an ARN belongs to a FIFO topic or queue.
fn is_fifo(arn: &str) -> bool {
    arn.ends_with(FIFO)
}

/// A subscription to a topic.
#[derive(Debug, Clone)]
struct Subscription {
    topic: String,
    protocol: String,
    endpoint: String,
    /// `RawMessageDelivery`, `FilterPolicy` and the like, as they were given.
    attributes: BTreeMap<String, String>,
    /// Queues of the account need no confirmation; every other endpoint would.
    confirmed: bool,
}

impl Subscription {
    fn is(&self, attribute: &str, value: &str) -> bool {
        self.attributes.get(attribute).is_some_and(|own| own == value)
    }

    /// Whether it has these attributes; it may have others as well.
    fn holds(&self, attributes: &BTreeMap<String, String>) -> bool {
        let json = |text: &String| serde_json::from_str::<serde_json::Value>(text).ok();
        attributes.iter().all(|(name, value)| match self.attributes.get(name) {
            Some(own) => own == value || (name == "FilterPolicy" && json(own) == json(value)),
            None => name == "RawMessageDelivery" && value == "false",
        })
    }

    /// Whether its filter policy lets a message through.
    fn wants(&self, publication: &Publication) -> bool {
        let Some(policy) = self.attributes.get("FilterPolicy") else { return true };
        filter::passes(policy, self.is("FilterPolicyScope", "MessageBody"), publication)
    }
}

/// All topics and subscriptions, by ARN.
#[derive(Debug, Default)]
struct Directory {
    topics: BTreeMap<String, BTreeMap<String, String>>,
    subscriptions: BTreeMap<String, Subscription>,
    made: u64,
    published: u64,
}

impl Directory {
    fn subscribe(&mut self, subscription: Subscription) -> String {
        self.made += 1;
        let of = format!("{} {} {}", subscription.topic, subscription.endpoint, self.made);
        let arn = format!("{}:{}", subscription.topic, identifier(&of, "subscription"));
        self.subscriptions.insert(arn.clone(), subscription);
        arn
    }

    fn topic(&self, arn: &str) -> Result<&BTreeMap<String, String>, ServiceError> {
        self.topics.get(arn).ok_or_else(|| not_found("Topic does not exist"))
    }
}

fn not_found(message: &str) -> ServiceError {
    ServiceError::new("NotFound", message).with_status(404)
}

/// SNS in all regions.
#[derive(Debug)]
pub(crate) struct Sns {
    account: String,
    directory: RwLock<Directory>,
}

impl Sns {
    /// Creates the topics of the regions, with the event queues subscribed except in the region `cut_off`.
    pub(crate) fn new<'a>(
        account: &str,
        regions: impl Iterator<Item = &'a str>,
        cut_off: Option<&str>,
    ) -> Sns {
        let mut directory = Directory::default();
        for region in regions {
            for (name, raw) in TOPICS {
                let topic = format!("arn:aws:sns:{region}:{account}:{name}");
                directory.topics.insert(topic.clone(), BTreeMap::new());
                if cut_off != Some(region) {
                    directory.subscribe(Subscription {
                        topic,
                        protocol: "sqs".to_owned(),
                        endpoint: format!("arn:aws:sqs:{region}:{account}:liftdeck-events-{region}"),
                        attributes: [("RawMessageDelivery".to_owned(), raw.to_string())].into(),
                        confirmed: true,
                    });
                }
            }
        }
        Sns { account: account.to_owned(), directory: RwLock::new(directory) }
    }

    /// Delivers what a resource of GameLift publishes, if the policy of the topic allows GameLift to publish for it.
    pub(crate) fn announce(&self, publication: &Publication, resource: &str, queues: &Queues) {
        let sender = Sender { service: "gamelift.amazonaws.com", source: resource };
        let refused = {
            let directory = self.directory.read().unwrap_or_else(PoisonError::into_inner);
            let topic = directory.topics.get(&publication.topic);
            // A topic that has not been given a policy lets GameLift in, see `topic_policy`.
            topic
                .and_then(|attributes| attributes.get("Policy"))
                .is_some_and(|given| !policy::allows(Some(given), "sns:Publish", &publication.topic, sender))
        };
        if !refused {
            self.deliver(publication, queues);
        }
    }

    /// Delivers a message to the queues subscribed to its topic; if the topic does not exist, the message is lost.
    pub(crate) fn deliver(&self, publication: &Publication, queues: &Queues) {
        let directory = self.directory.read().unwrap_or_else(PoisonError::into_inner);
        let subscribed = directory.subscriptions.iter().filter(|(_, subscription)| {
            subscription.topic == publication.topic
                && subscription.protocol == "sqs"
                && subscription.confirmed
                && subscription.wants(publication)
        });
        for (arn, subscription) in subscribed {
            let Some(queue) = queues.with_arn(&subscription.endpoint) else { continue };
            let raw = subscription.is("RawMessageDelivery", "true");
            let message = Sent {
                id: identifier(&format!("{} {arn}", publication.id), "message"),
                body: if raw { publication.body.clone() } else { wrapped(publication, arn) },
                attributes: if raw { publication.attributes.clone() } else { BTreeMap::new() },
                at_ms: publication.at_ms,
                // A standard queue may be subscribed to a FIFO topic; the order is lost there.
                order: publication.order.clone().filter(|_| is_fifo(&subscription.endpoint)),
                source: None,
            };
            // If the queue's policy refuses the message, it is lost and SNS does not report that.
            queue.accept(message, Sender { service: "sns.amazonaws.com", source: &publication.topic });
        }
    }
}

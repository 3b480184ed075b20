//! SNS: topics, their subscriptions, and what is published on them, in the Query protocol.
//!
//! Owns who is subscribed to what. Of the protocols a subscription can have only `sqs` is delivered; whether a queue
//! takes a message is the queue's policy's matter, what a message says its publisher's.

mod action;
mod filter;
mod form;
mod policy;

use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

pub(crate) use action::{Request, operation, operations};

use crate::notification::{Publication, identifier, wrapped};
use crate::service::ServiceError;
use crate::sqs::{Queues, Sender, Sent};

/// The topics of each region that the game's queues and matchmakers publish on, and whether what they say is delivered
/// raw to the event queue.
const TOPICS: [(&str, bool); 3] =
    [("gamelift-placements", false), ("gamelift-placements-raw", true), ("gamelift-matchmaking", true)];

/// How the names of FIFO topics and queues end.
const FIFO: &str = ".fifo";

/// Whether an ARN is that of a FIFO topic or queue.
fn is_fifo(arn: &str) -> bool {
    arn.ends_with(FIFO)
}

/// Who is subscribed to a topic, and how.
#[derive(Debug, Clone)]
struct Subscription {
    topic: String,
    protocol: String,
    endpoint: String,
    /// `RawMessageDelivery`, `FilterPolicy` and the like, as they were given.
    attributes: BTreeMap<String, String>,
    /// Queues of the account need not confirm; everybody else would have to.
    confirmed: bool,
}

impl Subscription {
    fn is(&self, attribute: &str, value: &str) -> bool {
        self.attributes.get(attribute).is_some_and(|own| own == value)
    }

    /// Whether it has these attributes; what is not among them does not count.
    fn holds(&self, attributes: &BTreeMap<String, String>) -> bool {
        let json = |text: &String| serde_json::from_str::<serde_json::Value>(text).ok();
        attributes.iter().all(|(name, value)| match self.attributes.get(name) {
            Some(own) => own == value || (name == "FilterPolicy" && json(own) == json(value)),
            None => name == "RawMessageDelivery" && value == "false",
        })
    }

    /// Whether its filter lets a message through.
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
    /// The topics of the regions, subscribed by their event queues unless the region is named as cut off.
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

    /// Brings a message to the queues that are subscribed to its topic; a topic that does not exist loses it.
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
                // A standard queue may follow a FIFO topic; the order is lost there.
                order: publication.order.clone().filter(|_| is_fifo(&subscription.endpoint)),
                source: None,
            };
            // A policy that does not let it in loses the message, and SNS tells nobody.
            queue.accept(message, Sender { service: "sns.amazonaws.com", source: &publication.topic });
        }
    }
}

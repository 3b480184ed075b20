//! What queues and matchmakers publish, as the JSON that arrives in SQS: an SNS notification around the event, the
//! event itself from a raw SNS subscription, or the event itself from an EventBridge rule.
//!
//! Subscriptions are up to SNS, rules are up to EventBridge, delivery is up to the queue.

mod detail;

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::event_bridge::Event;
use crate::sqs::{Attribute, Author, Body, Order};
use liftdeck_simulated_world::records::{Notice, NoticeDetail};

/// A message published on a topic.
#[derive(Debug, Clone)]
pub(crate) struct Publication {
    /// The ARN of the topic.
    pub(crate) topic: String,
    /// The id of the message.
    pub(crate) id: String,
    /// The subject, if there is one.
    pub(crate) subject: Option<String>,
    /// The body of the message.
    pub(crate) body: Body,
    /// The publisher's attributes.
    pub(crate) attributes: BTreeMap<String, Attribute>,
    /// The group and deduplication id on a FIFO topic.
    pub(crate) order: Option<Order>,
    /// When it was published, in virtual time.
    pub(crate) at_ms: i64,
}

/// Returns what a resource publishes about an event on its topic. On a FIFO topic, the events of one resource form a
/// group.
pub(crate) fn publication(told: &Arc<Announcement>, topic: String) -> Publication {
    let notice = &told.notice;
    Publication {
        id: identifier(&notice.id, "notification"),
        subject: None,
        attributes: BTreeMap::new(),
        order: topic
            .ends_with(".fifo")
            .then(|| Order { group: notice.resource_arn.clone(), deduplication: notice.id.clone() }),
        at_ms: notice.time_ms,
        body: Body::Written(told.clone()),
        topic,
    }
}

/// An event of the world, written only when it is read.
#[derive(Debug)]
pub(crate) struct Announcement {
    notice: Notice,
    account: String,
}

/// The members of an event, in their order.
const MEMBERS: [&str; 9] =
    ["version", "id", "detail-type", "source", "account", "time", "region", "resources", "detail"];

impl Announcement {
    /// Tells of an event of the world in an account.
    pub(crate) fn new(notice: Notice, account: &str) -> Announcement {
        Announcement { notice, account: account.to_owned() }
    }

    /// The ARN of the resource with the event.
    pub(crate) fn resource(&self) -> &str {
        &self.notice.resource_arn
    }

    fn detail(&self) -> Value {
        let mut detail = match &self.notice.detail {
            NoticeDetail::Placement(placement) => detail::placement(placement),
            NoticeDetail::Matchmaking(matchmaking) => detail::matchmaking(matchmaking),
        };
        put(&mut detail, "customEventData", self.notice.custom_event_data.as_deref());
        Value::Object(detail)
    }
}

impl Event for Arc<Announcement> {
    fn id(&self) -> &str {
        &self.notice.id
    }

    fn at_ms(&self) -> i64 {
        self.notice.time_ms
    }

    fn member(&self, name: &str) -> Option<Value> {
        member(self, name)
    }

    fn body(&self) -> Body {
        Body::Written(self.clone())
    }
}

fn member(told: &Announcement, name: &str) -> Option<Value> {
    let notice = &told.notice;
    Some(match name {
        "version" => "0".into(),
        "id" => notice.id.as_str().into(),
        "detail-type" => match &notice.detail {
            NoticeDetail::Placement(_) => "GameLift Queue Placement Event".into(),
            NoticeDetail::Matchmaking(_) => "GameLift Matchmaking Event".into(),
        },
        "source" => "aws.gamelift".into(),
        "account" => told.account.as_str().into(),
        "time" => time(notice.time_ms, "%Y-%m-%dT%H:%M:%SZ").into(),
        "region" => notice.region.as_str().into(),
        "resources" => json!([notice.resource_arn]),
        "detail" => told.detail(),
        _ => return None,
    })
}

impl Author for Announcement {
    fn write(&self) -> String {
        let mut members = Map::new();
        for name in MEMBERS {
            put(&mut members, name, member(self, name));
        }
        Value::Object(members).to_string()
    }
}

/// A message in the SNS envelope for a subscription, written only when it is read.
#[derive(Debug)]
struct Envelope {
    publication: Publication,
    subscription: String,
}

impl Author for Envelope {
    fn write(&self) -> String {
        envelope(&self.publication, &self.subscription).to_string()
    }
}

/// Returns the message for a subscription without raw message delivery.
pub(crate) fn wrapped(publication: &Publication, subscription: &str) -> Body {
    Body::by(Envelope { publication: publication.clone(), subscription: subscription.to_owned() })
}

/// Returns an id in the form of a UUID that depends only on the arguments.
pub(crate) fn identifier(of: &str, purpose: &str) -> String {
    let digest = Sha256::digest(format!("{purpose} {of}").as_bytes());
    let mut bytes = [0; 16];
    for (byte, from) in bytes.iter_mut().zip(digest) {
        *byte = from;
    }
    uuid::Builder::from_random_bytes(bytes).into_uuid().to_string()
}

/// Returns the SNS envelope around a message that is not delivered raw.
fn envelope(publication: &Publication, subscription: &str) -> Value {
    let region = publication.topic.split(':').nth(3).unwrap_or_default();
    let sns = format!("https://sns.{region}.amazonaws.com/");
    let mut members = Map::new();
    put(&mut members, "Type", Some("Notification"));
    put(&mut members, "MessageId", Some(publication.id.as_str()));
    put(&mut members, "TopicArn", Some(publication.topic.as_str()));
    put(&mut members, "Subject", publication.subject.as_deref());
    put(&mut members, "Message", Some(publication.body.text()));
    put(&mut members, "Timestamp", Some(precise(publication.at_ms)));
    put(&mut members, "SignatureVersion", Some("1"));
    put(&mut members, "Signature", Some("c2lnbmF0dXJl"));
    let certificate = format!("{sns}SimpleNotificationService-0123456789abcdef.pem");
    put(&mut members, "SigningCertURL", Some(certificate));
    let leave = format!("{sns}?Action=Unsubscribe&SubscriptionArn={subscription}");
    put(&mut members, "UnsubscribeURL", Some(leave));
    let attributes = publication.attributes.iter().map(|(name, attribute)| {
        let value = attribute.text.clone().unwrap_or_default();
        (name.clone(), json!({ "Type": attribute.data_type, "Value": value }))
    });
    let attributes: Map<String, Value> = attributes.collect();
    put(&mut members, "MessageAttributes", (!attributes.is_empty()).then_some(attributes));
    Value::Object(members)
}

fn put(members: &mut Map<String, Value>, name: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        members.insert(name.to_owned(), value.into());
    }
}

fn precise(at_ms: i64) -> String {
    time(at_ms, "%Y-%m-%dT%H:%M:%S%.3fZ")
}

fn time(at_ms: i64, format: &str) -> String {
    let at = Timestamp::from_millisecond(at_ms).unwrap_or(Timestamp::UNIX_EPOCH);
    at.strftime(format).to_string()
}

#[cfg(test)]
mod tests;

//! The actions of SNS.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::{FIFO, Sns, Subscription, is_fifo, not_found};
use crate::filter::{Language, check};
use crate::notification::{Publication, identifier};
use crate::query::{Form, answer, element, map_element};
use crate::service::{Service, ServiceError};
use crate::sqs::{Attribute, Order, Queues, sha256_hex};

/// The largest message, in bytes.
const MOST_BYTES: usize = 262_144;

/// The most subscriptions or topics on one page.
const PAGE: usize = 100;

/// Attributes of a subscription that can be set here.
const SETTABLE: [&str; 4] = ["FilterPolicy", "FilterPolicyScope", "RawMessageDelivery", "RedrivePolicy"];

const OPERATIONS: [&str; 12] = [
    "CreateTopic",
    "DeleteTopic",
    "GetSubscriptionAttributes",
    "GetTopicAttributes",
    "ListSubscriptions",
    "ListSubscriptionsByTopic",
    "ListTopics",
    "Publish",
    "SetSubscriptionAttributes",
    "SetTopicAttributes",
    "Subscribe",
    "Unsubscribe",
];

/// The names of the operations.
pub(crate) fn operations() -> impl Iterator<Item = &'static str> {
    OPERATIONS.into_iter()
}

/// Finds the operation with this name.
pub(crate) fn operation(name: &str) -> Option<&'static str> {
    OPERATIONS.into_iter().find(|known| *known == name)
}

/// One request to SNS.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request<'a> {
    /// The operation.
    pub(crate) operation: &'static str,
    /// The region the request is signed for.
    pub(crate) region: &'a str,
    /// The form body.
    pub(crate) body: &'a [u8],
    /// The id of the request.
    pub(crate) request_id: &'a str,
    /// The current virtual time, in milliseconds since the epoch.
    pub(crate) at_ms: i64,
}

fn invalid(message: impl std::fmt::Display) -> ServiceError {
    ServiceError::new("InvalidParameter", format!("Invalid parameter: {message}"))
}

impl Sns {
    /// Answers a request for an operation of the table, as XML.
    pub(crate) fn answer(&self, request: &Request<'_>, queues: &Queues) -> Result<Vec<u8>, ServiceError> {
        let form = Form::read(request.body);
        let result = match request.operation {
            "CreateTopic" => Some(self.create_topic(request.region, &form)?),
            "DeleteTopic" => self.delete_topic(&form)?,
            "GetTopicAttributes" => Some(self.topic_attributes(&form)?),
            "SetTopicAttributes" => self.set_topic(&form)?,
            "ListTopics" => Some(self.list_topics(request.region, &form)?),
            "Subscribe" => Some(self.subscribe(&form, queues)?),
            "Unsubscribe" => self.unsubscribe(&form)?,
            "GetSubscriptionAttributes" => Some(self.subscription_attributes(&form)?),
            "SetSubscriptionAttributes" => self.set_subscription(&form)?,
            "ListSubscriptions" => Some(self.list_subscriptions(request.region, None, &form)?),
            "ListSubscriptionsByTopic" => {
                let topic = form.required("TopicArn")?;
                self.directory.read().unwrap_or_else(PoisonError::into_inner).topic(topic)?;
                Some(self.list_subscriptions(request.region, Some(topic), &form)?)
            }
            "Publish" => Some(self.publish(&form, request.at_ms, queues)?),
            other => return Err(ServiceError::unknown_operation(other)),
        };
        Ok(answer(Service::Sns, request.operation, result.as_deref(), request.request_id))
    }

    fn create_topic(&self, region: &str, form: &Form) -> Result<String, ServiceError> {
        let name = form.required("Name")?;
        let attributes = form.map("Attributes");
        let stem = name.strip_suffix(FIFO).unwrap_or(name);
        let allowed = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
        if stem.is_empty() || name.len() > 256 || !stem.chars().all(allowed) {
            return Err(invalid("Topic Name"));
        }
        match (attributes.get("FifoTopic").map(String::as_str), name.ends_with(FIFO)) {
            (Some("true"), false) => return Err(invalid("Fifo Topic names must end with .fifo")),
            (Some("true"), true) | (_, false) => {}
            (_, true) => return Err(invalid("Topic Name")),
        }
        let arn = format!("arn:aws:sns:{region}:{}:{name}", self.account);
        let mut directory = self.directory.write().unwrap_or_else(PoisonError::into_inner);
        // An existing topic is returned again, unless the request gives other attributes.
        let own = directory.topics.entry(arn.clone()).or_insert_with(|| attributes.clone());
        if attributes.iter().any(|(name, value)| own.get(name) != Some(value)) {
            return Err(invalid("Attributes Reason: Topic already exists with different attributes"));
        }
        Ok(element("TopicArn", &arn))
    }

    fn delete_topic(&self, form: &Form) -> Result<Option<String>, ServiceError> {
        let arn = form.required("TopicArn")?;
        let mut directory = self.directory.write().unwrap_or_else(PoisonError::into_inner);
        // Deleting a topic that does not exist is not an error.
        directory.topics.remove(arn);
        directory.subscriptions.retain(|_, subscription| subscription.topic != arn);
        Ok(None)
    }

    fn topic_attributes(&self, form: &Form) -> Result<String, ServiceError> {
        let arn = form.required("TopicArn")?;
        let directory = self.directory.read().unwrap_or_else(PoisonError::into_inner);
        let mut attributes = directory.topic(arn)?.clone();
        let own = directory.subscriptions.values().filter(|subscription| subscription.topic == arn);
        let (confirmed, pending): (Vec<&Subscription>, Vec<&Subscription>) =
            own.partition(|own| own.confirmed);
        for (name, value) in [
            ("TopicArn", arn.to_owned()),
            ("Owner", self.account.clone()),
            ("SubscriptionsConfirmed", confirmed.len().to_string()),
            ("SubscriptionsPending", pending.len().to_string()),
            ("SubscriptionsDeleted", "0".to_owned()),
        ] {
            attributes.insert(name.to_owned(), value);
        }
        for (name, value) in [("DisplayName", String::new()), ("Policy", self.topic_policy(arn))] {
            attributes.entry(name.to_owned()).or_insert(value);
        }
        Ok(map_element("Attributes", &attributes))
    }

    /// The policy of a topic that has not been given one; GameLift is among those who may publish.
    fn topic_policy(&self, arn: &str) -> String {
        serde_json::json!({
            "Version": "2008-10-17",
            "Statement": [
                { "Sid": "owner", "Effect": "Allow", "Principal": { "AWS": "*" }, "Action": "SNS:Publish",
                  "Resource": arn, "Condition": { "StringEquals": { "AWS:SourceOwner": self.account } } },
                { "Sid": "gamelift", "Effect": "Allow", "Principal": { "Service": "gamelift.amazonaws.com" },
                  "Action": "SNS:Publish", "Resource": arn },
            ],
        })
        .to_string()
    }

    fn set_topic(&self, form: &Form) -> Result<Option<String>, ServiceError> {
        let (arn, name) = (form.required("TopicArn")?, form.required("AttributeName")?);
        if !["DeliveryPolicy", "DisplayName", "KmsMasterKeyId", "Policy", "SignatureVersion"].contains(&name)
        {
            return Err(invalid("AttributeName"));
        }
        let value = form.get("AttributeValue").unwrap_or_default();
        if name == "Policy" && !is_object(value) {
            return Err(invalid("Policy Error: null"));
        }
        let mut directory = self.directory.write().unwrap_or_else(PoisonError::into_inner);
        let topic = directory.topics.get_mut(arn).ok_or_else(|| not_found("Topic does not exist"))?;
        topic.insert(name.to_owned(), value.to_owned());
        Ok(None)
    }

    fn list_topics(&self, region: &str, form: &Form) -> Result<String, ServiceError> {
        let directory = self.directory.read().unwrap_or_else(PoisonError::into_inner);
        let here = format!("arn:aws:sns:{region}:");
        let arns = directory.topics.keys().filter(|arn| arn.starts_with(&here)).cloned();
        let (page, token) = page(arns, form)?;
        let members = page.iter().map(|arn| format!("<member>{}</member>", element("TopicArn", arn)));
        Ok(format!("<Topics>{}</Topics>{}", members.collect::<String>(), token))
    }

    fn subscribe(&self, form: &Form, queues: &Queues) -> Result<String, ServiceError> {
        let (topic, protocol) = (form.required("TopicArn")?, form.required("Protocol")?);
        let endpoint = form.get("Endpoint").unwrap_or_default();
        let attributes = form.map("Attributes");
        for (name, value) in &attributes {
            check_attribute(name, value)?;
        }
        let known =
            ["application", "email", "email-json", "firehose", "http", "https", "lambda", "sms", "sqs"];
        if !known.contains(&protocol) {
            return Err(invalid(format!("Does not support this protocol string: {protocol}")));
        }
        if protocol == "sqs" && !endpoint.starts_with("arn:aws:sqs:") {
            return Err(invalid("SQS endpoint ARN"));
        }
        if protocol == "sqs" && endpoint.ends_with(FIFO) && !is_fifo(topic) {
            let message = "Endpoint Reason: FIFO SQS Queues can not be subscribed to standard SNS topics";
            return Err(invalid(message));
        }
        let mut directory = self.directory.write().unwrap_or_else(PoisonError::into_inner);
        directory.topic(topic)?;
        let same =
            |own: &Subscription| own.topic == topic && own.protocol == protocol && own.endpoint == endpoint;
        let before = directory.subscriptions.iter().find(|(_, own)| same(own));
        if before.is_some_and(|(_, own)| !own.holds(&attributes)) {
            return Err(invalid("Attributes Reason: Subscription already exists with different attributes"));
        }
        let before = before.map(|(arn, _)| arn.clone());
        let confirmed = protocol == "sqs" && queues.with_arn(endpoint).is_some();
        let arn = before.unwrap_or_else(|| {
            directory.subscribe(Subscription {
                topic: topic.to_owned(),
                protocol: protocol.to_owned(),
                endpoint: endpoint.to_owned(),
                attributes,
                confirmed,
            })
        });
        let told = confirmed || form.get("ReturnSubscriptionArn") == Some("true");
        Ok(element("SubscriptionArn", if told { &arn } else { "pending confirmation" }))
    }

    fn unsubscribe(&self, form: &Form) -> Result<Option<String>, ServiceError> {
        let arn = form.required("SubscriptionArn")?;
        if arn.split(':').count() != 7 {
            return Err(invalid("SubscriptionArn"));
        }
        // Ending a subscription that does not exist is not an error.
        self.directory.write().unwrap_or_else(PoisonError::into_inner).subscriptions.remove(arn);
        Ok(None)
    }

    fn subscription_attributes(&self, form: &Form) -> Result<String, ServiceError> {
        let arn = form.required("SubscriptionArn")?;
        let directory = self.directory.read().unwrap_or_else(PoisonError::into_inner);
        let own = directory.subscriptions.get(arn).ok_or_else(|| not_found("Subscription does not exist"))?;
        let mut attributes = own.attributes.clone();
        for (name, value) in [
            ("SubscriptionArn", arn.to_owned()),
            ("TopicArn", own.topic.clone()),
            ("Owner", self.account.clone()),
            ("Protocol", own.protocol.clone()),
            ("Endpoint", own.endpoint.clone()),
            ("PendingConfirmation", (!own.confirmed).to_string()),
            ("ConfirmationWasAuthenticated", own.confirmed.to_string()),
        ] {
            attributes.insert(name.to_owned(), value);
        }
        attributes.entry("RawMessageDelivery".to_owned()).or_insert_with(|| "false".to_owned());
        Ok(map_element("Attributes", &attributes))
    }

    fn set_subscription(&self, form: &Form) -> Result<Option<String>, ServiceError> {
        let (arn, name) = (form.required("SubscriptionArn")?, form.required("AttributeName")?);
        let value = form.get("AttributeValue").unwrap_or_default();
        check_attribute(name, value)?;
        let mut directory = self.directory.write().unwrap_or_else(PoisonError::into_inner);
        let own =
            directory.subscriptions.get_mut(arn).ok_or_else(|| not_found("Subscription does not exist"))?;
        if value.is_empty() {
            own.attributes.remove(name);
        } else {
            own.attributes.insert(name.to_owned(), value.to_owned());
        }
        Ok(None)
    }

    fn list_subscriptions(
        &self,
        region: &str,
        topic: Option<&str>,
        form: &Form,
    ) -> Result<String, ServiceError> {
        let directory = self.directory.read().unwrap_or_else(PoisonError::into_inner);
        let here = format!("arn:aws:sns:{region}:");
        let wanted = |own: &Subscription| match topic {
            Some(topic) => own.topic == topic,
            None => own.topic.starts_with(&here),
        };
        let arns = directory.subscriptions.iter().filter(|(_, own)| wanted(own)).map(|(arn, _)| arn.clone());
        let (page, token) = page(arns, form)?;
        let member = |arn: &String| {
            let own = directory.subscriptions.get(arn)?;
            let shown = if own.confirmed { arn } else { "PendingConfirmation" };
            Some(format!(
                "<member>{}{}{}{}{}</member>",
                element("SubscriptionArn", shown),
                element("Owner", &self.account),
                element("Protocol", &own.protocol),
                element("Endpoint", &own.endpoint),
                element("TopicArn", &own.topic),
            ))
        };
        let members: String = page.iter().filter_map(member).collect();
        Ok(format!("<Subscriptions>{members}</Subscriptions>{token}"))
    }

    /// The number of the next message published on a topic.
    fn next_published(&self, topic: &str) -> Result<u64, ServiceError> {
        let mut directory = self.directory.write().unwrap_or_else(PoisonError::into_inner);
        directory.topic(topic)?;
        directory.published += 1;
        Ok(directory.published)
    }

    fn publish(&self, form: &Form, at_ms: i64, queues: &Queues) -> Result<String, ServiceError> {
        let topic = form
            .get("TopicArn")
            .or(form.get("TargetArn"))
            .ok_or_else(|| invalid("TopicArn or TargetArn Reason: no value for required parameter"))?;
        if topic.split(':').count() != 6 {
            return Err(invalid("TopicArn"));
        }
        let number = self.next_published(topic)?;
        let body = form.required("Message")?;
        if body.is_empty() {
            return Err(invalid("Empty message"));
        }
        if body.len() > MOST_BYTES {
            return Err(invalid("Message too long"));
        }
        let attributes: BTreeMap<String, Attribute> =
            form.entries("MessageAttributes").into_iter().map(attribute).collect::<Result<_, _>>()?;
        let order = if is_fifo(topic) { Some(self.order(topic, body, form)?) } else { None };
        let sequence = order.as_ref().map(|_| element("SequenceNumber", &format!("1{number:019}")));
        let publication = Publication {
            topic: topic.to_owned(),
            id: identifier(&format!("{topic} {number}"), "published"),
            subject: form.get("Subject").map(str::to_owned),
            body: body.into(),
            attributes,
            order,
            at_ms,
        };
        self.deliver(&publication, queues);
        Ok(format!("{}{}", element("MessageId", &publication.id), sequence.unwrap_or_default()))
    }

    /// Reads the group and the deduplication id of a message on a FIFO topic.
    fn order(&self, topic: &str, body: &str, form: &Form) -> Result<Order, ServiceError> {
        let group = form
            .get("MessageGroupId")
            .ok_or_else(|| invalid("The MessageGroupId parameter is required for FIFO topics"))?;
        let directory = self.directory.read().unwrap_or_else(PoisonError::into_inner);
        let by_content = directory.topic(topic)?.get("ContentBasedDeduplication").map(String::as_str);
        let deduplication = match form.get("MessageDeduplicationId") {
            Some(given) => given.to_owned(),
            None if by_content == Some("true") => sha256_hex(body.as_bytes()),
            None => {
                return Err(invalid(
                    "The topic should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly",
                ));
            }
        };
        Ok(Order { group: group.to_owned(), deduplication })
    }
}

fn is_object(text: &str) -> bool {
    serde_json::from_str::<Value>(text).is_ok_and(|value| value.is_object())
}

fn check_attribute(name: &str, value: &str) -> Result<(), ServiceError> {
    if !SETTABLE.contains(&name) {
        return Err(invalid("AttributeName"));
    }
    if name == "FilterPolicy" && !value.is_empty() {
        let checked = check(value, Language::FilterPolicy);
        return checked.map(|_| ()).map_err(|wrong| invalid(format!("FilterPolicy: {wrong}")));
    }
    let fits = match name {
        _ if value.is_empty() => true,
        "RawMessageDelivery" => ["true", "false"].contains(&value),
        "FilterPolicyScope" => ["MessageAttributes", "MessageBody"].contains(&value),
        _ => is_object(value),
    };
    if fits { Ok(()) } else { Err(invalid(format!("{name}: {value} is not valid"))) }
}

fn attribute(mut entry: BTreeMap<String, String>) -> Result<(String, Attribute), ServiceError> {
    let (name, kind) = (entry.remove("Name"), entry.remove("Value.DataType"));
    let (Some(name), Some(data_type)) = (name, kind) else {
        return Err(invalid("MessageAttributes Reason: a name and a data type are required"));
    };
    let bytes = entry.remove("Value.BinaryValue").and_then(|text| STANDARD.decode(text).ok());
    Ok((name, Attribute { data_type, text: entry.remove("Value.StringValue"), bytes }))
}

/// Returns one page of ARNs in order, and the XML element of its token.
fn page(arns: impl Iterator<Item = String>, form: &Form) -> Result<(Vec<String>, String), ServiceError> {
    let after = form.get("NextToken").map(|token| {
        let bytes = STANDARD.decode(token).ok();
        bytes.and_then(|bytes| String::from_utf8(bytes).ok()).ok_or_else(|| invalid("NextToken"))
    });
    let after = after.transpose()?;
    let mut rest = arns.filter(|arn| after.as_ref().is_none_or(|after| arn > after));
    let page: Vec<String> = rest.by_ref().take(PAGE).collect();
    let more = rest.next().is_some();
    let token = page.last().filter(|_| more).map(|last| element("NextToken", &STANDARD.encode(last)));
    Ok((page, token.unwrap_or_default()))
}

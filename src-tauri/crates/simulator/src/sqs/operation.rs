//! The SQS operations that move messages, and the dispatch to all of them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::attribute::{self, digest, md5_hex, sha256_hex};
use super::batch;
use super::body::Body;
use super::delivery::Delivery;
use super::input::{
    DeleteBatchInput, DeleteInput, ReceiveInput, SendInput, VisibilityBatchInput, VisibilityInput, read,
};
use super::manage::check_fifo;
use super::queue::{Order, Receipt, Received, Sent};
use super::queues::Queues;
use super::settings::Settings;
use crate::notification::identifier;
use crate::page::Tokens;
use crate::service::ServiceError;
use crate::wire::{Pairs, Value, Wire, Writer, in_place};

/// The largest message: 1 MiB.
pub(super) const MAX_BODY_BYTES: usize = 1 << 20;

/// The names of the operations; none has a published rate.
const OPERATIONS: [&str; 13] = [
    "CreateQueue",
    "DeleteQueue",
    "PurgeQueue",
    "SetQueueAttributes",
    "ReceiveMessage",
    "DeleteMessage",
    "DeleteMessageBatch",
    "ChangeMessageVisibility",
    "ChangeMessageVisibilityBatch",
    "GetQueueAttributes",
    "GetQueueUrl",
    "ListQueues",
    "SendMessage",
];

/// The names of the operations.
pub(crate) fn operations() -> impl Iterator<Item = &'static str> {
    OPERATIONS.into_iter()
}

/// Finds the operation with this name.
pub(crate) fn operation(name: &str) -> Option<&'static str> {
    OPERATIONS.into_iter().find(|known| *known == name)
}

/// One request to SQS.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request<'a> {
    /// The operation.
    pub(crate) operation: &'static str,
    /// The region the request is signed for.
    pub(crate) region: &'a str,
    /// The input as read from the body.
    pub(crate) body: &'a Value,
    /// Whether a fault makes received messages stay visible.
    pub(crate) stay_visible: bool,
}

/// SQS over the queues of the simulator.
#[derive(Debug)]
pub(crate) struct Sqs {
    /// The queues.
    pub(crate) queues: Queues,
    pub(super) tokens: Tokens,
    sent: AtomicU64,
}

impl Sqs {
    /// Creates SQS over these queues.
    pub(crate) fn new(queues: Queues, tokens: Tokens) -> Sqs {
        Sqs { queues, tokens, sent: AtomicU64::new(0) }
    }

    /// Answers a request for an operation of `OPERATIONS`.
    pub(crate) async fn answer(
        &self,
        request: &Request<'_>,
        virtual_ms: impl Fn() -> i64,
        writer: &mut Writer,
    ) -> Result<(), ServiceError> {
        let (region, body) = (request.region, request.body);
        match request.operation {
            "ReceiveMessage" => {
                let mut input: ReceiveInput = read(body)?;
                if request.stay_visible {
                    input.visibility = Some(0);
                }
                self.receive(region, &input, virtual_ms, writer).await
            }
            "DeleteMessage" => self.delete(region, &read(body)?),
            "DeleteMessageBatch" => self.delete_batch(region, read(body)?, writer),
            "ChangeMessageVisibility" => self.change_visibility(region, &read(body)?),
            "ChangeMessageVisibilityBatch" => self.change_visibility_batch(region, read(body)?, writer),
            "GetQueueAttributes" => self.attributes(region, &read(body)?, virtual_ms(), writer),
            "GetQueueUrl" => self.url(region, &read(body)?, writer),
            "CreateQueue" => self.create(region, &read(body)?, virtual_ms(), writer),
            "SetQueueAttributes" => self.set(region, &read(body)?, virtual_ms()),
            "PurgeQueue" => self.purge(region, &read(body)?),
            "DeleteQueue" => self.delete_queue(region, &read(body)?),
            "ListQueues" => self.list(region, &read(body)?, writer),
            "SendMessage" => self.send(region, read(body)?, virtual_ms(), writer),
            other => Err(ServiceError::unknown_operation(other)),
        }
    }

    pub(super) fn queue(&self, region: &str, url: &str) -> Result<Arc<Delivery>, ServiceError> {
        self.queues.find(region, url).ok_or_else(|| {
            ServiceError::new("QueueDoesNotExist", "The specified queue does not exist.")
                .with_query_code("AWS.SimpleQueueService.NonExistentQueue")
        })
    }

    async fn receive(
        &self,
        region: &str,
        input: &ReceiveInput,
        virtual_ms: impl Fn() -> i64,
        writer: &mut Writer,
    ) -> Result<(), ServiceError> {
        let queue = self.queue(region, &input.queue_url)?;
        let seconds = |given: i64| Duration::from_secs(given.unsigned_abs());
        let visibility = input.visibility.map_or_else(|| queue.settings(Settings::visibility), seconds);
        let wait = input.wait.map_or_else(|| queue.settings(Settings::wait), seconds);
        let redrive = queue.settings(Settings::redrive);
        let dead = redrive.and_then(|redrive| Some((self.queues.with_arn(&redrive.target)?, redrive.most)));
        let received = queue
            .receive(
                usize::try_from(input.most.unwrap_or(1)).unwrap_or(1),
                visibility,
                wait,
                dead.as_ref().map(|(target, most)| (&**target, *most)),
                virtual_ms,
            )
            .await;
        let messages: Vec<_> = received.iter().map(|message| self.message(&queue, message, input)).collect();
        if messages.is_empty() {
            writer.open_map();
            writer.close_map();
        } else {
            in_place!({ "Messages" => messages }).write(writer);
        }
        Ok(())
    }

    fn message(&self, queue: &Delivery, received: &Received, input: &ReceiveInput) -> impl Wire {
        let handle = self.tokens.seal(
            &format!("receipt {}", queue.arn()),
            &format!("{} {}", received.receipt.sequence, received.receipt.count),
        );
        let known = [
            ("SenderId", "AIDASIMULATEDSENDER".to_owned()),
            ("SentTimestamp", received.sent.at_ms.to_string()),
            ("ApproximateReceiveCount", received.receipt.count.to_string()),
            ("ApproximateFirstReceiveTimestamp", received.first_received_ms.to_string()),
        ];
        let order = received.sent.order.as_ref();
        let ordered = order.map(|order| {
            [
                ("SequenceNumber", sequence_number(received.receipt.sequence)),
                ("MessageGroupId", order.group.clone()),
                ("MessageDeduplicationId", order.deduplication.clone()),
            ]
        });
        let source = received.sent.source.clone().map(|source| ("DeadLetterQueueSourceArn", source));
        let names: Vec<&String> = input.attribute_names.iter().chain(&input.system_names).flatten().collect();
        let system: Vec<(String, String)> = known
            .into_iter()
            .chain(ordered.into_iter().flatten())
            .chain(source)
            .filter(|(name, _)| names.iter().any(|asked| *asked == "All" || asked == name))
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        let asked = input.message_names.clone().unwrap_or_default();
        let attributes: BTreeMap<_, _> = received
            .sent
            .attributes
            .iter()
            .filter(|(name, _)| asked.iter().any(|asked| attribute_matches(asked, name)))
            .map(|(name, attribute)| (name.clone(), attribute.clone()))
            .collect();
        let (id, body) = (received.sent.id.clone(), received.sent.body.text().into_owned());
        let md5 = md5_hex(body.as_bytes());
        let attributes_md5 = digest(&attributes);
        let attributes: Vec<_> = attributes.into_iter().collect();
        in_place!(move {
            "MessageId" => id,
            "ReceiptHandle" => handle,
            "MD5OfBody" => md5,
            "Body" => body,
            "Attributes" => Pairs(&system),
            "MD5OfMessageAttributes" => attributes_md5,
            "MessageAttributes" => Pairs(&attributes),
        })
    }

    fn receipt(&self, queue: &Delivery, handle: &str) -> Result<Receipt, ServiceError> {
        let cursor = self.tokens.open(&format!("receipt {}", queue.arn()), handle).ok();
        let parts = cursor.as_deref().and_then(|cursor| cursor.split_once(' '));
        parts
            .and_then(|(sequence, count)| {
                Some(Receipt { sequence: sequence.parse().ok()?, count: count.parse().ok()? })
            })
            .ok_or_else(|| {
                let message = format!("The input receipt handle \"{handle}\" is not a valid receipt handle.");
                ServiceError::new("ReceiptHandleIsInvalid", message)
            })
    }

    fn delete(&self, region: &str, input: &DeleteInput) -> Result<(), ServiceError> {
        let queue = self.queue(region, &input.queue_url)?;
        let receipt = self.receipt(&queue, &input.handle)?;
        queue.with(|messages, _| messages.delete(receipt));
        Ok(())
    }

    fn delete_batch(
        &self,
        region: &str,
        input: DeleteBatchInput,
        writer: &mut Writer,
    ) -> Result<(), ServiceError> {
        let queue = self.queue(region, &input.queue_url)?;
        batch::check(input.entries.iter().map(|entry| entry.id.as_str()))?;
        let done = input.entries.into_iter().map(|entry| {
            let result = self.receipt(&queue, &entry.handle);
            (entry.id, result.map(|receipt| queue.with(|messages, _| messages.delete(receipt))))
        });
        batch::write(done, writer);
        Ok(())
    }

    fn hide(&self, queue: &Delivery, handle: &str, seconds: i64) -> Result<(), ServiceError> {
        let receipt = self.receipt(queue, handle)?;
        let time = Duration::from_secs(seconds.unsigned_abs());
        if queue.with(|messages, now| messages.change_visibility(receipt, time, now)) {
            return Ok(());
        }
        let message = format!(
            "Value {handle} for parameter ReceiptHandle is invalid. Reason: Message does not exist or is not available for visibility timeout change."
        );
        Err(ServiceError::new("MessageNotInflight", message)
            .with_query_code("AWS.SimpleQueueService.MessageNotInflight"))
    }

    fn change_visibility(&self, region: &str, input: &VisibilityInput) -> Result<(), ServiceError> {
        let queue = self.queue(region, &input.queue_url)?;
        self.hide(&queue, &input.handle, input.visibility)
    }

    fn change_visibility_batch(
        &self,
        region: &str,
        input: VisibilityBatchInput,
        writer: &mut Writer,
    ) -> Result<(), ServiceError> {
        let queue = self.queue(region, &input.queue_url)?;
        batch::check(input.entries.iter().map(|entry| entry.id.as_str()))?;
        let done = input.entries.into_iter().map(|entry| {
            let seconds = entry.visibility.unwrap_or_default();
            let result = self.hide(&queue, &entry.handle, seconds);
            (entry.id, result)
        });
        batch::write(done, writer);
        Ok(())
    }

    fn send(
        &self,
        region: &str,
        input: SendInput,
        virtual_ms: i64,
        writer: &mut Writer,
    ) -> Result<(), ServiceError> {
        let queue = self.queue(region, &input.queue_url)?;
        check_body(&input.body, queue.settings(Settings::most_bytes))?;
        queue
            .settings(|settings| check_fifo(settings, input.group.as_ref(), input.deduplication.as_ref()))?;
        if let Some(delay) = input.delay.filter(|delay| *delay > 0 && queue.settings(Settings::is_fifo)) {
            let message = format!(
                "Value {delay} for parameter DelaySeconds is invalid. Reason: The request include parameter that is not valid for this queue type."
            );
            return Err(ServiceError::new("InvalidParameterValueException", message)
                .with_query_code("InvalidParameterValue"));
        }
        attribute::check(input.attributes.iter().flatten())?;
        let order = input.group.filter(|_| queue.settings(Settings::is_fifo)).map(|group| Order {
            group,
            deduplication: input.deduplication.unwrap_or_else(|| sha256_hex(input.body.as_bytes())),
        });
        let attributes: BTreeMap<_, _> = input
            .attributes
            .unwrap_or_default()
            .into_iter()
            .map(|(name, attribute)| (name, attribute.into()))
            .collect();
        let number = self.sent.fetch_add(1, Ordering::Relaxed);
        let id = identifier(&format!("{} {number}", queue.url()), "sent");
        let (body_md5, attributes_md5) = (md5_hex(input.body.as_bytes()), digest(&attributes));
        let is_ordered = order.is_some();
        let delay = input.delay.map(|delay| Duration::from_secs(delay.unsigned_abs()));
        let body = Body::Text(input.body);
        let message = Sent { id, body, attributes, at_ms: virtual_ms, order, source: None };
        let (id, sequence) = queue.take(message, delay);
        in_place!({
            "MessageId" => id,
            "MD5OfMessageBody" => body_md5,
            "MD5OfMessageAttributes" => attributes_md5,
            "SequenceNumber" => is_ordered.then(|| sequence_number(sequence)),
        })
        .write(writer);
        Ok(())
    }
}

/// Whether a requested name (`All`, `.*`, `prefix.*` or the name itself) covers an attribute.
fn attribute_matches(asked: &str, name: &str) -> bool {
    asked == "All" || asked == name || asked.strip_suffix(".*").is_some_and(|prefix| name.starts_with(prefix))
}

/// Formats a sequence number as FIFO queues do, with twenty digits.
fn sequence_number(sequence: u64) -> String {
    format!("188{sequence:017}")
}

fn check_body(body: &str, most_bytes: usize) -> Result<(), ServiceError> {
    if body.is_empty() {
        return Err(ServiceError::new(
            "MissingRequiredParameterException",
            "The request must contain the parameter MessageBody.",
        )
        .with_query_code("MissingParameter"));
    }
    if body.len() > most_bytes {
        let message = format!(
            "One or more parameters are invalid. Reason: Message must be shorter than {most_bytes} bytes."
        );
        return Err(ServiceError::new("InvalidParameterValueException", message)
            .with_query_code("InvalidParameterValue"));
    }
    let allowed = |letter: char| matches!(letter, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    if body.chars().all(allowed) {
        Ok(())
    } else {
        Err(ServiceError::new("InvalidMessageContents", "Invalid characters in the message body."))
    }
}

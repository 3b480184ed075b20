//! The operations of SQS: inputs, rules and answers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::attribute::{AttributeInput, digest, md5_hex};
use super::delivery::{Delivery, Queues};
use super::queue::{RETENTION_MS, Receipt, Received, Sent, VISIBILITY_SECONDS};
use crate::notification::identifier;
use crate::page::Tokens;
use crate::service::ServiceError;
use crate::wire::{
    FromWire, Integer, Items, Map, Nested, Pairs, Problem, Text, Value, Wire, Writer, in_place, input,
    read_input, structure,
};

/// The largest message: 1 MiB.
const MAX_BODY_BYTES: usize = 1 << 20;

/// The names of the operations, all without a published rate.
const OPERATIONS: [&str; 9] = [
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

/// The operation of that name.
pub(crate) fn operation(name: &str) -> Option<&'static str> {
    OPERATIONS.into_iter().find(|known| *known == name)
}

static COUNT: Integer = Integer::between(1, 10);
static WAIT: Integer = Integer::between(0, 20);
static VISIBILITY: Integer = Integer::between(0, 43_200);
static DELAY: Integer = Integer::between(0, 900);
static ANY: Text = Text::any();
static NAMES: Items<'_, Text> = Items { each: &ANY, min: 0, max: usize::MAX };

input! {
    struct ReceiveInput {
        queue_url: String = required("QueueUrl", ANY),
        attribute_names: Option<Vec<String>> = optional("AttributeNames", NAMES),
        system_names: Option<Vec<String>> = optional("MessageSystemAttributeNames", NAMES),
        message_names: Option<Vec<String>> = optional("MessageAttributeNames", NAMES),
        most: Option<i64> = optional("MaxNumberOfMessages", COUNT),
        visibility: Option<i64> = optional("VisibilityTimeout", VISIBILITY),
        wait: Option<i64> = optional("WaitTimeSeconds", WAIT),
    }

    struct DeleteInput {
        queue_url: String = required("QueueUrl", ANY),
        handle: String = required("ReceiptHandle", ANY),
    }

    struct DeleteEntry {
        id: String = required("Id", ANY),
        handle: String = required("ReceiptHandle", ANY),
    }

    struct DeleteBatchInput {
        queue_url: String = required("QueueUrl", ANY),
        entries: Vec<DeleteEntry> =
            required("Entries", Items { each: &Nested::<DeleteEntry>::new(), min: 0, max: usize::MAX }),
    }

    struct VisibilityInput {
        queue_url: String = required("QueueUrl", ANY),
        handle: String = required("ReceiptHandle", ANY),
        visibility: i64 = required("VisibilityTimeout", VISIBILITY),
    }

    struct VisibilityEntry {
        id: String = required("Id", ANY),
        handle: String = required("ReceiptHandle", ANY),
        visibility: Option<i64> = optional("VisibilityTimeout", VISIBILITY),
    }

    struct VisibilityBatchInput {
        queue_url: String = required("QueueUrl", ANY),
        entries: Vec<VisibilityEntry> =
            required("Entries", Items { each: &Nested::<VisibilityEntry>::new(), min: 0, max: usize::MAX }),
    }

    struct AttributesInput {
        queue_url: String = required("QueueUrl", ANY),
        names: Option<Vec<String>> = optional("AttributeNames", NAMES),
    }

    struct UrlInput {
        name: String = required("QueueName", ANY),
        owner: Option<String> = optional("QueueOwnerAWSAccountId", ANY),
    }

    struct ListInput {
        prefix: Option<String> = optional("QueueNamePrefix", ANY),
        _most: Option<i64> = optional("MaxResults", Integer::between(1, 1000)),
    }

    struct SendInput {
        queue_url: String = required("QueueUrl", ANY),
        body: String = required("MessageBody", ANY),
        delay: Option<i64> = optional("DelaySeconds", DELAY),
        attributes: Option<BTreeMap<String, AttributeInput>> =
            optional("MessageAttributes", Map(&Nested::<AttributeInput>::new())),
    }
}

/// SQS over the queues of the simulator.
#[derive(Debug)]
pub(crate) struct Sqs {
    /// The queues.
    pub(crate) queues: Queues,
    account: String,
    tokens: Tokens,
    sent: AtomicU64,
}

/// An entry of a batch that could not be done.
struct Failure {
    id: String,
    error: ServiceError,
}

structure!(Failure, failure, {
    "Id" => failure.id,
    "SenderFault" => true,
    "Code" => failure.error.code.as_ref(),
    "Message" => failure.error.message,
});

/// An entry of a batch that was done.
struct Success(String);

structure!(Success, success, { "Id" => success.0 });

impl Sqs {
    /// SQS over queues.
    pub(crate) fn new(queues: Queues, account: &str, tokens: Tokens) -> Sqs {
        Sqs { queues, account: account.to_owned(), tokens, sent: AtomicU64::new(0) }
    }

    /// Answers an operation of `OPERATIONS` in a region.
    pub(crate) async fn answer(
        &self,
        operation: &str,
        region: &str,
        body: &Value,
        virtual_ms: impl Fn() -> i64,
        writer: &mut Writer,
    ) -> Result<(), ServiceError> {
        match operation {
            "ReceiveMessage" => self.receive(region, &read(body)?, virtual_ms, writer).await,
            "DeleteMessage" => self.delete(region, &read(body)?),
            "DeleteMessageBatch" => self.delete_batch(region, read(body)?, writer),
            "ChangeMessageVisibility" => self.change_visibility(region, &read(body)?),
            "ChangeMessageVisibilityBatch" => self.change_visibility_batch(region, read(body)?, writer),
            "GetQueueAttributes" => self.attributes(region, &read(body)?, virtual_ms(), writer),
            "GetQueueUrl" => self.url(region, &read(body)?, writer),
            "ListQueues" => self.list(region, &read(body)?, writer),
            "SendMessage" => self.send(region, read(body)?, virtual_ms(), writer),
            other => Err(ServiceError::unknown_operation(other)),
        }
    }

    fn queue(&self, region: &str, url: &str) -> Result<&Delivery, ServiceError> {
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
        let visibility = input.visibility.map_or(VISIBILITY_SECONDS, i64::unsigned_abs);
        let received = queue
            .receive(
                usize::try_from(input.most.unwrap_or(1)).unwrap_or(1),
                Duration::from_secs(visibility),
                Duration::from_secs(input.wait.map_or(0, i64::unsigned_abs)),
                virtual_ms,
            )
            .await;
        let messages: Vec<_> = received.iter().map(|message| self.message(queue, message, input)).collect();
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
            &format!("receipt {}", queue.url()),
            &format!("{} {}", received.receipt.sequence, received.receipt.count),
        );
        let known = [
            ("SenderId", "AIDASIMULATEDSENDER".to_owned()),
            ("SentTimestamp", received.sent.at_ms.to_string()),
            ("ApproximateReceiveCount", received.receipt.count.to_string()),
            ("ApproximateFirstReceiveTimestamp", received.first_received_ms.to_string()),
        ];
        let names: Vec<&String> = input.attribute_names.iter().chain(&input.system_names).flatten().collect();
        let system: Vec<(String, String)> = known
            .into_iter()
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
        let (id, body) = (received.sent.id.clone(), received.sent.body.clone());
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
        let cursor = self.tokens.open(&format!("receipt {}", queue.url()), handle).ok();
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
        let receipt = self.receipt(queue, &input.handle)?;
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
        check_batch(input.entries.iter().map(|entry| entry.id.as_str()))?;
        let done = input.entries.into_iter().map(|entry| {
            let result = self.receipt(queue, &entry.handle);
            (entry.id, result.map(|receipt| queue.with(|messages, _| messages.delete(receipt))))
        });
        write_batch(done, writer);
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
        self.hide(self.queue(region, &input.queue_url)?, &input.handle, input.visibility)
    }

    fn change_visibility_batch(
        &self,
        region: &str,
        input: VisibilityBatchInput,
        writer: &mut Writer,
    ) -> Result<(), ServiceError> {
        let queue = self.queue(region, &input.queue_url)?;
        check_batch(input.entries.iter().map(|entry| entry.id.as_str()))?;
        let done = input.entries.into_iter().map(|entry| {
            let seconds = entry.visibility.unwrap_or_default();
            let result = self.hide(queue, &entry.handle, seconds);
            (entry.id, result)
        });
        write_batch(done, writer);
        Ok(())
    }

    fn attributes(
        &self,
        region: &str,
        input: &AttributesInput,
        virtual_ms: i64,
        writer: &mut Writer,
    ) -> Result<(), ServiceError> {
        let queue = self.queue(region, &input.queue_url)?;
        let (waiting, in_flight, delayed) = queue.with(|messages, now| messages.depth(now, virtual_ms));
        let known = [
            ("QueueArn", format!("arn:aws:sqs:{region}:{}:{}", self.account, queue.name())),
            ("ApproximateNumberOfMessages", waiting.to_string()),
            ("ApproximateNumberOfMessagesNotVisible", in_flight.to_string()),
            ("ApproximateNumberOfMessagesDelayed", delayed.to_string()),
            ("VisibilityTimeout", VISIBILITY_SECONDS.to_string()),
            ("MessageRetentionPeriod", (RETENTION_MS / 1000).to_string()),
            ("MaximumMessageSize", MAX_BODY_BYTES.to_string()),
            ("DelaySeconds", "0".to_owned()),
            ("ReceiveMessageWaitTimeSeconds", "0".to_owned()),
            ("SqsManagedSseEnabled", "true".to_owned()),
        ];
        let names = input.names.clone().unwrap_or_default();
        for name in &names {
            if name != "All"
                && !known.iter().any(|(known, _)| known == name)
                && !ABSENT.contains(&name.as_str())
            {
                let message = format!("Unknown Attribute {name}.");
                return Err(ServiceError::new("InvalidAttributeName", message));
            }
        }
        let asked: Vec<(String, String)> = known
            .into_iter()
            .filter(|(name, _)| names.iter().any(|asked| asked == "All" || asked == name))
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        in_place!({ "Attributes" => Pairs(&asked) }).write(writer);
        Ok(())
    }

    fn url(&self, region: &str, input: &UrlInput, writer: &mut Writer) -> Result<(), ServiceError> {
        let name = match &input.owner {
            Some(owner) => format!("{owner}/{}", input.name),
            None => input.name.clone(),
        };
        let queue = self.queue(region, &name)?;
        in_place!({ "QueueUrl" => queue.url() }).write(writer);
        Ok(())
    }

    fn list(&self, region: &str, input: &ListInput, writer: &mut Writer) -> Result<(), ServiceError> {
        let prefix = input.prefix.as_deref().unwrap_or_default();
        let queues = self.queues.of(region).filter(|queue| queue.name().starts_with(prefix));
        let urls: Vec<&str> = queues.map(Delivery::url).into_iter().collect();
        in_place!({ "QueueUrls" => urls }).write(writer);
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
        check_body(&input.body)?;
        let attributes: BTreeMap<_, _> = input
            .attributes
            .unwrap_or_default()
            .into_iter()
            .map(|(name, attribute)| (name, attribute.into()))
            .collect();
        let number = self.sent.fetch_add(1, Ordering::Relaxed);
        let id = identifier(&format!("{} {number}", queue.url()), "sent");
        let (body_md5, attributes_md5) = (md5_hex(input.body.as_bytes()), digest(&attributes));
        in_place!({
            "MessageId" => id,
            "MD5OfMessageBody" => body_md5,
            "MD5OfMessageAttributes" => attributes_md5,
        })
        .write(writer);
        let delay = Duration::from_secs(input.delay.map_or(0, i64::unsigned_abs));
        queue.send(vec![Sent { id, body: input.body, attributes, at_ms: virtual_ms }], delay);
        Ok(())
    }
}

/// Attributes of the model that our queues do not have: asked for, they are left out.
const ABSENT: [&str; 11] = [
    "Policy",
    "CreatedTimestamp",
    "LastModifiedTimestamp",
    "RedrivePolicy",
    "FifoQueue",
    "ContentBasedDeduplication",
    "KmsMasterKeyId",
    "KmsDataKeyReusePeriodSeconds",
    "DeduplicationScope",
    "FifoThroughputLimit",
    "RedriveAllowPolicy",
];

fn read<T: FromWire>(body: &Value) -> Result<T, ServiceError> {
    read_input(body).map_err(|problems| {
        if problems.unreadable() {
            return ServiceError::unreadable(&problems);
        }
        match problems.0.first() {
            Some(Problem::Missing { path }) => {
                let message = format!("The request must contain the parameter {path}.");
                ServiceError::new("MissingRequiredParameterException", message)
                    .with_query_code("MissingParameter")
            }
            Some(Problem::Broken { path, value, constraint }) => {
                let message =
                    format!("Value {value} for parameter {path} is invalid. Reason: Must {constraint}.");
                ServiceError::new("InvalidParameterValueException", message)
                    .with_query_code("InvalidParameterValue")
            }
            _ => ServiceError::unreadable(&problems),
        }
    })
}

/// Whether an asked name (`All`, `.*`, `prefix.*` or the name itself) covers an attribute.
fn attribute_matches(asked: &str, name: &str) -> bool {
    asked == "All" || asked == name || asked.strip_suffix(".*").is_some_and(|prefix| name.starts_with(prefix))
}

fn check_body(body: &str) -> Result<(), ServiceError> {
    if body.is_empty() {
        return Err(ServiceError::new(
            "MissingRequiredParameterException",
            "The request must contain the parameter MessageBody.",
        )
        .with_query_code("MissingParameter"));
    }
    if body.len() > MAX_BODY_BYTES {
        let message = format!(
            "One or more parameters are invalid. Reason: Message must be shorter than {MAX_BODY_BYTES} bytes."
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

/// The rules of every batch: 1 to 10 entries with ids that are well formed and distinct.
fn check_batch<'a>(ids: impl Iterator<Item = &'a str>) -> Result<(), ServiceError> {
    let ids: Vec<&str> = ids.collect();
    let refuse =
        |code, query_code, message: String| Err(ServiceError::new(code, message).with_query_code(query_code));
    if ids.is_empty() {
        return refuse(
            "EmptyBatchRequest",
            "AWS.SimpleQueueService.EmptyBatchRequest",
            "There should be at least one entry in the request.".to_owned(),
        );
    }
    if ids.len() > 10 {
        let message = format!("Maximum number of entries per request are 10. You have sent {}.", ids.len());
        return refuse(
            "TooManyEntriesInBatchRequest",
            "AWS.SimpleQueueService.TooManyEntriesInBatchRequest",
            message,
        );
    }
    let well_formed = |id: &str| {
        (1..=80).contains(&id.len())
            && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    };
    if let Some(id) = ids.iter().find(|id| !well_formed(id)) {
        let message = format!(
            "A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long: {id}"
        );
        return refuse("InvalidBatchEntryId", "AWS.SimpleQueueService.InvalidBatchEntryId", message);
    }
    let mut seen = BTreeSet::new();
    if let Some(id) = ids.iter().find(|id| !seen.insert(**id)) {
        let message = format!("Id {id} repeated.");
        return refuse(
            "BatchEntryIdsNotDistinct",
            "AWS.SimpleQueueService.BatchEntryIdsNotDistinct",
            message,
        );
    }
    Ok(())
}

fn write_batch(done: impl Iterator<Item = (String, Result<(), ServiceError>)>, writer: &mut Writer) {
    let (mut successful, mut failed) = (Vec::new(), Vec::new());
    for (id, result) in done {
        match result {
            Ok(()) => successful.push(Success(id)),
            Err(error) => failed.push(Failure { id, error }),
        }
    }
    in_place!({ "Successful" => successful, "Failed" => failed }).write(writer);
}

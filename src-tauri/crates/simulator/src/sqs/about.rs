//! The operations of SQS that tell about queues.

use super::delivery::Delivery;
use super::input::{AttributesInput, ListInput, UrlInput};
use super::operation::{MAX_BODY_BYTES, Sqs};
use super::queue::{RETENTION_MS, VISIBILITY_SECONDS};
use crate::service::ServiceError;
use crate::wire::{Pairs, Wire, Writer, in_place};

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

impl Sqs {
    /// `GetQueueAttributes`.
    pub(super) fn attributes(
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

    /// `GetQueueUrl`.
    pub(super) fn url(
        &self,
        region: &str,
        input: &UrlInput,
        writer: &mut Writer,
    ) -> Result<(), ServiceError> {
        let name = match &input.owner {
            Some(owner) => format!("{owner}/{}", input.name),
            None => input.name.clone(),
        };
        let queue = self.queue(region, &name)?;
        in_place!({ "QueueUrl" => queue.url() }).write(writer);
        Ok(())
    }

    /// `ListQueues`.
    pub(super) fn list(
        &self,
        region: &str,
        input: &ListInput,
        writer: &mut Writer,
    ) -> Result<(), ServiceError> {
        let prefix = input.prefix.as_deref().unwrap_or_default();
        let queues = self.queues.of(region).filter(|queue| queue.name().starts_with(prefix));
        let urls: Vec<&str> = queues.map(Delivery::url).into_iter().collect();
        in_place!({ "QueueUrls" => urls }).write(writer);
        Ok(())
    }
}

//! The event feed: an SQS queue of the connection's own.
//!
//! Owns receiving and deleting. Deliberately does not read the bodies, and deletes only what it is told to:
//! a message may go once what it says is durable.

use std::sync::Arc;
use std::time::Duration;

use aws_sdk_sqs::types::{
    DeleteMessageBatchRequestEntry, Message, MessageSystemAttributeName, QueueAttributeName,
};
use liftdeck_model::Timestamp;

use crate::budget::Priority;
use crate::call::Call;
use crate::client::LONGEST_POLL;
use crate::error::{ErrorKind, GatewayError};
use crate::gateway::Site;
use crate::permission::PermissionCheck;

/// Messages of one receive, and entries of one batch, at most (AWS).
const BATCH: usize = 10;

/// One queue.
#[derive(Clone, Debug)]
pub struct EventFeed {
    site: Arc<Site>,
    url: String,
}

/// A message as received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedMessage {
    /// Stays the same over repeated deliveries.
    pub message_id: String,
    /// Names this delivery; only the newest deletes reliably.
    pub receipt_handle: String,
    /// Body, untouched.
    pub body: String,
    /// Deliveries so far, this one included; 0 when SQS did not say.
    pub receive_count: u32,
    /// When it was sent.
    pub sent_at: Option<Timestamp>,
}

/// A message SQS did not delete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeleteFailure {
    /// The handle as given.
    pub receipt_handle: String,
    /// AWS error code.
    pub code: String,
    /// AWS's words.
    pub message: String,
}

/// What SQS says of the queue; counts are approximate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueueAttributes {
    /// ARN.
    pub arn: Option<String>,
    /// Messages waiting.
    pub waiting: u64,
    /// Messages received but not deleted.
    pub in_flight: u64,
    /// Messages not deliverable yet.
    pub delayed: u64,
    /// How long SQS keeps a message, in seconds.
    pub retention_seconds: Option<u64>,
}

impl EventFeed {
    pub(crate) const fn new(site: Arc<Site>, url: String) -> Self {
        Self { site, url }
    }

    /// The queue's URL.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Receives up to `max` messages (1 to 10), waiting up to `wait` (at most 20 s) for the first; each stays
    /// hidden from others for `visibility`.
    ///
    /// # Errors
    /// Any kind; `NotFound` when the queue does not exist.
    pub async fn receive(
        &self,
        max: u32,
        wait: Duration,
        visibility: Duration,
    ) -> Result<Vec<FeedMessage>, GatewayError> {
        let wait = wait.min(LONGEST_POLL);
        let request = self
            .site
            .clients
            .sqs
            .receive_message()
            .queue_url(&self.url)
            .max_number_of_messages(i32::try_from(max).unwrap_or(i32::MAX).clamp(1, BATCH as i32))
            .wait_time_seconds(seconds(wait))
            .visibility_timeout(seconds(visibility))
            .message_system_attribute_names(MessageSystemAttributeName::SentTimestamp)
            .message_system_attribute_names(MessageSystemAttributeName::ApproximateReceiveCount);
        let call = Call { holds: wait, ..self.call("ReceiveMessage") };
        let answer = self.site.line.call(call, || request.clone().send()).await?;
        // A message without id, handle or body cannot be kept or deleted; SQS delivers it again.
        Ok(answer.messages.unwrap_or_default().into_iter().filter_map(message).collect())
    }

    /// Deletes messages by receipt handle, in batches; returns those SQS refused to delete.
    ///
    /// # Errors
    /// Any kind; what earlier batches deleted stays deleted. Deleting twice does no harm.
    pub async fn delete_batch(&self, receipt_handles: &[String]) -> Result<Vec<DeleteFailure>, GatewayError> {
        const OPERATION: &str = "DeleteMessageBatch";
        let mut failures = Vec::new();
        for handles in receipt_handles.chunks(BATCH) {
            let mut request = self.site.clients.sqs.delete_message_batch().queue_url(&self.url);
            for (index, handle) in handles.iter().enumerate() {
                let entry = DeleteMessageBatchRequestEntry::builder()
                    .id(index.to_string())
                    .receipt_handle(handle)
                    .build();
                let entry = entry.map_err(|error| {
                    self.site.line.error(ErrorKind::Invalid, OPERATION, Some(&self.url), error.to_string())
                })?;
                request = request.entries(entry);
            }
            let answer = self.site.line.call(self.call(OPERATION), || request.clone().send()).await?;
            failures.extend(answer.failed.into_iter().filter_map(|failed| {
                let handle = handles.get(failed.id.parse::<usize>().ok()?)?;
                let message = failed.message.unwrap_or_default();
                Some(DeleteFailure { receipt_handle: handle.clone(), code: failed.code, message })
            }));
        }
        Ok(failures)
    }

    /// What SQS says of the queue.
    ///
    /// # Errors
    /// Any kind; `NotFound` when the queue does not exist.
    pub async fn attributes(&self) -> Result<QueueAttributes, GatewayError> {
        let request = self
            .site
            .clients
            .sqs
            .get_queue_attributes()
            .queue_url(&self.url)
            .attribute_names(QueueAttributeName::All);
        let answer = self.site.line.call(self.call("GetQueueAttributes"), || request.clone().send()).await?;
        let attributes = answer.attributes.unwrap_or_default();
        let number = |name: &QueueAttributeName| attributes.get(name).and_then(|text| text.parse().ok());
        Ok(QueueAttributes {
            arn: attributes.get(&QueueAttributeName::QueueArn).cloned(),
            waiting: number(&QueueAttributeName::ApproximateNumberOfMessages).unwrap_or_default(),
            in_flight: number(&QueueAttributeName::ApproximateNumberOfMessagesNotVisible).unwrap_or_default(),
            delayed: number(&QueueAttributeName::ApproximateNumberOfMessagesDelayed).unwrap_or_default(),
            retention_seconds: number(&QueueAttributeName::MessageRetentionPeriod),
        })
    }

    /// Whether the queue exists and may be looked at. Receiving is not tried: it would hide messages.
    pub async fn check(&self) -> PermissionCheck {
        let end = self.attributes().await.map(drop);
        PermissionCheck::in_earnest("GetQueueAttributes", "Event feed", &self.site.region, end)
    }

    fn call(&self, operation: &'static str) -> Call<'_> {
        Call::new(operation, Some(&self.url), Priority::OnScreen)
    }
}

fn message(from: Message) -> Option<FeedMessage> {
    let attributes = from.attributes.unwrap_or_default();
    let attribute = |name: &MessageSystemAttributeName| attributes.get(name);
    Some(FeedMessage {
        message_id: from.message_id?,
        receipt_handle: from.receipt_handle?,
        body: from.body?,
        receive_count: attribute(&MessageSystemAttributeName::ApproximateReceiveCount)
            .and_then(|text| text.parse().ok())
            .unwrap_or_default(),
        sent_at: attribute(&MessageSystemAttributeName::SentTimestamp)
            .and_then(|text| text.parse().ok())
            .map(Timestamp::from_ms),
    })
}

fn seconds(duration: Duration) -> i32 {
    i32::try_from(duration.as_secs()).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_keeps_its_id_count_and_moment() {
        let built = Message::builder()
            .message_id("m-1")
            .receipt_handle("rh-1")
            .body("{}")
            .attributes(MessageSystemAttributeName::SentTimestamp, "1700000000123")
            .attributes(MessageSystemAttributeName::ApproximateReceiveCount, "3")
            .build();
        let message = message(built).unwrap();
        assert_eq!(message.receive_count, 3);
        assert_eq!(message.sent_at, Some(Timestamp::from_ms(1_700_000_000_123)));
    }
}

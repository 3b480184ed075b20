//! The event feed: SQS queues, each treated as somebody else's until it is adopted.
//!
//! Owns looking at any queue, and receiving from and deleting in an adopted one. These are different types:
//! [`EventFeed`] cannot delete anything, and an [`AdoptedFeed`] is created only after SQS has just confirmed that the
//! queue is the one that was adopted. Deliberately does not read the bodies and deletes only what it is told to: a
//! message may be deleted only once its content is stored durably.

mod attributes;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use aws_sdk_sqs::types::{
    BatchResultErrorEntry, ChangeMessageVisibilityBatchRequestEntry, DeleteMessageBatchRequestEntry, Message,
    MessageSystemAttributeName, QueueAttributeName,
};
use liftdeck_model::Timestamp;
use liftdeck_model::feed::Adoption;

pub use self::attributes::{QueueAttributes, Redrive};
use crate::budget::Priority;
use crate::call::Call;
use crate::client::LONGEST_POLL;
use crate::error::{ErrorKind, GatewayError};
use crate::gateway::Site;
use crate::permission::PermissionCheck;

/// Maximum number of messages per receive, and of entries per batch (AWS).
const BATCH: usize = 10;
/// How long a message that is only looked at stays hidden from the queue's consumers if it cannot be given back at
/// once.
const LOOK_VISIBILITY: Duration = Duration::from_secs(10);
/// Codes of batch entries that may be accepted later although SQS reports the sender at fault.
const PASSING_CODES: [&str; 3] = ["RequestThrottled", "ThrottlingException", "OverLimit"];

/// One queue, whoever owns it.
#[derive(Clone, Debug)]
pub struct EventFeed {
    site: Arc<Site>,
    url: String,
}

/// The connection's own queue, confirmed to be the one that was adopted.
#[derive(Clone, Debug)]
pub struct AdoptedFeed {
    feed: EventFeed,
    adoption: Adoption,
    attributes: QueueAttributes,
}

/// A message as received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedMessage {
    /// Stays the same across deliveries.
    pub message_id: String,
    /// Identifies this delivery; only the newest one deletes reliably.
    pub receipt_handle: String,
    /// Body, untouched.
    pub body: String,
    /// Deliveries so far, this one included; 0 when SQS did not say.
    pub receive_count: u32,
    /// When it was sent.
    pub sent_at: Option<Timestamp>,
}

/// A handle that SQS rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandleFailure {
    /// The handle as given.
    pub receipt_handle: String,
    /// AWS error code.
    pub code: String,
    /// AWS error message.
    pub message: String,
    /// Whether SQS will never accept this handle.
    pub is_final: bool,
}

/// The result of looking at waiting messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Glance {
    /// The messages, each once. All are still in the queue.
    pub messages: Vec<FeedMessage>,
    /// Why they could not be given back at once. If set, they become visible again after ten seconds.
    pub kept_hidden: Option<GatewayError>,
}

impl EventFeed {
    pub(crate) const fn new(site: Arc<Site>, url: String) -> Self {
        Self { site, url }
    }

    /// Reads the attributes of the queue.
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
        let answer =
            self.site.proven.call(self.call("GetQueueAttributes"), || request.clone().send()).await?;
        Ok(QueueAttributes::read(&answer.attributes.unwrap_or_default()))
    }

    /// Checks that the queue exists and may be looked at. Does not try to receive, because that would hide messages.
    pub async fn check(&self) -> PermissionCheck {
        let end = self.attributes().await.map(drop);
        PermissionCheck::in_earnest("GetQueueAttributes", "Event feed", &self.site.region, end)
    }

    /// Looks at up to `most` waiting messages and gives them back; none is deleted. Each look counts as a delivery.
    ///
    /// # Errors
    /// Any kind; `NotFound` when the queue does not exist.
    pub async fn glance(&self, most: usize) -> Result<Glance, GatewayError> {
        let mut seen: BTreeMap<String, FeedMessage> = BTreeMap::new();
        let outcome = loop {
            let wanted = u32::try_from(most.saturating_sub(seen.len()).min(BATCH)).unwrap_or(1);
            if wanted == 0 {
                break Ok(());
            }
            let before = seen.len();
            match self.receive(wanted, Duration::ZERO, LOOK_VISIBILITY).await {
                Ok(messages) => {
                    seen.extend(messages.into_iter().map(|message| (message.message_id.clone(), message)));
                }
                Err(error) => break Err(error),
            }
            if seen.len() == before {
                break Ok(());
            }
        };
        let messages: Vec<FeedMessage> = seen.into_values().collect();
        let handles: Vec<(String, Duration)> =
            messages.iter().map(|message| (message.receipt_handle.clone(), Duration::ZERO)).collect();
        // Messages are given back even after a failure, because those received so far belong to somebody else.
        let kept_hidden = self.change_visibility(&handles).await.err();
        outcome.map(|()| Glance { messages, kept_hidden })
    }

    /// Returns the queue as an adopted one; `None` if it is not the one that was adopted, but recreated or a
    /// different one.
    ///
    /// # Errors
    /// Any kind; `NotFound` when the queue does not exist.
    pub async fn claim(&self, adoption: Adoption) -> Result<Option<AdoptedFeed>, GatewayError> {
        let attributes = self.attributes().await?;
        let is_same = attributes.is_of(&adoption) && adoption.region == self.site.region;
        Ok(is_same.then(|| AdoptedFeed { feed: self.clone(), adoption, attributes }))
    }

    /// Receives messages. A retry may hide further messages, so a lost response is not requested again here.
    async fn receive(
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
        let call = Call { holds: wait, takes: true, ..self.call("ReceiveMessage") };
        let answer = self.site.proven.call(call, || request.clone().send()).await?;
        // A message without id, handle or body cannot be kept or deleted; SQS delivers it again.
        Ok(answer.messages.unwrap_or_default().into_iter().filter_map(message).collect())
    }

    async fn delete_batch(&self, receipt_handles: &[String]) -> Result<Vec<HandleFailure>, GatewayError> {
        const OPERATION: &str = "DeleteMessageBatch";
        let mut failures = Vec::new();
        for handles in receipt_handles.chunks(BATCH) {
            let mut request = self.site.clients.sqs.delete_message_batch().queue_url(&self.url);
            for (index, handle) in handles.iter().enumerate() {
                let entry = DeleteMessageBatchRequestEntry::builder()
                    .id(index.to_string())
                    .receipt_handle(handle)
                    .build();
                request = request.entries(entry.map_err(|error| self.unmade(OPERATION, &error))?);
            }
            let answer = self.site.proven.call(self.call(OPERATION), || request.clone().send()).await?;
            failures.extend(
                answer.failed.into_iter().filter_map(|failed| of_handle(failed, |at| handles.get(at))),
            );
        }
        Ok(failures)
    }

    async fn change_visibility(
        &self,
        handles: &[(String, Duration)],
    ) -> Result<Vec<HandleFailure>, GatewayError> {
        const OPERATION: &str = "ChangeMessageVisibilityBatch";
        let mut failures = Vec::new();
        for part in handles.chunks(BATCH) {
            let mut request = self.site.clients.sqs.change_message_visibility_batch().queue_url(&self.url);
            for (index, (handle, visibility)) in part.iter().enumerate() {
                let entry = ChangeMessageVisibilityBatchRequestEntry::builder()
                    .id(index.to_string())
                    .receipt_handle(handle)
                    .visibility_timeout(seconds(*visibility))
                    .build();
                request = request.entries(entry.map_err(|error| self.unmade(OPERATION, &error))?);
            }
            let answer = self.site.proven.call(self.call(OPERATION), || request.clone().send()).await?;
            failures.extend(
                answer
                    .failed
                    .into_iter()
                    .filter_map(|failed| of_handle(failed, |at| part.get(at).map(|(handle, _)| handle))),
            );
        }
        Ok(failures)
    }

    fn unmade(&self, operation: &'static str, error: &dyn std::error::Error) -> GatewayError {
        self.site.proven.error(ErrorKind::Invalid, operation, Some(&self.url), error.to_string())
    }

    fn call(&self, operation: &'static str) -> Call<'_> {
        Call::new(operation, Some(&self.url), Priority::OnScreen)
    }
}

impl AdoptedFeed {
    /// The adoption under which messages are received.
    pub const fn adoption(&self) -> &Adoption {
        &self.adoption
    }

    /// The attributes of the queue when it was claimed.
    pub const fn attributes(&self) -> &QueueAttributes {
        &self.attributes
    }

    /// Receives up to `max` messages (1 to 10), waiting up to `wait` (at most 20 s) for the first. Each stays hidden
    /// from other consumers for `visibility`. Messages of a lost response are delivered again after that time.
    ///
    /// # Errors
    /// Any kind; `NotFound` when the queue does not exist.
    pub async fn receive(
        &self,
        max: u32,
        wait: Duration,
        visibility: Duration,
    ) -> Result<Vec<FeedMessage>, GatewayError> {
        self.feed.receive(max, wait, visibility).await
    }

    /// Deletes messages by receipt handle, in batches; returns those SQS refused to delete.
    ///
    /// # Errors
    /// Any kind; what earlier batches deleted stays deleted. Deleting twice does no harm.
    pub async fn delete_batch(&self, receipt_handles: &[String]) -> Result<Vec<HandleFailure>, GatewayError> {
        self.feed.delete_batch(receipt_handles).await
    }

    /// Gives messages back: each becomes visible again after its time (at most 12 h), at once for zero. Returns those
    /// that were no longer ours to give back.
    ///
    /// # Errors
    /// Any kind; the messages then become visible when the time they were received for is over.
    pub async fn give_back(
        &self,
        handles: &[(String, Duration)],
    ) -> Result<Vec<HandleFailure>, GatewayError> {
        self.feed.change_visibility(handles).await
    }
}

fn of_handle<'h>(
    failed: BatchResultErrorEntry,
    handle: impl FnOnce(usize) -> Option<&'h String>,
) -> Option<HandleFailure> {
    let receipt_handle = handle(failed.id.parse().ok()?)?.clone();
    let is_final = failed.sender_fault && !PASSING_CODES.contains(&failed.code.as_str());
    Some(HandleFailure {
        receipt_handle,
        code: failed.code,
        message: failed.message.unwrap_or_default(),
        is_final,
    })
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

    #[test]
    fn a_handle_is_given_up_when_the_sender_is_at_fault_and_not_when_sqs_is_busy() {
        let end = |code: &str, sender_fault| {
            let entry =
                BatchResultErrorEntry::builder().id("0").code(code).sender_fault(sender_fault).build();
            let handle = "rh-0".to_owned();
            of_handle(entry.unwrap(), |_| Some(&handle)).unwrap().is_final
        };
        assert!(end("ReceiptHandleIsInvalid", true) && end("InvalidParameterValue", true));
        assert!(!end("InternalError", false) && !end("RequestThrottled", true));
    }
}

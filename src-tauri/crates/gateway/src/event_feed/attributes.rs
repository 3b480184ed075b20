//! Reads the attributes that SQS reports for a queue, which are all text.

use std::collections::HashMap;

use aws_sdk_sqs::types::QueueAttributeName;
use liftdeck_model::Timestamp;
use liftdeck_model::feed::Adoption;
use serde_json::Value;

/// Attributes that SQS reports for a queue; counts are approximate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueueAttributes {
    /// ARN.
    pub arn: Option<String>,
    /// When the queue was created, to the second.
    pub created_at: Option<Timestamp>,
    /// Messages waiting.
    pub waiting: u64,
    /// Messages received but not deleted.
    pub in_flight: u64,
    /// Messages not deliverable yet.
    pub delayed: u64,
    /// How long SQS keeps a message, in seconds.
    pub retention_seconds: Option<u64>,
    /// How long a received message stays hidden if its consumer does not say, in seconds.
    pub visibility_seconds: Option<u64>,
    /// Whether it is a FIFO queue.
    pub is_fifo: bool,
    /// Access policy, as JSON: who besides its owner may do what with the queue.
    pub policy: Option<String>,
    /// Where messages go when they have been received too often.
    pub redrive: Option<Redrive>,
}

/// A dead-letter rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redrive {
    /// ARN of the dead-letter queue.
    pub dead_letter_arn: String,
    /// How often a message may be received before it is moved.
    pub max_receives: u32,
}

impl QueueAttributes {
    pub(super) fn read(attributes: &HashMap<QueueAttributeName, String>) -> Self {
        let text = |name: &QueueAttributeName| attributes.get(name).filter(|text| !text.is_empty()).cloned();
        let number = |name: &QueueAttributeName| attributes.get(name).and_then(|text| text.parse().ok());
        Self {
            arn: text(&QueueAttributeName::QueueArn),
            created_at: attributes
                .get(&QueueAttributeName::CreatedTimestamp)
                .and_then(|text| text.parse::<i64>().ok())
                .map(|seconds| Timestamp::from_ms(seconds.saturating_mul(1_000))),
            waiting: number(&QueueAttributeName::ApproximateNumberOfMessages).unwrap_or_default(),
            in_flight: number(&QueueAttributeName::ApproximateNumberOfMessagesNotVisible).unwrap_or_default(),
            delayed: number(&QueueAttributeName::ApproximateNumberOfMessagesDelayed).unwrap_or_default(),
            retention_seconds: number(&QueueAttributeName::MessageRetentionPeriod),
            visibility_seconds: number(&QueueAttributeName::VisibilityTimeout),
            is_fifo: attributes.get(&QueueAttributeName::FifoQueue).is_some_and(|text| text == "true"),
            policy: text(&QueueAttributeName::Policy),
            redrive: text(&QueueAttributeName::RedrivePolicy).map(|text| redrive(&text)),
        }
    }

    /// Whether this is the queue that was adopted. It is not if SQS does not report what is compared.
    pub fn is_of(&self, adoption: &Adoption) -> bool {
        self.arn.as_deref() == Some(adoption.queue_arn.as_str())
            && self.created_at == Some(adoption.queue_created_at)
    }
}

/// Parses a dead-letter rule. SQS accepts the count as a number or as text and returns it as it was given. A rule
/// that cannot be read is treated as the strictest: a single receive may be one too many.
fn redrive(text: &str) -> Redrive {
    let rule: Value = serde_json::from_str(text).unwrap_or_default();
    let count = rule.get("maxReceiveCount");
    let count = count.and_then(|count| count.as_u64().or_else(|| count.as_str()?.parse().ok()));
    let target = rule.get("deadLetterTargetArn").and_then(Value::as_str);
    Redrive {
        dead_letter_arn: target.unwrap_or(text).to_owned(),
        max_receives: count.and_then(|count| u32::try_from(count).ok()).unwrap_or(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dead_letter_rule_is_read_with_its_count_as_number_or_text() {
        let read =
            |count: &str| redrive(&format!(r#"{{"deadLetterTargetArn":"a","maxReceiveCount":{count}}}"#));
        assert_eq!((read("5").max_receives, read("5").dead_letter_arn.as_str()), (5, "a"));
        assert_eq!(read("\"5\"").max_receives, 5);
        assert_eq!(read("\"many\"").max_receives, 1);
        assert_eq!(redrive("soon").max_receives, 1);
    }
}

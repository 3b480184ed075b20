//! The inputs of the SQS operations.

use std::collections::BTreeMap;

use super::attribute::AttributeInput;
use crate::service::ServiceError;
use crate::wire::{FromWire, Integer, Items, Map, Nested, Problem, Text, Value, input, read_input};

static COUNT: Integer = Integer::between(1, 10);
static WAIT: Integer = Integer::between(0, 20);
static VISIBILITY: Integer = Integer::between(0, 43_200);
static DELAY: Integer = Integer::between(0, 900);
static ANY: Text = Text::any();
static NAMES: Items<'_, Text> = Items { each: &ANY, min: 0, max: usize::MAX };

input! {
    pub(super) struct ReceiveInput {
        queue_url: String = required("QueueUrl", ANY),
        attribute_names: Option<Vec<String>> = optional("AttributeNames", NAMES),
        system_names: Option<Vec<String>> = optional("MessageSystemAttributeNames", NAMES),
        message_names: Option<Vec<String>> = optional("MessageAttributeNames", NAMES),
        most: Option<i64> = optional("MaxNumberOfMessages", COUNT),
        visibility: Option<i64> = optional("VisibilityTimeout", VISIBILITY),
        wait: Option<i64> = optional("WaitTimeSeconds", WAIT),
    }

    pub(super) struct DeleteInput {
        queue_url: String = required("QueueUrl", ANY),
        handle: String = required("ReceiptHandle", ANY),
    }

    pub(super) struct DeleteEntry {
        id: String = required("Id", ANY),
        handle: String = required("ReceiptHandle", ANY),
    }

    pub(super) struct DeleteBatchInput {
        queue_url: String = required("QueueUrl", ANY),
        entries: Vec<DeleteEntry> =
            required("Entries", Items { each: &Nested::<DeleteEntry>::new(), min: 0, max: usize::MAX }),
    }

    pub(super) struct VisibilityInput {
        queue_url: String = required("QueueUrl", ANY),
        handle: String = required("ReceiptHandle", ANY),
        visibility: i64 = required("VisibilityTimeout", VISIBILITY),
    }

    pub(super) struct VisibilityEntry {
        id: String = required("Id", ANY),
        handle: String = required("ReceiptHandle", ANY),
        visibility: Option<i64> = optional("VisibilityTimeout", VISIBILITY),
    }

    pub(super) struct VisibilityBatchInput {
        queue_url: String = required("QueueUrl", ANY),
        entries: Vec<VisibilityEntry> =
            required("Entries", Items { each: &Nested::<VisibilityEntry>::new(), min: 0, max: usize::MAX }),
    }

    pub(super) struct AttributesInput {
        queue_url: String = required("QueueUrl", ANY),
        names: Option<Vec<String>> = optional("AttributeNames", NAMES),
    }

    pub(super) struct UrlInput {
        name: String = required("QueueName", ANY),
        owner: Option<String> = optional("QueueOwnerAWSAccountId", ANY),
    }

    pub(super) struct ListInput {
        prefix: Option<String> = optional("QueueNamePrefix", ANY),
        most: Option<i64> = optional("MaxResults", Integer::between(1, 1000)),
        token: Option<String> = optional("NextToken", ANY),
    }

    pub(super) struct CreateInput {
        name: String = required("QueueName", ANY),
        attributes: Option<BTreeMap<String, String>> = optional("Attributes", Map { key: &ANY, each: &ANY }),
    }

    pub(super) struct SetInput {
        queue_url: String = required("QueueUrl", ANY),
        attributes: BTreeMap<String, String> = required("Attributes", Map { key: &ANY, each: &ANY }),
    }

    pub(super) struct QueueInput {
        queue_url: String = required("QueueUrl", ANY),
    }

    pub(super) struct SendInput {
        queue_url: String = required("QueueUrl", ANY),
        body: String = required("MessageBody", ANY),
        delay: Option<i64> = optional("DelaySeconds", DELAY),
        group: Option<String> = optional("MessageGroupId", Text::length(1, 128)),
        deduplication: Option<String> = optional("MessageDeduplicationId", Text::length(1, 128)),
        attributes: Option<BTreeMap<String, AttributeInput>> =
            optional("MessageAttributes", Map { key: &ANY, each: &Nested::<AttributeInput>::new() }),
    }
}

/// Reads the typed input of a body, or reports what is wrong with it in the words of SQS.
pub(super) fn read<T: FromWire>(body: &Value) -> Result<T, ServiceError> {
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

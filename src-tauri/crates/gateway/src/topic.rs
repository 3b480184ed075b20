//! Publishing to an SNS topic: the one thing that is told to somebody outside of this computer through AWS.
//!
//! Owns the request. It changes nothing of the game and needs no grant; IAM must allow `sns:Publish` on the topic.
//! Deliberately does not know what a message says.

use aws_sdk_sns::types::MessageAttributeValue;
use liftdeck_model::arn::region_of;

use crate::budget::Priority;
use crate::call::Call;
use crate::error::{ErrorKind, GatewayError};
use crate::gateway::Gateway;

const OPERATION: &str = "Publish";

/// A message to a topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Publication {
    /// Less than 100 ASCII characters in one line (SNS).
    pub subject: String,
    /// JSON with a text for each protocol; `default` is required. At most 256 KB (SNS).
    pub message: String,
    /// Stays the same when the message is sent again: attribute `id`, and the deduplication id of a FIFO topic.
    pub id: String,
    /// Attribute `telling`, by which subscriptions may filter.
    pub telling: String,
    /// Attribute `severity`, likewise.
    pub severity: String,
    /// Message group of a FIFO topic; `None` for a standard topic.
    pub group: Option<String>,
}

impl Gateway {
    /// Publishes a message. It is not sent again if an attempt ended without an answer.
    ///
    /// # Errors
    /// Any kind; `Config` when the connection does not name the topic's Region, `NotFound` when there is no such
    /// topic, `Denied` without the permission.
    pub async fn publish(&self, topic: &str, publication: &Publication) -> Result<(), GatewayError> {
        let Some(region) = region_of(topic) else {
            return Err(GatewayError::plain(
                ErrorKind::Config,
                OPERATION,
                format!("`{topic}` is no ARN of a topic"),
            ));
        };
        let site = self.site(&region)?;
        let mut request = site
            .clients
            .sns
            .publish()
            .topic_arn(topic)
            .subject(&publication.subject)
            .message(&publication.message)
            .message_structure("json");
        let attributes =
            [("id", &publication.id), ("telling", &publication.telling), ("severity", &publication.severity)];
        for (name, value) in attributes {
            let value = MessageAttributeValue::builder().data_type("String").string_value(value).build();
            let unmade = |error: aws_sdk_sns::error::BuildError| {
                site.proven.error(ErrorKind::Invalid, OPERATION, Some(topic), error.to_string())
            };
            request = request.message_attributes(name, value.map_err(unmade)?);
        }
        if let Some(group) = &publication.group {
            request = request.message_group_id(group).message_deduplication_id(&publication.id);
        }
        // Taken as taking: what may have arrived is for the caller to decide about.
        let call = Call { takes: true, ..Call::new(OPERATION, Some(topic), Priority::OnScreen) };
        Box::pin(site.proven.call(call, || request.clone().send())).await.map(drop)
    }
}

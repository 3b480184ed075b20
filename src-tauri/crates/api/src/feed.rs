//! Event queues before adoption, and the messages that were set aside from them.

use liftdeck_collector::adoption::{self, Sender, Unseen, Waiting};
use liftdeck_model::{AccountId, Timestamp};
use serde::{Deserialize, Serialize};
use specta::Type;

/// Everything to know about a queue before adopting it.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct QueueLook {
    pub queue_url: String,
    pub arn: String,
    pub name: String,
    pub account: AccountId,
    pub created_at: Option<Timestamp>,
    pub waiting: u64,
    pub in_flight: u64,
    pub delayed: u64,
    pub is_fifo: bool,
    pub policy: Option<String>,
    pub dead_letter_arn: Option<String>,
    pub max_receives: Option<u32>,
    pub senders: Vec<Sender>,
    pub seen: Option<Waiting>,
    pub unseen: Option<Unseen>,
    /// The reason not to adopt it, if any; then its name must be typed.
    pub against: Option<String>,
}

impl From<adoption::QueueLook> for QueueLook {
    fn from(look: adoption::QueueLook) -> Self {
        let (name, against) = (look.name().to_owned(), look.against());
        let (seen, unseen) = match look.waiting {
            Ok(waiting) => (Some(waiting), None),
            Err(unseen) => (None, Some(unseen)),
        };
        let attributes = look.attributes;
        let (dead_letter_arn, max_receives) =
            attributes.redrive.map(|redrive| (redrive.dead_letter_arn, redrive.max_receives)).unzip();
        Self {
            queue_url: look.queue.url,
            arn: look.arn,
            name,
            account: look.account,
            created_at: attributes.created_at,
            waiting: attributes.waiting,
            in_flight: attributes.in_flight,
            delayed: attributes.delayed,
            is_fifo: attributes.is_fifo,
            policy: attributes.policy,
            dead_letter_arn,
            max_receives,
            senders: look.senders,
            seen,
            unseen,
            against,
        }
    }
}

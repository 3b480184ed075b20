//! Event queues on their way to being adopted, and what was set aside of them.

use liftdeck_collector::adoption;
use liftdeck_store::reader::feed as store;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::wire::number::{Ms, count};

/// Who may send to a queue besides its owner.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FeedSender {
    /// Service or principal; `*` is everybody.
    pub(crate) principal: String,
    /// Topics, rules or accounts it is limited to; empty: from anywhere.
    pub(crate) sources: Vec<String>,
}

/// A waiting message that is somebody else's.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FeedExample {
    pub(crate) detail: String,
    pub(crate) bytes: u32,
    pub(crate) beginning: String,
}

/// What waits in a queue, as far as it was looked at.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FeedWaiting {
    pub(crate) looked_at: u32,
    pub(crate) events: u32,
    pub(crate) other_accounts: u32,
    pub(crate) foreign: u32,
    pub(crate) examples: Vec<FeedExample>,
    /// Why they stay hidden for ten seconds, when they could not be given back at once.
    pub(crate) kept_hidden: Option<String>,
}

/// Why waiting messages were not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum FeedUnseen {
    DeadLetterRule,
    Adopted,
}

/// What there is to know of a queue before it is adopted.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct QueueLook {
    pub(crate) queue_url: String,
    pub(crate) arn: String,
    pub(crate) name: String,
    pub(crate) account: String,
    pub(crate) created_ms: Option<Ms>,
    pub(crate) waiting: u32,
    pub(crate) in_flight: u32,
    pub(crate) delayed: u32,
    pub(crate) is_fifo: bool,
    pub(crate) policy: Option<String>,
    pub(crate) dead_letter_arn: Option<String>,
    pub(crate) max_receives: Option<u32>,
    pub(crate) senders: Vec<FeedSender>,
    pub(crate) seen: Option<FeedWaiting>,
    pub(crate) unseen: Option<FeedUnseen>,
    /// What speaks against adopting it; then its name has to be typed.
    pub(crate) against: Option<String>,
}

/// A message that was set aside.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AsideMessage {
    /// Names its row; ask for those below the last to go on.
    pub(crate) key: Ms,
    pub(crate) queue_url: String,
    pub(crate) message_id: String,
    pub(crate) received_ms: Ms,
    pub(crate) reason: String,
    pub(crate) detail: String,
    pub(crate) bytes: u32,
    /// How the body begins.
    pub(crate) beginning: String,
}

impl From<adoption::QueueLook> for QueueLook {
    fn from(look: adoption::QueueLook) -> Self {
        let (name, against) = (look.name().to_owned(), look.against());
        let (seen, unseen) = match look.waiting {
            Ok(waiting) => (Some(FeedWaiting::from(waiting)), None),
            Err(adoption::Unseen::DeadLetterRule) => (None, Some(FeedUnseen::DeadLetterRule)),
            Err(adoption::Unseen::Adopted) => (None, Some(FeedUnseen::Adopted)),
        };
        let attributes = look.attributes;
        let (dead_letter_arn, max_receives) =
            attributes.redrive.map(|redrive| (redrive.dead_letter_arn, redrive.max_receives)).unzip();
        Self {
            queue_url: look.queue.url,
            arn: look.arn,
            name,
            account: look.account.into_string(),
            created_ms: attributes.created_at.map(Ms::from),
            waiting: count(attributes.waiting),
            in_flight: count(attributes.in_flight),
            delayed: count(attributes.delayed),
            is_fifo: attributes.is_fifo,
            policy: attributes.policy,
            dead_letter_arn,
            max_receives,
            senders: look
                .senders
                .into_iter()
                .map(|sender| FeedSender { principal: sender.principal, sources: sender.sources })
                .collect(),
            seen,
            unseen,
            against,
        }
    }
}

impl From<adoption::Waiting> for FeedWaiting {
    fn from(waiting: adoption::Waiting) -> Self {
        let example = |example: adoption::Example| FeedExample {
            detail: example.detail,
            bytes: count(example.bytes),
            beginning: example.beginning,
        };
        Self {
            looked_at: count(waiting.looked_at),
            events: count(waiting.events),
            other_accounts: count(waiting.other_accounts),
            foreign: count(waiting.foreign),
            examples: waiting.examples.into_iter().map(example).collect(),
            kept_hidden: waiting.kept_hidden,
        }
    }
}

impl From<store::AsideMessage> for AsideMessage {
    fn from(message: store::AsideMessage) -> Self {
        Self {
            key: Ms(message.key),
            queue_url: message.queue_url,
            message_id: message.message_id,
            received_ms: message.received_at.into(),
            reason: message.reason.as_str().to_owned(),
            detail: message.detail,
            bytes: count(message.bytes),
            beginning: message.body,
        }
    }
}

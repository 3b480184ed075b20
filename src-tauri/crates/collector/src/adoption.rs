//! Adoption of an event queue: inspecting it without removing messages, and the rules for adopting it.
//!
//! Owns what is shown before an adoption and when the queue's name must be typed. An adoption can only be made from a
//! look, so nobody adopts a queue unseen. Deliberately records nothing: the caller does, with the store's writer.

mod policy;

use std::fmt;

use liftdeck_gateway::{EventQueue, Gateway, GatewayError, QueueAttributes};
use liftdeck_model::arn::account_of;
use liftdeck_model::feed::{Adoption, ForeignBodies, QuarantineReason};
use liftdeck_model::{AccountId, Timestamp};
use serde::{Deserialize, Serialize};
use specta::Type;

pub use self::policy::{Sender, senders};
use crate::feed::{self, FeedBody, Reading};

/// How long a look stays valid for adoption, in milliseconds, so that a queue is adopted as it was seen.
const LOOK_HOLDS_MS: i64 = 10 * 60_000;
/// Maximum number of messages looked at.
pub const LOOKED_AT: usize = 50;
/// Maximum number of foreign messages shown as examples.
const EXAMPLES: usize = 5;
/// Maximum number of characters shown of each example.
const BEGINNING: usize = 200;

/// Whether to look at waiting messages. A look counts as a delivery of each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peek {
    /// Unless a delivery may move a message to a dead-letter queue.
    Unharmful,
    /// In any case: the user has accepted the side effect.
    Always,
}

/// Why waiting messages were not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Unseen {
    /// A dead-letter rule counts deliveries, and the user has not agreed to any.
    DeadLetterRule,
    /// The queue is already adopted and is being received from.
    Adopted,
}

/// The messages waiting in a queue, as far as they were looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Waiting {
    /// Messages looked at.
    pub looked_at: u64,
    /// GameLift events of this account, including those this program does not understand.
    pub events: u64,
    /// Events that name another account, or none.
    pub other_accounts: u64,
    /// Messages that are not GameLift events.
    pub foreign: u64,
    /// The first few messages that belong to someone else.
    pub examples: Vec<Example>,
    /// Why the messages could not be given back at once, if that failed; they stay hidden from their readers for ten
    /// seconds.
    pub kept_hidden: Option<String>,
}

/// A message that belongs to someone else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Example {
    /// Why it is considered foreign.
    pub reason: QuarantineReason,
    /// The reason in words.
    pub detail: String,
    /// Size of the whole body in bytes.
    pub bytes: u64,
    /// Beginning of the body.
    pub beginning: String,
}

/// What is known about a queue before it is adopted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueLook {
    /// The queue.
    pub queue: EventQueue,
    /// ARN.
    pub arn: String,
    /// The connection's account.
    pub account: AccountId,
    /// Attributes reported by SQS.
    pub attributes: QueueAttributes,
    /// Who may send to it besides its owner, according to its policy. SNS subscriptions and EventBridge rules are not
    /// looked up.
    pub senders: Vec<Sender>,
    /// The messages waiting in it.
    pub waiting: Result<Waiting, Unseen>,
    /// When it was looked at.
    pub at: Timestamp,
}

/// Why a queue cannot be adopted with these choices.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It belongs to another account.
    #[error(
        "The queue {arn} belongs to a different account than this connection, {account}. Adopt it with a connection to \
         its account."
    )]
    OtherAccount {
        /// The queue.
        arn: String,
        /// The connection's account.
        account: AccountId,
    },
    /// SQS did not report the ARN and creation date that identify the queue.
    #[error(
        "SQS did not return the ARN and creation date of {url}, so the queue could not be recognised later. Check \
         its URL, and allow sqs:GetQueueAttributes."
    )]
    Nameless {
        /// Its URL.
        url: String,
    },
    /// Leaving foreign messages in the queue would move them to a dead-letter queue.
    #[error(
        "The queue holds messages that are not for this connection, and its dead-letter rule moves messages \
         delivered too often to {dead_letter}, so they cannot be left in it. Send events to a queue of their own, or set \
         foreign messages aside."
    )]
    DeadLetters {
        /// ARN of the dead-letter queue.
        dead_letter: String,
    },
    /// The adoption must be confirmed by typing the queue's name.
    #[error("{why} To confirm, type the queue's name: {name}")]
    NotTyped {
        /// The reason for caution.
        why: String,
        /// The name to type.
        name: String,
    },
}

/// Looks at a queue and deletes nothing. Messages are looked at as `peek` allows, unless the queue is already
/// adopted.
///
/// # Errors
/// Any kind; `NotFound` when the queue does not exist.
pub async fn look(
    gateway: &Gateway,
    queue: &EventQueue,
    account: &AccountId,
    adopted: &[Adoption],
    peek: Peek,
    now: Timestamp,
) -> Result<QueueLook, GatewayError> {
    let feed = gateway.event_feed(queue)?;
    let attributes = feed.attributes().await?;
    let is_adopted = adopted.iter().any(|adoption| adoption.halted.is_none() && attributes.is_of(adoption));
    let waiting = if is_adopted {
        Err(Unseen::Adopted)
    } else if attributes.redrive.is_some() && peek == Peek::Unharmful {
        Err(Unseen::DeadLetterRule)
    } else {
        let glance = feed.glance(LOOKED_AT).await?;
        let mut waiting = Waiting {
            looked_at: glance.messages.len() as u64,
            kept_hidden: glance.kept_hidden.map(|error| error.to_string()),
            ..Waiting::default()
        };
        for message in &glance.messages {
            waiting.count(queue, account, &message.message_id, &message.body, now);
        }
        Ok(waiting)
    };
    let senders = attributes.policy.as_deref().map(senders).unwrap_or_default();
    let arn = attributes.arn.clone().unwrap_or_default();
    Ok(QueueLook {
        queue: queue.clone(),
        arn,
        account: account.clone(),
        attributes,
        senders,
        waiting,
        at: now,
    })
}

impl Waiting {
    fn count(
        &mut self,
        queue: &EventQueue,
        account: &AccountId,
        message_id: &str,
        body: &str,
        now: Timestamp,
    ) {
        let read = feed::read(FeedBody {
            message_id,
            queue_url: &queue.url,
            region: &queue.region,
            account,
            received_at: now,
            body,
        });
        match read {
            Reading::Aside(aside) if aside.reason.is_foreign() => {
                if aside.reason == QuarantineReason::OtherAccount {
                    self.other_accounts += 1;
                } else {
                    self.foreign += 1;
                }
                if self.examples.len() < EXAMPLES {
                    self.examples.push(Example {
                        reason: aside.reason,
                        detail: aside.detail,
                        bytes: body.len() as u64,
                        beginning: body.chars().take(BEGINNING).collect(),
                    });
                }
            }
            _ => self.events += 1,
        }
    }

    /// Number of messages that belong to someone else.
    pub const fn of_others(&self) -> u64 {
        self.other_accounts + self.foreign
    }
}

/// States what was looked at, in a sentence.
impl fmt::Display for Waiting {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "{} messages, none deleted, each now delivered once more: {} events of this account, {} of other accounts, \
             {} that are not GameLift events",
            self.looked_at, self.events, self.other_accounts, self.foreign
        )
    }
}

impl QueueLook {
    /// The queue's name.
    pub fn name(&self) -> &str {
        self.arn.rsplit(':').next().unwrap_or_default()
    }

    /// Whether this look is recent enough to adopt the queue by it.
    pub fn holds(&self, now: Timestamp) -> bool {
        (0..LOOK_HOLDS_MS).contains(&now.since_ms(self.at))
    }

    /// Returns the reason for caution, if there is one; the queue's name must then be typed.
    pub fn against(&self) -> Option<String> {
        let depth = self.attributes.waiting + self.attributes.in_flight + self.attributes.delayed;
        match &self.waiting {
            Ok(waiting) if waiting.of_others() > 0 => Some(format!(
                "{} of the {} messages inspected are not GameLift events of this account.",
                waiting.of_others(),
                waiting.looked_at
            )),
            Err(Unseen::DeadLetterRule) if depth > 0 => Some(format!(
                "About {depth} messages are in the queue and were not looked at: each look counts towards its \
                 dead-letter rule."
            )),
            _ if self.attributes.in_flight > 0 && !matches!(self.waiting, Err(Unseen::Adopted)) => {
                Some(format!(
                    "About {} messages are in flight: another reader holds them, or stopped while holding them.",
                    self.attributes.in_flight
                ))
            }
            _ => None,
        }
    }

    /// Number of messages known to belong to someone else.
    fn of_others(&self) -> u64 {
        self.waiting.as_ref().map_or(0, Waiting::of_others)
    }

    /// Builds the adoption of this queue, for the store to record.
    ///
    /// # Errors
    /// When it cannot be adopted with these choices.
    pub fn adopt(
        &self,
        foreign_bodies: ForeignBodies,
        typed: Option<&str>,
        adopted_by: Option<String>,
        now: Timestamp,
    ) -> Result<Adoption, Refusal> {
        let nameless = || Refusal::Nameless { url: self.queue.url.clone() };
        let queue_created_at = self.attributes.created_at.ok_or_else(nameless)?;
        let owner = account_of(&self.arn).ok_or_else(nameless)?;
        if owner != self.account {
            return Err(Refusal::OtherAccount { arn: self.arn.clone(), account: self.account.clone() });
        }
        if let Some(redrive) = &self.attributes.redrive
            && foreign_bodies == ForeignBodies::Leave
            && self.of_others() > 0
        {
            return Err(Refusal::DeadLetters { dead_letter: redrive.dead_letter_arn.clone() });
        }
        if let Some(why) = self.against()
            && typed.map(str::trim) != Some(self.name())
        {
            return Err(Refusal::NotTyped { why, name: self.name().to_owned() });
        }
        Ok(Adoption {
            queue_arn: self.arn.clone(),
            queue_url: self.queue.url.clone(),
            region: self.queue.region.clone(),
            queue_created_at,
            adopted_at: now,
            adopted_by,
            foreign_bodies,
            halted: None,
        })
    }
}

#[cfg(test)]
mod tests;

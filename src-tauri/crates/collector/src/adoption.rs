//! Making a queue one's own: a look at it that takes nothing away, and the rules under which it may be adopted.
//!
//! Owns what is shown before an adoption, and when a name has to be typed for it. An adoption comes from a look alone, so
//! that nobody adopts what nobody looked at. Deliberately records nothing: who asked does, with the store's writer.

mod policy;

use liftdeck_gateway::{EventQueue, Gateway, GatewayError, QueueAttributes};
use liftdeck_model::feed::{Adoption, ForeignBodies, QuarantineReason, account_of};
use liftdeck_model::{AccountId, Timestamp};
use serde::{Deserialize, Serialize};
use specta::Type;

pub use self::policy::{Sender, senders};
use crate::feed::{self, FeedBody, Reading};

/// Messages looked at, at most.
pub const LOOKED_AT: usize = 50;
/// Foreign messages shown of those.
const EXAMPLES: usize = 5;
/// Characters shown of each.
const BEGINNING: usize = 200;

/// Whether waiting messages are looked at. A look is a delivery to each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peek {
    /// Unless a delivery may move a message to a dead-letter queue.
    Unharmful,
    /// In any case: somebody agreed to the harm.
    Always,
}

/// Why waiting messages were not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Unseen {
    /// A dead-letter rule counts deliveries, and nobody agreed to that.
    DeadLetterRule,
    /// The queue is adopted and being received from.
    Adopted,
}

/// What waits in a queue, as far as it was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Waiting {
    /// Messages looked at.
    pub looked_at: u64,
    /// Events of this account's GameLift, those this program does not understand among them.
    pub events: u64,
    /// Events of other accounts, or of none.
    pub other_accounts: u64,
    /// Messages that are no events of GameLift.
    pub foreign: u64,
    /// The first few that are somebody else's.
    pub examples: Vec<Example>,
    /// Why they stay hidden from their readers for ten seconds, when they could not be given back at once.
    pub kept_hidden: Option<String>,
}

/// A message that is somebody else's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Example {
    /// Why it is taken for that.
    pub reason: QuarantineReason,
    /// In words.
    pub detail: String,
    /// Bytes of the whole body.
    pub bytes: u64,
    /// How the body begins.
    pub beginning: String,
}

/// What there is to know of a queue before it is adopted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueLook {
    /// The queue.
    pub queue: EventQueue,
    /// ARN.
    pub arn: String,
    /// The connection's account.
    pub account: AccountId,
    /// What SQS says of it.
    pub attributes: QueueAttributes,
    /// Who may send to it besides its owner, as its policy says. Which SNS subscriptions and EventBridge rules there are
    /// is not asked.
    pub senders: Vec<Sender>,
    /// What waits in it.
    pub waiting: Result<Waiting, Unseen>,
    /// When it was looked at.
    pub at: Timestamp,
}

/// Why a queue cannot be adopted like this.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It belongs to another account.
    #[error(
        "The queue {arn} belongs to another account than this connection, {account}. Adopt it with a connection to its account."
    )]
    OtherAccount {
        /// The queue.
        arn: String,
        /// The connection's account.
        account: AccountId,
    },
    /// SQS does not say which queue it is.
    #[error(
        "SQS does not say ARN and creation date of {url}, so it could not be recognised later. Check its URL, and allow sqs:GetQueueAttributes."
    )]
    Nameless {
        /// Its URL.
        url: String,
    },
    /// Leaving messages of others where they are would move them to a dead-letter queue.
    #[error(
        "The queue holds messages that are not this connection's, and moves what is delivered too often to {dead_letter}: they cannot be left in it. Send events to a queue of their own, or have foreign messages set aside."
    )]
    DeadLetters {
        /// ARN of the dead-letter queue.
        dead_letter: String,
    },
    /// It has to be confirmed with the queue's name.
    #[error("{why} Confirm it by typing the queue's name: {name}")]
    NotTyped {
        /// What speaks against it.
        why: String,
        /// What has to be typed.
        name: String,
    },
}

/// Looks at a queue. Nothing is deleted; messages are looked at as `peek` says, unless the queue is adopted already.
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

    /// Messages that are somebody else's.
    pub const fn of_others(&self) -> u64 {
        self.other_accounts + self.foreign
    }
}

impl QueueLook {
    /// The queue's name.
    pub fn name(&self) -> &str {
        self.arn.rsplit(':').next().unwrap_or_default()
    }

    /// What speaks against adopting it, when something does: then its name has to be typed.
    pub fn against(&self) -> Option<String> {
        let depth = self.attributes.waiting + self.attributes.in_flight + self.attributes.delayed;
        match &self.waiting {
            Ok(waiting) if waiting.of_others() > 0 => Some(format!(
                "{} of {} messages looked at are not events of this account's GameLift.",
                waiting.of_others(),
                waiting.looked_at
            )),
            Err(Unseen::DeadLetterRule) if depth > 0 => Some(format!(
                "About {depth} messages are in the queue, and they were not looked at: each look counts towards its \
                 dead-letter rule."
            )),
            _ if self.attributes.in_flight > 0 && !matches!(self.waiting, Err(Unseen::Adopted)) => {
                Some(format!(
                    "About {} messages are in flight: another reader has them, or was cut off while it had them.",
                    self.attributes.in_flight
                ))
            }
            _ => None,
        }
    }

    /// Messages that are known to be somebody else's.
    fn of_others(&self) -> u64 {
        self.waiting.as_ref().map_or(0, Waiting::of_others)
    }

    /// The adoption of this queue, for the store to record.
    ///
    /// # Errors
    /// Why it cannot be adopted like this.
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

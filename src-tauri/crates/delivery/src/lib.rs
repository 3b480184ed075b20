//! Delivers what is to be told about alerts: the channels, what a message looks like on each, and the task that sends.
//!
//! Owns the attempt: durable before it begins, tried again with growing pauses, ended by an answer. Deliberately does
//! not decide what is told (`liftdeck-alerts` does, in the transaction of the alert's step), keeps no secret, and
//! knows no host.
//!
//! **What is promised.** Every message that was handed over reaches its receiver at least once, or is shown as failed.
//! It reaches it a second time only if the first attempt ended without an answer: the program was killed, or the
//! connection broke, between the receiver's acceptance and our record of it. The repeat then has the same id, by
//! which a receiver can tell: header `Idempotency-Key` and field `id` of a webhook, `dedup_key` of PagerDuty, the
//! labels of an Alertmanager, the deduplication id of a FIFO topic (for five minutes) and the attribute `id` of any topic.
//! Slack has nothing of the kind: there the repeat says that it may be one. What may have arrived is never taken over by a
//! later message, which would tell it again under another id. `cargo xtask test delivered` holds this against receivers
//! that are not ours.

mod attempt;
mod envelope;
mod payload;
mod post;
mod secret;
mod sender;

pub use sender::{Delivery, Sender, Tested};

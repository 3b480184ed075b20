//! The SQS operations over the event queues, one queue a region.
//!
//! What a queue does with its messages is `queue`'s; what is in them is the senders'.

mod about;
mod attribute;
mod batch;
mod delivery;
mod input;
mod operation;
mod queue;

pub(crate) use delivery::Queues;
pub(crate) use operation::{Request, Sqs, operation, operations};
pub(crate) use queue::Sent;

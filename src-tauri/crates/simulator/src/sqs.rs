//! SQS: the event queues, one per region, and queues that callers create.
//!
//! How a queue handles its messages is up to `queue`; what they contain is up to the senders.

mod about;
mod attribute;
mod batch;
mod body;
mod delivery;
mod input;
mod manage;
mod operation;
mod queue;
mod queues;
mod settings;

pub(crate) use attribute::sha256_hex;
pub(crate) use body::{Author, Body};
pub(crate) use delivery::Delivery;
pub(crate) use operation::{Request, Sqs, operation, operations};
pub(crate) use queue::{Attribute, Order, Sent};
pub(crate) use queues::Queues;

//! Messages of the event feed that could not be understood: kept, counted, never lost.

use serde::{Deserialize, Serialize};

use crate::id::Region;
use crate::time::Timestamp;

/// Why a message was put aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuarantineReason {
    /// The body is not JSON.
    NotJson,
    /// JSON, but neither an event nor an envelope with one.
    NotAnEvent,
    /// A well-formed event of a type this program does not know.
    UnknownType,
    /// An event of a known type that lacks what makes it one.
    Incomplete,
}

/// A message put aside, whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuarantinedMessage {
    /// SQS message id.
    pub message_id: String,
    /// Queue it came from.
    pub queue_url: String,
    /// Region.
    pub region: Region,
    /// When it was received.
    pub received_at: Timestamp,
    /// Why.
    pub reason: QuarantineReason,
    /// What exactly is wrong.
    pub detail: String,
    /// The body as received.
    pub body: String,
}

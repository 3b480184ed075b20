//! CloudTrail: the event history of the account's API calls, and the same records on their way through EventBridge.
//!
//! Recorded are the calls of GameLift, of STS and of CloudTrail itself, what the world's people and programs did by
//! hand, and the placements that the game's own backend started. Left out are the backend's other calls (tickets,
//! player sessions, reads) and the calls of every other service. Trails cannot be managed.

mod backend;
mod bridge;
mod caller;
mod lookup;
mod members;
mod record;
mod trail;

pub(crate) use caller::Caller;
pub(crate) use record::{Call, Parameters};
pub(crate) use trail::Trail;

use crate::fault::Faults;
use crate::operation::Operation;

/// What a lookup needs beside its call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct History<'a> {
    /// The records.
    pub(crate) trail: &'a Trail,
    /// The fault plan, which may delay or lose records.
    pub(crate) faults: &'a Faults,
    /// The current virtual time, in milliseconds since the epoch.
    pub(crate) now_ms: i64,
}

/// The operations. The rate is that of the API reference: two requests per second per account and Region.
static OPERATIONS: [Operation; 1] = [Operation::history("LookupEvents", 2.0, lookup::events)];

/// The names of the operations, in order.
pub(crate) fn operations() -> impl Iterator<Item = &'static str> {
    OPERATIONS.iter().map(|operation| operation.name)
}

/// Finds the operation with this name.
pub(crate) fn operation(name: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|operation| operation.name == name)
}

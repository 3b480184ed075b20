//! What a rule and a target have to know of an event.

use std::fmt::Debug;

use serde_json::Value;

use crate::sqs::Body;

/// An event on a bus. Its members are made when they are asked for: most rules look at two of them.
pub(crate) trait Event: Debug {
    /// The id.
    fn id(&self) -> &str;

    /// When it is on the bus, in milliseconds of virtual time since the epoch.
    fn at_ms(&self) -> i64;

    /// The member of the event's JSON with that name.
    fn member(&self, name: &str) -> Option<Value>;

    /// The whole JSON.
    fn body(&self) -> Body;
}

//! What a change would do, worked out from the store and fresh reads of AWS.
//!
//! Deliberately sends nothing. `change` compares each change with the current state, with one file for each kind of
//! resource beside it; `compose` makes one preview of many changes.

mod alias;
mod archive;
mod capacity;
pub(crate) mod change;
pub(crate) mod compose;
pub(crate) mod crowd;
pub(crate) mod draft;
pub(crate) mod drain;
mod matchmaking;
mod placement;
pub(crate) mod present;
mod queue;
mod scaling;
mod script;
mod session;
pub(crate) mod undo;

pub(crate) use archive::zip_bytes;
pub use archive::{Archive, inspect};

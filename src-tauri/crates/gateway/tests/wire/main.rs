//! Tests the gateway against a server that answers with chosen bytes, valid ones and every wrong kind.
//!
//! Owns what a well-behaved service would never send. Deliberately does not use the simulator, whose responses are
//! valid.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

mod answers;
mod changes;
mod faults;
mod feed;
mod identity;
mod metrics;
mod paging;
mod permissions;
mod profiles;
mod server;
mod trail;

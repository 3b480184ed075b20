//! Tests the gateway against the simulator: every read matches the world's own records, within the budget.
//!
//! Owns the comparison of valid responses. Faults are tested in `wire`, which needs no world.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod budget;
mod changes;
mod identity;
mod trail;
mod truth;
mod world;

//! The gateway against the simulator: every read answers with the truth of the world, within the budget.
//!
//! Owns the comparison of right answers. Faults are in `wire`, which needs no world.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod budget;
mod changes;
mod identity;
mod truth;
mod world;

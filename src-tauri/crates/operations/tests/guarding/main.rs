//! The guard against a simulated world: what it lets through, what it says beforehand, and what it records.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod asked;
mod bench;
mod beside;
mod identity;
mod kinds;
mod locked;
mod moving;
mod refusals;
mod restarting;
mod traces;
mod typing;
mod undoing;
mod unknown;
mod unrecorded;
mod warnings;
mod watched;

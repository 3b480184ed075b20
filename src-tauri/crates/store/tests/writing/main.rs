//! Tests what the write side guarantees, against real database files.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod activity;
mod alert_rules;
mod alerts;
mod clock;
mod custom_rules;
mod damage;
mod delivery;
mod durability;
mod endings;
mod events;
#[allow(dead_code, reason = "shared with the tests of the read side")]
mod fixture;
mod foreign;
mod history;
mod metrics;
mod opening;
mod retention;
mod sessions;
mod span_notes;

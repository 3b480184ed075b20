//! What happens after a confirmation, in a simulated world: runs, drains, effects, repoints, logs.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "in a test a panic is the verdict"
)]

mod again;
mod bench;
mod bulk;
mod drain;
mod effect;
mod log;
mod repoint;

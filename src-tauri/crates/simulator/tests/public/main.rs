//! The simulator as its clients see it, called only over its port.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod client;
mod determinism;
mod incidents;
mod scenarios;

//! The simulator as its clients see it, asked over its port alone.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod client;
mod determinism;
mod scenarios;

//! Tests the collector against the simulator's real wire protocol and a real database file.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "in a test a panic is the verdict, and a figure measured is worth a line"
)]

mod account;
mod faults;
mod feed;
mod harness;
mod pass;
mod running;
mod search;
mod watched;

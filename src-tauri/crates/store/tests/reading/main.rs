//! Tests what the read side returns of what was written, against real database files.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod activity;
mod difference;
mod export;
#[path = "../writing/fixture.rs"]
#[allow(dead_code, reason = "shared with the tests of the write side")]
mod fixture;
mod fleets;
mod leads;
mod matchmaking;
mod paging;
mod players;
mod routing;
mod series;
mod sessions;

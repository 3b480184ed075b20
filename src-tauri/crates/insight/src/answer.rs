//! Answers to what screens and commands ask: rows and details put together from the store's rows and the judgements on
//! them.
//!
//! Owns what each list and each page contains, and from which figures it is made. How the rows are shown is the hosts'
//! and the window's business.

#![allow(
    missing_docs,
    reason = "fields of answers are named as on the screen; those that need a word have one"
)]

pub mod activity;
pub mod alias;
pub mod content;
pub mod fleet;
pub mod matchmaking;
pub mod metric;
pub mod placement;
pub mod player;
pub mod player_data;
pub mod queue;
pub mod session;
pub mod ticket;

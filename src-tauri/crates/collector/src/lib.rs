//! What to ask AWS and when: schedule, pollers, event feed, backfill.

pub mod cadence;
pub mod feed;
pub mod health;
pub mod metrics;
mod players;
pub mod schedule;

//! Defines every command that a host can call on Liftdeck: its arguments, its answer and the changes that make the
//! answer stale.
//!
//! Owns the list of commands, and the types of arguments and answers that exist only here; all others are the core's own
//! read types. Deliberately contains no logic and knows no host: `liftdeck-app` answers the calls.

#![allow(
    missing_docs,
    reason = "fields of answers are named as on the screen; those that need a word have one"
)]

#[cfg(test)]
mod generated;
mod list;

pub mod changed;
pub mod command;
pub mod connection;
pub mod delivery;
pub mod error;
pub mod feed;
pub mod operate;
pub mod rule;
pub mod search;
pub mod series;
pub mod session;
pub mod settings;
pub mod types;

pub use command::{Answer, COMMANDS, Call, Command, File, IntoAnswer, Kind};
pub use error::{AppError, ErrorKind};

//! Implements the commands for every host: connections, settings, opening and closing, reads and downloads.
//!
//! Owns the only implementation of the commands of `liftdeck-api`, and the files that Liftdeck keeps beside its
//! databases. Deliberately knows no host: no window, no socket, no command line.

// A command awaits the guard, which awaits the gateway, which awaits the SDK: the futures nest deeply.
#![recursion_limit = "512"]

mod app;
pub mod clock;
pub mod command_socket;
mod commands;
pub mod connections;
pub mod custom_rules;
pub mod delivery;
mod demo;
mod desk;
mod health;
mod hints;
pub mod home;
pub mod marks;
mod open;
pub mod rules;
mod saved;
pub mod settings;
pub mod shared;
pub mod user;

pub use app::{App, AppOptions, Turn};
pub use desk::AtDesk;
pub use hints::{Hint, Hints};
pub use open::OpenConnection;

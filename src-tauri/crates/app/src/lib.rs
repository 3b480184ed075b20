//! What answers every host: connections, settings, what is open and how it came to be, reads and downloads.
//!
//! Owns the one implementation of the commands of `liftdeck-api`, and what Liftdeck keeps beside its databases.
//! Deliberately knows no host: no window, no socket, no command line.

// A command awaits the guard, which awaits the gateway, which awaits the SDK: a future of many layers.
#![recursion_limit = "512"]

pub mod account;
mod app;
pub mod clock;
mod commands;
pub mod connections;
mod demo;
pub mod door;
mod health;
mod hints;
pub mod home;
pub mod lent;
pub mod marks;
mod open;
pub mod reach;
mod saved;
pub mod settings;

pub use app::{App, AppOptions, Turn};
pub use hints::{Hint, Hints};
pub use open::OpenConnection;

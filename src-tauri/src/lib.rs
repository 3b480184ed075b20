//! The program: a thin shell. The only crate that knows Tauri, with no logic of its own.
//!
//! Owns the command line, the window, the border between them and the rooms behind, settings and connections.
//! Deliberately decides nothing about GameLift: it opens the store, the gateway, the collector and the guard, and
//! passes on what they say.

// A command taken at the desk awaits the guard, which awaits the gateway, which awaits the SDK: a future of many layers.
#![recursion_limit = "512"]

mod cli;
#[cfg(feature = "window")]
mod linux;
mod logs;
mod serve;
mod socket;
mod stop;
#[cfg(feature = "window")]
mod window;

use std::process::ExitCode;

/// Runs the program with the arguments of this process: the window without any, the command line with them.
pub fn main() -> ExitCode {
    cli::run()
}

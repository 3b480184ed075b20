//! The program: a thin shell without logic of its own, and the only crate that depends on Tauri.
//!
//! Owns the hosts: the command line, the window, `serve` and the socket for other processes. Deliberately decides
//! nothing about GameLift: it passes on what the other crates return.

// A command awaits the guard, which awaits the gateway, which awaits the SDK: the futures are deeply nested.
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

/// Runs the program with this process's arguments: the window if there are none, otherwise the command line.
pub fn main() -> ExitCode {
    cli::run()
}

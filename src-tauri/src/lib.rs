//! The program: a thin shell. The only crate that knows Tauri, with no logic of its own.
//!
//! Owns the command line, the window, the border between them and the rooms behind, settings and connections.
//! Deliberately decides nothing about GameLift: it opens the store, the gateway, the collector and the guard, and
//! passes on what they say.

mod cli;
mod clock;
mod commands;
mod connections;
mod desk;
mod dialog;
mod flight;
mod home;
mod linux;
mod logs;
mod reach;
mod relay;
mod settings;
mod state;
mod stop;
mod window;
mod wire;

use std::process::ExitCode;

/// Runs the program with the arguments of this process: the window without any, the command line with them.
pub fn main() -> ExitCode {
    cli::run()
}

//! The program.

mod commands;
mod state;
mod wire;

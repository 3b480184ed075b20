//! The whole chain in operation: real wire → collector → store → query, through the program's own command line.
//!
//! One binary, with one file for each story. Each starts its own simulator on loopback and has its own home.

mod account;
mod aged;
mod bad_input;
mod collect;
mod crash;
mod feed;
mod guard;
mod operate_cli;
mod operate_runs;
mod reads;
mod socket;

//! The whole chain at work: real wire → collector → store → query, through the program's own command line.
//!
//! One binary, a file per story. Each starts a simulator of its own on loopback and a home of its own.

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

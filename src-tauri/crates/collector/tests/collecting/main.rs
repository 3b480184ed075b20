//! The collector against the simulator's real wire and a real database file.

mod faults;
mod feed;
mod harness;
mod pass;
mod running;

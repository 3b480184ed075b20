//! What goes on after a confirmation, against a simulated world: runs, drains, effects, repoints, logs.

mod bench;
mod bulk;
mod drain;
mod effect;
mod log;
mod repoint;

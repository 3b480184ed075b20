//! What goes on after a confirmation, against a simulated world: runs.

mod bench;
mod bulk;

//! The whole chain in operation: real wire → collector → store → query, through the program's own command line.
//!
//! One binary, with one file for each story. Each starts its own simulator on loopback and has its own home.

mod account;
mod aged;
mod alert_rules;
mod bad_input;
mod collect;
mod crash;
mod delivery;
mod feed;
mod guard;
mod operate_cli;
mod operate_runs;
mod players;
mod reads;
mod socket;
mod stage;
mod who;

use serde_json::Value;

/// Server processes of a location that run no game session.
fn free_processes(load: &Value) -> i64 {
    let number = |key: &str| load[key].as_i64().unwrap_or(0);
    number("ActiveServerProcessCount") - number("ActiveGameSessionCount")
}

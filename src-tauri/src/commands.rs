//! What the window may ask: one file a subject. Parse, call, map to wire; deliberately no logic.
//!
//! `list.rs` is the one list: the permissions, this handler and the TypeScript bindings all come from it.

pub(crate) mod action;
pub(crate) mod activity;
pub(crate) mod alias;
pub(crate) mod app;
pub(crate) mod chart;
pub(crate) mod connection;
pub(crate) mod content;
pub(crate) mod feed;
pub(crate) mod fleet;
pub(crate) mod goto;
pub(crate) mod guard;
pub(crate) mod health;
pub(crate) mod matchmaking;
pub(crate) mod overview;
pub(crate) mod placement;
pub(crate) mod player;
pub(crate) mod preset;
pub(crate) mod queue;
pub(crate) mod run;
pub(crate) mod series;
pub(crate) mod session;

use tauri_specta::{Builder, ErrorHandlingMode, collect_commands, collect_events};

use crate::wire::health::{Changed, Health};

include!("commands/list.rs");

/// The commands and events of the border; handler and bindings both come from it.
pub(crate) fn border() -> Builder<tauri::Wry> {
    Builder::new()
        .commands(with_commands!(collect_commands))
        .events(collect_events![Changed, Health])
        .error_handling(ErrorHandlingMode::Throw)
        .disable_serde_phases()
}

#[cfg(test)]
mod tests;

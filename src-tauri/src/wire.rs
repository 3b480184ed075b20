//! Every type that crosses between Rust and the window, one file a subject.
//!
//! Owns names, camelCase and the mapping from store rows. Deliberately holds no logic: the numbers come as they are.
//! `bindings.rs` turns these types into `ui/src/host/bindings.gen.ts`.

pub(crate) mod activity;
pub(crate) mod alias;
pub(crate) mod change;
pub(crate) mod connection;
pub(crate) mod content;
pub(crate) mod error;
pub(crate) mod feed;
pub(crate) mod fleet;
pub(crate) mod goto;
pub(crate) mod health;
pub(crate) mod matchmaking;
pub(crate) mod number;
pub(crate) mod operate;
pub(crate) mod overview;
pub(crate) mod placement;
pub(crate) mod player;
pub(crate) mod preset;
pub(crate) mod query;
pub(crate) mod queue;
pub(crate) mod repoint;
pub(crate) mod run;
pub(crate) mod scaling;
pub(crate) mod search;
pub(crate) mod series;
pub(crate) mod session;
pub(crate) mod settings;
pub(crate) mod window;

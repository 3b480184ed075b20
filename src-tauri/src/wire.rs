//! Every type that crosses between Rust and the window, one file a subject.
//!
//! Owns names, camelCase and the mapping from store rows. Deliberately holds no logic: the numbers come as they are.
//! `bindings.rs` turns these types into `ui/src/host/bindings.gen.ts`.

pub(crate) mod alias;
pub(crate) mod change;
pub(crate) mod connection;
pub(crate) mod error;
pub(crate) mod fleet;
pub(crate) mod goto;
pub(crate) mod health;
pub(crate) mod number;
pub(crate) mod overview;
pub(crate) mod placement;
pub(crate) mod player;
pub(crate) mod query;
pub(crate) mod queue;
pub(crate) mod scaling;
pub(crate) mod series;
pub(crate) mod session;
pub(crate) mod settings;
pub(crate) mod window;

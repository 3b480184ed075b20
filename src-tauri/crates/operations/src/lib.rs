//! The guard: the only way by which this program changes anything on AWS.
//!
//! Owns the way of a change: preview → confirm → record → send → follow → undo, and what a person unlocked for how long.
//! It is the only user of the gateway's `Operator`. Deliberately knows nothing of SQL, of the SDKs and of the window, and
//! reads no clock: the present and fresh ids come in as arguments.

mod advice;
mod archive;
mod attempts;
mod confirm;
mod core;
mod drain;
mod ended;
mod error;
#[cfg(test)]
mod fixtures;
mod follow;
mod guard;
mod intent;
mod live;
mod log;
mod mode;
mod preview;
mod repoint;
mod run;
mod send;
mod settle;
mod undo;

pub use archive::{Archive, inspect};
pub use drain::{DrainProgress, DrainStep, DrainStepKey, DrainStepState};
pub use ended::had_ended;
pub use error::OperationError;
pub use guard::{Clock, Guard, GuardOptions, Objection, Receipt, Steady};
pub use intent::{DrainPlan, Intent};
pub use log::{KeptLog, place as log_place};
pub use mode::{LEAST_MINUTES, MOST_MINUTES, Mode};
pub use preview::{
    Blast, Preview, PreviewId, PreviewItem, Severity, SkipReason, Skipped, UndoOffer, Warning, left_out,
};
pub use repoint::{CompareLine, CompareSeverity, RepointComparison, RepointWatch, WatchPoint};
pub use run::Run;

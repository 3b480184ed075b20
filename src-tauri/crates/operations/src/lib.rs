//! The guard: the only way by which this program changes anything on AWS.
//!
//! Owns the way of a change: preview → confirm → record → send → follow → undo, and what a person unlocked for how long.
//! It is the only user of the gateway's `Operator`. Deliberately knows nothing of SQL, of the SDKs and of the window, and
//! reads no clock: the present and fresh ids come in as arguments.

mod error;
mod guard;
mod intent;
mod mode;
mod preview;

pub use error::OperationError;
pub use guard::{Environment, Guard, GuardOptions, Receipt};
pub use intent::{DrainPlan, Intent};
pub use mode::{LEAST_MINUTES, MOST_MINUTES, Mode};
pub use preview::{Blast, Preview, PreviewId, PreviewItem, Severity, UndoOffer, Warning};

//! The guard: the only way by which this program changes anything on AWS.
//!
//! Owns the way of a change: preview → confirm → record → send → follow → undo, and what a person unlocked for how long.
//! It is the only user of the gateway's `Operator`. Deliberately knows nothing of SQL, of the SDKs and of the window, and
//! reads no clock: the present and fresh ids come in as arguments.
//!
//! Each room uses only those below it:
//!
//! | room | what it owns |
//! | --- | --- |
//! | `guard` | who may call what; composes the rooms below |
//! | `send` | confirm, record, send; runs and drains |
//! | `outcome` | looks on AWS until the effect of a change is seen, or what became of it is known |
//! | `repoint` | two fleets side by side, and how a repoint is coming along |
//! | `preview` | reads the store and AWS and works out what a change would do |
//! | `log` | the log of a game session, kept on this computer |
//! | `connection`, `mode`, `options` | what every room needs: the connection, the leave to change it, what it was told |
//! | `error`, `fact`, `words`, `intent` | what is said: facts as types, and the sentences made of them |

mod connection;
mod error;
mod fact;
#[cfg(test)]
mod fixtures;
mod guard;
mod intent;
mod log;
mod mode;
mod options;
mod outcome;
mod preview;
mod repoint;
#[cfg(test)]
mod rooms;
mod send;
mod words;

pub use error::OperationError;
pub use fact::{Blast, LeftOut, Preview, PreviewId, PreviewItem, SkipReason, Skipped, UndoOffer, Warning};
pub use guard::Guard;
pub use intent::{DrainPlan, Intent};
pub use log::{KeptLog, path_of as log_place};
pub use mode::{LEAST_MINUTES, MOST_MINUTES, Mode};
pub use options::{Clock, GuardOptions, Objection, Steady};
pub use outcome::ended::had_ended;
pub use preview::{Archive, inspect};
pub use repoint::{CompareLine, CompareSeverity, RepointComparison, RepointWatch, WatchPoint};
pub use send::confirm::Receipt;
pub use send::run::drain::step::{DrainProgress, DrainStep, DrainStepKey, DrainStepState};
pub use send::run::view::Run;
pub use words::{SkipFact, WarningFact};

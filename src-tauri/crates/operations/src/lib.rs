//! The guard: the only way this program changes anything on AWS.
//!
//! Owns the path of a change: preview → confirm → record → send → follow → undo, and what a person unlocked for how
//! long. It is the only user of the gateway's `Operator`. Deliberately knows nothing of SQL, the SDKs or the window,
//! and reads no clock: the current time and fresh ids come in as arguments.
//!
//! Each module uses only those below it in this table:
//!
//! | module | what it owns |
//! | --- | --- |
//! | `guard` | who may call what; combines the modules below |
//! | `send` | confirming, recording and sending; runs and drains |
//! | `outcome` | looks on AWS until the effect of a change is seen, or its outcome is known |
//! | `repoint` | compares two fleets, and reports how a repoint is progressing |
//! | `preview` | reads the store and AWS and works out what a change would do |
//! | `log` | the logs of game sessions, kept on this computer |
//! | `marks` | how careful to be with an account and its database |
//! | `connection`, `mode`, `options` | for every module: the connection, the permission to change it, its options |
//! | `error`, `fact`, `words`, `intent` | what is said: facts as types, and the sentences made of them |

mod connection;
mod error;
mod fact;
#[cfg(test)]
mod fixtures;
mod guard;
mod intent;
mod log;
pub mod marks;
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
pub use outcome::joined::JoinedGameSession;
pub use preview::{Archive, inspect};
pub use repoint::{CompareLine, CompareSeverity, RepointComparison, RepointWatch, WatchPoint};
pub use send::conclusion::Conclusion;
pub use send::confirm::Receipt;
pub use send::run::drain::step::{DrainProgress, DrainStep, DrainStepKey, DrainStepState};
pub use send::run::view::Run;
pub use words::{SkipFact, WarningFact};

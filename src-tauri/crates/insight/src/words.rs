//! All sentences about what was observed, judged and done: facts in, words out, the same for every host.
//!
//! No other code parses these sentences. Deliberately reads nothing and decides nothing.

mod action;
mod cause;
mod change;
mod count;
pub(crate) mod custom;
pub(crate) mod difference;
mod fleet;
pub(crate) mod incident;
pub(crate) mod offer;
mod placement;
pub(crate) mod rule;
pub(crate) mod session;
mod trouble;
mod who;

pub use self::action::action;
pub(crate) use self::cause::{cause, evidence};
pub use self::change::Words;
pub(crate) use self::change::change;
pub use self::count::counted;
pub use self::fleet::{certificate, creator_limit, process_basis};
pub use self::placement::{PLACEMENT_QUEUED, placement_ended, placement_event, placement_failed};
pub(crate) use self::trouble::{likely, trouble, unexplained};
pub(crate) use self::who::who;

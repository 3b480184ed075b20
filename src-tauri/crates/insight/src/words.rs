//! Every sentence about what was seen, judged and done: facts in, words out, the same for every host.
//!
//! Nothing else looks into a sentence. Deliberately reads nothing and decides nothing.

mod action;
mod attention;
mod cause;
mod change;
mod fleet;
mod placement;

pub use self::action::action;
pub(crate) use self::attention::attention;
pub(crate) use self::cause::{cause, evidence};
pub use self::change::Words;
pub(crate) use self::change::change;
pub use self::fleet::{creator_limit, scaling_rule};
pub use self::placement::{PLACEMENT_QUEUED, placement_ended, placement_event};

//! Every sentence about what was seen and judged: facts in, words out, the same for every host.
//!
//! Nothing else looks into a sentence. Deliberately reads nothing and decides nothing.

mod attention;
mod cause;
mod change;

pub(crate) use self::attention::attention;
pub(crate) use self::cause::{cause, evidence};
pub use self::change::Words;
pub(crate) use self::change::change;

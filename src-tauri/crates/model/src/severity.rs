//! How much something matters to the reader.

use serde::{Deserialize, Serialize};
use specta::Type;

/// How much something matters; later ones matter more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    /// Good to know.
    Info,
    /// Worth a look. For a change: it may not do what is wanted.
    Warning,
    /// Players notice. For a change: AWS will refuse it, or it will do people harm.
    Bad,
}
